"""The panels as the lessons show them: room for all, in both languages and widths; no barriers."""

import ast
from pathlib import Path

import nbformat

import specdec_widgets
from tests.browser.look import FAULTS, PANELS, barriers
from tests.browser.panel import NARROW, WIDE

LESSONS = Path(__file__).parents[2] / "notebooks" / "en"
ALL = 30_000  # pixels; all panels are in sight


def shown_in_lessons():
    """What the lessons say to show a panel; the simulator and the quiz have tests of their own."""
    said = {"Prediction(3.36, digits=2, unit='×')": None}  # theirs are alike
    for path in sorted(LESSONS.glob("*.ipynb")):
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "code":
                for node in ast.walk(ast.parse(cell.source)):
                    name = getattr(getattr(node, "func", None), "id", "")
                    if name.endswith("Panel"):
                        said[ast.unparse(node)] = None
    return list(said)


def test_the_panels_of_the_lessons_have_room_and_no_barriers(lab):
    said = shown_in_lessons()
    kinds = {name for name in specdec_widgets.__all__ if name.endswith("Panel")}
    assert all(any(call.startswith(kind) for call in said) for kind in kinds)
    cells = ["from specdec_widgets import *"]
    for language in ("vi", "en"):
        cells += [f"set_language('{language}')\n{call}" for call in said]
    page = lab.open("lessons", cells, theme="dark")  # for light see test_look.py
    found = []
    for width in (WIDE, NARROW):
        page.set_viewport_size({"width": width, "height": ALL})
        for number, cell in enumerate(cells[1:], start=1):
            panel = page.locator(".jp-CodeCell").nth(number).locator(".specdec-panel").first
            faults = panel.evaluate(FAULTS)
            found += [f"{width} px, {cell}: {fault}" for fault in faults]
            lab.screenshot(panel, f"lesson-dark-{width}-{number}")
    assert found == []
    assert not barriers(page, PANELS, proven=("color-contrast", "label", "image-alt"))
    assert lab.console_errors == []
    assert lab.outside_requests == []
