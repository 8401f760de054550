"""Formulas as MathML, which browsers set by themselves: no script, no wait, and screen readers can say them.

The font travels with the book: a part of Latin Modern Math, that of TeX (`static/README.md`).
"""

from docutils.nodes import SkipNode
from math_core import LatexToMathML

CONVERTER = LatexToMathML()


def setup(app):
    """Let Sphinx write formulas this way."""
    app.add_html_math_renderer("mathml", inline_renderers=(_inline, None), block_renderers=(_display, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def mathml(formula, display=False):
    """Return a formula in LaTeX as MathML.

    Parameters
    ----------
    formula : str
    display : bool
        On a line of its own.

    Returns
    -------
    str

    Raises
    ------
    LatexError
        If it is not LaTeX.
    """
    return CONVERTER.convert_with_local_state(formula, displaystyle=display)


def _inline(translator, node):
    translator.body.append(mathml(node.astext()))
    raise SkipNode


def _display(translator, node):
    translator.body.append(f'<div class="formula" tabindex="0" role="group">{mathml(node.astext(), True)}</div>')
    raise SkipNode
