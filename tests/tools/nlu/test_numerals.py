"""A year is no count, and a number with a share behind it is not the number before it."""

import pytest

from tests.tools.nlu.filling import Filling
from tools.nlu.lexicon.normalization import normalise
from tools.nlu.values.numbers import numbers_in


@pytest.mark.parametrize(
    ("text", "is_sure"),
    [
        ("which certificates expire in 2027", False),
        ("which certificates expire before 2027?", False),
        ("which certificates expire in 2027 days", True),
        ("set the hours to 2027", True),
        ("order four and a third oil filters", False),
        ("order four and three quarters of it", False),
        ("order 4 and tell Tom", True),
    ],
)
def test_a_number_is_sure_unless_it_is_part_of_something_else(text: str, *, is_sure: bool) -> None:
    first = next(iter(numbers_in(normalise(text))))

    assert first.is_sure is is_sure


@pytest.mark.parametrize(
    ("action", "text", "slot", "value"),
    [
        ("count_stock", "change the stock of oil filters from 3 to 7", "quantity", 7),
        ("count_stock", "change the stock of oil filters from three to seven", "quantity", 7),
        ("count_stock", "stock of oil filters 3 -> 7, update it", "quantity", 7),
        ("count_stock", "there are not 3 but 7 oil filters", "quantity", 7),
        ("count_stock", "oil filters: there were 3, now 7", "quantity", 7),
        (
            "update_running_hours",
            "change the running hours of the port generator from 1200 to 1350",
            "hours",
            1350,
        ),
        ("correct_hours_of_rest", "Tom's rest was 8 hours, make it 10", "hours", 10),
        ("correct_hours_of_rest", "make Tom's rest 10 hours instead of 8", "hours", 10),
        ("correct_hours_of_rest", "change Tom's rest from 8 hours to 10 hours", "hours", 10),
        ("rate_paper", "change the rating of P-3 from 3 to 4", "rating", 4),
        ("order_part", "order from 3 to 7 oil filters", "quantity", None),
        ("order_part", "order 3 to 7 oil filters", "quantity", None),
        ("order_part", "order 4 or 5 oil filters", "quantity", None),
        ("order_part", "40, sorry, 4 oil filters", "quantity", None),
    ],
)
def test_of_an_old_and_a_new_number_the_new_one_is_taken(
    fill: Filling, action: str, text: str, slot: str, value: int | None
) -> None:
    assert fill(action, text).values.get(slot) == value
