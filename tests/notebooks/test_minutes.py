"""How long a first walk takes: one way of counting, and every place that states it.

Counted for a lesson are its words at 200 a minute, half a minute for every prediction, a quarter
for every other table or number, two for every panel, and three times that for the simulator and
for the quiz. Exercises, the legend of the controls and what slides leave out are for later.
"""

import re
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOKS = ROOT / "notebooks"
LESSONS = sorted(NOTEBOOKS.glob("*/*.ipynb"))
LANGUAGES = ["en", "vi"]
FOR_ENGINEERS = "10"
WALK = 90


def counted(lesson: Path) -> float:
    minutes = 0.0
    for cell in nbformat.read(lesson, as_version=4).cells:
        if cell.metadata.slideshow.slide_type == "skip":
            continue
        if cell.cell_type == "markdown":
            minutes += len(cell.source.split()) / 200
        elif cell.source in ("Simulator()", "quiz = Quiz()\nquiz"):
            minutes += 6
        elif "Prediction(" in cell.source:
            minutes += 0.5
        elif re.search(r"^(\w*Panel\(|panel$)", cell.source, re.MULTILINE):
            minutes += 2
        else:
            minutes += 0.25 * len(cell.outputs)
    return minutes


def stated(lesson: Path) -> int:
    navigation = nbformat.read(lesson, as_version=4).cells[1].source
    found = re.match(r"\*(?:About|Khoảng) (\d+) (?:minutes|phút)(?: ·|, )", navigation)
    assert found, navigation
    return int(found[1])


def contents(language: str) -> dict[str, int]:
    text = (NOTEBOOKS / language / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[(\d\d)\]\(\1-[a-z0-9-]+\.ipynb\) \| (\d+) \|", text, re.MULTILINE)
    return {number: int(minutes) for number, minutes in rows}


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda path: "/".join(path.parts[-2:]))
def test_a_lesson_takes_the_minutes_it_states(lesson: Path) -> None:
    assert abs(counted(lesson) - stated(lesson)) <= 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_contents_state_what_the_lessons_state(language: str) -> None:
    lessons = sorted((NOTEBOOKS / language).glob("*.ipynb"))
    assert contents(language) == {lesson.name[:2]: stated(lesson) for lesson in lessons}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_walk_takes_what_the_contents_and_the_readme_say(language: str) -> None:
    walk = [minutes for number, minutes in contents(language).items() if number != FOR_ENGINEERS]
    assert abs(sum(walk) - WALK) <= 5
    readme = ROOT / ("README.md" if language == "en" else "README.vi.md")
    for text in (NOTEBOOKS / language / "README.md", readme):
        said = text.read_text(encoding="utf-8")
        assert re.search(rf"\b{WALK} (minutes|phút)\b", said), text
        assert not re.search("two hours|hai giờ", said), text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_lesson_for_engineers_says_so_itself(language: str) -> None:
    (lesson,) = (NOTEBOOKS / language).glob(f"{FOR_ENGINEERS}-*.ipynb")
    navigation = nbformat.read(lesson, as_version=4).cells[1].source
    said = {"en": "leave it out on a first walk", "vi": "lần đầu có thể bỏ qua"}[language]
    assert said in navigation
