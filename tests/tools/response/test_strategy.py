"""The decision strategies by themselves. Source: decision strategy interface spec, Testing."""

from collections import Counter
from pathlib import Path
from typing import Any, get_args

import pytest

from state.policy import Candidate, Mood, PolicyDecision, Routing, Suggestion
from state.result import DecisionPath, response_id_of
from state.stages import Decided
from state.strategy import DecisionContext, StrategyName
from tests.chat_models import Says
from tests.stages import event_of, every_stage
from tests.strategies import strategies_of
from tools.adapters.chat_model import Answer, OnText
from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import load_pack
from tools.response import llm_answer
from tools.response.entailment import claims_an_act
from tools.response.llm_answer import LINE_CHARACTERS, background_of
from tools.response.strategies import (
    HeuristicFirstConfig,
    HeuristicFirstStrategy,
    HybridStrategy,
    create_decision_strategy,
)
from tools.response.strategy_base import DecisionStrategy
from tools.response.template_replies import template_reply

WORDS = "Close the gates."


def known(confidence: float, **fields: Any) -> Suggestion:
    return Suggestion.model_validate(
        {
            "heuristic_id": f"h-{confidence}",
            "confidence": confidence,
            "condition_text": f"high water {confidence}",
            "suggested_action": WORDS,
            **fields,
        }
    )


def context_of(suggestion: Suggestion | None = None, **fields: Any) -> DecisionContext:
    return DecisionContext.model_validate(
        {
            "event_id": "e-1",
            "event_text": "High water at the sill",
            "event_source": "gauge",
            "salience": {"goal_relevance": 0.6},
            "suggestion": suggestion,
            "immediate": True,
            **fields,
        }
    )


@pytest.mark.parametrize("confidence", [0.7, 0.71, 1.0])
async def test_a_confident_heuristic_answers_and_no_model_is_asked(confidence: float):
    model, strategy = Says(), HeuristicFirstStrategy()
    result = await strategy.decide(context_of(known(confidence)), model)
    assert (result.path, result.response_text, result.matched_heuristic_id) == (
        DecisionPath.HEURISTIC,
        WORDS,
        f"h-{confidence}",
    )
    assert result.predicted_success == result.prediction_confidence == confidence
    assert (model.asked, result.prompt_text) == ([], "")


@pytest.mark.parametrize("suggestion", [None, known(0.0), known(0.69)])
async def test_below_the_threshold_a_model_answers(suggestion: Suggestion | None):
    model, strategy = Says(), HeuristicFirstStrategy()
    result = await strategy.decide(context_of(suggestion), model)
    assert (result.path, result.response_text) == (DecisionPath.LLM, "Words.")
    assert result.matched_heuristic_id == (suggestion.heuristic_id if suggestion else None)
    assert (result.predicted_success, result.prediction_confidence) == (0.6, 0.8)
    assert result.prompt_text == model.asked[0][1]
    assert result.metadata["model"] == "by hand"


@pytest.mark.parametrize(
    ("model", "immediate", "reason"),
    [
        (None, True, "llm_unavailable"),
        (None, False, "llm_unavailable"),
        (Says(), False, "not_immediate"),
    ],
)
async def test_what_no_model_may_be_asked_is_rejected_and_says_why(model, immediate, reason):
    result = await HeuristicFirstStrategy().decide(
        context_of(known(0.2), immediate=immediate), model
    )
    assert (result.path, result.reason) == (DecisionPath.REJECTED, reason)
    assert (result.response_text, result.response_id, result.matched_heuristic_id) == ("", "", None)


async def test_a_model_that_does_not_answer_leaves_a_fallback_without_words():
    result = await HeuristicFirstStrategy().decide(context_of(), Says(fails=True))
    assert (result.path, result.reason) == (DecisionPath.FALLBACK, "llm_no_response")
    assert (result.response_text, result.predicted_success) == ("", 0.0)
    assert result.prompt_text


