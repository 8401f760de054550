"""Pages that are shown at once and renewed while something is computed."""


class Renewed:
    """A page of a notebook whose content can be replaced.

    Parameters
    ----------
    html, text : str
        What is shown at first; the text is for everybody without pages.
    """

    def __init__(self, html, text):
        from IPython.display import display  # as late as in `live`: the kit is imported where there is no notebook

        self._handle = display(_bundle(html, text), raw=True, display_id=True)

    def show(self, html, text):
        """Show something else in the same place."""
        self._handle.update(_bundle(html, text), raw=True)


def _bundle(html, text):
    return {"text/html": html, "text/plain": text}
