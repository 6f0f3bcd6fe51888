"""Group uncovered tokens to phrases of the text: condition, time, amount, person and the rest."""

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from state.action import Action
from state.policy import Uncovered
from tools.nlu.dialogue_acts.connectives import EXCEPTING
from tools.nlu.intents.utterance import ParsedUtterance
from tools.nlu.lexicon.action_index import Effects
from tools.nlu.lexicon.closed_classes import CONDITION_WORDS
from tools.nlu.lexicon.cue_phrases import (
    AUXILIARIES,
    COURTESY,
    DATED,
    DETERMINERS,
    FUNCTION_WORDS,
    NUMBERS,
    PARTICLES,
    PREPOSITIONS,
    SHARES,
    SUBJECTS,
)
from tools.nlu.lexicon.normalization import Normal, word_set, words_of
from tools.nlu.rejection.uncovered_tokens import CoveredOrder, order_of
from tools.nlu.slots.filling import FilledSlots
from tools.nlu.values.date_offsets import MONTH_NAMES
from tools.nlu.values.time_expressions import TimeSpan
from tools.nlu.values.units import UNITS

_EXCEPTS = EXCEPTING | word_set("besides excluding barring minus without not")
_BINDS = _EXCEPTS | CONDITION_WORDS | word_set("after before until till while than")
"""These bind a condition, an exception or a time: all that their clause says belongs to it."""
_OPENING = 3
"""In so many words a clause behind the order shows what it is: `but only if`."""
_JOINS = word_set("and or plus then")
_PARTS = word_set("half halves quarter quarters thirds both double twice thrice couple few dozen")
_LIMITS = word_set(
    "some partly partially halfway last latest newest oldest only solely once less max maximum bit "
    "little"
)
"""They say which of it, or how much; alone before a thing that was taken they are spent."""
_SPANS = word_set("second seconds minute minutes hour hours day days week weeks month months")
_MOMENTS = (
    _SPANS
    | DATED
    | word_set(
        "later afterwards tonight noon midnight midday dawn dusk morning mornings evening evenings "
        "afternoon afternoons night nights while daily weekly hourly nightly monthly yearly weekend"
    )
)
_ATTACHES = PREPOSITIONS | word_set("as per via into onto during within since that which who whose")
_IN_MONTH = word_set("of in for since during until from through before after")
_NOT_LED = COURTESY - word_set("for in a and then us") | PARTICLES - PREPOSITIONS
"""Little words that lead no phrase."""
_POINTS = word_set("it them me him her i you we he she they")
_OLD_VALUE = (["instead", "of"], ["rather", "than"])
"""Behind these stands what a value replaces, and no limit."""
_SWITCHES = word_set("on off up down in out")
_RELATIVE = word_set("who which that whose")
_UNITS = [[unit] for unit in UNITS]
_SAYS = _PARTS | _MOMENTS | _LIMITS | word_set("or")
_GRAMMAR = FUNCTION_WORDS | _ATTACHES | _BINDS | word_set("instead already")


