"""The peak map panel: the present point moves, and what it says is the model's."""

import json

import pytest

from specdec_widgets import PeakMapPanel, Refused
from tests.words.catalogue import translated

from .seen import Page, assert_numbers, bundle, complaints, plain, results, table, visible

DEFAULTS = {
    "vi": """Điều gì làm đỉnh dời chỗ
Với alpha 0,8, chi phí nháp 0,1 và chi phí kiểm 1, gamma tốt nhất là 6: hệ số tăng tốc 2,47×.
Gamma tốt nhất: 6
Token kỳ vọng khi đó: 3,9514
Chi phí một vòng: 6 × 0,10 + 1,00 = 1,60
Hệ số tăng tốc: 3,9514 / 1,60 = 2,47×
Điểm đang xét và các điểm của bài""",
    "en": """What moves the peak
At alpha 0.8, draft cost 0.1 and verify cost 1 the best gamma is 6: 2.47×.
Best gamma: 6
Expected tokens at it: 3.9514
Round cost: 6 × 0.10 + 1.00 = 1.60
Speedup: 3.9514 / 1.60 = 2.47×
The present point, and those of the lesson""",
}


@pytest.mark.parametrize("language", ["vi", "en"])
def test_the_defaults(kept, language):
    said = plain(kept(PeakMapPanel, language))
    assert said.startswith(DEFAULTS[language] + "\n")


@pytest.mark.parametrize(
    ("change", "gamma"),
    [
        *(({"alpha": alpha}, best) for alpha, best in ((0.4, 2), (0.9, 10), (0.95, 15))),
        *(({"draft_cost": cost}, best) for cost, best in ((0.01, 14), (0.25, 3), (0.99, 0))),
        ({"verify_cost": 1.5}, 7),
    ],
)
def test_what_moves_the_peak(kept, change, gamma):
    panel = kept(PeakMapPanel)
    for name, value in change.items():
        panel.numbers[name].slider.value = value
    assert f"\nBest gamma: {gamma}\n" in plain(panel)
    assert f"best gamma is {gamma}: " in Page(panel.status.value).texts[0]


def test_the_edge_and_that_nothing_pays_are_said(kept):
    panel = kept(PeakMapPanel)
    panel.draft_cost = 0
    assert "gamma 32: the true peak may lie further." in plain(panel)
    assert "the best gamma is 32 (edge of the scan): 5.00×." in panel.status.value
    assert "\nBest gamma: ≥32\n" in plain(panel)
    assert "= 5.00×" in plain(panel)
    panel.draft_cost = 1
    assert "No gamma pays here: none is faster than plain decoding." in plain(panel)
    assert "the true peak may lie further." not in plain(panel)


@pytest.mark.parametrize("language", ["vi", "en"])
def test_the_page_and_the_picture_without_a_kernel_say_the_same(kept, language):
    panel = kept(PeakMapPanel, language)
    panel.set(alpha=0.62, draft_cost=0, verify_cost=1.5)
    live = [text for html in results(panel) for text in Page(html).texts]
    for text in Page(bundle(panel)["text/html"]).texts:
        assert text in live
    assert_numbers(panel)
    json.dumps(bundle(panel))


def test_the_table_follows_the_present_point(kept):
    panel = kept(PeakMapPanel)
    panel.numbers["alpha"].box.value = "0,62"
    _heads, first, *_rest = table(bundle(panel)["text/html"])
    assert first[:2] == ["0.62", "0.1"]


def test_a_bad_entry_is_said_and_changes_nothing(kept):
    panel = kept(PeakMapPanel)
    before = results(panel)
    panel.numbers["draft_cost"].box.value = "7"
    assert complaints(panel) == ["draft cost must lie between 0 and 1, not 7."]
    assert results(panel) == before
    with pytest.raises(Refused, match="PeakMapPanel has nothing named 'gamma'"):
        PeakMapPanel(gamma=3)


def test_only_the_controls_asked_for(build):
    panel = build(PeakMapPanel, controls=("verify_cost",))
    assert "verify cost c_v" in visible(panel)
    assert "alpha, acceptance" not in visible(panel)
    assert "Reset" not in visible(panel)


def test_the_files(kept):
    panel = kept(PeakMapPanel)
    panel.verify_cost = 1.5
    data, points, svg, png = panel.downloads()
    heads, *rows = data.content.decode("utf-8-sig").split("\n")
    assert heads == "alpha,draft_cost,gamma,speedup,at_edge,pays"
    assert any(row.startswith("0.8,0.1,7,1.8") for row in rows)
    heads, here, *_marked = points.content.decode("utf-8-sig").split("\n")
    assert heads.startswith("alpha,draft cost,best gamma,")
    assert here.startswith("0.8,0.1,7,1.8")
    assert (svg.name, png.name) == ("peak-map.svg", "peak-map.png")
    assert png.content.startswith(b"\x89PNG")


def test_a_switch_of_language_leaves_no_word_behind(kept):
    panel = kept(PeakMapPanel, "en")
    panel.set(draft_cost=0, verify_cost=2)
    panel.language = "vi"
    shown = "\n".join([*visible(panel), bundle(panel)["text/plain"]])
    english = {text for text, said in translated("vi").items() if said != text and len(text) > 9}
    assert not [text for text in english if text in shown]
