"""What a committed notebook must be like, and that the check of its numbers bites."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbval.plugin import find_comment_markers, find_metadata_tags

from tests.notebooks.remake import slide_types

ROOT = Path(__file__).parents[2]
NOTEBOOKS = ROOT / "notebooks"
PATHS = sorted(NOTEBOOKS.glob("*/*.ipynb"))
SANITIZE = Path(__file__).with_name("nbval_sanitize.cfg")


def code_cells(path: Path) -> list[nbformat.NotebookNode]:
    return [c for c in nbformat.read(path, as_version=4).cells if c.cell_type == "code"]


@pytest.fixture(params=PATHS, ids=lambda path: "/".join(path.parts[-2:]))
def path(request: pytest.FixtureRequest) -> Path:
    return request.param


def test_there_are_notebooks_in_both_languages() -> None:
    names = {
        folder.name: [p.name for p in PATHS if p.parent == folder]
        for folder in {p.parent for p in PATHS}
    }
    assert names["vi"] == names["en"]
    assert "00-simulator.ipynb" in names["vi"]


def test_every_code_cell_is_executed_in_order(path: Path) -> None:
    counts = [cell.execution_count for cell in code_cells(path)]
    assert counts == list(range(1, len(counts) + 1))


def orders(cell: nbformat.NotebookNode) -> dict[str, bool]:
    """Return what a cell bids nbval: to skip it, not to check its output, to let it raise."""
    return dict([*find_comment_markers(cell.source), *find_metadata_tags(cell.metadata)])


def test_no_output_is_exempt_from_the_check(path: Path) -> None:
    assert not [cell.source for cell in code_cells(path) if orders(cell)]


@pytest.mark.parametrize(
    ("source", "tags"),
    [
        ("1 + 1\n  # NBVAL_IGNORE_OUTPUT", []),
        ("# PYTEST_VALIDATE_IGNORE_OUTPUT", []),
        ("1 / 0", ["raises-exception"]),
        ("1 / 0", ["nbval-skip"]),
    ],
)
def test_an_exemption_is_seen(source: str, tags: list[str]) -> None:
    assert orders(nbformat.v4.new_code_cell(source, metadata={"tags": tags}))


def test_no_widget_state_and_no_live_view_is_stored(path: Path) -> None:
    assert "widgets" not in nbformat.read(path, as_version=4).metadata
    assert "application/vnd.jupyter.widget" not in path.read_text(encoding="utf-8")


def test_every_panel_shows_a_picture_without_a_kernel(path: Path) -> None:
    html = [
        output.get("data", {}).get("text/html", "")
        for cell in code_cells(path)
        if not re.search(r"\b(Prediction|Quiz)\(", cell.source)  # these draw nothing
        for output in cell.outputs
    ]
    found = [BeautifulSoup(text, "html.parser").select(".specdec-static") for text in html]
    panels = [panel for panels in found for panel in panels if not panel.select(".specdec-static")]
    assert panels
    for panel in panels:
        assert panel.select("img[src^='data:image/png;base64,']"), panel.text[:100]


def test_no_error_is_stored(path: Path) -> None:
    assert not [o for cell in code_cells(path) for o in cell.outputs if o.output_type == "error"]


@pytest.mark.parametrize("name", sorted({p.name for p in PATHS}))
def test_code_is_the_same_in_all_languages_but_for_the_language_line(name: str) -> None:
    sources = {}
    for path in PATHS:
        if path.name == name:
            lines = [cell.source.splitlines() for cell in code_cells(path)]
            language = [line for cell in lines for line in cell if "set_language(" in line]
            assert language == [f'set_language("{path.parent.name}")']
            sources[path.parent.name] = [[x for x in cell if x not in language] for cell in lines]
    assert all(source == sources["vi"] for source in sources.values())


def test_every_cell_has_its_place_in_a_deck(path: Path) -> None:
    cells = nbformat.read(path, as_version=4).cells
    places = [cell.metadata.get("slideshow", {}).get("slide_type") for cell in cells]
    assert places == slide_types(cells), "python3 course.py notebooks puts them right"
    assert places[:3] == ["slide", "skip", "subslide"]  # title, navigation, goals


def test_what_answers_the_exercises_is_folded(path: Path) -> None:
    asked = False
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.source.startswith("#"):
            asked = "<details>" in cell.source
        if asked and cell.cell_type == "code":
            shown = [output.get("data", {}).get("text/html", "") for output in cell.outputs]
            assert all(html.startswith("<details>") for html in shown), cell.source


@pytest.mark.parametrize("name", sorted({p.name for p in PATHS}))
def test_decks_are_the_same_in_all_languages(name: str) -> None:
    lessons = [nbformat.read(path, as_version=4) for path in PATHS if path.name == name]
    first, *others = [[(c.id, c.metadata.slideshow.slide_type) for c in x.cells] for x in lessons]
    assert others and all(other == first for other in others)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("# A lesson", "slide"),
        ("*About 5 minutes · [Next](01.ipynb) · [Contents](README.md)*", "skip"),
        ("Some text.", "subslide"),
        ("## Exercises\n\n1. Why?\n\n<details><summary>Solutions</summary>", "skip"),
        ("## What\n\n| control | meaning |\n| --- | --- |", "skip"),
        ("## Chú giải\n\n| điều khiển | nghĩa |\n| --- | --- |", "skip"),
        ("> **One sentence to remember:** so it is.", "slide"),
    ],
)
def test_a_text_finds_its_place_in_a_deck(source: str, expected: str) -> None:
    answers = nbformat.v4.new_code_cell("1 + 1")
    assert slide_types([nbformat.v4.new_markdown_cell(source)]) == [expected]
    if "<details>" in source:
        exercises = [nbformat.v4.new_markdown_cell(source), answers]
        assert slide_types(exercises) == ["skip", "skip"]


# What is broken, the lesson that teaches it, and the formula, right and wrong.
BREAKS = {
    "expected tokens": (
        "03-expected-tokens.ipynb",
        "maths/cost.py",
        "math.fsum(powers[: gamma + 1])",
        "math.fsum(powers[:gamma])",
    ),
    "round cost": (
        "04-reading-the-defaults.ipynb",
        "maths/cost.py",
        "gamma * self.draft_cost + self",
        "gamma + 0 * self.draft_cost + self",
    ),
    "residual": (
        "07-same-output.ipynb",
        "maths/sampling.py",
        "[p - kept for p, kept in",
        "[p - kept / 2 for p, kept in",
    ),
    "k + 1": (
        "02-k-plus-one.ipynb",
        "maths/rounds.py",
        "tokens = accepted + 1",
        "tokens = accepted + 0",
    ),
}


def nbval(notebooks: list[Path], package: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--nbval"]
    command += ["--nbval-current-env", f"--nbval-sanitize-with={SANITIZE}"]
    return subprocess.run(
        [*command, *map(str, notebooks)],
        cwd=package,
        env={**os.environ, "PYTHONPATH": str(package)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def package(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "specdec_widgets", tmp_path / "specdec_widgets")
    shutil.copytree(NOTEBOOKS, tmp_path / "notebooks")
    return tmp_path


@pytest.mark.parametrize("what", BREAKS)
def test_a_broken_formula_turns_the_simulator_and_its_own_lesson_red(
    what: str, package: Path
) -> None:
    lesson, file, right, wrong = BREAKS[what]
    module = package / "specdec_widgets" / file
    source = module.read_text(encoding="utf-8")
    assert source.count(right) == 1, f"the formula of {what} has moved: mend this test"
    module.write_text(source.replace(right, wrong), encoding="utf-8")
    names = ["00-simulator.ipynb", lesson]
    result = nbval([package / "notebooks" / "vi" / name for name in names], package)
    assert result.returncode == 1, result.stdout
    failed = re.findall(r"^FAILED .*/([^/]+\.ipynb)::", result.stdout, re.MULTILINE)
    assert sorted(set(failed)) == names, result.stdout
