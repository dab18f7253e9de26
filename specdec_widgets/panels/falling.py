"""The falling panel: acceptance that falls with position, beside independent positions."""

from fractions import Fraction
from typing import Any, ClassVar

from specdec_widgets.figures.lines import Curve
from specdec_widgets.maths import CostModel, FallingAcceptance, exact
from specdec_widgets.maths.reports.text import read_rates
from specdec_widgets.words import Words

from .base import Panel
from .chart import ChartPanel, View, by_gamma, speedups_by_gamma
from .controls import LABEL_WIDTH, Field, control, text_box
from .parameters import COST_PARAMETERS, CostParameters, Parameter

EXAMPLE = tuple(map(Fraction, ("0.8", "0.6", "0.5", "0.4")))  # shown in the empty box; made up


def check_decay(value: Any, name: str) -> float:
    """The decay, when `FallingAcceptance` takes it."""
    FallingAcceptance.decaying(decay=value, positions=1)
    return float(exact(value, name))


def check_rates(value: Any, _name: str) -> tuple[Fraction, ...]:
    """The rates as `FallingAcceptance` keeps them."""
    return FallingAcceptance(value).rates


class FallingPanel(CostParameters, ChartPanel):
    """Expected tokens and speedup where each position is accepted less often than the one before.

    Parameters (traits): alpha (acceptance of the first draft token, 0..1), decay (what it is
    multiplied by from one position to the next, 0..1; 1 is independence), rates (instead of these
    two the conditional acceptance of every position, 1 to 32 numbers 0..1, at which the curves end;
    or None), gamma, draft_cost and verify_cost.

    Example:
        >>> panel = FallingPanel(decay=0.5, language="en")
        >>> panel.falling.conditional[:3], panel.best.gamma
        ((0.8, 0.4, 0.2), 2)
        >>> panel.rates = (0.9, 0.6)
        >>> panel.falling.conditional, panel.best.gamma
        ((0.9, 0.6), 2)
        >>> panel.close()
    """

    PARAMETERS: ClassVar[tuple[str, ...]] = ("decay", "rates", *COST_PARAMETERS)
    CONTROLS: ClassVar[tuple[str, ...]] = (*PARAMETERS, *Panel.CONTROLS)
    CHARTS: ClassVar[tuple[int, ...]] = (2, 3)
    HEIGHT: ClassVar[int] = 290
    STEM: ClassVar[str] = "falling"

    decay = Parameter(0.9, check_decay)
    rates = Parameter(None, check_rates, allow_none=True)

    @property
    def falling(self) -> FallingAcceptance:
        """The acceptance of every position."""
        if self.rates is not None:
            return FallingAcceptance(self.rates)
        return FallingAcceptance.decaying(self.alpha, self.decay)

    @property
    def best(self) -> Any:
        """The best gamma of this acceptance."""
        return self.falling.best(self.draft_cost, self.verify_cost)

    @property
    def independent(self) -> CostModel:
        """The cost model, which accepts every position like the first."""
        first = self.falling.conditional[0]
        return CostModel(first, self.gamma, self.draft_cost, self.verify_cost)

    def make_control(self, name: str) -> Any:
        """A box for the rates, slider and box for every number."""
        return RatesField(self) if name == "rates" else super().make_control(name)

    def title(self) -> str:
        """The heading."""
        return self.words.gettext("Acceptance that falls with position")

    def view(self) -> View:
        """Both kinds of acceptance at every gamma that has a rate."""
        words, _ = self.words, self.words.gettext
        falling, best, independent = self.falling, self.best, self.independent
        last = len(falling.rates)
        number, gamma = words.number, min(self.gamma, last)
        frame = falling.curve(self.draft_cost, self.verify_cost)
        other, believed = independent.curve(last), independent.best(last)
        frame["independent_tokens"] = other["expected_tokens"]
        frame["independent_speedup"] = other["speedup"]
        here = frame.loc[gamma]
        tokens = by_gamma(
            words,
            gamma,
            _("expected tokens"),
            Curve(_("E, falling acceptance"), frame["expected_tokens"], 3),
            Curve(_("E, independent positions"), frame["independent_tokens"], 3),
        )
        speedups = speedups_by_gamma(
            words,
            gamma,
            (_("speedup, falling acceptance"), frame["speedup"], best.gamma),
            (_("speedup, independent positions"), frame["independent_speedup"], believed.gamma),
        )
        sentence = _(
            "At gamma {gamma}, E is {tokens}, and {independent} with independent positions;"
            " the best gamma is {best}, and {believed} with independent positions."
        ).format(
            gamma=gamma,
            tokens=number(here["expected_tokens"], 3),
            independent=number(here["independent_tokens"], 3),
            best=best.gamma,
            believed=believed.gamma,
        )
        rates = " · ".join(number(rate, 2) for rate in falling.conditional[: min(gamma, 6)])
        pairs = [
            (_("Acceptance by position"), f"{rates} …" if gamma > 6 else rates or "–"),
            (_("E, falling acceptance"), number(here["expected_tokens"], 4)),
            (_("E, independent positions"), number(here["independent_tokens"], 4)),
            (_("Speedup, falling acceptance"), f"{number(here['speedup'], 2)}×"),
            (
                _("Speedup, independent positions"),
                f"{number(here['independent_speedup'], 2)}×",
            ),
            (
                _("Best gamma"),
                _("{gamma}, with {speedup}×").format(
                    gamma=best.gamma, speedup=number(best.speedup, 2)
                ),
            ),
            (
                _("Best gamma if independent"),
                _("{gamma}, which really gives {speedup}×").format(
                    gamma=believed.gamma,
                    speedup=number(frame["speedup"].iloc[believed.gamma], 2),
                ),
            ),
        ]
        return View(sentence, pairs, self._remarks(), (tokens, speedups), frame)

    def _remarks(self) -> list[str]:
        words, _ = self.words, self.words.gettext
        if self.rates is None:
            said = [_("alpha and the decay are set by you, made up: they measure no real pair.")]
            if self.decay == 1:
                said.append(_("At decay 1 the two are one: this is the cost model."))
            return said
        last = len(self.rates)
        said = [
            _(
                "The rates are those you typed: alpha and the decay do nothing until the box of the"
                " rates is empty."
            ),
            _("Independent positions are all accepted like the first, at {rate}.").format(
                rate=words.exact(self.rates[0])
            ),
            _(
                "No rate is typed beyond position {last}: the curves end there, and a better gamma"
                " may lie further."
            ).format(last=last),
        ]
        if self.gamma > last:
            said.append(
                _("Your gamma, {gamma}, has no rate either: gamma {last} is shown.").format(
                    gamma=self.gamma, last=last
                )
            )
        return said


class RatesField(Field):
    """The box of the conditional rates; an empty one leaves them to alpha and the decay."""

    def __init__(self, panel: FallingPanel) -> None:
        """Bind the rates of the panel."""
        box = text_box("auto", LABEL_WIDTH)
        super().__init__(panel, box)
        self.widget = control(box, self.message.widget)
        self.bind("rates")

    def name(self) -> str:
        """What stands before the box; in it, while it is empty, how rates are typed."""
        words: Words = self.panel.words
        self.box.placeholder = _listed(words, EXAMPLE)
        return words.gettext("or the rates, typed in")

    def text(self) -> str:
        """The rates with all their decimals, or nothing."""
        rates = self.panel.rates
        return "" if rates is None else _listed(self.panel.words, rates)

    def put(self, text: str) -> None:
        """Take the rates that were typed."""
        self.panel.rates = read_rates(text, "rates") if text.strip() else None


def _listed(words: Words, rates: tuple[Fraction, ...]) -> str:
    return "; ".join(map(words.exact, rates))
