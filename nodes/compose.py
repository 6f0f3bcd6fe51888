"""Find the words: what was done, what is asked, or what is worth saying."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from typing import Any

from state.action import DECLARED
from state.channels import State
from state.classification import Classification
from state.offer import Offer
from state.outcome import ActionOutcome
from state.principal import roles_in_words
from state.release import QUIET_ENDED
from state.response import MODEL, Intent, Response, ResponseType
from state.stages import Settled
from tools.adapters import meter_model_use
from tools.platform.texts import t
from tools.response import Phraser, SkillSelection, WordingCheck, realize_with_model, remarks
from tools.response.llm_answer import background_of
from tools.response.template_replies import batch_text, chip_lines, with_event_age

_UNCOUNTABLE = ("stock", "equipment", "information", "data", "crew", "me", "all")


@dataclass(frozen=True)
class Compose:
    """Answer what was asked plainly; shape what is volunteered by skills and traits."""

    skills: SkillSelection = field(default_factory=SkillSelection)
    phraser: Phraser | None = None
    check: WordingCheck = field(default_factory=WordingCheck)
    """Looks at what a model said of an event; the event's own sentence stands for what fails."""
    zone: tzinfo = UTC

    async def __call__(self, state: Settled) -> State:
        classification = state.classification
        if state.outcome is not None:
            text = outcome_text(state.outcome, classification)
            if state.policy.left_out and state.outcome.state == "succeeded":
                text = f"{text}\n{state.policy.left_out}"
            response = Response(type="answer", text=text)
        elif state.offer is not None:
            said = state.result.left_out or state.policy.left_out
            left_out = f"\n{said}" if said else ""
            response = Response(type="question", text=f"{offer_text(state.offer)}{left_out}")
        elif classification.verdict == "ask":
            response = Response(type="question", text=classification.question or "")
        elif classification.verdict == "refuse":
            response = Response(
                type="answer",
                text=refusal_text(classification, state.result.action, state.event.roles),
            )
        else:
            response = await self._volunteered(state)
        response = _with_unchecked(response, classification)
        return {"response": _with_aside(response, state)}

    async def _volunteered(self, state: Settled) -> Response:
        text = _words(state)
        kind: ResponseType = "answer" if state.event.is_addressed else state.timing.response_type
        if not text:
            return Response(type="none", text="")
        if kind == "answer":
            return Response(type=kind, text=text)
        is_by_model = state.result.path == "llm"
        changes = await self._changes(state, text) if is_by_model else ()
        intent = Intent(
            event=state.event,
            kind=kind,
            text=state.event.text if changes else text,
            traits=state.session.traits,
            seed=state.arrival.decision_id,
            **_setting(state),
        )
        with meter_model_use() as uses:
            phraser = None if is_by_model else self.phraser
            wording = await realize_with_model(
                phraser,
                intent,
                self.skills.speaking(state.session),
                background_of(state, self.zone) if phraser else None,
            )
        after_quiet = state.arrival.released_by == QUIET_ENDED
        own = wording.text
        if state.relevance.late:
            own = with_event_age(own, state.arrival.age_seconds)
        whole = batch_text(own, state.timing.beside, after_quiet=after_quiet)
        return Response(
            type=kind,
            text=whole,
            skills_used=wording.spoke,
            kept_plain=(*(f"{MODEL}: {change}" for change in changes), *wording.kept_plain),
            traits=intent.traits,
            models=tuple(uses),
        )

    async def _changes(self, state: Settled, text: str) -> Sequence[str]:
        """Say why a model's words may not stand for an event; nothing: they may."""
        event = state.event
        named = tuple(entity.value for entity in event.entities)
        beside = (*state.session.aims, *background_of(state, self.zone).details)
        return await asyncio.to_thread(self.check, event.source, event.text, text, named, beside)


def _setting(state: Settled) -> dict[str, Any]:  # fields of Intent
    """Tell what is at stake, so that the character may add to it; nothing, to what is no event's.

    What we say of our own accord, and the words of a heuristic or a model, stand as they are.
    """
    if state.arrival.initiative is not None or state.result.path != "fallback":
        return {}
    return {
        "stake": remarks.stake_of(state.salience, state.session.active_context),
        "is_calm": remarks.is_calm(state.salience, state.timing.urgency),
        "recent": tuple(said.text for said in state.session.spoken[-remarks.RECENT :]),
    }


