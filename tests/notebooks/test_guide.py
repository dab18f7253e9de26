"""The teacher's guides: every number is computed here, every place they name is there."""

import re
from pathlib import Path

import nbformat
import pytest
from jupyter_server.services.kernels.kernelmanager import MappingKernelManager
from nbconvert.exporters import SlidesExporter

import course
from specdec_widgets import (
    BusyServer,
    CostModel,
    Hardware,
    Pass,
    SamplingRule,
    Transformer,
    redraw_bug,
    simulate_rounds,
)
from specdec_widgets.maths.rounds import Rounds
from tests.notebooks.memory import KERNEL_MB

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
GUIDES = {"en": NOTEBOOKS / "en" / "teaching.md", "vi": NOTEBOOKS / "vi" / "giang-day.md"}
STRING = "111111001110101111"
RULE = SamplingRule(["0.50", "0.25", "0.15", "0.10"], ["0.40", "0.30", "0.20", "0.10"])
PUPILS, IDLE_MINUTES = 30, 30

pytestmark = pytest.mark.parametrize("language", GUIDES)


def text(language: str) -> str:
    return GUIDES[language].read_text(encoding="utf-8")


def section(language: str, number: int) -> str:
    """Return a section, counted from 1; the text before the first heading is 0."""
    return re.split(r"^## ", text(language), flags=re.MULTILINE)[number]


def numbers(words: str) -> list[str]:
    """Return the numbers of a text, without those of links and commands."""
    words = re.sub(r"\]\([^)]*\)|`[^`]*`|^    .*$|127\.0\.0\.1", " ", words, flags=re.MULTILINE)
    return re.findall(r"\d+(?:[.,]\d+)?", words)


def written(language: str, value: float, digits: int = 0) -> str:
    return f"{value:.{digits}f}".replace(".", "," if language == "vi" else ".")


def rounds(flags: str) -> Rounds:
    return simulate_rounds(flags, gamma=4)


def answers() -> list[list[tuple[float, int]]]:
    """Return the numbers of the answers, row by row, each with its decimals."""
    card, target = Hardware.named("NVIDIA H100 SXM"), Transformer.named("Llama 3.1 8B")
    server = BusyServer(card, target, Transformer.named("Llama 3.2 1B"), 0.8, context=256)
    model = CostModel()
    return [
        [(model.speedup, 2), (CostModel(gamma=32).speedup, 2)],
        [(1000 * Pass(card, target).time(5), 2)],
        [(rounds("110").tokens, 0)],
        [(rounds("1111").tokens, 0)],
        [(model.expected_tokens, 2)],
        [(model.round_cost, 2), (model.speedup, 2)],
        [(model.best().gamma, 0), (model.best().speedup, 2)],
        [(CostModel(alpha=0.95).best().gamma, 0)],
        [(CostModel(draft_cost=0.25).best().gamma, 0)],
        [(CostModel(verify_cost=1.5).best().gamma, 0)],
        [(float(RULE.output[0]), 2)],
        [(100 * float(RULE.alpha), 0)],
        [(len(rounds(STRING).table), 0), (rounds(STRING).tokens, 0)],
        [(server.best(512).gamma, 0)],
        [(model.expected_tokens, 4)],
    ]


