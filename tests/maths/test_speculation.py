"""What is counted in rounds that were run, against counting one by one."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdec_widgets.maths import CostModel, Refused
from specdec_widgets.maths.ngram import NGram
from specdec_widgets.maths.speculation import Speculation
from specdec_widgets.maths.toy import speculate, toy_pair

MODEL = NGram.from_table("ab", {(): (0.5, 0.5)})


@st.composite
def speculations(draw):
    """Any outcome at all: passed flags, and how many tokens were proposed."""
    gamma = draw(st.integers(min_value=0, max_value=4))
    batch, rounds = draw(st.tuples(st.integers(1, 3), st.integers(1, 4)))
    flags = st.lists(st.booleans(), min_size=gamma, max_size=gamma)
    passed, proposed, accepted, emitted = [], [], [], []
    for _ in range(batch * rounds):
        passed.append(draw(flags))
        proposed.append(draw(st.integers(min_value=min(gamma, 1), max_value=gamma)))
        read = [*passed[-1][: proposed[-1]], False]
        accepted.append(read.index(False))
        emitted.append([0] * accepted[-1] + [1] + [-1] * (gamma - accepted[-1]))
    shape = (batch, rounds)
    return Speculation(
        MODEL,
        MODEL,
        gamma,
        np.array([0]),
        np.zeros((*shape, gamma), np.int32),
        np.array(passed, bool).reshape(*shape, gamma),
        np.array(proposed).reshape(shape),
        np.array(accepted).reshape(shape),
        np.array(emitted, np.int32).reshape(*shape, gamma + 1),
    )


def share(part, whole):
    return part / whole if whole else math.nan


@given(speculations())
def test_everything_is_as_counted_one_by_one(ran):
    flags = ran.passed.reshape(ran.rounds, ran.gamma)
    rounds = list(zip(ran.proposed.ravel(), ran.accepted.ravel(), flags, strict=True))
    assert ran.rounds == len(rounds)
    drafted, kept = sum(p for p, _, _ in rounds), sum(a for _, a, _ in rounds)
    rejected = sum(a < p for p, a, _ in rounds)
    assert ran.mean_acceptance_length == pytest.approx(1 + kept / len(rounds))
    assert ran.acceptance_rate == (kept / drafted if drafted else None)
    assert ran.alpha == (kept / (kept + rejected) if drafted else None)
    assert ran.histogram.tolist() == [
        sum(a == n for _, a, _ in rounds) for n in range(ran.gamma + 1)
    ]
    table = ran.by_position
    assert list(table.index) == list(range(1, ran.gamma + 1))
    for i, row in table.iterrows():
        there = [r for r in rounds if r[0] >= i]
        reached = [r for r in there if r[1] >= i - 1]
        expected = (
            len(there),
            sum(r[1] >= i for r in rounds) / len(rounds),
            share(sum(r[1] >= i for r in reached), len(reached)),
            share(sum(r[2][i - 1] for r in there), len(there)),
        )
        assert tuple(row) == pytest.approx(expected, nan_ok=True)
    assert ran.mean_acceptance_length == pytest.approx(1 + table["joint"].sum())


@given(speculations())
def test_the_tokens_stand_in_order_without_holes(ran):
    for row, emitted in zip(ran.tokens, ran.emitted, strict=True):
        said = [t for t in emitted.ravel() if t >= 0]
        assert row.tolist() == said + [-1] * (len(row) - len(said))
    assert (ran.tokens >= 0).any(axis=0).all()
    assert ran.text(0) == ran.target.decode(ran.tokens[0])


@given(speculations())
def test_the_formula_and_the_error_say_nothing_where_they_cannot(ran):
    stopped = (ran.proposed < ran.gamma).any()
    if stopped or ran.gamma == 0:
        assert ran.independent_length is None
    else:
        assert ran.independent_length == CostModel(ran.alpha, ran.gamma).expected_tokens
    means = [sum(row) / len(row) for row in ran.accepted]
    if len(means) == 1:
        assert ran.standard_error is None
    else:
        assert ran.standard_error == pytest.approx(np.std(means, ddof=1) / len(means) ** 0.5)


@given(speculations())
def test_correlation_is_that_of_the_full_rounds(ran):
    full = ran.passed[ran.proposed == ran.gamma]
    table = ran.correlation
    assert table.shape == (ran.gamma, ran.gamma)
    for i in range(ran.gamma):
        for j in range(ran.gamma):
            one, other = full[:, i], full[:, j]
            if len(full) and one.any() and other.any() and not (one.all() or other.all()):
                expected = np.corrcoef(one, other)[0, 1]
                assert table.iloc[i, j] == pytest.approx(expected, abs=1e-9)
            else:
                assert math.isnan(table.iloc[i, j])


@pytest.mark.parametrize("threshold", [0, 0.2])
def test_a_story_tells_the_rounds(threshold):
    pair = toy_pair("en")
    ran = speculate(pair, 3, 2, 30, seed=5, threshold=threshold)
    story = ran.story(1)
    said = ["."]
    for number, rows in story.groupby("round"):
        drafted, own = rows.iloc[:-1], rows.iloc[-1]
        kept = int(ran.accepted[1, number - 1])
        kinds = ["accepted"] * kept + ["rejected"] + ["unread"] * 3
        assert drafted["kind"].tolist() == kinds[: int(ran.proposed[1, number - 1])]
        assert own["kind"] == ("correction" if kept < len(drafted) else "bonus")
        assert rows["position"].tolist() == [*range(1, len(drafted) + 1), kept + 1]
        for i, row in enumerate(drafted.itertuples()):
            before = said + drafted["token"].tolist()[:i]
            assert row.p == pair.target.after(before)[row.token]
            assert row.q == pair.draft.after(before)[row.token]
            assert row.kind != "accepted" or row.p > 0
        said += [*drafted["token"][:kept], own["token"]]
        assert own["p"] == pair.target.after(said[:-1])[own["token"]] and math.isnan(own["q"])
    assert pair.target.decode(pair.target.encode(said[1:])) == ran.text(1)
    assert set(story["kind"]) >= {"accepted", "rejected", "correction", "bonus"}


def test_rounds_without_a_draft_are_plain_decoding():
    ran = speculate(toy_pair("en"), 0, 3, 5)
    assert ran.mean_acceptance_length == 1 and ran.tokens.shape == (3, 5)
    assert (ran.alpha, ran.acceptance_rate, ran.independent_length) == (None, None, None)
    assert ran.histogram.tolist() == [15] and ran.by_position.empty and ran.correlation.empty
    assert ran.story()["kind"].tolist() == ["bonus"] * 5
    assert isinstance(ran.histogram, pd.Series)


@pytest.mark.parametrize("ask", ["story", "text"])
def test_a_sequence_that_is_not_there_is_refused(ask):
    ran = speculate(toy_pair("en"), 2, 3, 2)
    with pytest.raises(Refused, match=r"^sequence must lie between 0 and 2, not 3\.$"):
        getattr(ran, ask)(3)
