"""The report panel: the reader's own numbers, from what a server prints to a gamma."""

from collections.abc import Sequence
from html import escape
from itertools import chain
from typing import Any, ClassVar

import ipywidgets
import traitlets

from specdec_widgets.figures import tables
from specdec_widgets.figures.base import image
from specdec_widgets.figures.lines import LinesFigure
from specdec_widgets.figures.report import (
    curve_table,
    report_charts,
    report_curve,
    report_table,
)
from specdec_widgets.maths import EXAMPLES, Choice, Refused, Report, read_report
from specdec_widgets.maths.numbers import integer
from specdec_widgets.maths.reports.lines import MAX_POSITIONS
from specdec_widgets.maths.reports.text import TYPED_EXAMPLES, decoded

from .base import Panel
from .controls import (
    LABEL_WIDTH,
    Download,
    Message,
    NumberControl,
    PresetChoice,
    WholeField,
    column,
    control,
    grid,
    html,
    notices,
    paragraph,
    readouts,
    region,
    row,
    scroller,
    text_box,
)
from .parameters import Costs, Parameter, checked
from .report_words import Reading

_COSTS = ("draft_cost", "verify_cost")
_LONGEST_SHOWN = 20_000  # characters; a longer text is read, but not sent to the page
READ_IN_A_CELL = 'ReportPanel(text=open("server.log", "rb").read())'
_PRESETS = {engine: {"text": line, "gamma": None} for engine, line in EXAMPLES.items()}


