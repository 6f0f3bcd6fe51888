"""Why is it silent now, until when, and how is that ended?"""

from datetime import timedelta

import pytest

from graph.presenters.explanation import explain
from state.attention import QuietHours
from state.errors import Forbidden
from state.principal import Principal
from state.reader import whole
from state.talk import TalkRequest
from tests.graph.conftest import OpenHarbour
from tests.graph.harbour import HARBOUR, KEEPER, Harbour
from tests.stages import NOW
from tools.platform.texts import t

GUEST = Principal(user="gus", tenant_id="default", roles=("guest",))

GOAL = {"goal_relevance": 0.9}


async def test_nothing_keeps_it_silent_at_first(harbour: Harbour) -> None:
    standing = await harbour.executive.controls.standing("default", "default")
    assert (standing.is_quiet, standing.reason, standing.until) == (False, "free", None)
    assert standing.threshold == standing.usual_threshold == 0.5
    assert "relevance 0.50 or more" in standing.counterfactual


async def test_a_mute_says_until_when_what_waits_and_how_to_end_it(harbour: Harbour) -> None:
    await harbour.says("be quiet for 20 minutes")
    held = await harbour.happens("The ferry is early", salience=GOAL)
    standing = await harbour.executive.controls.standing("default", "default")
    assert (standing.is_quiet, standing.reason) == (True, "muted")
    assert standing.until == NOW + timedelta(minutes=20)
    assert [one.decision_id for one in standing.waiting] == [held.decision_id]
    assert standing.waiting[0].ends_on == ("quiet_ended",)
    assert "say “you can talk”" in standing.counterfactual


async def test_ending_a_mute_by_verb_tells_what_was_kept(harbour: Harbour) -> None:
    await harbour.says("be quiet for 20 minutes")
    held = await harbour.happens("The ferry is early", salience=GOAL)
    attention = harbour.executive.controls
    assert not (await attention.change(KEEPER, "default", TalkRequest(kind="talk"))).is_quiet
    told = await harbour.executive.decide(held.decision_id)
    assert told.text == "While it was quiet: The ferry is early"
    changed = [one for one in await harbour.records() if one.reason == "signal_noted"]
    assert len(changed) == 1


async def test_be_quiet_says_when_it_is_forgotten(harbour: Harbour) -> None:
    await harbour.says("be quiet")
    standing = await harbour.executive.controls.standing("default", "default")
    assert (standing.is_quiet, standing.reason, standing.moves["quiet"]) == (False, "asked", 0.35)
    assert standing.until is not None
    harbour.pass_seconds((standing.until - NOW).total_seconds() + 1)
    assert (await harbour.executive.controls.standing("default", "default")).reason == "free"


async def test_quiet_hours_hold_by_the_clock_and_end(harbour: Harbour) -> None:
    hours = QuietHours(starts="15:00", ends="18:00")
    attention = harbour.executive.controls
    request = TalkRequest(kind="quiet_hours", hours=hours)
    standing = await attention.change(KEEPER, "default", request)
    assert (standing.reason, standing.until) == ("quiet_hours", NOW + timedelta(hours=2))
    ended = await attention.change(KEEPER, "default", TalkRequest(kind="no_quiet_hours"))
    assert (ended.is_quiet, ended.quiet_hours) == (False, None)


async def test_what_was_asked_for_is_listed(harbour: Harbour) -> None:
    await harbour.says("stop telling me about the ferry for an hour")
    await harbour.says("watch for seals")
    await harbour.says("my goal is to dredge the channel")
    standing = await harbour.executive.controls.standing("default", "default")
    rules = [(one.topic, one.kind, one.until) for one in standing.topics]
    assert rules == [
        ("ferry", "suppress", NOW + timedelta(hours=1)),
        ("seals", "watch", None),
    ]
    assert standing.goals == ("dredge the channel",)
    await harbour.says("you can tell me about the ferry again")
    again = await harbour.executive.controls.standing("default", "default")
    assert [one.topic for one in again.topics] == ["seals"]


async def test_a_topic_left_alone_for_an_hour_is_told_after_it(harbour: Harbour) -> None:
    await harbour.says("stop telling me about the ferry for an hour")
    assert (await harbour.happens("The ferry is early", salience=GOAL)).reason == "suppressed"
    harbour.pass_seconds(3_601)
    assert (await harbour.happens("The ferry is late", salience=GOAL)).outcome == "spoke"


