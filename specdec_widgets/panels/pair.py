"""What panels over a pair of distributions share: the pair itself, its rule, its weather tokens."""

from typing import Any

from specdec_widgets.maths import SamplingRule

from .base import Panel
from .parameters import PairParameters, default_tokens


class PairPanel(PairParameters, Panel):
    """A panel over tokens, p, q and a sampling temperature."""

    @property
    def rule(self) -> SamplingRule:
        """The sampling rule of the pair at the present temperature."""
        return self.pair.at_temperature(self.temperature)

    @property
    def pair(self) -> SamplingRule:
        """The sampling rule of the pair itself, which is that at temperature 1."""
        return SamplingRule(self.p, self.q, self.tokens)

    def _on_language(self, change: Any) -> None:
        """Translate the four weather tokens of the start; typed names stay as they are."""
        before, after = default_tokens(change["old"]), default_tokens(change["new"])
        if self.start["tokens"] == before:
            self.start["tokens"] = after
        with self.hold_trait_notifications():  # else the old words would be drawn with new names
            if self.tokens == before:
                self.tokens = after
            super()._on_language(change)