class ReportPanel(Costs, Panel):
    """What a server's report says about speculative decoding, and which gamma follows from it.

    The report is pasted, uploaded or set from code; it stays in the kernel. What cannot be read is
    explained, and the last report that could be read stays. Of a file or a paste the server that
    runs JupyterLab may take 10 MiB and no more: `course.py` lets it take 100 MiB, and a cell reads
    a log of any length, `ReportPanel(text=open("server.log", "rb").read())`.

    Parameters (traits): text (str, or bytes as for `read_report`, which are kept as str), gamma
    (draft tokens in a round where the report does not say it, 1..1000, or None), draft_cost and
    verify_cost.

    Example:
        >>> panel = ReportPanel(text="208 of 260, gamma 5", language="en")
        >>> round(panel.report.implied_alpha, 3), panel.best.gamma
        (0.927, 5)
        >>> panel.close()
    """

    PARAMETERS: ClassVar[tuple[str, ...]] = ("text", "gamma", *_COSTS)
    CONTROLS: ClassVar[tuple[str, ...]] = (
        *("text", "upload", "example", "gamma", *_COSTS),
        *Panel.CONTROLS,
    )

    text = Parameter(EXAMPLES["vLLM"])
    gamma = traitlets.Any(None)

    def __init__(self, **keywords: Any) -> None:
        self._read: tuple[Any, int | None, Report] | None = None
        self._refused: Refused | None = None  # why what stands in the box was not taken
        super().__init__(**keywords)

    @property
    def report(self) -> Report:
        """What the present text says."""
        return self._report_of(self.text, self.gamma)

    @property
    def best(self) -> Choice | None:
        """The best gamma up to the measured one, at the present costs."""
        return self.report.best(self.draft_cost, self.verify_cost)

    def title(self) -> str:
        """The heading."""
        return self.words.gettext("Your server's report")

    def build(self) -> Sequence[ipywidgets.Widget]:
        """Where the report goes in, the costs, the advice, what it says, and the curve."""
        self.figures = (LinesFigure(3, 290), LinesFigure(4, 290))
        self.area = ipywidgets.Textarea(
            continuous_update=False, tooltip="", rows=6, layout={"width": "auto", "height": "120px"}
        )
        self.area.add_class("specdec-unlabelled")
        self.button = ipywidgets.Button(layout={"width": "auto"})
        self.upload = ipywidgets.FileUpload(multiple=False, layout={"width": "auto"})
        self.message, self.help = Message(), html()
        self.gamma_field = GammaField(
            self, "gamma", text_box("auto", LABEL_WIDTH), may_be_empty=True
        )
        self.example = PresetChoice(self, "example", _PRESETS)
        self.numbers = {name: NumberControl(self, name) for name in _COSTS}
        self._wire()
        self._said, self._findings = html(css_class="specdec-wide"), html()
        self._readouts, self._notices = html(), html(css_class="specdec-notices")
        self._pictures = tuple(html(css_class="specdec-figure") for _figure in self.figures)
        self._table = scroller("300px")
        given = [
            *self.only_if_shown("text", self.area),
            row(
                *self.only_if_shown("text", self.button), *self.only_if_shown("upload", self.upload)
            ),
        ]
        controls = {
            "example": self.example.widget,
            "gamma": control(self.gamma_field.box, self.gamma_field.message.widget),
            **{name: number.widget for name, number in self.numbers.items()},
        }
        shown = chain.from_iterable(self.only_if_shown(*named) for named in controls.items())
        pictures = ipywidgets.VBox(self._pictures)
        pictures.add_class("specdec-figure")
        return (
            *given,
            self.message.widget,
            self.help,
            grid(*shown),
            self.status,
            row(self._said, column(self._readouts, self._findings, self._notices)),
            row(pictures, column(self._table)),
            self.tools.row,
        )

    def draw(self) -> None:
        """Show what the report says, and the curve at the present costs."""
        reading = self._reading
        said, found, figures, remarks, curve, *pictures = self._shown(reading)
        if self.changed("text", "gamma"):
            self._said.value = said
        self._findings.value = found
        self._readouts.value = figures
        self._notices.value = remarks
        self._table.value = region(curve, self.words.gettext("Every gamma")) if curve else ""
        self._table.layout.display = None if curve else "none"
        for at, widget in enumerate(self._pictures):
            widget.value = pictures[at] if pictures else ""
        self.announce(reading.advice)

    def pieces(self) -> Sequence[str]:
        """The example where it is one, the advice, and all that the live view shows."""
        reading = self._reading
        return (*self._example_line(), paragraph(reading.advice), *self._shown(reading))

    def lines(self) -> Sequence[str]:
        """The advice, the findings, the readouts, the remarks and both tables."""
        reading = self._reading
        tables_ = [report_table(self.report, self.words).text()]
        if self._is_charted:
            tables_.append(self._sheet(self._curve(), reading.best).text())
        return (
            reading.advice,
            *(sentence for _mark, sentence in reading.findings),
            *(f"{name}: {value}" for name, value in reading.pairs),
            *self._remarks(reading),
            *tables_,
        )

    def downloads(self) -> Sequence[Download]:
        """What the report says and the curve as CSV, and the charts as SVG and PNG."""
        curve, said = self._curve(), report_table(self.report, self.words).frame
        files = [
            Download("report.csv", "text/csv", tables.csv(said)),
            Download("report-curve.csv", "text/csv", tables.csv(curve.reset_index())),
        ]
        if self._is_charted:
            charts, stems = self._charts(curve, self.best), ("report-1", "report-2")
            for figure, chart, stem in zip(self.figures, charts, stems, strict=True):
                files.extend(self.pictures(stem, figure, chart, self.words))
        return files

    def reset(self) -> None:
        """Return to the start values; a text that was not taken goes too."""
        self._refused = None
        super().reset()
        self._follow()

    # ---- the result ------------------------------------------------------------------------------
    @property
    def _reading(self) -> Reading:
        return Reading(self.report, self.draft_cost, self.verify_cost, self.words)

    def _remarks(self, reading: Reading) -> list[str]:
        """The remarks, the first of them where the text is one of the examples."""
        remarks = reading.remarks
        if self.text not in EXAMPLES.values():
            return remarks
        _ = self.words.gettext
        own = _("This is an example of a line, not your server: paste your own report above.")
        return [own, *remarks]

    def _shown(self, reading: Reading) -> tuple[str, ...]:
        """Report table, findings, readouts, remarks, curve table and charts, as HTML."""
        said = report_table(self.report, self.words).html()
        found = "".join(
            f'<p class="specdec-notice">{mark} {escape(sentence)}</p>'
            for mark, sentence in reading.findings
        )
        shown = (said, found, readouts(reading.pairs), notices(self._remarks(reading)))
        if not self._is_charted:
            return (*shown, "")
        curve, best = self._curve(), reading.best
        pictures = (
            image(figure.draw(chart, self.words), figure.alt(chart, self.words), figure.size)
            for figure, chart in zip(self.figures, self._charts(curve, best), strict=True)
        )
        return (*shown, self._sheet(curve, best).html(), *pictures)

    def _example_line(self) -> tuple[str, ...]:
        """The text that was read where it is one of the examples; nobody's log is repeated."""
        found = [name for name, line in EXAMPLES.items() if line == self.text]
        return tuple(f"<p>{escape(name)}:</p><pre>{escape(EXAMPLES[name])}</pre>" for name in found)

    @property
    def _is_charted(self) -> bool:
        return bool(self.report.measured_gamma)

    def _curve(self) -> Any:
        return report_curve(self.report, self.draft_cost, self.verify_cost)

    def _sheet(self, curve: Any, best: Choice | None) -> tables.Table:
        return curve_table(curve, best, self.report.measured_gamma or 0, self.words)

    def _charts(self, curve: Any, best: Choice | None) -> Any:
        return report_charts(curve, best, self.report.measured_gamma or 0, self.words)

    def _report_of(self, text: Any, gamma: int | None) -> Report:
        """What a text says; the last answer is kept, since a long log takes a while."""
        if self._read is None or self._read[0] is not text or self._read[1] != gamma:
            self._read = (text, gamma, read_report(text, gamma))
        return self._read[2]

    # ---- what comes in ---------------------------------------------------------------------------
    def _wire(self) -> None:
        self.area.observe(lambda change: self._take(change["new"]), names="value")
        self.button.on_click(lambda _button: self._take(self.area.value or self._nothing()))
        self.upload.observe(self._uploaded, names="value")
        self.observe(self._on_text, names="text")
        self.label(self._write_labels)

    def _take(self, text: str | bytes) -> None:
        """Read a text; where it cannot be read, say why and leave the result as it is."""
        if text in ("", self._box_text()):
            self._refused = None
        else:
            try:
                self.text = text
                self._refused = None
            except Refused as refusal:
                self._refused = refusal
        self._say_refusal()

    def _uploaded(self, change: Any) -> None:
        if change["new"]:
            self._take(bytes(change["new"][0]["content"]))
            self.upload.value = ()  # the same file may be chosen once more
            if self._refused is None:
                self._follow()  # where the file says what was read already, too

    def _on_text(self, _change: Any) -> None:
        self._refused = None
        self._follow()

    def _follow(self) -> None:
        """Show the text in the box, unless it is too long for a page."""
        self.area.value = self._box_text()
        self._write_placeholder()
        self._say_refusal()

    def _nothing(self) -> str:
        """What an empty box holds: nothing to be read, unless the text is too long to be shown."""
        return " " if self._box_text() else ""

    def _box_text(self) -> str:
        text: str = self.text
        return text if len(text) <= _LONGEST_SHOWN else ""

    def _write_labels(self) -> None:
        _ = self.words.gettext
        self.area.description = _("report of a server")
        self.button.description = _("Read the report")
        self.upload.description = _("Upload a file")
        if self._refused is None:
            self.area.value = self._box_text()
        self._write_placeholder()
        self._say_refusal()

    def _write_placeholder(self) -> None:
        _ = self.words.gettext
        if self._box_text():
            said = _("Paste what your server prints.")
        else:
            said = _("{size} characters were read. Paste here to read another report.").format(
                size=self.words.number(len(self.text))
            )
        self.area.placeholder = said

    def _say_refusal(self) -> None:
        _, refused = self.words.gettext, self._refused
        self.message.say("" if refused is None else self.words.explain(refused))
        lines = "".join(
            f"<li><strong>{escape(name)}</strong>: <code>{escape(line)}</code></li>"
            for name, line in EXAMPLES.items()
        )
        typed = "; ".join(f"<code>{escape(line)}</code>" for line in TYPED_EXAMPLES)
        summary = escape(_("What can be read, with an example line of each engine"))
        by_hand, private = escape(_("typed numbers")), escape(_("Nothing leaves the kernel."))
        longer = escape(
            _(
                "If a long file leaves no trace here, the server takes no message as long (10 MB is"
                " usual, 100 MB where course.py started it): read it in a cell instead:"
            )
        )
        longer += f" <code>{escape(READ_IN_A_CELL)}</code>"
        self.help.value = (
            f"<details{'' if refused is None else ' open'}><summary>{summary}</summary>"
            f"<ul>{lines}<li>{by_hand}: {typed}</li></ul><p>{private} {longer}</p></details>"
        )

    @traitlets.validate("text")
    def _check_text(self, proposal: Any) -> str:
        def check(value: Any) -> str:
            text = decoded(value)
            self._report_of(text, self.gamma)
            return text

        return str(checked(proposal, check))

    @traitlets.validate("gamma")
    def _check_gamma(self, proposal: Any) -> int | None:
        if proposal["value"] is None:
            return None
        return int(checked(proposal, lambda value: integer(value, "gamma", 1, MAX_POSITIONS)))


class GammaField(WholeField):
    """The box of the gamma that the report does not tell; empty where it does."""

    def name(self) -> str:
        """What stands before the box."""
        name: str = self.panel.words.gettext("gamma, if not reported")
        return name
