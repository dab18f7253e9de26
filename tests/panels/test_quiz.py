"""The quiz panel: marked, tried again, kept when its cell is run again, printed, translated."""

import gc
from itertools import count

import ipywidgets
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from traitlets import TraitError

from specdec_widgets import Quiz, Refused, TypeRefused, ValueRefused
from specdec_widgets.figures.quiz_sheet import Sheet
from specdec_widgets.maths.quiz import CHOICES, MAX_SEED, QUESTIONS, RIGHT, quiz_numbers

from .seen import Page, bundle, complaints, plain, visible, widgets

NAMES = (f"test {number}" for number in count())
each_language = pytest.mark.parametrize("language", ["vi", "en"])


@pytest.fixture
def quiz(build):
    """A quiz of a name that no other has."""
    return build(Quiz, name=next(NAMES))


def again(build, quiz, **start):
    """Run the cell of the quiz again."""
    return build(Quiz, name=quiz.name, **start)


def verdicts(quiz):
    return [Page(field.verdict.value).texts for field in quiz.fields.values()]


def type_number(quiz, text):
    quiz.fields["tokens"].input.value = text


def choose(quiz, question, choice):
    quiz.fields[question].input.value = choice
    quiz.fields[question].check.click()


def score(quiz):
    (text,) = Page(quiz.status.value).texts
    return text


# ---- answering -----------------------------------------------------------------------------------
@pytest.mark.parametrize("typed", ["3,36", "3.3616", "3.362", " 3,36 "])
@each_language
def test_a_right_number_is_said_to_be_right(build, language, typed):
    quiz = build(Quiz, name=next(NAMES), language=language)
    type_number(quiz, typed)
    opening, rest = verdicts(quiz)[0]
    assert (
        opening
        == {"vi": f"✓ {typed.strip()} là đúng.", "en": f"✓ {typed.strip()} is right."}[language]
    )
    assert rest.startswith("E = 1 + 0")
    assert quiz.score == (1, 3)


def test_a_near_miss_is_told_its_mistake_with_a_link(build):
    quiz = build(Quiz, name=next(NAMES), language="vi")
    type_number(quiz, "3,2")
    opening, reply, read, link = verdicts(quiz)[0]
    assert opening == "✗ 3,2 chưa đúng."
    assert reply.startswith("3,2 là gamma × alpha:")
    assert (read, link) == ("Đọc lại:", "03 · Trung bình một vòng thu bao nhiêu token")
    page = Page(quiz.fields["tokens"].verdict.value)
    assert page.values("href") == ["../vi/03-expected-tokens.ipynb"]
    assert page.values("target") == ["_blank"], "the page with the answers stays"


@pytest.mark.parametrize("question", list(CHOICES))
def test_every_wrong_choice_is_answered_with_a_link(quiz, question):
    replies = set()
    for choice in CHOICES[question]:
        choose(quiz, question, choice)
        field = quiz.fields[question]
        opening, reply, *_more = Page(field.verdict.value).texts
        replies.add(reply)
        letter = {choice: text[0] for text, choice in field.input.options}[choice]
        if choice == RIGHT[question]:
            assert opening == f"✓ {letter} is right."
            assert "href" not in field.verdict.value
        else:
            assert opening == f"✗ {letter} is not right."
            assert Page(field.verdict.value).values("href")[0].startswith("../en/0")
    assert len(replies) == 4


def test_a_choice_is_marked_when_it_is_checked_and_not_before(quiz):
    quiz.fields["fall"].input.value = "saturates"
    assert verdicts(quiz)[1] == []
    assert score(quiz) == "No question is answered yet."
    quiz.fields["fall"].check.click()
    assert verdicts(quiz)[1][0] == "✓ C is right."


def test_checking_nothing_asks_for_an_answer_first(quiz):
    quiz.fields["same"].check.click()
    assert complaints(quiz) == ["Choose one of the answers first."]
    quiz.fields["same"].input.value = "rule"
    assert complaints(quiz) == []
    quiz.fields["tokens"].check.click()
    (said,) = complaints(quiz)
    assert said.startswith("your answer must be a number such as 0.8, 0,8 or 1/3")
    assert quiz.answers == {}


