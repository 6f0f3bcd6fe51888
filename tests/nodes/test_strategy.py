"""How the content of a decision is found: heuristic, model, or neither."""

import re
from pathlib import Path
from typing import Any, cast

import pytest

from nodes.answer_question import AnswerQuestion
from nodes.apply_policy import ApplyPolicy
from nodes.decide_by_heuristic import DecideByHeuristic
from nodes.decide_by_model import DecideByModel
from nodes.decline import Decline
from state.event import Event
from state.note import NotedDecision
from state.policy import PolicyDecision, Suggestion
from state.result import DecisionResult
from state.stages import Decided
from state.talk import TalkRequest
from tests.chat_models import Says
from tests.nodes.conftest import message, messages_of
from tests.noting import notes_of
from tests.stages import NOW, TUNING, event_of, every_stage
from tests.strategies import strategies_of
from tools.adapters.chat_model import ChatModel, ChatModels
from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import load_pack
from tools.dialogue import MessageInterpreter
from tools.journal.decision_recall import JournalNotes
from tools.memory.answers import AgendaAnswers, RecallAnswers, WhyAnswers
from tools.response.llm_answer import ModelAnswer, prediction_prompt, system_prompt
from tools.response.template_replies import acknowledgement
from tools.storage.database import Database

SURE = Suggestion(
    heuristic_id="high_water",
    confidence=0.9,
    condition_text="high water",
    suggested_action="Close the gates.",
)


def decided(policy: PolicyDecision, event: Event | None = None) -> Decided:
    return Decided.model_validate(
        {**every_stage(), "event": event or event_of("High water"), "policy": policy}
    )


def by_asking(
    model: ChatModel | None, catalogue: Catalogue, messages: MessageInterpreter
) -> DecideByModel:
    return DecideByModel(strategies_of(catalogue), ChatModels(model), catalogue, messages)


async def by_model(
    catalogue: Catalogue, model: Says, policy: PolicyDecision | None = None, **fields: Any
) -> DecisionResult:
    state = decided(policy or PolicyDecision(intent="general"), message("do it", **fields))
    return (await by_asking(model, catalogue, messages_of(catalogue))(state))["result"]


@pytest.fixture
def notes(database: Database) -> JournalNotes:
    return notes_of(database)


async def answered(
    notes: JournalNotes, policy: PolicyDecision, event: Event | None = None
) -> DecisionResult:
    async def unasked(*_given: Any) -> str:
        raise AssertionError

    node = AnswerQuestion(
        strategies_of(),
        notes,
        cast("WhyAnswers", unasked),
        cast("AgendaAnswers", unasked),
        cast("RecallAnswers", unasked),
        TUNING.relevance,
    )
    return (await node(decided(policy, event)))["result"]


async def applied(policy: PolicyDecision) -> DecisionResult:
    return (await ApplyPolicy(strategies_of(), TUNING.relevance)(decided(policy)))["result"]


async def test_a_heuristic_gives_its_words_and_its_confidence() -> None:
    node = DecideByHeuristic(strategies_of())
    policy = PolicyDecision(intent="notice", suggestion=SURE)
    result = (await node(decided(policy)))["result"]
    assert (result.path, result.response_text, result.matched_heuristic_id) == (
        "heuristic",
        "Close the gates.",
        "high_water",
    )
    assert (result.confidence, result.tainted, result.action) == (0.9, False, None)


async def test_a_routed_action_is_taken_over_as_it_is() -> None:
    policy = PolicyDecision(
        intent="action", action="close_lock", arguments={"lock": "LK-12"}, confidence=0.8
    )
    result = await applied(policy)
    assert (result.action, result.arguments, result.confidence, result.response_text) == (
        "close_lock",
        {"lock": "LK-12"},
        0.8,
        "",
    )
    assert (result.path, result.matched_heuristic_id) == ("policy", "catalogue")


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (TalkRequest(kind="quiet"), "be quiet"),
        (TalkRequest(kind="mute", seconds=90), "Quiet for 1.5 minutes"),
        (TalkRequest(kind="talk"), "speak again"),
        (TalkRequest(kind="less"), "less"),
        (TalkRequest(kind="more"), "more"),
        (TalkRequest(kind="suppress", topic="tides"), "won't mention tides"),
        (TalkRequest(kind="watch", topic="fog"), "watch for anything about fog"),
    ],
)
async def test_a_request_about_talking_is_acknowledged(request_: TalkRequest, words: str) -> None:
    result = await applied(PolicyDecision(intent="control", talk=request_))
    assert words in result.response_text
    assert result.response_text == acknowledgement(request_, TUNING.relevance)


async def test_who_asks_why_is_told_what_was_noted(notes: JournalNotes) -> None:
    asked = message("why did we dredge the channel?")
    policy = PolicyDecision(intent="journal")
    assert "no decision on record" in (await answered(notes, policy, asked)).response_text
    note = NotedDecision(
        note_id="n",
        decision_id="n",
        decision="dredge the channel",
        rationale="it silts up",
        decision_maker="ingrid",
        confidence=0.9,
        decided_at=NOW,
    )
    await notes.put(note, asked)
    assert (await answered(notes, policy, asked)).response_text == (
        "2026-06-14: dredge the channel, because it silts up (said by ingrid)"
    )


