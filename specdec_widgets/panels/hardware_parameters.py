"""The parameters of the panels that reckon with hardware, in the units a reader types."""

from fractions import Fraction

from traitlets import HasTraits

from specdec_widgets.maths import Hardware, Transformer, hardware_table, transformer_table
from specdec_widgets.maths.roofline import (
    LEAST_BYTES,
    MAX_BATCH,
    MAX_CONTEXT,
    MAX_POSITIONS,
    MOST_BYTES,
)

from .parameters import Between, OneOf, Parameter, Whole

CARDS, MODELS = tuple(hardware_table().index), tuple(transformer_table().index)


LEAST = Fraction(1, 10_000)  # of what is given in 1e9 or 1e12
WEIGHT_BYTES = Between(LEAST_BYTES, MOST_BYTES)
MODEL = OneOf(MODELS)


class BatchParameter(HasTraits):
    """batch: requests that share a pass, 1..4096."""

    batch = Parameter(1, Whole(1, MAX_BATCH))


class RooflineParameters(BatchParameter):
    """One model on one card, by their figures.

    billions:     parameters of the model, 1e9, 0.0001..10,000
    weight_bytes: bytes a parameter, 0.125..8
    bandwidth:    of the memory, GB/s, 0.0001..1,000,000
    peak:         of the arithmetic, TFLOP/s, 0.0001..1,000,000
    positions:    of each request in a pass, 1..4096
    """

    billions = Parameter(8.03, Between(LEAST, 10_000))
    weight_bytes = Parameter(2.0, WEIGHT_BYTES)
    bandwidth = Parameter(3350.0, Between(LEAST, 1_000_000))
    peak = Parameter(989.4, Between(LEAST, 1_000_000))
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
    """request_tokens: the most a request may hold; weight_bytes: bytes a parameter, 0.125..8."""

    request_tokens = Parameter(4096, Whole(1, MAX_CONTEXT))
    weight_bytes = Parameter(2.0, WEIGHT_BYTES)
