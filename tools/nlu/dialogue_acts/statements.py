"""Statements: clauses with a subject and a finite verb, which use a verb without ordering it."""

import re
from collections.abc import Sequence

from tools.nlu.dialogue_acts import negation as denials
from tools.nlu.dialogue_acts.clauses import TELLING, ClauseWords
from tools.nlu.lexicon import cue_phrases as signs
from tools.nlu.lexicon.normalization import word_set
from tools.nlu.lexicon.verbs import Verb

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


def has_subject(own: ClauseWords) -> bool:
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


def is_told(own: ClauseWords) -> bool:
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


def may_be_done(own: ClauseWords) -> bool:
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


def is_reported_of(own: ClauseWords) -> bool:
    """Tell `what I wrote was wrong` from `what we have on order`: something is said of it."""
    return not _COPULAS.isdisjoint(own.words[3:])


def _is_passive(words: Sequence[str], place: int, end: int) -> bool:
    following = words[place + 1 : min(place + 2, end)]
    is_noun = not signs.DETERMINERS.isdisjoint(following)  # `closing it would be an option`
    return place < end and words[place] in ("be", "get") and not is_noun


def predicate_of_order(own: ClauseWords) -> int | None:
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


def is_reported_of_unknown(own: ClauseWords) -> bool:
    """Tell `Marta displayed previous repairs`: a word nobody knows, and what it did."""
    words, place = own.text.words, own.start + 1
    if place + 1 >= own.clause.end or own.start in own.text.is_thing:
        return False
    stranger = words[own.start]
    if stranger in signs.FUNCTION_WORDS or stranger.endswith("ly") or own.text.is_known(stranger):
        return False
    verb = own.verb_at(place)
    return verb is not None and verb.form == "past"


def is_over(own: ClauseWords) -> bool:
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


def is_denied_predicate(own: ClauseWords, place: int) -> bool:
    """Tell whether the predicate behind an order denies it: `orders should not be sent`."""
    return denials.negator_in(own.text.words, place, min(place + 2, own.clause.end)) is not None


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


def verb_of_way(own: ClauseWords) -> Verb | None:
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


def verb_behind_please(own: ClauseWords) -> Verb | None:
    """Find the verb of `for WO-1036 please order a switch`, but not of `nobody said please …`."""
    for place in range(own.start, own.clause.end - 1):
        if own.text.words[place] in signs.POLITE_WORDS:
            if not signs.SAYING.isdisjoint(own.text.words[own.start : place]):
                return None
            verb = own.verb_at(place + 1)
            return verb if verb is not None and verb.form == "base" else None
    return None


def is_done(own: ClauseWords) -> bool:
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


def _is_told_past(own: ClauseWords, first: int, verb: Verb) -> bool:
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


def _is_describing(own: ClauseWords, verb: Verb) -> bool:
    """Tell `closed work orders` from `closed the work order` and `closed WO-1042`."""
    following = range(verb.end, min(verb.end + 3, own.clause.end))
    kinds = [place for place in following if own.text.words[place].endswith("s")]
    return (
        bool(kinds)
        and own.text.is_thing >= set(range(verb.end, kinds[0] + 1))
        and not any(map(str.isdigit, "".join(own.text.words[verb.end : kinds[0] + 1])))
    )


def is_sentence(own: ClauseWords) -> bool:
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