@pytest.mark.parametrize("suggestion", [known(0.9), None])
async def test_a_response_leaves_a_trace_for_feedback(suggestion: Suggestion | None):
    strategy = HeuristicFirstStrategy()
    result = await strategy.decide(context_of(suggestion), Says())
    trace = strategy.get_trace(result.response_id)
    assert trace is not None
    assert (trace.event_id, trace.context_text) == ("e-1", "High water at the sill")
    assert (trace.response, trace.matched_heuristic_id) == (
        result.response_text,
        result.matched_heuristic_id,
    )
    assert trace.predicted_success == result.predicted_success
    assert strategy.get_trace("another") is None
    recorded = HeuristicFirstStrategy(kept={result.response_id: trace}.get)
    assert recorded.get_trace(result.response_id) == trace
    unrecorded = await recorded.decide(context_of(suggestion, event_id="e-2"), Says())
    assert recorded.get_trace(unrecorded.response_id) is None


@pytest.mark.parametrize(("given", "most"), [({}, 0.8), ({"model_most_sure": 0.5}, 0.5)])
async def test_a_models_word_on_itself_counts_for_no_more_than_the_policy_lets_it(given, most):
    strategy = create_decision_strategy("heuristic_first", **given)
    result = await strategy.decide(context_of(), Says(predicted_success=1.0, confidence=0.99))
    counted = (result.predicted_success, result.prediction_confidence, result.confidence)
    assert counted == (most, most, most)


async def test_what_a_model_writes_drives_no_terminal_and_turns_no_line_around():
    model = Says(say="APPROVED\x1b[2J \u202e\x00by\n👩\u200d🔧 the מלך")
    result = await HeuristicFirstStrategy().decide(context_of(), model)
    assert result.response_text == "APPROVED[2J by\n👩\u200d🔧 the מלך"


async def test_a_model_proposes_only_what_the_context_lists():
    slots = [{"slot": "lock", "value": "LK-12"}]
    model = Says(action="close_lock", arguments=slots)
    strategy = HeuristicFirstStrategy()
    unlisted = await strategy.decide(context_of(), model)
    assert (unlisted.action, unlisted.response_text) == (None, "")
    assert (unlisted.path, unlisted.reason) == (DecisionPath.FALLBACK, "llm_no_response")
    assert unlisted.metadata["failure"] == "it named an unknown action: close_lock"
    listed = await strategy.decide(context_of(actions={"close_lock": "- close_lock(lock)"}), model)
    assert (listed.action, listed.arguments, listed.tainted) == (
        "close_lock",
        {"lock": "LK-12"},
        True,
    )


@pytest.mark.parametrize("name", get_args(StrategyName))
def test_the_factory_makes_each_strategy_with_its_threshold(name: str):
    strategy: DecisionStrategy = create_decision_strategy(name, threshold="0.6")
    assert strategy.name == name
    assert (strategy.config["strategy"], strategy.config["confidence_threshold"]) == (name, 0.6)
    assert len(strategy.config["prompt_hash"]) == 16


def test_the_factory_knows_no_other():
    with pytest.raises(ValueError, match="Unknown decision strategy: coin_flip"):
        create_decision_strategy("coin_flip")


def test_another_prompt_is_another_version():
    ours = HeuristicFirstStrategy().config["prompt_hash"]
    theirs = HeuristicFirstStrategy(HeuristicFirstConfig(system_prompt="Be brief."))
    assert theirs.config["prompt_hash"] != ours


@pytest.mark.parametrize(
    ("urgency", "confidence", "fires"),
    [(0.5, 0.69, False), (0.75, 0.61, True), (0.75, 0.59, False), (1.0, 0.5, True)],
)
async def test_urgency_lowers_the_bar(urgency: float, confidence: float, fires: bool):
    choice = HeuristicFirstStrategy().choose(
        context_of(known(confidence), urgency=urgency), has_llm=True
    )
    assert (choice.path is DecisionPath.HEURISTIC) is fires


@pytest.mark.parametrize("name", get_args(StrategyName))
def test_what_is_on_probation_never_speaks_alone(name: str):
    strategy = create_decision_strategy(name)
    for has_llm in (True, False):
        blocked = context_of(known(0.95, blocked=True), urgency=1.0)
        assert strategy.choose(blocked, has_llm=has_llm).path is not DecisionPath.HEURISTIC


