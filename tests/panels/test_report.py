"""The report panel: what comes in, what is said of it, and that nothing in it is markup."""

import json
from datetime import UTC, datetime
from functools import cache

import pytest

from specdec_widgets import EXAMPLES, Refused, ReportPanel, read_report
from specdec_widgets.figures.lines import LinesFigure
from specdec_widgets.panels import report as module
from tests.words.catalogue import translated

from .seen import Page, assert_numbers, bundle, complaints, plain, results, table, visible

FALLING = "0.9 0.3 0.1"  # joint acceptances: far from independent positions
HOSTILE = (
    "<script>alert(1)</script><img src=x onerror=alert(2)> $x$ & \0 \x1b[31mred\x1b[0m "
    "{argument} %s \u202e"
)


@pytest.fixture(autouse=True, scope="module")
def few_figures():
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(module, "LinesFigure", cache(LinesFigure))
        yield


@pytest.fixture
def panel(kept):
    return kept(ReportPanel)


def paste(panel, text):
    panel.area.value = text


def upload(panel, content):
    panel.upload.value = (
        {
            "name": "<b>server.log",
            "type": "",
            "size": len(content),
            "content": memoryview(content),
            "last_modified": datetime(2026, 1, 1, tzinfo=UTC),
        },
    )


def advice(panel):
    return Page(panel.status.value).texts[0]


def test_the_start_is_an_example_and_says_so(panel):
    assert panel.text == EXAMPLES["vLLM"] == panel.area.value
    assert "This is an example of a line, not your server" in plain(panel)
    assert advice(panel) == (
        "At draft cost 0.10 and verify cost 1.00, and if a position is accepted as often whatever"
        " gamma is, the best gamma of 0 to 3 is 3, with 1.66×; trusting one alpha, 0.596, loses"
        " nothing."
    )


def test_every_field_is_shown_with_where_it_comes_from(panel):
    rows = {name: rest for name, *rest in table(panel._said.value)[1:]}
    assert rows["rounds"] == ["129", "derived"]
    assert rows["drafted"] == ["387", "reported"]
    assert rows["acceptance rate, accepted / drafted"] == ["0.388", "reported"]
    assert rows["joint acceptance by position"] == ["0.543 · 0.357 · 0.264", "reported"]
    assert rows["conditional acceptance by position"] == ["0.543 · 0.657 · 0.739", "derived"]
    paste(panel, "208 of 260, gamma 5")
    rows = {name: rest for name, *rest in table(panel._said.value)[1:]}
    assert rows["gamma"] == ["5", "given"]
    assert rows["implied alpha"] == ["0.9265", "derived"]
    assert rows["joint acceptance by position"] == ["not determined", "–"]
    assert "example of a line, not your server" not in plain(panel)


def test_the_curve_marks_what_was_not_measured(panel):
    rows = table(panel._table.value)[1:]
    assert [row[-1] for row in rows] == ["measured"] * 4 + ["extrapolated"] * 3
    curve = panel.report.curve(max_gamma=6)
    assert [row[1] for row in rows] == [f"{tokens:.3f}" for tokens in curve["expected_tokens"]]
    paste(panel, "208 of 260, gamma 5")
    bases = [row[-1] for row in table(panel._table.value)[1:]]
    assert bases[:6] == ["measured", *["independence"] * 4, "measured"]
    assert "which this report cannot tell" in advice(panel)


def test_one_alpha_is_shown_to_lose(panel):
    paste(panel, FALLING)
    assert "the best gamma of 0 to 3 is 2, with 1.83×" in advice(panel)
    trust = panel.report.trusting()
    assert f"would choose 3 and lose {trust.loss:.3f}×." in advice(panel)
    assert trust.loss > 0.05


def test_the_costs_move_the_advice(panel):
    paste(panel, FALLING)
    said = panel._said.value
    panel.numbers["draft_cost"].slider.value = 0.9
    assert "At draft cost 0.90" in advice(panel)
    assert "the best gamma of 0 to 3 is 0, with 1.00×" in advice(panel)
    assert panel._said.value == said  # what the report says depends on no cost


