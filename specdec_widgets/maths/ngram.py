"""N-gram models over a small text: real language models, small enough to look inside.

The next token is guessed from the last few by counting. A model of order n looks at the last n - 1
tokens; where it has not seen them together it looks at fewer. Every distribution is interpolated
with that of the shorter context, down to the uniform one, so that no token is impossible:

    P(w | h) = (count(h w) + smoothing x P(w | h without its first token)) / (count(h) + smoothing)

Source of the smoothing: MacKay, Peto, "A hierarchical Dirichlet language model" (1995), with one
constant for all contexts. Left out: everything that makes a model good.

By hand: in "a b a b a c", with smoothing 1, P(b) = (2 + 1/3) / 7 = 1/3 for the three tokens, and
after "a", seen three times, P(b | a) = (2 + 1 x 1/3) / 4 = 7/12.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from importlib.resources import files
from typing import cast

import numpy as np
import numpy.typing as npt
import pandas as pd

from specdec_widgets.maths.errors import TypeRefused, ValueRefused, shown
from specdec_widgets.maths.numbers import entries_of, integer, one_of, real
from specdec_widgets.maths.sampling import FLOAT_TOLERANCE, MAX_TEMPERATURE

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

LANGUAGES = ("en", "vi")
MAX_ORDER = 5
MIN_SMOOTHING, MAX_SMOOTHING = Fraction(1, 1000), 100
MAX_CELLS = 20_000_000  # contexts x vocabulary: 160 MB of probabilities
_NO_KEY = np.iinfo(np.int64).max
_WORD = re.compile(r"\w+(?:['’-]\w+)*|[^\w\s]")
_CLOSING = re.compile(r" ([.,;:!?])")


def load_text(language: str = "en") -> str:
    """The text that this project wrote for its models, "en" or "vi": about 3,000 words of a story.

    Raises ValueRefused for another language.

    >>> load_text("vi")[:17]
    'Thị trấn nằm ở ch'
    """
    known = one_of(language, "language", LANGUAGES)
    path = files("specdec_widgets") / "data" / f"text-{known}.txt"
    return path.read_text(encoding="utf-8")


def tokenise(text: str) -> list[str]:
    """The words and the punctuation marks of a text, each a token; a Vietnamese word is a syllable.

    Raises TypeRefused for what is no text.

    >>> tokenise("The river is loud, and it rains.")
    ['The', 'river', 'is', 'loud', ',', 'and', 'it', 'rains', '.']
    """
    if not isinstance(text, str):
        raise TypeRefused(
            "{argument} must be text, not {value}.", argument="text", value=shown(text)
        )
    return _WORD.findall(unicodedata.normalize("NFC", text))


def join_tokens(tokens: Iterable[str]) -> str:
    """The tokens as a text, no space before a closing mark.

    >>> join_tokens(["It", "rains", ",", "and", "it", "rains", "."])
    'It rains, and it rains.'
    """
    return _CLOSING.sub(r"\1", " ".join(tokens))


@dataclass(frozen=True, eq=False)
class NGram:
    """Distributions of the next token, one a context. Immutable.

    vocabulary: the tokens, V different ones; a token is its index here
    contexts:   what each row has seen before it, as tuples of at most 4 indices, oldest token
                first; all different, the empty one among them
    rows:       probabilities, shape (contexts, V), each row summing to 1; a copy, read-only

    A history is looked up by the longest context that it ends in.

    Raises ValueRefused and TypeRefused for all else.

    >>> model = NGram.fit("a b a b a c".split(), order=2, smoothing=1)
    >>> model.after("a").round(4).to_dict()
    {'a': 0.119, 'b': 0.5833, 'c': 0.2976}
    >>> model.encode("b a"), model.decode([1, 0, -1]), model.order
    (array([1, 0]), 'b a', 2)
    >>> row = model.row_of(np.array([[1, 0]]))  # after "b a": what it knows of "a"
    >>> model.draw(row, np.array([0.5]))
    array([1])
    """

    vocabulary: tuple[str, ...]
    contexts: tuple[tuple[int, ...], ...]
    rows: Floats

    @classmethod
    def fit(
        cls,
        tokens: Sequence[str],
        order: int = 2,
        smoothing: float = 2.0,
        vocabulary: Sequence[str] | None = None,
    ) -> "NGram":
        """Count a text.

        tokens:     the text, at least one token
        order:      tokens looked at and guessed together, 1..5: 2 is a bigram model
        smoothing:  how many sightings the shorter context is worth, 0.001..100
        vocabulary: the tokens it may give, those of the text among them; by default just those,
                    sorted

        Raises ValueRefused and TypeRefused for values out of range or of another type.
        """
        n = integer(order, "order", 1, MAX_ORDER)
        weight = real(smoothing, "smoothing", MIN_SMOOTHING, MAX_SMOOTHING)
        read = _texts(tokens, "tokens")
        known = sorted(set(read)) if vocabulary is None else _texts(vocabulary, "vocabulary")
        text = _indices(read, known, "tokens")
        grams = {tuple(text[i : i + k]) for k in range(n) for i in range(len(text) - k)}
        integer(len(grams) * len(known), "contexts x vocabulary", 1, MAX_CELLS)
        rows = np.zeros((len(grams), len(known)))  # counts at first, then probabilities
        place: dict[tuple[int, ...], int] = {}
        for seen in range(n):
            first = len(place)
            for i in range(len(text) - seen):
                row = place.setdefault(tuple(text[i : i + seen]), len(place))
                rows[row, text[i + seen]] += 1
            for context, row in list(place.items())[first:]:
                # A context that was followed by a token has a shorter one that was, too.
                below = rows[place[context[1:]]] if context else 1 / len(known)
                rows[row] = (rows[row] + weight * below) / (rows[row].sum() + weight)
        return cls(tuple(known), tuple(place), rows)

    @classmethod
    def from_table(
        cls, vocabulary: Sequence[str], table: Mapping[tuple[int, ...], Sequence[object]]
    ) -> "NGram":
        """A model written out by hand: context (indices, oldest first) -> probabilities.

        The empty context must be there. Raises ValueRefused and TypeRefused where it is not, and
        for rows that are no distributions over the vocabulary.

        >>> model = NGram.from_table("ab", {(): (0.5, 0.5), (0,): (0.9, 0.1)})
        >>> model.after("a").to_dict(), model.after("b").to_dict()
        ({'a': 0.9, 'b': 0.1}, {'a': 0.5, 'b': 0.5})
        """
        names, read = _texts(vocabulary, "vocabulary"), table_of(table, "table")
        rows = [entries_of(row, f"rows[{i}]") for i, row in enumerate(read.values())]
        for i, row in enumerate(rows):
            _of_shape(f"rows[{i}]", (len(row),), (len(names),))
        numbers = [[real(p, "p", 0, 1) for p in row] for row in rows]
        return cls(names, tuple(read), np.array(numbers))

    def __post_init__(self) -> None:
        """Check that every row is a distribution over the vocabulary, and close it to changes."""
        vocabulary = _texts(self.vocabulary, "vocabulary")
        _all_differ(vocabulary, "vocabulary")
        contexts = tuple(
            context_of(context, f"contexts[{i}]", len(vocabulary))
            for i, context in enumerate(entries_of(self.contexts, "contexts"))
        )
        _all_differ(contexts, "contexts")
        table_of(dict.fromkeys(contexts), "contexts")
        integer(1 + max(map(len, contexts)), "order", 1, MAX_ORDER)
        object.__setattr__(self, "vocabulary", vocabulary)
        object.__setattr__(self, "contexts", contexts)
        object.__setattr__(self, "rows", _array(self.rows))
        _of_shape("rows", self.rows.shape, (len(contexts), len(vocabulary)))
        highest = 1 + FLOAT_TOLERANCE
        if not (self.rows.min() >= 0 and self.rows.max() <= highest):  # or NaN
            outside = ~((self.rows >= 0) & (self.rows <= highest))
            row, column = map(int, np.argwhere(outside)[0])
            raise ValueRefused(
                "{argument} must lie between {low} and {high}, not {value}.",
                argument=f"rows[{row}]",
                low=0,
                high=1,
                value=shown(float(self.rows[row, column])),
            )
        total = self.rows.sum(axis=1)
        wrong = int(np.argmax(np.abs(total - 1)))
        if abs(total[wrong] - 1) > FLOAT_TOLERANCE:
            raise ValueRefused(
                "{argument} must sum to 1, not {value}.",
                argument=f"rows[{wrong}]",
                value=shown(float(total[wrong])),
            )

    @cached_property
    def order(self) -> int:
        """Tokens looked at and guessed together: one more than the longest context."""
        return 1 + max(map(len, self.contexts))

    def at_temperature(self, temperature: float) -> "NGram":
        """The model sampled at a temperature, 0..5: every probability to the power 1 / temperature.

        At 0 the whole mass goes to the most probable token, shared where several are. Raises
        ValueRefused and TypeRefused for another temperature.

        >>> NGram.from_table("ab", {(): (0.75, 0.25)}).at_temperature(0.5).rows.round(12)
        array([[0.9, 0.1]])
        """
        t = real(temperature, "temperature", 0, MAX_TEMPERATURE)
        if t == 1:
            return self
        weights = self.rows / self.rows.max(axis=1, keepdims=True)
        if t == 0:
            weights[weights < 1] = 0
        else:
            weights **= 1 / t
        weights /= weights.sum(axis=1, keepdims=True)
        return type(self)(self.vocabulary, self.contexts, weights)

    def encode(self, tokens: str | Iterable[str], argument: str = "tokens") -> Ints:
        """Indices of tokens; a text is cut into tokens first. Shape (tokens,).

        Raises ValueRefused for a token that is not in the vocabulary; `argument` names them there.
        """
        cut = _texts(tokenise(tokens) if isinstance(tokens, str) else tokens, argument, 0)
        return np.array(_indices(cut, self.vocabulary, argument), np.int64)

    def decode(self, indices: Iterable[int]) -> str:
        """The text of a sequence of indices; negative ones are left out."""
        return join_tokens(self.vocabulary[i] for i in indices if i >= 0)

    def after(self, tokens: str | Iterable[str]) -> pd.Series:
        """The distribution of the next token after `tokens`, indexed by the vocabulary.

        Probabilities, 0..1. Raises ValueRefused as `encode`.
        """
        row = int(self.row_of(self.encode(tokens)[None, :])[0])
        return pd.Series(self.rows[row], index=list(self.vocabulary), name="probability")

    def row_of(self, history: Ints) -> Ints:
        """The row of each history: that of the longest context it ends in.

        history: indices, shape (n, length), newest token last, -1 where there is no token before
        the first. Returns shape (n,).
        """
        keys, rows = self._by_length[0]
        found = np.full(len(history), rows[0])
        asked = np.zeros(len(history), np.int64)
        for length in range(1, min(self.order - 1, history.shape[1]) + 1):
            # Longer contexts overwrite shorter ones; -1, no token, gives a key that none has.
            asked = asked + history[:, -length] * len(self.vocabulary) ** (length - 1)
            keys, rows = self._by_length[length]
            at = np.searchsorted(keys, asked)
            hit = keys[at] == asked
            found = np.where(hit, rows[at], found)
        return found

    def draw(self, rows: Ints, uniform: Floats) -> Ints:
        """One token from each of `rows`, by the uniform numbers 0 <= u < 1. Shapes (n,)."""
        # The first token whose cumulative probability exceeds u, by halving all intervals at once.
        table, size = self._cumulative.ravel(), len(self.vocabulary)
        first, last = rows * size, rows * size + size - 1
        for _ in range((size - 1).bit_length()):
            middle = (first + last) >> 1
            above = table[middle] > uniform
            last = np.where(above, middle, last)
            first = np.where(above, first, middle + 1)
        return last - rows * size

    @cached_property
    def _cumulative(self) -> Floats:
        total = np.cumsum(self.rows, axis=1)
        # Exactly 1 from the last possible token on, so that no impossible one is ever drawn.
        total /= total[:, -1:].copy()
        return total

    @cached_property
    def _by_length(self) -> list[tuple[Ints, Ints]]:
        """For each length of context its sorted keys and the row of each."""
        tables = []
        for length in range(self.order):
            rows = np.array([i for i, c in enumerate(self.contexts) if len(c) == length], np.int64)
            known = np.array([self.contexts[i] for i in rows], np.int64).reshape(len(rows), length)
            weights = len(self.vocabulary) ** np.arange(length, dtype=np.int64)[::-1]
            keys = known @ weights
            order = np.argsort(keys)
            # One key more than there is, so that every search ends on a key.
            tables.append((np.append(keys[order], _NO_KEY), np.append(rows[order], 0)))
        return tables


def table_of(table: object, argument: str) -> Mapping[tuple[int, ...], object]:
    """The table, checked to map contexts to something, the empty context among them.

    `argument` names it in a refusal. Raises TypeRefused and ValueRefused where it does not.

    >>> table_of({(): (0.5, 0.5)}, "table")
    {(): (0.5, 0.5)}
    """
    if not isinstance(table, Mapping):
        raise TypeRefused(
            "{argument} must map contexts to probabilities, not {value}.",
            argument=argument,
            value=shown(table),
        )
    if () not in table:
        raise ValueRefused(
            "{argument} must hold the empty context, not only {value}.",
            argument=argument,
            value=shown(tuple(table)),
        )
    return table


def context_of(context: object, argument: str, size: int) -> tuple[int, ...]:
    """The context, checked to be a tuple of indices below `size`.

    `argument` names it in a refusal. Raises TypeRefused and ValueRefused where it is not.

    >>> context_of((0, 1), "contexts[3]", 2)
    (0, 1)
    """
    if not isinstance(context, tuple):
        raise TypeRefused(
            "{argument} must be a tuple of whole numbers, not {value}.",
            argument=argument,
            value=shown(context),
        )
    return tuple([integer(token, argument, 0, size - 1) for token in context])


def _texts(values: object, argument: str, least: int = 1) -> tuple[str, ...]:
    """The texts of a sequence; a text is the sequence of its characters."""
    entries = entries_of(tuple(values) if isinstance(values, str) else values, argument, least)
    for i, entry in enumerate(entries):
        if not isinstance(entry, str):
            raise TypeRefused(
                "{argument} must be text, not {value}.",
                argument=f"{argument}[{i}]",
                value=shown(entry),
            )
    return cast(tuple[str, ...], entries)


def _indices(tokens: Sequence[str], vocabulary: Sequence[str], argument: str) -> list[int]:
    index = {token: i for i, token in enumerate(vocabulary)}
    for i, token in enumerate(tokens):
        if token not in index:
            raise ValueRefused(
                "{argument} must be in the vocabulary, not {value}.",
                argument=f"{argument}[{i}]",
                value=shown(token),
            )
    return [index[token] for token in tokens]


def _all_differ(entries: Sequence[object], argument: str) -> None:
    first: dict[object, int] = {}
    for i, entry in enumerate(entries):
        if first.setdefault(entry, i) != i:
            raise ValueRefused(
                "{argument} and {other} must differ; both look like {value}.",
                argument=f"{argument}[{first[entry]}]",
                other=f"{argument}[{i}]",
                value=shown(entry),
            )


def _array(rows: object) -> Floats:
    """A copy of the rows, as floats that cannot be changed."""
    try:
        array = np.array(rows)
    except ValueError:  # rows of several lengths
        array = np.array(None)
    if array.dtype.kind not in "fiu":
        raise TypeRefused(
            "{argument} must be a table of numbers, not {value}.",
            argument="rows",
            value=shown(rows),
        )
    array = array.astype(np.float64, copy=False)
    array.flags.writeable = False
    return array


def _of_shape(argument: str, shape: tuple[int, ...], expected: tuple[int, ...]) -> None:
    if shape != expected:
        raise ValueRefused(
            "{argument} must have the shape {expected}, not {value}.",
            argument=argument,
            expected=str(expected),
            value=str(shape),
        )
