"""A bracket before a whole equation that is not closed made the parser read past the last token."""

from __future__ import annotations

import pytest

from sau_solver.equations.parser import parse
from sau_solver.errors import EquationError


@pytest.mark.parametrize("text", ["(1<1", "(x=3", "(x+1)=2; (y=3"])
def test_an_unclosed_bracket_is_an_error_with_its_column(text: str) -> None:
    with pytest.raises(EquationError):
        parse(text)


def test_brackets_around_a_whole_equation_are_ignored() -> None:
    assert parse("(x=3)") == parse("x=3")
