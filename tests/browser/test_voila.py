"""The lessons as pages of Voilà: they run by themselves, show no code, and their links work."""

import os
import re
import sys
import urllib.parse

import pytest
from playwright.sync_api import expect

import course
from specdec_widgets.words import get_words
from tests.browser.conftest import LONG, Lab, Server
from tests.browser.look import FAULTS
from tests.browser.panel import GAMMA, NARROW, WIDE, Shown, vi

en = get_words("en").gettext
LESSON = "05-sweet-spot.ipynb"


class VoilaServer(Server):
    """A Voilà of this interpreter with the course's configuration."""

    def _folders(self, folder):
        pages = str(course.LIVE)
        data = os.pathsep.join([pages, str(folder / "data")])
        return {
            **super()._folders(folder),
            "JUPYTER_CONFIG_PATH": pages,
            "JUPYTER_PATH": data,
        }

    def _command(self):
        port = urllib.parse.urlsplit(self.address).port
        options = course.voila_options("vi", port)  # what a class gets, but for:
        options["Voila.log_level"] = "INFO"  # says when the server is ready
        command = [sys.executable, "-m", "voila", str(course.NOTEBOOKS)]
        return command + course.as_arguments(options)


class Pages(Lab):
    """Pages of Voilà, each in a browser context of its own."""

    @property
    def server(self):
        """The server they come from."""
        return self._server

    def visit(self, path, width=WIDE):
        """Open a page of the server; return it."""
        context = self._browser.new_context(viewport={"width": width, "height": 900})
        context.set_default_timeout(1000 * LONG)
        self._contexts[path] = context
        page = context.new_page()
        self._listen(page)
        page.goto(self._server.address + path)
        return page

    def close(self):
        for context in self._contexts.values():
            context.close()


@pytest.fixture(scope="module")
def pages(browser, tmp_path_factory):
    server = VoilaServer(tmp_path_factory.mktemp("voila"))
    pages = Pages(server, browser)
    yield pages
    pages.close()
    server.close()


def assert_no_code(page):
    expect(page.locator("#rendered_cells")).to_be_visible()
    assert page.locator(".jp-CodeCell").count() > 2
    assert page.locator(".jp-CodeCell .jp-InputArea").count() == 0
    assert "set_language" not in page.content()


def test_from_the_simulator_over_the_contents_to_a_lesson(pages):
    page = pages.visit(f"/voila/render/vi/{course.FIRST}")
    assert_no_code(page)
    expect(page).to_have_title("Giải mã đầu cơ: bộ mô phỏng")
    assert page.locator("html").get_attribute("lang") == "vi"
    simulator = Shown(page, cell=1)
    expect(simulator.readout(vi("Speedup"))).to_have_text(re.compile("2,40×$"))
    simulator.handle(GAMMA).press("ArrowRight")
    expect(simulator.readout(vi("Speedup"))).to_have_text(re.compile("2,46×$"))
    assert simulator.panel.evaluate(FAULTS) == []
    pages.screenshot(page, "voila-vi-simulator")

    said = len(pages.server.log)
    page.get_by_role("link", name="Mục lục").click()
    expect(page.get_by_role("heading")).to_have_text("Mục lục")
    expect(page.get_by_role("listitem")).to_have_count(12)
    page.get_by_role("link", name="05. Đoán thêm không phải lúc nào cũng tốt hơn").click()
    assert_no_code(page)
    lesson = Shown(page, cell=2)
    assert pages.server.says("Kernel shutdown", since=said)  # that of the page we left
    lesson.drag(GAMMA, share=1)
    expect(lesson.readout(vi("Speedup"))).to_have_text(re.compile("1,19×$"))
    assert pages.console_errors == []
    assert pages.outside_requests == []


def test_a_lesson_in_the_dark_on_a_narrow_screen(pages):
    page = pages.visit(f"/voila/render/en/{LESSON}?theme=dark", width=NARROW)
    assert_no_code(page)
    expect(page.locator("body")).to_have_attribute("data-jp-theme-light", "false")
    lesson = Shown(page, cell=2)
    lesson.handle(en("gamma, draft tokens")).press("ArrowLeft")
    expect(lesson.readout(en("Speedup"))).to_have_text(re.compile("2.27×$"))
    expect(lesson.figure()).to_be_visible()
    assert lesson.panel.evaluate(FAULTS) == []
    expect(page.locator("mjx-container").first).to_be_visible()

    solution = page.get_by_text("the round cost reaches 5")
    expect(solution).to_be_hidden()
    page.get_by_text("Solutions").click()
    expect(solution).to_be_visible()
    pages.screenshot(page, "voila-en-lesson-dark")

    for name, path in [
        ("Next", "render/en/06-moving-the-peak.ipynb"),
        ("Contents", "tree/en"),
        ("Tiếng Việt", f"render/vi/{LESSON}"),
    ]:
        link = page.get_by_role("link", name=name, exact=True)
        expect(link).to_have_attribute("href", re.compile(f"/voila/{path}\\?theme=dark$"))
    assert pages.console_errors == []
    assert pages.outside_requests == []
