"""The pictures of the course.

Every function returns a `DescribedFigure`: a picture that carries its numbers as text.
`LiveCurve` shows such pictures while something is computed.
"""

from transformer_kit.plots.attention import attention_maps
from transformer_kit.plots.bars_and_strips import bars, strip
from transformer_kit.plots.frame import beside, yours_and_target
from transformer_kit.plots.heatmaps import heatmap
from transformer_kit.plots.jacobians import jacobian_grid
from transformer_kit.plots.lines import curves
from transformer_kit.plots.live import LiveCurve
from transformer_kit.plots.masks import mask_picture
from transformer_kit.plots.points import points
from transformer_kit.plots.sliders import slider

__all__ = [
    "LiveCurve",
    "attention_maps",
    "bars",
    "beside",
    "curves",
    "heatmap",
    "jacobian_grid",
    "mask_picture",
    "points",
    "slider",
    "strip",
    "yours_and_target",
]
