"""Tokens of an order that nothing covers, trailing clauses and places outside the catalogue."""

import re
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from state.action import Action
from tools.nlu.dialogue_acts.clauses import Clause
from tools.nlu.dialogue_acts.negation import negator_in, strange_marks
from tools.nlu.entities.recognition import Mention
from tools.nlu.intents.utterance import ParsedUtterance
from tools.nlu.lexicon.action_index import Effects
from tools.nlu.lexicon.closed_classes import CONDITION_WORDS
from tools.nlu.lexicon.cue_phrases import (
    DATED,
    DETERMINERS,
    HARMLESS,
    SUBJECTS,
    TAKES_BACK,
    TURNS_IN_ORDER,
    TURNS_TOLD,
)
from tools.nlu.lexicon.normalization import word_set
from tools.nlu.lexicon.politeness import Provisos, provisos_in
from tools.nlu.lexicon.verbs import bases
from tools.nlu.rejection.lexical_mismatch import led_by
from tools.nlu.rejection.token_coverage import TokenCoverage
from tools.nlu.slots.filling import FilledSlots

_POINTS = word_set("it that this them these those")
_HERE = word_set(
    "system app application software computer program tool database list register records books "
    "meantime"
)
"""What is done in these is done here, and what is done meanwhile is done."""

_SOME = word_set("some one another any")
_TIMES = word_set("day days time point stage year evening night morning afternoon week month")


def some_time_in(words: Sequence[str], span: range, taken: Set[int]) -> Iterator[int]:
    """Find what leaves open when: `close WO-1042 some day`, `at some point`, `one of these days`.

    Args:
        taken: the words of the order's values.
    """
    for place in range(span.start + 2, span.stop):
        if words[place] not in _TIMES:
            continue
        before = range(place - 1, max(span.start, place - 3) - 1, -1)
        some = next((at for at in before if words[at] in _SOME), None)
        if some is not None and taken.isdisjoint(range(some, place + 1)):
            yield place


def elsewhere_in(
    words: Sequence[str], span: range, taken: Set[int], says: Callable[[str], bool]
) -> Iterator[int]:
    """Find the places of an order that it names right behind an id, which needs no describing.

    In `close the job in the galley` the place says which job is meant.

    Args:
        taken: the words of its values.
        says: tells whether an example says words of the action.
    """
    for place in range(span.start + 1, span.stop - 2):
        before = words[place - 1]
        at = place - 1
        if before.endswith(("ed", "ing")) and at > span.start:  # `have it closed in`
            at -= 1
        is_id = at in taken and any(map(str.isdigit, words[at]))
        if words[place] != "in" or not (is_id or words[at] in _POINTS):
            continue
        noun = next((at for at in range(place + 1, span.stop) if words[at] not in DETERMINERS), -1)
        is_owned = noun > place + 1
        is_known = noun in taken or words[noun] in _HERE or says(f"in {words[noun]}")
        if is_owned and not is_known:
            yield noun


_LEADS = word_set("please but and sorry actually well oh ok only this that it its it's still just")
"""Before the word by which what is told begins to say something."""
_DEPENDS = CONDITION_WORDS | word_set(
    "after before until till as maybe perhaps later pending waiting need needs ask check not don't "
    "dont never providing hold keep leave cancel"
)
"""Behind the colon these begin a condition, or a refusal, and no remark."""
_UNMEANT = word_set("joke joking kidding jest oops sorry meant")
"""Wherever they stand, what was ordered was not meant so."""
_OVER = frozenset({"yesterday"})
"""What was then puts nothing off."""
_TRAILING_TIMES = word_set(
    "on at by in the this next coming from for a an am pm o'clock and or of morning afternoon "
    "evening night noon midnight end start beginning"
)
_NO_NEED = re.compile(
    r"(?:because |cause |as |since )?(?:(?:nobody|no one) (?:needs|uses) (?:it|them|that|this)"
    r"|(?:(?:it|that|this|they|these|we|i|the [\w-]+) )?(?:(?:is|are|it's|that's|they're) )?"
    r"(?:don't|do not|doesn't|does not|isn't|aren't|no longer|not) (?:really |actually )?"
    r"(?:needs?|needed|used|use|required)(?: (?:it|them|this|that))?)"
    r"(?: (?:any ?more|any longer|now))*"
)
"""All of a reason for what ends or removes something: `because nobody needs it`."""
_TELLS = re.compile(
    r"(?:anyway |and |now )?(?:he|she|it|they|we|the|our|this|these|(?:he|she|it|they|we)'[\w]+) .*"
)
"""A clause of these, behind the order, tells why: `she's free tomorrow`, `the pump is fixed`."""
_REFUSES = frozenset({("do", "not"), ("in", "case"), ("i'd", "rather")})


