"""Sphinx's part of what search engines and messengers read: every page describes itself, and the map lists all."""

import re

from docutils import nodes

from tools.site.described import PICTURE, site_map, tags

SHORTEST, LENGTH = 60, 200  # signs of a description: a whole sentence, and no more than is shown


def setup(app):
    """Add the tags to every page, and the map in the end."""
    app.connect("html-page-context", _describe)
    app.connect("build-finished", _map)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _describe(app, pagename, templatename, context, doctree):
    address = app.config.html_baseurl
    picture = address + PICTURE
    front_page = app.builder.get_relative_uri(pagename, "index")
    context["theme_logo"] = {"text": app.config.html_title, "link": front_page}
    if doctree is not None:
        title = next(doctree.findall(nodes.title)).astext()
        page = f"{address}{pagename}.html" if address else ""
        context["metatags"] = context.get("metatags", "") + tags(title, _first_words(doctree), page, picture)


def _first_words(doctree):
    """Return the first paragraph of a page, cut at the end of a word."""
    texts = (re.sub(r"\s+", " ", node.astext()).strip() for node in doctree.findall(nodes.paragraph))
    text = next((text for text in texts if len(text) >= SHORTEST), "")
    return text if len(text) <= LENGTH else text[: text.rindex(" ", 0, LENGTH)] + " …"


def _map(app, exception):
    address = app.config.html_baseurl
    if address and not exception:
        pages = ["", *(f"{name}.html" for name in sorted(app.env.found_docs))]
        (app.outdir / "sitemap.xml").write_text(site_map(address, pages), encoding="utf-8")
        (app.outdir / "robots.txt").write_text(f"User-agent: *\nAllow: /\nSitemap: {address}sitemap.xml\n")