def test_a_new_choice_takes_the_verdict_on_the_old_one_away(quiz):
    choose(quiz, "fall", "verify")
    assert verdicts(quiz)[1]
    quiz.fields["fall"].input.value = "fewer"
    assert verdicts(quiz)[1] == []


def test_results_are_announced_politely(quiz):
    for html in (quiz.status, *(field.verdict for field in quiz.fields.values())):
        assert Page(html.value).values("role") == ["status"]
    type_number(quiz, "4")
    assert Page(quiz.fields["tokens"].verdict.value).values("role") == ["status"]


def test_trying_again_empties_the_field_and_counts_on(quiz):
    type_number(quiz, "4")
    quiz.fields["tokens"].again.click()
    assert quiz.fields["tokens"].input.value == ""
    assert verdicts(quiz)[0] == []
    choose(quiz, "fall", "verify")
    quiz.fields["fall"].again.click()
    assert quiz.fields["fall"].input.value is None
    assert score(quiz) == "0 of 3 right, after 2 attempts."
    type_number(quiz, "3.36")
    assert score(quiz) == "1 of 3 right, after 3 attempts."


def test_the_same_answer_checked_twice_is_one_attempt(quiz):
    type_number(quiz, "4")
    quiz.fields["tokens"].check.click()
    quiz.fields["tokens"].check.click()
    assert score(quiz) == "0 of 3 right, after 1 attempt."


def test_the_last_answer_is_the_one_that_counts(quiz):
    choose(quiz, "same", "rule")
    assert quiz.score == (1, 3)
    choose(quiz, "same", "close")
    assert quiz.score == (0, 3)


@pytest.mark.parametrize(
    "typed", ["seven", "nan", "1e5", "1/0", "3..3", "<b>3</b>", "9" * 41, "{value}", "\0", "½"]
)
def test_what_is_no_number_gets_one_sentence_and_is_no_attempt(quiz, typed):
    type_number(quiz, "4")
    before = verdicts(quiz)
    answers = quiz.answers
    type_number(quiz, typed)
    (said,) = complaints(quiz)
    assert said.startswith("your answer must be a number such as")
    assert quiz.answers == answers
    assert quiz.fields["tokens"].input.value == typed, "it stays to be mended"
    type_number(quiz, "4")
    assert complaints(quiz) == []
    assert verdicts(quiz) == before


@pytest.fixture(scope="module")
def lasting():
    quiz = Quiz(name=next(NAMES), language="vi")
    yield quiz
    quiz.close()


@settings(max_examples=50)
@given(typed=st.one_of(st.text(max_size=60), st.floats().map(str), st.fractions().map(str)))
def test_no_text_breaks_a_field(lasting, typed):
    lasting.reset()
    type_number(lasting, typed)
    marked = bool(lasting.answers)
    assert len(complaints(lasting)) == (0 if marked or not typed.strip() else 1)
    assert bool(verdicts(lasting)[0]) == marked
    type_seed(lasting, typed)
    assert lasting.seed is None or 0 <= lasting.seed <= MAX_SEED


# ---- new numbers ---------------------------------------------------------------------------------
def type_seed(quiz, text):
    quiz.practice.field.box.value = text


def test_practice_asks_with_new_numbers_and_shows_their_seed(quiz):
    quiz.practice.new.click()
    assert quiz.seed == 1
    assert quiz.practice.field.box.value == "1"
    assert Page(quiz._numbers_note.value).texts == ["With new numbers, drawn from the seed 1."]
    assert f"alpha is {quiz_numbers(1).alpha}" in quiz.fields["tokens"].text.value
    quiz.practice.new.click()
    assert quiz.seed == 2
    type_number(quiz, str(quiz_numbers(2).model.expected_tokens)[:6])
    assert quiz.score == (1, 3)


