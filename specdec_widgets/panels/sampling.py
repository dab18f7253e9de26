"""The sampling panel: two distributions, the accept / resample rule, an output equal to p."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from html import escape
from typing import Any, ClassVar

import ipywidgets

from specdec_widgets.figures import SamplingFigure, tables
from specdec_widgets.figures.base import image
from specdec_widgets.maths import Refused, SamplingRule, exact

from .base import Panel, close_all
from .controls import (
    Download,
    Message,
    NumberControl,
    column,
    html,
    notices,
    paragraph,
    readouts,
    row,
    unlabelled_box,
)
from .pair import PairPanel
from .parameters import (
    MAX_TOKENS,
    MIN_TOKENS,
    AlphaParameter,
    check_distribution,
    check_tokens,
)

WIDTHS = ("10em", "7em", "7em")  # of a token's name, its p and its q
SAME_ALPHA = 1e-12  # what is left over where floats are added up


class SamplingPanel(AlphaParameter, PairPanel):
    """The sampling rule over a pair of distributions that can be edited.

    Parameters (traits): tokens, p (target) and q (draft), tuples of 2 to 12 entries, p and q exact
    fractions that each sum to 1; temperature (0..3, applied to both); alpha, that of the cost
    panel, to compare with.

    Example:
        >>> panel = SamplingPanel(language="en")
        >>> panel.rule.alpha, panel.rule.output == panel.rule.p
        (Fraction(9, 10), True)
        >>> panel.close()
    """

    CONTROLS: ClassVar[tuple[str, ...]] = ("pair", "temperature", "carry", *Panel.CONTROLS)
    PARAMETERS: ClassVar[tuple[str, ...]] = ("tokens", "p", "q", "temperature", "alpha")

    def build(self) -> Sequence[ipywidgets.Widget]:
        """The editor of the pair, the temperature, then figure, readouts and table."""
        self.figure = SamplingFigure()
        self._curve: tuple[Any, Any] = (None, None)
        self.editor = PairEditor(self)
        self.temperature_control = NumberControl(self, "temperature")
        self.carry = ipywidgets.Button(layout={"width": "auto", "align_self": "flex-start"})
        self._is_described = True
        self.carry.on_click(lambda _button: self._carry())
        self._readouts = html()
        self._notices = html(css_class="specdec-notices")
        self._picture = html(css_class="specdec-figure")
        self._table = html(css_class="specdec-wide")
        self.label(self._relabel_carry)
        return (
            row(
                *self.only_if_shown("pair", self.editor.widget),
                column(
                    *self.only_if_shown("temperature", self.temperature_control.widget),
                    *self.only_if_shown("carry", self.carry),
                    self.status,
                    self._readouts,
                    self._notices,
                ),
            ),
            row(self._picture, self._table),
            self.tools.row,
        )

    def draw(self) -> None:
        """Show the figure, the table and the readouts of the pair."""
        rule = self.rule
        if self.changed("tokens", "p", "q", "temperature"):
            self._picture.value = self._image(rule)
            self._table.value = tables.sampling_table(rule, self.words).html()
        if self.changed("tokens", "p", "q"):
            self.editor.follow()
        self._readouts.value = readouts(self._pairs(rule))
        self._notices.value = notices(self._remarks(rule))
        self._is_described = self._describes(rule)
        self.follow_carry()
        self.announce(self._sentence(rule))

    def forget(self) -> None:
        """Take back what is half typed."""
        super().forget()
        self.editor.fill()

    def downloads(self) -> Sequence[Download]:
        """The table as CSV, the figure as SVG and PNG."""
        rule = self.rule
        return (
            Download("sampling.csv", "text/csv", tables.csv(rule.table)),
            *self.pictures(
                "sampling", self.figure, rule, self.words, self.temperature, self._points()
            ),
        )

    def pieces(self) -> Sequence[str]:
        """The sentence of the result, the readouts, the remarks, the figure and the table."""
        rule = self.rule
        return (
            paragraph(self._sentence(rule)),
            readouts(self._pairs(rule)),
            notices(self._remarks(rule)),
            self._image(rule),
            tables.sampling_table(rule, self.words).html(),
        )

    def lines(self) -> Sequence[str]:
        """The sentence of the result, the readouts, the remarks and the table."""
        rule = self.rule
        return (
            self._sentence(rule),
            *(f"{name}: {value}" for name, value in self._pairs(rule)),
            *self._remarks(rule),
            tables.sampling_table(rule, self.words).text(),
        )

    # ---- the words of the result -----------------------------------------------------------------
    def title(self) -> str:
        """The heading of the panel."""
        return self.words.gettext("Same output: the sampling rule")

    def _sentence(self, rule: SamplingRule) -> str:
        _ = self.words.gettext
        said = (
            _("The output equals p on every token; {share} of the draft tokens are accepted.")
            if _closes(rule)
            else _("The output differs from p: the arithmetic does not close.")
        )
        return said.format(share=self.words.percent(rule.alpha))

    def _pairs(self, rule: SamplingRule) -> list[tuple[str, str]]:
        words, _ = self.words, self.words.gettext
        pairs = [
            (_("alpha of this pair, the sum of min(p, q)"), words.percent(rule.alpha)),
            (_("Probability of rejection, the sum of the residual"), words.percent(rule.rejection)),
            (
                _("Total variation distance, 1 − alpha"),
                words.number(rule.total_variation, 4),
            ),
        ]
        if "carry" in self.shown:
            pairs.append((_("alpha of the cost panel"), words.percent(self.alpha)))
        return pairs

    def _remarks(self, rule: SamplingRule) -> list[str]:
        words, _ = self.words, self.words.gettext
        remarks = []
        if "carry" in self.shown:  # there is a cost panel to speak of
            cost, pair = self._told_apart(rule)
            remarks.append(
                _("The cost panel now describes this pair.")
                if self._describes(rule)
                else _(
                    "The cost panel describes another pair: alpha is {cost} there and {pair} here."
                ).format(cost=cost, pair=pair)
            )
        if not rule.rejection:
            remarks.append(_("Nothing is ever rejected, so there is no residual to draw from."))
        if self.temperature == 0:
            remarks.append(_("Temperature 0 is greedy: the most probable token takes it all."))
        elif self.temperature != 1:
            remarks.append(
                _(
                    "At temperature {temperature} both p and q are raised to the power"
                    " 1/{temperature} and normalised."
                ).format(temperature=words.exact(round(self.temperature, 6)))
            )
        return remarks

    def _describes(self, rule: SamplingRule) -> bool:
        return bool(abs(float(rule.alpha) - self.alpha) < SAME_ALPHA)

    def _told_apart(self, rule: SamplingRule) -> tuple[str, str]:
        """Both alphas, with as many digits as it takes to see which is which."""
        words, alphas = self.words, (self.alpha, float(rule.alpha))
        cost, pair = map(words.percent, alphas)
        if cost == pair:
            cost, pair = (words.exact(round(alpha, 6)) for alpha in alphas)
        if cost == pair:
            cost, pair = map(words.exact, alphas)
        return cost, pair

    def follow_carry(self) -> None:
        """Offer to carry alpha over, where it is another one and that of what the rows say."""
        self.carry.disabled = self._is_described or self.editor.is_wrong

    def _carry(self) -> None:
        self.alpha = min(1.0, float(self.rule.alpha))  # a sum of floats may end just above 1

    def _relabel_carry(self) -> None:
        self.carry.description = self.words.gettext("Carry this alpha to the cost panel")

    def _image(self, rule: SamplingRule) -> str:
        points = self._points()
        return image(
            self.figure.draw(rule, self.words, self.temperature, points),
            self.figure.alt(rule, self.words, self.temperature, points),
            self.figure.size,
        )

    def _points(self) -> Any:
        """The curve of alpha by temperature, computed once for a pair."""
        key = (self.p, self.q)
        if self._curve[0] != key:
            self._curve = (key, self.pair.temperature_curve())
        return self._curve[1]


class PairEditor:
    """The rows of the pair: a name, p and q each, to be typed, added and removed.

    What is typed becomes the panel's pair as soon as all of it is right; until then the last pair
    stays on show and the line below the rows says what is wrong, and where.
    """

    def __init__(self, panel: SamplingPanel) -> None:
        """Build the rows of the panel's pair."""
        self.panel = panel
        self.rows: list[TokenRow] = []
        self._shown: Any = None  # the pair that the rows were last brought to
        self._filling = False
        self._heads = [html(css_class="specdec-head") for _column in WIDTHS]
        for head, width in zip(self._heads, WIDTHS, strict=True):
            head.layout.width = width
        self.sums = html(css_class="specdec-sums")
        self.message = Message()
        self.add = ipywidgets.Button(layout={"width": "auto"})
        self.normalise = ipywidgets.Button(layout={"width": "auto"})
        self.add.on_click(lambda _button: self._add())
        self.normalise.on_click(lambda _button: self._normalise())
        self.box = ipywidgets.VBox()
        self.widget = ipywidgets.VBox(
            [
                ipywidgets.HBox(self._heads),
                self.box,
                self.sums,
                self.message.widget,
                row(self.add, self.normalise),
            ]
        )
        self.widget.add_class("specdec-editor")
        panel.label(self.relabel)

    def relabel(self) -> None:
        """Write labels and numbers in the present language; what is half typed stays."""
        _ = self.panel.words.gettext
        for head, text in zip(
            self._heads, (_("token"), _("p (target)"), _("q (draft)")), strict=True
        ):
            head.value = escape(text)
        self.add.description = _("Add a token")
        self.normalise.description = _("Normalise")
        self._number()
        with self._quietly():
            for line in self.rows:
                line.rewrite()
        self._check()

    def follow(self) -> None:
        """Show the panel's pair where it has changed, unless the rows say just that already."""
        before, pair = self._shown, (self.panel.tokens, self.panel.p, self.panel.q)
        self._shown = pair
        if before and before != pair and before[1:] == pair[1:]:
            self._rename(dict(zip(before[0], pair[0], strict=True)))
        elif before != pair and self._typed() != pair:
            self.fill()

    def fill(self) -> None:
        """Write the panel's pair into the rows, unless code has set a part of it only so far."""
        if not len(self.panel.tokens) == len(self.panel.p) == len(self.panel.q):
            return
        pairs = list(zip(self.panel.tokens, self.panel.p, self.panel.q, strict=True))
        with self._quietly():
            self._resize(len(pairs))
            for line, (token, p, q) in zip(self.rows, pairs, strict=True):
                line.write(token, p, q)
        self._check()

    @contextmanager
    def _quietly(self) -> Iterator[None]:
        """Write into the rows, which are read once all is written."""
        self._filling = True
        try:
            yield
        finally:
            self._filling = False

    def _rename(self, names: dict[str, str]) -> None:
        with self._quietly():
            for line in self.rows:
                line.token.value = names.get(line.token.value, line.token.value)
        self._check()

    def _resize(self, count: int) -> None:
        while len(self.rows) > count:
            self._drop(self.rows[-1])
        while len(self.rows) < count:
            self.rows.append(TokenRow(self))
        self._number()

    def _drop(self, line: "TokenRow") -> None:
        self.rows.remove(line)
        self.box.children = tuple(line.widget for line in self.rows)
        close_all(line.widget)

    def _number(self) -> None:
        self.box.children = tuple(line.widget for line in self.rows)
        for number, line in enumerate(self.rows, start=1):
            line.relabel(number, removable=len(self.rows) > MIN_TOKENS)
        self.add.disabled = len(self.rows) >= MAX_TOKENS

    def _add(self) -> None:
        taken = {line.token.value for line in self.rows}
        names = (f"token {number}" for number in range(1, MAX_TOKENS + 2))
        name, nothing = next(name for name in names if name not in taken), Fraction(0)
        self.rows.append(TokenRow(self))
        with self._quietly():
            self.rows[-1].write(name, nothing, nothing)
        self._number()
        self.take()

    def remove(self, line: "TokenRow") -> None:
        """Take a row away; the sums tell what is missing then."""
        place = self.rows.index(line)
        self._drop(line)
        self._number()
        self.take()
        # The button that was pressed is gone. What follows it is built anew on the page, so that
        # only what stood before it can be reached by its keys.
        (self.rows[place - 1].drop if place else self.add).focus()

    @property
    def is_wrong(self) -> bool:
        """Whether the rows say something that is no pair."""
        return bool(self.message.said)

    def take(self) -> None:
        """Make what the rows say the panel's pair, if all of it is right."""
        if self._filling:
            return
        typed = self._check()
        if typed is not None:
            tokens, p, q = typed
            self.panel.set(tokens=tokens, p=p, q=q)

    def _check(self) -> tuple[tuple[str, ...], tuple[Fraction, ...], tuple[Fraction, ...]] | None:
        """What the rows say, or None and the sentence that says what is wrong."""
        self._show_sums()
        typed, said = None, ""
        try:
            typed = self._read()
        except Refused as refusal:
            said = self.panel.words.explain(refusal)
        self.message.say(said)
        self.panel.follow_carry()
        return typed

    def _typed(self) -> Any:
        try:
            return self._read()
        except Refused:
            return None

    def _read(self) -> tuple[tuple[str, ...], tuple[Fraction, ...], tuple[Fraction, ...]]:
        tokens = check_tokens(line.token.value for line in self.rows)
        p = check_distribution((line.number("p") for line in self.rows), "p")
        q = check_distribution((line.number("q") for line in self.rows), "q")
        return tokens, p, q

    def _column(self, name: str) -> list[Fraction] | None:
        """The numbers of a column, or None where one of them is no number."""
        try:
            return [exact(line.number(name), name) for line in self.rows]
        except Refused:
            return None

    def _show_sums(self) -> None:
        words, _ = self.panel.words, self.panel.words.gettext
        said = []
        for name in ("p", "q"):
            column = self._column(name)
            total = "–" if column is None else words.exact(sum(column))
            mark = "✓" if column is not None and sum(column) == 1 else "≠ 1"
            said.append(f"{name}: {total} {mark}")
        self.sums.value = escape(_("Sums: {p}; {q}").format(p=said[0], q=said[1]))

    def _normalise(self) -> None:
        """Divide each column by its sum, exactly; what is no number stays as it is, and is said."""
        with self._quietly():
            for name in ("p", "q"):
                column = self._column(name)
                if column is None or min(column) < 0 or not sum(column):
                    continue
                for line, value in zip(self.rows, column, strict=True):
                    line.put(name, value / sum(column))
        self.take()


