"""Reading reports: what engines print, real surroundings, pooling by counts, and hostile text."""

import ast
import gc
import json
import random
import re
from contextlib import suppress
from fractions import Fraction
from itertools import zip_longest
from pathlib import Path
from string import Formatter

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import specdec_widgets.maths
from specdec_widgets.maths import (
    EXAMPLES,
    Refused,
    TypeRefused,
    ValueRefused,
    read_report,
    report_from_histogram,
    report_from_rates,
)
from specdec_widgets.maths.reports.lines import of_histogram
from specdec_widgets.maths.reports.pool import pool
from specdec_widgets.maths.reports.sources import SOURCES
from tests.maths.anything import ANYTHING

HISTOGRAM = '{"acceptance_histogram": [39, 1, 0, 3]}'
IN_NO_ROUND = (
    '{"numDraftTokens": 24, "numAcceptedTokens": 12, "numRequestsWithDraftTokens": 0, '
    '"acceptanceLength": 2.5}'
)
SERVER = "draft acceptance rate = 0.96855 (  154 accepted /   159 generated)"
BLOCK = "n_draft   = 16\nn_predict = 371\nn_drafted = 912\nn_accept  = 313\naccept    = 34.320%\n"
OLD_VLLM = (
    "INFO 10-16 19:05:47 metrics.py:367] Speculative metrics: Draft acceptance rate: 0.642, System "
    "efficiency: 0.598, Number of speculative tokens: 3, Number of accepted tokens: 8547, Number "
    "of draft tokens: 13311, Number of emitted tokens: 10616."
)
COUNTERS = """\
# HELP vllm:spec_decode_num_drafts_total Number of spec decoding drafts.
# TYPE vllm:spec_decode_num_drafts_total counter
vllm:spec_decode_num_drafts_total{engine="0",model_name="m"} 129.0
vllm:spec_decode_num_drafts_created{engine="0",model_name="m"} 1.7e+09
vllm:spec_decode_num_draft_tokens_total{engine="0",model_name="m"} 387.0
vllm:spec_decode_num_accepted_tokens_total{engine="0",model_name="m"} 150.0
vllm:spec_decode_num_accepted_tokens_per_pos_total{engine="0",model_name="m",position="0"} 70.0
vllm:spec_decode_num_accepted_tokens_per_pos_total{engine="0",model_name="m",position="1"} 46.0
vllm:spec_decode_num_accepted_tokens_per_pos_total{engine="0",model_name="m",position="2"} 34.0
"""


def sentences(report):
    return [str(finding) for finding in report.findings]


# What each engine prints


def test_vllm_log():
    report = read_report(EXAMPLES["vLLM"])
    assert (report.engine, report.gamma) == ("vLLM", 3)
    assert (report.rounds, report.drafted, report.accepted) == (129, 387, 150)
    assert (report.acceptance_rate, report.mean_acceptance_length) == (0.388, 2.16)
    assert report.joint_acceptance == (0.543, 0.357, 0.264)
    assert report.expected_tokens(3) == pytest.approx(2.164)
    assert report.conditional_acceptance == pytest.approx((0.543, 0.6575, 0.7395), abs=1e-4)
    assert report.findings == ()
    assert {n for n, origin in report.origin.items() if origin == "derived"} == {"rounds", "gamma"}


def test_vllm_log_with_a_zoo_of_names_and_orders():
    fields = [
        "Mean acceptance length: 3.49",
        "Accepted throughput: 0.12 tokens/s",
        "Drafted throughput: 0.34 tokens/s",
        "Accepted: 92 tokens",
        "Drafted: 259 tokens",
        "Per-position acceptance rate: 0.757, 0.622, 0.432, 0.324, 0.189, 0.108, 0.054",
        "Avg Draft acceptance rate: 35.5%",
    ]
    for seed in range(20):
        random.Random(seed).shuffle(fields)
        report = read_report("SpecDecoding metrics: " + ", ".join(fields))
        assert (report.rounds, report.gamma, report.accepted) == (37, 7, 92)
        assert report.joint_acceptance[-1] == 0.054 and report.findings == ()
    bracketed = "SpecDecoding metrics: Per-position acceptance rate: [0.89, 0.76, 0.61]"
    assert read_report(bracketed).joint_acceptance == (0.89, 0.76, 0.61)


def test_the_first_vllm_lines_had_counts_only():
    report = read_report(
        "SpecDecoding metrics: Draft acceptance rate: 38.8%, Accepted: 150 tokens, Drafted: 387 "
        "tokens"
    )
    assert (report.accepted, report.drafted, report.acceptance_rate) == (150, 387, 0.388)
    assert report.rounds is report.gamma is report.mean_acceptance_length is None
    assert read_report(
        "SpecDecoding metrics: Accepted: 150 tokens, Drafted: 387 tokens", gamma=3
    ).mean_acceptance_length == pytest.approx(1 + 150 / 129)


def test_a_vllm_line_that_was_broken_after_a_comma():
    report = read_report(EXAMPLES["vLLM"].replace(", ", ",\n"))
    assert (report.rounds, report.joint_acceptance) == (129, (0.543, 0.357, 0.264))


