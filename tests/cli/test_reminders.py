"""`prefrontal reminders`: asking, listing, calling off."""

import json
from pathlib import Path

from tests.cli.conftest import Prefrontal

QUARRY = str(Path(__file__).parents[1] / "quarry")
KEPT = ("--data-dir", "kept")
BEN = ("--as", "ben:engineer", "--pack", QUARRY)


def test_a_reminder_is_asked_for_listed_and_called_off(prefrontal: Prefrontal) -> None:
    asked = prefrontal("reminders", "ask", "in 20 minutes to check the Furnace", *BEN, *KEPT)
    assert asked.exit_code == 0, asked.stderr
    assert "check the Furnace" in asked.stdout
    [kept] = json.loads(prefrontal("reminders", "list", "--json", *KEPT).stdout)
    assert (kept["text"], kept["user"]) == ("check the Furnace", "ben")
    off = prefrontal("reminders", "cancel", "furnace", *BEN, *KEPT)
    assert off.stdout.strip() == "nothing waits"
    assert prefrontal("reminders", "cancel", "furnace", *BEN, *KEPT).exit_code == 1


def test_a_question_hears_of_the_reminder_without_naming_a_session(prefrontal: Prefrontal) -> None:
    prefrontal("reminders", "ask", "in 20 minutes to check the Furnace", *BEN, *KEPT)
    assert "check the Furnace" in prefrontal("ask", "what are my reminders?", *BEN, *KEPT).stdout


def test_what_comes_back_or_waits_is_listed_by_that(prefrontal: Prefrontal) -> None:
    for said in ("remind me every hour to drink", "remind me to wave when the ferry arrives"):
        assert prefrontal("ask", said, *BEN, *KEPT).exit_code == 0
    listed = prefrontal("reminders", "list", *KEPT).stdout
    assert "UTC, every hour  drink" in listed
    assert "when the ferry arrives  wave" in listed


def test_words_without_a_time_are_wrong_use(prefrontal: Prefrontal) -> None:
    result = prefrontal("reminders", "ask", "to check the furnace", *BEN, *KEPT)
    assert (result.exit_code, "say when" in result.stderr) == (2, True)
