"""A text that limits a search in time is known for one, however the grammar reads it."""

import pytest

from tools.observability.turn_quality import asks_recency


@pytest.mark.parametrize(
    "text",
    [
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
)
def test_these_ask_for_a_time(text: str):
    assert asks_recency(text)


@pytest.mark.parametrize(
    "text",
    [
        "papers on ice",
        "the last one",
        "it need not be recent",
        "not only the latest ones",
        "any year",
        "drop the year limit",
        "papers about 2001: A Space Odyssey",
        "port 2019",
    ],
)
def test_these_do_not(text: str):
    assert not asks_recency(text)
