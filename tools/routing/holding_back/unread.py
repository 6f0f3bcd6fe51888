"""Which words of an order that a person has to agree to are accounted for by nothing?

`Cancel WO-1042 oops wrong chat` and `close the valve of WO-1042` hold everything that an order of
an action holds, and more. What takes it back, doubts it or makes it another one is said in more
ways than anyone can list; what belongs to an order is a short list.
"""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from state.action import Action
from tools.routing.holding_back.key_words import led_by, said_with
from tools.routing.reading import Reading
from tools.routing.slots.filling import Filled
from tools.routing.slots.measures import UNITS
from tools.routing.speech_acts.clauses import Clause
from tools.routing.speech_acts.marks import strange_marks
from tools.routing.words.effects import Effects
from tools.routing.words.normalise import words_of
from tools.routing.words.of_orders import (
    DATED,
    HARMLESS,
    PREPOSITIONS,
    TURNS,
    TURNS_IN_ORDER,
)
from tools.routing.words.phrases import plural, word_set
from tools.routing.words.signs import POLITE_IF

UNREAD = "unread:"
"""Begins the reason that names such words."""
_TELLS = re.compile(
    r"(?:anyway |and |now )?(?:he|she|it|they|we|the|our|this|these|(?:he|she|it|they|we)'[\w]+) .*"
)
"""A clause of these, behind the order, tells why: `she's free tomorrow`, `the pump is fixed`."""
_SPAN = re.compile(r"\d\d?:\d\d-\d\d?:\d\d")
_REASONS = tuple([word] for word in word_set("because since as so for cause cos due"))
"""At the head of a clause beside the order these say why."""
_BECAUSE = word_set("because cause cos since")
_RELATES = word_set("before after than replacing without that which whoever whatever")
"""Whatever stands before these, it is not the thing behind them."""
_DETERMINED = word_set("the a our my this")
_MARKED = re.compile(r"(?:^|\n)\s*(?:--|//|<!--|[%;])\s*$")
"""What begins a comment, right before the order."""
_ENDS = re.compile(r"[.!)]\s*$")
_YEAH_RIGHT = re.compile(r"(?:oh )?(?:yeah|sure|yes) (?:right|sure)")


def unread_in(
    reading: Reading, action: Action, filled: Filled, effects: Effects
) -> tuple[str, ...]:
    """Give the words of an order that nothing takes, in the order of the text; mostly none.

    A word counts as read that is part of a value, of the verb, or of a name of what the action is
    about; that the entry or an example of the action holds; or that says nothing. A sentence before
    the order is told, and not judged here.
    """
    ask = reading.act.ask
    if reading.act.mood not in ("command", "request") or ask is None:
        return ()
    order = _Order(reading, ask.clause, action, filled, effects)
    places = sorted({*order.within(), *order.behind(), *order.before(), *order.of_things()})
    return tuple(order.words[place] for place in places) or order.marks()


