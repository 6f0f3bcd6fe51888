"""Resolve what a text points at to entities that were listed last, and fill slots with them."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from state.action import Action
from state.memory import Listed, PackMemory
from state.policy import EntityMention, Routing
from tools.nlu.entities.references import Ambiguity
from tools.nlu.replies.list_references import ListReferences, list_references
from tools.platform.texts import t

OBJECT_REASON = "object:"
"""Begins the router's reason which names the kind of thing that was said."""
EntityNouns = Mapping[str, Mapping[str, Sequence[str]]]
"""Pack → entity type → what else it is called."""


@dataclass(frozen=True)
class ResolvedReferences:
    """A reading with what it points at among its entities."""

    routing: Routing
    things: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    """Pack → entity type → ids, in the order the text names them."""
    beyond: Mapping[str, Mapping[str, tuple[int, int]]] = field(default_factory=dict)
    """Pack → entity type → a place it names that the list does not have, and the list's length."""
    newest: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Pack → the entity types that were listed last of all; no other pack has any."""

    def arguments(self, action: Action) -> dict[str, Any]:  # by slot type
        """Give the arguments for an action; what the router read by name stays.

        What was listed last goes before what was listed earlier. Of several things for one slot
        none is taken: which one is for the person to say.
        """
        routing = self.routing
        given = dict(routing.slots) if routing.action == action.name else {}
        things = {kind: list(ids) for kind, ids in self._things_for(action).items()}
        rooms = [slot.type for slot in action.slots.values()]
        for name, slot in action.slots.items():
            ids = things.get(slot.type, [])
            if not ids or name in given:
                continue
            if slot.many:
                given[name], things[slot.type] = list(ids), []
            elif len(ids) <= rooms.count(slot.type):
                given[name] = ids.pop(0)
                rooms.remove(slot.type)
        return {name: given[name] for name in action.slots if name in given}

    def beyond_list(self, action: Action, arguments: Mapping[str, Any]) -> Ambiguity | None:
        """Ask again where a text names a place that the last list does not have."""
        for name, slot in action.slots.items():
            place = self.beyond.get(action.pack, {}).get(slot.type)
            if place is not None and name not in arguments:
                kind = name.replace("_", " ")
                question = (
                    t("dialogue.no_such_place", place=place[0], length=place[1])
                    if place[1]
                    else t("dialogue.list_empty")
                )
                return Ambiguity(question=t("dialogue.which_kind", question=question, kind=kind))
        return None

    def _things_for(self, action: Action) -> Mapping[str, tuple[str, ...]]:
        things = self.things.get(action.pack, {})
        newest = self.newest.get(action.pack, frozenset())
        if not any(slot.type in newest and slot.type in things for slot in action.slots.values()):
            return things
        return {kind: ids for kind, ids in things.items() if kind in newest}


def resolve_references(
    text: str,
    routing: Routing,
    memory: Mapping[str, PackMemory],
    *,
    since: float,
    nouns: EntityNouns | None = None,
) -> ResolvedReferences:
    """Read what a text points at; lists from before `since` (seconds since 1970) are forgotten."""
    said = [value for value in routing.slots.values() if type(value) is int]
    newest = latest_lists(memory, since)
    found: dict[tuple[str, str], ListReferences] = {}
    for pack, kind, listed in _lists(memory, since):
        words = (nouns or {}).get(pack, {}).get(kind, ())
        place = (pack, kind)
        found[place] = list_references(text, kind, listed.values, listed.it, words=words, said=said)
    last = [
        one
        for (pack, kind), there in found.items()
        if kind in newest.get(pack, ())
        for one in there.mentions
    ]
    things: dict[str, dict[str, tuple[str, ...]]] = {}
    beyond: dict[str, dict[str, tuple[int, int]]] = {}
    mentions: list[EntityMention] = []
    for (pack, kind), there in found.items():
        # What another pack listed before is off the table: the same words point at the newest.
        if last and pack not in newest and _meet(there.mentions, last):
            continue
        if there.mentions:
            things.setdefault(pack, {})[kind] = tuple(one.value for one in there.mentions)
            mentions.extend(there.mentions)
        if there.beyond:
            length = len(memory[pack].listed[kind].values)
            beyond.setdefault(pack, {})[kind] = (there.beyond[0], length)
    read = _without_misread(routing, last)
    return ResolvedReferences(_with(read, mentions), things, beyond, newest)


def latest_lists(memory: Mapping[str, PackMemory], since: float) -> Mapping[str, frozenset[str]]:
    """Name the entity types of the newest list, in its pack; an alarm is a code and a machine."""
    lists = [*_lists(memory, since)]
    at = max((listed.at for _, _, listed in lists), default=None)
    newest = [(pack, kind) for pack, kind, listed in lists if listed.at == at]
    return {
        pack: frozenset(kind for home, kind in newest if home == pack)
        for pack in dict.fromkeys(home for home, _ in newest)
    }


def _lists(memory: Mapping[str, PackMemory], since: float) -> Iterator[tuple[str, str, Listed]]:
    for pack, kept in memory.items():
        for kind, listed in kept.listed.items():
            if listed.at >= since:
                yield pack, kind, listed


def _without_misread(routing: Routing, mentions: Sequence[EntityMention]) -> Routing:
    """Leave out names in the words that point: `the first one` names no first officer."""
    misread = {one.value for one in routing.entities if _meet([one], mentions)}
    if not misread:
        return routing
    kept = tuple(one for one in routing.entities if not _meet([one], mentions))
    misread -= {one.value for one in kept}
    slots = {
        name: left
        for name, value in routing.slots.items()
        if (left := _left_of(value, misread)) is not None
    }
    objects = {f"{OBJECT_REASON}{one.type}" for one in routing.entities if one.value in misread}
    reasons = tuple(reason for reason in routing.reasons if reason not in objects)
    return routing.model_copy(update={"entities": kept, "slots": slots, "reasons": reasons})


def _left_of(value: Any, misread: Set[str]) -> Any:  # by slot type
    """Leave misread names out of a value, of a list those alone; None: nothing is left of it."""
    if isinstance(value, list):
        return [one for one in value if one not in misread] or None
    return None if value in misread else value


def _meet(some: Sequence[EntityMention], others: Sequence[EntityMention]) -> bool:
    """Tell whether any of some shares words with any of the others."""
    return any(
        one.span[0] < other.span[1] and other.span[0] < one.span[1]
        for one in some
        for other in others
    )


def _with(routing: Routing, mentions: Sequence[EntityMention]) -> Routing:
    told = tuple(f"points_at:{one.type}:{one.value}" for one in mentions[:5])
    entities, reasons = (*routing.entities, *mentions), (*routing.reasons, *told)
    return routing.model_copy(update={"entities": entities, "reasons": reasons})
