"""N-gram models: counts against exact rationals, look-up and draws against the plain way."""

import unicodedata
from contextlib import suppress
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from specdec_widgets.maths import Refused, SamplingRule, TypeRefused, ValueRefused
from specdec_widgets.maths.ngram import NGram, join_tokens, load_text, tokenise
from tests.maths.anything import ANYTHING

TEXTS = st.text(alphabet="abcd", min_size=1, max_size=40)
ORDERS = st.integers(min_value=1, max_value=4)


def chance(text, order, smoothing, history, token):
    """P(token | history) by the formula, in rationals."""
    context = history[len(history) - order + 1 :] if order > 1 else ""
    seen = [text[i : i + order] for i in range(len(text) - order + 1)]
    followed = sum(gram.startswith(context) for gram in seen)
    if order == 1:
        below = Fraction(1, len(set(text)))
    else:
        below = chance(text, order - 1, smoothing, context[1:], token)
    if not followed:
        return below
    return (seen.count(context + token) + smoothing * below) / (followed + smoothing)


@given(text=TEXTS, order=ORDERS, history=st.text(alphabet="abcd", min_size=4, max_size=4))
def test_fit_is_the_formula(text, order, history):
    history = "".join(c for c in history if c in text)
    model = NGram.fit(list(text), order, smoothing=1.5)
    found = model.after(list(history))
    for token in model.vocabulary:
        short = min(order, len(history) + 1)
        expected = chance(text, short, Fraction(3, 2), history, token)
        assert found[token] == pytest.approx(float(expected), rel=1e-12)


@given(text=TEXTS, order=ORDERS)
def test_every_row_is_a_distribution_in_which_nothing_is_impossible(text, order):
    rows = NGram.fit(list(text), order).rows
    assert rows.min() > 0
    assert rows.sum(axis=1) == pytest.approx(np.ones(len(rows)), rel=1e-12)


@given(
    text=TEXTS,
    order=ORDERS,
    histories=st.lists(
        st.lists(st.integers(min_value=-1, max_value=3), min_size=3, max_size=3), min_size=1
    ),
)
def test_a_history_is_looked_up_by_its_longest_known_context(text, order, histories):
    model = NGram.fit(list(text), order, vocabulary=list("abcd"))
    # Only the tokens before the first may be missing.
    padded = [[-1] * h.count(-1) + [t for t in h if t >= 0] for h in histories]
    for history, row in zip(padded, model.row_of(np.array(padded)), strict=True):
        known = [tuple(history[i:]) for i in range(4) if tuple(history[i:]) in model.contexts]
        assert model.contexts[row] == known[0]


WEIGHTS = st.lists(st.integers(min_value=0, max_value=4), min_size=1, max_size=9).filter(any)


@given(weights=WEIGHTS, uniform=st.floats(min_value=0, max_value=1, exclude_max=True))
@example(weights=[1, 0], uniform=1 - 2**-53)
@example(weights=[0, 3, 3, 3, 0], uniform=1 - 2**-53)
@example(weights=[0, 1], uniform=0.0)
def test_draw_inverts_the_cumulative_distribution_and_gives_nothing_impossible(weights, uniform):
    p = np.array(weights) / sum(weights)
    model = NGram(tuple("abcdefghi"[: len(p)]), ((), (0,)), np.array([p[::-1], p]))
    token = model.draw(np.array([1]), np.array([uniform]))[0]
    assert p[token] > 0
    assert p[:token].sum() <= uniform + 1e-12 and uniform - 1e-12 < p[: token + 1].sum()


def test_a_row_that_misses_1_by_rounding_gives_nothing_impossible_either():
    model = NGram.from_table("abc", {(): (0.5 - 4e-10, 0.5 - 4e-10, 0)})
    assert model.draw(np.array([0]), np.array([1 - 2**-53])).tolist() == [1]


@pytest.mark.parametrize("temperature", [0, 0.3, 1, 2.5, 5])
def test_temperature_is_that_of_the_sampling_rule(temperature):
    model = NGram.fit(tokenise("to be or not to be, that is the question"), 2)
    cooled = model.at_temperature(temperature)
    for row, cold in zip(model.rows, cooled.rows, strict=True):
        rule = SamplingRule([float(p) for p in row], [float(p) for p in row])
        expected = [float(p) for p in rule.at_temperature(temperature).p]
        assert cold == pytest.approx(expected, abs=1e-15, rel=1e-9)
    assert (cooled is model) == (temperature == 1)


