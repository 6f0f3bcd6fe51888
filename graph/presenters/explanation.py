"""Explain a decision in words: each stage with its reasons, and what would have changed it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from graph.presenters.reasons import (
    Detail,
    batched_words,
    decision_summary,
    meaning_of,
    outcome_label,
    plain_changes,
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
from state.model_use import ModelUse
from state.note import NotedDecision
from state.offer import Offer
from state.outcome import ActionOutcome
from state.policy import PolicyDecision, Routing, StageTransition, Suggestion
from state.principal import roles_in_words
from state.record import DecisionTrace
from state.response import Delivery, Response
from state.result import DecisionResult
from state.salience import Salience
from tools.platform.texts import section, t


@dataclass(frozen=True)
class Section:
    """One stage in words."""

    title: str
    lines: tuple[str, ...]


def explain(trace: DecisionTrace, *, verbose: bool = False) -> tuple[Section, ...]:
    """Put a decision into words: its event, its end, each stage, what would have changed it.

    Nothing is looked up, so the same trace reads the same.

    Args:
        verbose: with the internals as well: scores, ids, reason codes.
    """
    sections = (
        Section(t("why.title.event"), tuple(_event(trace.event))),
        Section(t("why.title.record"), tuple(_record(trace))),
        *(_stage(name, body) for name, body in trace.stages.items()),
        Section(t("decision.instead.title"), would_have_changed(trace)),
    )
    return sections if verbose else tuple(map(_without_details, sections))


def short_explanation(trace: DecisionTrace) -> tuple[str, ...]:
    """Give what came of a decision, why, and what would have changed it, as chat answers do."""
    record = trace.record
    reason = section("decision.plain").get(record.reason)
    summary = decision_summary(record)
    if reason is not None and record.relevance is not None:
        summary = t("decision.summary", outcome=outcome_label(record.outcome), reason=reason)
    changes = plain_changes(trace)
    if not changes:
        return (summary,)
    return (summary, t("decision.instead.line", changes="; ".join(changes)))


def _without_details(whole: Section) -> Section:
    return Section(whole.title, tuple(one for one in whole.lines if not isinstance(one, Detail)))


def _event(event: Mapping[str, Any]) -> Iterator[str]:
    yield str(event.get("text", ""))
    source, user = event.get("source"), event.get("user")
    yield t(
        "why.event.line",
        kind=event.get("kind"),
        source="" if source in (None, "unknown") and user else source,
        user=user,
        role=roles_in_words([event["role"]]) if event.get("role") else "",
    )
    if event.get("occurred_at"):
        yield t("why.event.at", at=event["occurred_at"])
    yield Detail(t("why.event.ids", event=event.get("event_id"), session=event.get("session_id")))


def _record(trace: DecisionTrace) -> Iterator[str]:
    record = trace.record
    yield decision_summary(record)
    if record.text:
        yield t("why.record.said" if record.spoke else "why.record.waiting", text=record.text)
    yield Detail(
        t(
            "why.record.ids",
            decision=record.decision_id,
            code=record.reason,
            elapsed=record.elapsed_ms,
        )
    )
    yield from map(_model_call, record.models)
    if len(record.models) > 1:
        yield t("why.record.cost", cost=sum(use.cost for use in record.models))


def _model_call(use: ModelUse) -> str:
    used = t("why.record.no_tokens")
    if use.input_tokens or use.output_tokens:
        used = t(
            "why.record.tokens", input=use.input_tokens, output=use.output_tokens, cost=use.cost
        )
    return t(
        "why.record.model",
        model=use.model,
        slot=use.slot,
        end=t(f"why.model_end.{use.end}"),
        seconds=use.seconds,
        used=used,
    )


def _arrival(arrival: Arrival) -> Iterator[str]:
    age = t("why.arrival.clock_ahead")
    if arrival.age_seconds >= 0:
        age = t("why.arrival.age", seconds=arrival.age_seconds)
    yield t("why.arrival.received", at=arrival.received_at, age=age)
    if arrival.repeats > 1:
        yield t("why.arrival.repeats", count=arrival.repeats)
    if arrival.released_by:
        is_over = arrival.released_by == "expiry"
        ended = t("why.arrival.expiry") if is_over else arrival.released_by.replace("_", " ")
        yield t("why.arrival.hold_ended", ended=ended)


def _policy(policy: PolicyDecision) -> Iterator[str]:
    if policy.routing:
        yield from _routing(policy.routing)
    chosen = t("why.policy.chosen") if policy.explicit else ""
    yield Detail(t("why.policy.intent", intent=policy.intent, chosen=chosen))
    if policy.alternatives:
        near = (f"{_words(one.action)} {one.confidence:.2f}" for one in policy.alternatives)
        yield t("why.policy.alternatives", actions=", ".join(near))
    if policy.blocked:
        yield t("why.policy.blocked", actions=_words(", ".join(policy.blocked)))
    if policy.suggestion:
        yield Detail(_hint(policy.suggestion))
    if policy.beside:
        talk = policy.beside.talk
        request = t("why.policy.control_refused")
        if talk:
            request = t("why.policy.control", kind=_words(talk.kind))
        yield t("why.policy.beside", request=request, rest=policy.beside.rest)
    yield from _decided(policy)
    if policy.reasons:
        yield Detail(t("why.policy.reasons", codes="; ".join(policy.reasons)))


def _routing(routing: Routing) -> Iterator[str]:
    yield t(
        "why.policy.understood",
        mood=routing.mood,
        action=_words(routing.action) or t("why.policy.no_action"),
        confidence=routing.confidence,
    )
    if routing.verb_family or routing.target_object:
        yield Detail(
            t(
                "why.policy.object",
                verb=routing.verb_family,
                object=routing.target_object,
                container=routing.target_container,
            )
        )
    if routing.entities:
        found = (f"{_words(one.type)} {one.value}" for one in routing.entities)
        yield t("why.policy.found", entities=", ".join(found))
    if routing.missing_slots:
        yield t("why.policy.missing", slots=_words(", ".join(routing.missing_slots)))


def _decided(policy: PolicyDecision) -> Iterator[str]:
    if policy.force_tool:
        yield Detail(t("why.policy.forced", tool=policy.force_tool))
    if policy.search:
        fields = policy.search.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
        yield t("why.policy.search", fields=_named(fields))
    if policy.stage_transition:
        yield t("why.policy.stage", stage=policy.stage_transition.to_stage)


def _hint(hint: Suggestion) -> str:
    standing = {
        "probation": hint.blocked,
        "doubted": hint.doubted and not hint.blocked,
        "unshared": hint.unshared,
    }
    return t(
        "why.policy.hint",
        heuristic=hint.heuristic_id,
        condition=hint.condition_text,
        confidence=hint.confidence,
        standing=", ".join(t(f"why.policy.{name}") for name, holds in standing.items() if holds),
    )


def _result(result: DecisionResult) -> Iterator[str]:
    yield t("why.result.path", path=t(f"why.path.{result.path}"), confidence=result.confidence)
    if result.matched_heuristic_id:
        yield Detail(t("why.result.by", heuristic=result.matched_heuristic_id))
    if result.action:
        yield t("why.result.action", action=result.action, arguments=_named(result.arguments))
    if result.tainted:
        yield t("why.result.tainted")
    for key, value in result.metadata.items():
        yield Detail(f"{_words(key)}: {_value(value)}")


def _classification(classified: Classification) -> Iterator[str]:
    verdict = t(f"why.verdict.{classified.verdict}")
    reason = meaning_of(classified.reason)
    if classified.execution_class:
        yield t(
            "why.classification.line_of_class",
            class_=classified.execution_class,
            verdict=verdict,
            reason=reason,
        )
    else:
        yield _sentence(t("why.classification.line", verdict=verdict, reason=reason))
    if classified.raised:
        reasons = "; ".join(map(meaning_of, classified.raised))
        yield t("why.classification.raised", reasons=reasons)
    if classified.tainted:
        yield t("why.classification.tainted", fields=_words(", ".join(classified.tainted)))
    if classified.would:
        yield t(
            "why.classification.shadow",
            verdict=t(f"why.verdict.{classified.would}"),
            chips=", ".join(classified.would_show),
        )
    if classified.question:
        yield classified.question
    if classified.unchecked:
        yield classified.unchecked
    frozen = classified.action
    if frozen:
        yield t("why.classification.frozen", summary=frozen.summary)
        yield Detail(t("why.classification.frozen_id", action=frozen.action_id))
        if frozen.grant_id:
            yield t("why.classification.granted", grant=frozen.grant_id, who=frozen.decided_by)
        elif frozen.execution_class == "C":
            who = roles_in_words(frozen.approver_roles) or t("why.classification.anyone")
            yield t("why.classification.approvers", who=who)


def _gave_up(why: GaveUp) -> Iterator[str]:
    yield t("why.gave_up.times", times=why.times, stage=why.stage, error=why.error)
    yield t("why.gave_up.log")


def _offer(offer: Offer) -> Iterator[str]:
    for chip in offer.chips:
        yield t(
            "why.offer.chip_scored",
            chip=chip.chip_id,
            summary=chip.summary,
            confidence=chip.confidence,
        )
    if offer.found:
        yield t("why.offer.found", found=offer.found)


def _outcome(outcome: ActionOutcome) -> Iterator[str]:
    text = outcome.reason or outcome.text
    yield t("why.outcome.line", state=_sentence(outcome.state), text=text)
    if outcome.summary:
        yield t("why.outcome.summary", summary=outcome.summary)
    if outcome.arguments:
        yield t("why.outcome.arguments", arguments=_named(outcome.arguments))
    if outcome.editor:
        yield t("why.outcome.edited_by", who=outcome.editor)
    if outcome.decided_by:
        yield t("why.outcome.decided_by", who=outcome.decided_by)
    for change in outcome.changed:
        yield t("why.outcome.changed", change=change)


def _advanced(step: StageTransition) -> Iterator[str]:
    old = step.from_stage or t("why.advanced.none")
    yield t("why.advanced.line", old=old, new=step.to_stage, reason=meaning_of(step.reason))


def _response(response: Response) -> Iterator[str]:
    text = response.text or t("why.nothing")
    yield t("why.response.line", type=_sentence(_words(response.type)), text=text)
    if response.skills_used:
        yield t("why.response.skills", skills=_words(", ".join(response.skills_used)))
    for refused in response.kept_plain:
        yield t("why.response.kept_plain", skill=refused)
    if response.traits is not None:
        traits = ", ".join(f"{name} {level:.2f}" for name, level in response.traits)
        yield Detail(t("why.response.traits", traits=traits))


def _delivery(delivery: Delivery) -> Iterator[str]:
    yield t(
        "why.delivery.line",
        output=_sentence(delivery.output),
        reason=meaning_of(delivery.reason),
        interrupting=t("why.delivery.interrupting") if delivery.interrupt else "",
    )


def _noted(noted: NotedDecision) -> Iterator[str]:
    yield t("why.noted.line", decision=noted.decision, rationale=noted.rationale)


STAGES: Mapping[str, tuple[type[Any], Callable[[Any], Iterator[str]]]] = {  # each its noun
    "arrival": (Arrival, _arrival),
    "salience": (Salience, salience_words),
    "relevance": (Relevance, relevance_words),
    "timing": (Timing, timing_words),
    "beside": (Beside, batched_words),
    "policy": (PolicyDecision, _policy),
    "result": (DecisionResult, _result),
    "classification": (Classification, _classification),
    "offer": (Offer, _offer),
    "outcome": (ActionOutcome, _outcome),
    "advanced": (StageTransition, _advanced),
    "response": (Response, _response),
    "delivery": (Delivery, _delivery),
    "gave_up": (GaveUp, _gave_up),
    "noted": (NotedDecision, _noted),
}
"""Stage to its noun, and the noun in words."""


def _stage(name: str, body: Any) -> Section:  # JSON of the stage, as the store has it
    if name not in STAGES:
        return Section(name, tuple(_plain(body)))
    noun, words = STAGES[name]
    try:
        lines = tuple(words(noun.model_validate(body)))
    except ValidationError:  # written by another version: show it as it is
        lines = tuple(_plain(body))
    return Section(stage_title(name), lines)


def stage_title(name: str) -> str:
    """Return what people are told a stage is called."""
    return t(f"why.title.{name}")


def _plain(body: object) -> Iterator[str]:
    if not isinstance(body, Mapping):
        yield str(body)
        return
    for key, value in body.items():
        yield f"{_words(key)}: {_value(value)}"


def _named(values: Mapping[str, Any]) -> str:  # arguments of an action: any JSON
    return ", ".join(f"{_words(name)}={_value(value)}" for name, value in values.items())


def _value(value: Any) -> str:  # any JSON
    if isinstance(value, Mapping):
        return f"({_named(value)})"
    if isinstance(value, list | tuple):
        return " and ".join(map(_value, value)) or t("why.nothing")
    return t("why.nothing") if value is None else str(value)


def _words(name: str | None) -> str:
    return (name or "").replace("_", " ")


def _sentence(text: str) -> str:
    text = text.replace("_", " ")
    return text[:1].upper() + text[1:]
