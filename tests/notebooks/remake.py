"""Execute all notebooks anew and bring them into their committed form.

A committed notebook holds what its cells print on the pinned versions, and nothing that differs
from run to run. The live view of a widget is left out: where its model is gone, JupyterLab would
show an error in its place, and without it the picture beside it is shown.
"""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
LIVE_VIEW = "application/vnd.jupyter.widget-view+json"


def normalise(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Take out of a notebook what is not its text, its code, or what its code says."""
    notebook.metadata = nbformat.from_dict(
        {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        }
    )
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
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