def test_greedy_shares_a_tie():
    model = NGram.from_table("abc", {(): (0.4, 0.4, 0.2)}).at_temperature(0)
    assert model.rows.tolist() == [[0.5, 0.5, 0]]


@pytest.mark.parametrize(("language", "accented"), [("vi", True), ("en", False)])
def test_the_texts_are_plain_prose_long_enough_to_count(language, accented):
    text = load_text(language)
    tokens = tokenise(text)
    assert text == unicodedata.normalize("NFC", text)
    assert len(tokens) > 3000 and 400 < len(set(tokens)) < 600
    assert set(text) - set("\n ,.?") == {c for c in text if c.isalpha()}
    assert text.isascii() != accented
    assert tokenise(join_tokens(tokens)) == tokens


def test_tokenise_and_join():
    tokens = ["It", "isn't", "1", "river", ":", "it", "is", "two", "!"]
    assert tokenise("It isn't 1 river: it is two!") == tokens
    assert join_tokens(tokens) == "It isn't 1 river: it is two!"
    assert tokenise("a\u0301") == ["á"]
    assert tokenise("") == []


TOKENS = st.lists(st.from_regex(r"[a-zàđêơưỹ0-9]+(['’-][a-z]+)?|[.,;:!?()-]", fullmatch=True))


@given(st.text() | st.text(".,;'’-…“_ \n1aé\u0301"))
def test_tokens_leave_out_nothing_but_spaces(text):
    assert "".join(tokenise(text)) == "".join(unicodedata.normalize("NFC", text).split())


@given(TOKENS.map(lambda tokens: [unicodedata.normalize("NFC", token) for token in tokens]))
def test_joined_tokens_are_cut_into_the_same_again(tokens):
    text = join_tokens(tokens)
    assert tokenise(text) == tokens
    assert not any(f" {mark}" in text for mark in ".,;:!?")
    if tokens:
        model = NGram.from_table(sorted(set(tokens)), {(): [1] + [0] * (len(set(tokens)) - 1)})
        assert model.encode(text).tolist() == [model.vocabulary.index(token) for token in tokens]
        assert model.decode(model.encode(text)) == text


@given(table=st.dictionaries(st.lists(st.integers(0, 1), max_size=3).map(tuple), st.integers(0, 9)))
def test_a_model_written_out_gives_back_its_table(table):
    table = {context: (n / 10, 1 - n / 10) for context, n in {(): 5, **table}.items()}
    model = NGram.from_table("ab", table)
    assert model.order == 1 + max(map(len, table))
    for context, row in table.items():
        assert tuple(model.after([model.vocabulary[i] for i in context])) == row


def test_encode_and_decode():
    model = NGram.fit(tokenise("The river is loud, and it rains."), 2)
    indices = model.encode("it rains, and it rains.")
    assert model.decode(indices) == "it rains, and it rains."
    assert model.decode([-1, *indices, -1]) == "it rains, and it rains."
    assert model.encode(["it", "rains"]).tolist() == indices[:2].tolist()
    with pytest.raises(ValueRefused, match=r"^tokens\[1\] must be in the vocabulary, not 'snows'"):
        model.encode("it snows")


def test_order():
    assert [NGram.fit(list("abcabc"), n).order for n in (1, 2, 5)] == [1, 2, 5]


def test_a_model_cannot_be_changed():
    model = NGram.fit(list("abc"), 2)
    with pytest.raises(ValueError, match="read-only"):
        model.rows[0, 0] = 1
    own = np.array([[0.5, 0.5]])
    kept = NGram("ab", [()], own)
    own[0] = 1, 0
    assert kept.rows.tolist() == [[0.5, 0.5]] and kept.vocabulary == ("a", "b")
    assert kept.contexts == ((),)


