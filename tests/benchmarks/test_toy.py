"""Tokens a second of the toy models, speculative beside plain, at the size of the lesson.

`python3 course.py bench` prints the times; tokens a second are in the extra info of each row.
"""

import pytest

from specdec_widgets.maths import ToyPair, sample_plain, speculate, toy_pair

SEQUENCES, ROUNDS, LENGTH = 256, 40, 112  # about as many tokens either way


@pytest.fixture(params=["en", "vi"])
def pair(request) -> ToyPair:
    return toy_pair(request.param)


def test_speculative_sampling(benchmark, pair):
    speculate(pair, 4, 8, 2)  # tables that are made once
    ran = benchmark(speculate, pair, 4, SEQUENCES, ROUNDS)
    count = int((ran.tokens >= 0).sum())
    benchmark.extra_info["tokens"] = count
    if benchmark.enabled:
        benchmark.extra_info["tokens_a_second"] = round(count / benchmark.stats.stats.median)


def test_plain_sampling(benchmark, pair):
    sample_plain(pair.target, 8, 2)
    tokens = benchmark(sample_plain, pair.target, SEQUENCES, LENGTH)
    benchmark.extra_info["tokens"] = tokens.size
    if benchmark.enabled:
        benchmark.extra_info["tokens_a_second"] = round(tokens.size / benchmark.stats.stats.median)
