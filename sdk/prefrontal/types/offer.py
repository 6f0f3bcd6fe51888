"""Suggestion chips: what a person may pick instead of us deciding."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from prefrontal.types.errors import InvalidArguments
from prefrontal.types.execution import ChipOrdering
from prefrontal.types.noun import Noun, Score


class Chip(Noun):
    """One choice, rendered by code; choosing it is an event of its own and is judged again."""

    chip_id: str
    action: str
    arguments: Mapping[str, Any]
    missing_slots: tuple[str, ...] = ()
    summary: str
    confidence: Score
    undo_of: str | None = Field(default=None, description="the action that it takes back")


def whole_choice(chip: Chip, given: Mapping[str, Any]) -> dict[str, Any]:  # by slot type
    """Join what a chip shows with what a click adds to it.

    Raises:
        InvalidArguments: the click says something else than the chip shows.
    """
    differing = [
        f"{name} stands on the chip and a click cannot change it; leave it out"
        for name, value in given.items()
        if name in chip.arguments and value != chip.arguments[name]
    ]
    if differing:
        raise InvalidArguments(chip.action, differing)
    return {**given, **chip.arguments}


class Offer(Noun):
    """The chips shown for one decision; the first is the primary."""

    offer_id: str
    decision_id: str
    tenant_id: str
    session_id: str
    chips: tuple[Chip, ...] = Field(min_length=1, max_length=4)
    reason: str = Field(description="why it was not simply done")
    found: str = Field(default="", description="what the broad search underneath turned up")
    ordering: ChipOrdering = Field(default="confidence", description="how the chips were ordered")
    expires_at: datetime | None = Field(default=None, description="set by the store")
    yes_means: str | None = Field(
        default=None, description="the chip that a plain yes takes; null: none, it is asked which"
    )
    proposed_by: str | None = Field(
        default=None, description="the agent whose call it is; null: a person's words led here"
    )
    shown_to: str | None = Field(
        default=None, description="who alone may choose; null: whoever may ask for the action"
    )
    chosen: str | None = None
    chosen_by: str | None = None

    @property
    def is_clear(self) -> bool:
        """Tell whether one chip was asked for, whole, and is offered only as it is a change."""
        yes = next((chip for chip in self.chips if chip.chip_id == self.yes_means), None)
        return self.reason == "class_B" and yes is not None and not yes.missing_slots


SaidStanding = Literal["pressed", "incomplete", "declined", "which", "gone", "needs_click"]
"""pressed: taken, as a click is; incomplete: meant, with slots to be asked for; which: there are
several, or something else was said in between; needs_click: such an answer is none here."""


class SaidChoice(Noun):
    """What a plain answer in a conversation does to the chips that it is about."""

    standing: SaidStanding
    offer: Offer
    chip: Chip | None = None


class ExplicitRequest(Noun):
    """Exactly what a person chose, as the store has it: a chip, or to take an action back."""

    action: str
    arguments: Mapping[str, Any]
    chosen_by: str
    offer_id: str | None = Field(default=None, description="null: no chip was needed")
    chip_id: str | None = None
    undo_of: str | None = Field(default=None, description="the action that it takes back")