async def test_what_is_boring_is_listed_until_it_is_fresh_again(harbour: Harbour) -> None:
    for _time in range(3):
        await harbour.happens("The ferry is early", salience={"novelty": 0.3})
    (pattern,) = (await harbour.executive.controls.standing("default", "default")).used_to
    assert pattern.level > 0.2
    harbour.pass_seconds(1_200)
    assert (await harbour.executive.controls.standing("default", "default")).used_to == ()


@pytest.mark.parametrize(
    "talk",
    [
        {"kind": "shout"},
        "quiet",
        {"kind": "mute", "x": 1},
        None,
        {"kind": "suppress", "topic": "the"},
    ],
)
async def test_a_signal_with_an_odd_request_changes_nothing(harbour: Harbour, talk: object) -> None:
    before = await harbour.executive.controls.standing("default", "default")
    await harbour.signals(talk=talk)
    assert before == await harbour.executive.controls.standing("default", "default")


async def test_what_gets_through_of_a_topic_without_alarms_is_said(harbour: Harbour) -> None:
    said = await harbour.says("stop telling me about fire, not even alarms")
    level = 0.95
    assert f"Only threats of {level} or more still get through" in said.text
    standing = await harbour.executive.controls.standing("default", "default")
    assert standing.counterfactual.endswith(f"; about fire only threats of {level} or more.")
    below = await harbour.happens("Fire on the quay", salience={"threat": level - 0.01})
    above = await harbour.happens("Fire in the mill", source="mill", salience={"threat": level})
    assert (below.reason, above.reason) == ("suppressed", "threat")


@pytest.mark.parametrize("say", ["be quiet for an hour", "stop telling me about fire", "dnd"])
async def test_who_may_change_nothing_hushes_nobody(open_harbour: OpenHarbour, say: str) -> None:
    shelf = str(HARBOUR.parent / "shelf")
    async with open_harbour(packs=(shelf,)) as harbour:
        attention = harbour.executive.controls
        before = await attention.standing("default", "default")
        refused = await harbour.says(say, GUEST)
        assert (refused.text, refused.outcome) == (t("dialogue.refused.control"), "spoke")
        mute = TalkRequest(kind="mute", seconds=60)
        with pytest.raises(Forbidden):
            await attention.change(GUEST, "default", mute)
        payload = {"talk": mute.model_dump(mode="json", exclude_none=True)}
        signal = {"kind": "signal", "payload": payload, "user": "gus", "role": "guest"}
        await harbour.happens("hush", **signal)
        assert await attention.standing("default", "default") == before
        assert (await harbour.says("what did I miss?", GUEST)).text != t("dialogue.refused.control")
        assert (await harbour.says(say, KEEPER)).text != t("dialogue.refused.control")


async def test_quiet_until_another_day_ends_in_its_morning(harbour: Harbour):
    said = await harbour.says("be quiet until tomorrow")
    assert said.text.startswith("Quiet until 08:00.")


async def test_who_may_change_nothing_moves_nobody_s_threshold(open_harbour: OpenHarbour) -> None:
    async with open_harbour(packs=(str(HARBOUR.parent / "shelf"),)) as harbour:
        await harbour.happens("Fire on the quay", salience={"threat": 0.9})
        gus = {"kind": "signal", "user": "gus", "role": "guest"}
        await harbour.happens("call", **gus, payload={"busy": "call", "focus": 0, "context": "a"})
        await harbour.says("that's annoying", GUEST)
        session = await harbour.session()
        assert (session.busy, session.focus, session.active_context) == (None, 0.5, None)
        assert session.annoyed_at == ()
        await harbour.says("good to know", GUEST)
        assert (await harbour.session()).familiar != session.familiar
        await harbour.says("that's annoying", KEEPER)
        await harbour.happens("call", kind="signal", payload={"busy": "call"})
        session = await harbour.session()
        assert (session.busy, len(session.annoyed_at)) == ("call", 1)


