"""Which tokens of an order are covered by a value, the verb, the entry or the examples."""

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from rapidfuzz.distance import OSA

from state.action import Action
from tools.nlu.entities.names import PackEntityType
from tools.nlu.intents.utterance import ParsedUtterance
from tools.nlu.lexicon.action_index import Effects
from tools.nlu.lexicon.cue_phrases import DATED, HARMLESS, NUMBERS, PREPOSITIONS, SHARES
from tools.nlu.lexicon.normalization import plural, word_set, words_of
from tools.nlu.rejection.lexical_mismatch import said_with
from tools.nlu.slots.filling import FilledSlots
from tools.nlu.slots.number_slots import own_unit
from tools.nlu.values.units import UNITS

_SPAN = re.compile(r"\d\d?:\d\d-\d\d?:\d\d")
"""From one time of the day to another: hours, where an action takes any."""
_BEFORE_PLACE = word_set("number nr no item result")
_RELATES = word_set("before after than replacing without that which whoever whatever")
"""Whatever stands before these, it is not the thing behind them."""
_ANOTHER = word_set("another different")
_COUNTS = NUMBERS - {"one"}
_EVERY = word_set("all every each any both")
_PROPERTIES = SHARES | word_set("number nr")
_DONE = word_set("done complete finished closed")
_LONG = 5
"""Letters from which a name with one slip in it is still that name: `libary`."""


