"""Memory: two models and two KV caches on one card, and the requests that this costs.

A request needs the keys and values of every token it may hold, in the target's cache and, with a
draft, in the draft's too; gamma tokens more in both, since a round writes before it knows what is
accepted. What the weights of the draft take is gone for every request.

Left out: fragmentation, shared prefixes, several cards, and engines that give the draft no cache
of its own. A GB is 1e9 bytes, as the card is sold.
"""

from dataclasses import dataclass
from fractions import Fraction

import pandas as pd

from specdec_widgets.maths.cost import MAX_GAMMA
from specdec_widgets.maths.numbers import exact, integer, real
from specdec_widgets.maths.roofline import (
    LARGEST,
    LEAST_BYTES,
    MAX_CONTEXT,
    SMALLEST,
    Hardware,
    Transformer,
)

_GIGA = 10**9


@dataclass(frozen=True)
class MemoryPlan:
    """What fits on a card, with the draft and without. Immutable.

    hardware, target, draft: the card and the two models
    tokens:  of the longest request, prompt and answer, 1..1,000,000
    gamma:   draft tokens a round, 0..32
    reserve: share of the card kept for everything else, 0..1

    Raises ValueRefused and TypeRefused for numbers out of range or of another type, a card without
    a memory, or a target without a cache.

    >>> plan = MemoryPlan(
    ...     Hardware.named("NVIDIA A100 80GB SXM"),
    ...     Transformer.named("Llama 3.1 8B"),
    ...     Transformer.named("Llama 3.2 1B"),
    ...     tokens=4096,
    ... )
    >>> plan.requests_without_draft, plan.requests_with_draft, plan.requests_lost
    (104, 79, 25)
    >>> plan.table.loc["left"].round(1).tolist(), plan.by_length((512,))["lost"].tolist()
    ([55.9, 53.5], [201])
    >>> plan.by_requests(1)["room"].tolist()
    [72.0, 72.0]
    """

    hardware: Hardware
    target: Transformer
    draft: Transformer
    tokens: int = 4096
    gamma: int = 4
    reserve: float = 0.1

    def __post_init__(self) -> None:
        """Check the figures; the card must have a memory and the target a cache."""
        real(self.hardware.memory, "hardware.memory", SMALLEST, LARGEST)
        cache = self.target.cache_per_token
        real(cache, "target.cache_per_token", LEAST_BYTES, LARGEST)
        object.__setattr__(self, "tokens", integer(self.tokens, "tokens", 1, MAX_CONTEXT))
        object.__setattr__(self, "gamma", integer(self.gamma, "gamma", 0, MAX_GAMMA))
        object.__setattr__(self, "reserve", real(self.reserve, "reserve", 0, 1))

    @property
    def requests_without_draft(self) -> int:
        """Requests that fit beside the target alone; 0 where it does not fit itself."""
        return self._requests(False)

    @property
    def requests_with_draft(self) -> int:
        """Requests that fit beside target and draft; 0 where the two do not fit."""
        return self._requests(True)

    @property
    def requests_lost(self) -> int:
        """Requests that the draft takes the place of."""
        return self.requests_without_draft - self.requests_with_draft

    @property
    def table(self) -> pd.DataFrame:
        """Where the memory goes, without and with the draft, which are the columns.

        Rows, in GB: memory, reserve, target_weights, draft_weights, left (for caches, below 0 where
        the weights do not fit), cache_per_request; and requests, a whole number.
        """
        columns = {
            name: {
                "memory": self.hardware.memory / _GIGA,
                "reserve": self.reserve * self.hardware.memory / _GIGA,
                "target_weights": self.target.weights / _GIGA,
                "draft_weights": self.draft.weights / _GIGA if drafted else 0.0,
                "left": float(self._left(drafted)) / _GIGA,
                "cache_per_request": float(self._request(drafted)) / _GIGA,
                "requests": self._requests(drafted),
            }
            for name, drafted in (("without_draft", False), ("with_draft", True))
        }
        return pd.DataFrame(columns)

    def by_length(self, lengths: tuple[int, ...] = (512, 1024, 2048, 4096, 8192)) -> pd.DataFrame:
        """Requests that fit for several lengths of a request, which are the index.

        Columns: without_draft, with_draft, lost, lost_share (of those without a draft; NaN where
        none fits). Lengths as `tokens` of the plan, and refused like it.
        """
        rows = []
        for tokens in lengths:
            plan = MemoryPlan(
                self.hardware, self.target, self.draft, tokens, self.gamma, self.reserve
            )
            rows.append((plan.requests_without_draft, plan.requests_with_draft, plan.requests_lost))
        table = pd.DataFrame(
            rows,
            index=pd.Index(lengths, name="tokens"),
            columns=pd.Index(["without_draft", "with_draft", "lost"]),
        )
        share = table["lost"] / table["without_draft"].where(table["without_draft"] > 0)
        return table.assign(lost_share=share)

    def by_requests(self, last: int) -> pd.DataFrame:
        """GB taken by 0 to `last` requests (1..1,000,000), which are the index.

        Columns: without_draft, with_draft, room (the card less its reserve, for either). Raises
        ValueRefused and TypeRefused for another `last`.
        """
        index = pd.RangeIndex(integer(last, "last", 1, MAX_CONTEXT) + 1, name="requests")
        columns = {
            name: float(self._room - self._left(drafted))
            + index.to_numpy() * float(self._request(drafted))
            for name, drafted in (("without_draft", False), ("with_draft", True))
        }
        return pd.DataFrame({**columns, "room": float(self._room)}, index=index) / _GIGA

    # Exact, for of two floats that should divide evenly the quotient may come out just below.
    @property
    def _room(self) -> Fraction:
        return exact(self.hardware.memory, "memory") * (1 - exact(self.reserve, "reserve"))

    def _left(self, drafted: bool) -> Fraction:
        models = (self.target, self.draft) if drafted else (self.target,)
        return self._room - sum(exact(model.weights, "weights") for model in models)

    def _request(self, drafted: bool) -> Fraction:
        models = (self.target, self.draft) if drafted else (self.target,)
        tokens = self.tokens + (self.gamma if drafted else 0)
        return tokens * sum((exact(model.cache_per_token, "cache") for model in models), Fraction())

    def _requests(self, drafted: bool) -> int:
        return max(0, self._left(drafted) // self._request(drafted))
