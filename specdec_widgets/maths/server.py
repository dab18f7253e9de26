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

import numpy as np
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
    context:    tokens in the KV caches of each request

    >>> server = BusyServer(
    ...     Hardware.named("NVIDIA H100 SXM"),
    ...     Transformer.named("Llama 3.1 8B"),
    ...     Transformer.named("Llama 3.2 1B"),
    ... )
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
        """One draft pass in plain target passes of the same batch."""
        return self.draft_passes(batch).time() / self.passes(batch).time()

    def verify_cost(self, batch: int, gamma: int) -> float:
        """A verify pass of gamma + 1 positions in plain target passes of the same batch."""
        return self.passes(batch).cost(integer(gamma, "gamma", 0, MAX_GAMMA) + 1)

    def curve(self, batch: int, max_gamma: int = MAX_GAMMA) -> pd.DataFrame:
        """The figures of every gamma from 0 to `max_gamma` (0..32), which is the index.

        Columns: expected_tokens (of a round of one request), draft_cost, verify_cost and round_cost
        (plain target passes), speedup. A falling acceptance ends the curve at its last position.
        """
        last = integer(max_gamma, "max_gamma", 0, MAX_GAMMA)
        if isinstance(self.acceptance, FallingAcceptance):
            last = min(last, len(self.acceptance.rates))
        gammas = pd.RangeIndex(last + 1, name="gamma")
        tokens = np.array([self._expected(gamma) for gamma in gammas])
        verify = np.array([self.verify_cost(batch, gamma) for gamma in gammas])
        draft = self.draft_cost(batch)
        cost = np.array(gammas) * draft + verify
        columns = {
            "expected_tokens": tokens,
            "draft_cost": draft,
            "verify_cost": verify,
            "round_cost": cost,
            "speedup": tokens / cost,
        }
        return pd.DataFrame(columns, index=gammas)

    def best(self, batch: int, max_gamma: int = MAX_GAMMA) -> Best:
        """The gamma with the greatest speedup at this batch; the smallest on a tie."""
        speedup = self.curve(batch, max_gamma)["speedup"].to_numpy()
        gamma = int(speedup.argmax())
        return Best(gamma, float(speedup[gamma]), gamma == len(speedup) - 1)

    def by_batch(self, gamma: int = 4, batches: Sequence[int] = BATCHES) -> pd.DataFrame:
        """The server at several batch sizes, which are the index.

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
            plain, best = self.passes(batch), self.best(batch)
            here = self.curve(batch, step).iloc[-1]
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

    def _expected(self, gamma: int) -> float:
        if isinstance(self.acceptance, FallingAcceptance):
            return self.acceptance.expected_tokens(gamma)
        return CostModel(alpha=self.acceptance, gamma=gamma).expected_tokens