def test_vllm_of_2024_counts_tokens_after_a_rejection_which_are_not_taken():
    report = read_report(OLD_VLLM)
    assert (report.rounds, report.drafted, report.gamma) == (4437, 13311, 3)
    assert report.accepted == 10616 - 4437
    assert report.mean_acceptance_length == pytest.approx(10616 / 4437)
    # "System efficiency" is the share of the most a round can yield, printed with three digits.
    assert report.mean_acceptance_length / 4 == pytest.approx(0.598, abs=0.0005)
    later = read_report(OLD_VLLM + "\n" + OLD_VLLM.replace("13311", "16311"))
    assert later.drafted == 16311 and len(later.caveats) == 1


def test_vllm_request():
    report = read_report(HISTOGRAM)
    assert (report.engine, report.rounds, report.gamma) == ("vLLM", 43, 3)
    assert (report.accepted, report.drafted) == (10, 129)
    assert round(report.mean_acceptance_length, 4) == 1.2326
    assert report.joint_acceptance == (4 / 43, 3 / 43, 3 / 43)
    assert sentences(report) == ["Every draft is taken to be of length 3."]


def test_vllm_request_with_all_that_it_prints():
    text = (
        '{"metrics": {"speculative_decoding": {"mean_acceptance_length": 1.2325581395348837, '
        '"draft_acceptance_rate": 0.078125, "acceptance_histogram": [\n  39,\n  1,\n  0,\n  3\n], '
        '"num_spec_tokens": 3, "num_draft_tokens": 128}}}'
    )
    report = read_report(text)
    assert (report.rounds, report.drafted, report.accepted) == (43, 128, 10)
    assert report.origin["drafted"] == "reported"
    assert len(report.caveats) == 1 and not report.contradictions  # one draft was shorter
    escaped = read_report('{"log": "' + text.replace("\n", "").replace('"', '\\"') + '"}')
    assert (escaped.rounds, escaped.drafted) == (43, 128)
    longer = read_report('{"acceptance_histogram": [39, 1], "num_spec_tokens": 3}')
    assert (longer.gamma, longer.drafted) == (3, 120)


BARE = st.lists(st.integers(0, 99), min_size=1, max_size=4)


@settings(deadline=None)
@given(histograms=st.lists(BARE, min_size=1, max_size=12).filter(lambda all_: any(map(any, all_))))
@example(histograms=[[3, 1], [0, 0], [2], [4, 4, 4], [0, 7], [1, 0, 9]])  # two gammas, one none
def test_bare_histograms_summed_at_once_are_those_pooled_one_by_one(histograms):
    text = "".join([f"{json.dumps({'acceptance_histogram': counts})}\n" for counts in histograms])
    one_by_one = [of_histogram(counts) for counts in histograms if any(counts)]
    assert read_report(text) == pool("vLLM", one_by_one)
    other = HISTOGRAM[:-1] + ', "num_draft_tokens": 120}'
    rest = of_histogram([39, 1, 0, 3], drafted=120)
    assert read_report(text + other) == pool("vLLM", [*one_by_one, rest])


def test_a_histogram_of_another_name_is_not_vllms():
    with pytest.raises(ValueRefused):
        read_report('{"spec_acceptance_histogram": [39, 1, 0, 3]}')


@pytest.mark.parametrize("text", [COUNTERS, COUNTERS.replace("_total{", "{")])
def test_counters(text):
    report = read_report(text)
    assert (report.engine, report.gamma, report.rounds) == ("vLLM", 3, 129)
    assert (report.drafted, report.accepted) == (387, 150)
    assert report.joint_acceptance == (70 / 129, 46 / 129, 34 / 129)
    assert report.expected_tokens(3) == pytest.approx(report.mean_acceptance_length)
    assert report.origin["rounds"] == "reported" and report.findings == ()


def test_counters_without_labels_and_without_positions():
    report = read_report(
        "vllm:spec_decode_num_drafts 1.29e+02\nvllm:spec_decode_num_draft_tokens 387\n"
        "vllm:spec_decode_num_accepted_tokens 150 1712345678000\n"
    )
    assert (report.rounds, report.drafted, report.accepted) == (129, 387, 150)
    assert report.gamma == 3 and report.joint_acceptance is None


def test_counters_of_two_engines_are_summed_and_of_two_readings_the_last_is_taken():
    two = read_report(COUNTERS + COUNTERS.replace('engine="0"', 'engine="1"'))
    assert (two.rounds, two.accepted) == (258, 300) and two.findings == ()
    assert two.joint_acceptance == (140 / 258, 92 / 258, 68 / 258)
    before = COUNTERS.replace(" 129.0", " 29.0").replace(" 150.0", " 50.0")
    later = read_report(before + COUNTERS)
    assert (later.rounds, later.accepted) == (129, 150)
    assert sentences(later) == [
        "These figures run since the server's start, so that of 2 readings the last is taken."
    ]


def test_counters_of_llama_cpp():
    report = read_report(COUNTERS.replace("vllm:", "llamacpp:"))
    assert (report.engine, report.rounds) == ("llama.cpp", 129)


