"""One turn of a conversation as it is drawn: the words, the answer, and what it asks for."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from api.console.answers import question_of
from api.console.editing import Field, fields_of
from api.payloads.common import DecisionDetails
from graph.runner import Executive
from graph.words.reasons import meaning_of
from state.offer import Offer
from state.principal import Principal
from state.record import DecisionTrace
from tools.approvals.inert import flagged

_PAGE = re.compile(r": \S+/console/approvals/(?P<id>[0-9a-f-]{36})")
"""How the words name the page of an approval, which is a link here."""
_CHIP_LINE = "  chip-"
"""How the words list what is drawn as buttons here."""


@dataclass(frozen=True)
class Turn:
    """What came, and what it was answered."""

    record: DecisionDetails
    is_own: bool
    speaker: str
    words: str
    kind: str
    answer: str
    why: str
    slots: Mapping[str, tuple[Field, ...]]
    """Chip to the controls for what it still lacks."""
    barred: Mapping[str, str]
    """Action of a chip to why whoever looks may not choose it."""
    question: Mapping[str, Any] | None
    """What _approval.html is drawn of."""
    undo: str
    """The action that can be taken back now; empty: none."""
    approval: str = ""
    """The approval whose page the answer names, to whoever may give it; empty: none."""


async def turn_of(
    trace: DecisionTrace, details: DecisionDetails, caller: Principal, executive: Executive
) -> Turn:
    """Put a decision together as a turn, as it stands now."""
    event = trace.event
    offer = details.offer
    shown = details.approval
    return Turn(
        record=details,
        is_own=event.get("user") == caller.user and event.get("kind") in ("message", "choice"),
        speaker=str(event.get("user") or event.get("source") or ""),
        words=str(event.get("text", "")),
        kind=str(event.get("kind", "")),
        answer=_answer(details),
        why=meaning_of(details.reason),
        slots={} if offer is None else slots_of(offer, executive),
        barred={} if offer is None else barred_of(offer, caller, executive),
        question=None if shown is None else _inline(question_of(executive, caller, shown)),
        undo=await _undo(details, executive),
        approval=page["id"] if (page := _PAGE.search(details.text)) else "",
    )


def _answer(details: DecisionDetails) -> str:
    lines = _PAGE.sub("", details.text).splitlines()
    if details.offer is not None:
        found = details.offer.found.splitlines()
        lines = [line for line in lines if not line.startswith(_CHIP_LINE)]
        lines = [line for line in lines if line not in found]
    if details.action_id:  # what it names by its id is a button here
        lines = [line.replace(f", or undo the action {details.action_id}", "") for line in lines]
    return "\n".join(lines).strip()


def slots_of(offer: Offer, executive: Executive) -> dict[str, tuple[Field, ...]]:
    """Make the controls of what each chip still lacks."""
    actions = executive.catalogue.actions
    return {
        chip.chip_id: fields_of(actions[chip.action], {}, chip.missing_slots)
        if chip.action in actions
        else ()
        for chip in offer.chips
    }


def barred_of(offer: Offer, caller: Principal, executive: Executive) -> dict[str, str]:
    """Say of each action of an offer's chips that somebody may not choose why not."""
    may_ask, whose = executive.catalogue.may_ask, offer.shown_to
    if whose not in (None, caller.user):
        return {
            chip.action: f"offered to {flagged(whose or '', is_exact=True)}" for chip in offer.chips
        }
    barred = (chip.action for chip in offer.chips if not may_ask(chip.action, caller.roles))
    return dict.fromkeys(barred, "not open to your roles")


def _inline(question: dict[str, Any]) -> dict[str, Any]:  # what _approval.html is drawn of
    return question | {"slot": f"q-{question['shown'].action_id}"}


async def _undo(details: DecisionDetails, executive: Executive) -> str:
    if details.outcome != "executed" or details.action_id is None:
        return ""
    done = await executive.approval(details.action_id, details.tenant_id)
    if done.state != "succeeded" or done.undo_by is not None or done.undo_until is None:
        return ""
    return done.action_id if done.undo_until > datetime.now(UTC) else ""
