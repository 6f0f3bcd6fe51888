"""How long a wish for quiet holds, in any words; and what only sounds like one."""

from dataclasses import replace
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import cast

import pytest

from state.policy import Mood, PolicyDecision
from tests.nodes.conftest import Knows, message, messages_of, routing_of
from tests.stages import NOW, event_of
from tools.catalog.action_catalog import Catalogue
from tools.dialogue.interpreter import Interpreter, Message
from tools.dialogue.quiet_requests import decide_quiet, decide_with_quiet
from tools.nlu.lexicon.normalization import MAX_READ
from tools.platform.clock import VirtualClock

AT_TWO = NOW.replace(hour=14, minute=0)


def said(catalogue: Catalogue, text: str, now: datetime, mood: Mood) -> Message:
    reader = messages_of(catalogue, Knows({text: routing_of(text, mood=mood)}))
    return replace(reader, clock=VirtualClock(now)).message(message(text))


def heard(
    catalogue: Catalogue,
    text: str,
    *,
    likely: float = 0.9,
    mood: Mood = "statement",
) -> PolicyDecision | None:
    return decide_quiet(said(catalogue, text, AT_TWO, mood), likely)


def told(catalogue: Catalogue, text: str, *, likely: float = 0.9) -> PolicyDecision:
    found = heard(catalogue, text, likely=likely)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("shush for a quarter of an hour", {"kind": "mute", "seconds": 900.0}),
        ("zip it for 20 minutes", {"kind": "mute", "seconds": 1200.0}),
        ("not a word until three", {"kind": "mute", "until": "15:00"}),
        ("keep it down till 3", {"kind": "mute", "until": "15:00"}),
        ("no pings before 9 am", {"kind": "mute", "until": "09:00"}),
        ("hold everything until tomorrow 7:30", {"kind": "mute", "until": "07:30"}),
        ("leave us in peace from 10 pm to 6 am", {"kind": "quiet_hours"}),
        ("no more crane messages for 2 hours", {"kind": "suppress", "topic": "crane"}),
        ("zip it", {"kind": "quiet"}),
        ("no noise while we are at table", {"kind": "quiet"}),
    ],
)
def test_the_time_of_a_wish_is_read(catalogue: Catalogue, text: str, expected: dict[str, object]):
    found = told(catalogue, text)
    assert found.talk is not None
    assert expected.items() <= found.talk.model_dump().items()


def test_what_cannot_be_kept_is_named(catalogue: Catalogue) -> None:
    found = told(catalogue, "no noise while we are at table")
    assert found.left_out == "I can't do this part: “while we are at table”."
    days = told(catalogue, "quiet from 22:00 to 6:00 on weekdays")
    assert days.left_out == "I can't do this part: “on weekdays”."


@pytest.mark.parametrize(
    ("text", "likely", "how_long"),
    [
        ("put a lid on it", 0.6, "for a while"),
        ("I'm on the phone", 0.9, "for a while"),
        ("nothing from you until tomorrow morning", 0.9, "until 08:00"),
    ],
)
def test_an_unclear_wish_is_asked_about(
    catalogue: Catalogue,
    text: str,
    likely: float,
    how_long: str,
) -> None:
    found = told(catalogue, text, likely=likely)
    assert found.says == f"Shall I be quiet {how_long}? Say yes or no."
    assert found.talk is None
    assert found.proposes is not None


@pytest.mark.parametrize(
    ("text", "mood"),
    [
        ("the neighbours are quiet", "statement"),
        ("they have been silent for 20 minutes", "statement"),
        ("the library has quiet hours from 10 to 6", "statement"),
        ("how long can you be quiet", "question"),
        ("she told him to be quiet", "reported"),
        ("note: be quiet for an hour", "command"),
    ],
)
def test_what_tells_or_asks_of_quiet_hushes_nobody(catalogue: Catalogue, text: str, mood: Mood):
    assert heard(catalogue, text, mood=mood) is None


def test_an_end_beyond_a_day_is_counted_from_now(catalogue: Catalogue) -> None:
    late = datetime(2026, 6, 14, 1, 0, tzinfo=NOW.tzinfo)
    found = decide_quiet(said(catalogue, "x", late, "command"), 0.9)
    assert found is not None
    text = "no pings until tomorrow 8 am"
    found = decide_quiet(said(catalogue, text, late, "statement"), 0.9)
    assert found is not None
    assert found.talk is not None
    assert found.talk.seconds == timedelta(hours=31).total_seconds()


# A wish for quiet beside something else is looked for in short messages alone.


def test_a_message_longer_than_is_read_is_not_taken_apart() -> None:
    long = "close the lock and be quiet" + " and be quiet" * MAX_READ
    nothing_asks_it = cast(Interpreter, SimpleNamespace(catalogue=None))
    assert decide_with_quiet(Message(event_of(long, kind="message"), None, nothing_asks_it)) is None