def test_counters_at_zero_say_nothing_and_claim_nothing():
    zero = "\n".join(line.rsplit(" ", 1)[0] + " 0.0" for line in COUNTERS.splitlines()[2:])
    report = read_report(zero)
    assert (report.rounds, report.drafted, report.accepted) == (0, 0, 0)
    assert report.acceptance_rate is report.mean_acceptance_length is None
    assert report.best() is None


def test_sglang_whose_rate_is_the_length_over_the_draft_tokens():
    report = read_report(EXAMPLES["SGLang"])
    assert (report.engine, report.mean_acceptance_length, report.gamma) == ("SGLang", 2.17, 3)
    assert report.acceptance_rate == pytest.approx(1.17 / 3)
    assert report.origin["acceptance_rate"] == "derived"
    assert report.rounds is report.drafted is report.accepted is report.joint_acceptance is None
    assert "its meaning before April 2026: a chain of 4" in sentences(report)[0]


def test_sglang_whose_rate_is_accepted_over_drafted():
    report = read_report(EXAMPLES["SGLang"].replace("rate: 0.54", "rate: 0.39"))
    assert (report.gamma, report.acceptance_rate) == (3, 0.39)
    assert report.origin["acceptance_rate"] == "reported"
    assert "its meaning since April 2026: a chain of 4" in sentences(report)[0]


def test_sglang_whose_rate_may_be_either():
    line = "Decode batch. #running-req: 1, accept len: 2.50, accept rate: 0.50, #queue-req: 0\n"
    report = read_report(line)
    assert report.mean_acceptance_length == 2.5
    assert report.gamma is report.acceptance_rate is report.implied_alpha is None
    assert "the figures do not tell which" in sentences(report)[0]
    # A second line tells: 3.00 / 0.60 is 5, and 1 + 2.00 / 0.60 is nothing.
    both = read_report(line + line.replace("2.50", "3.00").replace("0.50", "0.60"))
    assert (both.gamma, both.mean_acceptance_length) == (4, 2.75)
    # Or the reader does.
    assert read_report(line, gamma=4).acceptance_rate == pytest.approx(1.5 / 4)


def test_sglang_whose_rate_is_the_same_by_either_meaning():
    report = read_report("accept len: 4.00, accept rate: 1.00")
    assert (report.gamma, report.acceptance_rate, report.findings) == (3, 1.0, ())
    assert report.origin["acceptance_rate"] == "reported"


def test_sglang_of_2025_has_no_rate():
    line = (
        "[2025-06-20 04:35:25 TP0] Decode batch. #running-req: 4, #token: 3121, token usage: 0.00, "
        "accept len: 2.74, cuda graph: True, gen throughput (token/s): 396.76, \n"
    )
    report = read_report(line * 3)
    assert (report.lines, round(report.mean_acceptance_length, 9)) == (3, 2.74)
    assert report.gamma is report.acceptance_rate is None


def test_sglang_lines_are_weighted_by_the_requests_or_averaged_and_say_so():
    lines = [
        f"#running-req: {n}, accept len: {length}\n" for n, length in ((1, "2.00"), (3, "3.00"))
    ]
    report = read_report("".join(lines))
    assert report.mean_acceptance_length == pytest.approx(2.75)
    assert "weighted by the running requests" in sentences(report)[0]
    plain = read_report("accept len: 2.00\naccept len: 3.00\n")
    assert plain.mean_acceptance_length == pytest.approx(2.5)
    assert "averaged" in sentences(plain)[0]


def test_llama_server_of_old():
    report = read_report(SERVER)
    assert (report.engine, report.accepted, report.drafted) == ("llama.cpp", 154, 159)
    assert report.acceptance_rate == 0.96855
    assert report.rounds is report.gamma is report.mean_acceptance_length is None
    assert read_report(SERVER, gamma=3).rounds == 53


def test_llama_server_of_late():
    report = read_report(EXAMPLES["llama.cpp"])
    assert (report.accepted, report.drafted, report.acceptance_rate) == (167, 259, 0.64479)
    assert (report.rounds, report.gamma, report.mean_acceptance_length) == (87, 3, 2.92)
    assert report.joint_acceptance == (0.805, 0.632, 0.483)
    assert "some drafts were shorter" in sentences(report)[0] and len(report.findings) == 1


def test_llama_command_line():
    report = read_report(BLOCK)
    assert (report.gamma, report.drafted, report.accepted) == (16, 912, 313)
    assert report.acceptance_rate == pytest.approx(0.3432)
    assert report.rounds == 57 and report.mean_acceptance_length == pytest.approx(1 + 313 / 57)
    assert report.origin["gamma"] == "reported" and report.origin["rounds"] == "derived"
    other = read_report(BLOCK.replace("371", "370"))  # the program without the prompt's token
    assert other.rounds == 57
    twice = read_report(BLOCK * 2)
    assert (twice.lines, twice.rounds, twice.accepted) == (2, 114, 626)


def test_llama_command_line_with_shorter_drafts_leaves_the_rounds_open():
    report = read_report(BLOCK.replace("912", "700").replace("34.320", "44.714"))
    assert report.rounds is None and not report.contradictions
    assert report.mean_acceptance_length == pytest.approx(371 / 58)
    assert report.origin["mean_acceptance_length"] == "derived"


