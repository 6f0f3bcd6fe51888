"""From an event to speech or silence, through the whole graph."""

from typing import Any

import pytest

from state.reader import whole
from tests.graph.harbour import Harbour
from tests.graph.test_told_together import happens_at, outcomes, told

GOAL = {"goal_relevance": 0.9}
THREAT = {"threat": 0.9}


async def test_a_dull_event_is_recorded_and_dropped(harbour: Harbour) -> None:
    record = await harbour.happens("heartbeat ok")
    assert (record.outcome, record.reason, record.spoke) == ("passed", "dull", False)
    assert await harbour.records() == [record]


async def test_what_is_relevant_is_spoken(harbour: Harbour) -> None:
    record = await harbour.happens("The ferry is early", salience=GOAL)
    assert (record.outcome, record.spoke, record.text) == ("spoke", True, "The ferry is early")
    assert (record.path, record.timing, record.output) == ("fallback", "immediate", "text")
    assert record.relevance is not None
    assert record.threshold == 0.5
    assert record.relevance >= record.threshold


async def test_below_the_threshold_is_silence_with_a_counterfactual(harbour: Harbour) -> None:
    record = await harbour.happens("The ferry is early", salience={"novelty": 0.4})
    assert (record.outcome, record.reason, record.spoke) == ("passed", "below_threshold", False)
    assert record.counterfactual == (
        f"relevance of at least {record.threshold:.2f} (it was {record.relevance:.2f})"
    )


async def test_a_sure_heuristic_gives_the_words(harbour: Harbour) -> None:
    record = await harbour.happens("High water", source="weir", salience=GOAL)
    assert (record.path, record.confidence) == ("heuristic", 0.9)
    assert record.text == "weir says: High water. Close the gates."


async def test_an_unsure_heuristic_does_not(harbour: Harbour) -> None:
    record = await harbour.happens("A gull", salience=GOAL)
    assert (record.path, record.text) == ("fallback", "A gull")


async def test_a_threat_is_spoken_through_a_mute_and_interrupts(harbour: Harbour) -> None:
    await harbour.says("be quiet for 10 minutes")
    listening = harbour.executive.notices.listen(whole("default"))
    record = await harbour.happens("Smoke on the quay", salience=THREAT)
    assert (record.outcome, record.reason, record.response_type) == ("spoke", "threat", "alert")
    notice = await anext(listening)
    assert (notice.kind, notice.data["interrupt"]) == ("output", True)


async def test_a_mute_silences_and_ends_by_itself(harbour: Harbour) -> None:
    said = await harbour.says("be quiet for 10 minutes")
    assert (said.outcome, said.text) == (
        "spoke",
        "Quiet for 10 minutes. Threats of 0.8 or more still get through.",
    )
    muted = await harbour.happens("The ferry is early", salience=GOAL)
    assert (muted.outcome, muted.reason, muted.spoke) == ("held", "muted", False)
    harbour.pass_seconds(601)
    after = await harbour.happens("The pilot has arrived", source="gate", salience=GOAL)
    assert after.outcome == "spoke"


async def test_be_quiet_raises_the_bar_and_fades(harbour: Harbour) -> None:
    await harbour.says("be quiet")
    quiet = await harbour.happens("The ferry is early", salience=GOAL)
    harbour.pass_seconds(5 * 3600)
    later = await harbour.happens("The pilot has arrived", source="gate", salience=GOAL)
    assert (quiet.reason, quiet.threshold, later.threshold) == ("below_threshold", 0.85, 0.5)
    assert later.outcome == "spoke"


async def test_you_may_talk_again_ends_a_mute(harbour: Harbour) -> None:
    await harbour.says("be quiet for 10 minutes")
    await harbour.says("you can talk again")
    assert (await harbour.happens("The ferry is early", salience=GOAL)).outcome == "spoke"


async def test_a_suppressed_topic_is_left_alone_and_no_other(harbour: Harbour) -> None:
    await harbour.says("stop telling me about the ferry")
    ferry = await harbour.happens("The ferry is early", salience=GOAL)
    pilot = await harbour.happens("The pilot is early", source="gate", salience=GOAL)
    assert (ferry.outcome, ferry.reason) == ("passed", "suppressed")
    assert pilot.outcome == "spoke"


async def test_a_threat_is_spoken_though_its_topic_is_suppressed(harbour: Harbour) -> None:
    await harbour.says("stop telling me about the ferry")
    assert (await harbour.happens("The ferry burns", salience=THREAT)).outcome == "spoke"