@pytest.mark.parametrize("name", get_args(StrategyName))
async def test_what_was_called_wrong_last_is_left_to_a_model_where_there_is_one(name: str):
    strategy, model = create_decision_strategy(name), Says()
    doubted = context_of(known(0.95, doubted=True), urgency=1.0)
    assert (await strategy.decide(doubted, model)).path is DecisionPath.LLM
    assert (await strategy.decide(doubted, None)).path is DecisionPath.HEURISTIC
    alert = doubted.model_copy(update={"is_alert": True})
    assert (await strategy.decide(alert, model)).path is DecisionPath.HEURISTIC
    told = "called that wrong last time"
    assert (told in model.asked[0][1]) is (name != "always_llm")


@pytest.mark.parametrize("name", get_args(StrategyName))
def test_an_alert_waits_for_no_model(name: str):
    strategy = create_decision_strategy(name)
    unsure = strategy.choose(context_of(known(0.4), is_alert=True), has_llm=True)
    assert (unsure.path, unsure.reason) == (DecisionPath.REJECTED, "alert_waits_for_no_model")
    sure = strategy.choose(context_of(known(0.9), is_alert=True), has_llm=True)
    assert sure.path is DecisionPath.HEURISTIC


async def test_always_llm_asks_whatever_the_heuristics_say_and_shows_none():
    model, strategy = Says(), create_decision_strategy("always_llm")
    assert (await strategy.decide(context_of(known(0.99)), model)).path is DecisionPath.LLM
    assert "pattern" not in model.asked[0][1]
    by_heart = await strategy.decide(context_of(known(0.95, locked=True)), model)
    assert by_heart.path is DecisionPath.HEURISTIC
    assert (await strategy.decide(context_of(known(0.99)), None)).path is DecisionPath.HEURISTIC


@pytest.mark.parametrize(
    ("confidence", "fields", "path", "reason"),
    [
        (0.8, {}, DecisionPath.HEURISTIC, "confident"),
        (0.79, {}, DecisionPath.LLM, "uncertain"),
        (0.35, {}, DecisionPath.LLM, "uncertain"),
        (0.34, {}, DecisionPath.REJECTED, "below_stake"),
        (None, {}, DecisionPath.REJECTED, "below_stake"),
        (None, {"salience": {"threat": 0.8}}, DecisionPath.LLM, "high_stake"),
        (0.95, {"salience": {"goal_relevance": 0.9}}, DecisionPath.LLM, "high_stake"),
        (None, {"addressed": True}, DecisionPath.LLM, "high_stake"),
    ],
)
def test_hybrid_asks_inside_the_band_or_above_the_stake(confidence, fields, path, reason):
    suggestion = None if confidence is None else known(confidence)
    choice = HybridStrategy().choose(context_of(suggestion, **fields), has_llm=True)
    assert (choice.path, choice.reason) == (path, reason)


async def test_hybrid_shows_three_candidates_at_most_shuffled_and_without_scores():
    candidates = tuple(known(0.6 - place / 100) for place in range(5))
    model, strategy = Says(), HybridStrategy()
    orders = set()
    for number in range(12):
        context = context_of(candidates[0], candidates=candidates, event_id=f"e-{number}")
        await strategy.decide(context, model)
        await strategy.decide(context, model)
        first, again = model.asked[-2][1], model.asked[-1][1]
        assert first == again
        assert "confidence" not in first
        assert first.count("a learned pattern") == 3
        orders.add(tuple(line for line in first.splitlines() if "suggests" in line))
    assert len(orders) > 1
    assert {len(order) for order in orders} == {3}


# Which strategy a session gets: stable, by name or by share.

HALVES = {"heuristic_first": 0.5, "hybrid": 0.5}


@pytest.fixture(scope="module")
def harbour() -> Catalogue:
    return Catalogue.of([load_pack(Path(__file__).parents[2] / "harbour")])