def is_trailing_clause(words: Sequence[str], span: Sequence[int], action: Action) -> bool:
    """Tell whether words of a clause deny nothing, take nothing back and put nothing off."""
    said = [words[place] for place in span]
    if action.effect == "destructive" and _NO_NEED.fullmatch(" ".join(said)):
        return True
    turns = not (TURNS_TOLD | DATED - _OVER).isdisjoint(said)
    return not turns and negator_in(said, 0, len(said)) is None


def gives_reason(words: Sequence[str], span: range, action: Action) -> bool:
    """Tell whether a clause behind an order says why: `the pump is fixed`, `not needed now`."""
    said = " ".join(words[span.start : span.stop])
    is_reason = _TELLS.fullmatch(said) or _NO_NEED.fullmatch(said)
    return is_reason is not None and is_trailing_clause(words, span, action)


def trailing_clause_overrides(reading: ParsedUtterance, first: int) -> Iterator[int]:
    """Find the words of what is told, from `first` on, that put the order off or take it back."""
    words = reading.normal.words
    told = range(first, len(words))
    if not told:
        return
    head = next((place for place in told if words[place] not in _LEADS), first)
    if words[head] in _DEPENDS | TAKES_BACK or (words[head] == "no" and _is_refusal(words, head)):
        yield head
    is_time = all(
        words[place] in DATED | _TRAILING_TIMES or words[place][0].isdigit() for place in told
    )
    if is_time and not DATED.isdisjoint(words[first:]):
        yield from told
    pairs = ((place, tuple(words[place : place + 2])) for place in told)
    yield from (place for place, pair in pairs if pair in _REFUSES)
    yield from (place for place in told if words[place] in _UNMEANT)
    if reading.normal.text.rstrip().endswith("?"):  # `: do we want that?` is no remark
        yield told[-1]
    yield from _denied(reading, told)


def _is_refusal(words: Sequence[str], place: int) -> bool:
    """Tell `no wait` and `no` from `no leaks found`."""
    return words[place + 1 : place + 2] == [] or words[place + 1] in _DEPENDS | TAKES_BACK


def _denied(reading: ParsedUtterance, told: range) -> Iterator[int]:
    """Find its own verb denied: `still leaking, never close it like that`."""
    words = reading.normal.words
    own = reading.verb.base.split()[0] if reading.verb is not None else ""
    for place in told:
        behind = words[place + 1 : place + 5]
        is_own = any(own in (word, *bases(word)) for word in behind)
        if is_own and negator_in(words, place, place + 1) is not None:
            yield place


UNCOVERED_TOKENS = "unread:"
"""Begins the reason that names such words."""
_REASONS = word_set("because since as so for cause cos due")
"""At the head of a clause beside the order these say why."""
_REASONS_WITHIN = word_set("because cause cos since")
"""Of these, those that say why without anything between."""
_ASKS = word_set("when why how what")
_RANGE = word_set("to through thru till until -")
_DETERMINED = word_set("the a our my this")
_MARKED = re.compile(r"(?:^|\n)\s*(?:--|//|<!--|[%;]|(?:(?:[-*+]|\d+[.)])\s*)?\[\s*\])\s*$")
"""What begins a comment, or an entry that is to be ticked off, right before the order."""
_ENDS = re.compile(r"[.!)]\s*$")
_YEAH_RIGHT = re.compile(r"(?:oh )?(?:yeah|sure|yes) (?:right|sure)")