@dataclass(frozen=True)
class _Phrases:
    """The words that nothing takes, grouped as a person would say them."""

    order: CoveredOrder
    aside: Set[int]
    """Words of a time that no slot takes."""

    @cached_property
    def words(self) -> Sequence[str]:
        return self.order.words

    @cached_property
    def _normal(self) -> Normal:
        return self.order.reading.normal

    @cached_property
    def _taken(self) -> frozenset[int]:
        return self.order.own.taken

    def all(self) -> Iterator[Uncovered]:
        """Give them in the order of the text, each with what ties it to the order."""
        if (request := self._joined_before()) is not None:
            yield request
        end = 0
        for group in self._groups():
            if group[0] < end:
                continue  # said within the phrase before it
            first = self._led_from(group[0])
            leads = self.words[first : group[0]]
            said = self.words[group[0] : group[-1] + 1]
            is_told = self._is_told(first)
            binders = self.words[first : first + _OPENING] if is_told else [*leads, *said]
            is_bound = not _BINDS.isdisjoint(binders)
            is_joined = not _JOINS.isdisjoint(leads) or self._is_joined(group[-1])
            is_joined = is_joined and not (is_told and not self._goes_on(first))
            last = self._clause_end(group[-1]) if is_bound or is_joined else group[-1]
            last += self.words[last][:1].isdigit() and self.words[last + 1 : last + 2] in _UNITS
            measures = any(map(self._measures, group)) or not self._limits.isdisjoint(group)
            is_limit = is_bound or is_joined or (measures and not self._is_reason(first, group))
            is_idle = self._is_old_value(group) or self._describes(group)
            is_idle = is_idle or self._is_said_so(range(first, last + 1), group)
            narrows = is_limit and not is_idle
            is_tied = not is_idle and not _ATTACHES.isdisjoint(leads)
            end = last + 1
            yield Uncovered(
                text=self._written(first, end), narrows=narrows, attaches=narrows or is_tied
            )

    def _written(self, first: int, end: int) -> str:
        tokens = self._normal.tokens
        return self._normal.written(tokens[first].start, tokens[end - 1].end)

    def _joined_before(self) -> Uncovered | None:
        """Give a request that the order goes on from with `and`, where nothing else took it.

        What begins with a subject tells why: `I am freezing and make it 22`.
        """
        clause, cut = self.order.clause, self.order.reading.act.cut
        before = next((one for one in cut.clauses if one.end == clause.first), None)
        act = self.order.reading.act
        if clause.joint not in _JOINS or before is None or before not in act.kept:
            return None
        span = range(before.first, before.end)
        is_told = self.words[before.first] in SUBJECTS | DETERMINERS
        is_asked = any(one.first == before.first for one, _verb in act.asks)
        if is_told or is_asked or self._is_courtesy(span):
            return None
        text = self._written(before.first, before.end)
        return Uncovered(text=text, narrows=True, attaches=True)

    def _is_courtesy(self, span: range) -> bool:
        return all(self.words[place] in FUNCTION_WORDS for place in span)

    def _is_old_value(self, group: Sequence[int]) -> bool:
        """Tell `from 14 to 16` and `instead of 8` by the value that was taken beside them."""
        if self.words[group[0] : group[0] + 2] in _OLD_VALUE:
            return True
        is_from = group[0] > 0 and self.words[group[0] - 1] == "from"
        following = group[-1] + 1
        is_to = self.words[following : following + 1] == ["to"]
        return is_from and is_to and following + 1 in self.order.own.filled.places

    def _describes(self, group: Sequence[int]) -> bool:
        """Tell whether words say more of a thing that was taken: `who bought SO-7007`."""
        is_relative = any(self.words[place] in _RELATIVE for place in range(group[0], group[-1]))
        return is_relative and group[-1] + 1 in self.order.own.filled.places

    def _is_said_so(self, span: range, group: Sequence[int]) -> bool:
        """Tell what an example of the action says as well: `to not done`, `from` and a person."""
        own = self.order.own
        if any(map(self._measures, group)):
            return False
        said = " ".join(self.words[span.start : span.stop])
        kinds = {one.kind for one in own.reading.mentions if one.first == group[0]}
        lead = self.words[group[0] - 1] if group[0] else ""
        for example in own.action.examples:
            words = words_of(example)
            if f" {said} " in f" {' '.join(words)} ":
                return True
            for match in own.reading.names.find(words) if kinds else ():
                is_led = match.first > 0 and words[match.first - 1] == lead
                if is_led and any(kind in kinds for kind, _value in match.payloads):
                    return True
        return False

    def _measures(self, place: int) -> bool:
        """Tell whether a word says how much, how many, when or how often."""
        word = self.words[place].removesuffix("'s")
        is_share = word in SHARES and self.words[place + 1 : place + 2] == ["of"]
        is_number = word in NUMBERS - {"one"} or word[:1].isdigit()
        is_thing = place in self.order.own.named  # `SO-7004` is a number of another kind
        is_said = word in _PARTS | _MOMENTS or is_share or (is_number and not is_thing)
        return is_said or place in self.aside or place in self._months

    def _groups(self) -> Iterator[list[int]]:
        group: list[int] = []
        for place in self._places():
            if group and not all(map(self._is_little, range(group[-1] + 1, place))):
                yield from self._worth_telling(group)
                group = []
            group.append(place)
        yield from self._worth_telling(group)

    def _places(self) -> list[int]:
        named = {*self.aside, *self._months, *self._conjuncts(), *self._limits}
        filled = self.order.own.filled.places
        spent = {
            place
            for place in range(len(self.words))
            if self.words[place] in _LIMITS and self._past_determiners(place + 1) in filled
        }
        found = {*self.order.uncovered(), *named} - spent
        return sorted(
            place
            for place in found - self._in_values - self._own_verb
            if len(self.words[place]) > 1 or self.words[place].isdigit()
        )

    def _worth_telling(self, group: list[int]) -> Iterator[list[int]]:
        """Leave out what only leads to a value, or says nothing: `until` of a day that was read."""
        says = any(
            self.words[place] in _SAYS or self.words[place] not in _GRAMMAR or place in self._months
            for place in group
        )
        if group and (says or not _EXCEPTS.isdisjoint(self.words[place] for place in group)):
            yield group

    @cached_property
    def _in_values(self) -> frozenset[int]:
        """Words of the free texts that slots hold, where they stand in the text."""
        normal, slots = self._normal, self.order.own.action.slots
        values = (
            str(one)
            for name, value in self.order.own.filled.values.items()
            if slots[name].type in ("text", "list")
            for one in (value if isinstance(value, list) else [value])
        )
        spans = [(normal.original.find(one), len(one)) for one in values]
        return frozenset(
            place
            for place, token in enumerate(normal.tokens)
            for start, length in spans
            if 0 <= start <= normal.span(token.start, token.end)[0] < start + length
        )

    def _is_reason(self, first: int, group: Sequence[int]) -> bool:
        """Tell `it rains all week` and `wrong month`, behind an order, from `12 euros only`."""
        if not self._is_told(first) or not self.aside.isdisjoint(group):
            return False
        start, end = self._clause_of(first)
        tells = not (SUBJECTS | AUXILIARIES).isdisjoint(self.words[start:end])
        return tells or not self._measures(min(start, first))

    def _goes_on(self, first: int) -> bool:
        """Tell `and lock it again` from `and the final one comes later`."""
        place = first
        while self.words[place : place + 1] and self.words[place] in _JOINS | COURTESY:
            place += 1
        return any(verb.first == place for verb in self.order.reading.verbs)

    def _is_told(self, place: int) -> bool:
        """Tell whether a phrase stands in what is told behind the order, and not in the order."""
        return not self.order.clause.first <= place < self.order.clause.end

    def _conjuncts(self) -> Iterator[int]:
        """Find what is named beside a thing that was taken, and a second particle.

        `The grinder and the kettle` are two, whatever the examples hold a grinder for; and `switch
        the lamp off and the light on` are two orders.
        """
        filled, clause = self.order.own.filled.places, self.order.clause
        particle, joint = "", clause.first
        for place in range(clause.first + 1, clause.end):
            is_behind = place - 1 in filled
            if self.words[place] in ("and", "or"):
                behind = self._past_determiners(place + 1)
                if behind in filled and place - 1 > clause.first and self._is_own_noun(place - 1):
                    yield place - 1
                if is_behind and behind < clause.end and self._is_own_noun(behind):
                    yield behind
                joint = place
            elif is_behind and self.words[place] in _SWITCHES:
                if particle not in ("", self.words[place]):
                    yield from range(joint + 1, place + 1)
                particle = self.words[place]

    @cached_property
    def _limits(self) -> frozenset[int]:
        """Find `some recordings`, `a little` and one of two things: `the radio or the TV`."""
        filled, clause = self.order.own.filled.places, self.order.clause

        def is_limit(place: int) -> bool:
            behind = self._past_determiners(place + 1)
            if self.words[place] == "or":
                return place - 1 in filled and behind in filled
            return self.words[place] in _LIMITS and place not in filled and behind not in filled

        return frozenset(filter(is_limit, range(clause.first, clause.end)))

    def _is_own_noun(self, place: int) -> bool:
        is_free = place not in self.order.own.filled.places and place not in self._verb
        word = self.words[place]
        return is_free and word not in _GRAMMAR and word.isalpha()

    @cached_property
    def _verb(self) -> range:
        verb = self.order.reading.verb
        return range(verb.first, verb.end) if verb is not None else range(0)

    @cached_property
    def _own_verb(self) -> frozenset[int]:
        """The verb of the order, where the action is called by it; any other is told."""
        action = self.order.own.action
        called = {*action.name.split("_"), *words_of(action.verb)}
        called = called.union(*map(words_of, action.words))
        return frozenset(place for place in self._verb if self.words[place] in called)

    @cached_property
    def _months(self) -> frozenset[int]:
        """Find `of May`: a month where a preposition leads it, and a verb anywhere else."""
        words, own = self.words, self.order.own
        return frozenset(
            place
            for place in range(1, len(words))
            if words[place] in MONTH_NAMES
            and words[place - 1] in _IN_MONTH
            and place not in self._taken
            and words[place] not in own.values
        )

    def _is_little(self, place: int) -> bool:
        return self.words[place] in FUNCTION_WORDS and place not in self._taken

    def _led_from(self, first: int) -> int:
        """Say where a phrase begins, with the little words that lead to what it says."""
        start = self._clause_of(first)[0]
        while first > start and self._leads(first - 1):
            first -= 1
        return first

    def _leads(self, place: int) -> bool:
        word = self.words[place]
        is_lead = word in _GRAMMAR and word not in _NOT_LED | _POINTS
        return is_lead and place not in self._taken

    def _is_joined(self, last: int) -> bool:
        """Tell `the grinder` of `the grinder and the kettle`."""
        behind = self._past_determiners(last + 2)
        is_joint = self.words[last + 1 : last + 2] in (["and"], ["or"])
        return is_joint and behind in self.order.own.filled.places

    def _past_determiners(self, place: int) -> int:
        while place < len(self.words) and self.words[place] in DETERMINERS:
            place += 1
        return place

    def _clause_of(self, place: int) -> tuple[int, int]:
        clauses = self.order.reading.act.cut.clauses
        own = next((one for one in clauses if one.first <= place < one.end), None)
        return (own.first, own.end) if own is not None else (self.order.end, len(self.words))

    def _clause_end(self, last: int) -> int:
        end = self._clause_of(last)[1]
        while end - 1 > last and self.words[end - 1] in COURTESY:
            end -= 1
        return max(last, end - 1)


def uncovered_in(
    reading: ParsedUtterance,
    action: Action,
    filled: FilledSlots,
    effects: Effects,
    time: TimeSpan | None,
) -> tuple[Uncovered, ...]:
    """Give the phrases of an order that nothing takes, in the order of the text.

    Of a read only what narrows it: what else it names is mostly what it is about.

    Args:
        time: when or how often it is to be done, where the action has no slot for that.
    """
    order = order_of(reading, action, filled, effects)
    if order is None:
        return ()
    places = range(time.first, time.end) if time is not None else ()
    aside = frozenset(places) if filled.places.isdisjoint(places) else frozenset()
    found = _Phrases(order, aside).all()
    return tuple(one for one in found if one.narrows or action.effect != "read")
