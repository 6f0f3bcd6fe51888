"""Who does it: a subject before a modal or an auxiliary makes a sentence, and no order."""

import re
from collections.abc import Sequence

from tools.routing.speech_acts import denials
from tools.routing.speech_acts.clause_words import Own
from tools.routing.speech_acts.clauses import TELLING
from tools.routing.words import signs
from tools.routing.words.phrases import word_set
from tools.routing.words.verbs import Verb

MODALS = word_set("can could may might must shall should will would ought")
_DENIED = word_set("cannot can't couldn't mustn't shouldn't won't wouldn't needn't")
_OBLIGING = word_set("has have had needs need wants want used tries tried is are was were keeps")
"""Before `to` these carry a verb on, with whoever stands before them as the one who does it."""
_BETTER = frozenset({("had", "better"), ("would", "rather"), ("used", "to")})
_BEING = word_set("is are was were")
_BOUND = word_set("going supposed about due meant expected required")
_OPENS_RELATIVE = word_set(
    "that which who whom whose where when why how what if whether because since while as until i "
    "we you he she they it there everything anything something all whatever whichever"
)
"""Behind one of these a finite verb belongs to what is described: `papers that should be read`."""
_NEVER_FIRST = word_set(
    "for with about regarding to of in on at from by into concerning "
    "re any some more both no please"
)
_PERSONS = word_set("i we you he she they somebody someone everybody everyone nobody anyone people")
_ITSELF = word_set("be have not never been")
_CAUSES = re.compile(
    r"(?:(?:i|we)(?:'d| would)?(?: really| just| also)* (?:need|want|like|love)"
    r"(?: to (?:have|get|see))?|(?:can|could|may) (?:i|we) (?:please )?(?:get|have)"
    r"|(?:can|could|would|will) you (?:please )?(?:get|have)|have|get|please have"
    r"|let's (?:get|have)) "
)
_AFTER_PARTICIPLE = word_set("please today now by to from with as for into in on off asap tonight")
ENSURES = re.compile(
    r"(?:see to it (?:that )?|see that |make (?:very |quite )?sure (?:that )?|ensure (?:that )?"
    r"|take care (?:that )?)(?!to\b)"
)
_BECOMING = word_set("is are gets get be becomes")
_POINTING = word_set("that this it")
_MAY = word_set("can may")
_NEEDED = word_set("needs need has have")
_ITS = word_set("its his her their the a an our my")
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
    if first >= last or words[first] in _NEVER_FIRST:
        return False
    for place in range(first, last):
        word, following = words[place], words[place + 1]
        if place > first:
            if word in MODALS and following not in signs.SUBJECTS:
                return not _is_passive(words, place + 1, own.clause.end)
            if word in _BEING and following in _BOUND and words[place + 2 : place + 3] == ["to"]:
                return True
            if (word, following) in _BETTER or (word in _OBLIGING and following == "to"):
                return not _is_passive(words, place + 2, own.clause.end)
        elif word in _PERSONS and following in MODALS:
            return True
        if word in _OPENS_RELATIVE and place > first:
            return False
    return False


def is_told(own: Own) -> bool:
    """Tell `I love the crew list` and `the crew list is a mess` from `the crew list`."""
    words, first, end = own.text.words, own.start, own.clause.end
    if words[first] in _TELLERS and end - first > 2:
        return True
    for place in range(first + 1, end):
        word = words[place]
        if word in _OPENS_RELATIVE:
            return False
        if word in _COPULAS and place + 1 < end and place not in own.text.is_thing:
            return True
    return False


def may_be_done(own: Own) -> bool:
    """Tell `the export can be deleted` and `WO-1042 may be closed now`: it is time for it."""
    words, place = own.text.words, own.start
    if own.clause.is_asked or words[place] in signs.SUBJECTS - _POINTING:
        return False
    while place < own.clause.end and words[place] not in _MAY:
        if words[place] in _OPENS_RELATIVE - _POINTING:
            return False
        place += 1
    verb = own.verb_after(place + 2, "past")
    if place == own.start or verb is None:
        return False
    between = words[place + 1 : verb.first]
    return "be" in between and signs.HEDGES.issuperset(set(between) - {"be"})


def is_told_of(own: Own) -> bool:
    """Tell `what I wrote was wrong` from `what we have on order`: something is said of it."""
    return not _COPULAS.isdisjoint(own.words[3:])


def verb_ensured(own: Own) -> Verb | None:
    """Find the verb of `see to it that WO-1042 is closed`, which only a change can bring about."""
    ensures = ENSURES.match(own.rest)
    if ensures is None or own.clause.is_asked:
        return None
    first = own.words_of(ensures[0])
    verb = own.verb_after(first + 1, "past")
    if verb is None or verb.nature == "read":
        return None
    words = own.text.words[first : verb.first]
    is_passive = not _BECOMING.isdisjoint(words) and words[0] not in _PERSONS
    is_open = denials.negator_in(own.text.words, first, verb.first) is None
    is_last = verb.end >= own.clause.end or own.text.words[verb.end] in _AFTER_PARTICIPLE
    return verb if is_passive and is_open and is_last else None


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
        if words[place] in _OPENS_RELATIVE - {"it"}:
            return None
        if words[place] in MODALS | _DENIED and words[place + 1] in _ITSELF:
            return place
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


def has_unknown_done(own: Own) -> bool:
    """Tell `have it notarised`: somebody is to do what nobody here knows."""
    words, last = own.text.words, own.clause.end - 1
    if own.rest.split()[0] not in ("have", "get") or last in own.text.is_thing:
        return False
    if last <= own.start:
        return False  # the verb alone
    if words[own.start + 1] in signs.SUBJECTS - _POINTING:
        return False
    return words[last].endswith("ed") and not own.text.is_known(words[last])


def verb_needed(own: Own) -> Verb | None:
    """Find the verb of `I need it closed`, `have it closed` and `it needs to be closed`."""
    words, end = own.text.words, own.clause.end
    causes = _CAUSES.match(own.rest)
    if causes and (own.head is None or own.head.end - own.head.first == 1):
        first = own.words_of(causes[0])
        verb = own.verb_after(first + 1, "past")
        between = words[first : verb.first if verb else first + 1]
        if words[first] in signs.SUBJECTS or not _OPENS_RELATIVE.isdisjoint(between):
            return None
        is_last = verb is not None and (verb.end == end or words[verb.end] in _AFTER_PARTICIPLE)
        return verb if is_last else None
    if own.head is not None or words[own.start] in _OPENS_RELATIVE | _NEVER_FIRST | _PERSONS:
        return None
    for place in range(own.start + 1, end - 1):
        if words[place] in _OPENS_RELATIVE or words[place].endswith("n't"):
            return None
        if words[place] not in _NEEDED or not own.names_thing(place - 1):
            continue
        verb = own.verb_at(place + 1)
        if verb is not None and verb.form == "gerund" and words[place] in ("needs", "need"):
            return verb if verb.nature != "read" else None
        if words[place + 1] in _ITS:  # `WO-1042 needs its photo removed`
            verb = own.verb_after(place + 3, "past")
            is_last = verb is not None and (verb.end == end or words[verb.end] in _AFTER_PARTICIPLE)
            return verb if is_last else None
        if words[place + 1 : place + 3] == ["to", "be"]:
            verb = own.verb_at(place + 3)
            return verb if verb is not None and verb.form == "past" else None
    return None
