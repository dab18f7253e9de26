"""The rounds panel: the course's table, a string in any state, and the stepper."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from specdec_widgets import RoundsPanel, simulate_rounds
from specdec_widgets.panels import rounds as module
from specdec_widgets.panels.parameters import MAX_FLAGS

from .seen import Page, assert_numbers, bundle, complaints, plain, results, table, visible


def run(coroutine):
    """Run it in a thread: this one may hold the loop that drives the browser."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


DEFAULT = "111111001110101111"
ROWS = {
    "en": """1 4 4 none, bonus token 5 5 4 1 1.40
2 4 2 3 3 8 8 2 2.80
3 4 0 1 1 9 12 3 4.20
4 4 3 4 4 13 16 4 5.60
5 4 1 2 2 15 20 5 7.00
6 4 4 none, bonus token 5 20 24 6 8.40""",
    "vi": """1 4 4 không bỏ, token thưởng 5 5 4 1 1,40
2 4 2 3 3 8 8 2 2,80
3 4 0 1 1 9 12 3 4,20
4 4 3 4 4 13 16 4 5,60
5 4 1 2 2 15 20 5 7,00
6 4 4 không bỏ, token thưởng 5 20 24 6 8,40""",
}
TOTALS = {
    "en": """Round by round
20 tokens in 6 target passes, at a cost of 8.40: 2.38×.
Tokens gained: 20
Target passes: 6
Tokens a round, measured: 3.333
Tokens a round, expected: 3.362
Total cost: 8.40; plain decoding 20
Speedup, measured: 2.38×
Speedup, expected: 2.40×
Acceptance rate of the string: 14 of 18 = 77.8%
alpha, set by you: 80.0%
alpha is a setting and the string is typed: changing one does not change the other.
The rounds""",
    "vi": """Từng vòng một
20 token trong 6 lượt đích, tốn 8,40: hệ số tăng tốc 2,38×.
Token thu: 20
Lượt đích: 6
Token mỗi vòng, đo được: 3,333
Token mỗi vòng, kỳ vọng: 3,362
Tổng chi phí: 8,40; giải mã thường tốn 20
Hệ số tăng tốc, đo được: 2,38×
Hệ số tăng tốc, kỳ vọng: 2,40×
Tỉ lệ chấp nhận của chuỗi: 14 trên 18 = 77,8\N{NO-BREAK SPACE}%
alpha, do bạn đặt: 80,0\N{NO-BREAK SPACE}%
alpha là số bạn đặt, còn chuỗi là do bạn gõ: đổi cái này không làm đổi cái kia.
Các vòng""",
}
EMPTY = "The string holds no flag yet: type 1 for accepted, 0 for rejected."
GAMMA_0 = "At gamma 0 no flag is read: a target pass gives one token."
APART = "alpha is a setting and the string is typed: changing one does not change the other."
each_language = pytest.mark.parametrize("language", ["vi", "en"])


def rows(panel):
    """The rows of the table on the page, the cells one after the other."""
    (html,) = (html for html in results(panel) if 'class="dataframe' in html)
    return [" ".join(cells) for cells in table(html)[1:]]


def remarks(panel):
    (html,) = (html for html in results(panel) if 'class="specdec-notice"' in html)
    return [text.removeprefix("ℹ ") for text in Page(html).texts]


def readout(panel, name):
    (line,) = (line for line in plain(panel).split("\n") if line.startswith(f"{name}: "))
    return line.removeprefix(f"{name}: ")


# ---- the table and the readouts ------------------------------------------------------------------
@each_language
def test_the_courses_table(kept, language):
    panel = kept(RoundsPanel, language)
    assert rows(panel) == ROWS[language].split("\n")
    static = table(bundle(panel)["text/html"])[1:]
    assert [" ".join(cells) for cells in static] == ROWS[language].split("\n")


@each_language
def test_the_courses_totals_and_the_table_in_words(kept, language):
    panel = kept(RoundsPanel, language)
    said = plain(panel)
    assert said.startswith(TOTALS[language])
    below = said.removeprefix(TOTALS[language]).strip().split("\n")[1:]
    assert [" ".join(line.split()) for line in below] == ROWS[language].split("\n")


