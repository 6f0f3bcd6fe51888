"""A text that limits a search in time is known for one, however the grammar reads it."""

import pytest

from tests.titled import expecting
from tools.observability.turn_quality import asks_recency

RECENT = {
    True: [
        "Can you find me recent papers on this topic?",
        "the latest work on sea ice",
        "papers on ice from the last 3 years",
        "over the past decade",
        "in the last couple of years",
        "since 2019",
        "published before 2010",
        "2015-2020",
        "from 2015 to 2020",
        "what came out this year",
    ],
    False: [
        "papers on ice",
        "the last one",
        "it need not be recent",
        "not only the latest ones",
        "any year",
        "drop the year limit",
        "papers about 2001: A Space Odyssey",
        "port 2019",
    ],
}


@pytest.mark.parametrize(("text", "is_so"), expecting(RECENT))
def test_a_time_is_asked_for_by_these_alone(text: str, *, is_so: bool):
    assert asks_recency(text) is is_so
