"""Rounds of speculative decoding that were run, and what was counted in them.

Nothing is assumed about acceptance here. The names are those of a server's report: an acceptance
rate is accepted / drafted, an acceptance length includes the target's own token, and acceptance by
position is joint (a share of all rounds) or conditional (a share of those that got so far).
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from specdec_widgets.maths.cost import CostModel
from specdec_widgets.maths.ngram import Floats, Ints, NGram
from specdec_widgets.maths.numbers import integer


@dataclass(frozen=True, eq=False)
class Speculation:
    """Rounds that were run, and what was counted in them.

    Shapes: B sequences, R rounds each, gamma positions a round.

    target, draft, gamma, prompt: what was run; the prompt as indices
    drafted:  what the draft drew, (B, R, gamma)
    passed:   whether the draft token would be accepted if it were reached, (B, R, gamma): the
              verify pass scores every position, also those after a rejection, on the draft's own
              context
    proposed: draft tokens that were proposed, (B, R): gamma, or fewer where the draft stopped
    accepted: draft tokens that were accepted, (B, R)
    emitted:  the tokens of a round, (B, R, gamma + 1): the accepted ones, then the target's own,
              then -1

    >>> from specdec_widgets.maths import speculate, toy_pair
    >>> ran = speculate(toy_pair("en"), gamma=4, sequences=200, rounds=50, seed=1)
    >>> ran.rounds, ran.drafted.shape, ran.emitted.shape
    (10000, (200, 50, 4), (200, 50, 5))
    >>> int(ran.histogram.sum()), ran.by_position.columns.tolist()
    (10000, ['proposed', 'joint', 'conditional', 'marginal'])
    >>> abs(ran.mean_acceptance_length - ran.independent_length) < 3 * ran.standard_error
    True
    >>> round(ran.alpha, 2), round(ran.acceptance_rate, 2), ran.correlation.shape
    (0.71, 0.45, (4, 4))
    >>> ran.text(7)[:30], ran.tokens.shape
    ('Sometimes the west comes to th', (200, 175))
    >>> ran.story(7)["kind"].head(5).tolist()
    ['accepted', 'accepted', 'accepted', 'rejected', 'correction']
    """

    target: NGram
    draft: NGram
    gamma: int
    prompt: Ints
    drafted: npt.NDArray[np.int32]
    passed: npt.NDArray[np.bool_]
    proposed: Ints
    accepted: Ints
    emitted: npt.NDArray[np.int32]

    @property
    def rounds(self) -> int:
        """Rounds in all sequences."""
        return self.accepted.size

    @property
    def tokens(self) -> Ints:
        """What each sequence says after the prompt, shape (B, longest), -1 after its end."""
        flat = self.emitted.reshape(len(self.emitted), -1)
        ordered = np.take_along_axis(flat, np.argsort(flat < 0, axis=1, kind="stable"), axis=1)
        return ordered[:, : int((flat >= 0).sum(axis=1).max())].astype(np.int64)

    @property
    def mean_acceptance_length(self) -> float:
        """E as measured: tokens a round, the correction or bonus token included, 1..gamma + 1."""
        return 1 + float(self.accepted.mean())

    @property
    def standard_error(self) -> float | None:
        """Of the mean acceptance length, in tokens, from the means of the independent sequences.

        None for a single sequence: rounds of one sequence depend on each other.
        """
        means = self.accepted.mean(axis=1)
        return float(means.std(ddof=1) / math.sqrt(len(means))) if len(means) > 1 else None

    @property
    def alpha(self) -> float | None:
        """Accepted draft tokens / those that were reached (accepted, or the one rejected), 0..1.

        The probability that the cost model calls alpha, pooled over all positions. None where
        nothing was drafted.
        """
        reached = self.accepted.sum() + (self.accepted < self.proposed).sum()
        return float(self.accepted.sum() / reached) if reached else None

    @property
    def acceptance_rate(self) -> float | None:
        """Accepted / proposed draft tokens, 0..1, as engines say; not alpha. None without any."""
        return float(self.accepted.sum() / self.proposed.sum()) if self.proposed.any() else None

    @property
    def independent_length(self) -> float | None:
        """Tokens a round by the formula, with `alpha` everywhere; None where the draft stopped."""
        if self.alpha is None or (self.proposed < self.gamma).any():
            return None
        return CostModel(alpha=self.alpha, gamma=self.gamma).expected_tokens

    @property
    def histogram(self) -> pd.Series:
        """Rounds that accepted 0, 1, ... gamma draft tokens, which is the index."""
        counts = np.bincount(self.accepted.ravel(), minlength=self.gamma + 1)
        return pd.Series(counts, pd.RangeIndex(self.gamma + 1, name="accepted"), name="rounds")

    @property
    def by_position(self) -> pd.DataFrame:
        """Acceptance by position, which is the index, 1..gamma.

        proposed:    rounds in which the position was proposed
        joint:       accepted, a share of all rounds
        conditional: accepted, a share of the rounds that accepted everything before it and
                     proposed it
        marginal:    passed, a share of the rounds that proposed it, whatever came before

        A share of no round is NaN.
        """
        position = np.arange(1, self.gamma + 1)
        proposed = self.proposed[..., None] >= position
        accepted = self.accepted[..., None] >= position
        reached = proposed & (self.accepted[..., None] >= position - 1)
        table = {
            "proposed": proposed.sum(axis=(0, 1)),
            "joint": accepted.mean(axis=(0, 1)),
            "conditional": _share(accepted, reached),
            "marginal": _share(self.passed & proposed, proposed),
        }
        return pd.DataFrame(table, index=pd.RangeIndex(1, self.gamma + 1, name="position"))

    @property
    def correlation(self) -> pd.DataFrame:
        """Correlation of `passed` between positions, gamma x gamma, over full rounds.

        Independent positions would give 0 off the diagonal. NaN where a position never varies.
        """
        full = self.passed[self.proposed == self.gamma].astype(float)
        names = pd.RangeIndex(1, self.gamma + 1, name="position")
        return pd.DataFrame(full, columns=names).corr()

    def story(self, sequence: int = 0) -> pd.DataFrame:
        """The draft tokens and the emitted ones of one sequence, one a row, round by round.

        Columns: round, position (1..gamma + 1), token, kind (accepted, rejected, unread,
        correction, bonus), p and q, what target and draft give the token where it stands; q is NaN
        for the target's own. A rejected token's correction stands at the same position; an unread
        one was drafted after a rejection. Raises ValueRefused and TypeRefused for a sequence there
        is none of.
        """
        which = integer(sequence, "sequence", 0, len(self.emitted) - 1)
        rows: list[tuple[object, ...]] = []
        said = list(self.prompt)
        for number in range(self.accepted.shape[1]):
            kept = int(self.accepted[which, number])
            proposed = int(self.proposed[which, number])
            context = list(said)
            own = int(self.emitted[which, number, kept])
            kind = "correction" if kept < proposed else "bonus"
            for i, token in enumerate(self.drafted[which, number, :proposed]):
                kinds = "accepted" if i < kept else "rejected" if i == kept else "unread"
                rows.append(
                    (number + 1, i + 1, int(token), kinds, *self._chances(context, int(token)))
                )
                context.append(token)
            said += [*self.drafted[which, number, :kept]]
            rows.append((number + 1, kept + 1, own, kind, self._chances(said, own)[0], math.nan))
            said.append(own)
        table = pd.DataFrame(rows, columns=["round", "position", "token", "kind", "p", "q"])
        words = self.target.vocabulary
        return table.assign(token=[words[i] for i in table["token"]])

    def text(self, sequence: int = 0) -> str:
        """What one sequence says after the prompt; `sequence` as for `story`."""
        which = integer(sequence, "sequence", 0, len(self.emitted) - 1)
        return self.target.decode(self.emitted[which].ravel().tolist())

    def _chances(self, context: list[int], token: int) -> tuple[float, float]:
        history = np.array([context], np.int64)
        return (
            float(self.target.rows[self.target.row_of(history)[0], token]),
            float(self.draft.rows[self.draft.row_of(history)[0], token]),
        )


def _share(part: npt.NDArray[np.bool_], whole: npt.NDArray[np.bool_]) -> Floats:
    counts = whole.sum(axis=(0, 1))
    found = part.sum(axis=(0, 1))
    return np.asarray(np.divide(found, np.where(counts > 0, counts, math.nan)))
