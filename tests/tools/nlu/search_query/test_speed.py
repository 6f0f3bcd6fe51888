from datetime import date
from itertools import product
from time import process_time

import pytest

from state.policy import SearchPolicy
from tools.nlu.search_query.parser import read_search_fields
from tools.nlu.search_query.refinement import refine

TODAY = date(2026, 5, 20)
BEFORE = SearchPolicy(topic="tides", query_terms=("tides",))
REPEATED = ("more", "new", "the", "2019", "read", "most", "free", "'", "papers", "by", "not", "3")
LISTED = (
    "NeurIPS,", "NeurIPS and", "Nature,", "Nature or Science,", "in NeurIPS, ICML,",
    "NeurIPS 2021,", "Journal of a,", "in the Journal of Nature, and", "the end of",
    "first half of", "spring and", "since the end of the last year", "of the year", "Q1 and",
    "last year's", "first two", "' ,",
    "by Hinton or", "from Hinton,", "what has Hinton", "five please,", "three reviews",
    "twenty twenty", "two thousand and", "3-5 years ago", "ten to", "since last christmas",
    "most cited papers", "for my thesis on", "any chance", "papers       on", "last of", "'19",
    "closed ones", "systematic case",
    "; then save", "bees and export them", "and show only", "as many papers", "people who were",
    "not any of those that", "except those from 2020 or", "nothing that isn't", "any one but",
    "all papers but those", "no papers bees", ". Also close", ", and show the", "and order 5",
    "thanks a lot", "for me and tom and", "I was wondering if you", "the 18 months to June 2025",
    "laws passed", "born in or after", "Lena wants papers", "and wasps", "google",
    "without reviews or", "no systematic literature reviews and", "that they have not", "please do",
    "I don't want to see", "don't forget papers on", "not go any back in", "skip and leave out",
)  # fmt: skip
SECONDS = 0.5
"""A hundred times what they take: a rule that backtracks takes minutes."""


@pytest.mark.parametrize(("first", "second"), sorted(product(REPEATED, ("", "other", "2019", ","))))
def test_no_text_makes_the_grammar_think_long(first: str, second: str) -> None:
    text = f"{first} {second} ".replace("  ", " ") * 500
    started = process_time()

    read_search_fields(text, TODAY)
    refine(BEFORE, text, TODAY)
    read_search_fields(text.replace(" ", ""), TODAY)

    assert process_time() - started < SECONDS


@pytest.mark.parametrize("piece", LISTED)
def test_no_list_of_venues_or_parts_makes_the_grammar_think_long(piece: str) -> None:
    text = f"{piece} " * 200
    started = process_time()

    read_search_fields(text, TODAY)
    read_search_fields(f"papers in {text}papers", TODAY)

    assert process_time() - started < SECONDS


def test_a_request_takes_about_a_fifth_of_a_millisecond() -> None:
    text = "Could you find the top 20 open access papers by Hinton on capsule networks since 2019?"
    read_search_fields(text, TODAY)
    started = process_time()

    for _again in range(50):
        read_search_fields(text, TODAY)

    assert (process_time() - started) / 50 < 0.005  # 25 times that: room for a slow machine
