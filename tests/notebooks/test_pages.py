"""The pages and decks made of the lessons: whole, free of dead links, and asking for nothing."""

from functools import cache
from pathlib import Path
from urllib.parse import unquote

import nbformat
import pytest
from bs4 import BeautifulSoup

from pages.build import NOTEBOOKS, build, page_name

SOURCES = sorted([*NOTEBOOKS.glob("*/*.ipynb"), *NOTEBOOKS.glob("*/*.md")])
LESSONS = [path for path in SOURCES if path.suffix == ".ipynb"]


@pytest.fixture(scope="module")
def pages(built_pages: list[Path]) -> Path:
    """The folder of the pages, one for every source."""
    assert len(built_pages) == len(SOURCES)
    return built_pages[0].parents[1]


@pytest.fixture(scope="module")
def decks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("slides")
    assert len(build("slides", folder, reveal="../reveal.js")) == len(LESSONS)
    return folder


@cache
def parsed(page: Path) -> BeautifulSoup:
    return BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")


def soup(folder: Path, source: Path) -> BeautifulSoup:
    return parsed(folder / source.parent.name / page_name(source.name))


def short(path: Path) -> str:
    return "/".join(path.parts[-2:])


def requested(page: BeautifulSoup) -> list[str]:
    """What a browser fetches by itself."""
    tags = [tag.get("src") or tag.get("href") for tag in page(["img", "script", "link", "iframe"])]
    return [url for url in tags if url and not url.startswith("data:")]


@pytest.mark.parametrize("source", SOURCES, ids=short)
def test_every_link_of_a_page_leads_somewhere(source: Path, pages: Path) -> None:
    links = [tag["href"] for tag in soup(pages, source)("a", href=True)]
    assert links
    for link in links:
        if link.startswith("https://"):
            continue
        name, _, anchor = link.partition("#")
        target = (pages / source.parent.name / unquote(name)).resolve() if name else source
        assert name == "" or target.is_file(), f"{link} leads nowhere"
        assert name == "" or target.is_relative_to(pages.resolve()), f"{link} leaves the pages"
        if anchor:
            page = parsed(target) if name else soup(pages, source)
            assert page.find(id=unquote(anchor)), f"{link} has no such place"


@pytest.mark.parametrize("source", SOURCES, ids=short)
def test_a_page_asks_for_nothing_but_itself(source: Path, pages: Path) -> None:
    page = soup(pages, source)
    assert requested(page) == []
    assert not page("script")
    assert "url(" not in page.style.text and "@import" not in page.style.text
    assert page.html["lang"] == source.parent.name
    assert len(page.title.text) > 5


@pytest.mark.parametrize("source", LESSONS, ids=short)
def test_a_page_shows_what_the_notebook_stores(source: Path, pages: Path) -> None:
    page = soup(pages, source)
    cells = nbformat.read(source, as_version=4).cells
    assert [tag["id"] for tag in page("section")] == [cell.id for cell in cells]
    stored = [o for cell in cells for o in cell.get("outputs", ())]
    shown = page.find_all("div", class_="output")
    assert len(shown) == len(stored)
    assert all(tag.text.strip() or tag.img for tag in shown)
    html = [o["data"]["text/html"] for o in stored if "text/html" in o.get("data", {})]
    assert len(page("img")) == sum(text.count("<img") for text in html)
    assert all(image["alt"] for image in page("img"))


@pytest.mark.parametrize("source", LESSONS, ids=short)
def test_code_is_folded_and_formulas_are_drawn(source: Path, pages: Path) -> None:
    page = soup(pages, source)
    cells = nbformat.read(source, as_version=4).cells
    folded = page.find_all("details", class_="code")
    assert len(folded) == sum(cell.cell_type == "code" for cell in cells)
    assert not [tag for tag in folded if tag.has_attr("open")]
    formulas = sum(cell.source.count("$$") for cell in cells if cell.cell_type == "markdown") / 2
    assert len(page.find_all("math", display="block")) == formulas
    prose = "".join(text for text in page.strings if not text.find_parent(["pre", "style"]))
    assert "$" not in prose and "\\frac" not in prose


def test_a_live_view_that_was_stored_is_not_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = {"application/vnd.jupyter.widget-view+json": {"model_id": "gone"}}
    data = {**view, "text/html": "<p>the picture</p>", "text/plain": "Panel()"}
    output = nbformat.v4.new_output("execute_result", data, execution_count=1)
    cell = nbformat.v4.new_code_cell("panel", outputs=[output], execution_count=1)
    heading = nbformat.v4.new_markdown_cell("# A lesson")
    (tmp_path / "en").mkdir()
    nbformat.write(
        nbformat.v4.new_notebook(cells=[heading, cell]), tmp_path / "en" / "lesson.ipynb"
    )
    monkeypatch.setattr("pages.build.NOTEBOOKS", tmp_path)
    for kind in ("pages", "slides"):
        (written,) = build(kind, tmp_path / kind)
        html = written.read_text(encoding="utf-8")
        assert "the picture" in html
        assert "model_id" not in html and "Panel()" not in html


@pytest.mark.parametrize("source", LESSONS, ids=short)
def test_a_deck_shows_no_code_and_asks_for_reveal_alone(source: Path, decks: Path) -> None:
    deck = soup(decks, source)
    assert all(url.startswith("../reveal.js/") for url in requested(deck))
    assert not deck.find_all(class_="jp-InputArea-editor")
    assert "set_language(" not in deck.find(class_="slides").text
    assert not deck.find("a", href="index.html"), "the navigation stands on a slide"


@pytest.mark.parametrize("source", LESSONS, ids=short)
def test_a_slide_holds_one_panel_at_most(source: Path, decks: Path) -> None:
    slides = [tag for tag in soup(decks, source)("section") if not tag.find("section")]
    assert len(slides) >= 6
    for slide in slides:
        panels = [p for p in slide.find_all(class_="specdec-static") if p.find("img")]
        assert len([p for p in panels if not p.find_parent(class_="specdec-static")]) <= 1
    assert all(slide.text.strip() for slide in slides)
