"""How long a pass takes: the larger of what must be read and what must be computed.

    time = max(bytes / bandwidth, operations / peak)

A pass of a batch reads all weights once, and of each request the keys and values of its context.
For every position it does two operations a weight, and four an attended token, query head and
dimension of a head. Small batches wait for the bytes, and a second position is free; large ones
wait for the arithmetic, and it costs as much as the first. The two meet at the ridge.

Left out: that neither peak is ever reached, everything between two passes, activations, writing
the new keys and values, several cards, mixtures of experts, of which a pass reads a part, and that
a table of input embeddings is looked up and not read (6.5% of Llama 3.1 8B).

Source: Williams, Waterman, Patterson, "Roofline: An Insightful Visual Performance Model" (2009);
for transformers, Pope et al., "Efficiently Scaling Transformer Inference" (arXiv 2211.05102).

By hand, 8e9 parameters of 2 bytes on a card with 2e12 bytes/s and 3.2e14 FLOP/s, no context: 16e9
bytes take 8 ms; one position's 16e9 operations take 0.05 ms; the ridge is at 160 positions.
"""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pandas as pd

from specdec_widgets.maths.numbers import integer, one_of, real

MAX_BATCH = 4096  # requests
MAX_CONTEXT = 1_000_000  # tokens
MAX_POSITIONS = 4096  # of one request in one pass
SMALLEST, LARGEST = 1, 10**18  # of anything counted here
LEAST_BYTES, MOST_BYTES = 0.125, 8  # a number kept in one bit, and in 64
_GIGA, _TERA = 10**9, 10**12


def hardware_table() -> pd.DataFrame:
    """Published figures of accelerators, one a row, indexed by name.

    Columns: peak_tflops (dense, 16 bit, 1e12 FLOP/s), bandwidth_gb_s (1e9 bytes/s), memory_gb (1e9
    bytes), source.

    >>> hardware_table().loc["NVIDIA H100 SXM", "bandwidth_gb_s"]
    np.float64(3350.0)
    """
    return _read("hardware.csv").copy()


def transformer_table() -> pd.DataFrame:
    """Published sizes of transformers, one a row, indexed by name.

    Columns: parameters, layers, heads, kv_heads, head_dim (all of them counts), source.

    >>> int(transformer_table().loc["Llama 3.1 8B", "layers"])
    32
    """
    return _read("transformers.csv").copy()


@dataclass(frozen=True)
class Hardware:
    """A card by its published peaks. Immutable.

    peak:      FLOP/s, dense, at the precision that is used
    bandwidth: of the memory, bytes/s
    memory:    bytes; 0 where it does not matter
    name:      for a table

    Raises ValueRefused and TypeRefused for figures outside 1..1e18 (the memory: 0..1e18), or of
    another type.

    >>> round(Hardware.named("NVIDIA A100 80GB SXM").balance)
    153
    """

    peak: float
    bandwidth: float
    memory: float = 0.0
    name: str = ""

    def __post_init__(self) -> None:
        """Check the figures and keep them as floats."""
        for field in ("peak", "bandwidth"):
            number = real(getattr(self, field), field, SMALLEST, LARGEST)
            object.__setattr__(self, field, number)
        object.__setattr__(self, "memory", real(self.memory, "memory", 0, LARGEST))

    @classmethod
    def named(cls, name: str) -> "Hardware":
        """A card of `hardware_table`; ValueRefused for a name that is not in it."""
        row = _row(_read("hardware.csv"), name, "hardware")
        return cls(
            peak=row["peak_tflops"] * _TERA,
            bandwidth=row["bandwidth_gb_s"] * _GIGA,
            memory=row["memory_gb"] * _GIGA,
            name=name,
        )

    @property
    def balance(self) -> float:
        """Operations the card can do while it reads one byte: FLOP/s over bytes/s."""
        return self.peak / self.bandwidth


@dataclass(frozen=True)
class Transformer:
    """A dense transformer by its size. Immutable.

    parameters:  how many, 1..1e18, all of them read in a pass
    layers, kv_heads, head_dim: what the KV cache depends on, whole numbers 0..10,000; 0 leaves the
                 cache out
    heads:       query heads, 0..10,000; 0 leaves the arithmetic of attention out
    weight_bytes, cache_bytes: bytes a parameter and a cached number, 0.125..8: 2 at 16 bit, 1 at 8
                 bit, 0.5 at 4 bit
    name:        for a table

    Raises ValueRefused and TypeRefused for figures out of range or of another type.

    >>> small = Transformer.named("Llama 3.1 8B")
    >>> round(small.weights / 1e9, 2), small.cache_per_token
    (16.06, 131072.0)
    >>> Transformer(8e9, layers=1, heads=1, head_dim=100).operations(context=1000)
    16000400000.0
    """

    parameters: float
    layers: int = 0
    heads: int = 0
    kv_heads: int = 0
    head_dim: int = 0
    weight_bytes: float = 2.0
    cache_bytes: float = 2.0
    name: str = ""

    def __post_init__(self) -> None:
        """Check the figures and keep them as floats and ints."""
        number = real(self.parameters, "parameters", SMALLEST, LARGEST)
        object.__setattr__(self, "parameters", number)
        for field in ("layers", "heads", "kv_heads", "head_dim"):
            object.__setattr__(self, field, integer(getattr(self, field), field, 0, 10_000))
        for field in ("weight_bytes", "cache_bytes"):
            number = real(getattr(self, field), field, LEAST_BYTES, MOST_BYTES)
            object.__setattr__(self, field, number)

    @classmethod
    def named(
        cls, name: str, *, weight_bytes: float = 2.0, cache_bytes: float = 2.0
    ) -> "Transformer":
        """A model of `transformer_table`, with its numbers kept in so many bytes.

        Raises ValueRefused for a name that is not in it, and as the class.
        """
        row = _row(_read("transformers.csv"), name, "transformer")
        sizes = {field: int(row[field]) for field in ("layers", "heads", "kv_heads", "head_dim")}
        return cls(
            parameters=float(row["parameters"]),
            **sizes,
            weight_bytes=weight_bytes,
            cache_bytes=cache_bytes,
            name=name,
        )

    @property
    def weights(self) -> float:
        """Bytes of all weights."""
        return self.parameters * self.weight_bytes

    @property
    def cache_per_token(self) -> float:
        """Bytes of KV cache a token: a key and a value in every layer and KV head."""
        return 2 * self.layers * self.kv_heads * self.head_dim * self.cache_bytes

    def operations(self, context: int = 0) -> float:
        """Operations of one position that attends to `context` tokens, 0..1,000,000.

        Two a weight (multiply, add), and in every layer and query head four a dimension and
        attended token: two for its score, two for its value. Raises ValueRefused and TypeRefused
        for another context.
        """
        seen = integer(context, "context", 0, MAX_CONTEXT)
        return 2 * self.parameters + 4 * self.layers * self.heads * self.head_dim * seen


