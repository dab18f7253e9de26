"""The memory panel: two models and two KV caches on one card, and the requests that this costs."""

from collections.abc import Callable
from math import ceil
from typing import ClassVar

import numpy as np

from specdec_widgets.figures.lines import Chart, Curve
from specdec_widgets.figures.scales import rung
from specdec_widgets.maths import MemoryPlan

from .base import Panel
from .chart import ChartPanel, View, sources
from .hardware_parameters import CardParameters, RequestParameters
from .parameters import GammaParameter

_POINTS = 33  # of the curves, about
_MOST = 100_000  # requests on the axis


class MemoryPanel(RequestParameters, GammaParameter, CardParameters, ChartPanel):
    """Memory taken against the number of requests, with a draft and without, and the card's end.

    Parameters (traits): hardware, target and draft (names of the published tables), weight_bytes
    (of both models), request_tokens (the most a request may hold) and gamma.

    Example:
        >>> panel = MemoryPanel(hardware="NVIDIA A100 80GB SXM", language="en")
        >>> panel.plan.requests_without_draft, panel.plan.requests_with_draft
        (104, 79)
        >>> panel.close()
    """

    PARAMETERS: ClassVar[tuple[str, ...]] = (
        *("hardware", "target", "draft", "weight_bytes", "request_tokens", "gamma"),
    )
    CONTROLS: ClassVar[tuple[str, ...]] = (*PARAMETERS, *Panel.CONTROLS)
    CHARTS: ClassVar[tuple[int, ...]] = (3,)
    STEM: ClassVar[str] = "memory"

    @property
    def plan(self) -> MemoryPlan:
        """What fits on the card at the present parameters."""
        card, target, draft = self.on_card(self.weight_bytes)
        return MemoryPlan(card, target, draft, self.request_tokens, self.gamma)

    def title(self) -> str:
        """The heading."""
        return self.words.gettext("Memory of two models and two caches")

    def view(self) -> View:
        """The memory of every number of requests up to a little more than fits."""
        words, _ = self.words, self.words.gettext
        number, plan = words.number, self.plan
        plain, both, lost = (
            plan.requests_without_draft,
            plan.requests_with_draft,
            plan.requests_lost,
        )
        last = min(_MOST, ceil(rung(1.15 * max(plain, 8))))
        plain_at, both_at = min(plain, last), min(both, last)
        chosen = {plain_at, both_at, *np.linspace(0, last, _POINTS).astype(int).tolist()}
        frame = plan.by_requests(last).loc[sorted(chosen)]
        x = frame.index.tolist()
        chart = Chart(
            x,
            (
                Curve(_("with the draft"), frame["with_draft"], 1, " GB"),
                Curve(_("without the draft"), frame["without_draft"], 1, " GB"),
                Curve(_("the card, less a tenth in reserve"), frame["room"], 1, " GB", guide=True),
            ),
            _("requests at once"),
            "GB",
            x.index(both_at),
            stars=((x.index(plain_at), 1),),
            star_name=_("most without the draft"),
        )
        sentence = words.ngettext(
            "{plain} requests fit without the draft, {both} with it: {lost} is lost.",
            "{plain} requests fit without the draft, {both} with it: {lost} are lost.",
            lost,
        ).format(plain=number(plain), both=number(both), lost=number(lost))
        table = plan.table["with_draft"]
        cache, extra = plan.table.loc["cache_per_request"]
        pairs = [
            (_("Memory of the card"), f"{number(table['memory'])} GB"),
            (_("Weights of the target"), f"{number(table['target_weights'], 2)} GB"),
            (_("Weights of the draft"), f"{number(table['draft_weights'], 2)} GB"),
            (_("Cache of a request, target alone"), f"{number(cache, 3)} GB"),
            (_("Cache of a request, both models"), f"{number(extra, 3)} GB"),
            (_("Requests without the draft"), number(plain)),
            (_("Requests with the draft"), number(both)),
            (_("Lost to the draft"), _share(words.percent, lost, plain)),
        ]
        remarks = []
        if not plain:
            remarks.append(_("No request fits: the target alone is too large for this card."))
        elif not both:
            remarks.append(_("No request fits beside both models."))
        remarks.append(
            _(
                "The length of a request, 2 bytes a cached number and the tenth in reserve are"
                " made up."
            )
        )
        remarks += sources(words, self.hardware, self.target, self.draft)
        return View(sentence, pairs, remarks, (chart,), frame)


def _share(percent: Callable[[float], str], lost: int, plain: int) -> str:
    return f"{lost} = {percent(lost / plain)}" if plain else "–"
