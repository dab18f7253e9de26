"""The report panel in JupyterLab: what is pasted, what is uploaded, and what cannot be read."""

import re

import pytest
from playwright.sync_api import expect

from specdec_widgets import EXAMPLES, Refused, read_report
from specdec_widgets.panels.report_words import Reading
from specdec_widgets.words import get_words
from tests.browser.look import FAULTS
from tests.browser.panel import NARROW, WIDE

CELLS = [
    "from specdec_widgets import ReportPanel, set_language",
    'set_language("vi")\nReportPanel()',
]
HOSTILE = "<img src=x onerror=\"window.hit = 'img'\"><script>window.hit = 'script'</script>"
MILLION = 10**6


class Report:
    """The panel, as a reader sees it."""

    def __init__(self, page):
        self.page = page
        self.panel = page.locator(".specdec-panel")
        self.area = self.panel.locator("textarea")
        self.alert = self.panel.get_by_role("alert")
        self.examples = self.panel.locator("details li")
        self.table = self.panel.locator("table").first
        self.speak("vi")

    def speak(self, language):
        self.words = get_words(language)
        name = self.words.language_name(language)
        self.panel.locator("select").filter(has_text="English").first.select_option(name)
        expect(self.table.locator("caption")).to_have_text(self.say("What the report says"))

    def say(self, text):
        return self.words.gettext(text)

    def paste(self, text):
        self.area.fill(text)
        self.area.blur()

    def upload(self, path):
        button = self.panel.get_by_role("button", name=self.say("Upload a file"))
        with self.page.expect_file_chooser() as chooser:
            button.click()
        chooser.value.set_files(path)

    def shows(self, report):
        """Wait until the panel says what this report says."""
        advice = Reading(report, 0.1, 1.0, self.words).advice
        expect(self.panel.get_by_role("status").filter(has_text=advice)).to_have_count(1)
        for name, value in {"engine": report.engine, "lines read": report.lines}.items():
            row = self.table.locator("tr").filter(has_text=self.say(name))
            expect(row.locator("td").nth(1)).to_have_text(
                value if isinstance(value, str) else self.words.number(value)
            )
        expect(self.panel.locator(".specdec-figure img").first).to_be_visible()

    def refuses(self, text):
        """Wait until it says why this text cannot be read, and what can be."""
        with pytest.raises(Refused) as refused:
            read_report(text)
        expect(self.alert.filter(has_text=self.words.explain(refused.value))).to_have_count(1)
        for engine, line in EXAMPLES.items():
            expect(self.examples.filter(has_text=engine).filter(has_text=line)).to_be_visible()


@pytest.fixture(scope="module")
def page(shared_lab):
    return shared_lab.open("report", CELLS)


@pytest.fixture
def report(page, shared_lab):
    yield Report(page)
    assert page.evaluate("window.hit") is None, "what was read became markup"
    assert shared_lab.console_errors == []
    assert shared_lab.outside_requests == []


@pytest.mark.parametrize("language", ["vi", "en"])
@pytest.mark.parametrize("engine", EXAMPLES)
def test_a_line_of_each_engine_is_pasted(report, engine, language):
    report.speak(language)
    text = f"{HOSTILE}\n12:00 INFO {EXAMPLES[engine]}\n{HOSTILE}"
    report.paste(text)
    report.shows(read_report(text))
    expect(report.alert.filter(has_text=re.compile("."))).to_have_count(0)


@pytest.mark.parametrize("language", ["vi", "en"])
def test_what_cannot_be_read_is_explained_and_the_last_result_stays(report, language):
    report.speak(language)
    report.paste(EXAMPLES["SGLang"])
    report.shows(read_report(EXAMPLES["SGLang"]))
    report.paste(HOSTILE)
    report.refuses(HOSTILE)
    report.shows(read_report(EXAMPLES["SGLang"]))
    expect(report.area).to_have_value(HOSTILE)
    report.speak("en" if language == "vi" else "vi")
    report.refuses(HOSTILE)


@pytest.mark.parametrize("size", [MILLION, 9.5 * MILLION, 12 * MILLION])
def test_a_file_is_uploaded(report, tmp_path, size):
    """12 MB is more than a server takes that course.py did not start."""
    lines = f"{EXAMPLES['vLLM']}\n" + "12:00 INFO một dòng khác\n" * 999
    log = lines * round(size / len(lines))
    path = tmp_path / "server.log"
    path.write_bytes(log.encode())
    report.upload(path)
    expect(report.area).to_have_attribute(
        "placeholder", re.compile(re.escape(report.words.number(len(log))))
    )
    report.shows(read_report(log))


def test_a_file_that_cannot_be_read_changes_nothing(report, tmp_path):
    report.paste(EXAMPLES["vLLM"])
    report.shows(read_report(EXAMPLES["vLLM"]))
    path = tmp_path / "server.log"
    path.write_bytes(HOSTILE.encode())
    report.upload(path)
    report.refuses(HOSTILE)
    report.shows(read_report(EXAMPLES["vLLM"]))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_has_room(lab, theme):
    page = lab.open("report-look", CELLS, theme=theme)
    report = Report(page)
    for width in (WIDE, NARROW):
        page.set_viewport_size({"width": width, "height": 1700})
        for language in ("en", "vi"):
            report.speak(language)
            report.paste(HOSTILE)  # the sentence and the examples are shown too
            report.refuses(HOSTILE)
            assert report.panel.evaluate(FAULTS) == []
            lab.screenshot(report.panel, f"report-{theme}-{width}-{language}")
