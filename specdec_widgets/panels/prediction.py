"""A prediction: a number is guessed first, then the answer is shown beside the guess."""

from collections.abc import Sequence
from html import escape
from typing import Any, ClassVar

import ipywidgets
import traitlets

from specdec_widgets.maths import exact
from specdec_widgets.maths.numbers import integer, real

from .base import Panel
from .controls import Field, row, text_box
from .parameters import Between, Parameter

LARGEST, MAX_DIGITS = 10**15, 12


class Prediction(Panel):
    """A box for the reader's guess, and a button that shows the answer and compares.

    The question itself stands in the lesson's text. The answer is what a cell computes, so that it
    can never differ from the model. Without a kernel the answer is there too, folded away.

    Args:
        answer: the right number.
        digits: how many decimals it is shown with, 0..12.
        unit: what is written behind it, such as "×" or "%".
        tolerance: how far a guess may be off to count as right; half of the last digit by default.

    Raises:
        ValueRefused, TypeRefused: digits out of range, or what is no number; and as `Panel`.

    Example:
        >>> prediction = Prediction(2.4011, digits=2, unit="×", language="en")
        >>> prediction.guess = 2.4
        >>> prediction.verdict()
        'You guessed 2.4×; the answer is 2.40×. Well predicted.'
        >>> prediction.close()
    """

    CONTROLS: ClassVar[tuple[str, ...]] = ()
    PARAMETERS: ClassVar[tuple[str, ...]] = ("guess", "revealed")

    guess = Parameter(None, Between(-LARGEST, LARGEST), allow_none=True)
    revealed = traitlets.Bool(False)

    def __init__(
        self,
        answer: float,
        digits: int = 2,
        unit: str = "",
        tolerance: float | None = None,
        **keywords: Any,
    ) -> None:
        self.answer = real(answer, "answer", -LARGEST, LARGEST)
        self.digits, self.unit = integer(digits, "digits", 0, MAX_DIGITS), str(unit)
        half = 0.5 * 10.0**-self.digits
        self.tolerance = real(half if tolerance is None else tolerance, "tolerance", 0, LARGEST)
        super().__init__(**keywords)

    def title(self) -> str:
        """The heading."""
        return self.words.gettext("Your prediction")

    def build(self) -> Sequence[ipywidgets.Widget]:
        """The box, the button, and the line that compares."""
        self.field = GuessField(self)
        self.button = ipywidgets.Button(layout={"width": "auto"})
        self.button.on_click(lambda _button: self.reveal())
        self.label(self._write_labels)
        return (row(self.field.box, self.button), self.field.message.widget, self.status)

    def reveal(self) -> None:
        """Show the answer, beside the guess where there is one; what is no number is none."""
        if not self.field.message.said:
            self.revealed = True

    def draw(self) -> None:
        """Compare, once the answer is revealed."""
        self.announce(self.verdict() if self.revealed else "")

    def verdict(self) -> str:
        """The answer, and how near the guess came."""
        words, _ = self.words, self.words.gettext
        answer = self._answer()
        if self.guess is None:
            return _("The answer is {answer}.").format(answer=answer)
        guess = words.exact(round(self.guess, 6)) + self._sign()
        said = _("You guessed {guess}; the answer is {answer}.").format(guess=guess, answer=answer)
        # As decimals: whoever guesses 0.02 where 0.015 is shown as 0.02 is not off by a float.
        guessed, right = exact(self.guess, "guess"), exact(self.answer, "answer")
        off = guessed - right
        if abs(off) <= exact(self.tolerance, "tolerance"):
            remark = _("Well predicted.")
        else:
            remark = _("Too high: why?") if off > 0 else _("Too low: why?")
        return f"{said} {remark}"

    def pieces(self) -> Sequence[str]:
        """The answer, folded away."""
        shown = escape(self.words.gettext("Show the answer"))
        return (f"<details><summary>{shown}</summary>{escape(self._answer())}</details>",)

    def lines(self) -> Sequence[str]:
        """The answer."""
        return (self.words.gettext("The answer is {answer}.").format(answer=self._answer()),)

    def _answer(self) -> str:
        return self.words.number(self.answer, self.digits) + self._sign()

    def _sign(self) -> str:
        """The unit as it is written after a number in this language."""
        return self.words.percent_sign if self.unit == "%" else self.unit

    def _write_labels(self) -> None:
        self.button.description = self.words.gettext("Show the answer")


class GuessField(Field):
    """The box of the guess; an empty one is no guess."""

    def __init__(self, panel: Prediction) -> None:
        """Bind the guess of the panel."""
        box = text_box("16em")
        super().__init__(panel, box)
        self.bind("guess")

    def name(self) -> str:
        """What stands before the box."""
        name: str = self.panel.words.gettext("I predict")
        return name

    def text(self) -> str:
        """The guess with all its decimals."""
        words, guess = self.panel.words, self.panel.guess
        return "" if guess is None else str(words.exact(guess))

    def put(self, text: str) -> None:
        """Guess the number that was typed."""
        self.panel.guess = text if text.strip() else None
