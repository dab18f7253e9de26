"""The parameters of the panels that reckon with hardware, in the units a reader types."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from traitlets import HasTraits, validate

from specdec_widgets.maths import (
    Hardware,
    Transformer,
    ValueRefused,
    hardware_table,
    transformer_table,
)
from specdec_widgets.maths.errors import shown
from specdec_widgets.maths.numbers import integer, real
from specdec_widgets.maths.roofline import MAX_BATCH, MAX_CONTEXT, MAX_POSITIONS

from .parameters import Parameter, checked

CARDS, MODELS = tuple(hardware_table().index), tuple(transformer_table().index)


@dataclass(frozen=True)
class Above:
    """A check: a number above 0, and at most `high`."""

    high: float

    def __call__(self, value: Any, name: str) -> float:
        """The number as a float."""
        return real(value, name, 0, self.high, low_included=False)


@dataclass(frozen=True)
class Whole:
    """A check: a whole number from `low` to `high`."""

    low: int
    high: int

    def __call__(self, value: Any, name: str) -> int:
        """The number as an int."""
        return integer(value, name, self.low, self.high)


@dataclass(frozen=True)
class OneOf:
    """A check: one of these names."""

    names: tuple[str, ...]

    def __call__(self, value: Any, name: str) -> str:
        """The name."""
        if not isinstance(value, str) or value not in self.names:
            raise ValueRefused(
                "{argument} must be one of {allowed}, not {value}.",
                argument=name,
                allowed=", ".join(self.names),
                value=shown(value),
            )
        return value


CHECKS: dict[str, Callable[[Any, str], Any]] = {
    "billions": Above(10_000),
    "weight_bytes": Above(8),
    "bandwidth": Above(1_000_000),
    "peak": Above(1_000_000),
    "positions": Whole(1, MAX_POSITIONS),
    "batch": Whole(1, MAX_BATCH),
    "context": Whole(0, MAX_CONTEXT),
    "request_tokens": Whole(1, MAX_CONTEXT),
    "hardware": OneOf(CARDS),
    "target": OneOf(MODELS),
    "draft": OneOf(MODELS),
}


def _check(proposal: Any) -> Any:
    name = proposal["trait"].name
    return checked(proposal, lambda value: CHECKS[name](value, name))


class BatchParameter(HasTraits):
    """batch: requests that share a pass, 1..4096."""

    batch = Parameter(1)

    @validate("batch")
    def _check_batch(self, proposal: Any) -> Any:
        return _check(proposal)


class RooflineParameters(BatchParameter):
    """One model on one card, by their figures.

    billions:     parameters of the model, 1e9, above 0
    weight_bytes: bytes a parameter, above 0, at most 8
    bandwidth:    of the memory, GB/s
    peak:         of the arithmetic, TFLOP/s
    positions:    of each request in a pass, 1..4096
    """

    billions = Parameter(8.03)
    weight_bytes = Parameter(2.0)
    bandwidth = Parameter(3350.0)
    peak = Parameter(989.4)
    positions = Parameter(5)

    @validate("billions", "weight_bytes", "bandwidth", "peak", "positions")
    def _check_figure(self, proposal: Any) -> Any:
        return _check(proposal)


class CardParameters(HasTraits):
    """hardware, target and draft: names of `hardware_table` and `transformer_table`."""

    hardware = Parameter("NVIDIA H100 SXM")
    target = Parameter("Llama 3.1 8B")
    draft = Parameter("Llama 3.2 1B")

    def on_card(self, weight_bytes: float = 2.0) -> tuple[Hardware, Transformer, Transformer]:
        """The card, the target and the draft, their weights kept in so many bytes each."""
        return (
            Hardware.named(self.hardware),
            Transformer.named(self.target, weight_bytes=weight_bytes),
            Transformer.named(self.draft, weight_bytes=weight_bytes),
        )

    @validate("hardware", "target", "draft")
    def _check_name(self, proposal: Any) -> Any:
        return _check(proposal)


class ContextParameter(HasTraits):
    """context: tokens in the KV caches of each request, 0..1,000,000."""

    context = Parameter(256)

    @validate("context")
    def _check_context(self, proposal: Any) -> Any:
        return _check(proposal)


class RequestParameters(HasTraits):
    """request_tokens: the most a request may hold; weight_bytes: bytes a parameter."""

    request_tokens = Parameter(4096)
    weight_bytes = Parameter(2.0)

    @validate("request_tokens", "weight_bytes")
    def _check_request(self, proposal: Any) -> Any:
        return _check(proposal)
