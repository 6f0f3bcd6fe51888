"""Part an order from the condition or the time it hangs on: `ship SO-1 once Hugo has paid`.

As a whole such a text supposes, or tells of a habit, and orders nothing now. Its order is read by
itself, and the rest is what nobody may drop: see `Routing.order`.
"""

from datetime import date
from typing import NamedTuple

from state.policy import Routing, Uncovered
from tools.routing.reading import Reading
from tools.routing.slots.days.time_words import times_in
from tools.routing.speech_acts.conditions import BINDING
from tools.routing.worth import OFFERED

_HEADS = BINDING - {"the", "as", "so", "in", "on", "by", "under", "subject", "because", "since"}
_ORDERS = ("command", "request")


class Parted(NamedTuple):
    """An order, and the words that it hangs on."""

    order: str
    conditions: tuple[str, ...]


def parted_order(reading: Reading, today: date | None) -> Parted | None:
    """Set aside the clauses that make a condition, or the time that a text begins with.

    None: nothing is set aside, or the text asks for something as it stands.
    """
    if reading.act.mood == "hypothetical":
        return _without_conditions(reading)
    return _without_time(reading, today) if reading.act.mood == "statement" else None


def with_order(whole: Routing, order: Routing, parted: Parted) -> Routing:
    """Give the routing of a text with that of its order; unchanged, where it orders no change.

    The whole goes on to ask for nothing: what hangs on a condition is not to be done or offered.
    """
    if order.action is None or order.mood not in _ORDERS:
        return whole
    said = (Uncovered(text=text, narrows=True, attaches=True) for text in parted.conditions)
    starts = {text: whole.text.find(text) for text in parted.conditions}
    entities = (
        one
        for one in whole.entities
        if not any(at <= one.span[0] < at + len(text) for text, at in starts.items())
    )
    own = {
        "text": whole.text,
        "normalized": whole.normalized,
        "tokens": whole.tokens,
        "entities": tuple(entities),
        "confidence": min(order.confidence, OFFERED),
        "held": "unread",
        "uncovered": (*order.uncovered, *said),
    }
    return whole.model_copy(update={"order": order.model_copy(update=own)})


def _without_conditions(reading: Reading) -> Parted | None:
    words, clauses = reading.normal.words, reading.act.cut.clauses
    aside = [one for one in clauses if one.joint == "if" or words[one.first] in _HEADS]
    kept = [one for one in clauses if one not in aside]
    if not aside or not kept:
        return None

    def written(first: int, end: int) -> str:
        tokens = reading.normal.tokens
        return reading.normal.written(tokens[first].start, tokens[end - 1].end)

    order = ", ".join(written(one.first, one.end) for one in kept)
    if reading.act.cut.content_first is not None:
        order += f": {written(reading.act.cut.content_first, len(words))}"
    return Parted(order, tuple(written(one.first, one.end) for one in aside))


def _without_time(reading: Reading, today: date | None) -> Parted | None:
    normal = reading.normal
    first = [one for one in times_in(normal, today) if one.first == 0]
    end = max((one.end for one in first), default=0)
    if not 0 < end < len(normal.words):
        return None
    time = normal.written(0, normal.tokens[end - 1].end)
    return Parted(normal.written(normal.tokens[end].start, len(normal.text)), (time,))