@dataclass(frozen=True)
class TokenCoverage:
    """What of a text an action takes."""

    reading: ParsedUtterance
    action: Action
    filled: FilledSlots
    effects: Effects

    @cached_property
    def words(self) -> Sequence[str]:
        """The words of the text."""
        return self.reading.normal.words

    def is_read(self, place: int, turns: Set[str]) -> bool:
        """Tell whether a word says nothing more than the order.

        Args:
            turns: words that do, whatever the examples hold them for.
        """
        word, before = self.words[place], self.words[place - 1] if place else ""
        if place in self.taken or (_SPAN.fullmatch(word) and self._is_measured):
            return True
        if word in UNITS and place - 1 in self.filled.places - self._of_mentions:
            return self._has_unit  # `order 40 litres` of what is counted in drums
        if word.isdigit() and before in _BEFORE_PLACE and place - 2 not in self.filled.places:
            return True  # `cancel number 3`, but not `cancel WO-1042 number 3`
        if word[:1].isdigit() or (word in _COUNTS and self._takes_number):
            return False  # many an example says `8`; what nobody took of this text is left open
        is_dated = word.removesuffix("'s") in DATED or (before, word) == ("for", "now")
        if word not in turns and self._is_of_value(word):
            return True
        if word in _ANOTHER and not self._is_own(place + 1):
            return False  # `share it with another yard`, but `order another filter`
        if word in _EVERY and place + 1 in self._of_empty_slots:
            return False  # `share it with all yards`, of which none was taken
        if place in self.named or is_dated or word.removeprefix("un") in self._limits:
            return False
        if self._is_name(word):
            return True
        return self._is_known(word) and word not in turns and not self._is_made_of_it(place)

    def _is_own(self, place: int) -> bool:
        """Tell whether a word, past a number, is what the action is about."""
        following = (self.words[place : place + 1] or [""])[0]
        place += following in NUMBERS or following.isdigit()
        return place in self.filled.places or place in self._of_object

    @cached_property
    def _of_object(self) -> frozenset[int]:
        """Words for what the action is about."""
        own = (one for one in self.reading.things.all if one.name == self.action.object)
        return frozenset(place for one in own for place in range(one.first, one.end))

    def _is_made_of_it(self, place: int) -> bool:
        """Tell whether a word stands right behind an id, and makes another thing of it."""
        is_behind = any(
            one.end == place and one.first in self.filled.places and one.is_known
            for one in self.reading.mentions
        )
        is_id = is_behind and any(map(str.isdigit, self.words[place - 1]))
        known = HARMLESS | PREPOSITIONS | _DONE | self._of_entry  # `mark WO-1040 complete`
        return is_id and self.words[place] not in known

    def _is_of_value(self, word: str) -> bool:
        """Tell whether a word is of the name of a thing that was taken: `the radar housing job`."""
        names = self.reading.names
        types = {slot.type for slot in self.action.slots.values()}
        named = (
            names.of(PackEntityType(self.action.pack, type_)).by_word.get(word, ())
            for type_ in types
        )
        return any(not self._values.isdisjoint(things) for things in named)

    @cached_property
    def _of_entry(self) -> frozenset[str]:
        """Words for its verb."""
        return frozenset(word for phrase in self.action.words for word in words_of(phrase))

    def is_other(self, place: int) -> bool:
        """Tell whether the word before this one is what is meant, and not what stands behind it."""
        word, head = self.words[place], self.words[place - 1]
        if word in _RELATES:
            return True
        if word not in PREPOSITIONS or place - 1 in self.filled.places:
            return False
        if head in UNITS and place - 2 in self.filled.places:
            return False  # `refund 20 euros on SO-7001`
        is_whole = head in HARMLESS and head not in _PROPERTIES
        return not (self.says(f"{head} {word}") or self._is_name(head) or is_whole)

    def is_its(self, place: int) -> bool:
        """Tell whether a word is what belongs to the thing before it: `Ben's boss`, `oil pumps`."""
        word, thing = self.words[place], self.words[place - 1]
        if place in self.taken or self._is_name(word):
            return False
        if thing.endswith("'s"):
            return not self.says(f"'s {word}")
        is_plural = word.isalpha() and word.endswith("s") and not word.endswith("ss")
        return is_plural and thing.isalpha() and word not in HARMLESS

    @cached_property
    def taken(self) -> frozenset[int]:
        """Words of the values, of the verb, and of names of what the action is about."""
        slots = (slot.type for slot in self.action.slots.values())
        kinds = {self.action.object, self.action.container, *slots}
        spans = [(one.first, one.end) for one in self.reading.things.all if one.name in kinds]
        said = {place for first, end in spans for place in range(first, end)}
        if self.reading.verb is not None:
            said |= {*range(self.reading.verb.first, self.reading.verb.end)}
        return self.filled.places | (said - self._of_others)

    @cached_property
    def named(self) -> frozenset[int]:
        """Words of the things that are known and that no value names."""
        known = (one for one in self.reading.mentions if one.is_known)
        places = {place for one in known for place in range(one.first, one.end)}
        return frozenset(places - self.taken)

    @cached_property
    def rivals(self) -> frozenset[int]:
        """Words of the things of its own kind that no value names."""
        own = {
            place
            for one in self.reading.mentions
            if one.kind.type == self.action.object
            for place in range(one.first, one.end)
        }
        return frozenset(own & self.named)

    @cached_property
    def _of_others(self) -> frozenset[int]:
        """Words of things that a slot could hold and none does: Ben, where it is not given him."""
        taken, types = self._values, {slot.type for slot in self.action.slots.values()}
        others = (
            one
            for one in self.reading.mentions
            if one.is_known and one.kind.type in types and one.value not in taken
        )
        return frozenset(place for one in others for place in range(one.first, one.end))

    @cached_property
    def _of_empty_slots(self) -> frozenset[int]:
        """Words for the kinds of things whose slots hold nothing."""
        filled, slots = self.filled.values, self.action.slots
        kinds = {slot.type for name, slot in slots.items() if name not in filled}
        empty = (one for one in self.reading.things.all if one.name in kinds)
        return frozenset(place for one in empty for place in range(one.first, one.end))

    @cached_property
    def values(self) -> frozenset[str]:
        """Words of the values, free words among them."""
        return frozenset(word for value in self._values for word in words_of(value))

    @cached_property
    def _values(self) -> frozenset[str]:
        values = self.filled.values.values()
        each = (value if isinstance(value, list) else [value] for value in values)
        return frozenset(map(str, chain.from_iterable(each)))

    def _is_known(self, word: str) -> bool:
        row = self.effects.places[self.action.name]
        return word in HARMLESS or bool(said_with(word.removesuffix("'s"), self.effects)[row])

    def _is_name(self, word: str) -> bool:
        return word in self._names or any(
            len(name) >= _LONG and OSA.distance(word, name, score_cutoff=1) <= 1
            for name in self._names
        )

    def says(self, pair: str) -> bool:
        """Tell whether an example of the action names something so: `job for`."""
        return self.effects.places[self.action.name] in self.effects.related.get(pair, ())

    @cached_property
    def _has_unit(self) -> bool:
        return any(
            own_unit(self.action, name) is not None
            for name, slot in self.action.slots.items()
            if slot.type in ("integer", "number")
        )

    @cached_property
    def _takes_number(self) -> bool:
        return any(slot.type in ("integer", "number") for slot in self.action.slots.values())

    @cached_property
    def _is_measured(self) -> bool:
        return any(slot.type in ("number", "date") for slot in self.action.slots.values())

    @cached_property
    def _of_mentions(self) -> frozenset[int]:
        mentions = self.reading.mentions
        return frozenset(place for one in mentions for place in range(one.first, one.end))

    @cached_property
    def _limits(self) -> Set[str]:
        """Words that choose some of its things: nothing of an action takes them that is of all."""
        is_of_all = not any(slot.required for slot in self.action.slots.values())
        return self.effects.choices if is_of_all else frozenset()

    @cached_property
    def _names(self) -> frozenset[str]:
        """Words for what the action is about and for what its slots hold."""
        action = self.action
        types = (slot.type for slot in action.slots.values())
        names = (action.object, action.container or "", *action.slots, *types)
        said = [word for name in names for word in words_of(name)]
        return frozenset([*said, *map(plural, said)])
