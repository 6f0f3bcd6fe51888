"""What a session remembers of a decision."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from state.personality import Traits
from state.policy import PolicyDecision
from state.response import Delivery, Response
from state.salience import SalienceVector
from state.session import Session, TopicRule
from state.stages import Gathered
from state.talk import TalkRequest
from tests.characters import character_of
from tests.kept import PACKS
from tests.stages import (
    NOW,
    SECONDS,
    TUNING,
    arrival_of,
    event_of,
    every_stage,
    salience_of,
    session_of,
)
from tests.tools.journal.topics import Topics
from tools.attention.relevance import repetition
from tools.memory.recall import FRESH, RecallScope, UtteranceRecall, UtteranceVectors
from tools.memory.session.requests import TOPICS_KEPT
from tools.memory.session.update import SPOKEN_KEPT, THREATS_KEPT, SessionUpdate
from tools.storage.database import Database
from tools.storage.retention import forget_person
from tools.storage.tables.memory import memory_entry

TRAITS = Traits(proactive=0.9)
REMEMBERING = SessionUpdate(character_of(TRAITS), TUNING.habituation, TUNING.relevance, PACKS)


def gathered(text: str = "The tide turns", *, later: float = 0, **fields: Any) -> Gathered:
    """Return a decision that came no further than `fields` say."""
    event = fields.pop("event", None) or event_of(text)
    arrival = arrival_of(event, received_at=NOW + timedelta(seconds=later))
    return Gathered(event=event, arrival=arrival, session=session_of(), **fields)


def after(decision: Gathered, session: Session | None = None) -> Session:
    return REMEMBERING.after(session or session_of(), decision)


def told(
    text: str = "High water", *, verdict: str = "alert", threat: float = 0.9
) -> dict[str, Any]:
    """Return the stages of something that was said."""
    stage = every_stage()
    return {
        "salience": salience_of(SalienceVector(threat=threat)),
        "relevance": stage["relevance"].model_copy(update={"verdict": verdict, "threat": threat}),
        "response": Response(type="alert", text=text),
        "delivery": Delivery(output="text", delivered_at=NOW, reason="threat"),
    }


def signal(**payload: Any) -> Gathered:
    return gathered(event=event_of("signal", kind="signal", payload=payload))


def asked(kind: str, session: Session | None = None, **fields: Any) -> Session:
    policy = PolicyDecision(
        intent="control", talk=TalkRequest.model_validate({"kind": kind, **fields})
    )
    return after(gathered(policy=policy), session)


def test_a_session_begins_with_its_first_decision_and_the_packs_traits():
    begun = after(gathered(), Session(tenant_id="default", session_id="default"))
    assert (begun.started_at, begun.traits) == (SECONDS, TRAITS)


def test_a_session_that_has_begun_goes_by_the_packs_traits_as_they_are_now():
    known = session_of(traits=Traits(proactive=0.1))
    assert after(gathered(), known).traits == TRAITS


def test_what_was_said_in_other_words_is_known_by_what_it_was_about():
    told = gathered(
        response=Response(type="alert", text="Gate!"),
        delivery=Delivery(output="text", delivered_at=NOW, reason="r"),
        salience=salience_of(),
    )
    session = after(told)
    assert repetition("The tide turns", session, SECONDS, TUNING.relevance) == pytest.approx(0.6)


@pytest.mark.parametrize("busy", ["typing", "menu", "combat", "call", "speaking", "focused"])
def test_a_signal_says_that_somebody_is_busy(busy: str):
    assert after(signal(busy=busy)).busy == busy


@pytest.mark.parametrize("odd", ["asleep", 7, None, ["typing"], {"typing": True}])
def test_a_busy_state_that_is_unknown_means_free(odd: Any):
    assert after(signal(busy=odd), session_of(busy="typing")).busy is None


@pytest.mark.parametrize(
    ("busy", "ends"),
    [
        ("typing", "typing_pause"),
        ("menu", "menu_closed"),
        ("combat", "combat_ended"),
        ("call", "call_ended"),
        ("speaking", "speech_ended"),
    ],
)
def test_a_break_ends_what_it_is_the_break_of(busy: str, ends: str):
    assert after(signal(signal=ends), session_of(busy=busy)).busy is None


@pytest.mark.parametrize("name", ["prompt", "typing", None, 5, ["menu_closed"]])
def test_another_signal_leaves_somebody_busy(name: Any):
    assert after(signal(signal=name), session_of(busy="call")).busy == "call"


@pytest.mark.parametrize(("focus", "kept"), [(0.9, 0.9), (0, 0.0), (1.5, 0.5), ("high", 0.5)])
def test_a_signal_may_set_the_focus(focus: Any, kept: float):
    assert after(signal(focus=focus)).focus == kept


def test_a_signal_says_that_nobody_is_there_until_somebody_speaks():
    away = after(signal(present=False))
    assert not away.present
    assert not after(signal(present="yes"), away).present
    assert after(signal(present=True), away).present
    assert after(gathered(event=event_of("hello", kind="message")), away).present


def test_be_quiet_is_remembered_until_you_may_talk():
    quiet = asked("quiet")
    assert quiet.quiet_asked_at == SECONDS
    muted = asked("mute", quiet, seconds=600)
    assert muted.muted_until == SECONDS + 600
    talking = asked("talk", muted)
    assert (talking.quiet_asked_at, talking.muted_until) == (None, None)


@pytest.mark.parametrize(("kind", "limit"), [("less", 0.2), ("more", -0.2)])
def test_talking_more_or_less_moves_in_small_steps_up_to_a_limit(kind: str, limit: float):
    session = session_of()
    steps = []
    for _time in range(6):
        session = asked(kind, session)
        steps.append(session.talk_bias)
    assert steps[0] == limit / 4
    assert steps[-1] == limit
    assert Session.model_validate(session.model_dump()) == session


def test_the_last_word_on_a_topic_counts():
    watching = asked("watch", topic="tide")
    assert [
        (rule.topic, rule.kind) for rule in asked("suppress", watching, topic="tide").topics
    ] == [("tide", "suppress")]


def test_suppressing_a_topic_leaves_the_other_rules_as_they_are():
    others = (
        TopicRule(topic="fog", kind="watch", at=1),
        TopicRule(topic="ice", kind="suppress", at=2),
    )
    assert asked("suppress", session_of(topics=others), topic="tide").topics[:2] == others


def test_what_was_said_to_nobody_in_particular_is_remembered():
    session = after(gathered(**told("High water", verdict="continue")))
    assert [said.text for said in session.spoken] == ["High water"]
    assert session.threats == {}


def test_an_answer_is_no_interruption():
    assert after(gathered(event=event_of("show lock LK-12", user="amir"), **told())).spoken == ()


def test_silence_is_not_remembered_as_said():
    stages = told() | {"delivery": Delivery(output="silent", delivered_at=NOW, reason="no_words")}
    assert after(gathered(**stages)).spoken == ()


def test_a_told_threat_is_counted_until_it_rises():
    session = session_of()
    counts = []
    for level in (0.8, 0.8, 0.8, 0.95, 0.95):
        session = after(gathered(**told(threat=level)), session)
        (kept,) = session.threats.values()
        counts.append((kept.level, kept.times))
    assert counts == [(0.8, 1), (0.8, 2), (0.8, 3), (0.95, 1), (0.95, 2)]


@pytest.mark.parametrize(
    ("text", "payload", "is_over"),
    [
        ("Fire alarm in the laundry RESOLVED", {}, True),
        ("Fire in the laundry", {"status": "resolved"}, True),
        ("The fire is out", {}, True),
        ("No smoke in the laundry", {}, True),
        ("Laundry: all clear", {}, True),
        ("RESOLVED", {}, True),
        ("Fire in the laundry", {}, False),
        ("Fire not extinguished", {}, False),
        ("Waiting for the all clear", {}, False),
        ("This is a test: fire alarm", {}, False),
        ("Backup finished, 0 errors", {}, False),
        ("Tank over pressure", {}, False),
        ("Laundry door shut", {}, False),
    ],
)
def test_an_all_clear_resets_what_was_told_of_its_source(
    text: str, payload: dict[str, Any], *, is_over: bool
):
    first = event_of("Fire in the laundry", sender="sensor")
    known = after(gathered(event=first, **told()))
    elsewhere = {**told(), "salience": salience_of(pattern="buoy-2|ambient|")}
    known = after(gathered(event=event_of(source="buoy-2"), **elsewhere), known)
    for sender in ("sensor", "panel"):
        event = event_of(text, payload=payload, sender=sender)
        later = after(gathered(event=event, later=1), known)
        left = {key.rpartition("\x1f")[2].partition("|")[0] for key in later.threats}
        assert left == ({"buoy-2"} if is_over else {"buoy", "buoy-2"})


def test_a_person_who_asks_about_an_end_resets_nothing():
    known = after(gathered(**told()))
    asking = event_of("The fire is out", user="amir")
    assert after(gathered(event=asking), known).threats == known.threats


def test_a_pattern_that_came_grows_familiar():
    assert after(gathered(salience=salience_of())).familiar["buoy|ambient|"].level > 0


def test_a_person_who_speaks_does_not_grow_familiar():
    message = event_of("hello", user="amir")
    assert after(gathered(event=message, salience=salience_of())).familiar == {}


def test_what_is_kept_has_a_limit():
    session = session_of()
    for number in range(120):
        stages = told(str(number)) | {"salience": salience_of(pattern=f"p{number}")}
        session = after(gathered(later=number, **stages), session)
        session = asked("watch", session, topic=f"topic {number}")
    assert len(session.spoken) == SPOKEN_KEPT
    assert len(session.threats) == THREATS_KEPT
    assert len(session.topics) == TOPICS_KEPT
    assert len(session.familiar) == TUNING.habituation.patterns_kept
    assert session.spoken[-1].text == session.spoken[-1].text == "119"
    assert "p119" in session.familiar
    assert "p119|the tide turns" in session.threats


def test_a_decision_that_ends_late_is_remembered_in_the_session_as_it_is_then():
    newer = session_of(busy="call", talk_bias=0.1)
    kept = after(gathered(**told()), newer)
    assert (kept.busy, kept.talk_bias) == ("call", 0.1)


# Recalling by meaning: all that was said, a little later too, and nothing that was forgotten.

_AT = datetime(2026, 8, 12, tzinfo=UTC).timestamp()


def said(number: int, text: str, *, user: str = "ann", session_id: str = "s") -> dict[str, Any]:
    return {
        "decision_id": f"d{number}", "tenant_id": "default", "session_id": session_id,
        "said_by": "person", "user": user, "at": _AT + number, "text": text, "about": "",
        "body": {},
    }  # fmt: skip


async def test_what_was_said_long_ago_is_recalled_by_its_meaning_until_it_is_forgotten(
    data_dir: Path,
):
    database = Database(f"sqlite:///{data_dir / 'prefrontal.sqlite'}")
    encoder = Topics()
    recalling, vectors = (
        UtteranceRecall(database, encoder, floor=0.4),
        UtteranceVectors(database, encoder),
    )
    old = [said(0, "Take the ferry"), said(1, "Hire a boat", user="bo", session_id="other")]
    rest = [said(2 + number, "Nothing of note") for number in range(FRESH)]
    newest = [said(900, "The last ferry left"), said(901, "A boat came", user="cat")]
    await database.write(
        lambda connection: connection.execute(memory_entry.insert(), [*old, *rest, *newest])
    )

    async def recalled(where: RecallScope) -> set[str]:
        return {one.text for one in await recalling.about("a boat", where, match="", limit=50)}

    everywhere = RecallScope("default")
    fresh = {one["text"] for one in newest}
    assert await recalled(everywhere) == fresh
    encoder.broken = True
    assert (await vectors.catch_up(), await recalled(everywhere)) == (0, set())
    encoder.broken = False
    assert await vectors.catch_up() == len([*old, *rest, *newest])
    assert await vectors.catch_up() == 0
    assert await recalled(everywhere) == {*fresh, "Take the ferry", "Hire a boat"}
    assert await recalled(RecallScope("default", session_id="other")) == {"Hire a boat"}
    assert await recalled(RecallScope("another")) == set()
    await database.write(lambda connection: forget_person(connection, "default", "bo"))
    assert await recalled(everywhere) == {*fresh, "Take the ferry"}
    await database.close()