def test_llama_timings():
    report = read_report(
        '{"timings": {"predicted_n": 42, "draft_n": 514, "draft_n_accepted": 365}}\n'
        '{"timings": {\n  "draft_n_accepted": 1,\n  "draft_n": 4\n}}'
    )
    assert (report.lines, report.drafted, report.accepted) == (2, 518, 366)
    assert report.acceptance_rate == 366 / 518 and report.mean_acceptance_length is None


def stream(prompt_ms, counts, **more):
    """What llama.cpp's server streams of a request with timings_per_token, a chunk a token."""
    for predicted, (drafted, accepted) in enumerate(counts, start=1):
        timings = {
            "prompt_n": 13,
            "prompt_ms": prompt_ms,
            "predicted_n": predicted,
            "predicted_ms": 9.1 * predicted,
            **({"draft_n": drafted, "draft_n_accepted": accepted} if drafted else {}),
        }
        yield "data: " + json.dumps({"choices": [{"index": 0}], "timings": {**timings, **more}})


FIRST = [(0, 0), (4, 2), (4, 2), (4, 2), (8, 6), (8, 6)]
SECOND = [(4, 0), (8, 1), (8, 1), (12, 3)]


def test_a_stream_of_timings_is_counted_once():
    report = read_report("\n".join(stream(228.522, FIRST)))
    assert (report.lines, report.drafted, report.accepted) == (1, 8, 6)
    (said,) = sentences(report)
    assert "of 5 readings the last of every request is taken, 1 in all" in said


def test_requests_whose_prompts_took_as_long_are_not_taken_for_a_stream():
    ends = [(60 + 7 * n % 40, 90, 50) for n in range(30)]  # tokens, drafted, accepted
    timings = '{"prompt_ms": 9.5, "predicted_n": %d, "draft_n": %d, "draft_n_accepted": %d}'
    report = read_report("\n".join(timings % end for end in ends))
    assert (report.lines, report.drafted, report.accepted) == (30, 2700, 1500)
    assert not report.findings


@pytest.mark.parametrize("between", [", ", " | ", ", draft tokens = 4, ", "; "])
def test_fields_of_the_server_may_stand_apart(between):
    counts = "draft acceptance = 0.5 ( 8 accepted / 16 generated)"
    fields = ["mean acceptance length = 2.00", "acceptance rate per position = (0.50, 0.50)"]
    for order in (fields, fields[::-1]):
        report = read_report(between.join([counts, *order]))
        assert report.mean_acceptance_length == 2
        assert report.joint_acceptance == (0.5, 0.5)


def test_two_streams_at_once_are_two_requests():
    one, two = list(stream(228.522, FIRST)), list(stream(30.958, SECOND))
    mixed = [chunk for both in zip_longest(one, two, fillvalue="") for chunk in both]
    for chunks in (one + two, mixed):
        report = read_report("\n\n".join(chunks))
        assert (report.lines, report.drafted, report.accepted) == (2, 20, 9)


def test_another_request_whose_prompt_took_as_long_is_another_one():
    report = read_report("\n".join([*stream(30.958, FIRST), *stream(30.958, SECOND)]))
    assert (report.lines, report.drafted, report.accepted) == (2, 20, 9)
    cached = [*stream(30.958, FIRST), *stream(30.958, [(9, 6)], cache_n=236)]
    assert read_report("\n".join(cached)).drafted == 17


def test_timings_that_do_not_name_their_prompt_are_requests_of_their_own():
    report = read_report('{"draft_n": 4, "draft_n_accepted": 1}\n' * 3)
    assert (report.lines, report.drafted, report.accepted, report.findings) == (3, 12, 3, ())


def test_tensorrt_llm():
    report = read_report(EXAMPLES["TensorRT-LLM"])
    assert (report.rounds, report.drafted, report.accepted, report.gamma) == (8, 24, 12, 3)
    assert (report.mean_acceptance_length, report.acceptance_rate) == (2.5, 0.5)
    more = EXAMPLES["TensorRT-LLM"].replace("12", "2").replace("2.5", "1.25")
    pooled = read_report(f"[{EXAMPLES['TensorRT-LLM']}, {more}]")
    assert (pooled.rounds, pooled.accepted) == (16, 14)
    assert pooled.mean_acceptance_length == 1 + 14 / 16


@pytest.mark.parametrize("engine", EXAMPLES)
def test_the_example_of_each_engine_is_read_as_its_own(engine):
    assert read_report(EXAMPLES[engine]).engine == engine
    assert {source.engine for source in SOURCES} == set(EXAMPLES)


# In the middle of a real log


NOISE = [
    '\x1b[1;36m(APIServer pid=1)\x1b[0;0m INFO:     127.0.0.1:56326 - "POST /v1 HTTP/1.1" 200 OK',
    "(APIServer pid=1) INFO 08-04 20:51:08 [loggers.py:310] Avg prompt throughput: 93.9 tokens/s",
    "srv  update_slots: all slots are idle",
    "Traceback (most recent call last):",
    "{",
    "}",
    "",
    '{"usage": {"prompt_tokens": 30, "completion_tokens": 42}}',
    "accepted 12 connections, drafted 4 rules, acceptance rate unknown",
]


