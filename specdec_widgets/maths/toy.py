"""Speculative decoding that really runs: two n-gram models over one text, thousands of rounds.

The target is a trigram model, the draft a bigram model of the same text. In a round the draft
draws gamma tokens, the target scores all gamma + 1 positions, and each draft token x is accepted
with probability min(1, p(x) / q(x)); at the first rejection one token is drawn from the residual
max(0, p - q), normalised, and after gamma acceptances one from the target: the rule of
`SamplingRule`, here over a batch of sequences at once.

Nothing is assumed about acceptance: it is counted. Beside it stands what the formula of the cost
model, with its one alpha and its independent positions, makes of the same rounds.

Left out: time. A pass of a toy model costs next to nothing, so what is fast here is numpy.
"""

from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from specdec_widgets.maths.cost import MAX_GAMMA
from specdec_widgets.maths.draws import MAX_SEED
from specdec_widgets.maths.errors import ValueRefused, shown
from specdec_widgets.maths.ngram import Floats, Ints, NGram, load_text, tokenise
from specdec_widgets.maths.numbers import integer, one_of, real
from specdec_widgets.maths.speculation import Speculation

MAX_POSITIONS = 10_000_000  # sequences x rounds x (gamma + 1): some 100 MB
CORRECTIONS = ("residual", "target")
Correction = Literal["residual", "target"]
TEMPERATURES = (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0)


@dataclass(frozen=True, eq=False)
class ToyPair:
    """A target and a draft over the same vocabulary. Immutable.

    Raises ValueRefused for two vocabularies.

    >>> pair = toy_pair("en")
    >>> pair.target.order, pair.draft.order, pair.at_temperature(0).target.rows.max().item()
    (3, 2, 1.0)
    """

    target: NGram
    draft: NGram

    def __post_init__(self) -> None:
        """Check that both speak of the same tokens."""
        if self.draft.vocabulary != self.target.vocabulary:
            raise ValueRefused(
                "{argument} must be that of the target, not {value}.",
                argument="draft.vocabulary",
                value=shown(self.draft.vocabulary),
            )

    def at_temperature(self, temperature: float) -> "ToyPair":
        """Both models sampled at the same temperature, 0..5; another is refused as by `NGram`."""
        return ToyPair(
            self.target.at_temperature(temperature), self.draft.at_temperature(temperature)
        )


@cache
def toy_pair(
    language: str = "en",
    draft_order: int = 2,
    target_order: int = 3,
    draft_smoothing: float = 2.0,
    target_smoothing: float = 2.0,
) -> ToyPair:
    """The pair of a language, "en" or "vi", fitted to the text of this project.

    The parameters are those of `NGram.fit`, and refused like them. A pair is fitted once and kept.
    Raises ValueRefused for another language.

    >>> toy_pair("vi").draft.order, toy_pair("vi") is toy_pair("vi")
    (2, True)
    """
    text = tokenise(load_text(language))
    return ToyPair(
        NGram.fit(text, target_order, target_smoothing),
        NGram.fit(text, draft_order, draft_smoothing),
    )


