"""The mood of one clause: an order, a question, a denial, a tale, a thought, or none of these."""

from collections.abc import Callable

from state.policy import Mood
from tools.routing.speech_acts import denials
from tools.routing.speech_acts.clause_words import MAY_BE, Judged, Own, Text
from tools.routing.speech_acts.clauses import Clause
from tools.routing.speech_acts.denying import as_denied, orders_nothing
from tools.routing.speech_acts.finite import (
    has_subject,
    is_denied_predicate,
    is_over,
    is_told,
    is_told_of,
    is_told_of_stranger,
    may_be_done,
    predicate_of_order,
)
from tools.routing.speech_acts.leaving import as_left_alone
from tools.routing.speech_acts.mentioned import is_letter, is_mentioned, is_piece_about
from tools.routing.speech_acts.needing import has_unknown_done, verb_ensured, verb_needed
from tools.routing.speech_acts.requesting import as_request
from tools.routing.speech_acts.sentences import (
    is_done,
    is_sentence,
    verb_behind_please,
    verb_of_way,
)
from tools.routing.speech_acts.taken_back import ends_in_no
from tools.routing.speech_acts.told import as_told, is_of_notion
from tools.routing.words import signs
from tools.routing.words.provisos import POLITE_IF
from tools.routing.words.request_frames import REQUEST


def judge(text: Text, clause: Clause, *, leads: bool = False) -> Judged:
    """Judge one clause by the first sign that shows; the order of the signs is the rule.

    Args:
        leads: another clause hangs on this one.
    """
    own = Own.of(text, clause)
    for rule in _RULES:
        judged = rule(own)
        if judged is not None:
            return judged
    if leads and not clause.is_asked and signs.INVERTED_HAD.match(own.rest):
        return own.judged("hypothetical", "supposed")
    for rule in _LATER_RULES:
        judged = rule(own)
        if judged is not None:
            return judged
    return _as_plain(own)


def _as_mark(own: Own) -> Judged | None:
    """Judge the number of a list, or what is all greeting."""
    is_mark = not own.rest or all(word.isdigit() for word in own.words)
    is_mark = is_mark or signs.POINTER.fullmatch(own.rest) is not None
    return own.judged("statement", "mark") if is_mark else None


def _as_part(own: Own) -> Judged | None:
    """Judge what denies a thing rather than a doing, or takes back what was said before."""
    is_put = own.clause.is_asked and own.head is not None  # `it isn't needed, drop it? No.`
    if denials.CANCEL.fullmatch(own.whole) and own.whole != "or not" and not is_put:
        return own.judged("negated", "cancel", own.head)
    if denials.FRAGMENT.match(own.whole) or own.clause.joint == "not" or _is_foreign_no(own):
        return own.judged("negated", "denied_part")
    return None


def _is_foreign_no(own: Own) -> bool:
    """Tell `no cierres WO-1042`: a word that nobody here uses, between no and a thing."""
    words = own.words
    if len(words) < 3 or words[0] != "no" or own.text.known is None:
        return False
    place = own.clause.first + 1
    is_new = place not in own.text.is_thing and not own.text.is_known(words[1])
    return is_new and place + 1 in own.text.is_thing


def _as_condition(own: Own) -> Judged | None:
    if POLITE_IF.match(own.rest):
        return own.judged("statement", "polite") if own.clause.joint == "if" else None
    if own.clause.joint == "so that":
        return own.judged("statement", "purpose")
    if own.clause.joint == "because":
        return own.judged("statement", "reason")
    return own.judged("hypothetical", "supposed") if own.clause.joint == "if" else None


def _as_mentioned(own: Own) -> Judged | None:
    if ends_in_no(own):
        return own.judged("negated", "denied")
    predicate = predicate_of_order(own)
    if predicate is not None and is_denied_predicate(own, predicate):
        return own.judged("negated", "denied")
    if predicate is not None or is_piece_about(own) or is_letter(own) or is_of_notion(own):
        return own.judged("reported", "mentioned")
    return own.judged("reported", "mentioned") if is_mentioned(own) else None


def _as_question_how(own: Own) -> Judged | None:
    if is_over(own):
        return None  # `instructions on how to close it have been sent already`
    way = verb_of_way(own)
    if way is not None:
        return own.judged("request", "asks_way", way)
    asks = own.head is not None or REQUEST.match(own.rest) or signs.ASKED.match(own.rest)
    if not asks and not signs.ASKS_HOW.match(own.rest):
        about = signs.INSTRUCTIONS.match(own.rest)
        is_about = about is not None and own.verb_at(own.words_of(about[0])) is not None
        return own.judged("question", "how_to") if is_about and not is_sentence(own) else None
    how = signs.HOW.match(own.rest)
    if (how and not _is_content(own, own.words_of(how[0]) - 2)) or signs.LEARNING.match(own.rest):
        return own.judged("question", "how_to")
    about = signs.INSTRUCTIONS.match(own.rest)
    if about and own.head is None and own.verb_at(own.words_of(about[0])):
        return own.judged("question", "how_to")
    return None