class TokenRow:
    """One token: its name, its p, its q, and a button to remove it."""

    def __init__(self, editor: PairEditor) -> None:
        """Build the row; its values are written later."""
        self.editor = editor
        self.token, self.p, self.q = map(unlabelled_box, WIDTHS)
        self.drop = ipywidgets.Button(layout={"width": "auto"})
        self.drop.on_click(lambda _button: editor.remove(self))
        for box in (self.token, self.p, self.q):
            box.observe(lambda _change: editor.take(), names="value")
        self.widget = ipywidgets.HBox([self.token, self.p, self.q, self.drop])
        self._put: dict[str, tuple[str, Fraction]] = {}

    def write(self, token: str, p: Fraction, q: Fraction) -> None:
        """Show these values."""
        self.token.value = token
        self.put("p", p)
        self.put("q", q)

    def put(self, name: str, value: Fraction) -> None:
        """Show this p or q."""
        text = self.editor.panel.words.exact(value)
        self._put[name] = (text, value)
        getattr(self, name).value = text

    def rewrite(self) -> None:
        """Show p and q in the present language where nothing else has been typed since."""
        for name, (text, value) in list(self._put.items()):
            if getattr(self, name).value == text:
                self.put(name, value)

    def number(self, name: str) -> Fraction | str:
        """This p or q: as it was put here, which may be longer than can be typed, or as typed."""
        typed: str = getattr(self, name).value
        text, value = self._put[name]
        return value if typed == text else typed

    def relabel(self, number: int, removable: bool) -> None:
        """Name the boxes after the row's number, for those who hear the page."""
        _ = self.editor.panel.words.gettext
        self.token.description = _("name of token {number}").format(number=number)
        self.p.description = _("p of token {number}").format(number=number)
        self.q.description = _("q of token {number}").format(number=number)
        self.drop.description = _("Remove")
        self.drop.tooltip = _("remove token {number}").format(number=number)
        self.drop.disabled = not removable


def _closes(rule: SamplingRule) -> bool:
    if rule.is_exact:
        return rule.output == rule.p
    return all(
        abs(float(out) - float(p)) < 1e-12 for out, p in zip(rule.output, rule.p, strict=True)
    )
