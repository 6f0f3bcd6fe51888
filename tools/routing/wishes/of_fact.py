"""Does a text end in a question of how things are? Then it is answered, and changes nothing."""

import re

from tools.routing.reading import Reading
from tools.routing.speech_acts.clauses import Clause
from tools.routing.words.phrases import word_set
from tools.routing.words.signs import COURTESY

_BE = word_set("is isn't are aren't was wasn't were weren't has hasn't did didn't does doesn't")
_MAY_ORDER = word_set("have haven't had hadn't do don't")
"""`Have it removed` and `do the list` are orders, `have I` and `do we` are none."""
_ASKS = word_set("what what's whats whose who who's which when when's where where's how how's")
_OF_WHICH = word_set("who who's which")
"""Behind a comma these may tell more of what was named: `back to Priya, who had it`."""
_DO = word_set("did didn't does doesn't")
_OF_THINGS = word_set("what which whose")
_ANY = word_set("any anything anyone anybody")
_ENDS = word_set("what when who whom where")
"""`The note on WO-1049 says what` asks as well as what begins so."""
_AWAY = word_set("to onto into off out back from for with without")
"""`WO-1042 to Luca?` proposes something."""
_SUBJECTS = word_set("i we you he she they")
_NOUNS = word_set(
    "the a an my our your his her their its this that these those it there any anyone anybody "
    "someone somebody everything everybody all"
)
"""What a subject begins with, where it is no pronoun of persons; `it` and `that` may be objects."""
_OPENS = word_set("and but so or then also now ok okay well")
_ADDS_NOTHING = COURTESY | {"or", "not"}
_WANTS = re.compile(
    r"\b(?:chance|way|possible|possibility|you able|mind|ok|okay|all ?right|fine|think"
    r"|(?:how|what) about|if|come|can|could|would|will|shall|should|may|might|must)\b"
)
"""`Is there any chance`, `do you mind`, `what about`, `who could`: questions that are requests."""
_TOLD = re.compile("[:-]")
"""What stands behind it may be what is to be written down: `Question: does sleep loss matter?`."""


def ends_in_question_of_fact(reading: Reading) -> bool:
    """Tell `we reopened it on Monday, whose is it now` from `can it be reopened`.

    What was told before the question is what it is about, and the verbs in it ask for nothing. Of
    the requests that were looked at for this rule (docs/routing.md, hard examples) 14 that end so
    had been taken for changes, and none of those was meant.
    """
    cut = reading.act.cut
    words = [token.text for token in reading.normal.tokens]
    if cut.content_first is not None or not cut.clauses:
        return False
    asked = [one for one in cut.clauses if not _ADDS_NOTHING.issuperset(words[one.first : one.end])]
    if not asked or asked[-1].joint == "if" or asked[-1].first in cut.quoted:
        return False
    last = asked[-1]
    if _TOLD.search(_before(reading, last)):
        return False
    first = last.first
    while first < last.end and words[first] in _OPENS:
        first += 1
    own = words[first : last.end]
    if not own or _WANTS.search(" ".join(own)):
        return False
    is_alone = len(asked) == 1 and not last.is_bound
    if len(own) < 2:
        return is_alone and _asks_in_short(reading, own, last)
    is_named = any(one.first == first + 1 for one in reading.mentions)
    if (is_named and own[0] in _BE) or own[-1] in _ENDS or _asks_fact(own, last):
        return True
    is_doing = any(verb.first == first + 1 for verb in reading.verbs)
    return is_alone and (_asks_by_itself(own, is_doing) or _asks_in_short(reading, own, last))


def _asks_in_short(reading: Reading, own: list[str], last: Clause) -> bool:
    """Tell `topic?` and `photos attached to WO-1079?`: a mark, and nothing that is to be done."""
    if not last.is_asked:
        return False
    verbs = [verb for verb in reading.verbs if last.first <= verb.first < last.end]
    is_past = all(verb.form == "past" for verb in verbs)
    return is_past and (bool(verbs) or _AWAY.isdisjoint(own))


def _asks_by_itself(own: list[str], is_doing: bool) -> bool:
    """Tell `which line names the pump` and `is item 3 done`: all of a text, without its mark.

    Args:
        is_doing: the second word is a verb; `was closed by mistake` asks nothing.
    """
    first, second = own[0], own[1]
    if second in _SUBJECTS or second == "to":
        return False
    if first in _BE:
        return first not in _MAY_ORDER and not is_doing
    is_thing_asked = first in _OF_THINGS and second not in _NOUNS
    return is_thing_asked or first in _OF_WHICH or first in _ANY


def _before(reading: Reading, clause: Clause) -> str:
    """Give what parts a clause from the words before it."""
    normal = reading.normal
    if clause.first == 0:
        return ""
    return normal.text[normal.tokens[clause.first - 1].end : normal.tokens[clause.first].start]


def _asks_fact(own: list[str], clause: Clause) -> bool:
    first, second = own[0], own[1]
    if first in _MAY_ORDER:
        return second in _SUBJECTS
    if first in _BE:
        return clause.is_asked or second in _SUBJECTS | _NOUNS
    if first not in _ASKS or (first in _OF_WHICH and clause.is_bound):
        return False
    if clause.is_asked or (first in _OF_THINGS and not _DO.isdisjoint(own)):
        return True
    is_part = not _BE.isdisjoint(own[2:])  # `what's in my library is none of her business`
    return not is_part and (first.endswith("s") or second in _BE | _MAY_ORDER)