async def test_what_a_model_gives_is_words_and_is_marked_as_its_own(catalogue: Catalogue) -> None:
    result = await by_model(catalogue, Says())
    assert (result.path, result.response_text, result.tainted) == ("llm", "Words.", True)
    assert (result.predicted_success, result.prediction_confidence) == (0.6, 0.8)
    assert result.metadata == {"model": "by hand", "intent": "general"}


async def test_a_model_may_name_what_the_role_may_ask_for(catalogue: Catalogue) -> None:
    slots = [{"slot": "lock", "value": "LK-12"}]
    model = Says(action="close_lock", arguments=slots)
    result = await by_model(catalogue, model)
    assert (result.action, result.arguments) == ("close_lock", {"lock": "LK-12"})
    refused = await by_model(catalogue, model, role="passenger")
    assert (refused.action, refused.arguments) == (None, {})


@pytest.mark.parametrize("name", ["sink_fleet", "", "close_lock "])
async def test_a_model_cannot_invent_an_action(catalogue: Catalogue, name: str) -> None:
    result = await by_model(catalogue, Says(action=name, arguments=[]))
    assert (result.action, result.arguments) == (None, {})


@pytest.mark.parametrize("kind", ["ambient", "tick", "choice"])
async def test_a_model_starts_nothing_that_no_message_asked_for(catalogue: Catalogue, kind) -> None:
    model = Says(action="show_lock")
    assert (await by_model(catalogue, model, kind=kind)).action is None
    assert "Actions:" not in model.asked[0][1]


async def test_the_prompt_holds_the_event_the_hint_and_what_is_allowed(catalogue: Catalogue):
    model = Says()
    await by_model(catalogue, model, PolicyDecision(intent="general", suggestion=SURE))
    ((_instructions, prompt),) = model.asked
    assert re.search(r"<<<(\w{12}) what the person says\nfrom buoy:\ndo it\n\1>>>", prompt)
    assert '"high water" suggests: "Close the gates." (confidence 90%)' in prompt
    assert (
        "- close_lock(lock: lock, minutes?: whole number): Close lock {lock}: {minutes}" in prompt
    )


async def test_a_model_without_an_answer_leaves_a_fallback_that_says_so(catalogue: Catalogue):
    result = await by_model(catalogue, Says(fails=True))
    assert (result.path, result.action) == ("fallback", None)
    assert result.metadata["reason"] == "llm_no_response"
    assert result.metadata["failure"] == "by hand took over 8 s"
    assert result.prompt_text


async def test_no_model_is_the_same_as_declining(catalogue: Catalogue) -> None:
    state = decided(PolicyDecision(intent="notice"))
    alone = (await by_asking(None, catalogue, messages_of(catalogue))(state))["result"]
    assert alone == (await Decline(strategies_of(), False, catalogue)(state))["result"]
    assert (alone.path, alone.response_text) == ("fallback", "High water")


@pytest.mark.parametrize(
    ("has_model", "reason"), [(True, "no_matching_action"), (False, "llm_unavailable")]
)
async def test_declining_says_whether_a_model_was_missing(
    catalogue: Catalogue, has_model: bool, reason: str
) -> None:
    state = decided(PolicyDecision(intent="general"), message("fly"))
    result = (await Decline(strategies_of(), has_model, catalogue)(state))["result"]
    assert (result.path, result.metadata["reason"]) == ("rejected", reason)


def test_the_form_is_one_that_strict_servers_accept() -> None:
    schema = ModelAnswer.model_json_schema()
    assert set(schema["required"]) == set(schema["properties"])


def test_the_instructions_name_every_field_of_the_form() -> None:
    assert all(
        f"`{name}`" in system_prompt() + prediction_prompt() for name in ModelAnswer.model_fields
    )


async def test_a_search_that_a_model_chose_keeps_what_the_message_says() -> None:
    shelf = Catalogue.of([load_pack(Path(__file__).parents[1] / "shelf")])
    chosen = {"query": "cetaceans", "year_from": "1950", "limit": "90"}
    slots = [{"slot": name, "value": value} for name, value in chosen.items()]
    model = Says(action="find_books", arguments=slots)
    state = decided(PolicyDecision(intent="general"), message("whale song since 2019", role="any"))
    result = (await by_asking(model, shelf, messages_of(shelf))(state))["result"]
    assert (result.action, result.arguments) == (
        "find_books",
        {"query": "whale song cetaceans", "year_from": 2019, "limit": 10},
    )


async def test_what_a_search_that_a_model_chose_does_not_follow_is_told() -> None:
    shelf = Catalogue.of([load_pack(Path(__file__).parents[1] / "shelf")])
    model = Says(action="find_books", arguments=[])
    state = decided(
        PolicyDecision(intent="general"), message("whale song, not by Hinton", role="any")
    )
    result = (await by_asking(model, shelf, messages_of(shelf))(state))["result"]
    assert result.left_out.startswith("I can't do this part:")