def test_a_seed_can_be_typed_and_taken_back(quiz):
    type_seed(quiz, "7")
    assert quiz.numbers == quiz_numbers(7)
    type_seed(quiz, "")
    assert quiz.seed is None
    type_seed(quiz, "8,0")
    assert quiz.seed == 8
    quiz.practice.back.click()
    assert quiz.seed is None
    assert quiz.practice.field.box.value == ""


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("-1", "the seed must lie between 0 and 999,999, not -1."),
        ("1000000", "the seed must lie between 0 and 999,999, not 1,000,000."),
        ("1.5", "the seed must be a whole number, not '1.5'."),
        ("x", "the seed must be a whole number, not 'x'."),
    ],
)
def test_a_bad_seed_gets_one_sentence_and_changes_nothing(quiz, typed, said):
    type_seed(quiz, "7")
    type_seed(quiz, typed)
    assert complaints(quiz) == [said]
    assert quiz.seed == 7
    type_seed(quiz, "7")
    assert complaints(quiz) == []


def test_a_bad_seed_stays_while_questions_are_answered_and_goes_with_the_way_back(quiz):
    type_seed(quiz, "x")
    said = complaints(quiz)
    type_number(quiz, "3.36")
    choose(quiz, "fall", "verify")
    assert (quiz.practice.field.box.value, complaints(quiz)) == ("x", said)
    quiz.practice.back.click()
    assert (quiz.practice.field.box.value, complaints(quiz)) == ("", [])
    type_seed(quiz, "x")
    quiz.practice.new.click()
    assert (quiz.practice.field.box.value, complaints(quiz)) == ("1", [])


def test_the_last_seed_is_followed_by_the_first(quiz):
    quiz.seed = MAX_SEED
    quiz.new_numbers()
    assert quiz.seed == 1


def test_answers_stay_with_their_numbers(quiz):
    type_number(quiz, "3.36")
    quiz.new_numbers()
    assert quiz.score == (0, 3)
    assert quiz.fields["tokens"].input.value == ""
    choose(quiz, "fall", "verify")
    quiz.seed = None
    assert quiz.score == (1, 3)
    assert quiz.fields["tokens"].input.value == "3.36"
    assert quiz.fields["fall"].input.value is None
    quiz.seed = 1
    assert quiz.fields["fall"].input.value == "verify"


def test_a_choice_keeps_its_meaning_where_the_order_changes(quiz):
    for seed in range(1, 6):
        quiz.seed = seed
        choose(quiz, "same", "rule")
        letter = "ABCD"[quiz_numbers(seed).same.index("rule")]
        assert verdicts(quiz)[2][0] == f"✓ {letter} is right."


# ---- running the cell again ----------------------------------------------------------------------
def state(quiz):
    fields = [field.input.value for field in quiz.fields.values()]
    return fields, verdicts(quiz), score(quiz), complaints(quiz), quiz.seed, quiz.parameters()


def test_running_the_cell_again_loses_nothing(quiz, build):
    type_number(quiz, "3,2")
    quiz.new_numbers()
    choose(quiz, "fall", "saturates")
    quiz.fields["same"].input.value = "close"  # chosen, not checked
    type_number(quiz, "half-typ")
    before = state(quiz)
    second = again(build, quiz)
    assert state(second) == before
    second.seed = None
    assert verdicts(second)[0][0] == "✗ 3,2 is not right."


def test_running_the_cell_again_closes_the_old_panel(quiz, build):
    again(build, quiz)
    gc.collect()
    open_before = set(ipywidgets.widget._instances)
    for _time in range(3):
        again(build, quiz)
    assert quiz.comm is None
    assert len(set(ipywidgets.widget._instances)) == len(open_before)


def test_a_closed_quiz_is_remembered_too(quiz, build):
    type_number(quiz, "4")
    quiz.close()
    assert again(build, quiz).fields["tokens"].input.value == "4"


def test_two_names_are_two_quizzes(quiz, build):
    type_number(quiz, "4")
    other = build(Quiz, name=next(NAMES))
    assert other.answers == {}
    assert quiz.comm is not None


