"""Words that join clauses: conjunctions, conditions, exceptions, and where an order begins."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tools.nlu.dialogue_acts.negation import negator_in
from tools.nlu.lexicon.closed_classes import CONDITION_WORDS
from tools.nlu.lexicon.cue_phrases import (
    AUXILIARIES,
    DETERMINERS,
    FUNCTION_WORDS,
    LEAD,
    SAYING,
    SUBJECTS,
)
from tools.nlu.lexicon.normalization import phrases_of, word_set
from tools.nlu.lexicon.politeness import NICE, REQUEST
from tools.nlu.lexicon.verbs import Form, VerbLexicon

LEADS_ON = word_set("please also then just now go first finally")
PLEASE = word_set("please pls plz kindly")
_LEADS_IN = LEADS_ON | PLEASE


@dataclass(frozen=True)
class Verbs:
    """What may be the verb of an order."""

    lexicon: VerbLexicon
    openings: Mapping[str, Form]


def begins_order(words: Sequence[str], start: int, end: int, verbs: Verbs) -> bool:
    """Tell whether an order begins at a word, perhaps after `please` or `then`."""
    while start < end and words[start] in _LEADS_IN:
        start += 1
    if start >= end:
        return False
    verb = verbs.lexicon.at(words, start)
    form = verb.form if verb is not None else verbs.openings.get(words[start])
    return form == "base"


def ordered(words: Sequence[str], place: int, end: int, verbs: Verbs) -> Sequence[str] | None:
    """Give what is asked for by the words before a place; None: they ask for nothing."""
    said = " ".join(words[:place]) + " "
    lead = LEAD.match(said)
    rest = said[lead.end() :] if lead else said
    request = REQUEST.match(rest)
    start = place - len(rest.split())
    if request is None and not begins_order(words, start, end, verbs):
        return None
    return rest[request.end() if request else 0 :].split()


_TIMES = word_set("after before until till while because since")
"""These bind a clause when its subject follows; `after 5 pm` is only a time."""
_WONDERS = word_set("what who why how which where did do does is was were has have had")
_PAST_TIMES = word_set("after before while when since")
_PAST = word_set(
    "was were did had came went saw got left said gave took made found told sent lost broke began "
    "meant didn't wasn't weren't"
)
"""Behind one of these times and a subject: what was so by then, and no condition."""
_REASONS = frozenset({"because", "since", "before"})
"""What is to be done `before they fine us` is asked for all the same."""
_AS_LONG = phrases_of(
    """
    as soon as; as long as; so long as; in case; in the event; on condition;
    on the condition; under the condition; by the time; next time; subject to; depending on;
    conditional on; conditional upon; contingent on; contingent upon; pending approval;
    pending confirmation; upon approval; upon confirmation; as and when
    """
)
_INSTANTS = word_set("moment minute second instant day hour night time")
"""Between `the` and a subject these bind a condition: `the moment I give the signal`."""
_SUDDEN = word_set("moment minute second instant")
_HAPPENING = word_set("is are has have gets comes says gives arrives signs wants does will can")
_ONLY_THEN = re.compile(r"(?:but )?only (?:after|when|if|once|upon|as|until|unless)\b")
_ONCE_DONE = phrases_of(
    """
    when you're done; when you are done; when you're finished; when you have finished; when done;
    once you're done; once you are done; once you have finished; once done; once that's done;
    once that is done; once this is done; when that's done; when that is done; when finished;
    after that; after this
    """
)
"""These put one request after another and make no condition."""
_ASKS_WHETHER = word_set(
    "check see look know ask tell wonder out even as and confirm verify sure determine decide so "
    "ok what wondering"
)
_BEFORE_NICE = word_set("be is it's much very most so")
"""Behind these and what is nice no condition begins: `it would be so nice if you could`."""
_LIKES = word_set("appreciate love like")
"""Nor behind these and `it`: `I would appreciate it if you could`."""
_TELLS_OF_IT = word_set("i we i'd we'd which that who what that's")
"""Behind an order these begin what somebody tells of it."""
_TELLS_ME = word_set("tell show ask remind inform teach text call notify alert let")

BINDING = CONDITION_WORDS | _TIMES | _PAST_TIMES | {"the"} | _AS_LONG.openings()
"""The words one of which begins whatever `condition_at` finds."""


def condition_at(words: Sequence[str], place: int, end: int, verbs: Verbs) -> str | None:
    """Name what binds a condition, a time or a reason at a word; None: nothing of them begins."""
    word, before = words[place], words[place - 1]
    if word not in BINDING:
        return None
    following = words[place + 1] if place + 1 < end else ""
    earlier = words[place - 2] if place > 1 else ""
    is_asked = (
        before in _ASKS_WHETHER
        or (before == "me" and earlier in _TELLS_ME)
        or (before in NICE and earlier in _BEFORE_NICE)
        or (before == "it" and earlier in _LIKES)
    )
    if once_done(words, place):
        return None
    if word == "the" and following in _INSTANTS and _happens(words, place + 2, end):
        return "if"
    is_perfect = following.endswith(("'ve", "'s", "'re"))  # `when he's checked it`
    is_past = not is_perfect and _is_past(words, place + 2, end)
    is_told = word == "when" and words[0] not in _WONDERS and is_past
    if is_told and (is_asked or not _waits(words, place, end, verbs)):
        return None if is_asked else "because"
    if word in CONDITION_WORDS and following and not is_asked:
        is_question = word == "when" and following in AUXILIARIES
        is_adverb = word == "once" and (before == "at" or following in ("more", "again"))
        return "" if is_question or is_adverb else "if"
    if word in _PAST_TIMES and following in SUBJECTS and is_past:
        return "because"  # `get it back after I deleted it`
    if word in _TIMES and following in SUBJECTS and following != "this":
        return "because" if word in _REASONS else "if"
    if before in DETERMINERS and word == "subject":
        return None  # `switch the subject to soils`
    return "if" if _AS_LONG.at(words, place) is not None else None


def is_only_then(words: Sequence[str], place: int) -> bool:
    """Tell `close it, but only after Ben has seen it`."""
    is_first = words[place] in ("but", "only")
    return is_first and _ONLY_THEN.match(" ".join(words[place : place + 3])) is not None


def once_done(words: Sequence[str], place: int) -> int:
    """Count the words of `when you're done` at a word."""
    found = _ONCE_DONE.at(words, place)
    return found.end - place if found is not None else 0


def _happens(words: Sequence[str], place: int, end: int) -> bool:
    """Tell `the moment I say so` and `the minute Ben is back` from `the day before`."""
    if place < end and words[place] in SUBJECTS:
        return True
    if words[place - 1] in _SUDDEN and words[place : place + 1] == ["the"]:
        return True
    return place + 1 < end and words[place + 1] in _HAPPENING


def _is_past(words: Sequence[str], place: int, end: int) -> bool:
    """Tell a verb of what was: `needed` and `was`, and not `need` or `succeed`."""
    if place >= end:
        return False
    word = words[place]
    return word in _PAST or (word.endswith("ed") and not word.endswith(("eed", "embed", "shred")))


def _waits(words: Sequence[str], place: int, end: int, verbs: Verbs) -> bool:
    """Tell `close it when he said so` from `I lost it when we left` and `from when we left`."""
    if words[place - 1] in ("from", "to", "since") or not _is_past(words, place + 2, end):
        return False
    asked = ordered(words, place, end, verbs)
    return asked is not None and _TELLS_OF_IT.isdisjoint(asked)


NOTHING = word_set("nothing nobody none")
EXCEPTING = word_set("but except else other apart save")
"""Behind nothing these leave something: `nothing but the urgent ones`."""
_ALL = word_set(
    "all every everything everyone everybody any anything anyone anybody each whole entire"
)
_ALL_REACH = 6
"""Words between all and what is left out of it."""
_LEAVING = word_set("but save besides bar excluding barring minus")
_LEAVING_BY_TWO = frozenset(
    {("other", "than"), ("else", "than"), ("apart", "from"), ("aside", "from"), ("save", "for")}
)

LEAVING = _LEAVING | {first for first, _second in _LEAVING_BY_TWO}
"""The words one of which begins whatever `leaves_out` finds."""


def leaves_out(words: Sequence[str], place: int, end: int, verbs: Verbs) -> bool:
    """Tell whether what stands behind a word is left out of what stands before it."""
    if words[place] not in LEAVING:
        return False
    before = words[max(0, place - _ALL_REACH) : place]
    if not NOTHING.isdisjoint(before) or place + 1 >= end:
        return False
    if tuple(words[place : place + 2]) in _LEAVING_BY_TWO:
        return place + 2 < end
    following = words[place + 1]
    is_named = following in DETERMINERS or following not in FUNCTION_WORDS
    is_of_all = words[place] in _LEAVING and not _ALL.isdisjoint(before)
    # `close all but keep WO-1` goes on with an order
    return is_of_all and is_named and not begins_order(words, place + 1, end, verbs)


_CONTRACTED = word_set("it's that's i'm you're we're they're")
_AFTER_NOT = word_set(
    "the a an to in into on onto for from at with this that these those my our your it them"
)
_AND = word_set("and or plus")
_SAID_WITHIN = 4
"""Words before `please` in which somebody may be said to have said it."""
_REACH = 14
"""Words before `please` in which a denial may stand that it ends."""
_IT_SAYS = frozenset({("it", "reads"), ("it", "says"), ("it", "shows")})
"""Behind `so that`, what is written: `correct the note so that it says thirty`."""
_WHATEVER = word_set("anything something anyone anybody it he she they there things he")
_INSTEAD = word_set("but instead rather without except")
_SO = word_set("so therefore thus hence consequently accordingly")
"""Before an order these draw the conclusion from what was said: it is the writer's own."""
_BEFORE_SO = word_set(
    "is are was were be been being am not if or even do does did done say says said saying tell "
    "told think thought thinks hope guess suppose believe just quite ever why feel looks look got "
    "get it's that's he's she's i'm we're you're they're"
)
"""Behind these `so` is a degree or stands for what was said: `it was so close`, `he said so`."""
_ENABLES = word_set(
    "can can't cannot could couldn't will won't would wouldn't don't doesn't needn't"
    " isn't aren't never"
)
"""Behind `so` and a subject these say what an order is for."""
_ALSO_ADJECTIVE = word_set("close open clean clear dry slow cool warm complete present light free")
_NEVER_SO = word_set("far much many long that as on be called")
_I_ASK = frozenset(
    {("let", "me"), ("let", "us"), ("i", "need"), ("i", "want"), ("we", "need"), ("we", "want")}
    | {("i'd", "like"), ("we'd", "like"), ("may", "i"), ("can", "i"), ("could", "i")}
)

