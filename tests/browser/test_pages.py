"""What only a browser shows of the pages: print, phone, both themes."""

import pytest

from tests.browser.look import barriers

SIZES = [(1280, 720), (390, 800)]


@pytest.fixture
def page(browser):
    page = browser.new_page()
    yield page
    page.close()


def test_answers_are_printed_and_code_is_not(built_pages, page):
    (sweet_spot,) = [p for p in built_pages if p.parts[-2:] == ("vi", "05-sweet-spot.html")]
    page.goto(sweet_spot.as_uri())
    answer = page.locator("details:not(.code) ol").first
    code = page.locator("details.code pre").first
    assert not answer.is_visible() and not code.is_visible()
    page.emulate_media(media="print")
    assert answer.is_visible() and answer.bounding_box()["height"] > 20
    assert not code.is_visible()


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_no_page_is_wider_than_its_window(built_pages, page, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    for path in built_pages:
        page.goto(path.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0], path.name


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    "name", ["vi/00-simulator", "en/10-your-numbers", "vi/giang-day", "en/index"]
)
def test_axe_core_finds_no_fault(built_pages, page, name, theme):
    (path,) = [p for p in built_pages if p.as_posix().endswith(f"/{name}.html")]
    page.emulate_media(color_scheme=theme)
    page.goto(path.as_uri())
    page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true })")
    # Chrome and Firefox let a box that scrolls take the focus by themselves.
    assert not barriers(page, **{"scrollable-region-focusable": {"enabled": False}})
