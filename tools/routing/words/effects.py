"""What the actions of a catalogue do, and with which verbs they are asked for."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

from state.action import Action
from tools.routing.words.asking import keys_of
from tools.routing.words.families import FAMILIES
from tools.routing.words.verbs import Verb, family_of
from tools.routing.words.wording import Wording

Marks = npt.NDArray[np.bool_]


def any_of(marks: Marks) -> bool:
    """Tell whether anything is marked: a fifth of the time that `marks.any()` takes on so few."""
    return bool(np.count_nonzero(marks))


@dataclass(frozen=True)
class Effects:
    """What the actions of a catalogue do: (actions,) each."""

    is_write: Marks
    places: Mapping[str, int]
    uses: Mapping[str, Marks]
    """Verb family → the actions whose examples ask with it."""
    asked_with: Mapping[str, Marks]
    """Verb phrase, or group of synonyms → the actions whose entry or examples ask with it."""
    often_asked_with: Mapping[str, Marks]
    """Verb phrase → the actions of whose examples a share asks with it."""
    opened_with: Mapping[str, Marks]
    """Word → the actions with an example that holds it among its first words."""
    said_with: Mapping[str, Marks]
    """Word → the actions whose entry or examples hold it anywhere."""
    is_bare: Marks
    """It takes no slot."""
    takes_text: Marks
    """One of its slots takes free words."""
    wordless: Mapping[str, Marks]
    """Family → the actions of it whose entry names no words of its own: any verb of it will do."""
    related: Mapping[str, Sequence[int]]
    """`job for`, `'s job`: what an example says of something → the actions of those examples."""
    choices: frozenset[str]
    """Words of one that a slot of some action chooses by: `unread`, `urgent`."""
    takes_back: Mapping[int, int]
    """Action → the one that its `undo` names, by their places."""
    kinds: Sequence[frozenset[str]]
    """Of each action the kinds of what its slots hold."""

    def nothing(self) -> Marks:
        """Mark no action."""
        return np.zeros(len(self.is_write), bool)

    def marked(self, by: Mapping[str, Marks], keys: Iterable[str]) -> Marks:
        """Mark what any of some keys marks."""
        marks = self.nothing()
        for key in keys:
            own = by.get(key)
            if own is not None:  # to join with False takes numpy twice as long as with an array
                marks |= own
        return marks

    def asked_by(self, verb: Verb) -> Marks:
        """Mark the actions that a verb, or a synonym of it, asks for."""
        marks = self.marked(self.asked_with, keys_of(verb))
        for action in verb.actions:
            marks[self.places[action]] = True
        return marks


def effects_of(actions: Sequence[Action], wording: Wording) -> Effects:
    """Mark what each action does and with which verbs its examples ask for it."""

    def marked(places: Mapping[str, Sequence[int]]) -> Mapping[str, Marks]:
        marks = np.zeros((len(places), len(actions)), bool)
        rows = np.repeat(np.arange(len(places)), [len(own) for own in places.values()])
        marks[rows, np.fromiter(chain.from_iterable(places.values()), int)] = True
        return dict(zip(places, marks, strict=True))

    places = {action.name: place for place, action in enumerate(actions)}
    return Effects(
        is_write=np.array([action.effect != "read" for action in actions], bool),
        places=places,
        uses=marked(wording.uses),
        asked_with=marked(wording.asked_with),
        often_asked_with=marked(wording.often_asked_with),
        opened_with=marked(wording.opened_with),
        said_with=marked(wording.said_with),
        related=wording.related,
        choices=frozenset(
            choice.lower()
            for action in actions
            for slot in action.slots.values()
            for choice in slot.choices
        ),
        takes_text=np.array(
            [any(slot.type == "text" for slot in action.slots.values()) for action in actions], bool
        ),
        is_bare=np.array([not action.slots for action in actions], bool),
        wordless=marked(_wordless(actions)),
        takes_back={
            places[action.name]: places[action.undo] for action in actions if action.undo in places
        },
        kinds=[frozenset(slot.type for slot in one.slots.values()) for one in actions],
    )


def _wordless(actions: Sequence[Action]) -> Mapping[str, Sequence[int]]:
    """Sort the actions without words by family; the verb of a pack's own making fits any."""
    found: dict[str, list[int]] = {}
    for place, action in enumerate(actions):
        if action.words:
            continue
        own = family_of(action.verb)
        for family in (own,) if own in FAMILIES else (own, *FAMILIES):
            found.setdefault(family, []).append(place)
    return found