_GO_ON = frozenset({("go", "ahead"), ("go", "on")})
"""Before `and` these are of what follows: `let's go ahead and close it`."""

_JOINING = BINDING | LEAVING | _INSTEAD | _SO | _AND | PLEASE | word_set("should then only not")
"""The words one of which begins a clause that no comma or the like parts from the one before."""


def joint_at(words: Sequence[str], place: int, end: int, verbs: Verbs, *, is_soft: bool) -> str:
    """Name the word that begins a new clause at `place`, nothing when none does."""
    word, before = words[place], words[place - 1]
    if not is_soft and word not in _JOINING:
        return ""
    following = words[place + 1] if place + 1 < end else ""
    if word == "should" and following in _WHATEVER and before not in SUBJECTS:
        return "if"  # `close it should anything break`
    if is_only_then(words, place):
        return "if"
    if word == "then" and before not in ("and", "until"):
        return "and"
    part = _denied_part(words, place, end, verbs)
    if part is not None:
        return part
    purpose = _purpose(words, place, end, verbs)
    if purpose is not None:
        return purpose
    condition = condition_at(words, place, end, verbs)
    if condition is not None:
        return condition
    if word in _SO and _concludes(words, place, end, verbs, is_soft=is_soft):
        return "so"
    return _before_order(words, place, end, verbs, is_soft=is_soft)


