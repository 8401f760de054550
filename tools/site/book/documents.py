"""The documents of the course, whose links lead to pages of the book, or into the repository."""

import re
from pathlib import PurePosixPath

PAGES = {"README.md": "contents", "CONTRIBUTING.md": "contributing", "notebooks/START_HERE.ipynb": "START_HERE"}


def as_page(text, place, repository):
    """Return a document as a page of the book.

    Parameters
    ----------
    text : str
        Markdown.
    place : str
        Of the document in the course, such as "docs/proof.md".
    repository : str
        "OWNER/REPO", or "" where the course is in none: then a link into the course becomes plain text.

    Returns
    -------
    str
    """
    folder = PurePosixPath(place).parent

    def link(match):
        label, address, anchor = match.groups()
        target = _normal(folder / address)
        page = PAGES.get(target) or (target.removesuffix(".md") if target.startswith("docs/") else None)
        anchor = "" if target == "README.md" else anchor or ""  # the contents have other sections
        if address.endswith(".png"):
            return match[0]
        if page:
            return f"[{label}]({'../' * len(folder.parts)}{page}.md{anchor})"
        return f"[{label}](https://github.com/{repository}/blob/main/{target})" if repository else label

    text = re.sub(r"\[([^\]]*)\]\((?!https?:)([^)#]+)(#[^)]*)?\)", link, text)
    return text.replace("OWNER/REPO", repository) if repository else text


def _normal(place):
    parts = []
    for part in place.parts:
        if part == "..":
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts)