def uncovered_tokens_in(
    reading: ParsedUtterance, action: Action, filled: FilledSlots, effects: Effects
) -> tuple[str, ...]:
    """Give the words of an order that nothing takes, in the order of the text; mostly none.

    A word counts as read that is part of a value, of the verb, or of a name of what the action is
    about; that the entry or an example of the action holds; or that says nothing. A sentence before
    the order is told, and not judged here.

    Of a change that nothing can raise to need a yes there are none: its chip shows what it is.
    """
    order = order_of(reading, action, filled, effects) if _may_need_yes(action) else None
    if order is None:
        return ()
    return tuple(order.words[place] for place in order.uncovered()) or order.marks()


def order_of(
    reading: ParsedUtterance, action: Action, filled: FilledSlots, effects: Effects
) -> "CoveredOrder | None":
    """Read a text as an order for an action; None: it orders nothing."""
    ask = reading.act.ask
    if reading.act.mood not in ("command", "request") or ask is None:
        return None
    return CoveredOrder(ask.clause, TokenCoverage(reading, action, filled, effects))


def _may_need_yes(action: Action) -> bool:
    """Tell whether it does, or may for how much, how many or who gets it."""
    measured = any(slot.risk is not None or slot.many for slot in action.slots.values())
    return action.floor == "C" or (action.floor == "B" and measured)


