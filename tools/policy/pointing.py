"""Fill slots with the things a text points at: `the second one` of what was listed last."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from state.action import Action
from state.memory import PackMemory
from state.policy import EntityMention, Routing
from tools.policy.references import referred_in
from tools.routing.things.unclear import Unclear


@dataclass(frozen=True)
class Pointed:
    """A reading with what it points at among its entities."""

    routing: Routing
    things: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    """Pack → entity type → ids, in the order the text names them."""
    beyond: Mapping[str, Mapping[str, tuple[int, int]]] = field(default_factory=dict)
    """Pack → entity type → a place it names that the list does not have, and the list's length."""

    def arguments(self, action: Action) -> dict[str, Any]:  # by slot type
        """Give the arguments for an action; what the router read by name stays."""
        routing = self.routing
        given = dict(routing.slots) if routing.action == action.name else {}
        things = {kind: list(ids) for kind, ids in self.things.get(action.pack, {}).items()}
        for name, slot in action.slots.items():
            ids = things.get(slot.type, [])
            if not ids or name in given:
                continue
            if slot.many:
                given[name], things[slot.type] = list(ids), []
            else:
                given[name] = ids.pop(0)
        return {name: given[name] for name in action.slots if name in given}

    def beyond_list(self, action: Action, arguments: Mapping[str, Any]) -> Unclear | None:
        """Ask again where a text names a place that the last list does not have."""
        for name, slot in action.slots.items():
            place = self.beyond.get(action.pack, {}).get(slot.type)
            if place is not None and name not in arguments:
                kind = name.replace("_", " ")
                question = (
                    f"There is no number {place[0]}: the last list has {place[1]}."
                    if place[1]
                    else "The last list is empty: nothing was found."
                )
                return Unclear(question=f"{question} Which {kind}?")
        return None


def pointed(
    text: str, routing: Routing, memory: Mapping[str, PackMemory], *, since: float
) -> Pointed:
    """Read what a text points at; lists from before `since` (seconds since 1970) are forgotten."""
    things: dict[str, dict[str, tuple[str, ...]]] = {}
    beyond: dict[str, dict[str, tuple[int, int]]] = {}
    mentions: list[EntityMention] = []
    for pack, kept in memory.items():
        for kind, listed in kept.listed.items():
            if listed.at < since:
                continue
            found = referred_in(text, kind, listed.values, listed.it)
            if found.mentions:
                things.setdefault(pack, {})[kind] = tuple(one.value for one in found.mentions)
                mentions.extend(found.mentions)
            if found.beyond:
                beyond.setdefault(pack, {})[kind] = (found.beyond[0], len(listed.values))
    if not mentions:
        return Pointed(routing, things, beyond)
    told = tuple(f"points_at:{one.type}:{one.value}" for one in mentions[:5])
    update = {
        "entities": (*routing.entities, *mentions),
        "reasons": (*routing.reasons, *told),
    }
    return Pointed(routing.model_copy(update=update), things, beyond)
