"""The cost panel says the course's figures, in both languages, and what is worth a remark."""

import pytest

from specdec_widgets import CostPanel, ValueRefused
from specdec_widgets.figures import tables
from specdec_widgets.panels.cost import PRESETS, preset_label
from specdec_widgets.words import get_words

from .seen import Page, assert_numbers, bundle, complaints, plain, results, sentence, table

DEFAULTS = {
    "vi": """Chi phí và hệ số tăng tốc
Với gamma 4, một vòng trung bình thu 3,362 token và tốn 1,40: hệ số tăng tốc 2,40×.
E viết thành tổng: 1 + 0,8 + 0,64 + 0,512 + 0,4096 = 3,3616
E ở dạng đóng: (1 − 0,8⁵) / (1 − 0,8) = 0,67232 / 0,2 = 3,3616
Chi phí một vòng: 4 × 0,10 + 1,00 = 1,40
Hệ số tăng tốc: 3,3616 / 1,40 = 2,40×
Chi phí mỗi token: 0,416 lượt đích
Phần trần đạt được: 3,3616 / 5 = 67,2\N{NO-BREAK SPACE}%
Giới hạn của E khi gamma tăng mãi: 1 / (1 − 0,8) = 5,00
Gamma tốt nhất: 6, đạt 2,47×""",
    "en": """Cost and speedup
At gamma 4 a round yields 3.362 tokens on average and costs 1.40: 2.40×.
E as a sum: 1 + 0.8 + 0.64 + 0.512 + 0.4096 = 3.3616
E in closed form: (1 − 0.8⁵) / (1 − 0.8) = 0.67232 / 0.2 = 3.3616
Round cost: 4 × 0.10 + 1.00 = 1.40
Speedup: 3.3616 / 1.40 = 2.40×
Cost per token: 0.416 target passes
Share of the ceiling: 3.3616 / 5 = 67.2%
Limit of E as gamma grows: 1 / (1 − 0.8) = 5.00
Best gamma: 6, with 2.47×""",
}
EDGE = "The peak stands on the edge of the scan, gamma 32: the true peak may lie further."
NONE_PAYS = "No gamma pays here: none is faster than plain decoding."


def verify_alone(speedup):
    return f"The verify cost alone puts gamma = 0 below 1×: {speedup}×, slower than plain decoding."


def presets(panel):
    """The labels of the list but the first, which is for one's own values."""
    return [label for label, _value in panel.preset.widget.options][1:]


def words(panel):
    """The panel in words, but for the curve, which is said at the end."""
    said, curve = plain(panel), tables.cost_table(panel.model, panel.words).text()
    assert said.endswith(f"\n{curve}")
    return said.removesuffix(f"\n{curve}")


def remarks(panel):
    """The lines after the readouts."""
    return words(panel).split("\n")[10:]


@pytest.mark.parametrize("language", ["vi", "en"])
def test_the_defaults_read_aloud(kept, language):
    assert words(kept(CostPanel, language)) == DEFAULTS[language]


@pytest.mark.parametrize("language", ["vi", "en"])
def test_page_and_picture_without_a_kernel_say_the_same(kept, language):
    panel = kept(CostPanel, language)
    panel.gamma = 7
    live = [text for html in results(panel) for text in Page(html).texts]
    for text in Page(bundle(panel)["text/html"]).texts:
        assert text in live
    lines = words(panel).split("\n")
    for number, line in enumerate(lines):
        for part in [line] if number == 1 else line.split(": ", 1):
            assert any(part == text or part == text.strip(" ℹ:") for text in live), part


def test_every_gamma_of_the_scan_is_in_the_table(kept):
    panel = kept(CostPanel, "vi")
    heads, *rows = table(bundle(panel)["text/html"])
    assert len(rows) == 33
    assert heads[0] == "gamma"
    assert rows[0][:4] == ["0", "1,00", "1,00", "1,00"]
    assert rows[4][:4] == ["4", "3,36", "1,40", "2,40"]
    assert rows[6][:4] == ["6", "3,95", "1,60", "2,47"]
    assert rows[32][:4] == ["32", "5,00", "4,20", "1,19"]
    assert [bool(row[4]) for row in rows] == [gamma in (4, 6) for gamma in range(33)]


def test_guessing_far_falls_back(kept):
    panel = kept(CostPanel)
    panel.gamma = 32
    said = plain(panel)
    assert "At gamma 32 a round yields 4.997 tokens on average and costs 4.20: 1.19×." in said
    assert "Round cost: 32 × 0.10 + 1.00 = 4.20" in said


