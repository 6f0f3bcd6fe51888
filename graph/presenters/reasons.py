"""Reason codes and the attention stages (salience, relevance, timing) in words."""

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from state.approval import LedgerAction
from state.classification import Classification
from state.held import Beside
from state.judgement import Relevance, Timing
from state.policy import READ_OR_CHANGE
from state.principal import roles_in_words
from state.record import DecisionTrace
from state.salience import DIMENSIONS, Salience
from tools.observability.decision_record import (
    CHIP,
    LOOKED_UP,
    NAMED,
    ROLE,
    SHOW_OR_CHANGE,
    TOLD_APART,
)

MEANINGS: Mapping[str, str] = {
    "signal_noted": "a signal is noted and never answered",
    "dull": "nothing in it stands out",
    "expired": "it was too old when it came",
    "threat": "a threat is told at once, whatever else holds",
    "threat_told": "this threat was told already and has not risen",
    "suppressed": "somebody asked to leave this topic alone",
    "muted": "somebody asked for quiet, for a time",
    "quiet_hours": "these are quiet hours",
    "inhibited": "it follows from what was told before",
    "backfill": "it is history that was sent later",
    "batch": "things of its kind are told together",
    "batch_full": "there is enough of its kind to be told",
    "quiet_ended": "the quiet has ended",
    "faded": "it waited for an opportunity until it was worth little",
    "superseded": "something newer of the same was told",
    "informational": "its sender says that nothing need be done",
    "below_threshold": "it matters less than speaking costs at this moment",
    "habituated": "it has been seen so often lately that it is boring",
    "just_said": "much the same was said a moment ago",
    "relevant": "it matters more than speaking costs at this moment",
    "addressed": "a person spoke to us",
    "asked": "a person who asks is answered at once",
    "urgent": "it cannot wait",
    "eager": "it matters much and the personality is keen",
    "nobody_busy": "nobody is busy",
    "conversational": "talk for its own sake waits for an opportunity",
    "told_late": "its hold ended, and it is still worth telling",
    "hold_expired": "its hold ended and it was no longer worth telling",
    "nothing_asked": "nothing was asked for that could be done",
    "no_action": "there is nothing to do about it",
    "several_plausible": "several actions may be meant",
    "read_or_change": "it is open whether something is to be shown, to be changed, or both",
    "unknown_action": "the catalogue has no such action",
    "role": "this role may not ask for that",
    "read_only": "this role reads here and changes nothing",
    "tool_changed": "its server describes the tool otherwise than a person has accepted",
    "forbidden": "the ledger does not take this from this person",
    "missing_slot": "something has to be known first",
    "class_A": "it only reads, and it is clearly meant",
    "class_B": "it changes something, so a person picks it",
    "class_C": "it is dangerous, so a person has to say yes",
    "low_confidence": "it is not sure enough to be done unasked",
    "held": "how it was said leaves it to a person, however sure the reading is",
    "competitor": "another action is almost as likely",
    "tainted": "a model or somebody else's words shaped it",
    "canary": "it runs by itself in other sessions first",
    "shadow": "in this release phase nothing is done, offered or asked",
    "bulk": "it concerns many things at once",
    "amount": "it concerns much money",
    "outside_recipients": "somebody outside would get it",
    "unknown_kind": "what nobody knows counts as dangerous",
    "parse_failure": "an argument cannot be read",
    "unclear": "it is not clear what is meant",
    "several_things": "a name fits several things",
    "not_possible": "it cannot be done as things stand",
    "already_asked": "the same was asked before and still waits for its yes",
    "gave_up": "it broke off whenever it was tried, and is not tried any more",
    "lookup_failed": "what it names could not be looked up, so nobody was asked",
    "standing_refusal": "somebody said no to this beforehand",
    "undo_of_approved": "it takes back what a person had to say yes to",
    "undo": "it takes back what was done",
    "done": "it was done",
    "action_failed": "the action did not succeed",
    "action_unknown": "nobody can tell whether the action happened",
    "action_pending": "it waits for a person's yes",
    "action_approved": "it was approved and has not begun",
    "action_started": "it has begun",
    "approval_rejected": "a person said no",
    "approval_expired": "nobody answered in time",
    "approval_stale": "what it was asked about changed, or the same was done, after it was asked",
    "approval_superseded": "a person changed it into another action",
    "alert_waits_for_no_model": "an alert waits for no model: it was passed on at once",
    "below_stake": "no heuristic is near, and too little hangs on it to ask a model",
    "not_immediate": "it could wait, and a model is asked for nothing that can",
    "llm_unavailable": "no rule fits, and no model is there to be asked",
    "llm_no_response": "the model did not answer in time or in form",
    "no_matching_action": "no rule fits and no action was found",
    "no_words": "there was nothing to say",
    "answered": "an answer to the person who asked",
    "said": "it was said",
    "rejected": "it was turned down",
    "check_in": "it asked how things go, after a while without a word",
    "observation": "something happened often enough to be remarked on",
    "mood_comment": "the mood has lasted",
    "achievement": "a milestone was reached",
    "reminder": "a person asked to be reminded",
    "emitted": "somebody asked for these words to be said",
    "recently_quipped": "a joke was made just now",
    "silent_by_preference": "the pack prefers silence for this",
    "proposal": "there was something to ask before doing it",
}