async def test_who_may_change_nothing_puts_no_decision_on_record_and_hushes_nobody(
    open_harbour: OpenHarbour,
) -> None:
    decided = "We decided to use Redis because it is fast"
    async with open_harbour(packs=(str(HARBOUR.parent / "shelf"),)) as harbour:
        journal = harbour.executive.journal
        assert (await harbour.says(decided, GUEST)).text == t("dialogue.refused.decision")
        both = await harbour.says("be quiet for 10 minutes and who are you?", GUEST)
        assert both.text.startswith(f"{t('dialogue.refused.control')}\nI'm Prefrontal")
        assert (await harbour.session()).muted_until is None
        assert await journal.store.all(whole("default")) == []
        assert (await harbour.says(decided, KEEPER)).text.startswith("Noted: ")
        assert len(await journal.store.all(whole("default"))) == 1


# A wish for quiet beside a request: the quiet begins at once, the rest waits for a person.


QUIET = "Quiet for 10 minutes. Threats of 0.8 or more still get through."


@pytest.mark.parametrize(
    "text",
    [
        "be quiet for 10 minutes then close lock LK-12",
        "close lock LK-12, be quiet for 10 minutes",
        "show lock LK-12 and please be quiet for 10 minutes",
    ],
)
async def test_both_are_heeded_and_nothing_runs(harbour: Harbour, text: str) -> None:
    said = await harbour.says(text)

    assert (said.outcome, said.offer_id is not None) == ("offered", True)
    assert said.text.startswith(f"{QUIET}\nDid you mean:")
    assert (await harbour.session()).muted_until is not None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("be quiet for 10 minutes, the guests are asleep", QUIET),
        ("be quiet for 10 minutes and paint the fence", f"{QUIET} I can't do this: “paint"),
    ],
)
async def test_what_no_action_covers_is_told(harbour: Harbour, text: str, told: str) -> None:
    assert (await harbour.says(text)).text.startswith(told)
    assert (await harbour.session()).muted_until is not None


@pytest.mark.parametrize(
    ("text", "told", "topics"),
    [
        ("be quiet for 10 minutes, and why did you do that?", "About “show lock LK-12”", ()),
        ("why did you do that and be quiet for 10 minutes", "About “show lock LK-12”", ()),
        ("what did I miss? then be quiet for 10 minutes, thanks", "You missed nothing", ()),
        ("be quiet for 10 minutes and undo that", "You have nothing here", ()),
        ("be quiet for 10 minutes and be less sarcastic", "I'll be less sarcastic.", ()),
        ("watch for swans and be quiet for 10 minutes", "Got it: I'll watch", ("swans",)),
        ("stop telling me about buoys and be quiet for 10 minutes", "I won't mention", ("buoys",)),
        ("we decided to paint the gate, be quiet for 10 minutes", "Noted: paint the gate.", ()),
        ("remind me in 2 hours to eat, and be quiet for 10 minutes", "I'll remind you at", ()),
        ("be quiet for 10 minutes, then you can talk again", "", ()),
    ],
)
async def test_what_else_was_said_is_answered_with_it(harbour: Harbour, text, told, topics) -> None:
    await harbour.says("show lock LK-12")
    said = await harbour.says(text)
    session = await harbour.session()

    assert said.text.startswith(f"{QUIET}\n{told}" if told else QUIET)
    assert session.muted_until is not None
    assert tuple(rule.topic for rule in session.topics) == topics


async def test_free_words_keep_what_may_be_theirs(harbour: Harbour) -> None:
    said = await harbour.says("remind me in 2 hours to eat and be quiet for 10 minutes")

    assert "eat and be quiet for 10 minutes" in said.text
    assert (await harbour.session()).muted_until is None


async def test_why_tells_of_both(harbour: Harbour) -> None:
    said = await harbour.says("be quiet for 10 minutes, and why did you do that?")
    trace = await harbour.executive.records.trace(said.decision_id, "default")
    told = "\n".join(line for part in explain(trace) for line in part.lines)

    assert "Also heard: a control request (mute)" in told
    assert "the rest was read as “why did you do that?”" in told


@pytest.mark.parametrize(
    "text",
    [
        "don't close lock LK-12 and be quiet for 10 minutes",
        "write in the log: they were asked, be quiet for 10 minutes",
        "note in the log that the buoy drifted and be quiet for 10 minutes",
        "he said close it and be quiet for 10 minutes",
    ],
)
async def test_what_is_denied_told_or_written_down_hushes_nobody(harbour: Harbour, text) -> None:
    await harbour.says(text)

    assert (await harbour.session()).muted_until is None
