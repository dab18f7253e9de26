"""The simulator: the three panels over one set of parameters."""

from collections.abc import Sequence
from contextlib import suppress
from typing import ClassVar, TypeVar

import ipywidgets
import traitlets

from specdec_widgets.maths import Refused

from .base import Panel
from .controls import Download
from .cost import CostPanel
from .parameters import COST_PARAMETERS, CostParameters, FlagsParameter, PairParameters
from .rounds import RoundsPanel
from .sampling import SamplingPanel

AnyPanel = TypeVar("AnyPanel", bound=Panel)


class Simulator(CostParameters, FlagsParameter, PairParameters, Panel):
    """The whole simulator: cost, rounds and sampling, linked.

    Parameters (traits): alpha, gamma, draft_cost, verify_cost, flags, tokens, p, q and temperature.
    A change in one panel is a change in all that share the parameter.

    Example:
        >>> simulator = Simulator(language="en")
        >>> simulator.gamma = 6
        >>> simulator.cost.gamma, simulator.rounds.gamma
        (6, 6)
        >>> simulator.close()
    """

    PARAMETERS: ClassVar[tuple[str, ...]] = (
        *COST_PARAMETERS,
        "flags",
        "tokens",
        "p",
        "q",
        "temperature",
    )

    def title(self) -> str:
        """The heading of the panel."""
        return self.words.gettext("Speculative decoding: the simulator")

    def build(self) -> Sequence[ipywidgets.Widget]:
        """One row of tools for all, then the three panels, one below the other."""
        self.cost = self._share(CostPanel, ("preset", *COST_PARAMETERS))
        self.rounds = self._share(RoundsPanel, ("flags", "gamma", "stepper"))
        self.sampling = self._share(SamplingPanel, ("pair", "temperature", "carry"))
        self.panels: tuple[Panel, ...] = (self.cost, self.rounds, self.sampling)
        for panel in (*self.panels, self):
            panel.family = (*self.panels, self)
        return (self.tools.row, *self.panels)

    def _share(self, kind: type[AnyPanel], controls: Sequence[str]) -> AnyPanel:
        """A panel of this kind, its parameters linked with those of the simulator."""
        shared = [name for name in ("language", *self.PARAMETERS) if hasattr(kind, name)]
        panel = kind(controls=controls, **{name: getattr(self, name) for name in shared})
        for name in shared:
            traitlets.link((self, name), (panel, name))
        panel.observe(lambda _change: self.tools.withdraw(), names=list(panel.PARAMETERS))
        return panel

    def reset(self) -> None:
        """Return to the start values; every panel knows its own."""
        with self.held():
            for panel in self.panels:
                panel.set(**panel.start)
        for panel in self.panels:
            panel.forget()

    def draw(self) -> None:
        """Nothing of its own: each panel draws itself."""

    def pieces(self) -> Sequence[str]:
        """The three panels as plain HTML."""
        return [panel.static_html() for panel in self.panels]

    def lines(self) -> Sequence[str]:
        """The three panels in words."""
        return [panel.static_text() for panel in self.panels]

    def downloads(self) -> Sequence[Download]:
        """The files of the panels, but of one whose parameters do not fit together: it says so."""
        files: list[Download] = []
        for panel in self.panels:
            with suppress(Refused):
                files.extend(panel.downloads())
        return files
