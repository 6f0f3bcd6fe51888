"""The packs' own heuristics: which of their conditions does an event meet?"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from state.event import Event
from state.policy import Suggestion
from tools.catalogue.pack import Pack
from tools.salience.conditions import meets, words_of
from tools.salience.polarity import is_denied
from tools.salience.sender_status import sender_status

_PLACE = re.compile(r"\{(?:text|source)\}")


@dataclass(frozen=True)
class PackHeuristics:
    """A condition is met when all its words stand in the event, and the source fits if named.

    What the event denies, ends or practises is not met.
    """

    packs: Sequence[Pack]

    def match(self, event: Event) -> Suggestion | None:
        """Find the most confident condition an event meets; the longer one on a tie."""
        return next(iter(self.fitting(event)), None)

    def fitting(self, event: Event) -> tuple[Suggestion, ...]:
        """List the conditions an event meets, the most confident first, the longer one on a tie."""
        said = words_of(f"{event.text} {' '.join(entity.value for entity in event.entities)}")
        met = [
            heuristic
            for pack in self.packs
            for heuristic in pack.heuristics
            if heuristic.source in (None, event.source) and meets(heuristic.condition, said)
        ]
        if met:
            status = sender_status(event.payload)
            met = [one for one in met if not is_denied(one.condition, event.text, status)]
        met.sort(key=lambda one: (one.confidence, len(one.condition)), reverse=True)
        return tuple(
            Suggestion(
                heuristic_id=one.id,
                confidence=one.confidence,
                condition_text=one.condition,
                suggested_action=filled(one.say, event),
                locked=one.locked,
            )
            for one in met
        )

    def is_blocking(self, event: Event) -> bool:
        """Tell whether `fitting` may ask an encoder: it never does."""
        return False


def filled(template: str, event: Event) -> str:
    """Put the event's words and source where a heuristic's words name them."""
    # In one go: what an event says must not be read as a template again.
    named = {"{text}": event.text, "{source}": event.source}
    return _PLACE.sub(lambda place: named[place.group()], template)
