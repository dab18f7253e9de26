"""The quiz: what is right, which mistake gives a wrong number, and new numbers by seed."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdec_widgets import CostModel, Refused, SamplingRule, TypeRefused, ValueRefused
from specdec_widgets.maths.quiz import (
    CHOICES,
    MAX_SEED,
    QUESTIONS,
    RIGHT,
    TOLERANCE,
    QuizNumbers,
    mark,
    mistakes,
    quiz_numbers,
)

from .anything import ANYTHING

SEEDS = st.integers(min_value=0, max_value=MAX_SEED)
COURSE = QuizNumbers()


@pytest.mark.parametrize("answer", ["3,36", "3.3616", "3.362", "3.3566", "3.3666", 3.36, " 3,36 "])
def test_an_answer_within_the_tolerance_is_right(answer):
    assert mark("tokens", answer, COURSE) == (True, ())


@pytest.mark.parametrize("answer", ["3.35659", "3.36661", "3.4", "3.3"])
def test_an_answer_beyond_it_is_wrong(answer):
    assert not mark("tokens", answer, COURSE).right


@pytest.mark.parametrize(
    ("answer", "reasons"),
    [
        ("3,2", ("product",)),
        ("4", ("all_kept",)),
        ("4.2", ("product_and_one",)),
        ("2.3616", ("no_extra",)),
        ("2.36", ("no_extra",)),
        ("0.4096", ("chance",)),
        ("0,41", ("chance",)),
        ("5", ("ceiling", "limit")),
        ("2.952", ("short",)),
        ("2.40", ("speedup",)),
        ("3.4", ("rounded",)),
        ("3", ("rounded",)),
        ("0.9", ("below_one",)),
        ("-4", ("below_one",)),
        ("5,1", ("above_ceiling",)),
        ("3.1", ("too_low",)),
        ("3.6", ("too_high",)),
    ],
)
def test_a_wrong_number_is_told_the_mistake_that_gives_it(answer, reasons):
    assert mark("tokens", answer, COURSE) == (False, reasons)


def test_where_two_mistakes_give_one_number_both_are_told():
    numbers = QuizNumbers(alpha=0.75, gamma=4)  # 1 + 4 x 0.75 = 4 = gamma = the limit
    assert mark("tokens", 4, numbers).reasons == ("all_kept", "product_and_one", "limit")


def test_alpha_1_has_no_limit_to_mistake_it_for():
    assert mark("tokens", "1/2", QuizNumbers(alpha=1)).reasons == ("below_one",)


@given(seed=SEEDS)
def test_every_mistake_is_told_with_new_numbers_too(seed):
    numbers = quiz_numbers(seed)
    for name, value in mistakes(numbers.model).items():
        marked = mark("tokens", value, numbers)
        assert not marked.right
        assert name in marked.reasons


@given(seed=SEEDS, off=st.sampled_from([-1, 1]) | st.fractions(min_value=-1, max_value=1))
def test_the_right_answer_is_that_of_the_cost_model_with_new_numbers_too(seed, off):
    numbers = quiz_numbers(seed)
    alpha = Fraction(str(numbers.alpha))
    expected = sum(alpha**i for i in range(numbers.gamma + 1))
    assert mark("tokens", expected + off * TOLERANCE, numbers).right
    assert not mark("tokens", expected + (1 if off > 0 else -1) * Fraction(6, 1000), numbers).right


def test_the_numbers_of_the_course_are_those_of_the_brief():
    assert quiz_numbers() == COURSE
    assert COURSE.model == CostModel(alpha=0.8, gamma=4, draft_cost=0.10)
    assert f"{COURSE.model.expected_tokens:.4f}" == "3.3616"
    assert (COURSE.peak.gamma, f"{COURSE.peak.speedup:.2f}") == (6, "2.47")
    assert (COURSE.far.gamma, f"{COURSE.far.speedup:.2f}") == (32, "1.19")
    assert list(map(float, COURSE.p)) == [0.50, 0.25, 0.15, 0.10]
    assert list(map(float, COURSE.q)) == [0.40, 0.30, 0.20, 0.10]
    assert COURSE.asked == 1
    assert Fraction("0.275") == COURSE.redrawn


@given(seed=SEEDS)
def test_a_seed_gives_the_same_numbers_every_time(seed):
    assert quiz_numbers(seed) == quiz_numbers(np.int64(seed))
    assert quiz_numbers(seed).seed == seed


def test_seeds_give_different_numbers():
    drawn = {(n.alpha, n.gamma, n.draft_cost, n.p, n.q) for n in map(quiz_numbers, range(50))}
    assert len(drawn) > 45


def test_a_seed_is_that_of_numpys_generator():
    numbers, rng = quiz_numbers(7), np.random.default_rng(7)
    rng.integers(148)  # alpha, gamma and draft cost out of the sensible ones
    assert numbers.p == tuple(COURSE.p[i] for i in rng.permutation(4))
    assert numbers.q == tuple(COURSE.q[i] for i in rng.permutation(4))


@given(seed=SEEDS)
def test_new_numbers_make_all_three_questions_sensible(seed):
    numbers = quiz_numbers(seed)
    assert (numbers.alpha, numbers.gamma) != (0.8, 4)
    assert 0 < numbers.peak.gamma < 32
    assert numbers.peak.speedup > 1.2 * max(1, numbers.far.speedup)
    for value in mistakes(numbers.model).values():
        assert abs(value - numbers.model.expected_tokens) > 9 * TOLERANCE
    rule = SamplingRule(numbers.p, numbers.q)
    assert rule.output == numbers.p
    assert numbers.q[numbers.asked] > numbers.p[numbers.asked], "the draft proposes it too often"
    assert numbers.redrawn > numbers.p[numbers.asked], "the common bug shows"
    assert numbers.p[numbers.asked] < max(numbers.p), "greedy decoding would lose it"
    for question, choices in CHOICES.items():
        assert sorted(getattr(numbers, question)) == sorted(choices)


@pytest.mark.parametrize("question", list(CHOICES))
def test_one_choice_is_right(question):
    for choice in CHOICES[question]:
        assert mark(question, choice, COURSE) == (choice == RIGHT[question], (choice,))
    assert len(CHOICES[question]) == 4


def test_refusals_say_what_is_allowed():
    with pytest.raises(ValueRefused, match=r"^answer must be a number such as .*, not 'seven'\.$"):
        mark("tokens", "seven", COURSE)
    with pytest.raises(ValueRefused, match=r"^answer must be one of close, rule, .*, not 'E'\.$"):
        mark("same", "E", COURSE)
    with pytest.raises(ValueRefused, match=r"^question must be one of tokens, fall, same, not 4\."):
        mark(4, "rule", COURSE)
    with pytest.raises(ValueRefused, match=r"^seed must lie between 0 and 999999, not -1\.$"):
        quiz_numbers(-1)
    for value in (1.5, True, "7"):
        with pytest.raises(TypeRefused, match=r"^seed must be a whole number"):
            quiz_numbers(value)


@given(question=st.sampled_from(QUESTIONS), answer=ANYTHING)
def test_no_answer_breaks_the_marking(question, answer):
    try:
        marked = mark(question, answer, COURSE)
    except Refused:
        return
    assert marked.right or marked.reasons
