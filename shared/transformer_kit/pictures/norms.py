"""Three training runs of a deep stack side by side: their losses, and the gradients of all layers at one step."""

import numpy as np

from transformer_kit.pictures.frames import Moving, apart, dots, moving_picture, path
from transformer_kit.style import SERIES

SIZE = 760, 530
LEFT, RIGHT, TOP, FLOOR = 34, 590, 24, 216  # of the losses
PANELS, PANEL, HIGH, LOW = (60, 300, 540), 190, 330, 494  # of the gradients
COLOURS = "blue", "warm", "orange"  # post-norm and pre-norm look as in the other curves of the unit
FIRST, EACH = 10, 20  # steps of which all are frames, and then one in so many; a loss is the mean of so many steps
SMALLEST = 1e-8  # that is told from 0
RULES = f"""
.lm-picture .warm {{ stroke: {SERIES[2]} }}
.lm-picture .line.warm {{ stroke-dasharray: 8 4 1 4 }}
.lm-picture .line.orange {{ stroke-dasharray: 7 5 }}
.lm-picture .level {{ stroke: currentColor; stroke-opacity: .5; stroke-dasharray: 3 4; fill: none }}
.lm-picture.narrow text {{ font-size: 15px }}
.lm-picture.narrow .quiet {{ font-size: 16px }}
.lm-picture.narrow tspan {{ font-size: 13px }}
.lm-picture .before {{ stroke-opacity: .3; stroke-width: 1.5 }}
"""


def training_runs(recording):
    """Draw the losses of three training runs, and the size of the gradient in every layer.

    Parameters
    ----------
    recording : Norms
        What `load_recording("norms")` returns.

    Returns
    -------
    Picture
    """
    frames = [i for i, step in enumerate(recording.steps) if step <= FIRST or step % EACH == 0]
    steps = [int(recording.steps[i]) for i in frames]
    losses = np.array([recording.loss[:, max(i + 1 - EACH, 0) : i + 1].mean(axis=1) for i in frames]).T
    gradients = recording.gradient_norm[:, frames]  # (3, n_frames, n_layers)
    rates = recording.learning_rate[:, frames]
    across = LEFT + (np.array(steps) - steps[0]) / (steps[-1] - steps[0]) * (RIGHT - LEFT)
    top = np.ceil(losses.max())
    up = FLOOR - losses / top * (FLOOR - TOP)
    heights, ticks = _logarithmic(gradients)
    still = _axes(recording, steps, top) + _panels(recording.runs, ticks)
    for run, height in zip(recording.runs, apart(up[:, -1]), strict=True):
        still += f'<text x="{RIGHT + 8}" y="{height + 5:.0f}">{run}</text>'
    moving = [Moving('<path class="now" d="{}"/>', "d", [f"M{x:.0f} {TOP}V{FLOOR}" for x in across])]
    for colour, left, y, panel, rate in zip(COLOURS, PANELS, up, heights, rates, strict=True):
        curve, layers = list(zip(across, y, strict=True)), _layers(left, panel)
        still += f'<path class="line {colour}" d="{path(curve)}"/>'
        still += f'<path class="line before {colour}" d="{path(layers[0])}"/>'
        moving.append(Moving(f'<path class="dots {colour}" d="{{}}"/>', "d", [dots([point]) for point in curve]))
        moving += _gradients(colour, left, layers, rate)
    captions = _captions(recording, steps, losses, gradients)
    title = "Three training runs: the loss, and the size of the gradient in every layer"
    return moving_picture(title, SIZE, still, moving, steps, captions, RULES)


def _layers(left, heights):
    """Return the places of all layers of one run, frame by frame."""
    x = left + 12 + np.arange(heights.shape[1]) * (PANEL - 24) / (heights.shape[1] - 1)
    return [list(zip(x, row, strict=True)) for row in heights]


def _gradients(colour, left, layers, rates):
    """Return what moves in the panel of one run: its gradients, and the learning rate."""
    label = f'<text class="quiet" x="{left}" y="{HIGH - 15}">{{}}</text>'
    return [
        Moving(f'<path class="line {colour}" d="{{}}"/>', "d", [path(row) for row in layers]),
        Moving(f'<path class="dots {colour}" d="{{}}"/>', "d", [dots(row) for row in layers]),
        Moving(label, "text", [f"learning rate {rate:.4f}" for rate in rates]),
    ]


def _logarithmic(gradients):
    """Return the places of gradients on a logarithmic scale, and those of some powers of ten."""
    powers = np.log10(np.maximum(gradients, SMALLEST))
    low, high = np.floor(powers.min()), np.ceil(powers.max())

    def place(power):
        return LOW - (power - low) / (high - low) * (LOW - HIGH)

    return place(powers), {int(power): place(power) for power in np.arange(low, high + 1) if power % 2 == 0}


def _axes(recording, steps, top):
    level = FLOOR - float(recording.frequency_loss) / top * (FLOOR - TOP)
    found = [f'<path class="axis" d="M{LEFT} {TOP}V{FLOOR}H{RIGHT}"/>']
    found.append(f'<text class="quiet" x="{LEFT}" y="14">loss, mean of {EACH} steps</text>')
    found.append(f'<path class="level" d="M{LEFT} {level:.0f}H{RIGHT}"/>')
    words = "a model that only knows how often each word occurs"
    found.append(f'<text class="quiet" x="{RIGHT - 8}" y="{level + 18:.0f}" text-anchor="end">{words}</text>')
    for loss in range(int(top) + 1):
        y = FLOOR - loss / top * (FLOOR - TOP) + 4
        found.append(f'<text class="quiet" x="{LEFT - 8}" y="{y:.0f}" text-anchor="end">{loss}</text>')
    found.append(f'<text class="quiet" x="{LEFT}" y="{FLOOR + 18}">step {steps[0]}</text>')
    found.append(f'<text class="quiet" x="{RIGHT}" y="{FLOOR + 18}" text-anchor="end">step {steps[-1]}</text>')
    return "".join(found)


def _panels(runs, ticks):
    heading = "size of the gradient in every layer; pale: at the first step"
    found = [f'<text class="quiet" x="{LEFT}" y="{HIGH - 56}">{heading}</text>']
    for run, x in zip(runs, PANELS, strict=True):
        found.append(f'<text class="strong" x="{x}" y="{HIGH - 32}">{run}</text>')
        found.append(f'<path class="axis" d="M{x} {LOW}h{PANEL}"/>')
        found.append(f'<text class="quiet" x="{x}" y="{LOW + 18}">layer 0</text>')
        found.append(f'<text class="quiet" x="{x + PANEL}" y="{LOW + 18}" text-anchor="end">the last one</text>')
        found += [f'<path class="axis" stroke-dasharray="1 5" d="M{x} {y:.0f}h{PANEL}"/>' for y in ticks.values()]
    for power, y in ticks.items():
        text = f'10<tspan dy="-5" font-size="9">{power}</tspan>' if power else "1"
        found.append(f'<text class="quiet" x="{PANELS[0] - 8}" y="{y + 4:.0f}" text-anchor="end">{text}</text>')
    return "".join(found)


def _captions(recording, steps, losses, gradients):
    """Say for every step the loss of each run, and the gradients of its first and its last layer."""
    return [
        f"Step {step}: "
        + "; ".join(
            f"{run}: loss {losses[i, frame]:.2f}, "
            f"gradient {gradients[i, frame, 0]:.2g} in layer 0, {gradients[i, frame, -1]:.2g} in the last"
            for i, run in enumerate(recording.runs)
        )
        + "."
        for frame, step in enumerate(steps)
    ]
