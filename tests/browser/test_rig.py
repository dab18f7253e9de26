import pytest
from playwright.sync_api import expect

from tests.browser.conftest import no_browser

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
    with pytest.raises(pytest.skip.Exception, match="no browser was found"):
        no_browser({})
    with pytest.raises(pytest.fail.Exception, match="no browser was found"):
        no_browser({"CI": "true"})
