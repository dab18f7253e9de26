"""Everything that can be read: what each engine prints, its mark, and its reader.

SGLang and TensorRT-LLM, which print one thing each, are read here.
"""

import re
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from specdec_widgets.maths.reports.lines import (
    COUNT,
    KEY,
    NUMBER,
    Line,
    counters,
    decimal,
    innermost,
    rest_of_line,
    whole,
    windows,
)
from specdec_widgets.maths.reports.llama import llama_cli, llama_server, llama_timings
from specdec_widgets.maths.reports.vllm import vllm_log, vllm_old_log, vllm_requests


class Source(NamedTuple):
    """One thing that an engine prints.

    mark:   the text by which it is found
    read:   its reader
    totals: whether its figures run since the start, so that only the last line counts

    >>> [source.mark for source in SOURCES if source.engine == "TensorRT-LLM"]
    ['numAcceptedTokens']
    """

    engine: str
    mark: str
    read: Callable[[str], list[Line]]
    totals: bool = False


_SGLANG_LENGTH = re.compile(rf"accept len: {{0,8}}{NUMBER}")
_SGLANG_RATE = re.compile(rf"accept rate: {{0,8}}{NUMBER}")
_SGLANG_RUNNING = re.compile(rf"#running-req: {{0,8}}{COUNT}")


def sglang(text: str) -> list[Line]:
    """SGLang's "Decode batch": a length that includes the bonus token, and no count at all.

    Its rate was length / draft tokens, and is (length - 1) / (draft tokens - 1) since April 2026;
    of the draft tokens the first is the target's own, so a chain of n has gamma n - 1.

    >>> (line,) = sglang("Decode batch. #running-req: 2, accept len: 2.17, accept rate: 0.54")
    >>> line.running, line.length.value, line.sglang_rate.value
    (2, 2.17, 0.54)
    """
    lines = []
    for begin, at, end in windows(text, "accept len:"):
        length = decimal(_SGLANG_LENGTH.match(text, at))
        if length is not None:
            start = max(begin, text.rfind("\n", begin, at) + 1)
            running = _SGLANG_RUNNING.search(text, start, at)
            rate = _SGLANG_RATE.search(rest_of_line(text, at, end))
            lines.append(Line(length=length, sglang_rate=decimal(rate), running=whole(running)))
    return lines


_TRT_DRAFTED = re.compile(rf"numDraftTokens{KEY}{COUNT}")
_TRT_ACCEPTED = re.compile(rf"numAcceptedTokens{KEY}{COUNT}")
_TRT_ROUNDS = re.compile(rf"numRequestsWithDraftTokens{KEY}{COUNT}")
_TRT_LENGTH = re.compile(rf"acceptanceLength{KEY}{NUMBER}")


def tensorrt(text: str) -> list[Line]:
    """TensorRT-LLM's specDecodingStats of one iteration: a round of every request with a draft.

    >>> (line,) = tensorrt('{"numDraftTokens": 24, "numAcceptedTokens": 12}')
    >>> line.drafted, line.accepted
    (24, 12)
    """
    lines = []
    for begin, at, end in windows(text, "numAcceptedTokens"):
        said = innermost(text, begin, at, end)
        line = Line(
            rounds=whole(_TRT_ROUNDS.search(said)),
            drafted=whole(_TRT_DRAFTED.search(said)),
            accepted=whole(_TRT_ACCEPTED.search(said)),
            length=decimal(_TRT_LENGTH.search(said)),
        )
        if line.drafted:
            lines.append(line)
    return lines


_VLLM, _LLAMA = "vllm:spec_decode", "llamacpp:spec_decode"  # how the names of counters begin

# Of one engine, the first one that is there is taken: the more exact it is, the earlier.
SOURCES = (
    Source("vLLM", _VLLM, partial(counters, mark=_VLLM), totals=True),
    Source("vLLM", "acceptance_histogram", vllm_requests),
    Source("vLLM", "SpecDecoding metrics:", vllm_log),
    Source("vLLM", "Speculative metrics:", vllm_old_log, totals=True),
    Source("SGLang", "accept len:", sglang),
    Source("llama.cpp", _LLAMA, partial(counters, mark=_LLAMA), totals=True),
    Source("llama.cpp", "draft acceptance", llama_server),
    Source("llama.cpp", "draft_n_accepted", llama_timings),
    Source("llama.cpp", "n_drafted", llama_cli),
    Source("TensorRT-LLM", "numAcceptedTokens", tensorrt),
)

EXAMPLES = {
    "vLLM": (
        "SpecDecoding metrics: Draft acceptance rate: 38.8%, Mean acceptance length: 2.16, "
        "Accepted: 150 tokens, Drafted: 387 tokens, "
        "Per-position acceptance rate: 0.543, 0.357, 0.264"
    ),
    "SGLang": (
        "Decode batch. #running-req: 1, #token: 108, token usage: 0.00, accept len: 2.17, "
        "accept rate: 0.54, cuda graph: True, gen throughput (token/s): 0.39, #queue-req: 0"
    ),
    "llama.cpp": (
        "draft acceptance = 0.64479 (  167 accepted /   259 generated), mean acceptance length =  "
        "2.92, acceptance rate per position = (0.805, 0.632, 0.483)"
    ),
    "TensorRT-LLM": (
        '"specDecodingStats": {"numDraftTokens": 24, "numAcceptedTokens": 12, '
        '"numRequestsWithDraftTokens": 8, "acceptanceLength": 2.5}'
    ),
}
