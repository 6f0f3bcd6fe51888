"""Does a text end in a question of how things are? Then it is answered, and changes nothing."""

import re

from tools.routing.reading import Reading
from tools.routing.speech_acts.clauses import Clause
from tools.routing.words.phrases import word_set
from tools.routing.words.signs import COURTESY

BE = word_set("is isn't are aren't was wasn't were weren't has hasn't did didn't does doesn't")
_MAY_ORDER = word_set("have haven't had hadn't do don't")
"""`Have it removed` and `do the list` are orders, `have I` and `do we` are none."""
_ASKS = word_set("what what's whats whose who who's which when when's where where's how how's")
OF_WHICH = word_set("who who's which")
"""Behind a comma these may tell more of what was named: `back to Priya, who had it`."""
SUBJECTS = word_set("i we you he she they")
NOUNS = word_set(
    "the a an my our your his her their its this that these those it there any anyone anybody "
    "someone somebody everything everybody all"
)
"""What a subject begins with, where it is no pronoun of persons; `it` and `that` may be objects."""
_OPENS = word_set("and but so or then also now ok okay well")
ADDS_NOTHING = COURTESY | {"or", "not"}
WANTS = re.compile(
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
    words = reading.normal.words
    if cut.content_first is not None or not cut.clauses:
        return False
    asked = [one for one in cut.clauses if not ADDS_NOTHING.issuperset(words[one.first : one.end])]
    if not asked or asked[-1].joint == "if" or asked[-1].first in cut.quoted:
        return False
    last = asked[-1]
    if _TOLD.search(_before(reading, last)):
        return False
    first = last.first
    while first < last.end and words[first] in _OPENS:
        first += 1
    own = words[first : last.end]
    if len(own) < 2 or WANTS.search(" ".join(own)):
        return False
    is_named = any(one.first == first + 1 for one in reading.mentions)
    return (is_named and own[0] in BE) or _asks_fact(own, last)


def _before(reading: Reading, clause: Clause) -> str:
    """Give what parts a clause from the words before it."""
    normal = reading.normal
    if clause.first == 0:
        return ""
    return normal.text[normal.tokens[clause.first - 1].end : normal.tokens[clause.first].start]


def _asks_fact(own: list[str], clause: Clause) -> bool:
    first, second = own[0], own[1]
    if first in _MAY_ORDER:
        return second in SUBJECTS
    if first in BE:
        return clause.is_asked or second in SUBJECTS | NOUNS
    if first not in _ASKS or (first in OF_WHICH and clause.is_bound):
        return False
    if clause.is_asked:
        return True
    is_part = not BE.isdisjoint(own[2:])  # `what's in my library is none of her business`
    return not is_part and (first.endswith("s") or second in BE | _MAY_ORDER)
