"""Times, people and statuses in a question narrow the search; everything else is asked."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from state.errors import BadInput
from state.journal import DecisionFilters, DecisionStatus
from tools.journal.search.query import read_question

NOW = datetime(2026, 8, 12, 15, 30, tzinfo=UTC)  # a Wednesday


def day(written: str) -> datetime:
    return datetime.fromisoformat(written).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "since", "until"),
    [
        ("databases in Q2 2024", "2024-04-01", "2024-07-01"),
        ("decided in March 2024", "2024-03-01", "2024-04-01"),
        ("what did we decide during 2023?", "2023-01-01", "2024-01-01"),
        ("since 2023", "2023-01-01", None),
        ("after 2023", "2024-01-01", None),
        ("before June 2022", None, "2022-06-01"),
        ("on 2024-02-29", "2024-02-29", "2024-03-01"),
        ("last spring", "2026-03-01", "2026-06-01"),
        ("last autumn", "2025-09-01", "2025-12-01"),
        ("in spring 2021", "2021-03-01", "2021-06-01"),
        ("last week", "2026-08-03", "2026-08-10"),
        ("this month", "2026-08-01", "2026-09-01"),
        ("last quarter", "2026-04-01", "2026-07-01"),
        ("yesterday", "2026-08-11", "2026-08-12"),
    ],
)
def test_a_time_is_a_span(said: str, since: str | None, until: str | None) -> None:
    filters = read_question(said, NOW).filters
    assert filters.since == (day(since) if since else None)
    assert filters.until == (day(until) if until else None)


def test_a_winter_goes_on_in_january() -> None:
    january = datetime(2026, 1, 15, tzinfo=UTC)
    begins = [read_question(f"{which} winter", january).filters.since for which in ("this", "last")]
    assert begins == [day("2025-12-01"), day("2024-12-01")]
    assert read_question("last winter", NOW).filters.since == day("2025-12-01")


@pytest.mark.parametrize(
    "said", ["ES2020 modules", "port 2024", "in 2024-02-31", "on 9999-12-31", "section Q2"]
)
def test_what_only_looks_like_a_time_is_none(said: str) -> None:
    read = read_question(said, NOW)
    assert (read.filters, read.text) == (DecisionFilters(), said)


def test_the_last_days_go_back_from_now() -> None:
    read = read_question("caching in the last 30 days", NOW)
    assert read.filters.since == NOW - timedelta(days=30)
    assert read.text == "caching"


def test_people_have_an_at_sign() -> None:
    read = read_question("why REST? @alice @bob.", NOW)
    assert (read.filters.people, read.text) == (("alice", "bob"), "why REST?")
    assert read_question("mail bo@example.org", NOW).filters.people == ()


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ("superseded decisions about hosting", DecisionStatus.SUPERSEDED),
        ("current decisions", DecisionStatus.ACTIVE),
        ("hosting status:rejected", DecisionStatus.REJECTED),
        ("which record superseded Heroku", None),
        ("status:odd", None),
    ],
)
def test_a_status_is_one_only_beside_what_it_is_of(
    said: str, status: DecisionStatus | None
) -> None:
    assert read_question(said, NOW).filters.status is status


def test_what_the_caller_gives_stands_before_the_words() -> None:
    given_filters = DecisionFilters(people=("carol",))
    assert read_question("@alice", NOW, given_filters).filters.people == ("carol",)


def test_times_that_contradict_each_other_are_refused() -> None:
    since = DecisionFilters(since=datetime(2022, 1, 1, tzinfo=UTC))
    with pytest.raises(BadInput, match=r"2022-01-01.*2020-01-01"):
        read_question("use b before 2020", NOW, since)


@given(st.text(max_size=200))
def test_any_text_can_be_asked(said: str) -> None:
    read_question(said, NOW)
