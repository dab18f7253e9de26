"""The benchmarks; `python3 course.py bench` runs them, and no other command does.

Each compares two or more ways in one run, since the time alone says more about the machine than
about the course. Nothing is asserted: the results are a Markdown table for the README, at the end
of the output and, where SPECDEC_BENCH_TABLE names a file, in that file too.
"""

import os
import platform
from pathlib import Path
from statistics import median

import pytest

from tests.browser.conftest import browser, lab, lab_server  # noqa: F401 - fixtures

HEAD = ("what", "ours", "compared with", "ratio", "target")
TABLE = pytest.StashKey[list[tuple[str, ...]]]()


def pytest_configure(config):
    config.stash[TABLE] = []


@pytest.fixture
def row(request):
    """Add a row to the table: what was measured, our times and the others', in seconds."""

    def add(what, ours, name, others, target):
        ours, others = median(ours), median(others)
        ratio = f"{others / ours:.1f} times faster" if ours < others else f"{ours / others:.2f}"
        cells = (what, milliseconds(ours), f"{name}: {milliseconds(others)}", ratio, target)
        request.config.stash[TABLE].append(cells)

    return add


@pytest.fixture
def fact(request):
    """Add a row without a comparison."""

    def add(what, value, target):
        request.config.stash[TABLE].append((what, value, "", "", target))

    return add


def milliseconds(seconds):
    return f"{1000 * seconds:.{2 if seconds < 0.01 else 0 if seconds > 0.1 else 1}f} ms"


def pytest_terminal_summary(terminalreporter, config):
    rows = config.stash[TABLE]
    if not rows:
        return
    lines = [HEAD, ("---",) * len(HEAD), *rows]
    table = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    machine = (
        f"Medians of one run: {platform.system()}, {cores} cores, Python "
        f"{platform.python_version()}, headless Chromium without a graphics card."
    )
    text = f"{table}\n\n{machine}\n"
    terminalreporter.write_sep("-", "table for the README")
    terminalreporter.write(text)
    if path := os.environ.get("SPECDEC_BENCH_TABLE"):
        Path(path).write_text(text, encoding="utf-8")