@pytest.mark.parametrize("line", [*EXAMPLES.values(), HISTOGRAM, SERVER, OLD_VLLM, BLOCK, COUNTERS])
def test_a_report_says_the_same_anywhere_in_a_log(line):
    alone = read_report(line)
    before, after = "\n".join(NOISE * 40) + "\n", "\n" + "\n".join(NOISE * 40)
    assert read_report(before + line + after) == alone
    assert read_report((before + line + after).replace("\n", "\r\n")) == alone
    assert read_report((before + line + after).encode()) == alone
    assert read_report((before + line).encode("utf-16")) == alone
    if line != COUNTERS:  # a counter begins its line
        prefixed = "".join(
            f"\x1b[32m2026-05-01 12:00:00 host app[7]: {part}\x1b[0m\n"
            for part in line.splitlines()
        )
        assert read_report(before + prefixed) == alone


def test_colours_inside_a_line_are_no_matter():
    coloured = EXAMPLES["vLLM"].replace("SpecDecoding", "\x1b[01;31m\x1b[KSpecDecoding\x1b[m\x1b[K")
    coloured = coloured.replace("150", "\x1b[1m150\x1b[0m")
    assert read_report(coloured) == read_report(EXAMPLES["vLLM"])


def test_of_two_kinds_of_figures_one_is_taken_and_the_other_named():
    report = read_report(EXAMPLES["vLLM"] + "\n" + COUNTERS.replace("129.0", "130.0"))
    assert report.rounds == 130
    assert sentences(report)[0] == (
        "The text also has SpecDecoding metrics: (vLLM), which is left out: both may count the "
        "same rounds."
    )
    mostly = read_report(EXAMPLES["vLLM"] + "\n" + f"{SERVER}\n" * 2)
    assert (mostly.engine, mostly.accepted) == ("llama.cpp", 308)


def test_lines_of_another_gamma_are_left_out_and_counted():
    cut = EXAMPLES["vLLM"].removesuffix(", 0.264")
    report = read_report(f"{EXAMPLES['vLLM']}\n{EXAMPLES['vLLM']}\n{cut}")
    assert (report.lines, report.gamma, report.rounds) == (2, 3, 258)
    assert sentences(report) == ["Lines without gamma 3, which most have, are left out: 1 of 3."]
    assert report.findings[0].lines == 1


def test_lines_without_counts_are_not_pooled_with_lines_that_have_them():
    bare = "SpecDecoding metrics: Mean acceptance length: 2.82"
    report = read_report(f"{EXAMPLES['vLLM']}\n{bare}")
    assert (report.lines, report.accepted, report.mean_acceptance_length) == (1, 150, 2.16)
    assert sentences(report) == ["Lines that print no counts are left out: 1 of 2."]


# Pooling: what the engines print of the same rounds, cut into lines as they like


@st.composite
def batches(draw, drafts=None):
    gamma = draw(st.integers(1, 6))
    rounds = st.tuples(st.integers(0, gamma), st.just(gamma) if drafts is None else drafts).map(
        lambda r: (min(r[0], r[1], gamma), min(r[1], gamma))
    )
    return gamma, draw(st.lists(st.lists(rounds, min_size=1, max_size=60), min_size=1, max_size=6))


def vllm_line(gamma, rounds):
    n, accepted = len(rounds), sum(a for a, _ in rounds)
    drafted = sum(d for _, d in rounds)
    rates = ", ".join(f"{sum(a >= i for a, _ in rounds) / n:.3f}" for i in range(1, gamma + 1))
    return (
        f"INFO [metrics.py:120] SpecDecoding metrics: Mean acceptance length: "
        f"{1 + accepted / n:.2f}, Accepted: {accepted} tokens, Drafted: {drafted} tokens, "
        f"Per-position acceptance rate: "
        f"{rates}, Avg Draft acceptance rate: {100 * accepted / drafted:.1f}%"
    )


def llama_line(gamma, rounds):
    n, accepted = len(rounds), sum(a for a, _ in rounds)
    drafted = sum(d for _, d in rounds)
    rates = ", ".join(f"{sum(a >= i for a, _ in rounds) / n:.3f}" for i in range(1, gamma + 1))
    return (
        f"draft acceptance = {accepted / drafted:.5f} ({accepted:5d} accepted / {drafted:5d} "
        f"generated), mean acceptance length = {1 + accepted / n:5.2f}, "
        f"acceptance rate per position = ({rates})"
    )


def histogram_line(gamma, rounds):
    counts = [sum(a == i for a, _ in rounds) for i in range(gamma + 1)]
    return f'{{"acceptance_histogram": {counts}, "num_draft_tokens": {sum(d for _, d in rounds)}}}'


def tensorrt_line(gamma, rounds):
    return (
        f'{{"numDraftTokens": {sum(d for _, d in rounds)}, "numAcceptedTokens": '
        f'{sum(a for a, _ in rounds)}, "numRequestsWithDraftTokens": {len(rounds)}}}'
    )


