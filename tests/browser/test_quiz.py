"""The quiz in JupyterLab: by keyboard alone, in both languages, and its sheet on paper."""

import re

import pytest
from playwright.sync_api import expect

from specdec_widgets import Quiz
from tests.browser.look import FAULTS, PANELS, barriers

CELLS = ["from specdec_widgets import Quiz, set_language", 'set_language("vi")\nQuiz(name="page")']
TABS = 40  # more than the panel has controls


class Reader:
    """A reader without a mouse."""

    def __init__(self, page):
        self.page = page
        self.panel = page.locator(".specdec-panel")

    def go_to(self, role, name):
        """Press Tab until the control of this name has the focus."""
        control = self.panel.get_by_role(role, name=name)
        for _time in range(TABS):
            if control.evaluate("e => e == document.activeElement"):
                return
            self.press("Tab")
        pytest.fail(f"Tab never reaches {name}")

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def back_to_the_first_control(self):
        self.panel.get_by_role("textbox").first.focus()

    def hears(self, text):
        """Wait until a polite region says so."""
        expect(self.panel.get_by_role("status").filter(has_text=text)).to_have_count(1)

    def speak(self, name, label):
        self.panel.locator("select").select_option(name)
        expect(self.panel.get_by_text(label, exact=True)).to_be_visible()


def test_the_quiz_by_keyboard_in_both_languages(lab):
    page = lab.open("quiz", CELLS, theme="dark", width=800, height=1400)
    reader = Reader(page)
    reader.back_to_the_first_control()
    reader.go_to("textbox", "Trả lời câu 1")
    page.keyboard.type("3,2")
    reader.press("Enter")
    reader.hears("✗ 3,2 chưa đúng.")
    reader.hears("3,2 là gamma × alpha")
    reader.go_to("button", "Thử lại câu 1")
    reader.press("Enter")
    box = reader.panel.get_by_role("textbox", name="Trả lời câu 1")
    expect(box).to_be_focused()
    expect(box).to_have_value("")
    page.keyboard.type("3,36")
    reader.press("Tab")
    reader.hears("✓ 3,36 là đúng.")

    reader.go_to("radio", re.compile("^D. Lượt kiểm"))
    reader.press("Space")
    reader.go_to("button", "Chấm câu 2")
    reader.press("Space")
    reader.hears("✗ D chưa đúng.")
    reader.hears("Đúng 1 trên 3 câu, sau 3 lần trả lời.")
    reader.back_to_the_first_control()
    reader.go_to("radio", re.compile("^C. Token kỳ vọng"))
    reader.press("Space")
    expect(reader.panel.get_by_role("radio", checked=True)).to_have_count(1)
    reader.go_to("button", "Chấm câu 2")
    reader.press("Enter")
    reader.hears("✓ C là đúng.")
    reader.go_to("radio", re.compile("^C. Một lượt đích"))
    reader.press("Space")
    reader.go_to("button", "Chấm câu 3")
    reader.press("Enter")
    reader.hears("✗ C chưa đúng.")
    reader.go_to("link", "07 · Nhanh hơn mà đầu ra không đổi")
    assert reader.panel.evaluate(FAULTS) == []
    assert not barriers(page, PANELS)
    lab.screenshot(page, "quiz-dark-800-vi")

    # The cell is run again: nothing is lost.
    page.locator(".jp-CodeCell").nth(1).focus()
    reader.press("Control+Enter")
    expect(page.locator(".jp-CodeCell").nth(1).locator(".jp-InputPrompt")).to_have_text("[3]:")
    expect(reader.panel).to_have_count(1)
    reader.hears("Đúng 2 trên 3 câu, sau 5 lần trả lời.")
    reader.hears("✗ C chưa đúng.")

    reader.speak("English", "Language")
    reader.hears("✗ C is not right. That is a common bug.")
    reader.hears("2 of 3 right, after 5 attempts.")
    assert reader.panel.evaluate(FAULTS) == []
    assert not barriers(page, PANELS)
    lab.screenshot(page, "quiz-dark-800-en")

    # New numbers, by the button and by their seed.
    reader.back_to_the_first_control()
    reader.go_to("button", "Practise with new numbers")
    reader.press("Enter")
    reader.hears("With new numbers, drawn from the seed 1.")
    reader.go_to("textbox", "Seed")
    reader.press("Control+a")
    page.keyboard.type("7")
    reader.press("Enter")
    reader.hears("With new numbers, drawn from the seed 7.")
    expect(reader.panel.get_by_role("radio", checked=True)).to_have_count(0)
    reader.press("Control+a")
    page.keyboard.type("x")
    reader.press("Enter")
    expect(reader.panel.get_by_role("alert")).to_contain_text("the seed must be a whole number")

    # The sheet to print.
    reader.go_to("button", "Download…")
    reader.press("Enter")
    reader.go_to("link", "quiz-seed-7-key.html")
    with page.expect_download() as download:
        reader.press("Enter")
    assert download.value.suggested_filename == "quiz-seed-7-key.html"
    sheet = download.value.path().read_text(encoding="utf-8")
    assert "drawn from the seed 7" in sheet
    assert lab.console_errors == []
    assert lab.outside_requests == []


@pytest.mark.parametrize("language", ["vi", "en"])
def test_the_sheet_prints_with_the_key_on_a_page_of_its_own(browser, language):
    quiz = Quiz(name="paper", language=language)
    sheets = [quiz.printable(key).document() for key in (False, True)]
    quiz.close()
    page = browser.new_page()
    pages = []
    for sheet in sheets:
        page.set_content(sheet)
        assert not barriers(page)
        pages.append(len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))))
    page.close()
    assert pages == [1, 2]
