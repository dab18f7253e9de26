"""Ten megabytes of each kind of log, from the text to the report, and through the report panel.

The lines are of made-up numbers and stand as close as they can: a real log has others between them.
Beside each: splitting the text into lines and searching each for a number after "accept".
"""

import json
import random
import re
from datetime import UTC, datetime
from time import process_time

import pytest

from specdec_widgets import ReportPanel, read_report

SIZE = 10_000_000  # characters
SEARCHED = re.compile(r"accept\D*[0-9.]+")


def three_positions(draw):
    """Rounds, the tokens accepted in them, and the printed rates of three positions."""
    rounds = draw.randint(50, 999)
    times = sorted((draw.randint(0, rounds) for _position in range(3)), reverse=True)
    return rounds, sum(times), ", ".join(f"{n / rounds:.3f}" for n in times)


def vllm(draw):
    rounds, accepted, rates = three_positions(draw)
    return (
        f"SpecDecoding metrics: Draft acceptance rate: {100 * accepted / rounds / 3:.1f}%, Mean "
        f"acceptance length: {1 + accepted / rounds:.2f}, Accepted: {accepted} tokens, "
        f"Drafted: {3 * rounds} tokens, Per-position acceptance rate: {rates}"
    )


def vllm_request(draw):
    counts = [draw.randint(0, 99) for _tokens in range(5)]
    accepted = sum(tokens * rounds for tokens, rounds in enumerate(counts))
    drafted = 4 * sum(counts) or 1
    said = {
        "mean_acceptance_length": 1 + 4 * accepted / drafted,
        "draft_acceptance_rate": accepted / drafted,
        "acceptance_histogram": counts,
        "num_spec_tokens": 4,
        "num_draft_tokens": drafted,
    }
    return json.dumps({"metrics": {"speculative_decoding": said}})


def bare_histogram(draw):
    """The densest of all, and nothing that an engine prints on its own."""
    return json.dumps({"acceptance_histogram": [draw.randint(0, 99) for _tokens in range(5)]})


def sglang(draw):
    length = draw.uniform(1, 4)
    return (
        f"Decode batch. #running-req: {draw.randint(1, 64)}, accept len: {length:.2f}, accept rate:"
        f" {(length - 1) / 3:.2f}, cuda graph: True, gen throughput (token/s): 0.39"
    )


def llama_server(draw):
    rounds, accepted, rates = three_positions(draw)
    return (
        f"draft acceptance = {accepted / rounds / 3:.5f} ({accepted:5} accepted / "
        f"{3 * rounds:5} generated), mean acceptance length = {1 + accepted / rounds:5.2f}, "
        f"acceptance rate per position = ({rates})"
    )


def llama_cli(draw):
    rounds = draw.randint(10, 99)
    accepted = draw.randint(0, 4 * rounds)
    return (
        f"n_draft   = 4\nn_predict = {rounds + accepted}\nn_drafted = {4 * rounds}\n"
        f"n_accept  = {accepted}\naccept    = {25 * accepted / rounds:.3f}%"
    )


def llama_timings(draw):
    drafted = draw.randint(100, 999)
    accepted = draw.randint(0, drafted)
    return json.dumps({"timings": {"draft_n": drafted, "draft_n_accepted": accepted}})


def tensorrt(draw):
    rounds = draw.randint(1, 64)
    accepted = draw.randint(0, 3 * rounds)
    stats = {
        "numDraftTokens": 3 * rounds,
        "numAcceptedTokens": accepted,
        "numRequestsWithDraftTokens": rounds,
        "acceptanceLength": round(1 + accepted / rounds, 3),
    }
    return json.dumps({"specDecodingStats": stats})


def other_lines(draw):
    """One line in a hundred says something."""
    return vllm(draw) if draw.random() < 0.01 else f"INFO 12:00:00 request {draw.random()} is done"


KINDS = (
    vllm,
    vllm_request,
    bare_histogram,
    sglang,
    llama_server,
    llama_cli,
    llama_timings,
    tensorrt,
    other_lines,
)


def log_of(kind):
    draw, lines, size = random.Random(0), [], 0
    while size < SIZE:
        lines.append(kind(draw) + "\n")
        size += len(lines[-1])
    return "".join(lines)


def line_by_line(text):
    return sum(SEARCHED.search(line) is not None for line in text.splitlines())


def seconds(act, *given):
    begin = process_time()
    act(*given)
    return process_time() - begin


@pytest.mark.benchmark(timer=process_time)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_ten_megabytes_of_log(benchmark, row, kind):
    text = log_of(kind)
    benchmark.pedantic(read_report, [text], rounds=3)
    what = f"10 MB of log, {kind.__name__.replace('_', ' ')}"
    others = [seconds(line_by_line, text) for _round in range(3)]
    row(what, benchmark.stats.stats.data, "a search in every line", others, "under 2 s")


@pytest.mark.benchmark(timer=process_time)
@pytest.mark.parametrize("way", ["pasted", "uploaded"])
def test_ten_megabytes_through_the_panel(benchmark, row, way):
    text = log_of(llama_server)
    panel = ReportPanel()

    def paste(text):
        panel.area.set_state({"value": text})  # as the page's message does

    def upload(text):
        file = {"name": "server.log", "type": "", "size": len(text), "content": text.encode()}
        panel.upload.value = ({**file, "last_modified": datetime.now(UTC)},)

    act = paste if way == "pasted" else upload

    def once_more():
        panel.reset()
        return [text], {}

    benchmark.pedantic(act, setup=once_more, rounds=3)
    others = [seconds(line_by_line, text) for _round in range(3)]
    what = f"10 MB of log, {way} into the panel"
    row(what, benchmark.stats.stats.data, "a search in every line", others, "under 2 s")
    assert panel.report.lines > 60_000
    panel.close()