def test_readouts_and_remarks_are_on_the_page(kept):
    panel = kept(RoundsPanel)
    texts = [text for html in results(panel) for text in Page(html).texts]
    for line in TOTALS["en"].split("\n")[2:11]:
        name, value = line.split(": ", 1)
        assert texts[texts.index(name) + 1] == value
    assert Page(panel.status.value).texts == [TOTALS["en"].split("\n")[1]]
    assert Page(panel.status.value).values("role") == ["status"]


def test_alpha_and_the_string_are_independent(kept):
    panel = kept(RoundsPanel)
    panel.flags = "1" * 20
    assert readout(panel, "Acceptance rate of the string") == "20 of 20 = 100.0%"
    assert readout(panel, "alpha, set by you") == "80.0%"
    before = rows(panel)
    panel.alpha = 0.3
    assert readout(panel, "Acceptance rate of the string") == "20 of 20 = 100.0%"
    assert readout(panel, "alpha, set by you") == "30.0%"
    assert rows(panel) == before
    assert APART in remarks(panel)


def test_alpha_moves_the_expectation_and_draws_no_figure(kept, monkeypatch):
    panel = kept(RoundsPanel)
    monkeypatch.setattr(panel.figure, "draw", None)  # would fail if called
    panel.alpha = 0.5
    assert readout_on_page(panel, "Tokens a round, expected") == "1.938"
    assert readout_on_page(panel, "Tokens a round, measured") == "3.333"


def readout_on_page(panel, name):
    texts = [text for html in results(panel) for text in Page(html).texts]
    return texts[texts.index(name) + 1]


def test_costs_enter_the_table(kept):
    panel = kept(RoundsPanel)
    panel.set(draft_cost=0.25, verify_cost=2)
    assert rows(panel)[0].endswith("3.00")
    assert readout(panel, "Total cost") == "18.00; plain decoding 20"


# ---- strings in any state ------------------------------------------------------------------------
def test_gamma_0_gives_one_token_and_reads_nothing(kept):
    panel = kept(RoundsPanel)
    panel.gamma = 0
    assert rows(panel) == ["1 0 0 none, no draft token 1 1 0 1 1.00"]
    assert remarks(panel) == [GAMMA_0, APART]
    assert readout(panel, "Acceptance rate of the string") == "no flag read"
    assert panel.stepper.slider.disabled
    panel.flags = ""
    assert rows(panel) == ["1 0 0 none, no draft token 1 1 0 1 1.00"]
    assert remarks(panel) == [GAMMA_0, APART]
    assert_numbers(panel)


def test_gamma_32_reads_long_rounds(kept):
    panel = kept(RoundsPanel)
    panel.set(gamma=32, flags="1" * 33)
    assert rows(panel)[0] == "1 32 32 none, bonus token 33 33 32 1 4.20"
    assert rows(panel)[1].startswith("2 32 1 unfinished –")


@pytest.mark.parametrize("empty", ["", " ", "\n \t\r\n"])
def test_an_empty_string(kept, empty):
    panel = kept(RoundsPanel)
    panel.field.box.value = empty
    assert panel.flags == empty
    assert complaints(panel) == []
    assert rows(panel) == []
    assert remarks(panel) == [EMPTY, APART]
    assert Page(panel.status.value).texts == ["No round is finished yet."]
    for name in ("Tokens a round, measured", "Speedup, measured"):
        assert readout(panel, name) == "–"
    assert readout(panel, "Total cost") == "0.00; plain decoding 0"
    assert_numbers(panel)


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ("1111 11", "Round 2 is unfinished and counts in no total: 2 more flags finish it, or a 0"
         " before that."),
        ("1111 111", "Round 2 is unfinished and counts in no total: 1 more flag finishes it."),
        ("1", "Round 1 is unfinished and counts in no total: 3 more flags finish it, or a 0 before"
         " that."),
    ],
)  # fmt: skip
def test_an_unfinished_round_is_shown_and_counts_in_no_total(kept, flags, said):
    panel = kept(RoundsPanel)
    panel.flags = flags
    finished = flags.count("1111")
    assert remarks(panel)[0] == said
    assert len(rows(panel)) == finished + 1
    assert rows(panel)[-1].endswith(" unfinished – – – – –")
    assert readout(panel, "Target passes") == str(finished)
    assert readout(panel, "Tokens gained") == str(5 * finished)
    assert_numbers(panel)


def test_an_unfinished_round_in_vietnamese(kept):
    panel = kept(RoundsPanel, "vi")
    panel.flags = "111111"
    assert remarks(panel)[0] == (
        "Vòng 2 chưa xong nên chưa tính vào tổng: cần thêm 2 cờ; gặp 0 thì xong ngay."
    )
    assert "chưa xong" in rows(panel)[-1]


