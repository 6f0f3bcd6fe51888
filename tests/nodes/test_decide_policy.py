"""What is asked, and what is allowed: read by code alone, the same each time."""

from pathlib import Path
from typing import Any, cast

import pytest

from nodes.decide_policy import DecidePolicy
from state.event import Event
from state.offer import Chip, Offer
from state.policy import ASKS_NOTHING, Candidate, PolicyDecision, Routing
from state.principal import Principal
from state.session import OpenQuestion
from state.stages import Timed
from tests.nodes.conftest import Knows, message, messages_of, routing_of
from tests.stages import NOW, TUNING, arrival_of, event_of, every_stage, session_of
from tools.catalog.action_catalog import Catalogue
from tools.dialogue import Conversation, OfferReplies
from tools.gate.ledger.queries import PendingApprovals
from tools.gate.ledger.undo import UndoService
from tools.memory.heuristics.matching import PackHeuristics
from tools.ports import Ledger
from tools.storage.database import Database
from tools.storage.offers import SqlOffers

CLOSE: dict[str, Any] = {"action": "close_lock", "confidence": 0.9, "slots": {"lock": "LK-12"}}


@pytest.fixture
def router() -> Knows:
    return Knows()


@pytest.fixture
def node(catalogue: Catalogue, database: Database, router: Knows, tmp_path: Path) -> DecidePolicy:
    return DecidePolicy(
        Conversation(
            messages_of(catalogue, router, tmp_path),
            PackHeuristics(catalogue.packs),
            SqlOffers(database),
            UndoService(database, catalogue),
            OfferReplies(database),
            PendingApprovals(database),
            cast(Ledger, None),  # nothing waits here
        )
    )


async def decided(
    node: DecidePolicy, event: Event, asked: OpenQuestion | None = None
) -> PolicyDecision:
    session = session_of(questions={"amir": asked} if asked else {})
    given = {**every_stage(), "arrival": arrival_of(event), "event": event, "session": session}
    return (await node(Timed.model_validate(given)))["policy"]


async def read(node: DecidePolicy, routing: Routing, **fields: Any) -> PolicyDecision:
    assert isinstance(node.conversation.messages.router, Knows)
    node.conversation.messages.router.routings["text"] = routing
    return await decided(node, message("text", **fields))


async def test_a_routed_action_is_what_is_asked(node: DecidePolicy) -> None:
    policy = await read(node, routing_of(**CLOSE))
    assert (policy.intent, policy.action, policy.arguments, policy.confidence) == (
        "action",
        "close_lock",
        {"lock": "LK-12"},
        0.9,
    )
    assert (policy.blocked, policy.explicit) == ((), False)


async def test_the_packs_store_of_the_tenant_is_looked_up(
    node: DecidePolicy, router: Knows, tmp_path: Path
) -> None:
    await decided(node, message("text", tenant_id="north"))
    assert router.asked == [tmp_path / "north"]


async def test_what_the_role_may_not_ask_is_named(node: DecidePolicy) -> None:
    other = (Candidate(action="note_in_log", confidence=0.5),)
    policy = await read(node, routing_of(**CLOSE, alternatives=other), role="passenger")
    assert policy.blocked == ("close_lock", "note_in_log")


async def test_only_likely_alternatives_are_kept(node: DecidePolicy) -> None:
    least = TUNING.execution.offer_confidence
    likely = Candidate(action="show_lock", confidence=least)
    unlikely = Candidate(action="ring_bell", confidence=least - 0.01)
    policy = await read(node, routing_of(**CLOSE, alternatives=(likely, unlikely)))
    assert policy.alternatives == (likely,)


@pytest.mark.parametrize("action", [None, "close_lock"])
async def test_too_unsure_to_be_one_action_is_a_choice_between_several(
    node: DecidePolicy, action: str | None
) -> None:
    several = (Candidate(action="show_lock", confidence=0.3),)
    policy = await read(node, routing_of(action=action, confidence=0.2, alternatives=several))
    assert (policy.intent, policy.action, policy.alternatives) == ("clarify", None, several)


async def test_nothing_likely_is_general(node: DecidePolicy) -> None:
    policy = await read(node, routing_of())
    assert (policy.intent, policy.action, policy.alternatives) == ("general", None, ())


@pytest.mark.parametrize("mood", sorted(ASKS_NOTHING))
async def test_what_asks_for_nothing_names_no_action(node: DecidePolicy, mood: str) -> None:
    policy = await read(node, routing_of(**{**CLOSE, "confidence": 0.5}, mood=mood))
    assert (policy.intent, policy.action) == ("general", None)


async def test_a_request_about_talking_goes_before_the_catalogue(node: DecidePolicy, router: Knows):
    policy = await decided(node, message("be quiet"))
    assert (policy.intent, policy.confidence) == ("control", 1.0)
    assert policy.talk is not None
    assert policy.talk.kind == "quiet"
    assert router.asked == []


