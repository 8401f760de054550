"""What search engines and messengers read of a page: title, description, picture, address; and the site's map."""

from html import escape

PICTURE = "_static/shared.png"


def tags(title, description, address, picture):
    """Return the tags of a page.

    Parameters
    ----------
    title, description : str
    address, picture : str
        Absolute addresses, "" where the publisher has not said where the site is.

    Returns
    -------
    str
    """
    properties = {"og:type": "article", "og:title": title, "og:description": description}
    properties |= {"og:url": address, "og:image": picture} if address else {}
    lines = [f'<meta property="{name}" content="{escape(text)}">' for name, text in properties.items()]
    card = "summary_large_image" if address else "summary"
    return "\n".join(
        [
            f'<meta name="description" content="{escape(description)}">',
            *lines,
            f'<meta name="twitter:card" content="{card}">',
        ]
    )


def site_map(address, pages):
    """Return the text of a sitemap.xml.

    Parameters
    ----------
    address : str
        Of the site, with a slash at the end.
    pages : iterable of str
        Relative to it.

    Returns
    -------
    str
    """
    places = "\n".join(f"<url><loc>{escape(address + page)}</loc></url>" for page in pages)
    space = "http://www.sitemaps.org/schemas/sitemap/0.9"
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{space}">\n{places}\n</urlset>\n'