def test_the_number_of_a_late_round_is_grouped_in_every_remark(kept):
    panel = kept(RoundsPanel, "vi")
    panel.flags = "0" * 1000 + "111"
    assert remarks(panel)[0].startswith("Vòng 1.001 ")
    panel.step = 1002
    assert remarks(panel)[0].startswith("Vòng 1.001 ")


def test_spaces_and_line_breaks_between_flags_change_nothing(kept):
    panel = kept(RoundsPanel)
    spaced = " 1111\n11 00\r\n1110\t10 1111 \n"
    panel.field.box.value = spaced
    assert complaints(panel) == []
    assert panel.flags == panel.field.box.value == spaced
    assert rows(panel) == ROWS["en"].split("\n")


FOREIGN = [  # typed, as shown, position
    ("11x1", "'x'", 3),
    ("1 1\n2", "'2'", 5),
    ("１１", "'１'", 1),
    ("1" * 30 + "<b>", "'<'", 31),
    ("1\u00a01", "'\\xa0'", 2),
    ("1,1", "','", 2),
    ("1\0", "'\\x00'", 2),
]


@pytest.mark.parametrize(("typed", "shown", "position"), FOREIGN, ids=[f[0] for f in FOREIGN])
def test_a_foreign_character_is_named_with_its_position(kept, typed, shown, position):
    for language, said in (
        ("en", "the acceptance string may hold only 0 and 1, with spaces or line breaks between"
         f" them, not {shown} at position {position}."),
        ("vi", "chuỗi chấp nhận chỉ được gồm 0 và 1, có thể xen dấu cách hoặc xuống dòng; ở vị trí"
         f" {position} lại có {shown}."),
    ):  # fmt: skip
        panel = kept(RoundsPanel, language)
        panel.gamma = 3
        before = results(panel)
        panel.field.box.value = typed
        assert complaints(panel) == [said]
        assert (panel.flags, panel.field.box.value) == (DEFAULT, typed)
        assert results(panel) == before, "the last good table stays"
        panel.field.box.value = "0"
        assert (complaints(panel), panel.flags) == ([], "0")


def test_reset_brings_the_string_back(kept):
    panel = kept(RoundsPanel)
    for typed in ("10", "10x"):
        panel.field.box.value = typed
        panel.tools.reset.click()
        assert (panel.field.box.value, panel.flags, complaints(panel)) == (DEFAULT, DEFAULT, [])


