"""Hedges: reasons to doubt that what is asked for is wanted, or is what any action does."""

from collections.abc import Sequence

from tools.nlu.dialogue_acts import negation as denials
from tools.nlu.dialogue_acts.clauses import ClauseContext, ClauseMood
from tools.nlu.lexicon import cue_phrases as signs
from tools.nlu.lexicon.normalization import word_set
from tools.nlu.lexicon.verbs import Verb

_MOST_SAID_OF = 2
"""Words behind a thing that may be what is asked of it."""
_SAID_TO_ANYBODY = signs.COURTESY | signs.GREETINGS | word_set("dear yo oi")
_ASKS_NOTHING_ELSE = signs.COURTESY | signs.DO_THIS | {"listen"}
_WHAT_IS = frozenset({"what's", "whats", "who's", "whos", "how's"})
_STRANDED = word_set("to about like for with from at on of in up out off")
_INVERTS = word_set(
    "is are was were does do did can could will would has what why where who when how isn't aren't"
)
_INTENSE = frozenset({"so", "very", "too", "really", "quite"})
_REFUSES = word_set("don't dont never not stop way need chance hell cannot can't mustn't")
_BARE = signs.FUNCTION_WORDS | denials.NEGATORS | _REFUSES | word_set("wait heck god oh nope nah")
_POINTS = word_set("that this the it those these them")
_MOST_LISTED = 3
"""Words of a name in a list."""


def hedge_of(text: ClauseContext, kept: Sequence[ClauseMood], asking: Sequence[ClauseMood]) -> str:
    """Find what stands beside a request and is neither about a thing nor mere courtesy."""
    if asking and asking[0].reason == "asks_way":
        return "asks_how"
    if _names_nothing_known(text, (asking or kept)[0]):
        return "unknown_words"
    for one in kept[0 if asking else 1 :]:
        doubt = _doubt_by(one, text, asking)
        if doubt:
            return doubt
    return ""


def is_refused_before(judged: Sequence[ClauseMood], text: ClauseContext) -> bool:
    """Tell `don't! approve it` and `not allowed: approve it`: a no, and the order right behind it.

    `No, close it`, `not that one, close it` and `never mind, close it` only correct what was said.
    """
    first = next((place for place, one in enumerate(judged) if one.is_asking), 0)
    before = judged[first - 1] if first else None
    if before is None or not text.is_thing.isdisjoint(_places(before)):
        return False
    said = before.own(text.words)
    if denials.DISOWNING.fullmatch(" ".join(said)):
        return True
    if before.mood != "negated":
        return False
    is_other = "mind" in said or (said[0] == "not" and not _POINTS.isdisjoint(said[1:2]))
    is_bare = _BARE.issuperset(said)  # `don't order anything, close it` denies another doing
    return not is_other and is_bare and not _REFUSES.isdisjoint(said)


def _places(one: ClauseMood) -> range:
    return range(one.clause.first, one.clause.end)


def _doubt_by(one: ClauseMood, text: ClauseContext, asking: Sequence[ClauseMood]) -> str:
    """Say what one clause makes doubtful about what is asked beside it."""
    said = " ".join(one.own(text.words))
    words = set(said.split())
    is_behind = not asking or one.clause.first > asking[0].clause.first
    if one not in asking and is_behind and denials.AFTERTHOUGHT.fullmatch(said):
        return "afterthought"
    if asking and one not in asking and denials.IRONY.fullmatch(said):
        return "irony"
    asks_assent = is_behind and one.clause.is_asked and said in signs.ASSENT
    is_idle = one.reason in ("polite", "mark", "reason") or words <= _ASKS_NOTHING_ELSE
    if one.is_asking or (is_idle and not asks_assent):
        return ""
    names_thing = not text.is_thing.isdisjoint(_places(one))
    if not names_thing and words & (denials.TAKING_BACK if is_behind else denials.IN_JEST):
        return "taken_back"
    if not asking or (not is_behind and text.words[one.clause.first] in ("i", "we", "i've")):
        return ""
    if asks_assent or one.mood in ("question", "hypothetical"):
        return "also_wonders" if one.mood == "hypothetical" else "also_asks"
    if _is_called(one, text, asking):
        return "addressed"
    if _does_unknown(one, text, asking):
        return "unclear_part"
    if _tells_something(one, text) or _is_listed(one, text, asking[0].verb):
        return ""
    return "unclear_part"


