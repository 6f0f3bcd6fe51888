"""Silences that people regret, in the console: said on the decision's page, counted in measures."""

import re

import httpx
import pytest

from tests.browser.service import Ship

EVENT = {"source": "galley", "text": "The kettle boils", "kind": "ambient"}


def passed(ship: Ship, key: str, number: int = 0) -> str:
    """Let something happen that is not told, and name its decision."""
    sent = {**EVENT, "event_id": f"kettle-{number}", "salience": {"goal_relevance": 0.3}}
    answer = httpx.post(
        f"{ship.service.address}/v1/events",
        json=sent,
        headers={"Authorization": f"Bearer {key}"},
        timeout=30,
    )
    record = answer.json()
    assert record["outcome"] == "passed", record
    return str(record["decision_id"])


def test_a_silence_is_regretted_woken_watched_and_counted(ship: Ship) -> None:
    key = ship.key("ann", "engineer")
    decision_id = passed(ship, key)
    way = f"/decisions/{decision_id}"
    with ship.signed_in(key) as ann:
        assert "Should have told me" in ann.get(way).text
        ann.post(f"{way}/silence", do="should_have_told")
        page = ann.get(way).text
        assert "Noted: this was worth a word." in page
        assert "Watch for galley" in page
        ann.post(f"{way}/silence", do="watch")
        assert "Watch for galley" not in ann.get(way).text
        assert "galley" in ann.get("/quiet").text
        measures = ann.get("/measures").text
        table = measures[measures.index('id="regrets"') :]
        row = re.findall(r'<th scope="row">galley</th>(.*?)</tr>', table, re.DOTALL)[0]
        assert re.findall(r">(\d+)[ <]", row) == ["1", "0", "0", "1"]
        assert "100.0 in 100" in row
        assert f"/decisions/{decision_id}" in table
        ann.post(f"{way}/silence", do="rightly_silent")
        assert "Should have told me" in ann.get(way).text
        assert ann.post(f"{way}/silence", do="shout").status_code == 422


@pytest.mark.parametrize("role", ["viewer"])
def test_who_may_change_nothing_gets_no_button(ship: Ship, role: str) -> None:
    decision_id = passed(ship, ship.key("ann", "engineer"))
    with ship.signed_in(ship.key("ole", role)) as ole:
        assert "Should have told me" not in ole.get(f"/decisions/{decision_id}").text
        refused = ole.post(f"/decisions/{decision_id}/silence", do="should_have_told")
        assert refused.status_code == 403


def test_what_was_answered_has_no_such_button(ship: Ship) -> None:
    key = ship.key("ann", "engineer")
    record = ship.say(key, "how many oil filters do we have?")
    with ship.signed_in(key) as ann:
        assert "Should have told me" not in ann.get(f"/decisions/{record['decision_id']}").text