@pytest.mark.parametrize(
    ("change", "best"),
    [
        ({"alpha": 0.4}, 2),
        ({"alpha": 0.8}, 6),
        ({"alpha": 0.9}, 10),
        ({"alpha": 0.95}, 15),
        ({"draft_cost": 0.01}, 14),
        ({"draft_cost": 0.25}, 3),
        ({"draft_cost": 0.99}, 0),
        ({"verify_cost": 1.5}, 7),
    ],
)
def test_what_moves_the_peak(kept, change, best):
    panel = kept(CostPanel)
    panel.set(**change)
    assert f"\nBest gamma: {best}, with " in plain(panel)


def test_the_edge_of_the_scan_is_said(kept):
    panel = kept(CostPanel)
    assert remarks(panel) == []
    panel.draft_cost = 0
    assert "Best gamma: 32, with 5.00×" in plain(panel)
    assert remarks(panel) == [EDGE]


def test_a_dear_verify_pass_is_said(kept):
    panel = kept(CostPanel)
    panel.verify_cost = 1.5
    assert remarks(panel) == [verify_alone("0.67")]
    panel.verify_cost = 1
    assert remarks(panel) == []


def test_that_no_gamma_pays_is_said(kept):
    panel = kept(CostPanel)
    panel.draft_cost = 1
    assert remarks(panel) == [NONE_PAYS]
    assert "Speedup: 3.3616 / 5.00 = 0.67×" in plain(panel)
    assert "Share of the ceiling: 3.3616 / 5 = 67.2%" in plain(panel)
    assert "Best gamma: 0, with 1.00×" in plain(panel)
    panel.verify_cost = 3
    assert remarks(panel) == [verify_alone("0.33"), NONE_PAYS]


def test_remarks_are_on_the_page_in_the_language(kept):
    panel = kept(CostPanel, "vi")
    panel.draft_cost = 0
    (said,) = remarks(panel)
    assert said.startswith("Đỉnh nằm ngay mép khoảng quét, gamma 32")
    assert f"ℹ {said}" in [text for html in results(panel) for text in Page(html).texts]


def test_alpha_1_takes_the_limit(kept):
    panel = kept(CostPanel)
    panel.alpha = 1
    said = plain(panel)
    assert "E as a sum: 1 + 1 + 1 + 1 + 1 = 5.0000" in said
    assert "E in closed form: divides by 0 at alpha = 1; its limit is gamma + 1 = 5" in said
    assert "Limit of E as gamma grows: ∞ (every guess is accepted)" in said
    assert "Best gamma: 32, with 7.86×" in said
    assert_numbers(panel)


def test_alpha_0_and_gamma_0_yield_one_token(kept):
    panel = kept(CostPanel)
    panel.alpha = 0
    assert "E as a sum: 1 + 0 + 0 + 0 + 0 = 1.0000" in plain(panel)
    assert "= 1 / 1 = 1.0000" in plain(panel)
    panel.alpha = 1e-200  # its powers are above 0, though no float is as small
    assert "E as a sum: 1 + … = 1.0000" in plain(panel)
    panel.set(alpha=0.8, gamma=0)
    assert "E as a sum: 1 = 1.0000" in plain(panel)
    assert "E in closed form: (1 − 0.8¹) / (1 − 0.8) = 0.2 / 0.2 = 1.0000" in plain(panel)
    assert "Round cost: 0 × 0.10 + 1.00 = 1.00" in plain(panel)
    assert_numbers(panel)


def test_gamma_32_writes_out_what_four_decimals_can_show(kept):
    panel = kept(CostPanel)
    panel.set(gamma=32, alpha=0.5)
    (line,) = (line for line in plain(panel).split("\n") if line.startswith("E as a sum"))
    terms = line.removeprefix("E as a sum: ").split(" = ")[0].split(" + ")
    assert terms[:3] == ["1", "0.5", "0.25"]
    assert terms[-1] == "…"
    assert len(terms) == 16  # 2^-14 is the last to show in four decimals


@pytest.mark.parametrize("alpha", [0.9999999, 1 - 1e-15, 1 - 2**-53])
def test_the_closed_form_never_divides_by_0_but_at_1(kept, alpha):
    panel = kept(CostPanel)
    panel.alpha = alpha
    (line,) = (line for line in plain(panel).split("\n") if line.startswith("E in closed"))
    formula, quotient, value = line.removeprefix("E in closed form: ").split(" = ")
    assert formula == f"(1 − {alpha}⁵) / (1 − {alpha})"
    above, below = map(float, quotient.split(" / "))
    assert above / below == pytest.approx(5, abs=1e-4)
    assert value == "5.0000"
    assert f"1 / (1 − {alpha}) = " in plain(panel)


