"""Panels come and go, results come and go, and nothing of them stays behind."""

import gc
import weakref

import psutil
import pytest
from ipywidgets.widgets.widget import _instances
from matplotlib.figure import Figure

from specdec_widgets import (
    EXAMPLES,
    CostPanel,
    ReportPanel,
    RoundsPanel,
    SamplingPanel,
    Simulator,
    figures,
    panels,
)
from specdec_widgets.panels import cost, rounds, sampling

from .seen import widgets

KINDS = (CostPanel, RoundsPanel, SamplingPanel, Simulator)
OTHERS = [getattr(panels, name) for name in panels.__all__ if name != "Prediction"]
MEGABYTE = 2**20


@pytest.fixture(autouse=True)
def own_figures(monkeypatch):
    """Every panel with figures of its own, as outside these tests."""
    monkeypatch.setattr(cost, "CostFigure", figures.CostFigure)
    monkeypatch.setattr(rounds, "RoundsFigure", figures.RoundsFigure)
    monkeypatch.setattr(sampling, "SamplingFigure", figures.SamplingFigure)


def live(kind):
    """How many objects of this kind there are."""
    gc.collect()
    return sum(isinstance(thing, kind) for thing in gc.get_objects())


def use(panel):
    """A little of everything that a reader does."""
    panel.alpha = 0.5
    for part in getattr(panel, "panels", [panel]):
        if isinstance(part, RoundsPanel):
            part.stepper.buttons["back"].click()
        if isinstance(part, SamplingPanel):
            part.editor.add.click()
            part.editor.rows[0].p.value = "0.6"
            part.editor.rows[-1].drop.click()
    panel.reset()


def test_a_hundred_panels_leave_nothing_behind():
    open_before, figures_before = dict(_instances), live(Figure)
    made, comms = weakref.WeakSet(), weakref.WeakSet()
    for number in range(100):
        # Three of each panel of the simulator; then, as that takes a while, mostly the smallest.
        small = panels.Prediction(number, language="en") if number >= 25 else None
        panel = small or [*KINDS * 3, *OTHERS][number](language="en")
        if number < 12:
            use(panel)
        made.add(panel)
        for widget in widgets(panel):
            comms.add(widget.comm)
        panel.close()
        del panel, small, widget
        assert _instances == open_before, "an open widget"
    gc.collect()
    assert len(made) == 0
    assert len(comms) == 0
    assert live(Figure) == figures_before


@pytest.mark.parametrize("name", panels.__all__)
def test_closing_closes_every_widget_layout_style_and_comm(name):
    before = set(_instances)
    needed = {"answer": 2} if name == "Prediction" else {"controls": ["language"]}
    panel = getattr(panels, name)(language="en", **needed)
    opened = [_instances[name] for name in set(_instances) - before]
    assert len(opened) > 20
    assert {type(widget).__name__ for widget in opened} >= {"Layout", "HTML", "Dropdown"}
    comms = [widget.comm for widget in opened]
    panel.close()
    assert set(_instances) == before
    assert all(widget.comm is None for widget in opened)
    assert all(comm._closed for comm in comms)
    panel.close()  # once more does no harm


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
def test_what_was_never_built_goes_without_a_word():
    before = set(_instances)
    for wrong in (panels.Prediction, lambda: CostPanel(alpha=7), lambda: CostPanel(alfa=7)):
        with pytest.raises((TypeError, ValueError)):
            wrong()
    gc.collect()  # pytest fails a test in whose time an error was ignored
    assert set(_instances) == before


def test_a_row_taken_away_is_closed():
    panel = SamplingPanel(language="en")
    before = set(_instances)
    panel.editor.add.click()
    added = set(_instances) - before
    assert len(added) > 8
    panel.editor.rows[-1].drop.click()
    assert set(_instances) == before
    panel.close()


def test_reports_come_and_go_and_nothing_of_them_stays():
    panel = ReportPanel(language="en")
    before, figures_before = set(_instances), live(Figure)
    for number, (engine, line) in enumerate(EXAMPLES.items()):
        panel.area.value = f"{line}\n" * 999
        assert panel.report.engine == engine
        panel.area.value = "nothing that can be read"
        panel.set(draft_cost=number / 10, gamma=3)
        panel.language = "vi" if number % 2 else "en"
    read = weakref.ref(panel.report)
    panel.reset()
    panel.report  # noqa: B018 - reads the text there is now
    gc.collect()
    assert read() is None, "a report of before is kept"
    assert (set(_instances), live(Figure)) == (before, figures_before)
    panel.close()


def test_changes_of_the_result_open_no_widget_and_no_figure():
    simulator = Simulator(language="en")
    before, figures_before = set(_instances), live(Figure)
    for number in range(5):
        simulator.set(gamma=number, alpha=number / 10, flags="10" * number)
        simulator.language = "vi" if number % 2 else "en"
    simulator.tools.download.click()
    assert (set(_instances), live(Figure)) == (before, figures_before)
    simulator.close()


def test_a_thousand_changes_grow_the_kernel_by_less_than_five_megabytes():
    """Resident memory of the process, so that matplotlib's own memory counts too.

    Most values are new ones: whatever is kept of a result would be seen. (What is kept on purpose,
    numbers written and letters drawn, is kept for so many of them and no more.)
    """
    simulator = Simulator(language="en")
    moves = (
        lambda number: setattr(simulator, "alpha", number / 4000),
        lambda number: setattr(simulator.rounds, "step", number // 4 % 19),
        lambda number: setattr(simulator, "temperature", number / 1500),
        lambda number: setattr(simulator, "gamma", number // 4 % 33),
    )
    process = psutil.Process()
    for number in range(1200):
        if number == 200:  # warmed up
            gc.collect()
            before = process.memory_info().rss
        moves[number % 4](number)
    gc.collect()
    grown = process.memory_info().rss - before
    simulator.close()
    assert grown < 5 * MEGABYTE
