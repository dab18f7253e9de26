"""What one move of a slider costs the kernel, from its message to the answers, ready to be sent.

Counted in processor time, so that whatever else the machine does changes little.
"""

from itertools import cycle
from time import process_time

import ipywidgets
import matplotlib.pyplot as plt
import pytest
from ipykernel.inprocess.ipkernel import InProcessKernel
from IPython.display import display

from specdec_widgets import (
    BatchPanel,
    CostModel,
    CostPanel,
    FallingPanel,
    ReportPanel,
    RoundsPanel,
    SamplingPanel,
    Simulator,
    VerifyPanel,
    simulate_rounds,
)

pytestmark = pytest.mark.benchmark(timer=process_time)
ONCE_ROUND = 64  # moves of gamma, up and down; every background is drawn by then


@pytest.fixture(scope="module")
def kernel():
    """A kernel in this process, which packs and signs its messages as any other."""
    kernel = InProcessKernel.instance()
    kernel.shell.run_line_magic("matplotlib", "inline")
    return kernel


def moves(slider):
    """Every call moves the slider on, as a message from the page does."""
    steps = round((slider.max - slider.min) / slider.step)
    values = cycle([*range(steps + 1), *range(steps - 1, 0, -1)])
    return lambda: slider.set_state({"value": slider.min + next(values) * slider.step})


def redraw(gamma):
    """The curve and the table of the cost panel, as pyplot and pandas make them."""
    curve = CostModel(gamma=gamma).curve()
    _figure, (upper, lower) = plt.subplots(2, sharex=True, figsize=(6.2, 5))
    curve[["expected_tokens", "round_cost"]].plot(ax=upper, marker="o")
    curve["speedup"].plot(ax=lower, marker="o")
    lower.plot([gamma], [curve["speedup"][gamma]], "s")
    lower.axhline(1)
    plt.show()
    display(curve)


def seconds(act, rounds):
    """What each of that many calls takes."""
    times = []
    for _round in range(rounds):
        begin = process_time()
        act()
        times.append(process_time() - begin)
    return times


def test_the_simulator_against_interact(kernel, benchmark, row):
    interactive = ipywidgets.interactive(redraw, gamma=(0, 32))
    move = moves(interactive.children[0])
    seconds(move, 3)
    others = seconds(move, 20)
    interactive.close()
    simulator = Simulator()
    gamma = simulator.cost.numbers["gamma"].slider
    benchmark.pedantic(moves(gamma), rounds=200, warmup_rounds=ONCE_ROUND)
    target = "at least 8 times faster, 10 ms the aim"
    what = "kernel: a move of gamma in the simulator"
    row(what, benchmark.stats.stats.data, "interact with pyplot", others, target)
    simulator.close()


@pytest.mark.parametrize(
    ("panel", "parameter"),
    [
        (CostPanel, "gamma"),
        (CostPanel, "alpha"),
        (RoundsPanel, "gamma"),
        (SamplingPanel, "temperature"),
        (FallingPanel, "gamma"),
        (BatchPanel, "gamma"),
        (VerifyPanel, "gamma"),
        (ReportPanel, "draft_cost"),
    ],
)
def test_one_panel(kernel, benchmark, fact, panel, parameter):
    shown = panel()
    if panel is SamplingPanel:
        controls = {"temperature": shown.temperature_control}
    else:
        controls = shown.numbers if hasattr(shown, "numbers") else shown.controls
    benchmark.pedantic(moves(controls[parameter].slider), rounds=100, warmup_rounds=ONCE_ROUND)
    median = f"{1000 * benchmark.stats.stats.median:.1f} ms"
    fact(f"kernel: a move of {parameter} in {panel.__name__}", median, "")
    shown.close()


def test_a_million_flags(benchmark, row):
    flags = "11101" * 20_000
    tenth = seconds(lambda: simulate_rounds(flags), 20)
    benchmark.pedantic(simulate_rounds, [flags * 10], rounds=10, warmup_rounds=1)
    times = benchmark.stats.stats.data
    row("the rounds of a million flags", times, "of a tenth of them", tenth, "about 10: linear")