@dataclass(frozen=True)
class _Order:
    """An order, and what of it was understood."""

    reading: Reading
    clause: Clause
    action: Action
    filled: Filled
    effects: Effects

    @cached_property
    def words(self) -> Sequence[str]:
        return [token.text for token in self.reading.normal.tokens]

    @cached_property
    def end(self) -> int:
        """Where what is told to a slot begins, behind a colon or `that`."""
        first = self.reading.act.cut.content_first
        takes_text = any(slot.type in ("text", "list") for slot in self.action.slots.values())
        return first if first is not None and takes_text else len(self.words)

    def within(self) -> Iterator[int]:
        """Find them in the order itself, behind what leads to it."""
        tokens = self.reading.normal.tokens[self.clause.first : self.clause.end]
        first = self.clause.first + led_by(tokens)
        if _YEAH_RIGHT.match(" ".join(self.words[self.clause.first : first])):
            yield self.clause.first
        for place in self._without_if_possible(range(first, min(self.clause.end, self.end))):
            if self.words[place] in _BECAUSE:
                return
            if self.words[place] in self._values or self._is_read(place, TURNS_IN_ORDER):
                continue
            yield place

    def behind(self) -> Iterator[int]:
        """Find them in the clauses behind it that ask for nothing else and give no reason."""
        others = {clause.first for clause, verb in self.reading.act.asks if verb is not None}
        cut = self.reading.act.cut
        spans = [
            (range(clause.first, min(clause.end, self.end)), clause.joint) for clause in cut.clauses
        ]
        if cut.content_first is not None:
            spans.append((range(cut.content_first, self.end), ""))
        for whole, joint in spans:
            is_reason = self.words[whole.start : whole.start + 1] in _REASONS
            if whole.start < self.clause.end or whole.start in others or is_reason:
                continue
            span = self._without_if_possible(whole)
            said = [self.words[place] for place in span]
            names = any(
                one.first in span and one.first in self.filled.places
                for one in self.reading.mentions
            )
            if joint == "not" and names:
                yield from span
            elif joint == "not" and self._is_of_names(span):
                continue  # `assign it to Ben, not Tom`
            elif names or not (TURNS.isdisjoint(said) and _TELLS.fullmatch(" ".join(said))):
                yield from (place for place in span if not self._is_read(place, TURNS))

    def before(self) -> Iterator[int]:
        """Find whom it is said to, and the lines that put it somewhere: `Not allowed:`, `Tom,`."""
        normal = self.reading.normal
        start = normal.tokens[self.clause.first].start
        for clause in self.reading.act.cut.clauses:
            if clause.end > self.clause.first:
                return
            tokens = normal.tokens[clause.first : clause.end]
            span = range(clause.first + led_by(tokens), clause.end)
            written = normal.text[tokens[0].start : start]
            is_line = "\n" in written and not _ENDS.search(written.partition("\n")[0])
            is_name = self._named.issuperset(span)
            if (is_line or is_name) and not self._is_courtesy(span):
                yield from (place for place in span if place not in self._taken)

    def of_things(self) -> Iterator[int]:
        """Find what is said of a thing that was taken for it: `valve of WO-1042`, `Ben's boss`."""
        for one in self.reading.mentions:
            if one.first not in self.filled.places or one.first not in self.reading.asked:
                continue
            before = one.first - 1
            while before > self.clause.first and self.words[before] in _DETERMINED:
                before -= 1
            if before > self.clause.first and self._is_other(before):
                yield before - 1
            if one.end < self.reading.asked.stop and self._is_its(one.end):
                yield one.end

    def marks(self) -> tuple[str, ...]:
        """Give the signs that say something, where the words leave nothing open."""
        normal = self.reading.normal
        end = normal.tokens[self.end].start if self.end < len(self.words) else len(normal.text)
        before = normal.text[: normal.tokens[self.clause.first].start]
        found = strange_marks(normal.text[:end].replace("->", ""))
        return tuple(found or (_MARKED.search(before) or [""])[0].strip())

    def _is_read(self, place: int, turns: Set[str]) -> bool:
        word = self.words[place]
        if place in self._taken or _SPAN.fullmatch(word):
            return True
        before = self.words[place - 1] if place else ""
        if (word in UNITS and place - 1 in self.filled.places) or (
            word.isdigit() and before in ("number", "nr", "no", "item", "result")
        ):
            return True
        if place in self._named or word in DATED:
            return False
        return word in self._names or (self._is_known(word) and word not in turns)

    def _is_known(self, word: str) -> bool:
        row = self.effects.places[self.action.name]
        return word in HARMLESS or bool(said_with(word.removesuffix("'s"), self.effects)[row])

    def _is_other(self, place: int) -> bool:
        """Tell whether the word before this one is what is meant, and not what stands behind it."""
        word, head = self.words[place], self.words[place - 1]
        if word in _RELATES:
            return True
        if word not in PREPOSITIONS or place - 1 in self.filled.places:
            return False
        return not (self._says(f"{head} {word}") or head in self._names or head in HARMLESS)

    def _is_its(self, place: int) -> bool:
        """Tell whether a word is what belongs to the thing before it: `Ben's boss`, `oil pumps`."""
        word, thing = self.words[place], self.words[place - 1]
        if place in self._taken or word in self._names:
            return False
        if thing.endswith("'s"):
            return not self._says(f"'s {word}")
        is_plural = word.isalpha() and word.endswith("s") and not word.endswith("ss")
        return is_plural and thing.isalpha() and word not in HARMLESS

    def _says(self, pair: str) -> bool:
        return self.effects.places[self.action.name] in self.effects.related.get(pair, ())

    def _is_of_names(self, span: Sequence[int]) -> bool:
        said = [place for place in span if self.words[place] not in ("not", "to", "the", "for")]
        return bool(said) and self._named.issuperset(said)

    def _is_courtesy(self, span: range) -> bool:
        return all(self.words[place] in HARMLESS for place in span)

    def _without_if_possible(self, span: range) -> Sequence[int]:
        words = self.words[span.start : span.stop]
        found = POLITE_IF.finditer(" ".join(words))
        polite = {word for one in found for word in one[0].split()}
        return [place for place, word in zip(span, words, strict=True) if word not in polite]

    @cached_property
    def _named(self) -> frozenset[int]:
        """Words of the things that are known and that no value names."""
        known = (one for one in self.reading.mentions if one.is_known)
        places = {place for one in known for place in range(one.first, one.end)}
        return frozenset(places - self._taken)

    @cached_property
    def _taken(self) -> frozenset[int]:
        slots = (slot.type for slot in self.action.slots.values())
        kinds = {self.action.object, self.action.container, *slots}
        spans = [(one.first, one.end) for one in self.reading.things.all if one.name in kinds]
        if self.reading.verb is not None:
            spans.append((self.reading.verb.first, self.reading.verb.end))
        said = {place for first, end in spans for place in range(first, end)}
        return self.filled.places | said

    @cached_property
    def _names(self) -> frozenset[str]:
        """Words for what the action is about and for what its slots hold."""
        action = self.action
        types = (slot.type for slot in action.slots.values())
        names = (action.object, action.container or "", *action.slots, *types)
        said = [word for name in names for word in words_of(name)]
        return frozenset([*said, *map(plural, said)])

    @cached_property
    def _values(self) -> frozenset[str]:
        """Words of the values, free words among them."""
        values = chain.from_iterable(
            map(str, value) if isinstance(value, list) else [str(value)]
            for value in self.filled.values.values()
        )
        return frozenset(word for value in values for word in words_of(value))
