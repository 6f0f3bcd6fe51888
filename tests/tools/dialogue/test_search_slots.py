"""Search fields become arguments and come back; a model adds words and takes nothing away."""

from datetime import date
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from state.action import Action, Slot
from state.policy import SearchPolicy, query_of, search_from, terms_of
from tools.nlu.search_query.requests import (
    arguments_with,
    takes_search,
    topics_of,
    with_model_terms,
)

SLOTS = {"query": "text", "year_from": "integer", "open_access_only": "boolean", "limit": "integer"}
SEARCH = SearchPolicy(
    topic="whale song",
    query_terms=("whale song", "Pacific"),
    year_from=2021,
    date_from=date(2021, 3, 1),
    open_access_only=True,
    limit=5,
)


def action(**slots: str) -> Action:
    fields: dict[str, Any] = {
        "name": "find",
        "pack": "shelf",
        "summary": "Find",
        "verb": "query",
        "object": "book",
        "effect": "read",
        "handler": "handlers:find",
        "slots": {name: Slot(type=kind) for name, kind in slots.items()},
    }
    return Action.model_validate(fields)


def test_an_action_takes_fields_when_it_has_a_query_beside_one_of_them() -> None:
    assert takes_search(action(query="text", year_to="integer"))
    assert not takes_search(action(query="text"))
    assert not takes_search(action(limit="integer", days="integer"))


def test_only_slots_of_the_action_are_filled_and_policy_goes_before_what_was_given() -> None:
    given_ = {"query": "everything", "limit": 100, "colour": "red"}
    assert arguments_with(action(**SLOTS), SEARCH, given_) == {
        "query": '"whale song" Pacific',
        "year_from": 2021,
        "open_access_only": True,
        "limit": 5,
    }


def test_a_model_adds_words_and_removes_no_constraint() -> None:
    given_ = {"query": "pacific humpback", "year_from": 1950, "open_access_only": False}
    assert with_model_terms(action(**SLOTS), SEARCH, given_) == {
        "query": '"whale song" Pacific humpback',
        "year_from": 2021,
        "open_access_only": True,
        "limit": 5,
    }


def test_what_ran_is_read_back() -> None:
    fields = action(**SLOTS, date_from="date")
    read = search_from(arguments_with(fields, SEARCH, {}))
    assert (read.query_terms, read.year_from, read.date_from, read.limit) == (
        SEARCH.query_terms, 2021, date(2021, 3, 1), 5,
    )  # fmt: skip


def test_several_topics_are_read_back_as_so_many() -> None:
    topics = ["soil carbon", "peat bogs"]
    batch = action(queries="list", year_from="integer")
    read = search_from({"queries": topics, "year_from": 2020})
    assert arguments_with(batch, read, {}) == {"queries": topics, "year_from": 2020}
    said = SEARCH.model_copy(update={"topic": "soil carbon and peat bogs separately"})
    assert topics_of(said) == topics


@given(st.lists(st.from_regex(r"[a-z]{1,6}( [a-z]{1,6})?", fullmatch=True), max_size=6))
def test_terms_survive_being_written_as_a_query(terms: list[str]) -> None:
    assert terms_of(query_of(tuple(terms))) == tuple(terms)
