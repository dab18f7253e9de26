"""The falling panel: acceptance that falls with position, beside independent positions."""

from typing import Any, ClassVar

import traitlets

from specdec_widgets.figures.lines import Curve
from specdec_widgets.maths import CostModel, FallingAcceptance, exact

from .base import Panel
from .chart import ChartPanel, View, by_gamma, speedups_by_gamma
from .parameters import COST_PARAMETERS, CostParameters, Parameter, checked


class FallingPanel(CostParameters, ChartPanel):
    """Expected tokens and speedup where each position is accepted less often than the one before.

    Parameters (traits): alpha (acceptance of the first draft token, 0..1), decay (what it is
    multiplied by from one position to the next, 0..1; 1 is independence), gamma, draft_cost and
    verify_cost.

    Example:
        >>> panel = FallingPanel(decay=0.5, language="en")
        >>> panel.falling.conditional[:3], panel.best.gamma
        ((0.8, 0.4, 0.2), 2)
        >>> panel.close()
    """

    PARAMETERS: ClassVar[tuple[str, ...]] = ("decay", *COST_PARAMETERS)
    CONTROLS: ClassVar[tuple[str, ...]] = (*PARAMETERS, *Panel.CONTROLS)
    CHARTS: ClassVar[tuple[int, ...]] = (2, 3)
    HEIGHT: ClassVar[int] = 290
    STEM: ClassVar[str] = "falling"

    decay = Parameter(0.9)

    @property
    def falling(self) -> FallingAcceptance:
        """The acceptance of every position."""
        return FallingAcceptance.decaying(self.alpha, self.decay)

    @property
    def best(self) -> Any:
        """The best gamma of this acceptance."""
        return self.falling.best(self.draft_cost, self.verify_cost)

    @property
    def independent(self) -> CostModel:
        """The cost model, which accepts every position like the first."""
        return CostModel(self.alpha, self.gamma, self.draft_cost, self.verify_cost)

    def title(self) -> str:
        """The heading."""
        return self.words.gettext("Acceptance that falls with position")

    def view(self) -> View:
        """Both kinds of acceptance at every gamma."""
        words, _ = self.words, self.words.gettext
        number, gamma = words.number, self.gamma
        falling, best = self.falling, self.best
        frame = falling.curve(self.draft_cost, self.verify_cost)
        other, believed = self.independent.curve(), self.independent.best()
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
        remarks = [_("alpha and the decay are set by you, made up: they measure no real pair.")]
        if self.decay == 1:
            remarks.append(_("At decay 1 the two are one: this is the cost model."))
        return View(sentence, pairs, remarks, (tokens, speedups), frame)

    @traitlets.validate("decay")
    def _check_decay(self, proposal: Any) -> float:
        def check(value: Any) -> float:
            FallingAcceptance.decaying(decay=value, positions=1)
            return float(exact(value, "decay"))

        return float(checked(proposal, check))
