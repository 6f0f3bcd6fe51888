"""Find the words: what was done, what is asked, or what is worth saying."""

from dataclasses import dataclass, field

from state.channels import State
from state.classification import Classification
from state.offer import Offer
from state.outcome import ActionOutcome
from state.release import QUIET_ENDED
from state.response import MODEL, Intent, Response, ResponseType
from state.stages import Settled
from tools.adapters import meter_model_use
from tools.platform.text_comparison import changed_facts
from tools.response import Phraser, SkillSelection, realize_with_model
from tools.response.template_replies import batch_text, with_event_age


@dataclass(frozen=True)
class Compose:
    """Answer what was asked plainly; shape what is volunteered by skills and traits."""

    skills: SkillSelection = field(default_factory=SkillSelection)
    phraser: Phraser | None = None

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
                type="answer", text=refusal_text(classification, state.result.action)
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
        named = tuple(entity.value for entity in state.event.entities)
        is_by_model = state.result.path == "llm"
        changes = changed_facts(state.event.text, text, named) if is_by_model else ()
        intent = Intent(
            event=state.event,
            kind=kind,
            text=state.event.text if changes else text,
            traits=state.session.traits,
            seed=state.arrival.decision_id,
        )
        with meter_model_use() as uses:
            phraser = None if state.result.path == "llm" else self.phraser
            wording = await realize_with_model(phraser, intent, self.skills.speaking(state.session))
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
    summary = outcome.summary or (frozen.summary if frozen else "The action")
    match outcome.state:
        case "succeeded":
            changes = "".join(f"\n  {line}" for line in outcome.changed)
            return f"{outcome.text}{changes}{_way_back(outcome)}"
        case "failed":
            # What stands behind the first line of a reason is for the record.
            return f"{summary}: not done. {(outcome.reason or '').partition(chr(10))[0]}".strip()
        case "unknown":
            return f"{summary}: I cannot tell whether it was done. {outcome.reason or ''}".strip()
        case "rejected":
            said = f" ({outcome.reason})" if outcome.reason else ""
            return f"{summary}: refused{said}. Nothing was changed."
        case "expired":
            return f"{summary}: nobody answered in time. Nothing was changed."
        case "stale" | "superseded":
            return f"{summary}: {outcome.reason or 'no longer valid'}. Nothing was changed."
        case "proposed" | "pending" | "approved" | "started":
            return f"{summary}: {outcome.state}."


def _way_back(outcome: ActionOutcome) -> str:
    if outcome.undo_minutes is None:
        return ""
    return (
        f'\nUndo within {outcome.undo_minutes:g} minutes: say "undo that", '
        f"or undo the action {outcome.action_id}."
    )


def offer_text(offer: Offer) -> str:
    """Lay out the chips as one question."""
    choices = "\n".join(
        f"  {chip.chip_id}: {chip.summary}"
        + (f" (which {' and '.join(chip.missing_slots)}?)" if chip.missing_slots else "")
        for chip in offer.chips
    )
    is_one_of_several = offer.yes_means is not None and len(offer.chips) > 1
    yes = f"\nYes means {offer.yes_means}." if is_one_of_several else ""
    found = f"\n{offer.found}" if offer.found else ""
    if any(chip.undo_of for chip in offer.chips):
        return f"Undo it?\n{choices}"
    return f"Did you mean:\n{choices}{yes}{found}"


def refusal_text(classification: Classification, action: str | None) -> str:
    """Say why something will not be done."""
    if classification.reason == "role":
        return f"Your role may not ask for {(action or 'that').replace('_', ' ')}."
    if classification.reason == "read_only":
        what = (action or "that").replace("_", " ")
        return f"You may read here and change nothing, and {what} changes something."
    if classification.question:
        return classification.question
    return "I will not do that: it is not in the catalogue."