def test_gamma_is_asked_for_where_the_report_lacks_it(panel):
    paste(panel, "draft acceptance rate = 0.96855 (  154 accepted /   160 generated)")
    assert advice(panel).startswith("The report does not tell how many tokens a draft has")
    assert "<img" not in "".join(results(panel))
    panel.gamma_field.box.value = "5"
    assert panel.report == read_report(panel.text, gamma=5)
    assert "the best gamma of 0 to 5 is 5" in advice(panel)
    panel.gamma_field.box.value = "2,5"
    assert complaints(panel) == ["gamma must be a whole number, not '2,5'."]
    assert panel.gamma == 5
    panel.gamma_field.box.value = ""
    assert panel.gamma is None


def test_contradictions_are_said_first_and_not_repaired(panel):
    paste(
        panel,
        "SpecDecoding metrics: Mean acceptance length: 3.16, Accepted: 150 tokens, "
        "Drafted: 100 tokens, Per-position acceptance rate: 0.543, 0.657",
    )
    assert advice(panel).startswith("The report contradicts itself, see below; taken as it stands:")
    assert "The accepted tokens, 150, are more than" in Page(panel._findings.value).texts[0]
    panel.language = "vi"
    assert "⚠ Mâu thuẫn: 150 token được nhận, nhiều hơn 100" in panel._findings.value
    assert "0,543 · 0,657" in panel._said.value


@pytest.mark.parametrize("language", ["vi", "en"])
def test_unreadable_text_says_what_was_looked_for_and_keeps_the_result(kept, language):
    panel = kept(ReportPanel, language)
    paste(panel, FALLING)
    before = (advice(panel), panel._said.value, panel._table.value)
    paste(panel, HOSTILE)
    (said,) = complaints(panel)
    assert "SpecDecoding metrics:" in said
    help_page = Page(panel.help.value)
    assert "open" in dict(help_page.attributes)
    for engine, line in EXAMPLES.items():
        assert engine in help_page.texts
        assert line in help_page.texts
    assert (advice(panel), panel._said.value, panel._table.value) == before
    assert panel.text == FALLING
    assert panel.area.value == HOSTILE  # what was typed is not taken away
    panel.language = "en" if language == "vi" else "vi"
    assert panel.area.value == HOSTILE
    assert len(complaints(panel)) == 1
    panel.reset()
    assert complaints(panel) == []
    assert panel.area.value == EXAMPLES["vLLM"]
    assert "open" not in dict(Page(panel.help.value).attributes)


@pytest.mark.parametrize("text", [HOSTILE, "", " ", "\0", "{" * 999, "9" * 9999, "1" * 30000])
def test_no_text_breaks_the_panel_or_becomes_markup(panel, text):
    paste(panel, text)
    for html in (*results(panel), panel.message.widget.value, bundle(panel)["text/html"]):
        assert {"script", "b"}.isdisjoint(Page(html).tags)
        assert "onerror" not in dict(Page(html).attributes)
    assert panel.text == EXAMPLES["vLLM"]


@pytest.mark.parametrize("engine", EXAMPLES)
def test_a_log_full_of_markup_is_read_and_not_repeated(panel, engine):
    noise = f"{HOSTILE} <b>INFO</b> 2026-01-01\n"
    paste(panel, noise * 3 + EXAMPLES[engine] + "\n" + noise * 3)
    assert complaints(panel) == []
    assert panel.report.engine == engine
    assert panel.report.joint_acceptance == read_report(EXAMPLES[engine]).joint_acceptance
    everything = "".join([*results(panel), bundle(panel)["text/html"], plain(panel)])
    assert "alert(" not in everything
    assert_numbers(panel)


def test_a_megabyte_is_read_from_a_file_and_not_sent_to_the_page(panel):
    line = f"\x1b[32mINFO\x1b[0m {EXAMPLES['vLLM']}\n".encode()
    log = (line + b"other line <b>x</b>\n" * 50) * 1000
    assert len(log) > 10**6
    upload(panel, log)
    assert complaints(panel) == []
    assert panel.report.lines == 1000
    assert panel.report.drafted == 387_000
    assert panel.upload.value == ()
    assert panel.area.value == ""
    assert f"{len(log):,}" in panel.area.placeholder
    assert len(bundle(panel)["text/html"]) < 400_000  # images, and no log
    draws = []
    panel.observe(draws.append, names="text")
    panel.draft_cost = 0.2
    assert draws == []


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_the_characters_of_a_file_are_counted_and_not_its_bytes(panel, encoding):
    log = f"{EXAMPLES['SGLang']}\nđã nhận\n" + "dòng khác\n" * 3000
    upload(panel, log.encode(encoding))
    assert panel.text == log
    assert panel.area.placeholder.startswith(f"{len(log):,} characters were read.")