@pytest.mark.parametrize(
    ("call", "start"),
    [
        (lambda: load_text("de"), "language must be one of en, vi, not 'de'."),
        (lambda: load_text(None), "language must be one of en, vi, not None."),
        (lambda: tokenise(7), "text must be text, not 7."),
        (lambda: NGram.fit([], 2), "tokens must have at least one entry, not 0."),
        (lambda: NGram.fit(["a"], 6), "order must lie between 1 and 5, not 6."),
        (lambda: NGram.fit(["a"], 2, 0), "smoothing must lie between 0.001 and 100, not 0."),
        (
            lambda: NGram.fit(["a"], 2, 1e-320),
            "smoothing must lie between 0.001 and 100, not 1e-320.",
        ),
        (lambda: NGram.fit(["a"], 2, vocabulary="b"), "tokens[0] must be in the vocabulary"),
        (
            lambda: NGram.fit([str(i) for i in range(5000)], 2),
            "contexts x vocabulary must lie between 1 and 20000000, not 25000000.",
        ),
        (lambda: NGram.from_table("ab", {(0,): (1, 0)}), "table must hold the empty context"),
        (lambda: NGram("ab", ((0,),), [[1, 0]]), "contexts must hold the empty context, not only"),
        (lambda: NGram.from_table("ab", {(): (0.5, 0.6)}), "rows[0] must sum to 1, not 1.1."),
        (lambda: NGram.from_table("ab", {(): (1,)}), "rows[0] must have the shape (2,), not (1,)"),
        (
            lambda: NGram.from_table("ab", {(): (0.5, 0.5), (0,): (1,)}),
            "rows[1] must have the shape (2,), not (1,).",
        ),
        (lambda: NGram.from_table("ab", None), "table must map contexts to probabilities, not N"),
        (lambda: NGram.from_table("ab", {(): None}), "rows[0] must be a sequence such as a list"),
        (lambda: NGram.fit(["a", 1]), "tokens[1] must be text, not 1."),
        (lambda: NGram.fit(7), "tokens must be a sequence such as a list, not 7."),
        (lambda: NGram.fit(["a"]).encode(7), "tokens must be a sequence such as a list, not 7."),
        (lambda: NGram.fit(["a"]).encode([["a"]]), "tokens[0] must be text, not ['a']."),
        (lambda: NGram("ab", ((),), [[-1, 2]]), "rows[0] must lie between 0 and 1, not -1.0."),
        (lambda: NGram("ab", ((),), [[np.nan, 1]]), "rows[0] must lie between 0 and 1, not nan."),
        (lambda: NGram("ab", ((), (0,)), [[1, 0], [1]]), "rows must be a table of numbers, not "),
        (lambda: NGram("ab", ((),), "10"), "rows must be a table of numbers, not '10'."),
        (lambda: NGram("aa", ((),), [[1, 0]]), "vocabulary[0] and vocabulary[1] must differ; "),
        (lambda: NGram("", ((),), [[]]), "vocabulary must have at least one entry, not 0."),
        (lambda: NGram("ab", ((), ()), [[1, 0]] * 2), "contexts[0] and contexts[1] must differ; "),
        (lambda: NGram("ab", ((), (2,)), [[1, 0]] * 2), "contexts[1] must lie between 0 and 1, "),
        (
            lambda: NGram("ab", ((), 0), [[1, 0]] * 2),
            "contexts[1] must be a tuple of whole numbers",
        ),
        (
            lambda: NGram("ab", ((), (0,) * 5), [[1, 0]] * 2),
            "order must lie between 1 and 5, not 6",
        ),
        (lambda: NGram("ab", ((),), [[1, 0]] * 2), "rows must have the shape (1, 2), not (2, 2)."),
        (lambda: NGram.from_table("ab", {(): (-1, 2)}), "p must lie between 0 and 1, not -1."),
        (
            lambda: NGram.fit(["a"]).at_temperature(6),
            "temperature must lie between 0 and 5, not 6.",
        ),
    ],
)
def test_what_is_refused(call, start):
    with pytest.raises(Refused) as refused:
        call()
    assert str(refused.value).startswith(start)
    assert isinstance(refused.value, ValueRefused | TypeRefused)


@given(st.lists(ANYTHING, min_size=3, max_size=3))
def test_nothing_but_a_model_or_a_refusal_comes_out(values):
    a, b, c = values
    for call in (
        lambda: NGram(a, b, c),
        lambda: NGram("ab", ((), b), c),
        lambda: NGram("ab", ((),), [[b, c]]),
        lambda: NGram.fit(a, vocabulary=b),
        lambda: NGram.fit([a, b], vocabulary=["a"]),
        lambda: NGram.from_table(a, b),
        lambda: NGram.from_table("ab", {(): a}),
        lambda: NGram.fit(["a"]).encode([a]),
        lambda: NGram.fit(["a"]).after(b),
    ):
        with suppress(Refused):
            call()
