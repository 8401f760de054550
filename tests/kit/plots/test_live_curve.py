"""The curve that grows while something is computed: its points, its pictures, its line."""

import numpy as np
import pytest

from transformer_kit.plots import LiveCurve


@pytest.fixture
def shown(monkeypatch):
    """Collect what is shown: the first entry by `display`, the others by updates."""
    found = []

    class Handle:
        def update(self, live):
            found.append(live._repr_mimebundle_())

    def display(live, display_id):
        assert display_id is True
        found.append(live._repr_mimebundle_())
        return Handle()

    monkeypatch.setattr("IPython.display.display", display)
    return found


def run(live, values):
    for step, value in enumerate(values, start=1):
        live(step, value)


def test_a_point_is_the_mean_of_its_steps(shown):
    live = LiveCurve(145, "loss", seconds=1e9)
    run(live, np.arange(145.0))
    assert live.steps.tolist() == [*range(3, 145, 3), 145]
    assert live.means.tolist() == [*np.arange(1.0, 144, 3), 144.0]
    assert len(shown) == 2  # the first step and the last


def test_what_is_not_reached_is_not_drawn(shown):
    live = LiveCurve(40, "loss", levels={"floor": 0.5}, title="Training", alt="It falls.")
    run(live, [4.0, 3.0, 2.5])
    assert live.means[:3].tolist() == [4.0, 3.0, 2.5]
    assert np.isnan(live.means[3:]).all()
    figure = live.figure()
    assert "It falls." in figure.alt
    assert "loss 2.500: from 4 at 1 to 2.5 at 3; smallest 2.5 at 3, largest 4 at 1." in figure.alt
    (axes,) = figure.draw().axes
    assert "floor 0.500: " in figure.alt
    assert axes.get_yscale() == "log"
    low, high = axes.get_xlim()
    assert low < 1
    assert high > 40  # the frame is as wide as the whole training, because of the level


def test_pictures_come_at_most_once_in_a_while(shown):
    done = []
    live = LiveCurve(30, "loss", seconds=3, clock=lambda: len(done))  # one second for each step
    for value in np.linspace(3, 1, 30):
        done.append(value)
        live(len(done), value)
    assert len(shown) == 11  # steps 1, 4, 7, ..., 28 and 30
    assert all("<img" in bundle["text/html"] for bundle in shown)
    assert "step 1, loss 3.000" in shown[0]["text/plain"]
    assert "100 %" in shown[-1]["text/html"]
    assert "loss: from 3 at 1 to 1 at 30" in shown[-1]["text/plain"]
    assert repr(live) == shown[-1]["text/plain"].splitlines()[0]


def test_names_are_shown_as_they_are(shown):
    live = LiveCurve(2, "<b> & loss")
    run(live, [1.0, 0.5])
    assert "<b>" not in shown[-1]["text/html"]