def speculate(
    pair: ToyPair,
    gamma: int = 4,
    sequences: int = 256,
    rounds: int = 40,
    seed: int = 0,
    *,
    prompt: str = ".",
    threshold: float = 0.0,
    correction: Correction = "residual",
) -> Speculation:
    """Run rounds of speculative decoding, all sequences side by side.

    gamma:      draft tokens a round, 0..32
    sequences:  independent sequences, each after the same prompt
    rounds:     rounds of each sequence; sequences x rounds x (gamma + 1) at most 10,000,000
    seed:       of numpy.random.default_rng, 0..2^32 - 1: the same seed gives the same tokens
    prompt:     tokens of the vocabulary that every sequence starts after
    threshold:  the draft stops after a token to which it gave a probability below this, 0..1;
                at 0 it never stops. That token is still proposed: see below
    correction: what is drawn from on rejection, "residual", or "target" for the common bug

    Stopping stays lossless because it decides only how many tokens are drawn after this one, never
    whether a drawn one is verified: given what stands before it, each proposed token is still a
    draw from q that meets the accept / resample rule, and after the last of them comes the
    target's own. To stop before drawing, by how sure q is altogether, would be lossless too. But
    to throw the unsure token away would keep only draws that the draft liked, no longer draws
    from q, and the output would change: `enumerate_outcomes(rule="drop_unsure")` shows it.

    Raises ValueRefused and TypeRefused for values out of range or of another type.

    >>> ran = speculate(toy_pair("en"), gamma=4, sequences=200, rounds=50, seed=1)
    >>> ran.rounds, round(ran.alpha, 2), round(ran.mean_acceptance_length, 1)
    (10000, 0.71, 2.8)
    """
    steps = integer(gamma, "gamma", 0, MAX_GAMMA)
    batch = integer(sequences, "sequences", 1, MAX_POSITIONS)
    count = integer(rounds, "rounds", 1, MAX_POSITIONS)
    integer(batch * count * (steps + 1), "sequences x rounds x (gamma + 1)", 1, MAX_POSITIONS)
    sure = real(threshold, "threshold", 0, 1)
    one_of(correction, "correction", CORRECTIONS)
    start = pair.target.encode(prompt, "prompt")
    rng = np.random.default_rng(integer(seed, "seed", 0, MAX_SEED))
    window = max(pair.target.order, pair.draft.order) - 1
    history = _window(start, window, batch)
    drafted = np.zeros((batch, count, steps), np.int32)
    passed = np.zeros((batch, count, steps), bool)
    proposed = np.zeros((batch, count), np.int64)
    accepted = np.zeros((batch, count), np.int64)
    emitted = np.full((batch, count, steps + 1), -1, np.int32)
    for r in range(count):
        done = _round(pair, history, steps, sure, correction, rng)
        drafted[:, r], passed[:, r], proposed[:, r], accepted[:, r], own = done
        kept = np.arange(steps) < accepted[:, r, None]
        emitted[:, r, :steps] = np.where(kept, drafted[:, r], -1)
        emitted[np.arange(batch), r, accepted[:, r]] = own
        history = _newest(history, emitted[:, r], accepted[:, r] + 1)
    return Speculation(
        pair.target, pair.draft, steps, start, drafted, passed, proposed, accepted, emitted
    )


def sample_plain(
    model: NGram, sequences: int = 256, length: int = 120, seed: int = 0, *, prompt: str = "."
) -> Ints:
    """Plain sampling, one token a pass: indices after the prompt, shape (sequences, length).

    seed, prompt: as for `speculate`; sequences x length at most 10,000,000

    Raises ValueRefused and TypeRefused for values out of range or of another type.

    >>> tokens = sample_plain(toy_pair("en").target, sequences=1, length=12, seed=8)
    >>> toy_pair("en").target.decode(tokens[0])
    'On town and two strokes for the mangoes again. People sit'
    """
    batch = integer(sequences, "sequences", 1, MAX_POSITIONS)
    count = integer(length, "length", 1, MAX_POSITIONS)
    integer(batch * count, "sequences x length", 1, MAX_POSITIONS)
    rng = np.random.default_rng(integer(seed, "seed", 0, MAX_SEED))
    history = _window(model.encode(prompt, "prompt"), model.order - 1, batch)
    tokens = np.zeros((batch, count), np.int64)
    for i in range(count):
        tokens[:, i] = model.draw(model.row_of(history), rng.random(batch))
        history = _pushed(history, tokens[:, i])
    return tokens


