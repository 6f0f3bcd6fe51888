"""Does a text only ask how things are, though its words are those of a change?

`Was WO-1042 reopened` and `who cancelled it` do; `didn't I ask you to reopen it`, `close it, isn't
it done?` and `WO-1042 to Luca?` want something, and so does a note whose text is a question.
"""

import re
from collections.abc import Sequence

from state.action import Action
from tools.routing.reading import Reading
from tools.routing.slots.filling import Filled
from tools.routing.speech_acts.clauses import Clause
from tools.routing.wishes.of_fact import (
    ADDS_NOTHING,
    BE,
    NOUNS,
    OF_WHICH,
    SUBJECTS,
    WANTS,
    ends_in_question_of_fact,
)
from tools.routing.words.phrases import word_set
from tools.routing.words.reporting_back import TELLING
from tools.routing.words.signs import COURTESY
from tools.routing.words.verbs import Verb

_HAVE = word_set("have haven't had hadn't has hasn't")
_DO = word_set("did didn't does doesn't")
_OF_THINGS = word_set("what which whose")
_ANY = word_set("any anything anyone anybody")
_ENDS = word_set("what when who whom where")
"""`The note on WO-1049 says what` asks as well as what begins so."""
_OF_WHOM, _WHOM = word_set("by for from to with since until"), word_set("whom who which when")
"""`By whom was it closed`, `since when is it shared`."""
_AWAY = word_set("to onto into off out back from for with without as on in")
"""`WO-1042 to Luca?` proposes something, `any paper of his goes into the library` orders it."""
_TAGS = word_set("is are was were has have do did does isn't aren't wasn't weren't hasn't haven't")
_TAGS |= word_set("don't didn't doesn't")
_PEOPLE = word_set("i we you")
_LEADS = (
    COURTESY
    | SUBJECTS
    | word_set(
        "can could would will just then and so to need have has had let let's must should want now"
    )
)
"""Words before the verb of an order: `could you close it`, `we need to close it`."""
_SUGGESTS = re.compile(
    r"\b(?:could|should|would|must|might|need|ought|wo|sha)n't\b|^(?:is|are|do|does)n't\b"
    r"|\b(?:ought|matter|any of|to be|(?:i|we|you) get)\b"
)
_INDIRECT = re.compile(
    r"\b(?:know|wonder|wondering|check|see|sure|find out|ask(?:s|ed|ing)?"
    r"|(?:tell|remind|notify|ping|alert|inform|text|message|call) (?:me|us))"
    r" (?=(?:if|whether|who|whom|when|what|which|where|once|after|as soon as)\b)"
    r"|\b(?:question|checking|wondering) ?[:,-] ?"
)
"""Before what somebody is to answer."""
_THEIRS = re.compile(
    r"\b(?!(?:i|we|you|me|us|please|just|and|to)\b)[\w'-]+ "
    r"(?:(?:should|must|can|could|may|needs?|ought|has|have|is|are|be|also|still|now|only|to)\b ?)+"
    r"(?:(?:get|able|allowed) (?:also )?(?:to )?)?see$"
)
"""`Ben should get to see what we have`: others are to see it, and nobody asks."""
_AHEAD = re.compile(
    r"^(?:and |then |so )?(?:when|whenever|once|after|as soon as) (?P<what>.+?),? (?:please )?"
    rf"(?:{TELLING}|(?:remind|text|message|call) (?:me|us))[ .!]*$"
)
"""`Once it is closed, tell me`: what somebody is to tell comes first."""


def asks_only(reading: Reading, change: Action, filled: Filled) -> bool:
    """Tell whether nothing is wanted but to know.

    Args:
        change: the action whose words are said.
        filled: its slots, as the text would fill them.
    """
    words = reading.normal.words
    clauses = reading.act.cut.clauses
    asked = [one for one in clauses if not ADDS_NOTHING.issuperset(words[one.first : one.end])]
    if not asked:
        return False
    last = asked[-1]
    own = words[last.first : last.end]
    is_alone = len(asked) == 1 and not last.is_bound
    if (behind := _asked_behind(reading)) is not None:
        last, own = behind, words[behind.first + 1 : behind.end]
        if not _tells_past(reading, last) or WANTS.search(" ".join(own)):
            return False
    elif not (ends_in_question_of_fact(reading) or _asks_alike(reading, last, own, is_alone)):
        return False
    if _SUGGESTS.search(" ".join(own)) or _is_tag(reading, own, is_alone):
        return False
    orders = any(_orders(verb, last, words, clauses) for verb in reading.verbs)
    return not orders and not _fills(reading, change, filled, last)


