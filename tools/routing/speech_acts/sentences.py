"""Sentences that use the verb of a request without making it: what was done, is done, should be."""

import re
from collections.abc import Sequence

from tools.routing.speech_acts.clause_words import Own
from tools.routing.words import signs
from tools.routing.words.verbs import Verb

_CAUSING = frozenset({"need", "needs", "want", "wants", "like", "have", "get", "be", "should"})
_RELATIVE = frozenset({"that", "this", "who", "there"})
_ARTICLES = signs.DETERMINERS - {"it", "me", "us", "them", "everything", "another", "both", "all"}
_BEFORE_NOUN = frozenset({"the", "a", "an", "my", "our", "your", "their"})
_WHATEVER = frozenset(
    {"everything", "anything", "all", "those", "ones", "stuff", "whatever", "any"}
)
_MAY_BE = frozenset({"can", "may", "should", "must"})
_WAY = re.compile(
    r"(?:is there|do you have|there's)? ?(?:a|any|some)(?: (?:quick|easy|good|simple))? way"
    r"(?: for (?:me|us|you))? to "
)
_SUGGESTS = re.compile(r"(?:how|what) about ")
_THIS = frozenset({"my", "our", "this", "that", "these", "those", "it"})
_DATES = frozenset({"in", "since", "before", "after", "until", "from", "by", "during"})
_YEAR = 4
_TIMES = frozenset({"week", "month", "year", "morning", "evening", "day", "time", "season", "trip"})


def verb_of_way(own: Own) -> Verb | None:
    """Find the verb of `is there a way to close WO-1042`, and of `how about closing it`.

    None: neither is said, or no thing is named: `is there a way to close a job?` asks in general.
    """
    way, suggests = _WAY.match(own.rest), _SUGGESTS.match(own.rest)
    if suggests:
        verb = own.verb_at(own.words_of(suggests[0]))
        is_change = verb is not None and verb.form == "gerund" and verb.nature == "write"
        return verb if is_change else None
    verb = own.verb_at(own.words_of(way[0])) if way is not None else None
    if verb is None or verb.form != "base":
        return None
    behind = own.text.words[verb.end : own.clause.end]
    is_named = any(word in _THIS or any(map(str.isdigit, word)) for word in behind)
    return verb if is_named else None


def verb_behind_please(own: Own) -> Verb | None:
    """Find the verb of `for WO-1036 please order a switch`, but not of `nobody said please …`."""
    for place in range(own.start, own.clause.end - 1):
        if own.text.words[place] in signs.POLITE_WORDS:
            if not signs.SAYING.isdisjoint(own.text.words[own.start : place]):
                return None
            verb = own.verb_at(place + 1)
            return verb if verb is not None and verb.form == "base" else None
    return None


def is_done(own: Own) -> bool:
    """Tell `I closed it`, `Ben has closed it` and `it was closed` from a request."""
    lead = signs.DONE_LEAD.match(own.rest)
    said = lead[0].split() if lead else []
    place = own.start + len(said)
    has_done = signs.HAVING & set(said) or (said and own.words[-1] == "already")
    if has_done and own.verb_at(place):
        return True
    passive = signs.PASSIVE_DONE.search(own.rest)
    if passive and own.text.lexicon.forms.get(passive[1], ("", "base"))[1] == "past":
        return True
    for verb_place in range(place, own.clause.end):
        verb = own.verb_at(verb_place)
        if verb is not None and verb.form == "past" and _is_told_past(own, place, verb):
            return True
    return False


def _is_told_past(own: Own, first: int, verb: Verb) -> bool:
    """Tell `the night shift closed it` from `parts ordered this week` and `needs to be closed`."""
    words, place = own.text.words, verb.first
    if place == first:
        return not _is_describing(own, verb)
    if words[place - 1] in _BEFORE_NOUN and verb.end < own.clause.end:
        return False  # `bring the cancelled service back`
    if words[place - 1] in _WHATEVER:  # `everything tagged vision`
        return False
    if _MAY_BE & set(words[verb.end : own.clause.end]):  # `what you produced can be thrown away`
        return False
    before = set(words[own.start : place])
    if before & _CAUSING:
        return False
    after = words[verb.end] if verb.end < own.clause.end else ""
    has_object = after in signs.DETERMINERS or own.names_thing(verb.end)
    has_object = has_object and not _is_dated(words[verb.end : verb.end + 2])
    is_time = " ".join(words[verb.end + 1 : verb.end + 2]) in _TIMES
    if place - 1 in own.text.is_thing:
        return has_object and not is_time
    if before & _RELATIVE:
        return bool(before & (signs.SUBJECTS - _RELATIVE))
    return bool(before & signs.SUBJECTS) or (has_object and not is_time)


def _is_dated(words: Sequence[str]) -> bool:
    """Tell `papers on it published in 2023` from `she published it`: a year is no object."""
    return len(words) > 1 and words[0] in _DATES and words[1].isdigit() and len(words[1]) == _YEAR


def _is_describing(own: Own, verb: Verb) -> bool:
    """Tell `closed work orders` from `closed the work order` and `closed WO-1042`."""
    following = range(verb.end, min(verb.end + 3, own.clause.end))
    kinds = [place for place in following if own.text.words[place].endswith("s")]
    return (
        bool(kinds)
        and own.text.is_thing >= set(range(verb.end, kinds[0] + 1))
        and not any(map(str.isdigit, "".join(own.text.words[verb.end : kinds[0] + 1])))
    )


def is_sentence(own: Own) -> bool:
    """Tell whether a verb stands inside a sentence about something else than asking for it."""
    words = own.text.words
    for place in range(own.start, own.clause.end):
        verb = own.verb_at(place)
        if verb is None:
            continue
        before = words[place - 1] if place > own.start else ""
        after = words[verb.end] if verb.end < own.clause.end else ""
        is_used = after in signs.DETERMINERS or own.names_thing(verb.end)
        starts = place == own.start
        told = is_used or starts or words[own.start] in signs.SUBJECTS
        if verb.form == "gerund" and (told or before in signs.BEFORE_GERUND):
            return True
        is_noun = not verb.families and re.search(r"[^s]s$", verb.phrase)  # `the 3 papers on it`
        if verb.form != "base" or starts or is_noun:
            continue
        if before in _ARTICLES or (before in signs.BEFORE_VERB and words[place - 2] in _RELATIVE):
            continue  # `any notes on it`, `everybody who can read it`
        is_named = words[own.start] not in signs.SUBJECTS
        if before == "to" and place - 2 in own.text.is_thing and is_named:
            continue  # `tasks to complete`
        if before in signs.BEFORE_VERB or before in signs.SUBJECTS:
            return True
        if is_used and place - 1 not in own.text.is_thing:
            return True
    return False