def test_a_million_flags(kept):
    panel = kept(RoundsPanel)
    flags = "110" * (MAX_FLAGS // 3) + "1"
    panel.field.box.value = flags
    assert panel.flags == flags
    assert readout(panel, "Target passes") == "333,333"
    assert readout(panel, "Tokens gained") == "999,999"
    assert len(rows(panel)) <= 51
    (html,) = (html for html in results(panel) if 'class="dataframe' in html)
    assert "333,283 earlier rounds are not shown" in html
    assert sum(map(len, results(panel))) < 200_000, "the page stays small"
    panel.field.box.value = flags + "0"
    assert complaints(panel) == [
        "the acceptance string may hold at most 1,000,000 characters, not 1,000,001."
    ]
    assert panel.flags == flags


@settings(max_examples=25)
@given(
    st.one_of(
        st.text(max_size=50),
        st.text("01", max_size=80),
        st.text("01 \n\t\r2x", max_size=40),
    ),
    st.integers(min_value=0, max_value=32),
)
@example("\x1c", 4)
@example("\u2028", 4)
def test_no_text_breaks_the_string(kept, typed, gamma):
    panel = kept(RoundsPanel)
    panel.gamma = gamma
    panel.field.box.value = typed
    if set(typed) <= set("01 \t\r\n"):
        assert (complaints(panel), panel.flags) == ([], typed)
    else:
        (said,) = complaints(panel)
        assert "may hold only 0 and 1" in said
        assert panel.flags == DEFAULT
    shown = simulate_rounds(panel.flags, gamma)
    assert len(rows(panel)) == len(shown.table) + bool(shown.unfinished)
    assert_numbers(panel)


# ---- the stepper ---------------------------------------------------------------------------------
def test_the_steps_read_prefixes_of_the_string(kept):
    panel = kept(RoundsPanel)
    whole = rows(panel)
    for step in range(len(DEFAULT) + 1):
        panel.step = step
        seen = rows(panel)
        finished = [row for row in seen if "unfinished" not in row]
        assert finished == whole[: len(finished)]
        assert len(seen) - len(finished) <= 1
        read = 0  # by hand: flags of the finished rounds are 4, 3, 1, 4, 2, 4
        for number, flags in enumerate([4, 3, 1, 4, 2, 4], start=1):
            read += flags
            if read <= step:
                assert len(finished) >= number
            else:
                assert len(finished) < number
        assert panel.stepper.slider.value == step


def test_a_round_under_way_is_said_so(kept):
    panel = kept(RoundsPanel)
    panel.step = 6
    assert remarks(panel)[0] == "Round 2 is under way: 2 of 4 flags read."
    panel.step = 4
    assert remarks(panel) == [APART]
    panel.step = 0
    assert rows(panel) == []
    panel.step = None
    assert rows(panel) == ROWS["en"].split("\n")


def test_the_buttons_step(kept):
    panel = kept(RoundsPanel)
    buttons = panel.stepper.buttons
    position = []
    for name in ("first", "back", "next", "next", "back", "last", "next", "back", "last"):
        buttons[name].click()
        position.append(panel.stepper.position)
    assert position == [0, 0, 1, 2, 1, 18, 18, 17, 18]
    assert panel.step is None


def test_the_slider_steps_by_keyboard(kept):
    panel = kept(RoundsPanel)
    slider = panel.stepper.slider
    assert (slider.min, slider.max, slider.step, slider.value) == (0, 18, 1, 18)
    slider.value = 5
    assert panel.step == 5
    slider.value = 18
    assert panel.step is None


def test_new_flags_are_read_to_the_end(kept):
    panel = kept(RoundsPanel)
    panel.step = 3
    panel.field.box.value = "11"
    assert (panel.step, panel.stepper.slider.max, panel.stepper.slider.value) == (None, 2, 2)


def test_the_end_of_the_slider_follows_gamma_and_the_string(kept):
    panel = kept(RoundsPanel)
    panel.gamma = 0
    assert (panel.stepper.position, panel.stepper.slider.disabled) == (0, True)
    panel.gamma = 4
    assert (panel.stepper.slider.max, panel.stepper.slider.disabled) == (18, False)
    assert panel.stepper.position == 18
    panel.field.box.value = ""
    assert (panel.stepper.position, panel.stepper.slider.disabled) == (0, True)


def test_the_step_outlives_gamma_0(kept):
    panel = kept(RoundsPanel)
    panel.step = 5
    panel.gamma = 0
    assert (panel.step, panel.stepper.position) == (5, 0)
    panel.gamma = 4
    assert (panel.step, panel.stepper.slider.value, panel.stepper.box.value) == (5, 5, "5")


def test_a_wrong_step_stays_until_another_is_shown(kept):
    panel = kept(RoundsPanel)
    panel.stepper.box.value = "19"
    (said,) = complaints(panel)
    panel.set(alpha=0.5, gamma=3)
    assert (panel.stepper.box.value, complaints(panel)) == ("19", [said])
    panel.stepper.buttons["last"].click()
    assert (panel.stepper.box.value, complaints(panel)) == ("18", [])
    panel.stepper.box.value = "19"
    panel.field.box.value = "111"
    assert (panel.stepper.box.value, complaints(panel)) == ("3", [])


def test_a_step_out_of_range_is_refused(kept):
    panel = kept(RoundsPanel)
    panel.step = 2
    for wrong in (19, -1, 1.5, "2", True):
        with pytest.raises((ValueError, TypeError), match="step must"):
            panel.step = wrong
    assert panel.step == 2


def test_a_start_in_the_middle_comes_back_with_reset(build):
    panel = build(RoundsPanel, step=20, flags="1" * 30, gamma=2)
    assert panel.step == 20
    panel.set(flags="00", gamma=1)
    assert panel.step is None
    panel.reset()
    assert (panel.step, panel.flags, panel.gamma) == (20, "1" * 30, 2)


def test_a_step_that_does_not_fit_leaves_all_as_it_was(kept):
    panel = kept(RoundsPanel)
    with pytest.raises(ValueError, match="step must lie between 0 and 2, not 3"):
        panel.set(flags="11", step=3)
    assert (panel.flags, panel.step) == (DEFAULT, None)


def play(panel, during=None):
    """The positions that playing shows, from a press on the button until it stops."""
    shown = []

    def look(change):
        shown.append(panel.stepper.position)
        if during:
            during(shown)

    async def press():
        panel.observe(look, names="step")
        panel.stepper.buttons["play"].click()
        assert panel.stepper.playing
        task = panel.stepper._task
        await asyncio.wait([task], timeout=60)
        assert task.done()

    try:
        run(press())
    finally:
        panel.unobserve(look, names="step")
    return shown


@pytest.fixture
def at_once(monkeypatch):
    monkeypatch.setattr(module, "SECONDS_PER_STEP", 0)


def test_playing_reads_from_where_it_stands_to_the_end(kept, at_once):
    panel = kept(RoundsPanel)
    panel.step = 14
    assert play(panel) == [15, 16, 17, 18]
    assert (panel.step, panel.stepper.playing) == (None, False)


def test_playing_at_the_end_starts_over(kept, at_once):
    panel = kept(RoundsPanel)
    panel.flags = "110"
    assert play(panel) == [0, 1, 2, 3]
    assert play(panel) == [0, 1, 2, 3]


def test_playing_can_be_paused_and_taken_up_again(kept, at_once):
    panel = kept(RoundsPanel)
    button = panel.stepper.buttons["play"]

    def pause(shown):
        assert button.description == ("▮▮ Pause" if shown[-1] else "▶ Play")
        if shown[-1] == 2:
            button.click()

    assert play(panel, pause) == [0, 1, 2]
    assert (panel.step, panel.stepper.playing, button.description) == (2, False, "▶ Play")
    assert play(panel)[0] == 3


@pytest.mark.parametrize(("name", "ends"), [("first", 0), ("back", 1), ("next", 3), ("last", 18)])
def test_a_step_by_hand_stops_the_play(kept, at_once, name, ends):
    panel = kept(RoundsPanel)

    def step(shown):
        if shown[-1] == 2 and panel.stepper.playing:
            panel.stepper.buttons[name].click()

    play(panel, step)
    assert (panel.stepper.position, panel.stepper.playing) == (ends, False)


def test_new_flags_end_the_play(kept, at_once):
    panel = kept(RoundsPanel)

    def change(shown):
        if shown[-1] == 2:
            panel.flags = "1010"

    play(panel, change)
    assert (panel.step, panel.stepper.playing) == (None, False)


@pytest.mark.parametrize("nothing", [{"flags": ""}, {"gamma": 0}])
def test_playing_nothing_ends_at_once(kept, at_once, nothing):
    panel = kept(RoundsPanel)
    panel.set(**nothing)
    assert play(panel) == []
    assert not panel.stepper.playing


def test_a_fault_while_playing_ends_the_play(build, at_once, monkeypatch):
    panel = build(RoundsPanel)

    async def press():
        panel.stepper.buttons["play"].click()
        monkeypatch.setattr(panel.figure, "draw", None)  # fails when called
        task = panel.stepper._task
        await asyncio.wait([task], timeout=60)
        assert isinstance(task.exception(), TypeError)

    run(press())
    assert not panel.stepper.playing
    assert panel.stepper.buttons["play"].description == "▶ Play"


def test_closing_while_playing_stops_it(build, monkeypatch):
    panel = build(RoundsPanel)
    monkeypatch.setattr(module, "SECONDS_PER_STEP", 3600)

    async def press():
        panel.stepper.buttons["play"].click()
        task = panel.stepper._task
        await asyncio.sleep(0)
        panel.close()
        await asyncio.wait([task], timeout=60)
        assert task.cancelled()
        assert len(asyncio.all_tasks()) == 1

    run(press())


@each_language
def test_every_button_of_the_stepper_has_a_name(kept, language):
    panel = kept(RoundsPanel, language)
    names = [button.description for button in panel.stepper.buttons.values()]
    assert len(set(names)) == 5
    assert all(names)
    assert set(names) < set(visible(panel))


def test_where_no_flag_is_read_there_is_nothing_to_step_through(kept):
    panel = kept(RoundsPanel)
    controls = [*panel.stepper.buttons.values(), panel.stepper.slider, panel.stepper.box]
    assert not any(control.disabled for control in controls)
    panel.gamma = 0
    assert all(control.disabled for control in controls)
    assert "1 token in 1 target pass, at a cost of 1.00: 1.00×." in plain(panel)
