"""Choose the action that takes the entity type referred to; a read never becomes a change.

`Cancel it` is of a task or of an order.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from state.action import PRIMITIVE_SLOT_TYPES, Action, Slot
from state.policy import ASKS_NOTHING, Routing
from state.session import Shown
from tools.dialogue.dialogue_state import DialogueState
from tools.dialogue.reference_resolution import (
    OBJECT_REASON,
    ResolvedReferences,
    latest_lists,
    resolve_references,
)
from tools.ports import Catalogue

_SHOW = "show"


@dataclass(frozen=True)
class TypeCoercion:
    """Turns a reading to what was listed last, where the words alone leave the thing open.

    The kind of what was listed last decides between actions that the same verb asks for, and a
    request that names no thing goes on with the one that the same person has just looked at.
    """

    catalogue: Catalogue
    recall: DialogueState
    sure: float
    """How sure it is that a look at the second one is one at the thing itself."""

    def turned(self, read: ResolvedReferences) -> ResolvedReferences:
        """Give the reading with the action that fits, and with the thing that goes without saying.

        Whatever comes of it is classified and asked for as if it had been said in full.
        """
        action = self.catalogue.actions.get(read.routing.action or "")
        if action is None or read.routing.mood in ASKS_NOTHING:
            return read
        for pack, kinds in read.newest.items():
            pointed = {kind for kind in kinds if kind in read.things.get(pack, {})}
            if pointed:
                return self._of_kind(read, action, pack, pointed)
        return self._gone_on(read, action)

    def _of_kind(
        self, read: ResolvedReferences, action: Action, pack: str, kinds: set[str]
    ) -> ResolvedReferences:
        """Turn to the action of the kind that is pointed at, unless this one takes it."""
        if action.pack == pack and any(slot.type in kinds for slot in action.slots.values()):
            return read
        routing = read.routing
        is_one = all(len(read.things[pack][kind]) == 1 for kind in kinds)  # `show all jobs` lists
        is_open = is_one and _is_of_nothing(action, routing)
        if not self._lacks(action, routing.slots) and not is_open:
            return read
        other = self._counterpart(routing, action, pack, kinds)
        if other is None:
            return read
        turned = _turned_to(other, read, action)
        is_shown = other == self._view(pack, kinds) and routing.verb_family == _SHOW
        return self._sure_of(turned) if is_shown else turned

    def _sure_of(self, read: ResolvedReferences) -> ResolvedReferences:
        """Let a plain look at what is pointed at run, however its words may sound."""
        update = {"confidence": max(read.routing.confidence, self.sure), "held": None}
        return replace(read, routing=read.routing.model_copy(update=update))

    def _gone_on(self, read: ResolvedReferences, action: Action) -> ResolvedReferences:
        """Take the thing that was looked at last for one that nobody names: `order two`."""
        given = read.arguments(action)
        lacks = self._lacks(action, given)
        is_said = action.floor == "A" or bool(given)
        if not lacks or not is_said or read.things or read.beyond:
            return read
        for pack, kind, thing in self._looked_at():
            fitting = action if action.pack == pack and _takes(action, {kind}) in lacks else None
            other = fitting or self._counterpart(read.routing, action, pack, {kind})
            if other is not fitting and action.floor == "A":
                continue  # `show the history` is of a machine, and not of the job just seen
            if other is None:
                continue
            things = {pack: {kind: (thing,)}}
            routing = read.routing.model_copy(
                update={"reasons": (*read.routing.reasons, f"points_at:{kind}:{thing}")}
            )
            gone = replace(read, routing=routing, things=things)
            gone = gone if other is action else _turned_to(other, gone, action)
            if not self.catalogue.missing(other.name, gone.arguments(other)):
                return gone
        return read

    def _looked_at(self) -> Iterator[tuple[str, str, str]]:
        """Give pack, kind and id of what this person looked at, when nothing was listed since."""
        shown, memory = self.recall.shown, self.recall.memory
        for pack, kinds in latest_lists(memory, self.recall.since).items():
            for kind in sorted(kinds):
                listed = memory[pack].listed[kind]
                it = listed.it or (listed.values[0] if len(listed.values) == 1 else None)
                if it is not None and _is_it(shown, it):
                    yield pack, kind, it

    def _counterpart(
        self, routing: Routing, action: Action, pack: str, kinds: set[str]
    ) -> Action | None:
        """Find what the same verb asks for of another kind; a read becomes no change."""
        verb = routing.said_verb
        for name in (one.action for one in routing.alternatives):
            other = self.catalogue.actions.get(name)
            if other is None or other.pack != pack or not _takes(other, kinds, required=True):
                continue
            is_read = other.floor == "A"
            if is_read == (action.floor == "A") and (is_read or _is_asked_by(other, verb)):
                return other
        return self._view(pack, kinds) if action.floor == "A" else None

    def _view(self, pack: str, kinds: set[str]) -> Action | None:
        """Find the read that shows a thing of a kind."""
        own = self.catalogue.pack(pack).actions.values()
        shows = [one for one in own if one.floor == "A" and one.verb == _SHOW]
        of_kind = [one for one in shows if _takes(one, kinds)]
        own_view = (one for one in of_kind if one.object in kinds)
        return next(own_view, of_kind[0] if len(of_kind) == 1 else None)

    def _lacks(self, action: Action, given: Mapping[str, Any]) -> list[str]:  # by slot type
        """Name the required things that are not given."""
        return [
            name
            for name in self.catalogue.missing(action.name, given)
            if _may_go_unsaid(action.slots[name])
        ]


def references_in(
    text: str, routing: Routing, catalogue: Catalogue, recall: DialogueState
) -> ResolvedReferences:
    """Read what a text points at of all that is remembered, whatever action is meant."""
    nouns = {
        pack.name: {name: kind.words for name, kind in pack.entities.items()}
        for pack in catalogue.packs
    }
    return resolve_references(text, routing, recall.memory, since=recall.since, nouns=nouns)


def _is_asked_by(action: Action, verb: str) -> bool:
    """Tell whether a verb is among the words that ask for an action: `mark` is in `mark done`."""
    first = verb.partition(" ")[0]
    return bool(first) and any(word.partition(" ")[0] == first for word in action.words)


def _is_of_nothing(action: Action, routing: Routing) -> bool:
    """Tell whether it is a read of no thing that was named: `show me the last one`."""
    is_named = any(reason.startswith(OBJECT_REASON) for reason in routing.reasons)
    return action.floor == "A" and not routing.slots and not is_named


def _turned_to(other: Action, read: ResolvedReferences, action: Action) -> ResolvedReferences:
    routing = read.routing
    kept = {
        name: value
        for name, value in routing.slots.items()
        if name in other.slots and other.slots[name].type == action.slots[name].type
    }
    beside = [one for one in routing.alternatives if one.action != other.name]
    update = {
        "action": other.name,
        "slots": kept,
        "missing_slots": _missing(other, kept),
        "alternatives": tuple(beside),
        "not_found": {},
        "choices": {},
        "reasons": (*routing.reasons, f"turned_from:{action.name}"),
    }
    return replace(read, routing=routing.model_copy(update=update))


def _missing(action: Action, given: Mapping[str, Any]) -> tuple[str, ...]:  # by slot type
    return tuple(name for name, slot in action.slots.items() if slot.required and name not in given)


def _takes(action: Action, kinds: Collection[str], *, required: bool = False) -> str:
    """Name the slot that takes a thing of one of the kinds; empty: none does."""
    slots = action.slots.items()
    fitting = (name for name, slot in slots if slot.type in kinds and slot.required >= required)
    return next(fitting, "")


def _may_go_unsaid(slot: Slot) -> bool:
    """Tell whether it is a thing, and nobody whom something is sent to."""
    return slot.type not in PRIMITIVE_SLOT_TYPES and slot.risk != "recipients"


def _is_it(shown: Shown | None, thing: str) -> bool:
    return shown is not None and shown.thing == thing
