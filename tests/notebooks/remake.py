"""Execute all notebooks anew and bring them into their committed form.

A committed notebook holds what its cells print on the pinned versions, and nothing that differs
from run to run. The live view of a widget is left out: where its model is gone, JupyterLab would
show an error in its place, and without it the picture beside it is shown.
"""

import re
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
LIVE_VIEW = "application/vnd.jupyter.widget-view+json"
NAVIGATION = re.compile(r"\*.* · .*\]\(README\.md\)")
LEGEND = re.compile(r"^\| (control|điều khiển) \|", re.MULTILINE)


def shows_panel(cell: nbformat.NotebookNode) -> bool:
    """Tell whether a cell shows a panel; a prediction is one line, and none."""
    shown = [output.get("data", {}).get("text/html", "") for output in cell.get("outputs", ())]
    return any("specdec-static" in html for html in shown) and "Prediction(" not in cell.source


def slide_types(cells: list[nbformat.NotebookNode]) -> list[str]:
    """Return the place of every cell in a deck of slides.

    A heading starts a slide, text after it a slide below, and a panel stands beside one text only.
    Left out are the set-up, the navigation, sources, exercises with their answers, and legends.
    """
    types = []
    aside = False
    for before, cell, after in zip([None, *cells], cells, [*cells[1:], None], strict=False):
        source = cell.source
        if cell.cell_type == "markdown":
            starts = source.startswith(("#", ">"))
            if starts:
                aside = "<details>" in source or LEGEND.search(source) is not None
            asked = after is not None and "Prediction(" in after.source
            kind = "slide" if starts else "fragment" if asked else "subslide"
            aside_or_left_out = aside or NAVIGATION.match(source) is not None
        else:
            panel_alone = shows_panel(cell) and before is not None and before.cell_type == "code"
            kind = "subslide" if panel_alone else "-"
            aside_or_left_out = aside or "set_language(" in source or '[["source"]]' in source
        types.append("skip" if aside_or_left_out else kind)
    return types


def normalise(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Take out of a notebook what is not its text, its code, or what its code says."""
    notebook.metadata = nbformat.from_dict(
        {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        }
    )
    for cell, slide_type in zip(notebook.cells, slide_types(notebook.cells), strict=True):
        cell.metadata.pop("execution", None)
        cell.metadata["slideshow"] = {"slide_type": slide_type}
        for output in cell.get("outputs", ()):
            output.get("data", {}).pop(LIVE_VIEW, None)
            output.get("metadata", {}).clear()
    return notebook


def remake(path: Path) -> None:
    """Execute one notebook where it stands and write it in its committed form."""
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        kernel_name="python3",
        resources={"metadata": {"path": str(path.parent)}},
        store_widget_state=False,
    )
    client.execute()
    nbformat.write(normalise(notebook), path)


if __name__ == "__main__":
    chosen = [Path(name) for name in sys.argv[1:]] or sorted(NOTEBOOKS.glob("*/*.ipynb"))
    for notebook_path in chosen:
        print(notebook_path, flush=True)
        remake(notebook_path)
