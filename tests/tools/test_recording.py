"""A decision on one line: whatever stage it came to, one outcome and one reason."""

from collections.abc import Mapping
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from state.approval import ActionState
from state.classification import Classification
from state.execution import ChipOrdering
from state.outcome import ActionOutcome
from state.record import DecisionRecord, Outcome
from state.response import Delivery, Response
from state.result import DecisionPath, DecisionResult
from state.stages import Gathered
from tests.stages import NOW, event_of, every_stage, frozen_action
from tools.observability.decision_record import (
    counterfactual_of,
    record_of,
    stages_of,
)
from tools.platform.experiments import assigned_ordering, hash_position, is_canary
from tools.platform.texts import t

ORDER = [name for name in Gathered.model_fields if name not in ("event", "arrival", "session")]


def gathered(upto: str | None = None, **channels: Any) -> Gathered:
    """Return a decision that came as far as `upto`; without an offer, outcome or note."""
    given = {**every_stage(), "offer": None, "outcome": None, "advanced": None, "noted": None}
    known = ["event", "arrival", "session", *(ORDER[: ORDER.index(upto) + 1] if upto else ())]
    return Gathered.model_validate({**{name: given[name] for name in known}, **channels})


def record(upto: str | None = None, **channels: Any) -> DecisionRecord:
    return record_of(gathered(upto, **channels), now=NOW, elapsed_ms=1.23456)


def ending(upto: str | None = None, **channels: Any) -> tuple[str, str]:
    made = record(upto, **channels)
    return made.outcome, made.reason


def changed(channel: str, **fields: Any) -> dict[str, Any]:
    return {channel: every_stage()[channel].model_copy(update=fields)}


def test_dull_events_passed():
    assert ending("salience") == ("passed", "dull")


@pytest.mark.parametrize("verdict", ["pass", "drop"])
def test_silence_passed_with_the_gates_reason(verdict: str):
    given = changed("relevance", verdict=verdict, reason="muted")
    assert ending("relevance", **given) == ("passed", "muted")


@pytest.mark.parametrize(
    ("outcome", "ends"),
    [("queued", "held"), ("batched", "held"), ("deferred", "held"), ("dropped", "passed")],
)
def test_another_moment_is_a_hold(outcome: str, ends: str):
    assert ending("timing", **changed("timing", outcome=outcome, reason="busy:call")) == (
        ends,
        "busy:call",
    )


def test_a_signal_is_noted():
    assert ending(event=event_of(kind="signal")) == ("silent", "signal_noted")


@pytest.mark.parametrize("state", get_args(ActionState))
def test_every_end_of_an_action_is_an_outcome(state: ActionState):
    wanted = {
        "succeeded": ("executed", "class_C"),
        "failed": ("failed", "action_failed"),
        "unknown": ("failed", "action_unknown"),
        "proposed": ("awaiting_approval", "action_proposed"),
        "pending": ("awaiting_approval", "action_pending"),
        "approved": ("awaiting_approval", "action_approved"),
        "started": ("awaiting_approval", "action_started"),
        "rejected": ("refused", "approval_rejected"),
        "expired": ("refused", "approval_expired"),
        "superseded": ("refused", "approval_superseded"),
        "stale": ("refused", "approval_stale"),
    }
    outcome = ActionOutcome(action_id="action-1", state=state, executed_now=True)
    assert ending("delivery", outcome=outcome) == wanted[state]


@pytest.mark.parametrize(
    ("verdict", "ends"),
    [
        ("confirm", "awaiting_approval"),
        ("offer", "offered"),
        ("refuse", "refused"),
        ("ask", "spoke"),
    ],
)
def test_what_follows_from_the_class(verdict: str, ends: str):
    classification = Classification.model_validate({"verdict": verdict, "reason": "why"})
    assert ending("delivery", classification=classification) == (ends, "why")


TALK = {"classification": Classification(verdict="none", reason="no_action")}


def test_words_were_spoken():
    assert ending("delivery", **TALK) == ("spoke", "relevant")


def test_nothing_asked_is_told_so_and_nothing_possible_is_a_rejection():
    unasked = DecisionResult(path=DecisionPath.REJECTED, metadata={"reason": "nothing_asked"})
    rejected = DecisionResult(path=DecisionPath.REJECTED, metadata={"reason": "llm_unavailable"})
    assert ending("delivery", **TALK, result=unasked) == ("spoke", "nothing_asked")
    assert ending("response", **TALK, result=unasked) == ("silent", "nothing_asked")
    assert ending("delivery", **TALK, result=rejected) == ("rejected", "llm_unavailable")


def test_no_words_are_silence():
    delivery = Delivery(output="silent", delivered_at=NOW, reason="no_words")
    made = record("delivery", **TALK, delivery=delivery)
    assert (made.outcome, made.reason, made.spoke) == ("silent", "no_words", False)


def test_what_waits_shows_what_would_run():
    made = record("classification")
    assert (made.action_id, made.arguments) == ("action-1", {"lock": "LK-12", "minutes": 30})
    assert made.text == "Approval required: Close lock LK-12"


