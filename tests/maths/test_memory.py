"""Memory: the requests that fit are those whose bytes do, counted one by one."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdec_widgets.maths import Refused
from specdec_widgets.maths.memory import MemoryPlan
from specdec_widgets.maths.roofline import Hardware, Transformer

CARD = Hardware.named("NVIDIA A100 80GB SXM")
TARGET, DRAFT = Transformer.named("Llama 3.1 8B"), Transformer.named("Llama 3.2 1B")


def used(plan, requests, models):
    """Bytes of the models and so many requests of theirs."""
    tokens = plan.tokens + (plan.gamma if len(models) == 2 else 0)
    caches = sum(tokens * model.cache_per_token for model in models)
    return sum(model.weights for model in models) + requests * caches


@given(
    tokens=st.integers(min_value=1, max_value=100_000),
    gamma=st.integers(min_value=0, max_value=32),
    reserve=st.integers(min_value=0, max_value=20).map(lambda n: n / 20),
    card=st.sampled_from(["NVIDIA T4", "NVIDIA L4", "NVIDIA A100 80GB SXM"]),
    weight_bytes=st.sampled_from([0.5, 1, 2]),
)
def test_so_many_requests_fit_and_not_one_more(tokens, gamma, reserve, card, weight_bytes):
    target = Transformer.named("Llama 3.1 8B", weight_bytes=weight_bytes)
    plan = MemoryPlan(Hardware.named(card), target, DRAFT, tokens, gamma, reserve)
    room = plan.hardware.memory * (1 - reserve)
    for models, requests in (
        ([target], plan.requests_without_draft),
        ([target, DRAFT], plan.requests_with_draft),
    ):
        assert requests >= 0
        assert requests == 0 or used(plan, requests, models) <= room * (1 + 1e-12)
        assert used(plan, requests + 1, models) > room * (1 - 1e-12)
    assert plan.requests_lost == plan.requests_without_draft - plan.requests_with_draft >= 0


def test_by_hand():
    # 80 GB less a tenth is 72; a token of the target takes 131072 bytes, of the draft 32768.
    plan = MemoryPlan(CARD, TARGET, DRAFT, tokens=1000, gamma=0)
    assert plan.requests_without_draft == int((72e9 - 16.060522496e9) / 131_072_000) == 426
    assert plan.requests_with_draft == int((55.939477504e9 - 2.4716288e9) / 163_840_000) == 326
    assert plan.requests_lost == 100


def test_what_fits_to_the_last_byte_fits():
    # 1000 less 9 tenths is 100, less 4 of weights 96: one request of 24 tokens, 4 bytes each.
    model = Transformer(2, 1, 1, 1, 1)
    plan = MemoryPlan(Hardware(1, 1, memory=1000), model, model, tokens=24, gamma=0, reserve=0.9)
    assert plan.requests_without_draft == 1
    assert dataclasses.replace(plan, tokens=25).requests_without_draft == 0


def test_the_table_adds_up():
    plan = MemoryPlan(CARD, TARGET, DRAFT, 4096, 4)
    table = plan.table
    assert list(table.columns) == ["without_draft", "with_draft"]
    for name in table.columns:
        column = table[name]
        parts = column[["reserve", "target_weights", "draft_weights", "left"]].sum()
        assert parts == pytest.approx(column["memory"]) == 80
        assert column["requests"] == column["left"] // column["cache_per_request"]
    assert table.loc["draft_weights"].tolist() == [0, pytest.approx(2.4716288)]
    assert table.loc["requests"].tolist() == [
        plan.requests_without_draft,
        plan.requests_with_draft,
    ]


def test_a_model_that_does_not_fit_serves_nobody():
    large = Transformer.named("Llama 3.1 70B")
    plan = MemoryPlan(CARD, large, DRAFT)
    assert (plan.requests_without_draft, plan.requests_with_draft) == (0, 0)
    assert plan.table.loc["left"].max() < 0
    assert plan.by_length((512,))["lost_share"].isna().all()


def test_by_length():
    plan = MemoryPlan(CARD, TARGET, DRAFT, gamma=7)
    table = plan.by_length((256, 4096))
    for tokens, row in table.iterrows():
        other = dataclasses.replace(plan, tokens=tokens)
        assert row["without_draft"] == other.requests_without_draft
        assert row["with_draft"] == other.requests_with_draft
        assert row["lost"] == other.requests_lost
        assert row["lost_share"] == row["lost"] / row["without_draft"]
    assert list(plan.by_length().index) == [512, 1024, 2048, 4096, 8192]


@pytest.mark.parametrize(
    ("change", "start"),
    [
        ({"hardware": Hardware(1, 1)}, "hardware.memory must lie between 1 and "),
        ({"target": Transformer(1)}, "target.cache_per_token must lie between 0.125 and "),
        ({"tokens": 0}, "tokens must lie between 1 and 1000000, not 0."),
        ({"gamma": 33}, "gamma must lie between 0 and 32, not 33."),
        ({"reserve": 1.1}, "reserve must lie between 0 and 1, not 1.1."),
    ],
)
def test_what_is_refused(change, start):
    with pytest.raises(Refused) as refused:
        MemoryPlan(**{"hardware": CARD, "target": TARGET, "draft": DRAFT} | change)
    assert str(refused.value).startswith(start)


def test_memory_by_requests_is_that_of_models_and_caches():
    plan = MemoryPlan(CARD, TARGET, DRAFT, tokens=4096, reserve=0.25)
    table = plan.by_requests(3)
    assert list(table.index) == [0, 1, 2, 3]
    for requests in table.index:
        row = table.loc[requests]
        assert row["without_draft"] == pytest.approx(used(plan, requests, [TARGET]) / 1e9)
        assert row["with_draft"] == pytest.approx(used(plan, requests, [TARGET, DRAFT]) / 1e9)
        assert row["room"] == pytest.approx(60)