def meaning_of(reason: str) -> str:
    """Say what a reason code means; one with a detail behind a colon keeps it."""
    if reason in MEANINGS:
        return MEANINGS[reason]
    code, colon, detail = reason.partition(":")
    if colon and code == "busy":
        return f"the person is busy: {detail}"
    if colon and code == "told_with":
        return f"it was told together with decision {detail}"
    if colon and code == "folded_into":
        return f"the same came again before decision {detail} was taken, and was taken with it"
    if colon and code == "superseded_by":
        return f"decision {detail} says the same, newer"
    if colon and code == "break":
        return f"the moment came: {detail.replace('_', ' ')}"
    return reason.replace("_", " ")


def would_have_changed(trace: DecisionTrace) -> tuple[str, ...]:
    """Name what would have led to another decision."""
    return tuple(dict.fromkeys(_changes(trace))) or ("nothing that this decision knew of",)


def _changes(trace: DecisionTrace) -> Iterator[str]:
    record = trace.record
    if record.reason == "dull":
        yield "a stronger dimension, or a watch on it (salience.dull_below in policy.toml)"
    if record.reason == "signal_noted":
        yield "another kind of event: a signal only ends holds and tells who is busy"
    if record.counterfactual and record.outcome in ("passed", "spoke", "silent", "held", "merged"):
        yield record.counterfactual
    if record.outcome == "held":
        yield "one of its break signals would end the hold at once"
    if record.reason == "hold_expired":
        yield "a break before its hold ended, or more urgency (timing.told_late_urgency)"
    if record.outcome == "rejected" or record.path == "fallback":
        yield "an action or a heuristic of a pack that fits it, or a model (EXECUTIVE_MODEL)"
    yield from _changes_of_class(_classified(trace.stages), trace)


_ASKED_OTHERWISE = {
    "held": "asking for it plainly, alone, and in words nearer to the action's examples",
    "tainted": "asking for it in words that the catalogue knows, without the model",
}


_ENDED = {
    "several_plausible": TOLD_APART,
    READ_OR_CHANGE: SHOW_OR_CHANGE,
    "role": ROLE,
    "lookup_failed": LOOKED_UP,
    "missing_slot": NAMED,
}


def _changes_of_class(classified: Classification | None, trace: DecisionTrace) -> Iterator[str]:
    if classified is None:
        return
    if "low_confidence" in classified.raised:
        yield (
            f"more confidence than {trace.record.confidence or 0:.2f}: "
            "the bar is execution.auto_confidence in policy.toml"
        )
    if "competitor" in classified.raised:
        yield "no other action as close (execution.competitor_margin in policy.toml)"
    yield from (how for reason, how in _ASKED_OTHERWISE.items() if reason in classified.raised)
    if classified.reason in _ENDED:
        yield _ENDED[classified.reason]
    if classified.verdict == "offer" and classified.reason == "class_B":
        yield CHIP
    if classified.action and classified.action.execution_class == "C":
        yield from _changes_of_approval(classified.action, trace.record.outcome)


def _changes_of_approval(action: LedgerAction, outcome: str) -> Iterator[str]:
    who = roles_in_words(action.approver_roles) or "a person"
    if outcome == "awaiting_approval":
        until = f" before {action.expires_at:%Y-%m-%d %H:%M:%S} UTC" if action.expires_at else ""
        yield f"a yes from {who}{until} would run it, a no or silence will not"
    elif outcome == "executed":
        yield f"without the yes of {who} it would not have run; nothing lowers its class"
    elif outcome in ("refused", "failed"):
        yield f"a yes from {who} in time; nothing lowers its class"


def _classified(stages: Mapping[str, Any]) -> Classification | None:  # JSON of each stage
    try:
        return Classification.model_validate(stages["classification"])
    except (KeyError, ValidationError):  # not reached, or written by another version
        return None