async def test_a_watched_topic_counts_double(harbour: Harbour) -> None:
    weak: dict[str, Any] = {"salience": {"novelty": 0.4}}
    before = await harbour.happens("The ferry is early", source="one", **weak)
    await harbour.says("watch out for the ferry")
    after = await harbour.happens("The ferry is early", source="two", **weak)
    other = await harbour.happens("The pilot is early", source="three", **weak)
    assert (before.outcome, after.outcome, other.outcome) == ("passed", "spoke", "passed")
    assert after.threshold == 0.4


async def test_of_what_came_too_late_an_alarm_is_told(harbour: Harbour) -> None:
    news = harbour.event("The ferry is early", salience={"goal_relevance": 0.9})
    alarm = harbour.event("Smoke on the quay", source="b", salience=THREAT)
    harbour.pass_seconds(720)
    dropped = await harbour.executive.submit(news)
    assert (dropped.outcome, dropped.reason) == ("passed", "expired")
    told = await harbour.executive.submit(alarm)
    assert (told.outcome, told.text) == ("spoke", "12 minutes ago: Smoke on the quay")


async def test_an_event_says_itself_how_long_it_counts(harbour: Harbour) -> None:
    short = harbour.event("Smoke on the quay", salience=THREAT, expires_in_seconds=5)
    long = harbour.event("Fire on the quay", source="b", salience=THREAT, expires_in_seconds=90)
    harbour.pass_seconds(61)
    assert (await harbour.executive.submit(short)).reason == "expired"
    assert (await harbour.executive.submit(long)).outcome == "spoke"


async def test_a_message_is_answered_however_old_it_is(harbour: Harbour) -> None:
    event = harbour.event("show lock LK-12", user="amir", role="keeper")
    harbour.pass_seconds(3600)
    assert (await harbour.executive.submit(event)).outcome == "executed"


@pytest.mark.parametrize("years", ["1970-01-01T00:00:00Z", "2199-12-31T00:00:00Z"])
async def test_an_event_of_another_age_ends_in_one_record(harbour: Harbour, years: str) -> None:
    record = await harbour.happens("The ferry is early", salience=GOAL, occurred_at=years)
    assert record.outcome in ("passed", "spoke")
    assert len(await harbour.records()) == 1


async def test_the_same_thing_again_and_again_is_soon_silence(harbour: Harbour) -> None:
    spoke = []
    for _second in range(10):
        spoke.append((await harbour.happens("The ferry is early", salience=GOAL)).spoke)
        harbour.pass_seconds(1)
    assert spoke == [True] + [False] * 9


@pytest.mark.parametrize("besides", [{}, dict.fromkeys(("goal_relevance", "novelty"), 0.9)])
async def test_a_told_threat_is_repeated_on_its_schedule(harbour: Harbour, besides) -> None:
    told = []
    for second in range(0, 140, 5):
        record = await harbour.happens("Smoke on the quay", salience={**THREAT, **besides})
        if record.spoke:
            told.append(second)
        harbour.pass_seconds(5)
    assert told == [0, 5, 15, 35, 75, 135]


@pytest.mark.parametrize("text", ["fly me to the moon", "bake a cake", "defrost the fridge"])
async def test_a_request_in_unknown_words_is_not_called_information(
    harbour: Harbour, text: str
) -> None:
    record = await harbour.says(text)
    assert (record.outcome, record.action) == ("spoke", None)
    assert record.text.startswith("If that was a request, I don't know how to do it")


async def test_a_message_that_asks_nothing_is_answered(harbour: Harbour) -> None:
    record = await harbour.says("the tide is lovely tonight")
    assert (record.outcome, record.reason, record.spoke) == ("spoke", "nothing_asked", True)
    assert record.text == "I'll remember that. I changed nothing."


async def test_what_nobody_can_do_is_turned_down_in_words(harbour: Harbour) -> None:
    record = await harbour.says("can you do a somersault?")
    assert (record.outcome, record.path) == ("rejected", "rejected")
    assert record.text == "I can't do that yet."


async def test_64_kilobytes_of_text_are_one_decision(harbour: Harbour) -> None:
    assert (await harbour.happens("ab " * 21_845, salience=GOAL)).outcome == "spoke"
    assert (await harbour.says("ab " * 21_845)).outcome in ("spoke", "rejected")


@pytest.mark.parametrize("number", [10**18, -(10**18), 1e308, True, "soon", None, [], {}])
async def test_an_odd_deadline_is_no_reason_to_fail(harbour: Harbour, number: Any) -> None:
    record = await harbour.happens(
        "The ferry is early", salience=GOAL, payload={"deadline_seconds": number}
    )
    assert record.outcome == "spoke"