def _with_unchecked(response: Response, classification: Classification) -> Response:
    """Say under an answer which of its names could not be checked."""
    if not classification.unchecked:
        return response
    return response.model_copy(update={"text": f"{response.text}\n{classification.unchecked}"})


def _with_aside(response: Response, state: Settled) -> Response:
    """Say first what was done about a wish for quiet that something else stood beside."""
    heard = state.result.told_beside
    if not heard:
        return response
    if not response.text:
        return Response(type="answer", text=heard)
    return response.model_copy(update={"text": f"{heard}\n{response.text}"})


def _words(state: Settled) -> str:
    """Find what is volunteered; an alarm says what happened before what somebody taught of it.

    "Have a look." was liked of a smell that was a mere remark, and may not be all that is said of
    the smell as an alarm. Only what a pack ships is trusted to be enough.
    """
    text, known = state.result.response_text.strip(), state.policy.suggestion
    is_taught = known is not None and (known.learned or known.reworded)
    is_its = known is not None and known.heuristic_id == state.result.matched_heuristic_id
    if not (text and is_taught and is_its and state.timing.response_type == "alert"):
        return text
    happened = state.event.text.strip()
    ending = "" if happened.endswith((".", "!", "?")) else "."
    return text if happened.casefold() in text.casefold() else f"{happened}{ending} {text}"


def outcome_text(outcome: ActionOutcome, classification: Classification) -> str:
    """Say what came of an action, the truth first."""
    frozen = classification.action
    summary = outcome.summary or (frozen.summary if frozen else t("answer.the_action"))
    match outcome.state:
        case "succeeded":
            changes = (f"  {line}" for line in outcome.changed)
            return "\n".join((outcome.text, *changes, *_way_back(outcome)))
        case "failed":
            # What stands behind the first line of a reason is for the record.
            reason = (outcome.reason or "").partition("\n")[0].rstrip(".")
            return t("answer.end.failed", summary=summary, reason=reason)
        case "unknown":
            reason = (outcome.reason or "").rstrip(".")
            return t("answer.end.unknown", summary=summary, reason=reason)
        case "rejected":
            return t("answer.end.rejected", summary=summary, reason=outcome.reason)
        case "expired":
            return t("answer.end.expired", summary=summary)
        case "stale" | "superseded":
            reason = outcome.reason or t("answer.end.void_reason")
            return t("answer.end.void", summary=summary, reason=reason)
        case "approved" | "started" if frozen is not None and frozen.pack == DECLARED:
            return t("answer.end.permitted", summary=summary)
        case "proposed" | "pending" | "approved" | "started":
            return t("answer.end.open", summary=summary, state=outcome.state)


def _way_back(outcome: ActionOutcome) -> tuple[str, ...]:
    if outcome.undo_minutes is None:
        return ()
    return (t("answer.undo", minutes=outcome.undo_minutes),)


def offer_text(offer: Offer) -> str:
    """Lay out the chips as one question."""
    chips = chip_lines(offer.chips)
    if any(chip.undo_of for chip in offer.chips):
        return t("answer.offer.undo", chips=chips)
    yes = offer.yes_means if len(offer.chips) > 1 else None
    if offer.is_clear:
        return t("answer.offer.clear", chips=chips, yes=yes)
    return t("answer.offer.question", chips=chips, yes=yes, found=offer.found)


def refusal_text(
    classification: Classification, action: str | None, roles: Sequence[str] = ()
) -> str:
    """Say why something will not be done, to somebody with these roles."""
    if classification.reason in ("role", "read_only"):
        what = _plural(action) if action else t("answer.refused.do_that")
        role = roles_in_words(roles)
        return t(f"answer.refused.{classification.reason}", role=role, action=what)
    return classification.question or t("answer.refused.unknown_action")


def _plural(action: str) -> str:
    """Give an action's name in words, its object in the plural: `set_price` is `set prices`."""
    words = action.replace("_", " ")
    if " " not in words or words.endswith(("s", *_UNCOUNTABLE)):
        return words
    return f"{words[:-1]}ies" if words.endswith("y") and words[-2] not in "aeiou" else f"{words}s"
