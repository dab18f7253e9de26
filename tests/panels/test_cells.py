"""A cell that is run again closes the panel it showed before, and no other."""

from types import SimpleNamespace

import ipywidgets
import pytest
from ipywidgets.widgets.widget import _instances

from specdec_widgets import CostPanel, Quiz, ReportPanel, Simulator
from specdec_widgets.panels import cells
from specdec_widgets.panels.base import Panel

from .seen import bundle


class Notebook:
    """Stands for IPython: the request under way, and the reader's variables."""

    def __init__(self):
        self.kernel = SimpleNamespace(get_parent=lambda _channel: self.parent)
        self.user_ns = {}
        self.runs = 0
        self.parent = {}

    def run(self, cell):
        """Begin a run of a cell."""
        self.runs += 1
        header = {"msg_type": "execute_request", "date": self.runs, "msg_id": str(self.runs)}
        self.parent = {"header": header, "metadata": {"cellId": cell}}


@pytest.fixture
def notebook(monkeypatch):
    found = Notebook()
    for name in ("_latest", "_shown"):
        monkeypatch.setattr(cells, name, {})
    monkeypatch.setattr(cells, "get_ipython", lambda: found)
    return found


def is_open(panel):
    return panel.comm is not None


def show(notebook, cell, make):
    """Run a cell that shows a panel: a new one, or one there is."""
    notebook.run(cell)
    panel = make if isinstance(make, Panel) else make()
    bundle(panel)
    return panel


@pytest.mark.parametrize("kind", [CostPanel, ReportPanel])
def test_a_cell_run_again_leaves_no_widget_of_the_panel_before(notebook, kind):
    before = set(_instances)
    old = show(notebook, "a", lambda: kind(language="en"))
    new = show(notebook, "a", lambda: kind(language="en"))
    assert not is_open(old)
    assert is_open(new)
    new.close()
    assert set(_instances) == before


def test_without_a_cell_nothing_is_closed(build, notebook):
    panels = []
    for parent in ({}, {"header": {"msg_type": "comm_msg"}, "metadata": {"cellId": "a"}}):
        for _run in range(2):
            notebook.parent = parent
            panels.append(build(CostPanel))
            bundle(panels[-1])
    assert all(map(is_open, panels))


def test_what_is_still_in_use_stays(build, notebook):
    made = []
    for cell in ("named", "elsewhere", "held", "same"):
        made.append(show(notebook, cell, lambda: build(CostPanel)))
    named, elsewhere, held, same = made
    notebook.user_ns["panel"] = named
    show(notebook, "later", elsewhere)
    box = ipywidgets.VBox([held])
    show(notebook, "same", same)
    for cell in ("named", "elsewhere", "held"):
        show(notebook, cell, lambda: build(CostPanel))
    assert all(map(is_open, made))
    del notebook.user_ns["panel"]
    notebook.user_ns["_1"] = named  # IPython keeps every result
    show(notebook, "named", lambda: build(CostPanel))
    assert not is_open(named)
    box.close()


def test_panels_made_elsewhere_may_be_shown_by_turns(build, notebook):
    notebook.run("made")
    one, other = build(CostPanel), build(CostPanel)
    for panel in (one, other, one):
        show(notebook, "shown", panel)
    assert is_open(one) and is_open(other)


def test_a_cell_may_show_two(build, notebook):
    runs = []
    for _run in range(2):
        notebook.run("a")
        runs.append([build(CostPanel), build(CostPanel)])
        for panel in runs[-1]:
            bundle(panel)
    assert [[is_open(panel) for panel in run] for run in runs] == [[False] * 2, [True] * 2]


def test_a_task_of_an_earlier_run_closes_nothing(build, notebook):
    notebook.run("a")
    early = notebook.parent
    late = show(notebook, "a", lambda: build(CostPanel))
    notebook.parent = early
    bundle(build(CostPanel))
    assert is_open(late)


@pytest.mark.parametrize("kind", [Simulator, Quiz])
def test_panels_of_panels_and_quizzes(build, notebook, kind):
    old, new = (show(notebook, "a", lambda: build(kind)) for _ in range(2))
    assert not is_open(old)
    assert all(is_open(part) for part in (new, *new.children) if isinstance(part, Panel))


def test_a_part_of_a_simulator_stays_in_it(build, notebook):
    notebook.run("a")
    simulator = build(Simulator)
    bundle(simulator.cost)
    show(notebook, "b", simulator)
    show(notebook, "a", lambda: build(CostPanel))
    assert is_open(simulator.cost)
