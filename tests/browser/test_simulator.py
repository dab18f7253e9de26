"""What all panels share: language, Reset, downloads, the keyboard, the page without a kernel."""

import itertools
import re
from pathlib import Path

import nbformat
from playwright.sync_api import expect

from specdec_widgets import Simulator
from specdec_widgets.words import get_words
from tests.browser.panel import ALPHA, GAMMA, vi

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "vi" / "00-simulator.ipynb"
VIETNAMESE = re.compile("[ăâđêôơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]", re.IGNORECASE)
FOCUSABLE = """panel => {
    const all = [...panel.querySelectorAll(
        'a[href], button:not([disabled]), select, input, textarea, [tabindex="0"]'
    )].filter(e => e.checkVisibility({checkVisibilityCSS: true}));
    window.stations = all;
    return all.map(e => {
        const box = e.getBoundingClientRect();
        return [box.left, box.top, box.right, box.bottom];
    });
}"""


def test_the_language_changes_in_place(simulator):
    simulator.type(GAMMA, "6")
    expect(simulator.box(GAMMA)).to_have_value("6")
    expect(simulator.panel.locator(".specdec-status").nth(1)).to_contain_text("1,88")
    before = simulator.state()
    simulator.speak("en")
    expect(simulator.readout("Best gamma")).to_have_text("6, with 2.47×")
    text = simulator.panel.inner_text().replace("\N{NO-BREAK SPACE}", " ")
    text = text.replace(get_words("vi").language_name("vi"), "")  # in the list
    assert VIETNAMESE.findall(text) == []
    alternatives = simulator.panel.locator("img").evaluate_all("all => all.map(e => e.alt)")
    assert VIETNAMESE.findall("".join(alternatives)) == []
    assert "rain" in simulator.panel.inner_text()
    simulator.speak("vi")
    simulator.becomes(before)


def test_reset_returns_to_the_start_even_from_what_is_half_typed(simulator):
    simulator.type(ALPHA, "7")
    expect(simulator.alert()).to_have_count(1)
    simulator.type(GAMMA, "9")
    simulator.box(vi("Acceptance string")).fill("11x")
    expect(simulator.alert()).to_have_count(2)
    simulator.panel.get_by_role("button", name=vi("Remove")).first.click()
    expect(simulator.alert()).to_have_count(3)
    simulator.button(vi("Reset")).click()
    expect(simulator.alert()).to_have_count(0)
    simulator.becomes(simulator.start)


def test_downloads_are_the_files_and_ask_nothing_of_any_server(panels, simulator):
    simulator.type(GAMMA, "6")
    expect(simulator.box(GAMMA)).to_have_value("6")
    here = Simulator(language="vi", gamma=6)
    files = {file.name: file.content for file in here.downloads()}
    here.close()
    assert sorted(name.partition(".")[2] for name in files) == 3 * ["csv"] + 3 * ["png"] + 3 * [
        "svg"
    ]
    simulator.button(vi("Download…")).click()
    links = simulator.panel.locator(".specdec-links a")
    expect(links).to_have_count(len(files))
    asked = []

    def note(request):
        asked.append(request.url)

    panels.page.on("request", note)
    for link in links.all():
        with panels.page.expect_download() as waiting:
            link.click()
        download = waiting.value
        assert download.url.startswith("data:")
        assert download.path().read_bytes() == files.pop(download.suggested_filename)
    panels.page.remove_listener("request", note)
    assert files == {}
    # JupyterLab itself asks its server now and then: which kernels live, what the workspace is.
    own = r"data:|http://127\.0\.0\.1:\d+/(lab/)?api/"
    assert [url for url in asked if not re.match(own, url)] == []
    simulator.type(GAMMA, "7")
    expect(links).to_have_count(0)  # they would not be what is shown


def test_a_table_stays_scrolled_where_it_is(simulator):
    table = simulator.panel.locator(".specdec-scroll").filter(has=simulator.page.locator("table"))
    table.first.evaluate("e => e.scrollTop = 100")
    simulator.handle(GAMMA).press("ArrowRight")
    expect(simulator.box(GAMMA)).to_have_value("5")
    expect(simulator.panel.locator("tr.specdec-now td").first).to_have_text("5")
    assert table.first.evaluate("e => e.scrollTop") == 100


def test_tab_alone_visits_every_control_in_the_order_of_the_page(panels):
    for shown in panels.all:
        places = shown.panel.evaluate(FOCUSABLE)
        focused = "() => stations.indexOf(document.activeElement)"
        shown.page.evaluate("stations[0].focus()")
        visited = [0]
        while len(visited) < len(places):
            shown.page.keyboard.press("Tab")
            visited.append(shown.page.evaluate(focused))
        assert visited == list(range(len(places)))
        for (_left, top, right, _), (left, _, _right, bottom) in itertools.pairwise(places):
            assert bottom > top or left >= right  # never upwards, but to the next column


def test_the_committed_notebook_shows_the_picture_before_it_is_run(lab):
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    page = lab.show("unrun", notebook)
    pictures = page.locator(".jp-RenderedHTMLCommon img[src^='data:image/png']")
    expect(pictures).to_have_count(3)
    for picture in pictures.all():
        expect(picture).to_be_visible()
        assert picture.evaluate("e => e.complete && e.naturalWidth") > 0
        assert len(picture.get_attribute("alt")) > 40
    expect(page.get_by_role("table").filter(has_text=vi("The rounds"))).to_be_visible()
    prompts = page.locator(".jp-CodeCell .jp-InputPrompt").all_inner_texts()
    counts = [cell.execution_count for cell in notebook.cells if cell.cell_type == "code"]
    assert prompts == [f"[{count}]:" for count in counts]  # nothing has run
    assert page.locator(".jupyter-widgets, .jp-mod-error").count() == 0
    lab.screenshot(page, "unrun")
    assert lab.console_errors == []
    assert lab.outside_requests == []