@dataclass(frozen=True)
class CoveredOrder:
    """An order, and what of it was understood."""

    clause: Clause
    own: TokenCoverage

    def uncovered(self) -> list[int]:
        """List the places of the words that nothing takes, in the order of the text."""
        told = trailing_clause_overrides(self.reading, self.end)
        within = {*self.within(), *self.of_things(), *self.elsewhere()}
        return sorted({*within, *self.behind(), *self.before(), *told})

    @cached_property
    def reading(self) -> ParsedUtterance:
        """The whole text."""
        return self.own.reading

    @cached_property
    def words(self) -> Sequence[str]:
        """The words of the whole text."""
        return self.own.words

    @cached_property
    def end(self) -> int:
        """Where what is told to a slot begins, behind a colon or `that`."""
        first = self.reading.act.cut.content_first
        takes_text = any(slot.type in ("text", "list") for slot in self.own.action.slots.values())
        return first if first is not None and takes_text else len(self.words)

    def within(self) -> Iterator[int]:
        """Find them in the order itself, behind what leads to it."""
        tokens = self.reading.normal.tokens[self.clause.first : self.clause.end]
        first = self.clause.first + led_by(tokens)
        if _YEAH_RIGHT.match(" ".join(self.words[self.clause.first : first])):
            yield self.clause.first
        stop = min(self.clause.end, self.end)
        why = next((place for place in range(first, stop) if self._says_why(place)), stop)
        reason = [place for place in range(why, stop) if place not in self.own.taken]
        if not self._is_reason(reason):
            yield from filter(self._turns, reason)
        for place in range(first, why):
            if place in self._provisos.polite or self.words[place] in self.own.values:
                continue
            if place in self._provisos.conditions or not self._is_read(place, TURNS_IN_ORDER):
                yield place

    def _is_read(self, place: int, turns: Set[str]) -> bool:
        """Tell `so he can read it` and `a file that I can mail`, beside what the action takes."""
        before = self.words[max(0, place - 2) : place]
        is_purpose = before[:1] in (["so"], ["that"]) and before[-1] in SUBJECTS
        return (self.words[place] == "can" and is_purpose) or self.own.is_read(place, turns)

    def _says_why(self, place: int) -> bool:
        """Tell `because they are gone` from `since 2026` and `since when`."""
        following = (self.words[place + 1 : place + 2] or [""])[0]
        is_other = place + 1 in self.own.filled.places or following in _ASKS | DATED
        return self.words[place] in _REASONS_WITHIN and not (is_other or following[:1].isdigit())

    def behind(self) -> Iterator[int]:
        """Find them in the clauses behind it that ask for nothing else and give no reason."""
        for span, joint in self._clauses_behind():
            names = any(
                one.first in span and one.first in self.own.filled.places
                for one in self.reading.mentions
            )
            if joint == "not" and names:
                yield from span
            elif joint == "not" and self._is_of_names(span):
                continue  # `assign it to Ben, not Tom`
            elif names or not gives_reason(self.words, span, self.own.action):
                unread = (place for place in span if not self._is_read(place, TURNS_TOLD))
                yield from (place for place in unread if place not in self._provisos.polite)

    def _is_reason(self, span: Sequence[int]) -> bool:
        """Tell what is told and names no other thing: not `because I meant PO-1998`."""
        return is_trailing_clause(self.words, span, self.own.action) and self.own.rivals.isdisjoint(
            span
        )

    def _turns(self, place: int) -> bool:
        """Tell whether a word is one for which what it stands in is no reason."""
        is_said = self.words[place] in TURNS_TOLD | DATED or place in self.own.rivals
        return is_said or negator_in(self.words, place, place + 1) is not None

    def _clauses_behind(self) -> Iterator[tuple[range, str]]:
        """Find the clauses behind the order with the word that binds each."""
        cut = self.reading.act.cut
        others = {clause.first for clause, verb in self.reading.act.asks if verb is not None}
        spans = [(range(one.first, min(one.end, self.end)), one.joint) for one in cut.clauses]
        if cut.content_first is not None:
            spans.append((range(cut.content_first, self.end), ""))
        for span, joint in spans:
            is_headed = not _REASONS.isdisjoint(self.words[span.start : span.start + 1])
            is_reason = is_headed and self._is_reason(span)
            if span.start >= self.clause.end and span.start not in others and not is_reason:
                yield span, joint

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
            is_name = self.own.named.issuperset(span)
            if (is_line or is_name) and not self._is_courtesy(span):
                yield from (place for place in span if place not in self.own.taken)

    def of_things(self) -> Iterator[int]:
        """Find what is said of a thing that was taken for it: `valve of WO-1042`, `Ben's boss`."""
        for one in self.reading.mentions:
            if one.first not in self.own.filled.places or one.first not in self.reading.asked:
                continue
            before = one.first - 1
            while before > self.clause.first and self.words[before] in _DETERMINED:
                before -= 1
            if before > self.clause.first and self.own.is_other(before):
                yield before - 1
            if one.end < self.reading.asked.stop and self.own.is_its(one.end):
                yield one.end
            if self._begins_range(one):
                yield one.end - 1

    def elsewhere(self) -> Iterator[int]:
        """Find the places and times in which nothing of it is done: `in my head`, `some day`."""
        span = range(self.clause.first, min(self.clause.end, self.end))
        yield from elsewhere_in(self.words, span, self.own.taken, self.own.says)
        yield from some_time_in(self.words, span, self.own.taken)

    def _begins_range(self, one: Mention) -> bool:
        """Tell `WO-1036 to WO-1038`, whose ends alone were taken, from two that are named."""
        normal, lists = self.reading.normal, self.own.filled.values.values()
        for other in self.reading.mentions:
            if other.first < one.end:
                continue
            gap = normal.text[normal.tokens[one.end - 1].end : normal.tokens[other.first].start]
            both = {one.value, other.value}
            is_taken = any(isinstance(value, list) and both <= set(value) for value in lists)
            return is_taken and gap.strip() in _RANGE
        return False

    def marks(self) -> tuple[str, ...]:
        """Give the signs that say something, where the words leave nothing open."""
        normal = self.reading.normal
        end = normal.tokens[self.end].start if self.end < len(self.words) else len(normal.text)
        before = normal.text[: normal.tokens[self.clause.first].start]
        found = strange_marks(normal.text[:end])
        mark = found or (_MARKED.search(before) or [""])[0].strip()
        return (mark,) if mark else ()

    def _is_of_names(self, span: Sequence[int]) -> bool:
        said = [place for place in span if self.words[place] not in ("not", "to", "the", "for")]
        return bool(said) and self.own.named.issuperset(said)

    def _is_courtesy(self, span: range) -> bool:
        return all(self.words[place] in HARMLESS for place in span)

    @cached_property
    def _provisos(self) -> Provisos:
        clauses = self.reading.act.cut.clauses
        return provisos_in(self.words, [range(one.first, one.end) for one in clauses])
