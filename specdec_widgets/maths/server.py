"""A busy server: what speculative decoding gains when many requests share a pass.

The costs of the cost model are no longer set by hand but follow from the roofline. At batch B the
unit stays one plain target pass of that batch; a verify pass scores gamma + 1 positions of every
request in one go; a draft pass scores one. As the batch grows the idle arithmetic is used up, the
verify pass nears gamma + 1 plain ones, and the gain is gone. Long contexts put that off: every
request brings its own cache to read, so that even a large batch waits for the memory, until the
card is full.

Left out: prefill, scheduling, requests that differ in length, and the draft's own second token
after a round in which everything was accepted. See also `roofline`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd

from specdec_widgets.maths.acceptance import FallingAcceptance
from specdec_widgets.maths.cost import MAX_GAMMA, Best, CostModel
from specdec_widgets.maths.numbers import integer, real
from specdec_widgets.maths.roofline import Hardware, Pass, Transformer

BATCHES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)


@dataclass(frozen=True)
class BusyServer:
    """A card that serves a target with a draft. Immutable.

    hardware, target, draft: the card and the two models
    acceptance: alpha, 0..1, for every position, or a `FallingAcceptance`
    context:    tokens in the KV caches of each request, 0..1,000,000

    Raises ValueRefused and TypeRefused for those out of range or of another type, and its methods
    for such a batch or gamma.

    >>> server = BusyServer(
    ...     Hardware.named("NVIDIA H100 SXM"),
    ...     Transformer.named("Llama 3.1 8B"),
    ...     Transformer.named("Llama 3.2 1B"),
    ... )
    >>> round(server.draft_cost(1), 3), round(server.verify_cost(512, 4), 3)
    (0.154, 4.223)
    >>> round(server.passes(1).ridge), round(server.draft_passes(1).ridge)
    (294, 292)
    >>> server.curve(1)["speedup"].round(2).loc[[0, 4, 5]].tolist()
    [1.0, 2.08, 2.08]
    >>> server.best(1).gamma, server.best(512).gamma
    (5, 0)
    """

    hardware: Hardware
    target: Transformer
    draft: Transformer
    acceptance: float | FallingAcceptance = 0.8
    context: int = 256

    def __post_init__(self) -> None:
        """Check acceptance and context."""
        if not isinstance(self.acceptance, FallingAcceptance):
            object.__setattr__(self, "acceptance", real(self.acceptance, "acceptance", 0, 1))
        self.passes(1)

    def passes(self, batch: int) -> Pass:
        """The target's passes at this batch, 1..4096."""
        return Pass(self.hardware, self.target, batch, self.context)

    def draft_passes(self, batch: int) -> Pass:
        """The draft's passes at this batch, 1..4096."""
        return Pass(self.hardware, self.draft, batch, self.context)

    def draft_cost(self, batch: int) -> float:
        """One draft pass in plain target passes of the same batch (1..4096)."""
        return self.draft_passes(batch).time() / self.passes(batch).time()

    def verify_cost(self, batch: int, gamma: int) -> float:
        """A verify pass of gamma + 1 positions in plain target passes of the same batch.

        batch: 1..4096; gamma: 0..32
        """
        return self.passes(batch).cost(integer(gamma, "gamma", 0, MAX_GAMMA) + 1)

    def curve(self, batch: int, max_gamma: int = MAX_GAMMA) -> pd.DataFrame:
        """The figures of every gamma from 0 to `max_gamma` (0..32), at a batch of 1..4096.

        One row a gamma, which is the index. Columns: expected_tokens (of a round of one request),
        draft_cost, verify_cost and round_cost (plain target passes), speedup, and simple_speedup,
        what it would be if every verify pass cost 1. A falling acceptance ends the curve at its
        last position.

        A draft may cost more than the target: it is never worth it, and the curve shows so.
        """
        last = min(integer(max_gamma, "max_gamma", 0, MAX_GAMMA), len(self._tokens) - 1)
        tokens, gammas = self._tokens[: last + 1], pd.RangeIndex(last + 1, name="gamma")
        draft, verify = self.draft_cost(batch), self.passes(batch).costs(last + 1)
        drafting = np.array(gammas) * draft
        columns = {
            "expected_tokens": tokens,
            "draft_cost": draft,
            "verify_cost": verify,
            "round_cost": drafting + verify,
            "speedup": tokens / (drafting + verify),
            "simple_speedup": tokens / (drafting + 1),
        }
        return pd.DataFrame(columns, index=gammas)

    def best(self, batch: int, max_gamma: int = MAX_GAMMA) -> Best:
        """The gamma with the greatest speedup of `curve`; the smallest on a tie."""
        return best_of(self.curve(batch, max_gamma)["speedup"])

    def by_batch(self, gamma: int = 4, batches: Sequence[int] = BATCHES) -> pd.DataFrame:
        """The server at `gamma` (0..32) and several batch sizes (1..4096), which are the index.

        Columns: plain_ms (a plain target pass), ridge (positions a request that a pass scores at
        the price of one; below 1 none is idle), draft_cost, verify_cost and speedup at `gamma`,
        best_gamma and best_speedup, plain_tokens_s and best_tokens_s (tokens a second of all
        requests), memory_gb (weights and caches of both models; see `MemoryPlan`).

        >>> table = BusyServer(
        ...     Hardware.named("NVIDIA H100 SXM"),
        ...     Transformer.named("Llama 3.1 8B"),
        ...     Transformer.named("Llama 3.2 1B"),
        ... ).by_batch(4, (1, 512))
        >>> table["speedup"].round(2).to_dict()
        {1: 2.08, 512: 0.67}
        """
        step = integer(gamma, "gamma", 0, MAX_GAMMA)
        rows = []
        for batch in batches:
            plain, curve = self.passes(batch), self.curve(batch)
            best, here = best_of(curve["speedup"]), curve.iloc[min(step, len(curve) - 1)]
            rows.append(
                {
                    "plain_ms": 1e3 * plain.time(),
                    "ridge": plain.ridge,
                    "draft_cost": here["draft_cost"],
                    "verify_cost": here["verify_cost"],
                    "speedup": here["speedup"],
                    "best_gamma": best.gamma,
                    "best_speedup": best.speedup,
                    "plain_tokens_s": plain.batch / plain.time(),
                    "best_tokens_s": plain.batch / plain.time() * best.speedup,
                    "memory_gb": (plain.bytes_read + self.draft_passes(batch).bytes_read) / 1e9,
                }
            )
        return pd.DataFrame(rows, index=pd.Index(batches, name="batch"))

    @cached_property
    def _tokens(self) -> npt.NDArray[np.float64]:
        """E of every gamma, as far as the acceptance goes."""
        if isinstance(self.acceptance, FallingAcceptance):
            last, model = min(MAX_GAMMA, len(self.acceptance.rates)), self.acceptance
            return np.array([model.expected_tokens(gamma) for gamma in range(last + 1)])
        return CostModel(self.acceptance).curve(MAX_GAMMA)["expected_tokens"].to_numpy()


def best_of(speedups: pd.Series) -> Best:
    """The gamma with the greatest of these speedups, by gamma from 0 on; the smallest on a tie.

    >>> best_of(pd.Series([1.0, 1.2, 1.1]))
    Best(gamma=1, speedup=1.2, at_edge=False)
    """
    values = speedups.to_numpy()
    gamma = int(values.argmax())
    return Best(gamma, float(values[gamma]), gamma == len(values) - 1)