def _concludes(words: Sequence[str], place: int, end: int, verbs: Verbs, *, is_soft: bool) -> bool:
    """Tell `it leaks, so close it` from `it was so close`."""
    following = words[place + 1 : place + 3]
    if not following or following[0] in _NEVER_SO:
        return False
    if is_soft:
        return True
    if words[place - 1] in _BEFORE_SO and words[place] == "so":
        return False
    if tuple(following) in _I_ASK or _is_frame(words, place + 1):
        return True
    if not begins_order(words, place + 1, end, verbs):
        return False
    is_clear = following[0] not in _ALSO_ADJECTIVE or words[place] != "so"
    behind = following[-1]
    return is_clear or behind in DETERMINERS or any(map(str.isdigit, behind))


def _denied_part(words: Sequence[str], place: int, end: int, verbs: Verbs) -> str | None:
    """Name what binds a part that is denied or put against another; None: nothing of the kind."""
    word, before = words[place], words[place - 1]
    following = words[place + 1] if place + 1 < end else ""
    if word == "but" and before in ("anything", "everything"):  # `do anything but close it`
        return "not"
    if word in EXCEPTING and before in NOTHING:  # `show nothing but the urgent ones`
        return ""
    if leaves_out(words, place, end, verbs):
        return "not"  # `share it with everyone but Lena`
    if word in _INSTEAD and before not in ("i'd", "we'd", "would"):  # `I'd rather you closed it`
        return "not" if word != "but" and following in ("of", "than", "") else word
    if word == "not" and before not in AUXILIARIES | _CONTRACTED:
        return "not" if _denies_part(words, place, end, verbs.lexicon) else ""
    return None


