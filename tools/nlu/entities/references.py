"""Resolve `it`, `me` and partial names to entities, and say what stays ambiguous or unknown."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, NamedTuple

from state.action import Action
from state.policy import Routing
from tools.nlu.dialogue_acts.clauses import Clause
from tools.nlu.dialogue_acts.dialogue_act import DialogueAct
from tools.nlu.dialogue_acts.negation import denied_from
from tools.nlu.entities.names import NamesOfEntityType
from tools.nlu.entities.recognition import POSSESSIVE, Mention
from tools.nlu.lexicon.cue_phrases import FUNCTION_WORDS
from tools.nlu.lexicon.normalization import Normal, singular, word_set, words_of
from tools.nlu.lexicon.spelling import english_words
from tools.nlu.lexicon.verbs import Verb

_IT = word_set("it it's them her him")
_THIS = word_set("this that one")
"""As above at the end of what is asked or before little words: `this week's` names something."""
_PARTICLES = word_set("right straight back off up down out away over through")
_ELSE = word_set("other others another")
_WHICH_ONE = word_set("first second third last next previous former latter remaining duplicate")
"""Before `one` these choose among what was told: `cancel the last one`, not `his last entry`."""
_OTHER = _ELSE | _WHICH_ONE | {"one", "ones"}
"""Something else stands between: `don't cancel PO-1, the other one is wrong, cancel it`."""


def antecedent_of(
    act: DialogueAct,
    words: Sequence[str],
    mentions: Sequence[Mention],
    kinds_in: Callable[[Sequence[str]], Mapping[range, Set[str]]],
    asked_of: Callable[[Verb | None], Set[str]],
) -> frozenset[int]:
    """Name the words of the one thing that `it` stands for: `WO-1037 isn't needed, drop it`.

    It is named in the nearest clause before that names any; of two in one clause it is neither. A
    verb alone stands for the same: `we don't need WO-1037 any more, cancel`. Where no thing is
    named, a kind of thing is meant: `the yard asked for the handover, export it`.

    Args:
        kinds_in: finds where kinds of things are named, and which.
        asked_of: the kinds of things that a verb is asked of: `call it off` is of no shipyard.
    """
    if act.ask is None or not act.kept or act.ask.clause.first == 0:  # nothing was told before
        return frozenset()
    asked = range(act.ask.clause.first, act.ask.clause.end)
    said = {words[place] for place in asked}
    verb = act.ask.verb
    is_bare = verb is not None and said <= FUNCTION_WORDS | {*words[verb.first : verb.end]}
    is_named = any(one.is_known and one.first in asked for one in mentions)
    points = bool(_IT & said) or any(_stands_alone(words, place, asked) for place in asked)
    if not (points or is_bare) or is_named:
        return frozenset()
    kinds = kinds_in(words)
    if points_elsewhere(words, asked, {place.start for place in kinds}):
        return frozenset()
    fitting = asked_of(verb)
    before = [one for one in mentions if one.is_known and one.first < asked.start]
    named = [one for one in before if one.kind.type in fitting] or before
    clauses = [one for one in act.cut.clauses if one.end <= asked.start]
    if not named:
        return _kind_meant(asked, clauses, act, kinds)
    for clause in reversed(clauses):
        here = [one for one in named if clause.first <= one.first < clause.end]
        spans = {(one.kind, one.value): range(one.first, one.end) for one in reversed(here)}
        if spans:
            return frozenset(next(iter(spans.values()))) if len(spans) == 1 else frozenset()
        is_other = not _OTHER.isdisjoint(words[clause.first : clause.end])
        if is_other or any(
            clause.first <= place.start < clause.end and names & fitting
            for place, names in kinds.items()
        ):
            return frozenset()
    return frozenset()


def points_elsewhere(words: Sequence[str], asked: range, nouns: Set[int]) -> bool:
    """Tell `cancel the other one`, which is nothing that was told before.

    Args:
        nouns: words that say of which kind a thing is: `the other order`, but not `another quote`.
    """
    if not _IT.isdisjoint(words[place] for place in asked):
        return False  # `put it with the others`
    for place in asked:
        behind = place + 1
        is_one = behind in asked and words[behind] in ("one", "ones")
        is_else = is_one or behind in nouns or behind == asked.stop or words[place] == "others"
        if (words[place] in _WHICH_ONE and is_one) or (words[place] in _ELSE and is_else):
            return True
    return False


def _kind_meant(
    asked: range, clauses: Sequence[Clause], act: DialogueAct, kinds: Mapping[range, Set[str]]
) -> frozenset[int]:
    """Find the one kind of thing that is told of; whose doing is denied is not lent."""
    if any(place.start in asked for place in kinds):
        return frozenset()
    own = [
        place
        for place in kinds
        if any(one.first <= place.start < one.end for one in clauses if one not in act.forbids)
    ]
    is_open = len(own) == 1 and not any(one.first <= own[0].start < one.end for one in act.kept)
    return frozenset(own[0]) if is_open else frozenset()


def _stands_alone(words: Sequence[str], place: int, clause: range) -> bool:
    if words[place] not in _THIS:
        return False
    return place + 1 >= clause.stop or words[place + 1] in FUNCTION_WORDS | _PARTICLES


_ME = frozenset({"me", "myself"})
_BEFORE_ME = frozenset({"to", "on", "onto", "for"})
_MY = re.compile(
    r"(?<!\S)(?:(?:assigned|given|allotted|allocated|handed|belonging|belong|down|left) to (?=me\b)"
    r"|(?=mine\b)|(?=my (?:(?:open|current|overdue|urgent|late|remaining|unfinished|pending|safety"
    r"|routine|closed|finished|completed|done|new|next|other|logged|last|daily|work) ){0,2}"
    r"(?:tasks?|jobs?|work|orders?|list|plate|dut(?:y|ies)|chores?|to-?dos?|day|rest|sleep|hours?"
    r"|wos?|name|queue|assignments?|backlog)(?![\w'’])))(?P<me>me|mine|my)(?!\S)"
)
"""What limits a read to whoever asks."""
_ALL_BUT = re.compile(
    r"(?<!\S)(?:but|except|bar|without|than|not|excluding|excepting|save|minus|besides"
    r"|(?:apart|aside) from)(?: (?:for|those|of|the|ones?|what|is|are|from))* $"
)


class Asker(NamedTuple):
    """Whoever asks, by the name that the pack has, and the word that says so."""

    name: str
    place: int


def asker_in(
    normal: Normal, names: NamesOfEntityType, asker: str | None, kept: Set[int], *, limits: bool
) -> Asker | None:
    """Read `to me` as whoever asks, when exactly one thing of that kind is called so.

    Args:
        asker: who says it, by the name that the caller knows.
        kept: the words that count.
        limits: a read is limited by `my tasks`, `assigned to me` and `which are mine`; `list the
            tasks for me` is a courtesy, `my team's` are others', `all but mine` leaves them out.
    """
    words = normal.words
    places = _limits(normal, words) if limits else _told_whom(words)
    place = next((place for place in places if place in kept), None)
    found = names.resolve_all(words_of((asker or "").split("@")[0]))
    return Asker(found.pop(), place) if place is not None and len(found) == 1 else None


def _told_whom(words: Sequence[str]) -> Iterator[int]:
    for place, word in enumerate(words):
        if word in _ME and (words == [word] or words[max(0, place - 1)] in _BEFORE_ME):
            yield place


def _limits(normal: Normal, words: Sequence[str]) -> Iterator[int]:
    text = " ".join(words)
    for found in _MY.finditer(text):
        before = text[: found.start("me")]
        place = before.count(" ")
        if not _ALL_BUT.search(before) and not denied_from(normal.text, normal.tokens[place].start):
            yield place


_LONGEST, _LEAST_LETTERS = 6, 4
_CONFIDENCE = 0.8


def parts_of_names(
    normal: Normal, free: Set[int], named: Sequence[Mention], names: NamesOfEntityType
) -> Iterator[Mention]:
    """Find runs of words that stand together in the name of one thing and of no other.

    Two words at least, or one that is no English or is written as a name (`16x16`, `Brown`).
    Whoever searches for graph attention means no paper of that title: ask only where the thing is
    required.

    Args:
        free: words that may name it.
        named: what is named already; a part of it names nothing else.
    """
    words = [token.text.removesuffix(POSSESSIVE) for token in normal.tokens]
    proper = {place for place in range(1, len(words)) if _is_capital(normal, place)}
    first = 0
    while first < len(words):
        found = _at(words, first, free, named, names, proper)
        if found is not None:
            yield found
        first = found.end if found is not None else first + 1


def _at(
    words: Sequence[str],
    first: int,
    free: Set[int],
    named: Sequence[Mention],
    names: NamesOfEntityType,
    proper: Set[int],
) -> Mention | None:
    if words[first] in FUNCTION_WORDS or words[first] not in names.by_word:
        return None
    for end in range(min(len(words), first + _LONGEST), first, -1):
        part = words[first:end]
        is_free = set(range(first, end)) <= free and part[-1] not in FUNCTION_WORDS
        if not is_free or not _says_enough(part, is_proper=first in proper):
            continue
        if any(one.is_known and one.first <= first and end <= one.end for one in named):
            continue
        found = names.holding(part)
        if len(found) == 1:
            return Mention(names.kind, found.pop(), _CONFIDENCE, first, end)
    return None


def _says_enough(part: Sequence[str], *, is_proper: bool) -> bool:
    if sum(word not in FUNCTION_WORDS for word in part) > 1:
        return True
    is_short = len(part[0]) < _LEAST_LETTERS or part[0].isdigit()
    is_english = not english_words().isdisjoint((part[0], singular(part[0])))
    return len(part) == 1 and not is_short and (is_proper or not is_english)


def _is_capital(normal: Normal, place: int) -> bool:
    token = normal.tokens[place]
    written = normal.written(token.start, token.end)
    before = normal.text[normal.tokens[place - 1].end : token.start]
    is_first = any(stop in before for stop in ".!?:;")
    return written[:1].isupper() and not written.isupper() and not is_first


MOST_NAMED = 5
"""Things that a question lists: more is told as a count."""
_OVER = re.compile(r"\b(?:ago|last|past|yesterday)\b")
"""In a day that was found to be gone by; what cannot be read at all has none of these."""


@dataclass(frozen=True)
class Ambiguity:
    """The arguments it may mean, or the question when chips would not do."""

    variants: tuple[Mapping[str, Any], ...] = ()
    question: str = ""


def ambiguity_of(
    action: Action,
    routing: Routing,
    arguments: Mapping[str, Any],  # by slot type
    *,
    chips: int,
    sketch: str,
) -> Ambiguity:
    """Lay out what a person has to say before this can be done.

    A read goes on without an optional thing that it cannot find; a change does not, because it
    would be done to something else than was said.
    """

    def matters(name: str) -> bool:
        slot = action.slots.get(name)
        return slot is not None and name not in arguments and (slot.required or action.floor != "A")

    for name, said in routing.not_found.items():
        if matters(name):
            kind = _words(action.slots[name].type)
            question = f"{_told(kind, said)}. Which {_words(name)}? ({sketch})"
            return Ambiguity(question=question)
    for name, things in routing.choices.items():
        if not matters(name):
            continue
        if len(things) > chips:
            shown = ", ".join(things[:MOST_NAMED])
            more = f", … ({len(things)} in all)" if len(things) > MOST_NAMED else ""
            return Ambiguity(question=f"Which {_words(name)}: {shown}{more}? ({sketch})")
        is_many = action.slots[name].many
        return Ambiguity(
            variants=tuple({**arguments, name: [thing] if is_many else thing} for thing in things)
        )
    return Ambiguity()


def _told(kind: str, said: str) -> str:
    if kind != "date":
        return f"I know no {kind} {said!r}"
    is_over = _OVER.search(said) is not None
    return f"{said!r} is over" if is_over else f"{said!r} is no day I can read"


def _words(name: str) -> str:
    return name.replace("_", " ")