@dataclass(frozen=True)
class Pass:
    """Passes of one model on one card, for a batch of requests of the same context. Immutable.

    hardware, model: the card and the model
    batch:   requests in a pass, 1..4096
    context: tokens in the KV cache of each request, 0..1,000,000

    Raises ValueRefused and TypeRefused for those out of range or of another type, and its methods
    for such a number of positions.

    >>> one = Pass(Hardware(3.2e14, 2e12), Transformer(8e9))
    >>> one.bytes_read, one.memory_time, one.compute_time(5)
    (16000000000.0, 0.008, 0.00025)
    >>> one.time(1), one.time(5), one.ridge
    (0.008, 0.008, 160.0)
    >>> one.cost(320), one.table(320)["pass_ms"].iloc[-1].item()
    (2.0, 16.0)
    """

    hardware: Hardware
    model: Transformer
    batch: int = 1
    context: int = 0

    def __post_init__(self) -> None:
        """Check batch and context."""
        object.__setattr__(self, "batch", integer(self.batch, "batch", 1, MAX_BATCH))
        object.__setattr__(self, "context", integer(self.context, "context", 0, MAX_CONTEXT))

    @property
    def bytes_read(self) -> float:
        """Bytes a pass reads, however many positions it scores: weights and KV caches."""
        return self.model.weights + self.batch * self.context * self.model.cache_per_token

    @property
    def memory_time(self) -> float:
        """Seconds to read them."""
        return self.bytes_read / self.hardware.bandwidth

    def compute_time(self, positions: int = 1) -> float:
        """Seconds of arithmetic for `positions` of each request, 1..4096."""
        return float(self._arithmetic(integer(positions, "positions", 1, MAX_POSITIONS)))

    def time(self, positions: int = 1) -> float:
        """Seconds of a pass over `positions` of each request, 1..4096."""
        return max(self.memory_time, self.compute_time(positions))

    def cost(self, positions: int = 1) -> float:
        """The pass over `positions` (1..4096) in passes over one position, 1..`positions`."""
        return self.time(positions) / self.time(1)

    def costs(self, last: int = 32) -> npt.NDArray[np.float64]:
        """The costs of passes over 1, 2, ... `last` positions (1..4096), shape (last,).

        >>> Pass(Hardware(3.2e14, 2e12), Transformer(8e9), batch=80).costs(4).tolist()
        [1.0, 1.0, 1.5, 2.0]
        """
        positions = np.arange(1, integer(last, "last", 1, MAX_POSITIONS) + 1)
        times = np.maximum(self.memory_time, self._arithmetic(positions))
        return np.asarray(times / self.time(1))

    @property
    def ridge(self) -> float:
        """Positions of each request at which arithmetic takes as long as reading, above 0.

        Up to here they cost the same; below 1 even one position waits for the arithmetic.
        """
        return self.memory_time / self.compute_time(1)

    def table(self, last: int = 32) -> pd.DataFrame:
        """Passes over 1 to `last` positions (1..4096), which are the index.

        Columns: memory_ms, compute_ms, pass_ms, cost (in passes over one position).
        """
        index = pd.RangeIndex(1, integer(last, "last", 1, MAX_POSITIONS) + 1, name="positions")
        rows = {
            "memory_ms": [1e3 * self.memory_time] * len(index),
            "compute_ms": [1e3 * self.compute_time(n) for n in index],
            "pass_ms": [1e3 * self.time(n) for n in index],
            "cost": [self.cost(n) for n in index],
        }
        return pd.DataFrame(rows, index=index)

    def _arithmetic(self, positions: Any) -> Any:
        """Seconds of arithmetic for a number of positions, or for each of an array of them."""
        return self.batch * positions * self.model.operations(self.context) / self.hardware.peak


_FLOATS = {"peak_tflops": float, "bandwidth_gb_s": float, "memory_gb": float}


@cache
def _read(name: str) -> pd.DataFrame:
    with (files("specdec_widgets") / "data" / name).open(encoding="utf-8") as file:
        return pd.read_csv(file, index_col="name", dtype=_FLOATS)


def _row(table: pd.DataFrame, name: str, argument: str) -> pd.Series:
    return cast(pd.Series, table.loc[one_of(name, argument, table.index)])