def test_another_seed_in_the_cell_is_obeyed(quiz, build):
    type_number(quiz, "4")
    second = again(build, quiz, seed=7)
    assert second.seed == 7
    second.new_numbers()
    assert again(build, quiz, seed=7).seed == 8, "the cell is as it was: nothing is lost"
    assert again(build, quiz).fields["tokens"].input.value == "4"


def test_a_refused_start_leaves_the_quiz_as_it_is(quiz, build):
    type_number(quiz, "4")
    with pytest.raises(ValueRefused):
        Quiz(name=quiz.name, seed=-1)
    assert quiz.comm is not None
    assert again(build, quiz).fields["tokens"].input.value == "4"


def test_reset_forgets_everything_of_this_name(quiz, build):
    type_number(quiz, "seven")
    choose(quiz, "fall", "verify")
    quiz.new_numbers()
    choose(quiz, "same", "rule")
    type_seed(quiz, "x")
    quiz.fields["fall"].check.click()
    quiz.tools.reset.click()
    assert (quiz.seed, quiz.entries, quiz.answers) == (None, {}, {})
    assert complaints(quiz) == []
    assert verdicts(quiz) == [[], [], []]
    assert quiz.fields["tokens"].input.value == ""
    assert again(build, quiz).answers == {}


# ---- from code -----------------------------------------------------------------------------------
def test_it_can_be_answered_from_code(quiz):
    assert quiz.answer("tokens", 5).startswith("✗ 5 is not right. 5 is gamma + 1")
    assert quiz.answer("tokens", 3.36).startswith("✓ 3.36 is right. E = 1 + 0.8")
    assert quiz.answer("fall", "saturates").startswith("✓ C is right.")
    assert quiz.fields["tokens"].input.value == "3.36"
    assert quiz.fields["fall"].input.value == "saturates"
    assert quiz.score == (2, 3)


def test_code_can_observe_the_answers(quiz):
    heard = []
    quiz.observe(lambda change: heard.append(change["new"]), names="answers")
    type_number(quiz, "4")
    assert heard == [{(None, "tokens"): ("4",)}]
    with pytest.raises(TypeError):
        quiz.answers[None, "tokens"] = ()


def test_refusals_from_code(quiz):
    with pytest.raises(ValueRefused, match=r"^answer must be a number"):
        quiz.answer("tokens", "x")
    with pytest.raises(ValueRefused, match=r"^question must be one of tokens, fall, same"):
        quiz.answer("four", "x")
    for name, value in [
        ("seed", 1.5),
        ("entries", None),
        ("entries", {"tokens": "4"}),
        ("entries", {(None, "fall"): "E"}),
        ("entries", {(None, "tokens"): object()}),
        ("answers", {(None, "tokens"): "4"}),
        ("answers", {(None, "tokens"): ("x",)}),
        ("answers", {(-1, "tokens"): ("4",)}),
        ("answers", {(None, "x"): ("4",)}),
    ]:
        with pytest.raises(Refused):
            setattr(quiz, name, value)
    assert (quiz.seed, quiz.entries, quiz.answers) == (None, {}, {})
    with pytest.raises(TraitError):
        quiz.set(answers={(None, "tokens"): ("4",)}, seed=-1)
    assert quiz.answers == {}, "all or none"
    with pytest.raises(TypeRefused):
        quiz.seed = "7"
    with pytest.raises(ValueRefused, match="Quiz has nothing named 'x'"):
        Quiz(name=next(NAMES), controls=("x",))


def test_controls_chooses_the_questions(build):
    quiz = build(Quiz, name=next(NAMES), controls=("same", "reset"))
    assert list(quiz.fields) == ["same"]
    assert "Question 1" in visible(quiz)
    assert "Practise with new numbers" not in visible(quiz)
    choose(quiz, "same", "rule")
    assert quiz.score == (1, 1)
    assert "alpha is" not in plain(quiz)
    assert "alpha is" not in quiz.printable(key=True).document()


