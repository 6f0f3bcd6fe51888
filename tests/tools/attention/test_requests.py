"""What people ask about the talking, plan, and say of it."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from state.talk import TalkRequest
from tests.titled import Titled, expecting, titled
from tools.memory.reminders import due_of
from tools.nlu.control.goals_and_reminders import REMINDED_WHEN
from tools.nlu.control.requests import UNCLEAR, control_request, matches_topic
from tools.nlu.feedback import Reaction, reaction

# What people ask about the talking itself, and what only sounds like it.


REQUESTS: Titled = {
    "what it is about": [
        ("be quiet", {"kind": "quiet"}),
        ("Please be quiet now.", {"kind": "quiet"}),
        ("shut up!", {"kind": "quiet"}),
        ("please be quiet, will you?", {"kind": "quiet"}),
        ("remind me in 20 minutes to " + "check it " * 50, {"kind": "unclear"}),
        ("Hush", {"kind": "quiet"}),
        ("you can talk again", {"kind": "talk"}),
        ("OK you may speak", {"kind": "talk"}),
        ("unmute", {"kind": "talk"}),
        ("talk less", {"kind": "less"}),
        ("please say more", {"kind": "more"}),
        ("stop telling me about the bilge", {"kind": "suppress"}),
        ("cancel the wolves reminder", {"kind": "no_reminder"}),
        ("how's my goal going?", {"kind": "goals"}),
        ("quit reminding me of lunch", {"kind": "suppress"}),
        ("watch out for leaks", {"kind": "watch"}),
        ("keep an eye on the anchor", {"kind": "watch"}),
        ("let me know about any visitors", {"kind": "watch"}),
        ("tell me when there is a delivery", {"kind": "watch"}),
        ("tell me about any leaks", {"kind": "watch"}),
        ("watch for creepers", {"kind": "watch"}),
        ("warn me about sharks", {"kind": "watch"}),
        ("tell me if you see the pilot boat", {"kind": "watch"}),
        ("don't tell me about lunch", {"kind": "suppress"}),
        ("no more news about the regatta", {"kind": "suppress"}),
        ("I don't want to hear anything about inventory", {"kind": "suppress"}),
        ("shut up about the crane", {"kind": "suppress"}),
        ("you can tell me about lunch again", {"kind": "forget"}),
        ("stop watching for creepers", {"kind": "forget"}),
        ("What did I miss?", {"kind": "prompt"}),
        ("what's up?", {"kind": "prompt"}),
        ("anything new?", {"kind": "prompt"}),
        ("no quiet hours", {"kind": "no_quiet_hours"}),
        ("do not disturb", {"kind": "quiet"}),
        ("you don't need to be quiet any more", {"kind": "talk"}),
        ("you talk too much", {"kind": "less"}),
        ("my goal is to finish the nether portal", {"kind": "goal"}),
        ("my goal is to not die", {"kind": "goal"}),
        ("forget my goals", {"kind": "no_goal"}),
        # quiet in other words
        ("dnd", {"kind": "quiet"}),
        ("be quiet for a while", {"kind": "quiet"}),
        ("don't be quiet", {"kind": "talk"}),
    ],
    "a mute says for how long": [
        ("be quiet for 10 minutes", {"kind": "mute", "seconds": 600}),
        ("Please stay quiet for the next 2 hours", {"kind": "mute", "seconds": 7200}),
        ("mute yourself for 30 seconds", {"kind": "mute", "seconds": 30}),
        ("no talking for an hour", {"kind": "mute", "seconds": 3600}),
        ("don’t talk for half an hour", {"kind": "mute", "seconds": 1800}),
        ("do not talk for a minute", {"kind": "mute", "seconds": 60}),
        ("hush for 5 min", {"kind": "mute", "seconds": 300}),
        ("be quiet please for 1 h", {"kind": "mute", "seconds": 3600}),
        ("Could you please be quiet for 10 minutes?", {"kind": "mute", "seconds": 600}),
        (
            "The guests are asleep, be quiet for 30 minutes please",
            {"kind": "mute", "seconds": 1800},
        ),
        ("OK. Hush for 5 minutes.", {"kind": "mute", "seconds": 300}),
        # a span may be said in words
        ("be quiet for twenty minutes", {"kind": "mute", "seconds": 1200}),
        ("be quiet for an hour and a half", {"kind": "mute", "seconds": 5400}),
        ("be quiet for one and a half hours", {"kind": "mute", "seconds": 5400}),
        ("be quiet for 1h30m", {"kind": "mute", "seconds": 5400}),
        ("be quiet for an hour and ten minutes", {"kind": "mute", "seconds": 4200}),
        ("be quiet for twenty-five mins", {"kind": "mute", "seconds": 1500}),
        ("quiet for 20 mins", {"kind": "mute", "seconds": 1200}),
        ("dnd for a quarter of an hour", {"kind": "mute", "seconds": 900}),
        ("be quiet for a day", {"kind": "mute", "seconds": 86_400}),
    ],
    "a mute may say until when": [
        ("be quiet until 8", {"kind": "mute", "until": "08:00"}),
        ("don't disturb me until 17:30", {"kind": "mute", "until": "17:30"}),
        ("be quiet till 9 pm", {"kind": "mute", "until": "21:00"}),
        ("stay quiet until 12am", {"kind": "mute", "until": "00:00"}),
    ],
    "a topic is named without what stands around it": [
        ("stop telling me about the bilge pump", {"topic": "bilge pump"}),
        ("watch out for a storm", {"topic": "storm"}),
        ("let me know about any visitors.", {"topic": "visitors"}),
        ("STOP TALKING ABOUT ANCHORS!", {"topic": "anchors"}),
        ("I don't want to hear about inventory anymore", {"topic": "inventory"}),
        ("stop telling me about inventory changes", {"topic": "inventory"}),
        ("stop telling me about the news", {"topic": "news"}),
    ],
    "a reminder may name its matter behind a colon": [
        (
            "remind me in 1 minute: undo that",
            {"kind": "remind", "topic": "undo that", "seconds": 60},
        ),
    ],
    "noon and midnight are clock times": [
        ("be quiet until noon", {"until": "12:00"}),
        ("quiet till midnight", {"until": "00:00"}),
    ],
}


@pytest.mark.parametrize(("text", "fields"), titled(REQUESTS))
def test_a_request_about_talking_is_understood(text: str, fields: dict[str, object]):
    request = control_request(text)
    assert request is not None
    assert request.model_dump(include=set(fields)) == fields


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("quiet hours from 22:00 to 7:00", "22:00 to 07:00"),
        ("be quiet every night from 10pm to 7am", "22:00 to 07:00"),
        ("set my quiet hours from 13 to 14:30", "13:00 to 14:30"),
    ],
)
def test_quiet_hours_are_read_from_words(text: str, hours: str):
    request = control_request(text)
    assert request is not None
    assert (request.kind, str(request.hours)) == ("quiet_hours", hours)


@pytest.mark.parametrize(
    ("text", "seconds", "threats"),
    [
        ("stop telling me about lunch", None, False),
        ("stop telling me about lunch for an hour", 3600, False),
        ("stop telling me about the crane, not even alarms", None, True),
        ("stop telling me about the crane, even alarms for 20 minutes", 1200, True),
        ("stop telling me about lunch for now", None, False),
    ],
)
def test_a_topic_may_be_left_alone_for_a_time_or_with_its_alarms(text, seconds, threats):
    request = control_request(text)
    assert request is not None
    assert request.kind == "suppress"
    assert (request.seconds, request.threats) == (seconds, threats)
    assert request.topic in ("lunch", "crane")


NO_REQUEST = {
    UNCLEAR: [
        "be quiet until 25",
        "quiet hours from 22 to 22",
        "quiet hours from 7 to 27:00",
        # quiet that cannot be read is asked about
        "be quiet forever",
        "be quiet until tomorrow",
        "stay quiet until Friday",
        "be quiet for 0 minutes",
        "be quiet for 25 hours",
        "mute tonight",
        "do not disturb until the captain is back",
        "stop telling me about everything",
        "stop telling me about the",
        "don't tell me about it any more",
    ],
    None: [
        "watch for it",
        "tell me about that again",
        "tell me about any",
        # what asks for something else is left alone
        "",
        "how quiet is the engine room",
        "the quiet hours are from ten",
        "why did you shut up",
        "stop the pump",
        "quit",
        "look for the fire plan",
        "tell me if there are rooms available at nine",
        "please look for papers on whales",
        "tell me about the port generator",
        "what should I watch for in winter",
        "mute the alarm on panel 3",
        "be quiet about it and close WO-1042",
        "he talks less than she does",
        "write in the log that the crew was told to be quiet for 10 minutes",
        "the engine room was in silence for an hour",
        "log: they asked us to stay quiet for 2 hours",
        "write in the log: guests asleep, be quiet for 30 minutes",
        "be quiet for 10 minutes and close WO-1042",
        "why did you mute yourself for 5 minutes",
        # what is said to be no goal is none
        "my goal is not to finish the portal",
        "our goal is no longer to win",
    ],
}


@pytest.mark.parametrize(("text", "found"), expecting(NO_REQUEST))
def test_a_time_that_is_none_is_asked_about_and_a_topic_has_a_word(text: str, found):
    assert control_request(text) == found


@given(st.text(max_size=300))
def test_any_text_can_be_read(text: str):
    request = control_request(text)
    assert request is None or request.kind != "mute" or (request.seconds or 0) >= 0


@pytest.mark.parametrize(
    ("topic", "text", "matches"),
    [
        ("bilge", "Bilge level high", True),
        ("bilge pump", "the pump in the bilge", True),
        ("leaks", "a leak under the sink", True),
        ("leak", "two leaks", True),
        ("bilge pump", "bilge level high", False),
        ("art", "the cart is full", False),
        ("???", "anything at all", False),
        ("", "anything at all", False),
    ],
)
def test_a_topic_matches_by_whole_words(topic: str, text: str, matches: bool):
    assert matches_topic(topic, text) is matches


def test_a_topic_must_stand_in_one_place_as_a_whole():
    assert not matches_topic("bilge pump", "bilge level", "pump room")
    assert matches_topic("wolves", "Wolf at the edge")
    assert matches_topic("battery", "Batteries low")
    assert matches_topic("the knife", "the knives are blunt")
    assert not matches_topic("wolves", "The wool is dry")
    assert matches_topic("bilge pump", "nothing", "bilge pump 2")


# Goals and reminders as people word them: on Wednesday 2026-06-10 at 14:00.

WEDNESDAY = datetime(2026, 6, 10, 14, tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "due"),
    [
        ("in 20 minutes", "06-10 14:20"),
        ("in an hour and a half", "06-10 15:30"),
        ("in two days", "06-12 14:00"),
        ("in a fortnight", "06-24 14:00"),
        ("in two weeks", "06-24 14:00"),
        ("a week from tomorrow", "06-18 09:00"),
        ("tonight", "06-10 18:00"),
        ("tonight at 8", "06-10 20:00"),
        ("this evening at half past seven", "06-10 19:30"),
        ("at 5", "06-10 17:00"),
        ("at 9", "06-10 21:00"),
        ("at noon", "06-11 12:00"),
        ("tomorrow", "06-11 09:00"),
        ("tomorrow at 9", "06-11 09:00"),
        ("at 9 tomorrow", "06-11 09:00"),
        ("tomorrow morning", "06-11 08:00"),
        ("the day after tomorrow at 3", "06-12 15:00"),
        ("on Friday", "06-12 09:00"),
        ("on Friday at 5pm", "06-12 17:00"),
        ("on Wednesday at 16:00", "06-10 16:00"),
        ("on the 19th", "06-19 09:00"),
        ("on 3 July at noon", "07-03 12:00"),
        ("at the end of the month", "06-30 09:00"),
    ],
)
def test_a_reminder_has_its_time_before_and_behind_its_matter(said: str, due: str):
    wanted = datetime.strptime(f"2026-{due} +0000", "%Y-%m-%d %H:%M %z")
    for text in (f"remind me {said} to call Ben", f"remind me to call Ben {said} please"):
        request = control_request(text, WEDNESDAY)

        assert request is not None
        assert (request.kind, request.topic) == ("remind", "call Ben")
        assert due_of(request, WEDNESDAY) == wanted


@pytest.mark.parametrize(
    "said",
    [
        "next Saturday",  # two days to two people
        "on Wednesday",  # which it is today
        "today",
        "twice a week",
        "next week",
        "by Friday",
        "yesterday",
        "in a few days",
    ],
)
def test_a_reminder_whose_time_may_be_two_is_asked_about(said: str):
    request = control_request(f"remind me {said} to call Ben", WEDNESDAY)

    assert request == TalkRequest(kind="unclear", topic=REMINDED_WHEN)


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("remind me to order 3 filters", "order 3 filters"),
        ("remind me to wash it on Friday if it is dry", "wash it on Friday if it is dry"),
        ("remind me to book the table for half past eight", "book the table for half past eight"),
    ],
)
def test_a_reminder_without_a_time_keeps_its_words(text: str, topic: str):
    request = control_request(text, WEDNESDAY)

    assert request == TalkRequest(kind="remind", topic=topic)


# Spans of time and clock times as people say them.


# Praise and annoyance in short answers, and what is neither.


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("Not now!", "bad"),
        ("oh, stop it", "bad"),
        ("that's really annoying", "bad"),
        ("you’re distracting me", "bad"),
        ("I already know", "bad"),
        ("nobody asked", "bad"),
        ("Thanks!", "good"),
        ("ok thank you", "good"),
        ("Good catch", "good"),
        ("that was very helpful", "good"),
        ("this helps a lot", "good"),
        ("thanks, well spotted", "good"),
    ],
)
def test_a_short_answer_is_a_reaction(text: str, taken: Reaction):
    assert reaction(text) == taken


@pytest.mark.parametrize(
    "text",
    [
        "",
        "thanks, and close WO-1042 because the filter is changed now",
        "is that useful?",
        "show lock LK-12",
        "the anchor stops it from drifting",
        "wrongly labelled parts are in the locker",
        "great circle route to Kotor",
        "wrong valve closed, open LK-12",
        "I know the way",
        "thank you note for the agent",
    ],
)
def test_what_is_about_something_else_is_none(text: str):
    assert reaction(text) is None
