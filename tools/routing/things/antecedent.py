"""What does `it` stand for, that was named in what else is said?"""

from collections.abc import Callable, Mapping, Sequence, Set

from tools.routing.speech_acts.clauses import Clause
from tools.routing.speech_acts.speech_act import SpeechAct
from tools.routing.things.entities import Mention
from tools.routing.words.phrases import word_set
from tools.routing.words.signs import FUNCTION_WORDS
from tools.routing.words.verbs import Verb

_IT = word_set("it it's them her him")
_THIS = word_set("this that one")
"""As above at the end of what is asked or before little words: `this week's` names something."""
_PARTICLES = word_set("right straight back off up down out away over through")
_ELSE = word_set("other others another")
_WHICH_ONE = word_set("first second third last next previous former latter remaining duplicate")
"""Before `one` these choose among what was told: `cancel the last one`, not `his last entry`."""
_OTHER = _ELSE | _WHICH_ONE | {"one", "ones"}
"""Something else stands between: `don't cancel PO-1, the other one is wrong, cancel it`."""


def meant_by_it(
    act: SpeechAct,
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
    asked: range, clauses: Sequence[Clause], act: SpeechAct, kinds: Mapping[range, Set[str]]
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
