import urllib.error
from types import SimpleNamespace

import pytest
from playwright.sync_api import Error, expect

from tests.browser.conftest import launch, no_browser

CELLS = [
    "import ipywidgets",
    """slider = ipywidgets.IntSlider(description="x", value=5)
answer = ipywidgets.Label()
slider.observe(lambda change: setattr(answer, "value", f"x is {change.new}"), names="value")
ipywidgets.VBox([slider, answer])""",
]


@pytest.fixture(scope="module")
def page(shared_lab):
    return shared_lab.open("slider", CELLS, theme="dark", width=800)


def test_a_key_moves_the_slider_and_the_kernel_answers(page, shared_lab):
    page.locator(".noUi-handle").press("ArrowRight")
    expect(page.locator(".widget-readout")).to_have_text("6")
    expect(page.get_by_text("x is 6")).to_be_visible()
    shared_lab.screenshot(page, "rig")
    assert shared_lab.console_errors == []
    assert shared_lab.outside_requests == []


def test_theme_and_width_are_those_asked_for(page):
    expect(page.locator("body")).to_have_attribute("data-jp-theme-light", "false")
    assert page.viewport_size["width"] == 800


def test_no_news_dialog_opens(page):
    assert page.locator(".Toastify__toast").count() == 0
    disabled = page.evaluate("JSON.parse(document.getElementById('jupyter-config-data').text)")
    assert "@jupyterlab/apputils-extension:announcements" in disabled["disabledExtensions"]


def test_requests_to_the_outside_and_errors_are_seen(page, shared_lab):
    page.evaluate("fetch('http://outside.invalid/x').catch(() => console.error('no answer'))")
    assert shared_lab.outside_requests == ["http://outside.invalid/x"]
    assert [error for error in shared_lab.console_errors if error.startswith("no answer")]


def test_a_cell_that_raises_fails_the_test(lab):
    with pytest.raises(pytest.fail.Exception, match="ZeroDivisionError"):
        lab.open("error", ["1 / 0"])


def test_without_a_browser_tests_skip_but_fail_in_ci():
    reason = r"no browser started \(it has no legs\): install"
    with pytest.raises(pytest.skip.Exception, match=reason):
        no_browser(Error("it has no legs\nand much more"), {})
    with pytest.raises(pytest.fail.Exception, match=reason):
        no_browser(Error("it has no legs\nand much more"), {"CI": "true"})


def test_a_browser_that_is_there_but_does_not_start_says_why(monkeypatch):
    """And not what the ones say that are not there."""
    choices = []

    def refuse(args, **choice):
        choices.append(choice)
        raise Error(f"number {len(choices)} does not start")

    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr("shutil.which", lambda name: f"/bin/{name}" if name == "chrome" else None)
    with pytest.raises(pytest.skip.Exception, match=r"\(number 1 does not start\)"):
        launch(SimpleNamespace(launch=refuse))
    assert choices[0] == {"executable_path": "/bin/chrome"} and len(choices) > 1


def test_a_line_of_the_log_is_waited_for(lab_server):
    said = len(lab_server.log)
    with pytest.raises(urllib.error.HTTPError):
        lab_server.request("GET", "/api/kernels/none-such")
    assert lab_server.says("none-such", since=said)


def test_a_dialog_is_dismissed_and_seen(page, shared_lab):
    page.evaluate("alert('a dialog')")
    assert shared_lab.dialogs == ["a dialog"]
