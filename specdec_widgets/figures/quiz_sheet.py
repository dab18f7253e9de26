"""The quiz on paper: its questions, and the answer key, as HTML that needs nothing else."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from specdec_widgets.figures.quiz import Question
from specdec_widgets.words import Words

PRINT_STYLE = """
body { font: 12pt/1.45 system-ui, sans-serif; max-width: 42em; margin: 2em auto; padding: 0 1em;
       color: #000; background: #fff; }
h1 { font-size: 1.5em; } h2 { font-size: 1.1em; margin: 1.4em 0 0.2em; }
section { break-inside: avoid; } p { margin: 0.3em 0; }
.choice { margin: 0.3em 0 0.3em 1.6em; text-indent: -1.6em; }
.line { border-bottom: 1px solid #000; display: inline-block; min-width: 14em; }
.key { break-before: page; font-size: 10.5pt; }
@media print { body { margin: 0; max-width: none; } }
"""


@dataclass(frozen=True, repr=False)
class Sheet:
    """Questions to be answered with a pen, and where asked for the key, on a page of its own.

    title:     the heading
    note:      which numbers these are
    questions: in the order they are asked
    key:       whether the answers are there too
    words:     the words of its language

    In a notebook it is shown as HTML, the key folded away; `document` is what to print.
    """

    title: str
    note: str
    questions: Sequence[Question]
    key: bool
    words: Words

    def document(self) -> str:
        """A complete HTML page to open in a browser and print; nothing is loaded from outside."""
        _ = self.words.gettext
        line = '<span class="line"></span>'
        texts = (_("Name"), _("Answer"), _("Answer key"))
        name, answer, head_of_key = map(escape, texts)
        answer = f"<p>{answer}: {line}</p>"
        asked = "".join(
            _section(head, f"<p>{escape(q.text)}</p>{_printed_choices(q) or answer}")
            for head, q in self._headed()
        )
        key = ""
        if self.key:
            answers = "".join(_section(head, _answer(q)) for head, q in self._headed())
            key = f'<div class="key"><h1>{head_of_key}</h1>{self._note()}{answers}</div>'
        return (
            f'<!DOCTYPE html>\n<html lang="{self.words.language}"><head><meta charset="utf-8">'
            f"<title>{escape(self.title)}</title><style>{PRINT_STYLE}</style></head>"
            f"<body><h1>{escape(self.title)}</h1><p>{name}: {line}</p>"
            f"{self._note()}{asked}{key}</body></html>\n"
        )

    def pieces(self) -> tuple[str, ...]:
        """Note, questions, and the key folded away, as HTML for a page that has a heading."""
        _ = self.words.gettext
        asked = "".join(
            f"<p><strong>{escape(head)}.</strong> {escape(q.text)}</p><p>{_choices(q)}</p>"
            for head, q in self._headed()
        )
        if not self.key:
            return self._note(), asked
        answers = "".join(
            f"<p><strong>{escape(head)}.</strong></p>{_answer(q)}" for head, q in self._headed()
        )
        head_of_key = escape(_("Answer key"))
        folded = f"<details><summary>{head_of_key}</summary>{answers}</details>"
        return self._note(), asked, folded

    def lines(self) -> tuple[str, ...]:
        """The same in words, the key last."""
        _ = self.words.gettext
        lines = [self.note]
        for head, q in self._headed():
            lines += (f"{head}. {q.text}", *(text for _name, text in q.lettered()))
        if self.key:
            lines.append(_("Answer key") + ":")
            lines += (f"{head}: {_right(q)}" for head, q in self._headed())
        return tuple(lines)

    def __repr__(self) -> str:
        return "\n".join((self.title, *self.lines()))

    def _repr_html_(self) -> str:
        title = f"<p><strong>{escape(self.title)}</strong></p>"
        return f'<div class="specdec-static">{title}{"".join(self.pieces())}</div>'

    def _note(self) -> str:
        return f"<p>{escape(self.note)}</p>"

    def _headed(self) -> list[tuple[str, Question]]:
        question = self.words.gettext("Question {number}")
        return [(question.format(number=at), q) for at, q in enumerate(self.questions, 1)]


def _section(head: str, body: str) -> str:
    return f"<section><h2>{escape(head)}</h2>{body}</section>"


def _choices(question: Question) -> str:
    return "<br>".join(escape(text) for _name, text in question.lettered())


def _printed_choices(question: Question) -> str:
    return "".join(
        f'<div class="choice">{escape(text)}</div>' for _name, text in question.lettered()
    )


def _answer(question: Question) -> str:
    wrong = "".join(f"<li>{escape(text)}</li>" for text in question.wrong)
    return f"<p>✓ {escape(_right(question))}</p><ul>{wrong}</ul>"


def _right(question: Question) -> str:
    return f"{question.answer}. {question.why}" if question.why else question.answer
