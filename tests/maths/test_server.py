"""A busy server: the cost model while the arithmetic is idle, and no gain when it is not."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specdec_widgets.maths import CostModel, Refused
from specdec_widgets.maths.acceptance import FallingAcceptance
from specdec_widgets.maths.roofline import Hardware, Pass, Transformer
from specdec_widgets.maths.server import BATCHES, BusyServer, best_of

CARD = Hardware.named("NVIDIA H100 SXM")
TARGET, DRAFT = Transformer.named("Llama 3.1 8B"), Transformer.named("Llama 3.2 1B")
SERVER = BusyServer(CARD, TARGET, DRAFT, 0.8, 256)
ALPHAS = st.integers(min_value=0, max_value=20).map(lambda n: n / 20)
BATCH = st.integers(min_value=1, max_value=2048)


def test_an_idle_server_is_the_cost_model():
    idle = BusyServer(CARD, TARGET, DRAFT, 0.8, 0)
    cost = DRAFT.parameters / TARGET.parameters
    assert idle.draft_cost(1) == pytest.approx(cost)
    model = CostModel(alpha=0.8, draft_cost=cost, verify_cost=1)
    curve = idle.curve(1)
    for column in ("expected_tokens", "round_cost", "speedup"):
        assert curve[column].to_numpy() == pytest.approx(model.curve()[column].to_numpy())
    assert idle.best(1).gamma == model.best().gamma == 5


@given(alpha=ALPHAS, batch=BATCH, context=st.integers(min_value=0, max_value=4096))
@settings(deadline=None, max_examples=50)
def test_the_curve_and_its_peak(alpha, batch, context):
    server = BusyServer(CARD, TARGET, DRAFT, alpha, context)
    curve = server.curve(batch, 12)
    plain, drafts = Pass(CARD, TARGET, batch, context), Pass(CARD, DRAFT, batch, context)
    assert server.passes(batch) == plain and server.draft_passes(batch) == drafts
    for gamma, row in curve.iterrows():
        seconds = gamma * drafts.time(1) + plain.time(gamma + 1)
        tokens = CostModel(alpha=alpha, gamma=gamma).expected_tokens
        assert row["verify_cost"] == server.verify_cost(batch, gamma)
        assert row["draft_cost"] == server.draft_cost(batch)
        assert row["speedup"] == pytest.approx(tokens * plain.time(1) / seconds)
    assert curve["speedup"][0] == 1
    best = server.best(batch, 12)
    assert best.speedup == curve["speedup"].max() == curve["speedup"][best.gamma]
    assert (curve["speedup"][: best.gamma] < best.speedup).all()
    assert best.at_edge == (best.gamma == 12)


def test_the_gain_is_gone_when_the_arithmetic_is_used_up():
    table = SERVER.by_batch(4)
    assert list(table.index) == list(BATCHES)
    assert table["speedup"].is_monotonic_decreasing
    assert table["best_gamma"].is_monotonic_decreasing
    assert table["best_gamma"].iloc[[0, -1]].tolist() == [5, 0]
    assert table["best_speedup"].iloc[-1] == 1 > table["speedup"].iloc[-1]
    short = BusyServer(CARD, TARGET, DRAFT, 0.8, 0)
    assert short.verify_cost(4096, 4) == pytest.approx(5)


def test_long_contexts_put_that_off():
    best = [
        BusyServer(CARD, TARGET, DRAFT, 0.8, context).best(256).gamma for context in (0, 256, 4096)
    ]
    assert best == [0, 1, 3]


@pytest.mark.parametrize("batch", [1, 64, 512])
def test_by_batch_hangs_together(batch):
    row = SERVER.by_batch(3, [batch]).loc[batch]
    plain = Pass(CARD, TARGET, batch, 256)
    assert row["plain_ms"] == 1e3 * plain.time()
    assert row["ridge"] == plain.ridge
    assert row["draft_cost"] == SERVER.draft_cost(batch)
    assert row["verify_cost"] == SERVER.verify_cost(batch, 3)
    assert row["speedup"] == SERVER.curve(batch)["speedup"][3]
    assert (row["best_gamma"], row["best_speedup"]) == SERVER.best(batch)[:2]
    assert row["plain_tokens_s"] == pytest.approx(batch / plain.time())
    assert row["best_tokens_s"] == pytest.approx(row["plain_tokens_s"] * row["best_speedup"])
    cached = batch * 256 * (TARGET.cache_per_token + DRAFT.cache_per_token)
    assert row["memory_gb"] == pytest.approx((TARGET.weights + DRAFT.weights + cached) / 1e9)


def test_acceptance_may_fall():
    falling = FallingAcceptance([0.8, 0.4, 0.1])
    server = BusyServer(CARD, TARGET, DRAFT, falling, 0)
    curve = server.curve(1)
    assert list(curve.index) == [0, 1, 2, 3]
    expected = falling.curve(server.draft_cost(1), 1.0)
    assert curve["speedup"].to_numpy() == pytest.approx(expected["speedup"].to_numpy())
    assert server.best(1).gamma == falling.best(server.draft_cost(1)).gamma
    assert server.by_batch(8, [1])["speedup"][1] == curve["speedup"][3]
    constant = BusyServer(CARD, TARGET, DRAFT, FallingAcceptance.decaying(0.8, 1), 256)
    assert constant.curve(32)["speedup"].to_numpy() == pytest.approx(
        SERVER.curve(32)["speedup"].to_numpy()
    )


@pytest.mark.parametrize(
    ("call", "start"),
    [
        (lambda: BusyServer(CARD, TARGET, DRAFT, 2), "acceptance must lie between 0 and 1, not 2."),
        (lambda: BusyServer(CARD, TARGET, DRAFT, 0.8, -1), "context must lie between 0 and "),
        (lambda: SERVER.curve(0), "batch must lie between 1 and 4096, not 0."),
        (lambda: SERVER.curve(1, 33), "max_gamma must lie between 0 and 32, not 33."),
        (lambda: SERVER.verify_cost(1, -1), "gamma must lie between 0 and 32, not -1."),
        (lambda: SERVER.by_batch(33), "gamma must lie between 0 and 32, not 33."),
        (lambda: SERVER.by_batch(4, [0]), "batch must lie between 1 and 4096, not 0."),
    ],
)
def test_what_is_refused(call, start):
    with pytest.raises(Refused) as refused:
        call()
    assert str(refused.value).startswith(start)


@given(st.integers(1, 512), st.integers(0, 4096))
def test_all_costs_at_once_are_the_costs_one_by_one(batch, context):
    target = Pass(SERVER.hardware, SERVER.target, batch, context)
    assert target.costs(33).tolist() == [target.cost(n) for n in range(1, 34)]


@given(st.integers(1, 512))
def test_the_simple_speedup_is_the_cost_models(batch):
    model = CostModel(SERVER.acceptance, draft_cost=SERVER.draft_cost(batch))
    curve = SERVER.curve(batch)["simple_speedup"]
    assert curve.to_numpy() == pytest.approx(model.curve()["speedup"].to_numpy())


def test_a_draft_dearer_than_the_target_never_pays():
    heavy = BusyServer(SERVER.hardware, SERVER.draft, SERVER.target)
    assert heavy.draft_cost(1) > 1
    assert heavy.best(1) == best_of(heavy.curve(1)["simple_speedup"]) == (0, 1.0, False)
