"""The parameters of the panels that reckon with hardware, in the units a reader types."""

from dataclasses import dataclass
from typing import Any

from traitlets import HasTraits

from specdec_widgets.maths import Hardware, Transformer, hardware_table, transformer_table
from specdec_widgets.maths.numbers import real
from specdec_widgets.maths.roofline import MAX_BATCH, MAX_CONTEXT, MAX_POSITIONS

from .parameters import OneOf, Parameter, Whole

CARDS, MODELS = tuple(hardware_table().index), tuple(transformer_table().index)


@dataclass(frozen=True)
class Above:
    """A check: a number above 0, and at most `high`."""

    high: float

    def __call__(self, value: Any, name: str) -> float:
        """The number as a float."""
        return real(value, name, 0, self.high, low_included=False)


WEIGHT_BYTES = Above(8)
MODEL = OneOf(MODELS)


class BatchParameter(HasTraits):
    """batch: requests that share a pass, 1..4096."""

    batch = Parameter(1, Whole(1, MAX_BATCH))


class RooflineParameters(BatchParameter):
    """One model on one card, by their figures.

    billions:     parameters of the model, 1e9, above 0
    weight_bytes: bytes a parameter, above 0, at most 8
    bandwidth:    of the memory, GB/s
    peak:         of the arithmetic, TFLOP/s
    positions:    of each request in a pass, 1..4096
    """

    billions = Parameter(8.03, Above(10_000))
    weight_bytes = Parameter(2.0, WEIGHT_BYTES)
    bandwidth = Parameter(3350.0, Above(1_000_000))
    peak = Parameter(989.4, Above(1_000_000))
    positions = Parameter(5, Whole(1, MAX_POSITIONS))


class CardParameters(HasTraits):
    """hardware, target and draft: names of `hardware_table` and `transformer_table`."""

    hardware = Parameter("NVIDIA H100 SXM", OneOf(CARDS))
    target = Parameter("Llama 3.1 8B", MODEL)
    draft = Parameter("Llama 3.2 1B", MODEL)

    def on_card(self, weight_bytes: float = 2.0) -> tuple[Hardware, Transformer, Transformer]:
        """The card, the target and the draft, their weights kept in so many bytes each."""
        return (
            Hardware.named(self.hardware),
            Transformer.named(self.target, weight_bytes=weight_bytes),
            Transformer.named(self.draft, weight_bytes=weight_bytes),
        )


class ContextParameter(HasTraits):
    """context: tokens in the KV caches of each request, 0..1,000,000."""

    context = Parameter(256, Whole(0, MAX_CONTEXT))


class RequestParameters(HasTraits):
    """request_tokens: the most a request may hold; weight_bytes: bytes a parameter."""

    request_tokens = Parameter(4096, Whole(1, MAX_CONTEXT))
    weight_bytes = Parameter(2.0, WEIGHT_BYTES)
