"""What the teacher's guide says of the projector."""

from playwright.sync_api import expect


def test_a_panel_in_a_tab_of_its_own_stays_bound(lab):
    code = "import ipywidgets\nslider = ipywidgets.IntText(3, description='x')\nslider"
    page = lab.open("projector", [code])
    page.get_by_text("View", exact=True).first.click()
    page.get_by_role("menuitem", name="Collapse All Code").wait_for()
    page.keyboard.press("Escape")
    page.locator(".jp-OutputArea-output .widget-text input").click(button="right")
    page.get_by_role("menuitem", name="Create New View for Cell Output").click()
    first, second = (page.locator(".widget-text input").nth(index) for index in (0, 1))
    second.fill("8")
    second.press("Enter")
    expect(first).to_have_value("8")
    expect(second).to_have_value("8")
