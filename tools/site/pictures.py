"""Photographs of the site, for the README and for those who share a link."""

from tools.browser.loopback import site_server

UNIT = "02_scaled_dot_product_attention.html"
PICTURE = "#one-query-step-by-step"  # a section with a picture that answers to the pointer
SHARED = {"width": 1200, "height": 630}  # as messengers show it
DESKTOP, PHONE = {"width": 1200, "height": 820}, {"width": 390, "height": 800}


def photograph(browser, site, folder):
    """Take the front page, a unit on a desktop in light and in dark, and on a phone.

    Parameters
    ----------
    browser : playwright.sync_api.Browser
    site : Path
        As `make site` builds it.
    folder : Path
        Gets the pictures.
    """
    with site_server(site) as address:
        front = _page(browser, address, SHARED)
        front.screenshot(path=folder / "front-page.png")
        for name, theme, window in (
            ("unit", "light", DESKTOP),
            ("unit-dark", "dark", DESKTOP),
            ("phone", "light", PHONE),
        ):
            page = _page(browser, f"{address}{UNIT}", window, theme)
            picture = page.locator(f"{PICTURE} [data-lm-suppress-shortcuts]").first
            for _ in range(4):
                picture.get_by_role("button", name="next").click()
            page.locator(PICTURE).evaluate("section => scrollTo(0, scrollY + section.getBoundingClientRect().top - 70)")
            page.mouse.move(0, 0)
            page.wait_for_timeout(400)
            page.screenshot(path=folder / f"{name}.png")


def _page(browser, address, window, theme="light"):
    context = browser.new_context(viewport=window, color_scheme=theme, device_scale_factor=1.5)
    page = context.new_page()
    page.goto(address, wait_until="networkidle")
    return page