@pytest.mark.parametrize(
    "text", ["why did we dredge?", "What did we decide on the crane?", "so why are we here"]
)
async def test_who_asks_why_is_answered_from_the_journal(node: DecidePolicy, text: str) -> None:
    assert (await decided(node, message(text))).intent == "journal"


async def test_a_why_that_is_surely_an_action_is_that_action(node: DecidePolicy, router: Knows):
    text = "why is lock LK-12 shut"
    router.routings[text] = routing_of(text, **CLOSE)
    assert (await decided(node, message(text))).intent == "action"


@pytest.mark.parametrize("kind", ["ambient", "tick"])
async def test_what_merely_happens_is_a_notice_and_never_routed(
    node: DecidePolicy, router: Knows, kind: str
) -> None:
    policy = await decided(node, event_of("high water, close lock LK-12", kind=kind))
    assert (policy.intent, policy.action) == ("notice", None)
    assert policy.suggestion is not None
    assert policy.reasons == ("heuristic:high_water",)
    assert router.asked == []


async def test_a_choice_is_what_was_clicked_and_not_what_it_says(node: DecidePolicy) -> None:
    assert isinstance(node.conversation.offers, SqlOffers)
    chip = Chip(
        chip_id="chip-1", action="note_in_log", arguments={"note": "a"}, summary="s", confidence=0.5
    )
    shown = await node.conversation.offers.put(
        Offer(
            offer_id="offer-1",
            decision_id="d",
            tenant_id="default",
            session_id="default",
            chips=(chip,),
            reason="r",
        ),
        minutes=5,
    )
    keeper = Principal(user="amir", tenant_id="default", roles=("keeper",))
    event = await node.conversation.offers.choose(shown.offer_id, "chip-1", keeper, {"extra": 1})
    lying = event.model_copy(update={"text": "close lock", "payload": {"chip_id": "chip-2"}})
    policy = await decided(node, lying)
    assert (policy.intent, policy.action, policy.explicit, policy.offer_id) == (
        "choice",
        "note_in_log",
        True,
        "offer-1",
    )
    assert policy.arguments["note"] == "a"


async def test_a_choice_nobody_clicked_is_none(node: DecidePolicy) -> None:
    policy = await decided(node, message(kind="choice", payload={"offer_id": "offer-1"}))
    assert (policy.action, policy.explicit, policy.reasons) == (None, False, ("no_such_click",))


async def test_the_same_message_is_read_the_same(node: DecidePolicy) -> None:
    assert isinstance(node.conversation.messages.router, Knows)
    node.conversation.messages.router.routings["text"] = routing_of(**CLOSE)
    assert node.conversation.messages.read(message("text")) == node.conversation.messages.read(
        message("text")
    )


ASKED = OpenQuestion(
    action="close_lock",
    arguments={"minutes": 30},
    slots=("lock",),
    confidence=0.9,
    at=NOW.timestamp() - 60,
)
ANSWER = routing_of("LK-12", action="close_lock", slots={"lock": "LK-12"})


async def test_an_answer_completes_what_was_asked_for(node: DecidePolicy, router: Knows) -> None:
    router.answers["LK-12"] = ANSWER
    policy = await decided(node, message("LK-12"), ASKED)
    assert (policy.intent, policy.action, policy.confidence) == ("action", "close_lock", 0.9)
    assert policy.arguments == {"minutes": 30, "lock": "LK-12"}
    assert not policy.explicit


async def test_what_is_no_answer_is_read_by_itself(node: DecidePolicy) -> None:
    assert (await decided(node, message("what a tide"), ASKED)).intent == "general"
    assert (await decided(node, message("be quiet"), ASKED)).intent == "control"


async def test_a_question_is_open_for_ten_minutes(node: DecidePolicy, router: Knows) -> None:
    router.answers["LK-12"] = ANSWER
    late = ASKED.model_copy(update={"at": NOW.timestamp() - 600})
    assert (await decided(node, message("LK-12"), late)).action is None


async def test_a_name_of_several_gives_arguments_for_each(node: DecidePolicy) -> None:
    several = {**CLOSE, "slots": {}, "choices": {"lock": ("LK-12", "LK-40")}}
    policy = await read(node, routing_of(**several))
    assert [dict(one) for one in policy.variants] == [{"lock": "LK-12"}, {"lock": "LK-40"}]
    crowd = tuple(f"LK-{number}" for number in range(10, 20))
    policy = await read(node, routing_of(**{**several, "choices": {"lock": crowd}}))
    assert (policy.variants, "10 in all" in policy.unclear) == ((), True)


async def test_a_name_that_nothing_has_is_named(node: DecidePolicy) -> None:
    policy = await read(node, routing_of(**{**CLOSE, "slots": {}, "not_found": {"lock": "LK-99"}}))
    assert "LK-99" in policy.unclear


@pytest.mark.parametrize("user", ["amir", None])
async def test_undo_that_with_nothing_done_says_so(node: DecidePolicy, user: str | None) -> None:
    policy = await decided(node, message("undo that", user=user))
    assert (policy.intent, policy.action, policy.undo_of) == ("undo", None, None)
    assert policy.says
