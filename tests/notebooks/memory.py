"""Print what a student's kernel takes: its resident memory after all cells of a notebook."""

import sys
from pathlib import Path

import nbformat
import psutil
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
KERNEL_MB = 250  # what the README and the guides reckon with for a student


def megabytes(path: Path) -> float:
    """Run a notebook in a kernel of its own; return the kernel's RSS in MB (2**20 bytes)."""
    notebook = nbformat.read(path, as_version=4)
    resources = {"metadata": {"path": str(path.parent)}}
    client = NotebookClient(notebook, kernel_name="python3", resources=resources)
    with client.setup_kernel():
        for number, cell in enumerate(notebook.cells):
            client.execute_cell(cell, number)
        kernel = psutil.Process(client.km.provisioner.pid)
        # With its children: where Python is started by a launcher, the kernel is one of them.
        family = [kernel, *kernel.children(recursive=True)]
        return sum(process.memory_info().rss for process in family) / 2**20


if __name__ == "__main__":
    chosen = [Path(name) for name in sys.argv[1:]] or sorted(NOTEBOOKS.glob("vi/*.ipynb"))
    for notebook_path in chosen:
        print(f"{megabytes(notebook_path):5.0f} MB  {notebook_path.stem}", flush=True)