@pytest.mark.parametrize("line", [vllm_line, llama_line, histogram_line, tensorrt_line])
@given(batches())
def test_lines_are_pooled_by_their_counts(line, batch):
    gamma, lines = batch
    report = read_report("\n".join(line(gamma, rounds) for rounds in lines))
    every = [accepted for rounds in lines for accepted, _ in rounds]
    assert not report.contradictions
    assert (report.lines, report.gamma, report.rounds) == (len(lines), gamma, len(every))
    assert (report.accepted, report.drafted) == (sum(every), gamma * len(every))
    printed = 0.005 + 1e-9 if line in (vllm_line, llama_line) and len(lines) == 1 else 1e-9
    assert report.mean_acceptance_length == pytest.approx(1 + sum(every) / len(every), abs=printed)
    if line is not tensorrt_line:
        joint = [sum(a >= i for a in every) / len(every) for i in range(1, gamma + 1)]
        assert report.joint_acceptance == pytest.approx(joint, abs=0.0005 + 1e-9)


@given(batches(drafts=st.integers(1, 6)))
@example((6, [[(0, 1), (0, 5)], [(1, 1)]]))
def test_shorter_drafts_make_neither_contradictions_nor_rounds_up(batch):
    gamma, lines = batch
    report = read_report("\n".join(vllm_line(gamma, rounds) for rounds in lines))
    every = [r for rounds in lines for r in rounds]
    assert not report.contradictions
    assert report.accepted == sum(a for a, _ in every)
    assert report.drafted == sum(d for _, d in every)
    # Where every line prints a length above 1 the rounds are right to what it prints.
    if report.rounds is not None and all(sum(a for a, _ in rounds) for rounds in lines):
        rate = report.accepted / len(every)
        assert report.accepted / report.rounds == pytest.approx(rate, rel=0.01, abs=0.011)


def test_nothing_accepted_leaves_the_rounds_to_what_other_lines_say_of_full_drafts():
    nothing = vllm_line(3, [(0, 3)] * 4)
    alone = read_report(nothing)
    assert (alone.rounds, alone.mean_acceptance_length) == (4, 1.0)
    assert sentences(alone) == ["Every draft is taken to be of length 3."]
    full = read_report(nothing + "\n" + vllm_line(3, [(2, 3)] * 6))
    assert full.rounds == 10 and full.findings == ()
    shorter = read_report(nothing + "\n" + vllm_line(3, [(2, 2), (0, 3), (1, 3)] * 6))
    assert shorter.rounds is None and shorter.accepted == 18 and shorter.caveats


def test_the_one_number_of_rounds_that_agrees_with_every_figure():
    # 394..404 rounds agree with the length and several with both rates; one makes 352 accepted.
    line = (
        "SpecDecoding metrics: Mean acceptance length: 1.88, Accepted: 352 tokens, Drafted: 599 "
        "tokens, Per-position acceptance rate: 0.862, 0.020"
    )
    assert read_report(line).rounds == 399
    assert read_report(line.replace("0.862, 0.020", "0.86, 0.02")).rounds is None


# Contradictions


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            EXAMPLES["vLLM"].replace("2.16", "2.18"),
            "The acceptance length 2.18 is not 1 + the sum of the positions, which is 2.164.",
        ),
        (
            EXAMPLES["vLLM"].replace("0.543, 0.357", "0.357, 0.543"),
            "Position 2 has the acceptance 0.543, more than 0.357 before it: a joint acceptance "
            "can only fall.",
        ),
        (
            EXAMPLES["vLLM"].replace("38.8", "48.8"),
            "The acceptance rate 0.488 is not accepted / drafted, which is 0.3876.",
        ),
        (
            EXAMPLES["vLLM"].replace("150", "550"),
            "The accepted tokens, 550, are more than the drafted ones, 387.",
        ),
        (
            EXAMPLES["vLLM"].replace("387", "787"),
            "The draft tokens, 787, are more than rounds x gamma, 129 x 3.",
        ),
        (
            EXAMPLES["TensorRT-LLM"].replace("2.5", "3.5"),
            "The acceptance length 3.5 is not 1 + accepted / rounds, which is 2.5.",
        ),
        (
            COUNTERS.replace(" 150.0", " 160.0"),
            "The tokens accepted at each position sum to 150, not to the accepted tokens, 160.",
        ),
        (
            COUNTERS.replace(" 129.0", " 69.0"),
            "Position 1 was accepted more often than reached: 70 against 69.",
        ),
        (
            "SpecDecoding metrics: Mean acceptance length: 0.50",
            "The acceptance length 0.5 is less than 1, the target's own token.",
        ),
        (
            "SpecDecoding metrics: Per-position acceptance rate: 1.500, 0.2",
            "An acceptance of 1.5 is more than 1, which is all there is.",
        ),
        (IN_NO_ROUND, "No round is counted, and yet draft tokens are: 24."),
        (
            HISTOGRAM.replace("}", ', "num_spec_tokens": 2}'),
            "Gamma is said to be 2, and the report has 3.",
        ),
        (
            HISTOGRAM.replace("}", ', "num_spec_tokens": 2000}'),
            "Gamma is said to be 2000, and the report has 3.",
        ),
    ],
)
def test_a_report_that_contradicts_itself_is_shown_with_the_contradiction(text, sentence):
    report = read_report(text)
    assert sentence in [str(found) for found in report.contradictions]


