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


def test_a_key_moves_the_slider_and_the_kernel_answers(lab):
    page = lab.open("slider", CELLS)
    page.locator(".noUi-handle").press("ArrowRight")
    expect(page.locator(".widget-readout")).to_have_text("6")
    expect(page.get_by_text("x is 6")).to_be_visible()
    lab.screenshot(page, "rig")
    assert lab.console_errors == []
    assert lab.outside_requests == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_theme_is_the_one_asked_for(lab, theme):
    page = lab.open("theme", ["1 + 1"], theme=theme, width=800)
    expect(page.locator("body")).to_have_attribute(
        "data-jp-theme-light", str(theme == "light").lower()
    )
    assert page.viewport_size["width"] == 800
    lab.screenshot(page, f"rig-{theme}")


def test_no_news_dialog_opens(shared_lab):
    page = shared_lab.open("news", ["1"])
    assert page.locator(".Toastify__toast").count() == 0
    disabled = page.evaluate("JSON.parse(document.getElementById('jupyter-config-data').text)")
    assert "@jupyterlab/apputils-extension:announcements" in disabled["disabledExtensions"]


def test_a_cell_that_raises_fails_the_test(lab):
    with pytest.raises(pytest.fail.Exception, match="ZeroDivisionError"):
        lab.open("error", ["1 / 0"])


def test_requests_to_the_outside_and_errors_are_seen(lab):
    page = lab.open("outside", ["1"])
    page.evaluate("fetch('http://outside.invalid/x').catch(() => console.error('no answer'))")
    assert lab.outside_requests == ["http://outside.invalid/x"]
    assert "no answer" in lab.console_errors


def test_without_a_browser_tests_skip_but_fail_in_ci():
    with pytest.raises(pytest.skip.Exception, match="no browser was found"):
        no_browser({})
    with pytest.raises(pytest.fail.Exception, match="no browser was found"):
        no_browser({"CI": "true"})