def test_shares_of_the_sessions_are_kept_and_stay():
    strategies = strategies_of(shares=HALVES)
    assigned = [strategies.assigned(event_of(session_id=f"s-{n}")) for n in range(1_000)]
    again = [
        strategies_of(shares=HALVES).assigned(event_of("other", session_id=f"s-{n}"))
        for n in range(1_000)
    ]
    assert assigned == again
    assert {one.by for one in assigned} == {"share"}
    assert 440 <= Counter(one.strategy for one in assigned)["hybrid"] <= 560


def test_a_greater_share_takes_no_session_back():
    def hybrids(share: float) -> set[int]:
        strategies = strategies_of(shares={"always_llm": share, "hybrid": 1 - share})
        return {
            n
            for n in range(300)
            if strategies.assigned(event_of(session_id=f"s-{n}")).strategy == "always_llm"
        }

    assert hybrids(0.1) < hybrids(0.3)


@pytest.mark.parametrize(
    ("session", "role", "strategy", "by"),
    [
        ("bridge", None, "always_llm", "session"),
        ("bridge", "keeper", "always_llm", "session"),
        ("deck", "keeper", "hybrid", "pack"),
        ("deck", None, "hybrid", "pack"),
    ],
)
def test_a_session_goes_before_a_pack_and_a_pack_before_all(
    harbour: Catalogue, session: str, role: str | None, strategy: StrategyName, by: str
):
    strategies = strategies_of(
        harbour,
        chosen="heuristic_first",
        sessions={"bridge": "always_llm"},
        packs={"harbour": "hybrid"},
    )
    assigned = strategies.assigned(event_of(session_id=session, role=role))
    assert (assigned.strategy, assigned.by) == (strategy, by)


def test_a_setting_goes_before_shares():
    strategies = strategies_of(chosen="always_llm", shares={"hybrid": 1.0})
    assigned = strategies.assigned(event_of())
    assert (assigned.strategy, assigned.by) == ("always_llm", "settings")
    assert strategies.for_event(event_of()).name == "always_llm"


def test_a_session_of_another_tenant_is_named_with_it():
    strategies = strategies_of(sessions={"bridge": "always_llm", "aurora/bridge": "hybrid"})
    assigned = {
        tenant: strategies.assigned(event_of(session_id="bridge", tenant_id=tenant)).strategy
        for tenant in ("default", "aurora", "borealis")
    }
    assert assigned == {"default": "always_llm", "aurora": "hybrid", "borealis": "heuristic_first"}


# What is said when nothing better is at hand: events are relayed, messages answered.

MESSAGE = event_of("do a somersault", user="amir")


def policy_of(mood: Mood | None = None, *reasons: str) -> PolicyDecision:
    routing = (
        Routing(text="x", normalized="x", tokens=("x",), action=None, confidence=0.2, mood=mood)
        if mood
        else None
    )
    return PolicyDecision(intent="general", routing=routing, confidence=0.2, reasons=reasons)


def test_an_event_is_relayed_in_its_own_words():
    result = template_reply(event_of("The tide turns"), policy_of(), "llm_unavailable")
    assert (result.path, result.response_text) == ("fallback", "The tide turns")
    assert result.metadata == {"reason": "llm_unavailable", "intent": "general"}


@pytest.mark.parametrize("mood", ["command", "request", "question"])
def test_what_was_asked_and_nobody_can_do_is_turned_down(mood: Mood):
    result = template_reply(MESSAGE, policy_of(mood), "no_matching_action")
    assert (result.path, result.response_text) == ("rejected", "I can't do that yet.")
    assert result.metadata["reason"] == "no_matching_action"


@pytest.mark.parametrize("mood", ["statement", "negated", "reported", "hypothetical"])
def test_who_asked_for_nothing_hears_the_last_word(mood: Mood):
    result = template_reply(MESSAGE, policy_of(mood), "llm_unavailable", last_word="Hello.")
    assert (result.path, result.response_text) == ("rejected", "Hello.")
    assert result.metadata["reason"] == "nothing_asked"