@pytest.mark.parametrize(
    "text", [EXAMPLES["vLLM"], HISTOGRAM, "39 1 0 3", "0.8, 0.6, 0.4", "6 of 9, gamma 3"]
)
def test_a_gamma_that_the_report_contradicts(text):
    report = read_report(text, gamma=5)
    assert report.gamma == 3
    said = [str(found) for found in report.contradictions]
    assert said == ["Gamma is said to be 5, and the report has 3."]
    assert read_report(text, gamma=3) == read_report(text)


def test_lines_without_a_round_weigh_nothing():
    report = read_report(f"{IN_NO_ROUND}\n{IN_NO_ROUND}")
    assert report.mean_acceptance_length is None
    assert [(str(found), found.lines) for found in report.findings] == [
        ("No round is counted, and yet draft tokens are: 24.", 2)
    ]


def test_a_draft_of_no_token_is_not_called_full():
    for gamma in (None, 5):
        assert read_report('{"acceptance_histogram": [5]}', gamma).findings == ()


def test_a_finding_counts_lines_and_not_how_often_one_shows_it():
    line = "SpecDecoding metrics: Draft acceptance rate: 120%, Per-position acceptance rate: 1.3, 1"
    for times in (1, 2):
        (found,) = read_report("\n".join([line] * times)).contradictions
        assert (found.lines, found.fields["rate"]) == (times, 1.3)


def test_a_contradiction_of_many_lines_is_one_finding_that_counts_them():
    wrong = EXAMPLES["vLLM"].replace("2.16", "2.18")
    report = read_report("\n".join([EXAMPLES["vLLM"], wrong, wrong.replace("2.18", "2.19")]))
    sums = [found for found in report.contradictions if "sum of the positions" in found.template]
    assert len(sums) == 1 and sums[0].lines == 2 and sums[0].fields["length"] == 2.18


# Typed


@pytest.mark.parametrize(
    "text",
    [
        "0.8, 0.6, 0.4",
        "0.8 0.6 0.4",
        "0,8 0,6 0,4",
        "0,8, 0,6, 0,4",
        "0,8; 0,6; 0,4",
        "0.8,0.6,0.4",
        "[0.8, 0.6, 0.4]",
        "80% 60 % 40%",
        ".8\n.6\n.4\n",
    ],
)
def test_typed_rates(text):
    report = read_report(text)
    assert report.joint_acceptance == (0.8, 0.6, 0.4) and report.engine is None
    assert report.mean_acceptance_length == pytest.approx(2.8)


@pytest.mark.parametrize("text", ["39 1 0 3", "39, 1, 0, 3", "[39,1,0,3]", "39,1,0,3", "39;1;0;3"])
def test_typed_histograms(text):
    report = read_report(text)
    assert (report.rounds, report.accepted, report.drafted) == (43, 10, 129)


@pytest.mark.parametrize(
    "text",
    [
        "208 of 260, gamma 5",
        "208/260 gamma=5",
        "208 / 260; γ 5",
        "accepted 208, drafted 260, gamma 5",
    ],
)
def test_typed_counts(text):
    report = read_report(text)
    assert (report.accepted, report.drafted, report.gamma, report.rounds) == (208, 260, 5, 52)
    assert round(report.implied_alpha, 3) == 0.927
    assert read_report("208 of 260").gamma is None
    assert read_report("208 of 260", gamma=5).rounds == 52


@given(
    rates=st.lists(st.integers(0, 999), min_size=2, max_size=9),
    between=st.sampled_from([" ", ", ", "; ", "\n"]),
    point=st.sampled_from(".,"),
)
def test_typed_numbers_are_read_as_they_are_given(rates, between, point):
    typed = between.join(f"0{point}{n:03d}" for n in rates)
    assert read_report(typed) == report_from_rates([Fraction(n, 1000) for n in rates])
    if any(rates):
        assert read_report(between.join(map(str, rates))) == report_from_histogram(rates)


@pytest.mark.parametrize(
    "text", ["", "hello", "5", "0.8 and 0.6", "[]", "0.8 -0.6", "1e3 2", "nan", "²", "x" * 30_000]
)
def test_text_that_cannot_be_read_says_what_was_looked_for(text):
    with pytest.raises(ValueRefused) as refused:
        read_report(text)
    sentence = str(refused.value)
    assert sentence.startswith("text must hold what an engine prints, ") and sentence.endswith(".")
    for source in SOURCES:
        assert f"{source.mark} ({source.engine})" in sentence
    assert "208 of 260, gamma 5" in sentence and len(sentence) < 600


def test_typed_numbers_out_of_range_are_refused():
    with pytest.raises(ValueRefused, match=r"^joint_acceptance\[1\] must lie between 0 and 1"):
        read_report("0.8 1.5")
    with pytest.raises(ValueRefused, match=r"^gamma must lie between 1 and 1000, not 0\.$"):
        read_report("1 of 2, gamma 0")


# Hostile


@given(text=ANYTHING, gamma=ANYTHING)
def test_what_is_no_text_is_refused(text, gamma):
    for call in (lambda: read_report(text), lambda: read_report("1 of 2", gamma)):
        try:
            call()
        except Refused as error:
            assert str(error).endswith(".")


