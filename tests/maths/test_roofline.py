"""The roofline: figures by hand, where one position and five cost the same, and the data files."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdec_widgets.maths import Refused
from specdec_widgets.maths.memory import MemoryPlan
from specdec_widgets.maths.roofline import (
    Hardware,
    Pass,
    Transformer,
    hardware_table,
    transformer_table,
)

CARD = Hardware(peak=3.2e14, bandwidth=2e12)
MODELS = st.builds(
    Transformer,
    parameters=st.integers(10**6, 10**11),
    layers=st.integers(0, 80),
    heads=st.integers(0, 64),
    kv_heads=st.integers(0, 8),
    head_dim=st.sampled_from([0, 64, 128]),
    weight_bytes=st.sampled_from([0.5, 1, 2, 4]),
)
CARDS = st.builds(Hardware, peak=st.integers(10**12, 10**15), bandwidth=st.integers(10**10, 10**13))
PASSES = st.builds(
    Pass, CARDS, MODELS, batch=st.integers(1, 512), context=st.integers(min_value=0, max_value=8192)
)


def test_one_position_and_five_by_hand():
    one = Pass(CARD, Transformer(8e9))
    assert (one.memory_time, one.compute_time(1), one.compute_time(5)) == (0.008, 5e-5, 2.5e-4)
    assert one.time(1) == one.time(5) == 0.008
    assert one.ridge == 160 and one.cost(160) == 1 and one.cost(240) == 1.5
    assert Pass(CARD, Transformer(8e9), batch=40).ridge == 4
    assert CARD.balance == 160


def test_bytes_and_operations_counted_head_by_head():
    model = Transformer(1e9, layers=3, heads=8, kv_heads=2, head_dim=16, weight_bytes=1)
    cached = sum(2 * 16 * 2 for _layer in range(3) for _head in range(2))  # key, value; 2 bytes
    assert model.cache_per_token == cached
    assert model.weights == 1e9
    score = value = 2 * 16  # a multiply and an add a dimension
    attention = sum(score + value for _l in range(3) for _h in range(8) for _t in range(100))
    assert model.operations(100) == 2e9 + attention
    busy = Pass(CARD, model, batch=7, context=100)
    assert busy.bytes_read == 1e9 + 7 * 100 * cached
    assert busy.compute_time(3) == pytest.approx(7 * 3 * (2e9 + attention) / 3.2e14)


@given(card=CARDS, model=MODELS, batch=st.integers(1, 512))
def test_without_a_context_the_ridge_is_the_balance_of_the_card(card, model, batch):
    # Two operations a weight for weight_bytes read of it.
    ridge = Pass(card, model, batch).ridge
    assert ridge == pytest.approx(card.balance * model.weight_bytes / (2 * batch))


@given(passes=PASSES, positions=st.integers(min_value=1, max_value=64))
def test_positions_cost_the_same_up_to_the_ridge_and_in_proportion_after_it(passes, positions):
    slack = 1e-9 * passes.ridge
    if positions <= passes.ridge - slack:
        assert passes.time(positions) == passes.time(1) == passes.memory_time
        assert passes.cost(positions) == 1
    elif positions >= passes.ridge + slack:
        assert passes.time(positions) == passes.compute_time(positions) >= passes.memory_time
        assert passes.cost(positions) == pytest.approx(positions / max(1.0, passes.ridge))


@given(passes=PASSES, positions=st.integers(min_value=1, max_value=64))
def test_a_pass_costs_no_less_with_more_and_never_more_than_its_positions(passes, positions):
    assert passes.time(positions) <= passes.time(positions + 1)
    assert 1 <= passes.cost(positions) <= positions * (1 + 1e-12)


@given(passes=PASSES, last=st.integers(min_value=1, max_value=20))
def test_the_table(passes, last):
    table = passes.table(last)
    assert list(table.index) == list(range(1, last + 1))
    for n, row in table.iterrows():
        assert row["memory_ms"] == 1e3 * passes.memory_time
        assert row["compute_ms"] == 1e3 * passes.compute_time(n)
        assert row["pass_ms"] == pytest.approx(max(row["memory_ms"], row["compute_ms"]))
        assert row["cost"] == passes.cost(n)


def test_every_card_has_a_source_that_states_its_figures():
    table = hardware_table()
    assert table.index.is_unique and len(table) >= 6
    for name, row in table.iterrows():
        card = Hardware.named(name)
        assert card.name == name
        assert card.peak == row["peak_tflops"] * 1e12
        assert card.bandwidth == row["bandwidth_gb_s"] * 1e9
        assert card.memory == row["memory_gb"] * 1e9
        figures = row["source"].replace(",", "")
        dense = f"{row['peak_tflops']:g}"
        assert dense in figures or "half of it without" in figures
        assert f"{row['memory_gb']:g} GB" in figures
        read = row["bandwidth_gb_s"]
        assert f"{read:g} GB/s" in figures or f"{read / 1000:g} TB/s" in figures
        assert row["source"].startswith(("NVIDIA", "AMD"))


@pytest.mark.parametrize("table", [hardware_table, transformer_table])
def test_a_changed_table_changes_no_other(table):
    before = table()
    changed = table()
    changed.iloc[:, 0] = 0
    assert table().equals(before)


def test_published_sizes():
    table = transformer_table()
    assert table["source"].str.len().min() > 20
    for name, row in table.iterrows():
        model = Transformer.named(name, weight_bytes=1, cache_bytes=0.5)
        assert (model.parameters, model.weight_bytes, model.cache_bytes) == (row.parameters, 1, 0.5)
        assert (model.layers, model.heads, model.kv_heads, model.head_dim) == tuple(
            row[["layers", "heads", "kv_heads", "head_dim"]]
        )
    assert Transformer.named("Llama 3.1 8B").cache_per_token == 128 * 1024
    assert Transformer.named("Llama 3.1 70B").cache_per_token == 320 * 1024
    assert Transformer.named("Llama 3.2 1B").cache_per_token == 32 * 1024


@pytest.mark.parametrize(
    ("name", "width", "between", "embeddings"),
    [("3.2 1B", 2048, 8192, 1), ("3.1 8B", 4096, 14336, 2), ("3.1 70B", 8192, 28672, 2)],
)
def test_published_parameters_are_those_of_the_configuration(name, width, between, embeddings):
    """Counted matrix by matrix; width, MLP width and tied embeddings are in config.json too."""
    model = Transformer.named(f"Llama {name}")
    heads, cached = model.heads * model.head_dim, model.kv_heads * model.head_dim
    attention = 2 * width * heads + 2 * width * cached  # queries, output; keys, values
    layer = attention + 3 * width * between + 2 * width  # and the MLP, and two norms
    assert model.parameters == embeddings * 128_256 * width + model.layers * layer + width
    assert heads == width


EXTREME = st.sampled_from([1, 10**18])
COUNT = st.sampled_from([1, 10_000])
BYTES = st.sampled_from([0.125, 8])


@given(
    card=st.builds(Hardware, peak=EXTREME, bandwidth=EXTREME, memory=EXTREME),
    model=st.builds(Transformer, EXTREME, COUNT, COUNT, COUNT, COUNT, BYTES, BYTES),
    batch=st.sampled_from([1, 4096]),
    context=st.sampled_from([0, 1_000_000]),
)
def test_the_smallest_and_the_largest_figures_together_stay_numbers(card, model, batch, context):
    one = Pass(card, model, batch, context)
    for number in (one.time(1), one.cost(4096), one.ridge, card.balance):
        assert 0 < number < math.inf
    assert MemoryPlan(card, model, model, tokens=1).requests_without_draft >= 0


@pytest.mark.parametrize(
    ("call", "start"),
    [
        (lambda: Hardware(1e18, 1e-320), "bandwidth must lie between 1 and 1"),
        (lambda: Transformer(1e-320), "parameters must lie between 1 and 1"),
        (lambda: Transformer(1, cache_bytes=1e-300), "cache_bytes must lie between 0.125 and 8"),
        (lambda: Hardware(0, 1), "peak must lie between 1 and 1"),
        (lambda: Hardware(1, 0), "bandwidth must lie between 1 and 1"),
        (lambda: Hardware(1, 1, -1), "memory must lie between 0 and 1"),
        (lambda: Hardware.named("abacus"), "hardware must be one of NVIDIA T4, NVIDIA L4, "),
        (lambda: Transformer(0), "parameters must lie between 1 and 1"),
        (lambda: Transformer(1, layers=-1), "layers must lie between 0 and 10000, not -1."),
        (lambda: Transformer(1, heads=1.0), "heads must be a whole number, not 1.0."),
        (lambda: Transformer(1, weight_bytes=9), "weight_bytes must lie between 0.125 and 8"),
        (lambda: Transformer(1, cache_bytes=0), "cache_bytes must lie between 0.125 and 8"),
        (lambda: Transformer(1).operations(-1), "context must lie between 0 and 1000000, not -1."),
        (lambda: Transformer.named("GPT"), "transformer must be one of Llama 3.2 1B, "),
        (lambda: Pass(CARD, Transformer(1), 0), "batch must lie between 1 and 4096, not 0."),
        (lambda: Pass(CARD, Transformer(1), 1, -1), "context must lie between 0 and 1000000"),
        (lambda: Pass(CARD, Transformer(1)).time(0), "positions must lie between 1 and 4096"),
        (lambda: Pass(CARD, Transformer(1)).table(0), "last must lie between 1 and 4096, not 0."),
    ],
)
def test_what_is_refused(call, start):
    with pytest.raises(Refused) as refused:
        call()
    assert str(refused.value).startswith(start)
