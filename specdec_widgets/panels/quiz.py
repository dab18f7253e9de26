"""The quiz: three questions, marked with the mistake behind a wrong answer."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

import ipywidgets

from specdec_widgets.figures.quiz import Question, Reply, questions, reply, section_title
from specdec_widgets.figures.quiz_sheet import Sheet
from specdec_widgets.maths import TypeRefused, exact
from specdec_widgets.maths.errors import shown
from specdec_widgets.maths.numbers import one_of
from specdec_widgets.maths.quiz import (
    CHOICES,
    MAX_SEED,
    QUESTIONS,
    QuizNumbers,
    mark,
    quiz_numbers,
)

from .base import Panel
from .controls import Download, html
from .parameters import Parameter, Whole, default_tokens
from .quiz_fields import Practice, QuestionField

Key = tuple[int | None, str]  # a seed and a question
NOTHING: Mapping[Key, Any] = MappingProxyType({})
SEED = Whole(0, MAX_SEED)
FOLDERS = ("vi", "en")  # the languages there are lessons in


class Kept(NamedTuple):
    """What is remembered of the quiz of a name: plain values, no widget."""

    started: int | None  # the seed its cell asks for
    seed: int | None
    entries: Mapping[Key, Any]
    answers: Mapping[Key, tuple[Any, ...]]


def check_entries(value: Any, name: str) -> Mapping[Key, Any]:
    """What may stand in the fields: any text for a number, the names of choices, or nothing."""
    for (_seed, question), entry in _by_question(value, name):
        if question in CHOICES and entry is not None:
            one_of(entry, "answer", CHOICES[question])
        elif not isinstance(entry, str | None):
            exact(entry, "answer")
    return MappingProxyType(dict(value))


def check_answers(value: Any, name: str) -> Mapping[Key, tuple[Any, ...]]:
    """Answers that can be marked, in tuples."""
    for (seed, question), tries in _by_question(value, name):
        if not isinstance(tries, tuple | list):
            raise TypeRefused(
                "{argument} must hold a tuple for each question, not {value}.",
                argument=name,
                value=shown(tries),
            )
        for answer in tries:
            mark(question, answer, quiz_numbers(seed))
    return MappingProxyType({key: tuple(tries) for key, tries in value.items()})


def _by_question(value: Any, argument: str) -> Iterator[tuple[Key, Any]]:
    """What is given, when it goes by a seed and a question."""
    for key, given in value.items() if isinstance(value, Mapping) else [(value, None)]:
        if not isinstance(key, tuple) or len(key) != 2:
            raise TypeRefused(
                "{argument} must go by (seed, question), not {value}.",
                argument=argument,
                value=shown(key),
            )
        if key[0] is not None:
            SEED(key[0], "seed")
        one_of(key[1], "question", QUESTIONS)
        yield key, given


class Quiz(Panel):
    """Three questions about speculative decoding, with the numbers of the course or new ones.

    A number is right within 0.005; a wrong answer is told the mistake that gives it. Answers are
    kept by the quiz's name for as long as the kernel runs, so that running a cell again loses
    nothing: the new panel takes them up, and the old one of that name is closed. To show two
    quizzes at once, give them two names. Reset forgets the answers.

    Parameters (traits):
        seed: whole number 0..999,999 that numpy.random.default_rng draws new numbers from; None,
            the default, is the numbers of the course.
        entries: what stands in the fields, by (seed, question), marked or not.
        answers: what has been marked, by (seed, question): a tuple, the last answer last.

    Args:
        name: what its answers are kept by.
        lessons: the folder, seen from the notebook, that holds the lessons' folders "vi" and "en".
        controls: the questions ("tokens", "fall", "same") and the controls to show.

    Example:
        >>> quiz = Quiz(name="example", language="en")
        >>> quiz.answer("tokens", "2.3616")[:27]
        '✗ 2.3616 is not right. 2.36'
        >>> quiz.answer("tokens", "3,36")
        '✓ 3,36 is right. E = 1 + 0.8 + 0.64 + 0.512 + 0.4096 = 3.3616'
        >>> quiz.score
        (1, 3)
        >>> quiz.reset()
        >>> quiz.close()
    """

    CONTROLS: ClassVar[tuple[str, ...]] = (*QUESTIONS, "practice", *Panel.CONTROLS)
    PARAMETERS: ClassVar[tuple[str, ...]] = ("seed", "entries", "answers")

    seed = Parameter(None, SEED, allow_none=True)
    entries = Parameter(NOTHING, check_entries)
    answers = Parameter(NOTHING, check_answers)

    _kept: ClassVar[dict[str, Kept]] = {}  # by name; goes with the kernel
    _open: ClassVar[dict[str, "Quiz"]] = {}  # the one panel of a name that is not closed

    def __init__(self, *, name: str = "quiz", lessons: str = "..", **keywords: Any) -> None:
        self.name, self.lessons = name, lessons
        super().__init__(**keywords)
        if name in self._open:
            self._open[name].close()
        self._open[name] = self
        self.at_close(self._make_room)
        self._take_up()

    # ---- what a reader or a teacher asks of it ---------------------------------------------------
    @property
    def numbers(self) -> QuizNumbers:
        """The numbers the questions are asked with."""
        return quiz_numbers(self.seed)

    @property
    def score(self) -> tuple[int, int]:
        """How many of the questions shown are answered right, and how many there are."""
        last = [(name, self._tries(name)[-1]) for name in self._asked if self._tries(name)]
        right = [mark(name, answer, self.numbers).right for name, answer in last]
        return sum(right), len(self._asked)

    def answer(self, question: str, answer: Any) -> str:
        """Answer a question and hear the verdict.

        Args:
            question: "tokens", "fall" or "same".
            answer: a number or text such as "3,36"; for the other two the name of a choice, one of
                `specdec_widgets.maths.quiz.CHOICES`.

        Raises:
            ValueRefused: no such question or choice, or text that is no number.
            TypeRefused: an answer of another type.
        """
        mark(question, answer, self.numbers)
        key, tries = (self.seed, question), self._tries(question)
        if tries[-1:] != (answer,):
            tries = (*tries, answer)
        self.set(entries={**self.entries, key: answer}, answers={**self.answers, key: tries})
        return self._verdict(question)

    def new_numbers(self) -> None:
        """Ask with the numbers of the next seed; 1 after those of the course."""
        self.seed = 1 if self.seed in (None, MAX_SEED) else self.seed + 1

    def printable(self, key: bool = False) -> Sheet:
        """The questions to print, and with `key` the answers on a page of their own.

        It is shown in a notebook; its `document()` is a complete page of HTML, which the panel also
        offers for download.
        """
        asked = self._questions()
        return Sheet(
            self.title(), self._note(), [asked[name] for name in self._asked], key, self.words
        )

    # ---- what every panel has --------------------------------------------------------------------
    def title(self) -> str:
        """The heading."""
        return self.words.gettext("Quiz")

    def build(self) -> Sequence[ipywidgets.Widget]:
        """The questions one below the other, the score, and the row for new numbers."""
        self._asked = [name for name in QUESTIONS if name in self.shown]
        self.fields = {name: QuestionField(self, name) for name in self._asked}
        self.practice = Practice(self)
        self._numbers_note = html()
        return (
            self._numbers_note,
            *(field.widget for field in self.fields.values()),
            self.status,
            *self.only_if_shown("practice", self.practice.widget),
            self.tools.row,
        )

    def draw(self) -> None:
        """Show the questions, what is entered, the verdicts and the score."""
        asked = self._questions()
        self._numbers_note.value = f'<div role="status">{escape(self._note())}</div>'
        for number, (name, field) in enumerate(self.fields.items(), 1):
            field.follow(number, asked[name])
        self.announce(self._score())
        if self._open.get(self.name) is self:
            self._kept[self.name] = Kept(self.start["seed"], self.seed, self.entries, self.answers)

    def pieces(self) -> Sequence[str]:
        """The questions with their choices, the verdicts, and the key folded away."""
        *asked, key = self.printable(key=True).pieces()
        return (*asked, *(f"<p>{escape(line)}</p>" for line in self._results()), key)

    def lines(self) -> Sequence[str]:
        """The questions with their choices, the key, and the verdicts."""
        return (*self.printable(key=True).lines(), *self._results())

    def downloads(self) -> Sequence[Download]:
        """The sheet to print, without and with its key."""
        stem = "quiz" if self.seed is None else f"quiz-seed-{self.seed}"
        return [
            Download(f"{stem}{end}.html", "text/html", self.printable(key).document().encode())
            for end, key in (("", False), ("-key", True))
        ]

    # ---- the state -------------------------------------------------------------------------------
    def entry(self, question: str) -> Any:
        """What stands in the field of a question; None where nothing does."""
        return self.entries.get((self.seed, question))

    def enter(self, question: str, entry: Any) -> None:
        """Put something into the field of a question, without marking it; None empties it."""
        self.entries = {**self.entries, (self.seed, question): entry}

    def verdict(self, question: str) -> Reply | None:
        """The reply to what stands in the field; None while it is not marked."""
        tries = self._tries(question)
        if not tries or tries[-1] != self.entry(question):
            return None
        marked = mark(question, tries[-1], self.numbers)
        return reply(question, marked, self.numbers, self._tokens(), self.words)

    def _tries(self, question: str) -> tuple[Any, ...]:
        return tuple(self.answers.get((self.seed, question), ()))

    def _take_up(self) -> None:
        kept = self._kept.get(self.name)
        if kept:
            same_cell = kept.started == self.start["seed"]
            seed = kept.seed if same_cell else self.start["seed"]
            self.set(seed=seed, entries=kept.entries, answers=kept.answers)

    def _make_room(self) -> None:
        del self._open[self.name]

    # ---- the words of the result -----------------------------------------------------------------
    def _tokens(self) -> tuple[str, ...]:
        return default_tokens(self.language)

    def _questions(self) -> dict[str, Question]:
        return questions(self.numbers, self._tokens(), self.words)

    def _note(self) -> str:
        _ = self.words.gettext
        if self.seed is None:
            return _("With the numbers of the course.")
        return _("With new numbers, drawn from the seed {seed}.").format(seed=self.seed)

    def _score(self) -> str:
        attempts = sum(len(self._tries(name)) for name in self._asked)
        right, count = self.score
        if not attempts:
            return self.words.gettext("No question is answered yet.")
        return self.words.ngettext(
            "{right} of {count} right, after {attempts} attempt.",
            "{right} of {count} right, after {attempts} attempts.",
            attempts,
        ).format(right=right, count=count, attempts=attempts)

    def _results(self) -> list[str]:
        """Score and verdicts, where anything is answered."""
        head = self.words.gettext("Question {number}")
        said = enumerate(map(self._verdict, self._asked), 1)
        numbered = [f"{head.format(number=number)}: {text}" for number, text in said if text]
        return [self._score(), *numbered] if numbered else []

    def _verdict(self, question: str) -> str:
        """The verdict as text."""
        found = self.verdict(question)
        return f"{self.opening(question, found.right)} {found.text}" if found else ""

    def opening(self, question: str, right: bool) -> str:
        """What a verdict begins with: the answer, and whether it is right."""
        _ = self.words.gettext
        answer = self.written(question)
        if question in CHOICES:
            (answer,) = (
                text.partition(".")[0]
                for name, text in self._questions()[question].lettered()
                if name == answer
            )
        said = _("✓ {answer} is right.") if right else _("✗ {answer} is not right.")
        return said.format(answer=answer)

    def written(self, question: str) -> str:
        """What stands in the field, as text; a number given by code in the reader's language."""
        entry = self.entry(question)
        if entry is None or isinstance(entry, str):
            return (entry or "").strip()
        return self.words.exact(exact(entry, "answer"))

    def links(self, sections: Sequence[str]) -> str:
        """Links to the notebooks of the lessons, which open beside this one."""
        folder = self.language if self.language in FOLDERS else "en"
        return " ".join(
            f'<a href="{escape(self.lessons)}/{folder}/{file}.ipynb" target="_blank"'
            f' rel="noopener">{escape(section_title(file, self.words))}</a>'
            for file in sections
        )