@pytest.mark.parametrize("text", [SERVER, "nothing that can be read"])
@pytest.mark.parametrize("was_on", [True, False])
def test_the_garbage_collector_is_left_as_it_was(text, was_on):
    before = gc.isenabled()
    try:
        (gc.enable if was_on else gc.disable)()
        with suppress(Refused):
            read_report(text)
        assert gc.isenabled() is was_on
    finally:
        (gc.enable if before else gc.disable)()


def test_other_types_are_refused_by_name():
    for value in (None, 3, ["0.8"]):
        with pytest.raises(TypeRefused, match=r"^text must be text, not "):
            read_report(value)


PIECES = [
    *EXAMPLES.values(),
    HISTOGRAM,
    SERVER,
    OLD_VLLM,
    *BLOCK.splitlines(keepends=True),
    *COUNTERS.splitlines(keepends=True),
    *(source.mark for source in SOURCES),
    "9" * 15,
    "9" * 40,
    "0.000000000000001",
    "1, " * 50,
    "\x1b[",
    "\x1b]0;",
    "\n",
    " ",
    "{",
    "}",
    '"',
    "\\",
    "%",
    "nan",
    "-1",
    "e308",
    "\ud800",
    "\N{ARABIC-INDIC DIGIT FIVE}",
]


@st.composite
def hostile(draw):
    """Pieces of real reports, cut, glued and with other numbers in them."""
    text = "".join(
        draw(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=8)), max_size=12))
    )
    cuts = draw(st.lists(st.integers(0, len(text)), max_size=4))
    for cut in cuts:
        other = draw(st.sampled_from(["", "0", "9", "1000000", ".", ",", "0.0", "99.9", "\n"]))
        text = text[:cut] + other + text[cut + draw(st.integers(0, 3)) :]
    return text


@settings(max_examples=600, deadline=None)
@given(text=hostile(), gamma=st.one_of(st.none(), st.integers(1, 1000)))
@example(text='"acceptance_histogram": [1], "num_spec_tokens": 999999999999999', gamma=None)
@example(text="n_draft = 999999999999999\nn_predict = 9\nn_drafted = 3\nn_accept = 2", gamma=None)
@example(text="SpecDecoding metrics: Accepted: 0 tokens, Drafted: 0 tokens", gamma=3)
@example(text="accept len: 0.00, accept rate: 0.00", gamma=1)
def test_nothing_but_a_report_or_a_refusal_comes_of_hostile_text(text, gamma):
    try:
        report = read_report(text, gamma)
    except Refused as error:
        assert str(error).endswith(".")
        return
    curve = report.curve(max_gamma=6)
    assert len(curve) == 7 and len(report.positions) == len(report.joint_acceptance or ())
    report.best()
    report.trusting(0.5)
    assert all(str(finding).endswith(".") and finding.lines > 0 for finding in report.findings)
    assert set(report.origin) == {
        name
        for name in (
            "rounds",
            "drafted",
            "accepted",
            "acceptance_rate",
            "mean_acceptance_length",
            "joint_acceptance",
            "gamma",
        )
        if getattr(report, name) is not None
    }


@pytest.mark.parametrize(
    "unit",
    [
        "SpecDecoding metrics:",
        "SpecDecoding metrics:" + ",\n" * 1990,
        "SpecDecoding metrics: Per-position acceptance rate: " + "0.5, " * 1100,
        '"acceptance_histogram": [' + "1," * 1900,
        '"acceptance_histogram": [' + ("1" + " " * 60 + ",") * 60,
        "vllm:spec_decode_num_drafts{" + "}" * 2000,
        "vllm:spec_decode_num_drafts" + " " * 100,
        "n_drafted = 1 n_draft = 2 n_accept = 0 ",
        '{"draft_n_accepted": 1',
        "draft acceptance = 1 (" + " " * 30,
        "accept len: " * 10,
        "\x1b]" + "a" * 600,
        "{",
        "1 ",
    ],
)
def test_no_text_takes_longer_than_its_length(unit):
    # A pattern that goes back on itself would not come to an end here.
    with suppress(Refused):
        read_report(unit * (1_000_000 // len(unit)))


# What is said


def findings():
    """Every call that builds a finding, in every module of the mathematics."""
    for path in sorted(Path(specdec_widgets.maths.__path__[0]).joinpath("reports").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            called = getattr(node, "func", None)
            if isinstance(called, ast.Name) and called.id in ("Contradiction", "Caveat"):
                yield pytest.param(node, id=f"{path.name}:{node.lineno}")


@pytest.mark.parametrize("call", list(findings()))
def test_every_finding_is_one_literal_sentence_with_all_its_fields(call):
    template = ast.literal_eval(call.args[0])
    assert template.endswith(".")
    places = {name for _, name, _, _ in Formatter().parse(template) if name}
    assert places == {keyword.arg for keyword in call.keywords} - {"lines"}
    assert not re.search(r"} (\w+ )?(tokens|rounds|times|lines)", template)  # it may be 1


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("208 of 260, gamma 99999", "gamma must lie between 1 and 1000, not 99999."),
        ("208 of 260, gamma -1", "gamma must lie between 1 and 1000, not -1."),
        ("-1 of 5, gamma 5", "not -1."),
    ],
)
def test_two_counts_out_of_range_are_refused_as_such(typed, said):
    with pytest.raises(ValueRefused, match=re.escape(said)):
        read_report(typed)