def mistaken(language: str) -> list[str]:
    """Return the numbers of the wrong answers, in order, as they are written."""
    flags = len(STRING)
    peak = (CostModel().best().gamma, 0)
    product, plus_one = (4 * 0.8, 1), (1 + 4 * 0.8, 1)
    wrong = [(32, 0), (rounds("110").accepted, 0), (rounds("1111").accepted, 0)]
    wrong += [product, plus_one, (4 + 1, 0), peak, peak, peak]
    wrong += [(float(RULE.q[0]), 2), (80, 0), (-(-flags // 4), 0), (flags, 0), peak]
    return [written(language, *pair) for pair in [*wrong, product, plus_one]]


def misconceptions() -> list[tuple[float, int]]:
    """Return the numbers computed for the section on misconceptions."""
    card, target = Hardware.named("NVIDIA H100 SXM"), Transformer.named("Llama 3.1 8B")
    server = BusyServer(card, target, Transformer.named("Llama 3.2 1B"), 0.8, context=256)
    model, dear = CostModel(), CostModel(verify_cost=1.5)
    return [
        (4 * 0.8, 1),
        (1 + 4 * 0.8, 1),
        (model.expected_tokens, 2),
        (model.best().gamma, 0),
        (dear.best().gamma, 0),
        (CostModel(gamma=32).speedup, 2),
        (model.speedup, 2),
        (CostModel(alpha=0).speedup, 2),
        (float(redraw_bug(RULE)[0]), 2),
        (float(RULE.output[0]), 2),
        (CostModel(draft_cost=0).best().gamma, 0),
        (100 * rounds(STRING).acceptance_rate, 1),
        (100 * model.alpha, 0),
        (model.alpha, 1),
        (model.gamma + 1, 0),
        (float(server.by_batch(4, (256,))["speedup"].iloc[0]), 2),
    ]


@pytest.mark.parametrize("plan", [45, 90])
def test_the_minutes_of_a_plan_add_up(language: str, plan: int) -> None:
    part = section(language, {45: 3, 90: 4}[plan])
    assert str(plan) in part.splitlines()[0]
    minutes = [int(number) for number in re.findall(r"^\| (\d+) \|", part, re.MULTILINE)]
    assert len(minutes) >= 6 and sum(minutes) == plan


def test_the_sections_a_plan_names_are_in_the_lessons(language: str) -> None:
    rows = re.findall(r"\]\((\S+\.ipynb)\), (.*?) \|", section(language, 3) + section(language, 4))
    assert len(rows) == 17
    for name, places in rows:
        cells = nbformat.read(NOTEBOOKS / language / name, as_version=4).cells
        headings = [
            line[3:]
            for cell in cells
            if cell.cell_type == "markdown"
            for line in cell.source.splitlines()
            if line.startswith("## ")
        ]
        named = re.findall(r"\*(.+?)\*", places)
        assert named or name.startswith("00-"), places
        for place in named:
            assert any(heading.startswith(place) for heading in headings), (name, place)


def test_the_other_numbers_are_lessons_and_releases(language: str) -> None:
    release = re.search(r"reveal\.js@(\d+)", SlidesExporter().reveal_url_prefix)
    assert release is not None
    assert numbers(section(language, 0)) == []
    assert numbers(section(language, 1)) == ["11"]  # the lesson with the quiz sheet
    assert numbers(section(language, 2)) == [release[1]]
    plans = re.sub(r"^\| \d+ \|", "", section(language, 3) + section(language, 4), flags=re.M)
    lessons = {path.name[:2] for path in (NOTEBOOKS / language).glob("*.ipynb")}
    named = {"4", "32", "2", "3"}  # two predictions, exercise 2, section 3 of the limits
    assert set(numbers(plans)) <= lessons | named | {"45", "90"}


def test_the_answers_are_those_of_the_package(language: str) -> None:
    rows = [row.split(" | ") for row in section(language, 5).splitlines()[4:] if " | " in row]
    expected = [[written(language, *pair) for pair in row] for row in answers()]
    assert [numbers(answer) for _, _, answer, _ in rows] == expected
    heard = [number for *_, heard in rows for number in numbers(heard)]
    assert heard == mistaken(language)


def test_the_numbers_of_the_misconceptions_are_computed(language: str) -> None:
    known = {written(language, *pair) for pair in misconceptions()}
    said = section(language, 6)
    # What is set and not computed: alpha 0 and gamma 4, gamma 32, the string 110, a batch of 256,
    # a sum of 1, and the lessons by their numbers.
    settings = {"0", "4", "32", "110", "256", "1", "02", "03", "05", "06", "07", "09", "10"}
    assert set(numbers(said)) <= known | settings
    assert known <= set(numbers(said))


def test_the_memory_adds_up_and_the_idle_time_is_one(language: str) -> None:
    part = section(language, 7)
    gigabytes = KERNEL_MB * PUPILS / 1000
    expected = [KERNEL_MB, 10, PUPILS, (gigabytes, 1), 2 * gigabytes, IDLE_MINUTES]
    wanted = [written(language, *(x if isinstance(x, tuple) else (x,))) for x in expected]
    assert numbers(part) == wanted
    options = re.findall(r"--MappingKernelManager\.(\w+)=(\w+)", part)
    assert options == [
        ("cull_idle_timeout", str(60 * IDLE_MINUTES)),
        ("cull_connected", "True"),
    ]
    assert all(MappingKernelManager.class_traits(config=True).get(name) for name, _ in options)


def test_the_commands_of_the_guide_are_those_of_the_course(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(course, "check_python", lambda: None)
    monkeypatch.setattr(course, "set_up", lambda: None)
    monkeypatch.setattr(course, "run", lambda *_command: 0)
    monkeypatch.setattr(course, "open_lab", lambda *_options: 0)
    monkeypatch.setattr(course, "open_voila", lambda *_options: 0)
    commands = set(re.findall(r"`python3 course\.py([^`]*)`", text(language)))
    assert {"", " pages", " slides", " voila"} <= commands
    for command in commands:
        assert course.main(command.split()) == 0


def test_contents_and_readme_link_the_guide(language: str) -> None:
    guide = GUIDES[language]
    readme = NOTEBOOKS.parent / {"en": "README.md", "vi": "README.vi.md"}[language]
    assert f"]({guide.name})" in (guide.parent / "README.md").read_text(encoding="utf-8")
    assert f"](notebooks/{language}/{guide.name})" in readme.read_text(encoding="utf-8")


def test_the_memory_of_the_guide_is_the_one_that_is_tested(language: str) -> None:
    assert f"{KERNEL_MB} MB" in text(language)