def _does_unknown(one: ClauseMood, text: ClauseContext, asking: Sequence[ClauseMood]) -> bool:
    """Tell `frame the list and hang it on the wall`: what `it` is, a doing of nobody's says."""
    order, first = asking[0].clause, text.words[one.clause.first]
    if one.clause.end != order.first or order.joint not in ("and", "then"):
        return False
    is_doing = one.reason in ("unknown_verb", "unknown_word") or not text.is_known(first)
    names_it = not {"it", "them"}.isdisjoint(text.words[order.first : order.end])
    return is_doing and names_it and one.clause.first not in text.is_thing


def _tells_something(one: ClauseMood, text: ClauseContext) -> bool:
    """Tell whether a part is about a thing, or in words that the catalogue uses."""
    return any(
        place in text.is_thing
        or (text.words[place] not in signs.FUNCTION_WORDS and text.is_known(text.words[place]))
        for place in _places(one)
    )


def _is_called(one: ClauseMood, text: ClauseContext, asking: Sequence[ClauseMood]) -> bool:
    """Tell `Ben, order 4 filters`, said to somebody: a stranger's name, and a thing of its own."""
    order = asking[0].clause
    if one.clause.end != order.first or not order.is_bound or asking[0].verb is None:
        return False
    said = [word for word in one.own(text.words) if word not in _SAID_TO_ANYBODY]
    if len(said) != 1 or said[0].endswith("'s") or text.is_known(said[0]):
        return False
    return signs.PRONOUNS.isdisjoint(text.words[order.first : order.end])


def _is_listed(one: ClauseMood, text: ClauseContext, verb: Verb | None) -> bool:
    """Tell the names of a list behind a search, as in `for kelp, seagrass and mangroves`."""
    words = set(one.own(text.words)) - {"and", "or"}
    reads = verb is None or verb.nature != "write"
    return (
        reads
        and one.clause.is_bound
        and len(words) <= _MOST_LISTED
        and not (words & signs.FUNCTION_WORDS)
    )


def _names_nothing_known(text: ClauseContext, one: ClauseMood) -> bool:
    """Tell whether the word that a question or an order turns on is none of the catalogue's.

    `how heavy is it` asks for a heaviness, `name a star` for a star.
    """
    words, place = text.words, one.clause.first
    if one.mood == "question" and _says_unknown(text, one):
        return True
    if one.mood == "question" and words[place] in signs.WHAT | _WHAT_IS:
        place += 1
        if words[place : place + 1] in (["is"], ["was"], ["are"]) or words[place - 1] in _WHAT_IS:
            return _asks_unknown_of(text, one, place)
    elif one.verb is not None and one.verb.nature != "write" and one.verb.end < one.clause.end:
        place = one.verb.end + (words[one.verb.end] in ("a", "an"))
        if place == one.verb.end:
            return False
    else:
        return False
    return place < one.clause.end and place not in text.is_thing and not text.is_known(words[place])


def _asks_unknown_of(text: ClauseContext, one: ClauseMood, place: int) -> bool:
    """Tell `what is the capital of the list?`, where no part of a thing is asked for."""
    words, end = text.words, one.clause.end
    while place < end and words[place] in signs.DETERMINERS | {"is", "was", "are"}:
        place += 1
    if place + 1 >= end or words[place + 1] != "of" or place in text.is_thing:
        return False
    return not text.is_known(words[place])


def _says_unknown(text: ClauseContext, one: ClauseMood) -> bool:
    """Tell `is CARD-3002 vegan?`, where a word nobody knows is asked of a thing."""
    words, last = text.words, one.clause.end - 1
    if words[one.clause.first] not in _INVERTS:
        return False
    while last > one.clause.first and words[last] in _STRANDED:
        last -= 1
    first = last
    while first > one.clause.first and _is_stranger(text, first):
        first -= 1
    if first == last or last - first > _MOST_SAID_OF:
        return False
    is_noun = words[first] not in signs.FUNCTION_WORDS and text.lexicon.at(words, first) is None
    return first > one.clause.first and (first in text.is_thing or is_noun)


def _is_stranger(text: ClauseContext, place: int) -> bool:
    word = text.words[place]
    is_ours = place in text.is_thing or word in signs.FUNCTION_WORDS or text.is_known(word)
    return word in _INTENSE or not (is_ours or word.endswith(("ing", "ly")))
