"""Requests by frame (`can you ...`, `let's ...`) and by participle (`I need it closed`)."""

import re

from tools.nlu.dialogue_acts import negation as denials
from tools.nlu.dialogue_acts.clauses import ClauseMood, ClauseWords
from tools.nlu.dialogue_acts.statements import BEING, NEVER_FIRST, OPENS_RELATIVE, PERSONS, POINTING
from tools.nlu.lexicon import cue_phrases as signs
from tools.nlu.lexicon.normalization import word_set
from tools.nlu.lexicon.politeness import ANNOUNCES, CAUSES, ENSURES, HIGH_TIME, REQUEST
from tools.nlu.lexicon.verbs import Verb

_WHETHER_IT_CAN = re.compile(
    r"(?:even|theoretically|hypothetically|ever|possibly|technically|still|in (?:theory|principle)"
    r"|be|have|do (?:that|this|it|so)\b)\b"
)
"""Behind `can you` these make it a question about the system: `can you even close it`."""
_POSSIBLE = re.compile(
    r"is it (?:(?:even|ever|actually|technically|theoretically|physically|legally) )*possible"
    r"(?P<marked> (?:at all|ever|in (?:theory|principle)))?(?: for (?:me|us|anyone|anybody))? to "
)
"""`Is it possible at all to close it` asks whether it can be; without a mark it asks politely."""
_UNDERSTAND = re.compile(
    r"(?:understand|know|learn|figure out|see) (?:how(?! (?:many|much|long|often|far|old|big))"
    r"|why)\b"
)
_PAST_HOPE = re.compile(r".*\b(?:at the time|back then|that (?:day|time)|too late|yesterday)\b")
_TALKS = re.compile(r"(?:talk|speak|chat|think|hear) about\b")
"""`Can you talk about closing it` closes nothing."""


def as_request(own: ClauseWords) -> ClauseMood | None:
    """Judge `can you …`, `I need to …`, `let's …`, and find the verb behind it."""
    request = REQUEST.match(own.rest)
    is_back = request is not None and own.rest.startswith("you ") and own.clause.is_asked
    if is_back or _is_whether_possible(own):
        return own.judged("question", "about_itself")
    if not request:
        return None
    place = own.words_of(request[0])
    behind = " ".join(own.text.words[place : own.clause.end])
    if (about := _as_about(own, request[0], behind)) is not None:
        return about
    while place < own.clause.end and _is_hedge(own.text.words[place]):
        place += 1
    verb = own.verb_at(place)
    if own.clause.is_asked and verb is not None and ANNOUNCES.match(request[0]):
        return own.judged("question", "asked_back", verb)
    if request[0].endswith("chance you ") and (verb is None or verb.form != "base"):
        return own.judged("question", "question")  # `any chance you closed it?`
    if _lacks_verb(own, verb):
        return None
    if verb is None and own.is_unknown_verb(place):
        return own.judged("request", "unknown_verb")
    return own.judged("request", "request", verb)


def _as_about(own: ClauseWords, request: str, behind: str) -> ClauseMood | None:
    """Judge what is framed as a request and asks, wonders or speaks about the doing."""
    if " you" in f" {request}" and _WHETHER_IT_CAN.match(behind):
        return own.judged("question", "about_itself")
    if signs.WHETHER.match(behind):
        return own.judged("question", "question")
    if _UNDERSTAND.match(behind):
        return own.judged("question", "how_to")
    is_past = "hoping" in request and _PAST_HOPE.match(behind)
    return own.judged("statement", "declared") if is_past or _TALKS.match(behind) else None


def _is_whether_possible(own: ClauseWords) -> bool:
    possible = _POSSIBLE.match(own.rest)
    if possible is None:
        return False
    return bool(possible["marked"]) or not own.rest.startswith("is it possible")


def _lacks_verb(own: ClauseWords, verb: Verb | None) -> bool:
    """Tell `time I went home` from `time we closed it`, and `better photos` from `better close`."""
    form = verb.form if verb is not None else ""
    if HIGH_TIME.match(own.rest):
        return form != "past"
    return own.rest.startswith("better ") and form != "base"


def _is_hedge(word: str) -> bool:
    return word in signs.HEDGES or (word.endswith("ly") and len(word) > 4)


_AFTER_PARTICIPLE = word_set("please today now by to from with as for into in on off asap tonight")
_BECOMING = word_set("is are gets get be becomes")
_BEFORE_STATE = POINTING | _BECOMING
_UNCHANGED = word_set("reset shut")
"""Participles that look like their verbs, where they end a clause; `a data set` is none."""
_READY = word_set("ready waiting due")
_NEEDED = word_set("needs need wants has have") | _READY
_BETWEEN = word_set("still also really is are")
"""Between a thing and what it needs: `it still needs …`, `it is ready to …`."""
_PAST_TIMES = word_set("yesterday last earlier before since recently ago in on during between")
_NO_THING = OPENS_RELATIVE | NEVER_FIRST | PERSONS
"""A clause that begins so says of no thing what it needs."""
_DOERS = signs.SUBJECTS - POINTING
_ITS = word_set("its his her their the a an our my")


