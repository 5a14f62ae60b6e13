"""What is written as TOML is read back by the standard library."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footwork.errors import InputError
from footwork.recording import format_toml

# lone surrogates are no text that a file can hold
characters = st.characters(exclude_categories=["Cs"])
words = st.text(characters)
names = st.text(characters, min_size=1)
plain = st.one_of(
    st.booleans(),
    st.integers(-(2**60), 2**60),
    st.floats(allow_nan=False),
    words,
    st.lists(st.floats(allow_nan=False), max_size=3),
)
tables = st.recursive(
    st.dictionaries(names, plain, max_size=4),
    lambda inner: st.dictionaries(names, st.one_of(plain, inner), max_size=3),
    max_leaves=8,
)


@given(tables)
def test_round_trip(table: dict[str, object]) -> None:
    assert tomllib.loads(format_toml(table)) == table


def test_lists_of_tables_none_and_comments() -> None:
    text = format_toml({"a": None, "push": [{"t": 1.0}, {"t": 2.0}]}, comment="one\ntwo")
    assert text.startswith("# one\n# two\n")
    assert tomllib.loads(text) == {"push": [{"t": 1.0}, {"t": 2.0}]}


def test_refuses_what_toml_has_no_word_for() -> None:
    with pytest.raises(InputError, match=r"gait\.width"):
        format_toml({"gait": {"width": object()}})
