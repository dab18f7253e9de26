"""Values of every kind, to be thrown at the models: nothing but a refusal may come of them."""

import numpy as np
from hypothesis import strategies as st

ANYTHING = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(min_value=-(10**6), max_value=10**6).map(lambda n: 10 ** min(abs(n), 20_000) + n),
    st.floats(),
    st.fractions(),
    st.decimals(),
    st.complex_numbers(),
    st.text(),
    st.binary(),
    st.lists(st.integers()),
    st.dictionaries(st.text(), st.floats()),
    st.floats().map(np.float64),
    st.floats(width=32).map(np.float32),
    st.integers(min_value=-128, max_value=127).map(np.int8),
    st.booleans().map(np.bool_),
    st.sampled_from(
        [np.timedelta64(1, "s"), np.datetime64("NaT"), np.array([[1.0]]), object, object()]
    ),
)
