"""What the words of a decision say of an earlier one's choice; likeness alone replaces nothing."""

import pytest

from state.journal import Decision
from tools.journal.supersession.rules import judge_replacement


def made(title: str) -> Decision:
    return Decision(id=title, session_id="s", title=title, decision=title, confidence=1.0)


@pytest.mark.parametrize(
    ("newer", "older", "scope"),
    [
        ("replace Redis with Valkey", "use Redis for the cache", "full"),
        ("switch from Redis to Valkey", "use Redis for the cache", "full"),
        ("use Fastmail for newsletters", "use Mailgun for newsletters", "full"),
        ("keep Postgres and add Redis for caching", "use Postgres for all data", "partial"),
    ],
)
def test_what_takes_the_place_of_a_choice_or_keeps_it_is_sure(
    newer: str, older: str, scope: str
) -> None:
    how = judge_replacement(made(newer), made(older), 0.5)
    assert how is not None
    assert (how.is_sure, how.scope) == (True, scope)


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("move away from Datadog", "use Datadog for monitoring"),
        ("reconsider the ferry", "take the ferry to the fair"),
        ("use primary.html instead of index.html", "go with index.html"),
        ("drop the fax number", "keep the fax number on the letterhead"),
        ("stop using Jenkins", "use Jenkins to build"),
        ("no longer use the north gate", "use the north gate for deliveries"),
        ("scrap the loyalty cards", "keep the loyalty cards"),
        ("get rid of the kiln", "rent the kiln"),
        ("Remove Bullet gem", "use-bullet-to-catch-queries"),
        ("disable Auth0's sign-up page", "use Auth0 for authentication"),
    ],
)
def test_words_against_a_choice_only_propose(newer: str, older: str) -> None:
    how = judge_replacement(made(newer), made(older), 0.5)
    assert how is not None
    assert not how.is_sure
    assert "says of the other's choice" in how.reason


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("use Redis for sessions", "use Postgres for invoices"),
        ("replace the boiler with a heat pump", "use Redis for the cache"),
        ("use Go for the server", "use Go for the scripts"),
        ("drop the north gate", "paint the south gate green"),
        ("use Django to manage authentication", "use Auth0 to manage logs"),
    ],
)
def test_other_matters_are_left_alone(newer: str, older: str) -> None:
    assert judge_replacement(made(newer), made(older), 0.5) is None


def test_what_is_only_alike_is_for_a_person_to_say() -> None:
    how = judge_replacement(
        made("Postgres 18 in the cloud"), made("Postgres 16 in the cloud"), 0.96
    )
    assert how is not None
    assert not how.is_sure


@pytest.mark.parametrize(
    ("newer", "older"),
    [("close issue 70", "close issue 69"), ("merge #85", "merge #84"), ("Wait  here", "wait here")],
)
def test_likeness_proposes_nothing_between_two_issues_or_the_same_words(
    newer: str, older: str
) -> None:
    assert judge_replacement(made(newer), made(older), 0.99) is None


def test_likeness_proposes_what_names_the_same_issue() -> None:
    found = judge_replacement(made("reopen issue 70 in May"), made("close issue 70"), 0.99)
    assert found is not None
    assert not found.is_sure