def test_a_choice_nobody_clicked_is_told_so_and_recorded_so():
    choice = event_of("close lock LK-12", kind="choice")
    result = template_reply(choice, policy_of(None, "no_such_click"), "llm_unavailable")
    assert result.path == "rejected"
    assert "nothing was done" in result.response_text
    assert result.metadata["reason"] == "no_such_click"


def test_it_never_proposes_an_action():
    assert template_reply(MESSAGE, policy_of("command"), "r").action is None


def test_the_same_decision_has_the_same_response_id():
    first = template_reply(MESSAGE, policy_of(), "r").response_id
    assert first == response_id_of(MESSAGE.decision_id)
    assert first != response_id_of(event_of(event_id="another").decision_id)


@pytest.mark.parametrize(
    ("mood", "confidence", "role", "is_told"),
    [
        ("question", 0.45, "keeper", True),
        ("question", 0.45, "passenger", False),
        ("question", 0.11, "keeper", False),
        ("command", 0.45, "keeper", False),
    ],
)
def test_a_question_about_an_action_is_told_how_it_is_asked_for(mood, confidence, role, is_told):
    catalogue = Catalogue.of([load_pack(Path(__file__).parents[2] / "harbour")])
    policy = policy_of(mood)
    assert policy.routing
    near = (Candidate(action="close_lock", confidence=confidence),)
    routing = policy.routing.model_copy(update={"alternatives": near})
    asked = event_of("how do I close a lock?", user="amir", role=role)
    result = template_reply(
        asked, policy.model_copy(update={"routing": routing}), "llm_unavailable", catalogue
    )
    assert (catalogue.actions["close_lock"].examples[0] in result.response_text) is is_told
    assert (result.action, result.path) == (None, "rejected")


async def test_no_secret_of_a_payload_is_told_to_a_model() -> None:
    key = "sk-live-0123456789abcdefXYZ"
    payload = {
        "token": "hunter2",
        "apiKey": "hunter2",
        "db_password": "hunter2",
        "userPin": 4711,
        "link": f"https://hooks.example.com/x?key={key}",
        "note": "call ann@example.com",
        "long": "gull " * 31 + key,
        "author": "ann",
        "issue.key": "OPS-1",
    }
    state = Decided.model_validate({**every_stage(), "event": event_of(payload=payload)})
    details = background_of(state).details
    assert [one.partition(":")[0] for one in details] == [
        "link",
        "note",
        "long",
        "author",
        "issue.key",
    ]
    assert details[:2] == ("link: •••", "note: call •••")
    assert details[3:] == ("author: ann", "issue.key: OPS-1")
    assert not any(part in " ".join(details) for part in ("hunter2", "4711", "sk-", "ann@"))
    assert all(len(one) <= LINE_CHARACTERS + 2 for one in details)


class Streams(Says):
    """A model that says its words piece by piece."""

    async def answer(
        self, instructions: str, prompt: str, form: type[Answer], *, told: OnText | None = None
    ) -> Answer:
        whole = await super().answer(instructions, prompt, form)
        said = whole.model_dump()["say"]
        for end in range(1, len(said) + 1):
            assert told is not None
            told(said[:end])
        return whole


async def streamed(say: str) -> list[str]:
    heard: list[str] = []
    context = context_of(addressed=True)
    await HeuristicFirstStrategy().by_llm(context, Streams(say=say), told=heard.append)
    return heard


async def test_a_streamed_answer_is_read_a_sentence_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[str] = []

    def claims(words: str) -> bool:
        read.append(words)
        return claims_an_act(words)

    monkeypatch.setattr(llm_answer, "claims_an_act", claims)
    sentence = "The tide is high at the sill."
    say = " ".join([sentence] * 20)
    assert (await streamed(say))[-1] == say
    assert max(len(words) for words in read[:-1]) <= len(sentence) + 1
    assert read[-1] == say


async def test_nothing_of_a_streamed_answer_is_told_from_a_claim_on() -> None:
    heard = await streamed("The tide is high. Launching the boat. The tide is low.")
    assert heard[-1].startswith("The tide is high.")
    assert not any("Launching" in said or "low" in said for said in heard)
