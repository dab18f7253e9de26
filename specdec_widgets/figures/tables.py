"""The tables as HTML for the page, as text where there is none, and as CSV to keep.

The HTML is pandas' own. For tables that change with every move of a slider it is made once a shape
and language, with a slot in each cell, and filled from then on: the static part is kept, as in the
figures. No styles inside, only classes: `specdec-table`, `specdec-num` on numeric columns,
`specdec-now` and `specdec-peak` on rows of the cost table.
"""

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from html import escape
from itertools import cycle
from typing import NamedTuple

import pandas as pd
from pandas.api.types import is_numeric_dtype

from specdec_widgets.figures.cost import scan
from specdec_widgets.figures.names import harmless
from specdec_widgets.maths import CostModel, Rounds, SamplingRule
from specdec_widgets.maths.numbers import plain
from specdec_widgets.words import Words

_SLOT = "\0"  # no cell has it: `harmless` takes it out of names
_CLASSES = ["specdec-table", "tex2jax_ignore", "mathjax_ignore"]  # $x$ in a name is no formula
_WHOLE = (
    "round",
    "proposed",
    "accepted",
    "tokens",
    "total_tokens",
    "draft_passes",
    "target_passes",
)
_FORMULA = ("=", "+", "-", "@")  # what a spreadsheet takes for one


class Table(NamedTuple):
    """A table in words: its caption, the heads of its columns and its cells as text.

    `text_columns` are those not aligned as numbers; `classes` has the class of each row, or is
    empty where no row has one.
    """

    caption: str
    heads: tuple[str, ...]
    rows: Sequence[Sequence[str]]
    text_columns: frozenset[int] = frozenset()
    classes: Sequence[str] = ()

    @property
    def frame(self) -> pd.DataFrame:
        """The cells as they are shown, to be kept as CSV."""
        return pd.DataFrame(list(self.rows), columns=list(self.heads))

    def html(self) -> str:
        """The table as HTML; nothing in it is read as markup."""
        texts = [self.caption]
        for number, row in enumerate(self.rows):
            texts += self.classes[number : number + 1]
            texts += row
        with_classes = bool(self.classes)
        between = _template(self.heads, len(self.rows), self.text_columns, with_classes)
        filled = [between[0]]
        for text, following in zip(texts, between[1:], strict=True):
            filled += (escape(text, quote=False), following)
        return "".join(filled)

    def text(self) -> str:
        """The table as plain text, its caption above it."""
        if not self.rows:
            return self.caption
        lines = (line.rstrip() for line in self.frame.to_string(index=False).split("\n"))
        return "\n".join((self.caption, *lines))


@lru_cache(maxsize=64)
def _template(
    heads: tuple[str, ...], count: int, text_columns: frozenset[int], with_classes: bool
) -> list[str]:
    """The HTML of a table of that shape, cut at its slots: caption, classes, cells."""
    frame = pd.DataFrame([[_SLOT] * len(heads)] * count, columns=list(heads))
    html = frame.to_html(index=False, escape=True, border=0, classes=_CLASSES)
    return dressed(html, len(heads), text_columns, with_classes).split(_SLOT)


def dressed(html: str, columns: int, text_columns: frozenset[int], with_classes: bool) -> str:
    """The HTML of pandas with a slot for the caption and one for the class of each row.

    Columns of numbers get a class, heads a scope; indentation and styles go.
    """
    html = re.sub(r"\n *", "\n", html)
    html = html.replace("<thead>", f"<caption>{_SLOT}</caption>\n<thead>", 1)
    html = re.sub(r"<tr style=[^>]*>", "<tr>", html)
    head, body = html.split("<tbody>")
    if with_classes:
        body = body.replace("<tr>", f'<tr class="{_SLOT}">')
    numbers = ["" if at in text_columns else ' class="specdec-num"' for at in range(columns)]
    opened = cycle(numbers)
    head = re.sub("<th>", lambda _th: f'<th scope="col"{next(opened)}>', head)
    body = re.sub("<td>", lambda _td: f"<td{next(opened)}>", body)
    return f"{head}<tbody>{body}"


