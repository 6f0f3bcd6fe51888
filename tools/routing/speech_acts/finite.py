"""Who does it: a subject before a modal or an auxiliary makes a sentence, and no order."""

from collections.abc import Sequence

from tools.routing.speech_acts import denials
from tools.routing.speech_acts.clause_words import Own
from tools.routing.speech_acts.clauses import TELLING
from tools.routing.words import signs
from tools.routing.words.phrases import word_set

MODALS = word_set("can could may might must shall should will would ought")
_DENIED = word_set("cannot can't couldn't mustn't shouldn't won't wouldn't needn't")
_OBLIGING = word_set("has have had needs need wants want used tries tried is are was were keeps")
"""Before `to` these carry a verb on, with whoever stands before them as the one who does it."""
_BETTER = frozenset({("had", "better"), ("would", "rather"), ("used", "to")})
BEING = word_set("is are was were")
_BOUND = word_set("going supposed about due meant expected required")
OPENS_RELATIVE = word_set(
    "that which who whom whose where when why how what if whether because since while as until i "
    "we you he she they it there everything anything something all whatever whichever"
)
"""Behind one of these a finite verb belongs to what is described: `papers that should be read`."""
NEVER_FIRST = word_set(
    "for with about regarding to of in on at from by into concerning "
    "re any some more both no please"
)
PERSONS = word_set("i we you he she they somebody someone everybody everyone nobody anyone people")
_ITSELF = word_set("be have not never been")
POINTING = word_set("that this it")
_PERSONAL = signs.SUBJECTS - POINTING
_OPENS_SURELY, _OPENS_BEHIND_ORDER = OPENS_RELATIVE - POINTING, OPENS_RELATIVE - {"it"}
_OF_PREDICATE = MODALS | _DENIED
_MAY = word_set("can may")
_HAVE = word_set("has have had")
_LONGEST_SUBJECT = 9
_TELLERS = word_set(
    "i we he she they you somebody someone everybody everyone nobody people i'm we're they're "
    "you're he's she's i've we've they've you've i'd we'd they'd he'd she'd i'll we'll they'll "
    "he'll she'll you'll"
)
_COPULAS = word_set(
    "is are was were isn't aren't wasn't weren't has hasn't had hadn't seems seemed sounds looks "
    "became makes keeps gets goes went"
)
_ENDINGS = ("ed", "own", "ept", "ent", "ought", "oken", "iven", "aken", "one")
"""How most participles end."""


def has_subject(own: Own) -> bool:
    """Tell `Ben will close it` and `the office has to close it`: somebody or something does it."""
    words, first = own.text.words, own.start
    last = min(own.clause.end - 1, first + _LONGEST_SUBJECT)
    if first >= last or words[first] in NEVER_FIRST:
        return False
    for place in range(first, last):
        word, following = words[place], words[place + 1]
        if place > first:
            if word in MODALS and following not in signs.SUBJECTS:
                return not _is_passive(words, place + 1, own.clause.end)
            if word in BEING and following in _BOUND and words[place + 2 : place + 3] == ["to"]:
                return True
            if (word, following) in _BETTER or (word in _OBLIGING and following == "to"):
                return not _is_passive(words, place + 2, own.clause.end)
        elif word in PERSONS and following in MODALS:
            return True
        if word in OPENS_RELATIVE and place > first:
            return False
    return False


def is_told(own: Own) -> bool:
    """Tell `I love the crew list` and `the crew list is a mess` from `the crew list`."""
    words, first, end = own.text.words, own.start, own.clause.end
    if words[first] in _TELLERS and end - first > 2:
        return True
    for place in range(first + 1, end):
        word = words[place]
        if word in OPENS_RELATIVE:
            return False
        if word in _COPULAS and place + 1 < end and place not in own.text.is_thing:
            return True
    return False


def may_be_done(own: Own) -> bool:
    """Tell `the export can be deleted` and `WO-1042 may be closed now`: it is time for it."""
    words, place = own.text.words, own.start
    if own.clause.is_asked or words[place] in _PERSONAL:
        return False
    while place < own.clause.end and words[place] not in _MAY:
        if words[place] in _OPENS_SURELY:
            return False
        place += 1
    verb = own.verb_after(place + 2, "past")
    if place == own.start or verb is None:
        return False
    between = words[place + 1 : verb.first]
    return "be" in between and signs.HEDGES.issuperset(set(between) - {"be"})


def _is_done(words: Sequence[str], place: int) -> bool:
    return any(word == "done" or word.endswith("ed") for word in words[place : place + 1])


def is_told_of(own: Own) -> bool:
    """Tell `what I wrote was wrong` from `what we have on order`: something is said of it."""
    return not _COPULAS.isdisjoint(own.words[3:])


def _is_passive(words: Sequence[str], place: int, end: int) -> bool:
    following = words[place + 1 : min(place + 2, end)]
    is_noun = not signs.DETERMINERS.isdisjoint(following)  # `closing it would be an option`
    return place < end and words[place] in ("be", "get") and not is_noun


def predicate_of_order(own: Own) -> int | None:
    """Find the modal whose subject an order is: `close it would be wrong`; None: there is none."""
    words, head = own.text.words, own.head
    if head is None or words[head.first] in TELLING or "note" in words[head.end : head.end + 3]:
        return None
    for place in range(head.end + 1, own.clause.end - 1):
        if words[place] in _OPENS_BEHIND_ORDER:
            return None
        if words[place] in _OF_PREDICATE and words[place + 1] in _ITSELF:
            return place
        has_been = words[place] in _HAVE and words[place + 1] == "been"
        between = words[head.end + 1 : place]
        is_one = (signs.DETERMINERS | signs.WHAT).isdisjoint((*own.words[:1], *between))
        if has_been and is_one and _is_done(words, place + 2):
            return place  # `close it has been done`
    return None


def is_told_of_stranger(own: Own) -> bool:
    """Tell `Marta displayed previous repairs`: a word nobody knows, and what it did."""
    words, place = own.text.words, own.start + 1
    if place + 1 >= own.clause.end or own.start in own.text.is_thing:
        return False
    stranger = words[own.start]
    if stranger in signs.FUNCTION_WORDS or stranger.endswith("ly") or own.text.is_known(stranger):
        return False
    verb = own.verb_at(place)
    return verb is not None and verb.form == "past"


def is_over(own: Own) -> bool:
    """Tell `it has been troubleshooted already` by its endings, whatever the verb."""
    words = own.words
    if "already" not in words and "now" not in words:
        return False
    for place in range(len(words) - 1):
        before = words[place - 1] if place else ""
        is_perfect = words[place] == "been" and before in ("has", "have", "had", "now")
        is_present = words[place] in ("is", "are", "was", "were", "been") and "already" in words
        following = next((w for w in words[place + 1 :] if w not in ("already", "now")), "")
        if is_present and following.endswith(_ENDINGS):
            return True
        if is_perfect and "now" in words and following:
            return True
    return False


def is_denied_predicate(own: Own, place: int) -> bool:
    """Tell whether the predicate behind an order denies it: `orders should not be sent`."""
    return denials.negator_in(own.text.words, place, min(place + 2, own.clause.end)) is not None
