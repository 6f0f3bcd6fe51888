"""Recognise questions of fact, also in the words of a change; they are answered, not executed."""

import re
from collections.abc import Sequence

from state.action import Action
from tools.nlu.dialogue_acts.clauses import Clause
from tools.nlu.intents.utterance import ParsedUtterance
from tools.nlu.lexicon.cue_phrases import COURTESY
from tools.nlu.lexicon.normalization import word_set
from tools.nlu.lexicon.politeness import TELLING
from tools.nlu.lexicon.verbs import Verb
from tools.nlu.slots.filling import FilledSlots

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


def ends_in_question_of_fact(reading: ParsedUtterance) -> bool:
    """Tell `we reopened it on Monday, whose is it now` from `can it be reopened`.

    What was told before the question is what it is about, and the verbs in it ask for nothing. Of
    the requests that were looked at for this rule (docs/explanation/understanding.md, hard
    examples) 14 that end so had been taken for changes, and none of those was meant.
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


def _before(reading: ParsedUtterance, clause: Clause) -> str:
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


def asks_only(reading: ParsedUtterance, change: Action, filled: FilledSlots) -> bool:
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


def _asked_behind(reading: ParsedUtterance) -> Clause | None:
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


def _tells_past(reading: ParsedUtterance, last: Clause) -> bool:
    """Tell whether all that is said to be done has been done: `if it was closed`."""
    verbs = [verb for verb in reading.verbs if last.first <= verb.first < last.end]
    return bool(verbs) and all(_is_past(reading, verb) for verb in verbs)


def _is_past(reading: ParsedUtterance, verb: Verb) -> bool:
    """Tell `closed`, and `done` and `is complete`, which the lexicon has as verbs of their own."""
    before = reading.normal.tokens[verb.first - 1].text if verb.first else ""
    return verb.form == "past" or verb.phrase == "done" or before in BE | {"been"}


def _asks_alike(reading: ParsedUtterance, last: Clause, own: Sequence[str], is_alone: bool) -> bool:
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


def _asks_in_short(reading: ParsedUtterance, last: Clause, own: Sequence[str]) -> bool:
    """Tell `topic?` and `photos attached to WO-1079?`: a mark, and nothing that is to be done."""
    if not last.is_asked:
        return False
    verbs = [verb for verb in reading.verbs if last.first <= verb.first < last.end]
    if verbs:
        return all(_is_past(reading, verb) for verb in verbs)
    return _AWAY.isdisjoint(own)


def _asks_by_itself(reading: ParsedUtterance, last: Clause, own: Sequence[str]) -> bool:
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


def _is_tag(reading: ParsedUtterance, own: Sequence[str], is_alone: bool) -> bool:
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


def _fills(reading: ParsedUtterance, change: Action, filled: FilledSlots, last: Clause) -> bool:
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