def _is_content(own: Own, place: int) -> bool:
    """Tell `set the question to how do bees see`, and what is quoted, from who asks himself how."""
    if place + 1 in own.text.is_thing:
        return True
    request = REQUEST.match(own.rest)
    head = own.head or (own.verb_at(own.words_of(request[0])) if request else None)
    is_order = head is not None and head.nature == "write"
    return is_order and own.text.words[place - 1] in ("to", "as", "be", "into", "is")


def _as_supposed(own: Own) -> Judged | None:
    if POLITE_IF.match(own.rest):
        return None
    if signs.EXCLAIMS.match(own.whole) and not REQUEST.match(own.rest):
        return own.judged("statement", "declared")
    if signs.INVERTED_WISH.match(own.rest):
        return own.judged("hypothetical", "supposed")
    if signs.FEIGNED.match(own.rest) or signs.WHAT_IF.match(own.whole):
        return own.judged("hypothetical", "supposed")
    if own.head is not None or REQUEST.match(own.rest) or signs.ASKED.match(own.rest):
        return None
    if not (signs.SUPPOSED.match(own.rest) or signs.NEXT_TIME.match(own.whole)):
        return None
    if signs.QUESTION_INSIDE.search(own.rest):
        return own.judged("question", "question")
    return own.judged("hypothetical", "supposed")


def _as_asked(own: Own) -> Judged | None:
    if not signs.ASKED.match(own.rest):
        return None
    words = own.rest.split()
    is_limit = own.clause.is_bound and own.words[0] == "only" and not own.clause.is_asked
    if is_limit and words[0] in ("what", "what's", "which", "who"):
        return None  # `…, only what's free to read` narrows what was asked before
    if words[0] in ("can", "could") and not signs.POLITE_WORDS.isdisjoint(own.words):
        verb = own.verb_after(own.start + 2, "base", "past")
        if verb is not None:  # `can the last report be removed please`
            return own.judged("request", "please", verb)
    is_told = words[0] == "what" and words[1:2] and words[1] in signs.SUBJECTS
    if is_told and not own.clause.is_asked and is_told_of(own):  # `what I put there was wrong`
        return own.judged("statement", "declared")
    return own.judged("question", "question")


def _as_command(own: Own) -> Judged | None:
    if own.head is None:
        return None
    if own.clause.is_asked:
        return own.judged("question", "asked_back", own.head)
    if signs.WHETHER.match(own.rest):
        return own.judged("question", "question")
    if orders_nothing(own, own.head):
        return own.judged("negated", "denied")
    mood: Mood = "request" if signs.POLITE_WORDS & set(own.words) else "command"
    return own.judged(mood, "imperative", own.head)


def _as_plain(own: Own) -> Judged:
    """Judge a clause that no sign begins: done already, a thing first, a sentence, or plain."""
    if is_done(own) or is_told_of_stranger(own) or is_over(own):
        return own.judged("reported", "already_done")
    if own.clause.is_asked:
        return own.judged("question", "question")
    words, end, place = own.text.words, own.clause.end, own.start
    while place < end and place in own.text.is_thing:
        place += 1
    verb = own.verb_at(place) if place > own.start else None
    is_order = verb is not None and verb.form == "base"
    if verb is not None and is_order and set(words[verb.end : end]) <= signs.PRONOUNS | {"out"}:
        return own.judged("command", "thing_first", verb)
    if is_sentence(own) or has_subject(own) or is_told(own):
        verb = verb_behind_please(own)
        if verb is not None:
            return own.judged("request", "please", verb)
        return own.judged("statement", "declared")
    is_unknown = own.is_unknown_verb(own.start)
    if is_unknown and not signs.POLITE_WORDS & set(own.words) and own.may_be_noun(own.start):
        return own.judged("statement", "unknown_word")
    if signs.POLITE_WORDS & set(own.words):
        return own.judged("request", "unknown_verb" if is_unknown else "please")
    if is_unknown:
        return own.judged("statement", "unknown_verb")
    return own.judged("statement", "statement")


def _as_possible(own: Own) -> Judged | None:
    return own.judged("statement", MAY_BE) if may_be_done(own) else None


def _as_needed(own: Own) -> Judged | None:
    verb = verb_ensured(own) or verb_needed(own)
    if verb is None and has_unknown_done(own):
        return own.judged("request", "unknown_verb")
    return own.judged("request", "needed", verb) if verb is not None else None


_RULES: tuple[Callable[[Own], Judged | None], ...] = (
    _as_mark,
    _as_part,
    _as_condition,
    _as_mentioned,
    as_left_alone,
    as_denied,
    _as_needed,
    as_told,
    _as_supposed,
    _as_question_how,
)
_LATER_RULES: tuple[Callable[[Own], Judged | None], ...] = (
    as_request,
    _as_asked,
    _as_command,
    _as_possible,
)
