"""Kernel time, each figure beside its baseline in the same run.

`python3 course.py bench` prints the groups; the number in parentheses is the ratio to the fastest.
"""

import io
import subprocess
import sys
from itertools import cycle

import ipywidgets
import matplotlib as mpl
import pytest

from specdec_widgets import CostModel, CostPanel, RoundsPanel, SamplingPanel, Simulator

START = {"alpha": 0.8, "gamma": 4, "draft_cost": 0.10, "verify_cost": 1.00}
DEPENDENCIES = (
    "ipywidgets, traitlets, numpy, pandas, matplotlib.figure, matplotlib.style,"
    " matplotlib.backends.backend_agg, matplotlib.textpath, PIL.Image,"
    " babel.numbers, babel.messages.pofile, babel.messages.mofile"
)


def redraw(**parameters: float) -> None:
    """The same curve and the same table, made anew through pyplot."""
    import matplotlib.pyplot as plt

    curve = CostModel(**parameters).curve()
    figure, (upper, lower) = plt.subplots(2, sharex=True, figsize=(6.2, 5), dpi=150)
    curve[["expected_tokens", "round_cost"]].plot(ax=upper, marker="o")
    curve[["speedup"]].plot(ax=lower, marker="o")
    lower.axhline(1)
    figure.savefig(io.BytesIO(), format="png")
    plt.close(figure)
    curve.to_html()


@pytest.mark.benchmark(group="one move of the gamma slider")
def test_interact_with_pyplot(benchmark):
    mpl.use("agg")
    box = ipywidgets.interactive(
        redraw,
        gamma=ipywidgets.IntSlider(4, 0, 32),
        **{name: ipywidgets.fixed(START[name]) for name in START if name != "gamma"},
    )
    slider, moves = box.children[0], cycle(range(33))
    benchmark(lambda: setattr(slider, "value", next(moves)))
    box.close()


@pytest.mark.benchmark(group="one move of the gamma slider")
@pytest.mark.parametrize("kind", [Simulator, CostPanel, RoundsPanel])
def test_panel(benchmark, kind):
    panel = kind()
    numbers = panel.cost.numbers if kind is Simulator else panel.numbers
    slider, moves = numbers["gamma"].slider, cycle(range(33))
    for gamma in range(33):  # each background is drawn once
        slider.value = gamma
    benchmark(lambda: setattr(slider, "value", next(moves)))
    panel.close()


@pytest.mark.benchmark(group="one move of the temperature slider")
def test_sampling_panel(benchmark):
    panel = SamplingPanel()
    slider, moves = panel.temperature_control.slider, cycle([0.5, 0.75, 1.25, 1.5])
    benchmark(lambda: setattr(slider, "value", next(moves)))
    panel.close()


@pytest.mark.benchmark(group="import, whole processes")
@pytest.mark.parametrize("modules", [DEPENDENCIES, "specdec_widgets"], ids=["dependencies", "ours"])
def test_import(benchmark, modules):
    command = [sys.executable, "-c", f"import {modules}"]
    benchmark.pedantic(lambda: subprocess.run(command, check=True), rounds=9, warmup_rounds=1)