def test_what_ran_is_what_is_recorded():
    outcome = ActionOutcome(
        action_id="action-2", state="succeeded", executed_now=True, arguments={"lock": "LK-40"}
    )
    made = record("delivery", outcome=outcome, response=Response(type="answer", text="Done."))
    assert (made.action_id, made.arguments, made.text) == ("action-2", {"lock": "LK-40"}, "Done.")


def test_every_number_of_the_way_is_on_the_line():
    made = record("delivery")
    assert (made.relevance, made.threshold, made.threat) == (0.6, 0.5, 0.2)
    assert (made.timing, made.path, made.execution_class) == ("immediate", "heuristic", "C")
    assert (made.elapsed_ms, made.recorded_at) == (1.235, NOW)
    assert made.counterfactual == "approval by master runs it; rejection or silence does not"


@pytest.mark.parametrize("upto", [None, *ORDER])
def test_every_stage_has_a_record_that_can_be_stored(upto: str | None):
    made = record(upto)
    assert made.outcome in get_args(Outcome)
    assert DecisionRecord.model_validate_json(made.model_dump_json()) == made


def test_the_trace_holds_the_stages_that_were_reached_in_order():
    assert list(stages_of(gathered("timing"))) == ["arrival", "salience", "relevance", "timing"]
    frozen = stages_of(gathered("classification"))["classification"]["action"]
    assert frozen["digest"] == frozen_action().digest


# What would have changed a message's end is told by what ended it, never by its being heard.


def gathered_upto(kind: str, upto: str = "delivery") -> Gathered:
    stages = every_stage()
    if upto == "relevance":
        kept = ("event", "arrival", "session", "salience", "relevance")
        stages = {name: stages[name] for name in kept}
    event = stages["event"].model_copy(update={"kind": kind})
    return Gathered.model_validate({**stages, "event": event})


@pytest.mark.parametrize(
    ("outcome", "reason", "told"),
    [
        ("silent", "nothing_asked", "covered"),
        ("rejected", "llm_unavailable", "covered"),
        ("rejected", "no_such_click", None),
        ("refused", "role", "role"),
        ("refused", "standing_refusal", None),
        ("offered", "class_B", "chip"),
        ("offered", "several_plausible", "told_apart"),
        ("spoke", "missing_slot", "named"),
        ("spoke", "addressed", None),
    ],
)
def test_a_message_is_told_by_what_ended_it(outcome: Outcome, reason: str, told: str | None):
    assert counterfactual_of(gathered_upto("message"), outcome, reason) == (
        told and t(f"decision.instead.{told}")
    )


@pytest.mark.parametrize(
    ("outcome", "reason", "words"),
    [
        ("awaiting_approval", "class_C", "runs it"),
        ("executed", "class_C", "would not have run"),
        ("refused", "approval_rejected", "in time"),
    ],
)
def test_what_needs_a_yes_names_whose(outcome: Outcome, reason: str, words: str):
    found = gathered_upto("message")
    told = counterfactual_of(found, outcome, reason) or ""
    assert found.classification
    assert found.classification.action
    assert words in told
    assert all(role in told for role in found.classification.action.approver_roles)


def test_without_an_action_no_yes_is_promised():
    assert (
        counterfactual_of(gathered_upto("message", "relevance"), "awaiting_approval", "x") is None
    )


def test_what_merely_happens_is_told_by_its_gate():
    found = gathered_upto("ambient")
    assert found.relevance
    assert counterfactual_of(found, "spoke", "relevant") == found.relevance.counterfactual


# Trials reach a stable share of people, each trial another one.


def test_places_are_spread_evenly():
    places = sorted(hash_position("salt", str(number)) for number in range(1_000))
    assert all(abs(place - number / 1_000) < 0.06 for number, place in enumerate(places))


@given(st.text(), st.text(), st.floats(0, 1), st.floats(0, 1))
def test_a_greater_share_keeps_who_was_in(tenant: str, session: str, one: float, other: float):
    less, more = sorted((one, other))
    assert is_canary(tenant, session, less) <= is_canary(tenant, session, more)
    assert not is_canary(tenant, session, 0.0)
    assert is_canary(tenant, session, 1.0)


def test_a_person_keeps_an_ordering_and_the_shares_hold():
    shares: Mapping[ChipOrdering, float] = {"confidence": 3.0, "chosen_before": 1.0}
    assigned = [assigned_ordering("t", f"user-{number}", shares) for number in range(2_000)]
    assert assigned == [assigned_ordering("t", f"user-{number}", shares) for number in range(2_000)]
    assert 0.20 < assigned.count("chosen_before") / 2_000 < 0.30
    assert {assigned_ordering("t", str(number), {"confidence": 1.0}) for number in range(50)} == {
        "confidence"
    }


def test_two_trials_do_not_take_the_same_people():
    users = [f"user-{number}" for number in range(400)]
    both = sum(hash_position("a", user) < 0.5 and hash_position("b", user) < 0.5 for user in users)
    assert 70 < both < 130