def verb_ensured(own: ClauseWords) -> Verb | None:
    """Find the verb of `see to it that WO-1042 is closed`, which only a change can bring about."""
    ensures = ENSURES.match(own.rest)
    if ensures is None or (own.clause.is_asked and not ensures["asks"]):
        return None
    first = own.words_of(ensures[0])
    verb = own.verb_after(first + 1, "past") or _of_state(own)
    if verb is None or verb.nature == "read":
        return None
    words = own.text.words[first : verb.first]
    is_passive = not _BECOMING.isdisjoint(words) and words[0] not in PERSONS
    is_open = denials.negator_in(own.text.words, first, verb.first) is None
    is_all = _is_last(own, verb) or own.text.words[verb.first - 1] in _BECOMING
    return verb if is_passive and is_open and is_all else None


def has_unknown_done(own: ClauseWords) -> bool:
    """Tell `have it notarised`: somebody is to do what nobody here knows."""
    words, last = own.text.words, own.clause.end - 1
    if own.rest.split()[0] not in ("have", "get") or last in own.text.is_thing:
        return False
    if last <= own.start:
        return False  # the verb alone
    if words[own.start + 1] in _DOERS:
        return False
    return words[last].endswith("ed") and not own.text.is_known(words[last])


def verb_needed(own: ClauseWords) -> Verb | None:
    """Find the verb of `I need it closed`, `have it closed` and `it needs to be closed`."""
    causes = CAUSES.match(own.rest)
    if causes is None or (own.head is not None and own.head.end - own.head.first > 1):
        return _needed_by_thing(own)
    if own.clause.is_asked and causes["tells"]:
        return None  # `want it closed?`, `have that closed?`
    return _caused(own, own.words_of(causes[0]), shows=bool(causes["see"] or causes["may"]))


def _needed_by_thing(own: ClauseWords) -> Verb | None:
    """Find the verb of `it needs to be closed` and `it wants closing`."""
    words, end = own.text.words, own.clause.end
    if own.clause.is_asked or own.head is not None or words[own.start] in _NO_THING:
        return None
    for place in range(own.start + 1, end - 1):
        if words[place] in OPENS_RELATIVE or words[place].endswith("n't"):
            return None
        if words[place] in _NEEDED and _is_of_thing(own, place):
            return _of_need(own, place)
    return None


def _of_need(own: ClauseWords, place: int) -> Verb | None:
    """Find what a thing needs, behind the word at `place` that says so."""
    words = own.text.words
    place += words[place + 1] == "got"  # `has got to be closed`
    if place + 1 == own.clause.end:
        return None
    verb = own.verb_at(place + 1)
    if verb is not None and verb.form == "gerund" and words[place] in ("needs", "need", "wants"):
        return verb if verb.nature != "read" else None
    if words[place + 1] in _ITS:  # `WO-1042 needs its photo removed`
        verb = own.verb_after(place + 3, "past")
        if verb is None or not OPENS_RELATIVE.isdisjoint(words[place + 2 : verb.first]):
            return None  # `Ben needs the note I deleted`
        return verb if _is_last(own, verb) else None
    if words[place + 1 : place + 3] == ["to", "be"]:
        verb = own.verb_at(place + 3)
        return verb if verb is not None and verb.form == "past" else None
    return None


def _is_of_thing(own: ClauseWords, place: int) -> bool:
    """Tell whether it is a thing that needs something, or what the actions are about."""
    words = own.text.words
    subject = place - 1 - (words[place - 1] in _BETWEEN and place - 1 > own.start)
    if words[own.start] in BEING or (words[place] in _READY and words[place - 1] != "is"):
        return False  # `is WO-1042 ready to be closed`, `orders waiting to be closed`
    return own.names_thing(subject) or words[subject] in own.text.lexicon.objects


def _caused(own: ClauseWords, first: int, *, shows: bool) -> Verb | None:
    """Find what is to be done with what is named from `first` on: `have that removed`."""
    words, verb = own.text.words, own.verb_after(first + 1, "past") or _of_state(own)
    between = words[first : verb.first if verb else first + 1]
    if between and between[0] in POINTING:
        between = between[1:]
    if words[first] in _DOERS or not OPENS_RELATIVE.isdisjoint(between):
        return None
    is_meant = verb is not None and _is_to_be_done(own, verb, shows=shows)
    return verb if is_meant else None


def _of_state(own: ClauseWords) -> Verb | None:
    """Find what ends `I want PO-2006 received`, of one thing, though it names a state too."""
    words, place = own.text.words, own.clause.end - 1
    if words[place] in _UNCHANGED and place > own.start + 1:
        return own.text.lexicon.at(words, place)  # `have the library reset`
    is_one = any(map(str.isdigit, words[place - 1])) or words[place - 1] in _BEFORE_STATE
    verb = own.text.lexicon.at(words, place) if is_one else None
    return verb if verb is not None and verb.form == "past" else None


def _is_last(own: ClauseWords, verb: Verb) -> bool:
    words = own.text.words
    return verb.end == own.clause.end or words[verb.end] in _AFTER_PARTICIPLE


def _is_to_be_done(own: ClauseWords, verb: Verb, *, shows: bool) -> bool:
    """Tell `have P-5 rated five`, of one thing, from `get papers tagged nlp`, which describes.

    Args:
        shows: the frame also asks for what is described: `can I have the papers removed`.
    """
    words, before = own.text.words, verb.first - 1
    is_one = own.is_named(before) or words[before] in POINTING
    if _is_last(own, verb):
        is_several = words[before] not in POINTING and words[before].endswith("s")
        return not shows or (is_one and not is_several)
    return is_one and words[verb.end] not in _PAST_TIMES
