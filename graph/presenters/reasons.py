"""A decision in words, the same for console, terminal and API: outcome, reasons, attention."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from state.approval import LedgerAction
from state.classification import Classification
from state.held import Beside
from state.judgement import Relevance, Timing
from state.policy import READ_OR_CHANGE
from state.principal import roles_in_words
from state.record import DecisionRecord, DecisionTrace, Outcome
from state.salience import DIMENSIONS, Salience
from tools.platform.texts import section, t

_ID = re.compile(r"\b([0-9a-f]{8})(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")
"""A whole id; people read its first eight characters, which `prefrontal why` takes."""
_WITH_NUMBERS = frozenset({"below_threshold", "relevant", "habituated", "told_late", "eager"})


def outcome_label(outcome: Outcome) -> str:
    """Return the outcome in a word or two, such as `Suppressed`."""
    return t(f"decision.outcome.{outcome}")


def decision_reason(record: DecisionRecord) -> str:
    """Return why a decision ended as it did; the numbers where they decided."""
    if record.reason in _WITH_NUMBERS and record.relevance is not None:
        return t(
            "decision.against_threshold",
            relevance=record.relevance,
            threshold=record.threshold or 0.0,
        )
    if record.reason == "threat" and record.threat is not None:
        return t("decision.threat", threat=record.threat)
    if record.outcome == "executed" and record.reason in section("decision.executed"):
        return t(f"decision.executed.{record.reason}")
    return meaning_of(record.reason)


def decision_summary(record: DecisionRecord) -> str:
    """Return a decision in one sentence, such as `Suppressed: relevance 0.13, threshold 0.65`."""
    reason, outcome = decision_reason(record), outcome_label(record.outcome)
    is_same = reason.casefold() == outcome.casefold()
    return t("decision.summary", outcome=outcome, reason="" if is_same else reason)


def meaning_of(reason: str) -> str:
    """Return what a reason code means; one with a detail behind a colon keeps the detail."""
    meanings = section("decision.reason")
    if reason in meanings:
        return meanings[reason]
    code, _, detail = reason.partition(":")
    if detail and code in section("decision.reason_with"):
        short = _ID.sub(r"\1", detail.replace("_", " "))
        return t(f"decision.reason_with.{code}", detail=short)
    return reason.replace("_", " ")


def would_have_changed(trace: DecisionTrace) -> tuple[str, ...]:
    """Return what would have led to another decision, one entry a cause; never empty."""
    return tuple(dict.fromkeys(_changes(trace))) or (t("decision.instead.nothing"),)


_SETTING = re.compile(r" \((?:[a-z_]+\.[a-z_]+ in policy\.toml|EXECUTIVE_[A-Z]+|`[^`]*`[^()]*)\)")


def plain_changes(trace: DecisionTrace) -> tuple[str, ...]:
    """Return what would have led to another decision without figures and names of settings."""
    plain = section("decision.instead").get(f"plain_{trace.record.reason}")
    if plain is not None:
        return (plain,)
    nothing = t("decision.instead.nothing")
    return tuple(_SETTING.sub("", one) for one in would_have_changed(trace) if one != nothing)


def _changes(trace: DecisionTrace) -> Iterator[str]:
    record = trace.record
    if record.reason == "dull":
        yield t("decision.instead.dull")
    if record.reason == "signal_noted":
        yield t("decision.instead.signal")
    if record.counterfactual and record.outcome in ("passed", "spoke", "silent", "held", "merged"):
        yield record.counterfactual
    if record.outcome == "held":
        yield t("decision.instead.held")
    if record.reason == "hold_expired":
        yield t("decision.instead.hold_expired")
    if record.outcome == "rejected" or record.path == "fallback":
        yield t("decision.instead.no_match")
    yield from _changes_of_class(_classified(trace.stages), trace)


_RAISED = {"held": "wording", "tainted": "tainted", "competitor": "competitor"}
_ENDED = {
    "several_plausible": "told_apart",
    READ_OR_CHANGE: "show_or_change",
    "role": "role",
    "lookup_failed": "looked_up",
    "missing_slot": "named",
}


def _changes_of_class(classified: Classification | None, trace: DecisionTrace) -> Iterator[str]:
    if classified is None:
        return
    if "low_confidence" in classified.raised:
        yield t("decision.instead.confidence", confidence=trace.record.confidence or 0.0)
    for reason, name in _RAISED.items():
        if reason in classified.raised:
            yield t(f"decision.instead.{name}")
    if classified.reason in _ENDED:
        yield t(f"decision.instead.{_ENDED[classified.reason]}")
    if classified.verdict == "offer" and classified.reason == "class_B":
        yield t("decision.instead.chip")
    if classified.action and classified.action.execution_class == "C":
        yield from _changes_of_approval(classified.action, trace.record.outcome)


def _changes_of_approval(action: LedgerAction, outcome: str) -> Iterator[str]:
    who = roles_in_words(action.approver_roles) or t("decision.instead.anybody")
    if outcome == "awaiting_approval":
        yield t("decision.instead.approval_open", who=who, until=action.expires_at)
    elif outcome in ("executed", "permitted"):
        yield t("decision.instead.approval_given", who=who)
    elif outcome in ("refused", "failed"):
        yield t("decision.instead.approval_missing", who=who)


def _classified(stages: Mapping[str, Any]) -> Classification | None:  # JSON of each stage
    try:
        return Classification.model_validate(stages["classification"])
    except (KeyError, ValidationError):  # not reached, or written by another version
        return None


class Detail(str):
    """A line of internals, such as scores and ids; shown by `why --verbose` alone."""

    __slots__ = ()


def salience_words(salience: Salience) -> Iterator[str]:
    """Give how much an event stands out, and by which evidence."""
    scores = [
        f"{name.replace('_', ' ')} {value:.2f}"
        for name in DIMENSIONS
        if (value := getattr(salience.vector, name)) > 0
    ]
    yield t(
        "why.salience.scores",
        source=t(f"why.salience.{salience.source}"),
        scores=", ".join(scores) or t("why.salience.none"),
    )
    yield from _evidence(salience)
    if salience.habituation:
        yield t("why.salience.habituation", level=salience.habituation, pattern=salience.pattern)
    if salience.watched:
        yield t("why.salience.watched", topic=salience.watched, boost=salience.boost)
    if salience.suppressed:
        yield t("why.salience.suppressed", topic=salience.suppressed)
    if salience.hidden_by:
        yield t("why.salience.hidden_by", cause=salience.hidden_by)
    if salience.opens:
        yield Detail(t("why.salience.opens", rules=", ".join(salience.opens)))
    if salience.goal_match:
        yield t("why.salience.goal", match=salience.goal_match)
    if salience.dull:
        yield t("why.salience.dull")


def _evidence(salience: Salience) -> Iterator[str]:
    if salience.judged:
        yield Detail(t("why.salience.judged", judged=salience.judged))
    if salience.like:
        yield Detail(t("why.salience.like", situation=salience.situation or "", text=salience.like))
    if salience.wanted is not None:
        yield Detail(t("why.salience.wanted", probability=salience.wanted))
    if salience.prior:
        yield t("why.salience.prior", source=salience.prior)
    if salience.is_new:
        yield t("why.salience.new")
    if salience.words:
        yield t("why.salience.trigger_words", words=", ".join(salience.words))


def relevance_words(relevance: Relevance) -> Iterator[str]:
    """Give the verdict, then every number behind it."""
    threat = relevance.threat and t("decision.threat", threat=relevance.threat)
    yield t(
        "why.relevance.score",
        score=relevance.score,
        threshold=relevance.threshold,
        threat=threat or "",
        verdict=t(f"why.relevance.verdict.{relevance.verdict}"),
    )
    yield _sentence(meaning_of(relevance.reason))
    if relevance.model:
        yield t("why.relevance.model", answer=relevance.model)
    if relevance.until:
        yield t("why.relevance.until", until=relevance.until)
    terms = relevance.terms
    factors = section("why.relevance.factor")
    shown = (f"{label} {terms[name]:.2f}" for name, label in factors.items() if name in terms)
    yield Detail(t("why.relevance.factors", factors=", ".join(shown)))
    yield Detail(
        t(
            "why.relevance.threshold",
            base=terms.get("theta0", 0.0),
            moves=", ".join(threshold_moves(terms)),
        )
    )


def threshold_moves(terms: Mapping[str, float]) -> Iterator[str]:
    """Give each move of the threshold, such as `quiet requested +0.20`; what is 0 is left out."""
    for name, label in section("why.relevance.move").items():
        if round(moved := terms.get(name, 0.0), 2):
            yield f"{label} {moved:+.2f}"


def timing_words(timing: Timing) -> Iterator[str]:
    """Give the moment, and what waited beside it."""
    yield t(
        "why.timing.line",
        outcome=t(f"why.timing.outcome.{timing.outcome}"),
        reason=meaning_of(timing.reason),
    )
    weighed = (f"{kind} {value:.2f}" for kind, value in timing.utilities.items() if value)
    yield Detail(
        t(
            "why.timing.type",
            type=timing.response_type,
            urgency=timing.urgency,
            weighed=", ".join(weighed),
        )
    )
    if timing.due_at:
        signals = ", ".join(timing.release_on).replace("_", " ")
        yield t("why.timing.due", due=timing.due_at, signals=signals)
    if timing.group and timing.outcome != "immediate":
        yield t("why.timing.group", group=timing.group)
    if timing.value is not None:
        yield t("why.timing.left", value=timing.value)
    for one in timing.beside:
        yield t("why.timing.beside", ending=_ending(one), text=one.text[:80])


def batched_words(beside: Beside) -> Iterator[str]:
    """Give what became of a decision that waited when another one was announced."""
    yield t("why.timing.line", outcome=_sentence(_ending(beside)), reason=meaning_of(beside.reason))
    yield t("why.timing.beside_relevance", relevance=beside.relevance)


def _ending(beside: Beside) -> str:
    return t(f"why.timing.ending.{beside.ending}")


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