def _purpose(words: Sequence[str], place: int, end: int, verbs: Verbs) -> str | None:
    """Name what an order is for, `export it so that Ana can print it`; None: none begins here."""
    if words[place : place + 2] == ["so", "that"]:
        is_content = tuple(words[place + 2 : place + 4]) in _IT_SAYS
        return "" if is_content else "so that"
    return "so that" if words[place] == "so" and _is_purpose(words, place, end, verbs) else None


def _is_purpose(words: Sequence[str], place: int, end: int, verbs: Verbs) -> bool:
    """Tell `save it so I don't lose it` from what is concluded, `it leaks, so I closed it`."""
    subject = place + 1 + (words[place + 1 : place + 2] in (["the"], ["my"], ["our"]))
    is_enabled = words[subject + 1 : subject + 2] and words[subject + 1] in _ENABLES
    if not is_enabled or words[place - 1] in _BEFORE_SO or words[subject] in LEADS_ON:
        return False
    return ordered(words, place, end, verbs) is not None


def _before_order(
    words: Sequence[str], place: int, end: int, verbs: Verbs, *, is_soft: bool
) -> str:
    word = words[place]
    if word == "and" and tuple(words[place - 2 : place]) in _GO_ON:
        return ""
    if word in ("and", "but") and _is_frame(words, place + 1):
        return "and" if word != "but" else word
    if word in PLEASE and not SAYING.isdisjoint(words[max(0, place - _SAID_WITHIN) : place]):
        return ""  # `nobody told me please close it`
    if word in PLEASE and begins_order(words, place, end, verbs):
        return "but" if negator_in(words, max(0, place - _REACH), place) is not None else ""
    if word in _AND or is_soft:
        start = place + (word in _AND)
        start += once_done(words, start)
        while start < end and words[start] in LEADS_ON:
            start += 1
        if start < end and words[start] in ("don't", "dont", "never", "do", "not"):
            return word
        if word in _AND and begins_order(words, start, end, verbs):
            return "or" if word == "or" else "and"
    return ""


def _denies_part(words: Sequence[str], place: int, end: int, lexicon: VerbLexicon) -> bool:
    """Tell `not the handover` from `make sure not to close it`."""
    following = words[place + 1] if place + 1 < end else ""
    if following == "to" and place + 2 < end and lexicon.at(words, place + 2) is not None:
        return False
    return following in _AFTER_NOT or any(map(str.isdigit, following))


def _is_frame(words: Sequence[str], place: int) -> bool:
    """Tell whether `please` or `can you` begins at a word."""
    pair = tuple(words[place : place + 2])
    return pair[:1] == ("please",) or (
        len(pair) == 2 and pair[0] in ("can", "could", "would", "will") and pair[1] == "you"
    )
