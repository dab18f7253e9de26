"""Which run of which cell makes and shows a panel, so that one that a new run replaces can go.

Only JupyterLab and its like name the cell. Elsewhere nothing is closed, and nothing is when in
doubt: a panel goes only if one and the same run both made and showed it, no other cell has shown
it, no variable names it and no open widget holds it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakSet

from IPython import get_ipython
from ipywidgets.widgets import widget as registry

if TYPE_CHECKING:
    from .base import Panel


class Run(NamedTuple):
    """One run of a cell: when it was asked for, by which request."""

    cell: str
    date: Any
    request: str


_latest: dict[str, Run] = {}  # by cell
_shown: dict[str, WeakSet[Panel]] = {}  # by cell, those that may have to go


def present_run() -> Run | None:
    """The run that is under way, where there is a notebook that says so."""
    try:
        parent: Any = get_ipython().kernel.get_parent("shell")
        header = parent["header"]
        if header["msg_type"] != "execute_request":
            return None
        return Run(str(parent["metadata"]["cellId"]), header["date"], str(header["msg_id"]))
    except (AttributeError, LookupError, TypeError):
        return None


def show(panel: Panel) -> None:
    """Take note that the panel is shown now, and close what an earlier run of the cell showed."""
    run = present_run()
    if run is None:
        return
    panel.shown_by.add(run.cell)
    latest = _latest.setdefault(run.cell, run)
    if run.date < latest.date:  # a task that an earlier run left behind
        return
    _latest[run.cell] = run
    shown = _shown.setdefault(run.cell, WeakSet())
    for old in list(shown):
        if old.comm is None:
            shown.discard(old)
        elif old is not panel and old.made_by != run and not _in_use(old):
            shown.discard(old)
            old.close()
    if panel.made_by == run:
        shown.add(panel)


def _in_use(panel: Panel) -> bool:
    if len(panel.shown_by) > 1:
        return True
    names = getattr(get_ipython(), "user_ns", {}).items()
    if any(value is panel for name, value in names if not name.startswith("_")):
        return True  # _, _1 and Out are IPython's own
    holders = (getattr(widget, "children", ()) for widget in registry._instances.values())
    return any(child is panel for children in holders for child in children)