def _asked_behind(reading: Reading) -> Clause | None:
    """Give the words of a question that somebody is to answer: `let me know if it was closed`."""
    text, tokens = reading.normal.text, reading.normal.tokens
    if (ahead := _AHEAD.search(text)) is not None:
        start, end = ahead.span("what")
    elif (found := _INDIRECT.search(text)) is not None:
        if _THEIRS.search(text, 0, found.end() - 1):
            return None
        start, end = found.end(), len(text)
    else:
        return None
    places = [at for at, one in enumerate(tokens) if one.start >= start and one.end <= end]
    return Clause(places[0], places[-1] + 1, True, "", False) if places else None


def _tells_past(reading: Reading, last: Clause) -> bool:
    """Tell whether all that is said to be done has been done: `if it was closed`."""
    verbs = [verb for verb in reading.verbs if last.first <= verb.first < last.end]
    return bool(verbs) and all(_is_past(reading, verb) for verb in verbs)


def _is_past(reading: Reading, verb: Verb) -> bool:
    """Tell `closed`, and `done` and `is complete`, which the lexicon has as verbs of their own."""
    before = reading.normal.tokens[verb.first - 1].text if verb.first else ""
    return verb.form == "past" or verb.phrase == "done" or before in BE | {"been"}


def _asks_alike(reading: Reading, last: Clause, own: Sequence[str], is_alone: bool) -> bool:
    """Tell what asks without the words or the mark of a question, or in a few words with it."""
    cut = reading.act.cut
    if cut.content_first is not None or last.first in cut.quoted or last.joint == "if":
        return False
    if WANTS.search(" ".join(own)):
        return False
    if own[0] in _HAVE and "been" in own:
        return True
    if own[-1] in _ENDS and len(own) > 1:
        return reading.act.mood not in ("command", "request") and last.end - 1 not in cut.quoted
    if own[0] in _OF_THINGS and not _DO.isdisjoint(own):
        return True
    return is_alone and (_asks_in_short(reading, last, own) or _asks_by_itself(reading, last, own))


def _asks_in_short(reading: Reading, last: Clause, own: Sequence[str]) -> bool:
    """Tell `topic?` and `photos attached to WO-1079?`: a mark, and nothing that is to be done."""
    if not last.is_asked:
        return False
    verbs = [verb for verb in reading.verbs if last.first <= verb.first < last.end]
    if verbs:
        return all(_is_past(reading, verb) for verb in verbs)
    return _AWAY.isdisjoint(own)


def _asks_by_itself(reading: Reading, last: Clause, own: Sequence[str]) -> bool:
    """Tell `which line names the pump`, `is item 3 done`, `any note yet`: all of a text."""
    if len(own) < 2 or own[1] in SUBJECTS or own[1] == "to":
        return False
    if own[0] in BE:  # `was closed by mistake` asks nothing
        return all(verb.first != last.first + 1 for verb in reading.verbs)
    if own[1] in _WHOM:
        return own[0] in _OF_WHOM
    if own[0] in _ANY:
        return _AWAY.isdisjoint(own[1:2]) and not {"goes", "go", "gets", "get"} & set(own)
    return own[0] in OF_WHICH or (own[0] in _OF_THINGS and own[1] not in NOUNS)


def _is_tag(reading: Reading, own: Sequence[str], is_alone: bool) -> bool:
    """Tell `close it, it's done, isn't it?`, whose end asks for assent."""
    if is_alone or len(own) > 3 or own[0] not in _TAGS or own[-1] not in SUBJECTS | NOUNS:
        return False
    return all(verb.form != "past" for verb in reading.verbs)


def _orders(verb: Verb, last: Clause, words: Sequence[str], clauses: Sequence[Clause]) -> bool:
    """Tell a verb of change that orders: at the head of a clause before, or to be done here."""
    if verb.nature != "write":
        return False
    if verb.first < last.first:
        head = next((one.first for one in clauses if one.first <= verb.first < one.end), 0)
        return verb.form == "base" and _LEADS.issuperset(words[head : verb.first])
    before = words[last.first : verb.first]
    if verb.form != "base":
        return verb.form == "gerund"
    is_theirs = not _PEOPLE.isdisjoint(before[-2:]) and _DO.isdisjoint(before)
    return before[-1:] == ["to"] or is_theirs


def _fills(reading: Reading, change: Action, filled: Filled, last: Clause) -> bool:
    """Tell a proposal without a verb, and a text that is to be written down and is a question."""
    values = filled.values
    if not reading.verbs and last.first == 0 and len(values) > 1:
        return True
    if last.first == 0:
        return False
    first, end = (reading.normal.tokens[at].text for at in (0, last.end - 1))
    before = [verb.first for verb in reading.verbs if verb.first < last.first]
    leads = not before or 0 in before or first in (change.object, *change.words)
    return leads and any(
        slot.type == "text" and str(values.get(name, "")).lower().rstrip("?!. )").endswith(end)
        for name, slot in change.slots.items()
    )
