"""From what an engine prints to what it says about gamma.

`text` finds the lines (`sources`, `lines`, `vllm`, `llama`), `pool` sums them, `rounds` says which
counts the rounded figures leave possible, `checks` which figures contradict each other, and
`report` holds the result.
"""