def acceptance_by_temperature(
    pair: ToyPair,
    gamma: int = 4,
    temperatures: tuple[float, ...] = TEMPERATURES,
    sequences: int = 256,
    rounds: int = 40,
    seed: int = 0,
) -> pd.DataFrame:
    """The same rounds at several temperatures, 0..5, which are the index.

    Columns: alpha, mean_acceptance_length, independent_length (the formula's, at that alpha); NaN
    where nothing was drafted. Raises ValueRefused and TypeRefused as `speculate`.

    >>> table = acceptance_by_temperature(toy_pair("en"), 4, (0.5, 2.0), 50, 20, seed=1)
    >>> table["alpha"].round(1).tolist()
    [0.7, 1.0]
    """
    names = ("alpha", "mean_acceptance_length", "independent_length")
    counted = []
    for t in temperatures:  # one pair at a time in memory: some 20 MB each
        ran = speculate(pair.at_temperature(t), gamma, sequences, rounds, seed)
        counted.append([getattr(ran, name) for name in names])
    index = pd.Index(temperatures, name="temperature")
    return pd.DataFrame(counted, index, list(names), dtype=float)


def _round(
    pair: ToyPair,
    history: Ints,
    gamma: int,
    threshold: float,
    correction: str,
    rng: np.random.Generator,
) -> tuple[Ints, npt.NDArray[np.bool_], Ints, Ints, Ints]:
    """One round of every sequence: drafted, passed, proposed, accepted, and the target's own."""
    target, draft = pair.target, pair.draft
    batch = len(history)
    uniform = rng.random((2 * gamma + 1, batch))
    drafted = np.zeros((batch, gamma), np.int64)
    passed = np.zeros((batch, gamma), bool)
    target_rows = np.zeros((batch, gamma + 1), np.int64)
    draft_rows = np.zeros((batch, gamma + 1), np.int64)
    proposed = np.zeros(batch, np.int64)
    going = np.ones(batch, bool)
    for i in range(gamma):
        draft_rows[:, i] = draft.row_of(history)
        target_rows[:, i] = target.row_of(history)
        token = draft.draw(draft_rows[:, i], uniform[2 * i])
        q = draft.rows[draft_rows[:, i], token]
        p = target.rows[target_rows[:, i], token]
        passed[:, i] = uniform[2 * i + 1] * q < p
        drafted[:, i] = token
        proposed += going
        going &= q >= threshold
        history = _pushed(history, token)
    target_rows[:, gamma] = target.row_of(history)
    reached = passed & (np.arange(gamma) < proposed[:, None])
    accepted = np.cumprod(reached, axis=1).sum(axis=1)
    all_rows = np.arange(batch)
    rows = target_rows[all_rows, accepted]
    own = target.draw(rows, uniform[-1])
    if correction == "residual":
        again = np.flatnonzero(accepted < proposed)
        lacking = target.rows[rows[again]] - draft.rows[draft_rows[again, accepted[again]]]
        residual = np.maximum(lacking, 0)
        real_ones = residual.any(axis=1)  # none is left where p and q differ by a rounding error
        again = again[real_ones]
        own[again] = _drawn(residual[real_ones], uniform[-1, again])
    return drafted, passed, proposed, accepted, own


def _drawn(weights: Floats, uniform: Floats) -> Ints:
    """One index from each row of weights, shape (n, V), by uniform numbers 0 <= u < 1."""
    total = np.cumsum(weights, axis=1)
    return np.asarray(np.argmax(total / total[:, -1:] > uniform[:, None], axis=1))


def _window(prompt: Ints, size: int, batch: int) -> Ints:
    """The last `size` tokens of the prompt for every sequence, -1 where it is shorter."""
    padded = np.concatenate([np.full(size, -1), prompt])
    return np.tile(padded[len(padded) - size :], (batch, 1))


def _pushed(history: Ints, token: Ints) -> Ints:
    return np.concatenate([history, token[:, None]], axis=1)[:, 1:]


def _newest(history: Ints, emitted: npt.NDArray[np.int32], count: Ints) -> Ints:
    """The window after the first `count` of the emitted tokens, which differ by sequence."""
    joined = np.concatenate([history, emitted], axis=1)
    newest = count[:, None] + np.arange(history.shape[1])
    return np.take_along_axis(joined, newest, axis=1).astype(np.int64)