def csv(frame: pd.DataFrame) -> bytes:
    r"""The frame as CSV in UTF-8, marked as such for spreadsheets; decimal points, no index.

    Fractions are written as decimals, exact where they end. A text that a spreadsheet would take
    for a formula gets an apostrophe before it.

    >>> frame = pd.DataFrame({"token": ["mưa", "=1+1"], "p": [Fraction(1, 4), Fraction(1, 3)]})
    >>> csv(frame).decode("utf-8-sig")
    "token,p\nmưa,0.25\n'=1+1,0.3333333333333333\n"
    """
    columns = {
        name: column if is_numeric_dtype(column) else column.map(_cell, na_action="ignore")
        for name, column in frame.items()
    }
    return pd.DataFrame(columns).to_csv(index=False, lineterminator="\n").encode("utf-8-sig")


def _cell(value: object) -> str:
    if isinstance(value, Fraction):
        text = plain(value)
        return repr(float(value)) if "/" in text else text
    text = harmless(str(value))
    return f"'{text}" if text.lstrip().startswith(_FORMULA) else text


def cost_table(model: CostModel, words: Words) -> Table:
    """E, round cost and speedup of every gamma, the present one and the peak marked."""
    _ = words.gettext
    *columns, best = scan(model)
    peak, current = _("★ peak"), _("○ current")
    marks = {best.gamma: ("specdec-peak", peak)}
    if model.gamma == best.gamma:
        marks[best.gamma] = ("specdec-now specdec-peak", f"{current}, {peak}")
    else:
        marks[model.gamma] = ("specdec-now", current)
    cells = ([words.number(value, 2) for value in column.tolist()] for column in columns)
    notes = [marks.get(gamma, ("", "")) for gamma in range(len(columns[0]))]
    return Table(
        _("Every gamma of the scan"),
        ("gamma", _("expected tokens"), _("round cost"), _("speedup"), _("note")),
        [
            (str(gamma), *row, note)
            for gamma, (*row, (_name, note)) in enumerate(zip(*cells, notes, strict=True))
        ],
        text_columns=frozenset([4]),
        classes=[name for name, _note in notes],
    )


def rounds_table(rounds: Rounds, words: Words, limit: int = 50) -> Table:
    """The last `limit` rounds, and the one under way; says how many are not shown."""
    _, number = words.gettext, words.number
    hidden = max(0, len(rounds.table) - limit)
    caption = _("The rounds") if len(rounds.table) else _("No round is finished yet.")
    if hidden:
        caption = words.ngettext(
            "The last rounds; {hidden} earlier round is not shown.",
            "The last rounds; {hidden} earlier rounds are not shown.",
            hidden,
        ).format(hidden=number(hidden))
    columns = {name: column.array[hidden:].tolist() for name, column in rounds.table.items()}
    whole = [[number(value) for value in columns[name]] for name in _WHOLE]
    costs = [number(value, 2) for value in columns["total_cost"]]
    rejections = [
        number(accepted + 1)
        if accepted < proposed
        else _("none, bonus token")
        if proposed
        else _("none, no draft token")
        for accepted, proposed in zip(columns["accepted"], columns["proposed"], strict=True)
    ]
    rows = list(zip(*whole[:3], rejections, *whole[3:], costs, strict=True))
    left = rounds.unfinished
    if left:
        read = (number(left.round), number(left.accepted + left.missing), number(left.accepted))
        rows.append((*read, _("unfinished"), *["–"] * 5))
    heads = (
        _("round"),
        _("proposed"),
        _("accepted"),
        _("rejected at"),
        _("tokens"),
        _("total tokens"),
        _("draft passes"),
        _("target passes"),
        _("total cost"),
    )
    return Table(caption, heads, rows)


def sampling_table(rule: SamplingRule, words: Words) -> Table:
    """p, q, the accepted part, the residual and the output of every token."""
    _ = words.gettext
    heads = (
        _("token"),
        _("p (target)"),
        _("q (draft)"),
        "min(p, q)",
        _("raw residual"),
        _("normalised residual"),
        _("output"),
    )
    columns = (
        rule.p,
        rule.q,
        rule.accepted,
        rule.residual,
        rule.normalised_residual,
        rule.output,
    )
    rows = [
        (harmless(token), *(words.number(value, 4) for value in values))
        for token, *values in zip(rule.tokens, *columns, strict=True)
    ]
    return Table(_("The sampling rule, token by token"), heads, rows, text_columns=frozenset([0]))
