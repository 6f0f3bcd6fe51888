"""Explain a decision in words: each stage with its numbers and reasons.

And what would have changed it.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from graph.presenters.reasons import (
    batched_words,
    meaning_of,
    relevance_words,
    salience_words,
    timing_words,
    would_have_changed,
)
from state.arrival import Arrival
from state.classification import Classification
from state.gave_up import GaveUp
from state.held import Beside
from state.judgement import Relevance, Timing
from state.model_use import CallEnd
from state.note import NotedDecision
from state.offer import Offer
from state.outcome import ActionOutcome
from state.policy import PolicyDecision, StageTransition
from state.principal import roles_in_words
from state.record import DecisionTrace
from state.response import Delivery, Response
from state.result import DecisionResult
from state.salience import Salience


def _arrival(arrival: Arrival) -> Iterator[str]:
    age = arrival.age_seconds
    when = "with a clock ahead of ours" if age < 0 else f"{age:.1f} s after it happened"
    yield f"taken in at {arrival.received_at:%Y-%m-%d %H:%M:%S} UTC, {when}"
    if arrival.repeats > 1:
        yield f"{arrival.repeats} of just this kind came before its turn, and were taken as one"
    if arrival.released_by:
        ended = "its life was over" if arrival.released_by == "expiry" else arrival.released_by
        yield f"it had been held; the hold ended: {ended}"


def _policy(policy: PolicyDecision) -> Iterator[str]:
    routing = policy.routing
    if routing:
        yield f"read as a {routing.mood}: {routing.action or 'no action'} {routing.confidence:.2f}"
        if routing.verb_family or routing.target_object:
            into = f" in {routing.target_container}" if routing.target_container else ""
            yield f"verb {routing.verb_family}, object {routing.target_object}{into}"
        if routing.entities:
            found = (f"{entity.type} {entity.value}" for entity in routing.entities)
            yield f"found: {', '.join(found)}"
        if routing.missing_slots:
            yield f"not said: {', '.join(routing.missing_slots)}"
    yield f"intent {policy.intent}" + (", chosen by a person" if policy.explicit else "")
    if policy.alternatives:
        near = (f"{other.action} {other.confidence:.2f}" for other in policy.alternatives)
        yield f"might also mean: {', '.join(near)}"
    if policy.blocked:
        yield f"this role may not ask for: {', '.join(policy.blocked)}"
    if policy.suggestion:
        hint = policy.suggestion
        standing = "".join(
            told
            for told, holds in (
                (", on probation", hint.blocked),
                (", called wrong last", hint.doubted and not hint.blocked),
                (", taught by others alone", hint.unshared),
            )
            if holds
        )
        fits = f"{hint.condition_text!r} {hint.confidence:.2f}{standing}"
        yield f"heuristic {hint.heuristic_id}: {fits}"
    if policy.beside:
        asked = (
            f"a wish about the talking ({policy.beside.talk.kind})"
            if policy.beside.talk
            else ("a wish about the talking, which is not granted")
        )
        yield f"beside it: {asked}; all else here is of {policy.beside.rest!r}"
    yield from _decided(policy)
    if policy.reasons:
        yield f"reasons: {'; '.join(policy.reasons)}"


def _decided(policy: PolicyDecision) -> Iterator[str]:
    if policy.force_tool:
        yield f"{policy.force_tool} has to run, however sure the router is"
    if policy.search:
        fields = policy.search.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
        yield f"searches by: {', '.join(f'{name}={value}' for name, value in fields.items())}"
    if policy.stage_transition:
        yield f"when it succeeds, the stage becomes {policy.stage_transition.to_stage}"


def _result(result: DecisionResult) -> Iterator[str]:
    yield f"{_PATHS[result.path]}, confidence {result.confidence:.2f}"
    if result.matched_heuristic_id:
        yield f"by {result.matched_heuristic_id}"
    if result.action:
        given = ", ".join(f"{name}={value}" for name, value in result.arguments.items())
        yield f"action {result.action}({given})"
    if result.tainted:
        yield "a model shaped it, so it may change nothing by itself"
    for key, value in result.metadata.items():
        yield f"{key.replace('_', ' ')}: {value}"


def _classification(classified: Classification) -> Iterator[str]:
    named = f"class {classified.execution_class}" if classified.execution_class else "no class"
    yield f"{named}, {_VERDICTS[classified.verdict]}: {meaning_of(classified.reason)}"
    if classified.raised:
        yield f"raised because: {'; '.join(meaning_of(reason) for reason in classified.raised)}"
    if classified.tainted:
        named = ", ".join(one.replace("_", " ") for one in classified.tainted)
        yield f"not in the person's own words: {named}"
    if classified.would:
        chips = f": {', '.join(classified.would_show)}" if classified.would_show else ""
        yield f"without the shadow: {_VERDICTS[classified.would]}{chips}"
    if classified.question:
        yield classified.question
    if classified.unchecked:
        yield classified.unchecked
    frozen = classified.action
    if frozen:
        yield f"frozen as {frozen.action_id}: {frozen.summary}"
        if frozen.execution_class == "C":
            yield f"needs a yes from: {roles_in_words(frozen.approver_roles) or 'anyone'}"


def _gave_up(why: GaveUp) -> Iterator[str]:
    where = f" in {why.stage}" if why.stage else ""
    yield f"broke off {why.times} times, the last time{where} with {why.error}"
    yield "the log has each under decision_failed, with this decision's id"


def _offer(offer: Offer) -> Iterator[str]:
    for chip in offer.chips:
        yield f"{chip.chip_id}: {chip.summary} ({chip.confidence:.2f})"
    if offer.found:
        yield f"and searched: {offer.found}"


def _outcome(outcome: ActionOutcome) -> Iterator[str]:
    yield f"{outcome.state}: {outcome.reason or outcome.text}"
    if outcome.summary:
        yield f"what: {outcome.summary}"
    if outcome.arguments:
        given = (f"{name}={value}" for name, value in outcome.arguments.items())
        yield f"with: {', '.join(given)}"
    if outcome.decided_by:
        yield f"settled by {outcome.decided_by}"
    for change in outcome.changed:
        yield f"changed {change}"


def _advanced(step: StageTransition) -> Iterator[str]:
    yield f"from {step.from_stage or 'no stage'} to {step.to_stage}: {step.reason}"


def _response(response: Response) -> Iterator[str]:
    yield f"{response.type}: {response.text or 'nothing'}"
    if response.skills_used:
        yield f"shaped by {', '.join(response.skills_used)}"
    for refused in response.kept_plain:
        yield f"not taken, for the facts would have been others: {refused}"
    if response.traits is not None:
        yield "as " + ", ".join(f"{name} {level:.2f}" for name, level in response.traits)


def _delivery(delivery: Delivery) -> Iterator[str]:
    yield f"{delivery.output}: {meaning_of(delivery.reason)}" + (
        ", interrupting" if delivery.interrupt else ""
    )


def _noted(noted: NotedDecision) -> Iterator[str]:
    because = f", because {noted.rationale}" if noted.rationale else ""
    yield f"noted that people decided: {noted.decision}{because} ({noted.confidence:.2f})"


_PATHS = {
    "policy": "decided by code",
    "heuristic": "decided by a heuristic",
    "llm": "worded by the model",
    "fallback": "in the event's own words",
    "rejected": "turned down",
}
_VERDICTS = {
    "none": "nothing to do",
    "act": "done by itself",
    "offer": "offered",
    "confirm": "a person has to say yes",
    "ask": "asked back",
    "refuse": "refused",
    "shadow": "worked out in shadow and taken no further",
}
STAGES: Mapping[str, tuple[str, type[Any], Callable[[Any], Iterator[str]]]] = {  # each its noun
    "arrival": ("Taken in", Arrival, _arrival),
    "salience": ("How much it stands out", Salience, salience_words),
    "relevance": ("Whether to respond", Relevance, relevance_words),
    "timing": ("When", Timing, timing_words),
    "beside": ("Beside what was told", Beside, batched_words),
    "policy": ("What is asked, what is allowed", PolicyDecision, _policy),
    "result": ("The content", DecisionResult, _result),
    "classification": ("How dangerous", Classification, _classification),
    "offer": ("The choices", Offer, _offer),
    "outcome": ("What was done", ActionOutcome, _outcome),
    "advanced": ("The stage", StageTransition, _advanced),
    "response": ("The words", Response, _response),
    "delivery": ("Where they went", Delivery, _delivery),
    "gave_up": ("Why it is not tried any more", GaveUp, _gave_up),
    "noted": ("What people decided", NotedDecision, _noted),
}
"""Stage to its title, its noun, and the noun in words."""


_ENDS: Mapping[CallEnd, str] = {
    "answered": "which answered",
    "timeout": "given up",
    "rate_limited": "which refused for its rate",
    "server_error": "which failed",
    "malformed": "whose answer was none",
    "resting": "which is left alone for a while",
}


@dataclass(frozen=True)
class Section:
    """One stage in words."""

    title: str
    lines: tuple[str, ...]


def explain(trace: DecisionTrace) -> tuple[Section, ...]:
    """Put a decision into words; nothing is looked up, so the same trace reads the same."""
    return (
        Section("What came", tuple(_event(trace.event))),
        Section("What was made of it", tuple(_record(trace))),
        *(_stage(name, body) for name, body in trace.stages.items()),
        Section("What would have changed it", would_have_changed(trace)),
    )


def short_explanation(trace: DecisionTrace) -> tuple[str, ...]:
    """Give what came of a decision, why, and what would have changed it."""
    changed = "; ".join(would_have_changed(trace))
    return (next(_record(trace)), f"What would have changed it: {changed}")


def _event(event: Mapping[str, Any]) -> Iterator[str]:
    yield str(event.get("text", ""))
    who = f" by {event['user']}" if event.get("user") else ""
    role = f" ({roles_in_words([event['role']])})" if event.get("role") else ""
    source = event.get("source")
    where = "" if source in (None, "unknown") and who else f" from {source}"
    yield f"{event.get('kind')}{where}{who}{role}"
    if event.get("occurred_at"):
        yield f"at {event['occurred_at']}"
    yield f"event {event.get('event_id')}, session {event.get('session_id')}"


def _record(trace: DecisionTrace) -> Iterator[str]:
    record = trace.record
    yield f"{record.outcome.replace('_', ' ')}: {meaning_of(record.reason)} ({record.reason})"
    if record.text:
        yield f"said: {record.text}" if record.spoke else f"waiting: {record.text}"
    yield f"decision {record.decision_id}, {record.elapsed_ms:.1f} ms"
    for use in record.models:
        tokens = f"{use.input_tokens} tokens in, {use.output_tokens} out"
        told = (
            f"{tokens}, cost {use.cost:.3g}"
            if use.input_tokens or use.output_tokens
            else "no tokens told"
        )
        yield f"asked {use.model} ({use.slot}), {_ENDS[use.end]} after {use.seconds:.2f} s: {told}"
    if len(record.models) > 1:
        yield f"cost in all: {sum(use.cost for use in record.models):.3g}"


def _stage(name: str, body: Any) -> Section:  # JSON of the stage, as the store has it
    title, noun, words = STAGES.get(name, (name, None, None))
    if noun is None or words is None:
        return Section(title, tuple(_plain(body)))
    try:
        return Section(title, tuple(words(noun.model_validate(body))))
    except ValidationError:  # written by another version: show it as it is
        return Section(title, tuple(_plain(body)))


def _plain(body: object) -> Iterator[str]:
    if not isinstance(body, Mapping):
        yield str(body)
        return
    for key, value in body.items():
        yield f"{key}: {value}"