def salience_words(salience: Salience) -> Iterator[str]:
    """Tell how much an event stands out."""
    source = {
        "given": "as its sender scored it",
        "words": "scored by its words",
        "meaning": "scored by its meaning",
        "addressed": "somebody spoke to us",
    }[salience.source]
    scores = [
        f"{name.replace('_', ' ')} {value:.2f}"
        for name in DIMENSIONS
        if (value := getattr(salience.vector, name)) > 0
    ]
    yield f"{source}: {', '.join(scores) or 'nothing stands out'}"
    yield from _evidence(salience)
    if salience.habituation:
        yield f"habituation {salience.habituation:.2f} to {salience.pattern}: seen a lot lately"
    if salience.watched:
        yield f"watched for: {salience.watched}, counts {salience.boost:g} times"
    if salience.suppressed:
        yield f"to be left alone: {salience.suppressed}"
    if salience.hidden_by:
        yield f"follows from a cause that was told: {salience.hidden_by}"
    if salience.opens:
        yield f"is a cause that hides what follows, once told: {', '.join(salience.opens)}"
    if salience.goal_match:
        yield f"near to a goal of the person: {salience.goal_match:.2f}"
    if salience.dull:
        yield "dull: nothing in it stands out enough to be weighed"


def _evidence(salience: Salience) -> Iterator[str]:
    if salience.like:
        yield f"like ({salience.situation}): {salience.like}"
        yield f"a word would help with probability {salience.wanted or 0:.2f}"
    if salience.prior:
        yield f"its source matters of itself: {salience.prior}"
    if salience.is_new:
        yield "the first of its kind from a source that is known"
    if salience.words:
        yield f"the words: {', '.join(salience.words)}"


def relevance_words(relevance: Relevance) -> Iterator[str]:
    """Tell the verdict and every number behind it."""
    yield (
        f"relevance {relevance.score:.3f} against a threshold of {relevance.threshold:.3f}, "
        f"threat {relevance.threat:.2f}: {relevance.verdict}"
    )
    yield f"because {meaning_of(relevance.reason)} ({relevance.reason})"
    if relevance.model:
        yield f"it was close, so a model was asked: {relevance.model}"
    if relevance.until:
        yield f"that gate opens by itself at {relevance.until:%Y-%m-%d %H:%M:%S} UTC"
    factors = [
        f"{words} {relevance.terms[name]:.2f}"
        for name, words in _FACTORS.items()
        if name in relevance.terms
    ]
    yield f"relevance: {', '.join(factors)}"
    moved = [
        f"{words} {relevance.terms[name]:+.3f}"
        for name, words in _MOVES.items()
        if relevance.terms.get(name)
    ]
    yield f"threshold: {relevance.terms.get('theta0', 0):.2f} here, {', '.join(moved) or 'unmoved'}"


def timing_words(timing: Timing) -> Iterator[str]:
    """Tell the moment, and what waited beside it."""
    yield f"{timing.outcome}: {meaning_of(timing.reason)} ({timing.reason})"
    weighed = ", ".join(f"{kind} {value:.2f}" for kind, value in timing.utilities.items() if value)
    yield f"as {timing.response_type}, urgency {timing.urgency:.2f}" + (
        f"; weighed: {weighed}" if weighed else ""
    )
    if timing.due_at:
        ends = f", or until: {', '.join(timing.release_on)}" if timing.release_on else ""
        yield f"held until {timing.due_at:%Y-%m-%d %H:%M:%S} UTC at the latest{ends}"
    if timing.group and timing.outcome != "immediate":
        yield f"told together with what is about: {timing.group}"
    if timing.value is not None:
        yield f"after the wait {timing.value:.3f} of its relevance is left"
    for one in timing.beside:
        yield f"{_ENDINGS[one.ending]}: {one.text[:80]} ({one.decision_id})"


def batched_words(beside: Beside) -> Iterator[str]:
    """Tell what became of a decision that waited when another one was told."""
    yield f"{_ENDINGS[beside.ending]}: {meaning_of(beside.reason)} ({beside.reason})"
    yield f"relevance {beside.relevance:.3f} at that moment"


_FACTORS = {
    "S": "strength",
    "F": "times focus",
    "H": "less habituation",
    "P": "less just said",
    "B": "times watched",
}
_MOVES = {
    "proactive": "proactive",
    "helpfulness": "helpfulness",
    "quiet": "asked to be quiet",
    "shift": "asked to be pickier",
    "load": "talked much lately",
    "annoyance": "bad reactions",
    "watched": "watched for",
}
_ENDINGS = {"told": "told with it", "passed": "let go of", "stays": "goes on waiting"}
