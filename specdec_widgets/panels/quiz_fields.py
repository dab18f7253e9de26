"""The parts of the quiz: a question on the page, and the row for new numbers."""

from collections.abc import Sequence
from html import escape
from typing import Any

import ipywidgets

from specdec_widgets.figures.quiz import Question
from specdec_widgets.maths import Refused
from specdec_widgets.maths.quiz import CHOICES, mark

from .controls import Message, WholeField, html, row, text_box


class QuestionField:
    """One question on the page: its text, where to answer, two buttons and the verdict."""

    def __init__(self, panel: Any, name: str) -> None:
        """Build a box for a number, or radio buttons where there are choices."""
        self.panel, self.name = panel, name
        self.is_choice = name in CHOICES
        self.text = html(css_class="specdec-question")
        self.input = self._choices() if self.is_choice else self._box()
        self.check = ipywidgets.Button(layout={"width": "auto"})
        self.again = ipywidgets.Button(layout={"width": "auto"})
        self.message = Message()
        self.verdict = html(css_class="specdec-links")
        self.input.observe(self._entered, names="value")
        self.check.on_click(lambda _button: self.mark())
        self.again.on_click(lambda _button: self.empty())
        buttons = row(self.check, self.again)
        answer = [self.input, buttons] if self.is_choice else [row(self.input, buttons)]
        self.widget = ipywidgets.VBox([self.text, *answer, self.message.widget, self.verdict])
        self.widget.add_class("specdec-field")
        panel.label(lambda: self.message.say(self._complaint()))

    def follow(self, number: int, question: Question) -> None:
        """Show the question, what is entered, and the verdict on it."""
        _ = self.panel.words.gettext
        head = _("Question {number}").format(number=number)
        self.text.value = f"<h4>{escape(head)}</h4><p>{escape(question.text)}</p>"
        self.check.description = _("Check answer {number}").format(number=number)
        self.again.description = _("Try question {number} again").format(number=number)
        self.input.description = _("Your answer to question {number}").format(number=number)
        self.input.unobserve(self._entered, names="value")
        if self.is_choice:
            self._offer(question.lettered())
        else:
            self.input.value = self.panel.written(self.name)
        self.input.observe(self._entered, names="value")
        self.message.say(self._complaint())
        self.verdict.value = self._verdict()

    def mark(self) -> None:
        """Mark what is entered, or say what is missing."""
        entry = self.panel.entry(self.name)
        if entry is None and self.is_choice:
            self.message.say(self.panel.words.gettext("Choose one of the answers first."))
            return
        try:
            self.panel.answer(self.name, "" if entry is None else entry)
        except Refused as refusal:
            self.message.say(self.panel.words.explain(refusal))

    def empty(self) -> None:
        """Empty the field, to try again; what has been answered still counts."""
        self.panel.enter(self.name, None)
        self.message.say("")
        if not self.is_choice:
            self.input.focus()

    def _box(self) -> ipywidgets.Text:
        return text_box("20em")

    def _choices(self) -> ipywidgets.RadioButtons:
        choices = ipywidgets.RadioButtons(
            options=[(name, name) for name in CHOICES[self.name]],
            value=None,
            tooltip="",
            style={"description_width": "initial"},
            layout={"width": "auto"},
        )
        choices.add_class("specdec-choices")
        return choices

    def _offer(self, lettered: Sequence[tuple[str, str]]) -> None:
        options = tuple((text, name) for name, text in lettered)
        with self.input.hold_sync():
            if self.input.options != options:
                self.input.options = options  # of which ipywidgets may choose the first
            self.input.value = self.panel.entry(self.name)

    def _entered(self, change: Any) -> None:
        entry = change["new"] if self.is_choice else change["new"].strip()
        self.panel.enter(self.name, entry)
        if entry and not self.is_choice:
            self.mark()

    def _complaint(self) -> str:
        """What is wrong with the number that was typed."""
        if self.is_choice or not self.panel.written(self.name):
            return ""
        try:
            mark(self.name, self.panel.entry(self.name), self.panel.numbers)
        except Refused as refusal:
            return str(self.panel.words.explain(refusal))
        return ""

    def _verdict(self) -> str:
        """The verdict as HTML: said politely, with links to read on where it is wrong."""
        found = self.panel.verdict(self.name)
        if not found:
            return '<div role="status"></div>'
        opening = escape(self.panel.opening(self.name, found.right))
        more = ""
        if found.sections:
            read = escape(self.panel.words.gettext("Read again:"))
            more = f"<br>{read} {self.panel.links(found.sections)}"
        kind = " specdec-right" if found.right else ""
        return (
            f'<div role="status" class="specdec-verdict{kind}">'
            f"<strong>{opening}</strong> {escape(found.text)}{more}</div>"
        )


class Practice:
    """The row for new numbers: a button, the seed in a box, and the way back."""

    def __init__(self, panel: Any) -> None:
        """Build the row; it changes nothing but the panel's seed."""
        self.panel = panel
        self.new = ipywidgets.Button(layout={"width": "auto"})
        self.back = ipywidgets.Button(layout={"width": "auto"})
        self.field = WholeField(panel, "seed", text_box("11em"), may_be_empty=True)
        self.new.on_click(lambda _button: panel.new_numbers())
        self.back.on_click(lambda _button: self._go_back())
        buttons = row(self.new, self.field.box, self.back)
        self.widget = ipywidgets.VBox([buttons, self.field.message.widget])
        self.widget.add_class("specdec-field")
        panel.label(self._relabel)

    def _go_back(self) -> None:
        self.panel.seed = None
        self.field.follow()  # where it was None already, what is half typed goes all the same

    def _relabel(self) -> None:
        _ = self.panel.words.gettext
        self.new.description = _("Practise with new numbers")
        self.back.description = _("Back to the numbers of the course")