# ---- languages -----------------------------------------------------------------------------------
def test_the_language_is_switched_in_place(quiz):
    type_number(quiz, "3,2")
    choose(quiz, "fall", "fewer")
    quiz.fields["same"].input.value = "redraw"
    type_seed(quiz, "x")
    english = [text for text in visible(quiz) if len(text) > 3]
    quiz.language = "vi"
    assert verdicts(quiz)[0][0] == "✗ 3,2 chưa đúng."
    assert verdicts(quiz)[1][0] == "✗ A chưa đúng."
    assert quiz.fields["same"].input.value == "redraw"
    assert score(quiz) == "Đúng 0 trên 3 câu, sau 2 lần trả lời."
    vietnamese = visible(quiz)
    assert not set(english) & set(vietnamese)
    assert "../vi/05-sweet-spot.ipynb" in quiz.fields["fall"].verdict.value
    quiz.language = "en"
    assert [text for text in visible(quiz) if len(text) > 3 and text in english]


def test_a_complaint_is_said_in_the_new_language(quiz):
    type_number(quiz, "x")
    quiz.language = "vi"
    assert complaints(quiz)[0].startswith("câu trả lời phải là một số viết như")


@each_language
def test_every_control_has_a_name_of_its_own(build, language):
    quiz = build(Quiz, name=next(NAMES), language=language)
    controls = (ipywidgets.Button, ipywidgets.Text, ipywidgets.RadioButtons, ipywidgets.Dropdown)
    names = [widget.description for widget in widgets(quiz) if isinstance(widget, controls)]
    assert all(names)
    assert len(set(names)) == len(names)


# ---- without a kernel, and on paper --------------------------------------------------------------
@each_language
def test_without_a_kernel_the_questions_are_shown_and_the_key_is_folded(build, language):
    quiz = build(Quiz, name=next(NAMES), language=language)
    html = bundle(quiz)["text/html"]
    before, key = html.split("<details>")
    total = {"vi": "3,3616", "en": "3.3616"}[language]
    assert total not in before
    assert total in key
    for field in quiz.fields.values():
        if field.is_choice:
            for text, _name in field.input.options:
                assert text in Page(before).texts
                assert text in plain(quiz)


def test_the_static_view_holds_what_has_been_answered(quiz):
    assert "No question is answered yet." not in plain(quiz)
    type_number(quiz, "4")
    for text in (plain(quiz), "".join(Page(quiz.static_html()).texts)):
        assert "0 of 3 right, after 1 attempt." in text
        assert "Question 1: ✗ 4 is not right. 4 is gamma" in text


def test_a_teacher_can_print_the_quiz_and_its_key(quiz):
    assert isinstance(quiz.printable(), Sheet)
    assert "3.3616" not in quiz.printable().document()
    assert "3.3616" in quiz.printable(key=True).document()
    quiz.seed = 7
    assert "drawn from the seed 7" in quiz.printable().document()


def test_both_sheets_can_be_downloaded(quiz):
    plain_sheet, with_key = quiz.downloads()
    assert (plain_sheet.name, with_key.name) == ("quiz.html", "quiz-key.html")
    assert plain_sheet.content.decode() == quiz.printable().document()
    assert with_key.content.decode() == quiz.printable(key=True).document()
    quiz.seed = 7
    assert [file.name for file in quiz.downloads()] == ["quiz-seed-7.html", "quiz-seed-7-key.html"]
    quiz.tools.download.click()
    links = Page(quiz.tools.links.value)
    assert len(links.values("href")) == 2
    assert all(href.startswith("data:text/html;base64,") for href in links.values("href"))


def test_what_was_typed_is_text(quiz):
    type_number(quiz, "<img src=x>")
    (said,) = complaints(quiz)
    assert "<img src=x>" in said
    for widget in widgets(quiz):
        assert not isinstance(widget, ipywidgets.HTML) or "<img" not in widget.value
    assert "<img" not in quiz.static_html()


def test_all_questions_are_asked_in_the_order_of_the_course(quiz):
    assert tuple(quiz.fields) == QUESTIONS