@pytest.mark.parametrize("given", [{}, {"salience": THREAT}])
async def test_an_alarm_after_the_all_clear_is_told_as_a_new_one(harbour: Harbour, given) -> None:
    sent = {"source": "laundry", "sender": "sensor", **given}
    told = [
        (await harbour.happens(text, payload=payload, **sent)).reason
        for text, payload in (
            ("Fire in the laundry", {}),
            ("Fire in the laundry", {"zone": 2}),
            ("Fire alarm in the laundry RESOLVED", {}),
            ("Fire in the laundry", {}),
            ("Fire in the laundry", {"status": "resolved"}),
            ("Fire in the laundry", {}),
        )
    ]
    assert told[0] == told[3] == told[5] == "threat"
    assert "threat" not in (told[1], told[4])


async def test_an_alarm_is_told_whatever_another_key_said_under_its_name(harbour: Harbour) -> None:
    for number in range(6):
        fire = f"Fire in the galley, deck {number}"
        await harbour.happens(fire, source="galley-head", sender="bridge")
        await harbour.happens("Fire in the galley", source="galley-head", sender="bridge")
    real = await harbour.happens("Fire in the galley", source="galley-head", sender="sensor")
    assert (real.outcome, real.reason) == ("spoke", "threat")


# What waits is told to whoever asks what was missed, quiet or not.


@pytest.mark.parametrize("hush", ["be quiet for 60 minutes", "quiet hours from 15:00 to 18:00"])
async def test_no_quiet_keeps_what_was_missed_from_who_asks(harbour: Harbour, hush: str) -> None:
    await harbour.says(hush)
    strong = await happens_at(harbour, "The sluice is stuck", "sluice")
    weak = await happens_at(
        harbour, "Weed on the grating", "grating", salience={"goal_relevance": 0.5}
    )
    over = await happens_at(harbour, "The ferry leaves", "ferry", expires_in_seconds=10)
    harbour.pass_seconds(60)
    answer = await harbour.says("What did I miss?")
    assert sorted(answer.text.splitlines()) == ["- The sluice is stuck", "- Weed on the grating"]
    assert await outcomes(harbour, strong, weak) == [("merged", "told_with")] * 2
    assert await outcomes(harbour, over) == [("passed", "expired")]
    standing = await harbour.executive.controls.standing("default", "default")
    assert (standing.is_quiet, standing.waiting) == (True, ())


async def test_a_signal_asks_nothing_and_the_quiet_holds(harbour: Harbour) -> None:
    await harbour.signals(busy="call")
    queued = await happens_at(harbour, "The ferry is early", "ferry")
    await harbour.says("be quiet for 60 minutes")
    kept = await happens_at(harbour, "The sluice is stuck", "sluice")
    await harbour.signals("prompt")
    assert await told(harbour) == []
    assert {outcome for outcome, _reason in await outcomes(harbour, queued, kept)} == {"held"}


# An hour's mute over fifty topics ends in one digest of what is still true.


TOPICS = 50
OVER = 10
"""So many are over before the mute is: they are true for five minutes."""


def _of(topic: int) -> str:
    return f"Gate {chr(65 + topic % 26) * (1 + topic // 26)} stands at"


async def test_an_hours_mute_over_fifty_topics_ends_in_one_digest(harbour: Harbour) -> None:
    await harbour.says("be quiet for an hour")
    for metres in (3, 5):
        for n in range(TOPICS):
            await happens_at(
                harbour,
                f"{_of(n)} {metres} m",
                f"gate {n}",
                salience={"goal_relevance": 0.8 + n / 1_000},
                expires_in_seconds=300 if n < OVER else 7_200,
            )
        harbour.pass_seconds(1_200)
        await harbour.executive.release_due()
    assert await told(harbour) == []
    await harbour.says("you can talk again")
    (digest,) = await told(harbour)
    first, *shown, last = digest.splitlines()
    assert first == f"While it was quiet, {TOPICS - OVER} things happened:"
    best = range(TOPICS - 1, TOPICS - 1 - len(shown), -1)
    assert shown == [f"- {_of(n)} 5 m" for n in best]
    assert last == f"- and {TOPICS - OVER - len(shown)} more"
    assert await harbour.executive.initiative.next_due() is None
    harbour.pass_seconds(3_600)
    await harbour.executive.release_due()
    assert await told(harbour) == [digest]


# What a person is at is a topic: what happens matters more where it is about that.


async def test_what_a_person_is_at_makes_what_is_about_it_matter(harbour: Harbour) -> None:
    before = await harbour.happens("The rope catalogue came", source="probe")
    await harbour.signals(focus="the rope catalogue")
    assert (await harbour.session()).focus == 0.5
    about = await harbour.happens("The rope catalogue came again", source="probe")
    other = await harbour.happens("The tide tables came again", source="probe")
    assert (about.relevance or 0) > max(before.relevance or 0, other.relevance or 0) + 0.3
    await harbour.signals(focus="")
    after = await harbour.happens("The rope catalogue came once more", source="probe")
    assert (after.relevance or 0) < (about.relevance or 0) - 0.3
