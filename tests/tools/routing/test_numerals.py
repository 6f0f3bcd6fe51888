"""A year is no count, and a number with a share behind it is not the number before it."""

import pytest

from tools.routing.slots.numerals import numbers_in
from tools.routing.words.normalise import normalise


@pytest.mark.parametrize(
    ("text", "is_sure"),
    [
        ("which certificates expire in 2027", False),
        ("which certificates expire before 2027?", False),
        ("which certificates expire in 2027 days", True),
        ("set the hours to 2027", True),
        ("order four and a half oil filters", False),
        ("order four and three quarters of it", False),
        ("order 4 and tell Tom", True),
    ],
)
def test_a_number_is_sure_unless_it_is_part_of_something_else(text: str, *, is_sure: bool) -> None:
    first = next(iter(numbers_in(normalise(text))))

    assert first.is_sure is is_sure
