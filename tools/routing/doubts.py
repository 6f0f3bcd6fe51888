"""Why what is asked may not be wanted after all, or not be what any action does."""

from collections.abc import Sequence

from tools.routing import denials, signs
from tools.routing.clause_words import Judged, Text
from tools.routing.verbs import Verb

_WHAT = frozenset({"how", "what", "which", "who", "whose"})
_MOST_SAID_OF = 2
"""Words behind a thing that may be what is asked of it."""
_MOST_LISTED = 3
"""Words of a name in a list."""


def doubt_of(text: Text, kept: Sequence[Judged], asking: Sequence[Judged]) -> str:
    """Find what stands beside a request and is neither about a thing nor mere courtesy."""
    if _names_nothing_known(text, (asking or kept)[0]):
        return "unknown_words"
    for one in kept[0 if asking else 1 :]:
        words = set(_own(one, text.words))
        if asking and denials.IRONY.fullmatch(" ".join(_own(one, text.words))):
            return "irony"
        if one.is_asking or one.reason in ("polite", "mark", "reason") or words <= signs.COURTESY:
            continue
        places = range(one.clause.first, one.clause.end)
        is_behind = not asking or one.clause.first > asking[0].clause.first
        taking_back = denials.TAKING_BACK if is_behind else denials.IN_JEST
        if taking_back & words and not text.is_thing & set(places):
            return "taken_back"
        if not asking or (not is_behind and text.words[one.clause.first] in ("i", "we", "i've")):
            continue
        if one.mood in ("question", "hypothetical"):
            return "also_asks" if one.mood == "question" else "also_wonders"
        tells = any(
            place in text.is_thing
            or (text.words[place] not in signs.FUNCTION_WORDS and text.is_known(text.words[place]))
            for place in places
        )
        if not tells and not _is_listed(one, text, asking[0].verb):
            return "unclear_part"
    return ""


def _is_listed(one: Judged, text: Text, verb: Verb | None) -> bool:
    """Tell the names of a list behind a search, as in `for kelp, seagrass and mangroves`."""
    words = set(_own(one, text.words)) - {"and", "or"}
    reads = verb is None or verb.nature != "write"
    return (
        reads
        and one.clause.is_bound
        and len(words) <= _MOST_LISTED
        and not (words & signs.FUNCTION_WORDS)
    )


def _names_nothing_known(text: Text, one: Judged) -> bool:
    """Tell whether the word that a question or an order turns on is none of the catalogue's.

    `how heavy is it` asks for a heaviness, `name a star` for a star.
    """
    words, place = text.words, one.clause.first
    if one.mood == "question" and _says_unknown(text, one):
        return True
    if one.mood == "question" and words[place] in _WHAT:
        place += 1
    elif one.verb is not None and one.verb.nature == "read" and one.verb.end < one.clause.end:
        place = one.verb.end + (words[one.verb.end] in ("a", "an"))
        if place == one.verb.end:
            return False
    else:
        return False
    return place < one.clause.end and place not in text.is_thing and not text.is_known(words[place])


def _says_unknown(text: Text, one: Judged) -> bool:
    """Tell `is CARD-3002 vegan?`, where a word nobody knows is asked of a thing."""
    last = one.clause.end - 1
    places = [place for place in range(one.clause.first, last) if place in text.is_thing]
    if not places or last in text.is_thing or last - places[-1] > _MOST_SAID_OF:
        return False
    said = text.words[places[-1] + 1 : last + 1]
    return not any(word in signs.FUNCTION_WORDS or text.is_known(word) for word in said)


def _own(one: Judged, words: Sequence[str]) -> Sequence[str]:
    return words[one.clause.first : one.clause.end]
