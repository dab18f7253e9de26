"""Round by round, without chance: a string of flags says which draft tokens are accepted.

A round proposes gamma draft tokens and reads flags until a 0 (rejected) or until gamma flags are
read; the flags after a 0 belong to the next round. No random number is drawn anywhere.

By hand, with gamma 4: in 1111 110 0 the first round accepts 4 and gains a bonus token, the second
accepts 2 and is rejected at position 3, the third is rejected at position 1.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from specdec_widgets.maths.cost import CostModel
from specdec_widgets.maths.errors import TypeRefused, ValueRefused, shown

_FOREIGN = re.compile(r"[^01 \t\r\n]")
_FLAG_TYPES = {int, bool, np.bool_}  # the usual ones, looked at all at once
_COLUMNS = (
    "round",
    "proposed",
    "accepted",
    "rejected_at",
    "tokens",
    "total_tokens",
    "draft_passes",
    "target_passes",
    "total_cost",
)

_Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Unfinished:
    """A round whose flags ran out before a 0 and before gamma flags. It counts in no total.

    round:    its number, from 1
    accepted: flags it has read, every one a 1
    missing:  flags that finish it for certain; a 0 finishes it sooner

    >>> simulate_rounds("11", gamma=4).unfinished.missing
    2
    """

    round: int
    accepted: int
    missing: int


@dataclass(frozen=True, eq=False)
class Rounds:
    """The finished rounds of an acceptance string, and what is known of an unfinished one.

    table:       one row a finished round, cumulative columns from the first round on:
                 round, proposed, accepted, rejected_at (position 1..gamma, missing where every
                 draft token was accepted), tokens, total_tokens, draft_passes, target_passes,
                 total_cost (the last four cumulative, cost in target passes)
    tokens:      tokens gained
    cost:        what they cost, in target passes
    accepted:    accepted flags
    flags_read:  flags read in finished rounds
    unfinished:  None, or the round that the flags did not finish

    A value that does not exist, such as a mean over no round, is None.

    >>> rounds = simulate_rounds("11110", gamma=4)
    >>> rounds.tokens, round(rounds.cost, 1), rounds.acceptance_rate
    (6, 2.8, 0.8)
    >>> rounds.mean_tokens, round(rounds.speedup, 3)
    (3.0, 2.143)
    >>> simulate_rounds("").speedup is None
    True
    """

    table: pd.DataFrame
    tokens: int
    cost: float
    accepted: int
    flags_read: int
    unfinished: Unfinished | None

    @property
    def mean_tokens(self) -> float | None:
        """Tokens a round, 1..gamma + 1; None while no round is finished."""
        return self.tokens / len(self.table) if len(self.table) else None

    @property
    def speedup(self) -> float | None:
        """Tokens a target pass, relative to plain decoding; None while no round is finished."""
        return self.tokens / self.cost if len(self.table) else None

    @property
    def acceptance_rate(self) -> float | None:
        """Accepted flags / flags read, 0..1; None where no flag was read."""
        return self.accepted / self.flags_read if self.flags_read else None


def simulate_rounds(
    flags: str | Iterable[int],
    gamma: int = 4,
    draft_cost: float = 0.10,
    verify_cost: float = 1.00,
) -> Rounds:
    r"""Read the flags round by round.

    flags:       1 accepted, 0 rejected: text, with spaces, tabs and line breaks wherever you like,
                 or an iterable of 0 and 1 (int or bool)
    gamma, draft_cost, verify_cost: as for CostModel, and in the same ranges

    With gamma 0 no flag is read: one plain target pass gives one token, whatever the flags. Time
    and memory grow in step with the number of flags.

    Raises ValueRefused for anything but 0 and 1, naming it and its position (from 1, spaces
    counted), and for a parameter out of range; TypeRefused for a value of another type, also
    within the flags.

    >>> rounds = simulate_rounds("111111001110101111", gamma=4)
    >>> rounds.table[["accepted", "rejected_at", "tokens", "total_cost"]]
       accepted  rejected_at  tokens  total_cost
    0         4         <NA>       5         1.4
    1         2            3       3         2.8
    2         0            1       1         4.2
    3         3            4       4         5.6
    4         1            2       2         7.0
    5         4         <NA>       5         8.4
    >>> round(rounds.mean_tokens, 3), round(rounds.speedup, 2), round(rounds.acceptance_rate, 3)
    (3.333, 2.38, 0.778)
    >>> simulate_rounds("1111 11").unfinished
    Unfinished(round=2, accepted=2, missing=2)
    """
    model = CostModel(gamma=gamma, draft_cost=draft_cost, verify_cost=verify_cost)
    read = _read(flags)
    if model.gamma == 0:
        accepted, rejected, left = np.zeros(1, np.int64), np.zeros(1, bool), 0
    else:
        accepted, rejected, left = _cut_into_rounds(read, model.gamma)
    table = _table(accepted, rejected, model)
    count, kept = len(table), int(accepted.sum())
    return Rounds(
        table=table,
        tokens=kept + count,
        cost=float(table["total_cost"].array[-1]) if count else 0.0,
        accepted=kept,
        flags_read=kept + int(np.count_nonzero(rejected)),
        unfinished=Unfinished(count + 1, left, model.gamma - left) if left else None,
    )


def _cut_into_rounds(flags: _Ints, gamma: int) -> tuple[_Ints, npt.NDArray[np.bool_], int]:
    """Accepted tokens and rejection of every finished round, and the flags left over."""
    # A run of n ones and its 0 make n // gamma full rounds and one that accepts n % gamma.
    zeros = np.flatnonzero(flags == 0)
    full, rest = np.divmod(np.diff(zeros, prepend=-1) - 1, gamma)
    tail = len(flags) - (int(zeros[-1]) + 1 if len(zeros) else 0)
    tail_full, left = divmod(tail, gamma)
    ends = np.cumsum(full + 1) - 1
    count = (int(ends[-1]) + 1 if len(ends) else 0) + tail_full
    accepted = np.full(count, gamma, np.int64)
    accepted[ends] = rest
    rejected = np.zeros(count, bool)
    rejected[ends] = True
    return accepted, rejected, left


def _table(accepted: _Ints, rejected: npt.NDArray[np.bool_], model: CostModel) -> pd.DataFrame:
    number = np.arange(1, len(accepted) + 1)
    tokens = accepted + 1  # the target's own: the correction, or the bonus token
    drafts = number * model.gamma
    columns = (
        number,
        np.full(len(accepted), model.gamma),
        accepted,
        pd.arrays.IntegerArray(accepted + 1, ~rejected),  # counted from 1
        tokens,
        np.cumsum(tokens),
        drafts,
        number,  # target passes: one a round
        drafts * model.draft_cost + number * model.verify_cost,
    )
    return pd.DataFrame(dict(zip(_COLUMNS, columns, strict=True)))


def _read(flags: object) -> _Ints:
    if isinstance(flags, str):
        foreign = _FOREIGN.search(flags)
        if foreign:
            raise _foreign(foreign.group(), foreign.start() + 1)
        digits = "".join(flags.split()).encode("ascii")
        return np.frombuffer(digits, np.uint8) - np.int64(ord("0"))
    if isinstance(flags, np.ndarray):
        flags = flags.tolist()  # Python's own numbers are faster to look at one by one
    if isinstance(flags, bytes | bytearray | memoryview) or not isinstance(flags, Iterable):
        raise TypeRefused(
            "{argument} must be text of 0 and 1 or a sequence of 0 and 1, not {value}.",
            argument="flags",
            value=shown(flags),
        )
    values = list(flags)
    if not (set(map(type, values)) <= _FLAG_TYPES and set(values) <= {0, 1}):
        for position, value in enumerate(values, start=1):
            if not _is_flag(value, position):
                raise _foreign(value, position)
    return np.array(values, np.int64)


def _is_flag(value: object, position: int) -> bool:
    # Not 1.0, and none of numpy's durations, which it counts among the integers.
    if not isinstance(value, int | np.integer | np.bool_) or isinstance(value, np.timedelta64):
        raise TypeRefused(
            "{argument} may hold only 0 and 1 as whole numbers, not {value} ({type}) at position "
            "{position}.",
            argument="flags",
            value=shown(value),
            type=type(value).__name__,
            position=position,
        )
    return value in (0, 1)


def _foreign(value: object, position: int) -> ValueRefused:
    return ValueRefused(
        "{argument} may hold only 0 and 1, with spaces or line breaks between them, "
        "not {value} at position {position}.",
        argument="flags",
        value=shown(value),
        position=position,
    )
