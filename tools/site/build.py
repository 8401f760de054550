"""Build the course as a static site, `make site`: front page, book, and the browser edition in lab/."""

import argparse
import sys
from pathlib import Path

from tools.site.book.build import build_book
from tools.site.folder import make_room
from tools.site.front.build import build_front
from tools.site.lab.build import WorkInTheWay, build_lab
from tools.site.lab.wheels import NoDownload

ROOT = Path(__file__).resolve().parents[2]


def build(output, address="", repository="", kept=None):
    """Build the site into a folder, which is made anew.

    Parameters
    ----------
    output : Path
        A folder that does not exist, is empty, or holds an earlier site.
    address : str
        Where the site will be; without it, nothing in it says so, and there is no `sitemap.xml`.
    repository : str
        "OWNER/REPO" at GitHub, for links to Binder, Codespaces and Colab; without it, there are none.
    kept : Path, optional
        Folder in which the notebooks that have run are kept; `.site_cache` when left out.

    Raises
    ------
    WorkInTheWay
        If one of the notebooks is not as it was built.
    FileExistsError
        If the folder holds something else than a site.
    """
    make_room(output)
    build_lab(output / "lab")
    address = f"{address.rstrip('/')}/" if address else ""
    build_book(ROOT, output, address, repository, kept)
    build_front(output, address, repository)


def main(arguments=None):
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.site.build", description=__doc__)
    parser.add_argument("--output", type=Path, default=ROOT / "site", help="folder of the site; ./site when left out")
    parser.add_argument("--address", default="", help="where the site will be, such as https://example.org/course/")
    parser.add_argument("--repository", default="", help="OWNER/REPO at GitHub, for links to Binder and its like")
    parser.add_argument("--kept", type=Path, help="folder of notebooks that have run; ./.site_cache when left out")
    options = parser.parse_args(arguments)
    try:
        build(options.output, options.address, options.repository, options.kept)
    except (WorkInTheWay, NoDownload, FileExistsError, RuntimeError) as error:
        print(error, file=sys.stderr)
        return 1
    files = [path for path in options.output.rglob("*") if path.is_file()]
    megabytes = sum(path.stat().st_size for path in files) / 1e6
    print(f"{options.output}: {len(files)} files, {megabytes:.0f} MB. Any static host can serve this folder.")
    print(f"To look at it here: python3 -m http.server --bind 127.0.0.1 --directory {options.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