def test_a_short_file_is_shown_as_if_it_had_been_pasted(panel):
    for typed in ("", HOSTILE):
        paste(panel, typed)
        upload(panel, FALLING.encode())
        assert (panel.area.value, complaints(panel)) == (FALLING, [])


def test_an_unreadable_file_changes_nothing(panel):
    upload(panel, b"\xff\xfe\x00<script>\x80")
    assert len(complaints(panel)) == 1
    assert panel.text == EXAMPLES["vLLM"]


def test_a_log_is_read_once(panel, monkeypatch):
    reads = []

    def counted(*given):
        reads.append(given)
        return read_report(*given)

    monkeypatch.setattr(module, "read_report", counted)
    paste(panel, FALLING)
    panel.draft_cost = 0.3
    bundle(panel)
    assert len(reads) == 1


def test_examples_can_be_chosen(panel):
    panel.gamma = 7
    panel.example.widget.value = "SGLang"
    assert panel.text == EXAMPLES["SGLang"] == panel.area.value
    assert panel.gamma is None
    assert "SGLang&#x27;s accept rate 0.54 is read as" in panel._findings.value
    paste(panel, FALLING)
    assert panel.example.widget.value == panel.example.OWN_VALUES


def test_wrong_values_from_code_are_refused(build):
    with pytest.raises(Refused, match="what an engine prints"):
        build(ReportPanel, text="nothing")
    with pytest.raises(Refused, match="text must be text"):
        build(ReportPanel, text=3)
    panel = build(ReportPanel, text=FALLING.encode(), gamma=None, controls=("draft_cost",))
    with pytest.raises(Refused, match="gamma must lie between 1 and 1000"):
        panel.gamma = 0
    with pytest.raises(Refused, match="gamma must be a whole number, not '5'"):
        panel.gamma = "5"
    with pytest.raises(Refused):
        panel.set(draft_cost=0.5, text="nothing")
    assert (panel.text, panel.draft_cost) == (FALLING, 0.10)
    assert "Read the report" not in visible(panel)


@pytest.mark.parametrize("language", ["vi", "en"])
def test_the_page_and_the_picture_without_a_kernel_say_the_same(kept, language):
    panel = kept(ReportPanel, language)
    panel.set(text=FALLING, draft_cost=0.2)
    live = [text for html in results(panel) for text in Page(html).texts]
    static = Page(bundle(panel)["text/html"])
    assert [text for text in static.texts if text not in live] == []
    assert_numbers(panel)
    json.dumps(bundle(panel))


def test_the_files(panel):
    paste(panel, FALLING)
    said, data, *pictures = panel.downloads()
    assert said.content.decode("utf-8-sig").startswith("field,value,origin\nengine,")
    heads, _first, second, *_rest = data.content.decode("utf-8-sig").split("\n")
    assert heads.split(",")[:2] == ["gamma", "expected_tokens"]
    assert second.startswith("1,1.9,")
    assert ",measured,0.9,0.9" in second
    assert [file.name for file in pictures] == [
        f"report-{at}.{kind}" for at in (1, 2) for kind in ("svg", "png")
    ]


def test_a_switch_of_language_leaves_no_word_behind(kept):
    panel = kept(ReportPanel, "en")
    paste(panel, EXAMPLES["SGLang"])
    panel.language = "vi"
    shown = "\n".join([*visible(panel), bundle(panel)["text/plain"]])
    english = {text for text, said in translated("vi").items() if said != text and len(text) > 9}
    quoted = "\n".join(EXAMPLES.values())
    assert not [text for text in english if text in shown and text not in quoted]


def test_an_empty_box_is_nothing_to_read(build):
    panel = build(ReportPanel, language="en")
    before = panel.report
    panel.area.value = ""
    assert complaints(panel) == []
    panel.button.click()
    assert len(complaints(panel)) == 1
    assert panel.report is before
