"""What a name leaves open: several things to choose from, or nothing of that name."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from state.action import Action
from state.policy import Routing

MOST_NAMED = 5
"""Things that a question lists: more is told as a count."""
_OVER = re.compile(r"\b(?:ago|last|past|yesterday)\b")
"""In a day that was found to be gone by; what cannot be read at all has none of these."""


@dataclass(frozen=True)
class Unclear:
    """The arguments it may mean, or the question when chips would not do."""

    variants: tuple[Mapping[str, Any], ...] = ()
    question: str = ""


def unclear_of(
    action: Action,
    routing: Routing,
    arguments: Mapping[str, Any],  # by slot type
    *,
    chips: int,
    sketch: str,
) -> Unclear:
    """Lay out what a person has to say before this can be done.

    A read goes on without an optional thing that it cannot find; a change does not, because it
    would be done to something else than was said.
    """

    def matters(name: str) -> bool:
        slot = action.slots.get(name)
        return slot is not None and name not in arguments and (slot.required or action.floor != "A")

    for name, said in routing.not_found.items():
        if matters(name):
            kind = _words(action.slots[name].type)
            question = f"{_told(kind, said)}. Which {_words(name)}? ({sketch})"
            return Unclear(question=question)
    for name, things in routing.choices.items():
        if not matters(name):
            continue
        if len(things) > chips:
            shown = ", ".join(things[:MOST_NAMED])
            more = f", … ({len(things)} in all)" if len(things) > MOST_NAMED else ""
            return Unclear(question=f"Which {_words(name)}: {shown}{more}? ({sketch})")
        is_many = action.slots[name].many
        return Unclear(
            variants=tuple({**arguments, name: [thing] if is_many else thing} for thing in things)
        )
    return Unclear()


def _told(kind: str, said: str) -> str:
    if kind != "date":
        return f"I know no {kind} {said!r}"
    is_over = _OVER.search(said) is not None
    return f"{said!r} is over" if is_over else f"{said!r} is no day I can read"


def _words(name: str) -> str:
    return name.replace("_", " ")