def test_verify_cost_at_the_lower_end_of_its_slider(kept):
    panel = kept(CostPanel)
    panel.verify_cost = 0.05
    assert "Round cost: 4 × 0.10 + 0.05 = 0.45" in plain(panel)
    assert "Best gamma: 0, with 20.00×" in plain(panel)
    assert_numbers(panel)


@pytest.mark.parametrize("language", ["vi", "en"])
def test_seven_presets_each_said_to_be_made_up(kept, language):
    panel = kept(CostPanel, language)
    labels = presets(panel)
    made_up = {"vi": "(bịa ra để minh hoạ)", "en": "(made up for illustration)"}[language]
    assert len(labels) == len(set(labels)) == 7
    assert all(label.endswith(f" {made_up}") for label in labels)


def test_no_preset_is_named_after_a_model(kept):
    known = "gpt llama qwen gemma mistral claude deepseek phi opt t5 bloom palm gemini pythia eagle"
    for language in ("vi", "en"):
        for label, _index in kept(CostPanel, language).preset.widget.options:
            words = "".join(c if c.isalpha() else " " for c in label.lower()).split()
            assert not set(words) & set(known.split())
            assert not any(c.isdigit() for c in label), "sizes are those of real models"


def test_the_presets_the_course_names():
    named = {name: preset_label(get_words("en"), name) for name in PRESETS}
    assert next(iter(named.values())) == "the article's defaults (made up for illustration)"
    assert PRESETS["defaults"] == {
        "gamma": 4,
        "alpha": 0.8,
        "draft_cost": 0.1,
        "verify_cost": 1.0,
    }
    dear = PRESETS["dear draft"]
    assert named["dear draft"].startswith("draft as dear as the target")
    assert (dear["draft_cost"], dear["verify_cost"]) == (1, 1)
    assert PRESETS["free draft"]["draft_cost"] == 0


@pytest.mark.parametrize("index", range(7))
def test_choosing_a_preset_sets_all_four_parameters(kept, index):
    panel = kept(CostPanel)
    panel.set(alpha=0.33, gamma=11, draft_cost=0.77, verify_cost=2.5)
    assert panel.preset.widget.label == "your own values"
    panel.preset.widget.label = presets(panel)[index]
    assert panel.parameters() == list(PRESETS.values())[index]
    for name, number in panel.numbers.items():
        assert number.box.value == panel.words.exact(getattr(panel, name))
    assert panel.preset.widget.label == presets(panel)[index]


def test_a_preset_is_drawn_once(kept, monkeypatch):
    panel = kept(CostPanel)
    draws = []
    draw = panel.figure.draw
    monkeypatch.setattr(panel.figure, "draw", lambda *result: draws.append(1) or draw(*result))
    panel.preset.widget.label = presets(panel)[3]
    assert len(draws) == 1


@pytest.mark.parametrize(
    ("language", "own"), [("vi", "giá trị bạn tự đặt"), ("en", "your own values")]
)
def test_moving_a_slider_shows_your_own_values_and_back(kept, language, own):
    panel = kept(CostPanel, language)
    article = presets(panel)[0]
    assert panel.preset.widget.label == article
    panel.numbers["alpha"].slider.value = 0.81
    assert panel.preset.widget.label == own
    panel.numbers["alpha"].slider.value = 0.8
    assert panel.preset.widget.label == article
    panel.preset.widget.label = presets(panel)[6]
    panel.reset()
    assert panel.preset.widget.label == article


def test_the_status_line_says_the_result_politely(kept):
    panel = kept(CostPanel)
    panel.gamma = 6
    page = Page(panel.status.value)
    assert page.values("role") == ["status"]
    assert page.texts == [
        "At gamma 6 a round yields 3.951 tokens on average and costs 1.60: 2.47×."
    ]


def test_both_forms_of_e_stand_side_by_side_in_one_named_group(kept):
    (html,) = (html for html in results(kept(CostPanel)) if 'role="group"' in html)
    page = Page(html)
    assert page.values("aria-label") == ["Expected tokens, in both forms"]
    assert [text for text in page.texts if text.startswith("E ")] == [
        "E as a sum:",
        "E in closed form:",
    ]


def test_a_refusal_of_the_model_would_be_said_above_all(kept, monkeypatch):
    panel = kept(CostPanel, "vi")
    before = results(panel)

    def refuse(self):
        raise ValueRefused("{argument} must sum to 1, not {value}.", argument="p", value=2)

    with monkeypatch.context() as patched:
        patched.setattr(CostPanel, "model", property(refuse))
        panel.gamma = 9
        assert sentence(panel.problem.widget.value) == "Tổng của p phải bằng 1, hiện là 2."
        assert results(panel) == before
    panel.gamma = 8
    assert complaints(panel) == []
