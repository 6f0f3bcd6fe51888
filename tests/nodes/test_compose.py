"""The words: the truth first, plain to who asked, shaped when it is volunteered."""

from typing import Any, get_args

import pytest

from nodes.compose import Compose, offer_text
from state.approval import ActionState
from state.classification import Classification
from state.offer import Chip, Offer
from state.outcome import ActionOutcome
from state.personality import TRAITS, Traits
from state.response import Response
from state.result import DecisionPath, DecisionResult
from state.stages import Settled
from tests.nodes.conftest import message
from tests.stages import event_of, every_stage, frozen_action, session_of

NONE = Classification(verdict="none", reason="no_action")
WAITING = Classification(verdict="confirm", reason="class_C", action=frozen_action())


async def composed(**channels: Any) -> Response:
    given = {**every_stage(), "offer": None, "outcome": None, "classification": NONE, **channels}
    return (await Compose()(Settled.model_validate(given)))["response"]


def said(text: str, path: DecisionPath = DecisionPath.LLM) -> DecisionResult:
    return DecisionResult(path=path, response_text=text)


def outcome_of(state: ActionState, **fields: Any) -> ActionOutcome:
    return ActionOutcome(action_id="a", state=state, executed_now=True, **fields)


async def test_what_was_done_is_told_with_what_it_changed() -> None:
    done = outcome_of("succeeded", text="Lock closed.", changed=("LK-12: open → closed",))
    response = await composed(outcome=done, classification=WAITING)
    assert response == Response(type="answer", text="Lock closed.\n  LK-12: open → closed")


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("failed", "Close lock LK-12: not done: the gate jams."),
        ("unknown", "Close lock LK-12: outcome unknown: the gate jams."),
        ("rejected", "Close lock LK-12: rejected (the gate jams). Nothing was changed."),
        ("expired", "Close lock LK-12: nobody answered in time. Nothing was changed."),
        ("stale", "Close lock LK-12: the gate jams. Nothing was changed."),
        ("superseded", "Close lock LK-12: the gate jams. Nothing was changed."),
        ("pending", "Close lock LK-12: pending."),
    ],
)
async def test_what_was_not_done_is_told_as_that(state: ActionState, words: str) -> None:
    given = outcome_of(state, reason="the gate jams")
    assert (await composed(outcome=given, classification=WAITING)).text == words


@pytest.mark.parametrize("state", get_args(ActionState))
async def test_every_end_has_words(state: ActionState) -> None:
    done = outcome_of(state, text="Done." if state == "succeeded" else "")
    assert (await composed(outcome=done, classification=NONE)).text


async def test_an_offer_is_one_question_with_its_chips() -> None:
    chips = (
        Chip(chip_id="chip-1", action="a", arguments={}, summary="Note fog", confidence=1),
        Chip(
            chip_id="chip-2",
            action="b",
            arguments={},
            missing_slots=("lock", "day"),
            summary="Show lock",
            confidence=1,
        ),
    )
    offer = Offer(
        offer_id="o", decision_id="d", tenant_id="t", session_id="s", chips=chips, reason="r"
    )
    response = await composed(offer=offer)
    assert response == Response(
        type="question",
        text="Did you mean:\n  chip-1: Note fog\n  chip-2: Show lock (which lock and day?)",
    )
    assert offer_text(offer.model_copy(update={"found": "Two notices."})).endswith("\nTwo notices.")
    clear = offer.model_copy(update={"reason": "class_B", "yes_means": "chip-1", "found": "x"})
    assert offer_text(clear).splitlines()[0] == "Shall I do this?"
    assert offer_text(clear).splitlines()[-1] == "Yes means chip-1."
    searched = every_stage()["result"].model_copy(
        update={"left_out": "I can't do this part: 2035."}
    )
    told = await composed(offer=offer, result=searched)
    assert told.text.endswith("\nI can't do this part: 2035.")


async def test_what_is_missing_is_asked() -> None:
    question = Classification(verdict="ask", reason="missing_slot", question="Which lock?")
    assert await composed(classification=question) == Response(type="question", text="Which lock?")


@pytest.mark.parametrize(
    ("classification", "words"),
    [
        (Classification(verdict="refuse", reason="role"), "Your role (keeper) can't close locks."),
        (
            Classification(verdict="refuse", reason="forbidden", question="Choose its chip first."),
            "Choose its chip first.",
        ),
        (
            Classification(verdict="refuse", reason="unknown_action"),
            "I can't do that: it is not in the catalog.",
        ),
    ],
)
async def test_a_refusal_says_why(classification: Classification, words: str) -> None:
    assert (await composed(classification=classification)).text == words


async def test_who_asked_gets_a_plain_answer() -> None:
    terse = session_of(traits=Traits(verbosity=0.0))
    response = await composed(event=message(), result=said("One. Two."), session=terse)
    assert response == Response(type="answer", text="One. Two.")


@pytest.mark.parametrize("level", [0.0, 1.0])
@pytest.mark.parametrize(
    "channels",
    [
        {
            "outcome": outcome_of("failed", reason="the gate jams. Twice!"),
            "classification": WAITING,
        },
        {"classification": Classification(verdict="refuse", reason="role")},
        {"classification": Classification(verdict="ask", reason="missing_slot", question="Which?")},
        {"event": message(), "result": said("Don't go. It's on fire!")},
    ],
)
async def test_no_trait_words_what_was_asked_done_or_refused(channels, level) -> None:
    odd = session_of(traits=Traits(**dict.fromkeys(TRAITS, level)))
    assert await composed(session=odd, **channels) == await composed(**channels)


async def test_what_is_volunteered_is_shaped_by_the_traits() -> None:
    terse = session_of(traits=Traits(verbosity=0.0))
    response = await composed(
        event=event_of(),
        result=said("It turns. Boats swing.", DecisionPath.HEURISTIC),
        session=terse,
    )
    assert (response.type, response.text, response.skills_used) == (
        "observation",
        "It turns.",
        ("personality",),
    )


async def test_no_words_are_silence() -> None:
    assert await composed(event=message(), result=said("  \n ")) == Response(type="none", text="")


@pytest.mark.parametrize(
    ("seconds", "ago"),
    [
        (45, "45 seconds ago"),
        (720, "12 minutes ago"),
        (10_800, "3 hours ago"),
        (400_000, "5 days ago"),
    ],
)
async def test_an_alarm_that_came_late_says_how_late(seconds: float, ago: str) -> None:
    given = every_stage()
    late = {
        "event": event_of("Smoke in the galley"),
        "result": said("Smoke in the galley"),
        "relevance": given["relevance"].model_copy(update={"late": True}),
        "arrival": given["arrival"].model_copy(update={"age_seconds": seconds}),
        "timing": given["timing"].model_copy(update={"response_type": "alert"}),
    }
    assert (await composed(**late)).text == f"{ago}: Smoke in the galley"


@pytest.mark.parametrize(
    ("payload", "is_said"),
    [
        ({"where": "galley"}, True),
        ({"token": "galley"}, False),
        ({"note": "gull " * 40 + "galley"}, False),
        ({**{f"n{number}": "gull" for number in range(5)}, "where": "galley"}, False),
    ],
)
async def test_only_a_detail_that_the_model_was_shown_lends_it_a_word(
    payload: dict[str, str], is_said: bool
) -> None:
    words = "The smoke detector in the galley beeps."
    given = event_of("The smoke detector beeps", payload=payload)
    response = await composed(event=given, result=said(words))
    assert (response.text == words) is is_said, response
