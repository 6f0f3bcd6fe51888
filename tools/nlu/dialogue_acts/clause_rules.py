"""Decide the mood of one clause by the first rule that fits, from order to none of these."""

from collections.abc import Callable

from state.policy import Mood
from tools.nlu.dialogue_acts import negation as denials
from tools.nlu.dialogue_acts.clauses import MAY_BE, Clause, ClauseContext, ClauseMood, ClauseWords
from tools.nlu.dialogue_acts.negated_orders import (
    as_denied,
    as_left_alone,
    ends_in_no,
    orders_nothing,
)
from tools.nlu.dialogue_acts.reported_speech import (
    as_reported,
    is_letter,
    is_mentioned,
    is_of_notion,
    is_piece_about,
)
from tools.nlu.dialogue_acts.request_clauses import (
    as_request,
    has_unknown_done,
    verb_ensured,
    verb_needed,
)
from tools.nlu.dialogue_acts.statements import (
    has_subject,
    is_denied_predicate,
    is_done,
    is_over,
    is_reported_of,
    is_reported_of_unknown,
    is_sentence,
    is_told,
    may_be_done,
    predicate_of_order,
    verb_behind_please,
    verb_of_way,
)
from tools.nlu.lexicon import cue_phrases as signs
from tools.nlu.lexicon.politeness import POLITE_IF, REQUEST


def judge(text: ClauseContext, clause: Clause, *, leads: bool = False) -> ClauseMood:
    """Judge one clause by the first sign that shows; the order of the signs is the rule.

    Args:
        leads: another clause hangs on this one.
    """
    own = ClauseWords.of(text, clause)
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


def _as_mark(own: ClauseWords) -> ClauseMood | None:
    """Judge the number of a list, or what is all greeting."""
    is_mark = not own.rest or all(word.isdigit() for word in own.words)
    is_mark = is_mark or signs.POINTER.fullmatch(own.rest) is not None
    return own.judged("statement", "mark") if is_mark else None


def _as_part(own: ClauseWords) -> ClauseMood | None:
    """Judge what denies a thing rather than a doing, or takes back what was said before."""
    is_put = own.clause.is_asked and own.head is not None  # `it isn't needed, drop it? No.`
    if denials.CANCEL.fullmatch(own.whole) and own.whole != "or not" and not is_put:
        return own.judged("negated", "cancel", own.head)
    if denials.FRAGMENT.match(own.whole) or own.clause.joint == "not" or _is_foreign_no(own):
        return own.judged("negated", "denied_part")
    return None


def _is_foreign_no(own: ClauseWords) -> bool:
    """Tell `no cierres WO-1042`: a word that nobody here uses, between no and a thing."""
    words = own.words
    if len(words) < 3 or words[0] != "no" or own.text.known is None:
        return False
    place = own.clause.first + 1
    is_new = place not in own.text.is_thing and not own.text.is_known(words[1])
    return is_new and place + 1 in own.text.is_thing


def _as_condition(own: ClauseWords) -> ClauseMood | None:
    if POLITE_IF.match(own.rest):
        return own.judged("statement", "polite") if own.clause.joint == "if" else None
    if own.clause.joint == "so that":
        return own.judged("statement", "purpose")
    if own.clause.joint == "because":
        return own.judged("statement", "reason")
    return own.judged("hypothetical", "supposed") if own.clause.joint == "if" else None


def _as_mentioned(own: ClauseWords) -> ClauseMood | None:
    if ends_in_no(own):
        return own.judged("negated", "denied")
    predicate = predicate_of_order(own)
    if predicate is not None and is_denied_predicate(own, predicate):
        return own.judged("negated", "denied")
    if predicate is not None or is_piece_about(own) or is_letter(own) or is_of_notion(own):
        return own.judged("reported", "mentioned")
    return own.judged("reported", "mentioned") if is_mentioned(own) else None


def _as_question_how(own: ClauseWords) -> ClauseMood | None:
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


def _is_content(own: ClauseWords, place: int) -> bool:
    """Tell `set the question to how do bees see`, and what is quoted, from who asks himself how."""
    if place + 1 in own.text.is_thing:
        return True
    request = REQUEST.match(own.rest)
    head = own.head or (own.verb_at(own.words_of(request[0])) if request else None)
    is_order = head is not None and head.nature == "write"
    return is_order and own.text.words[place - 1] in ("to", "as", "be", "into", "is")


def _as_supposed(own: ClauseWords) -> ClauseMood | None:
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


def _as_asked(own: ClauseWords) -> ClauseMood | None:
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
    if is_told and not own.clause.is_asked and is_reported_of(own):  # `what I put there was wrong`
        return own.judged("statement", "declared")
    return own.judged("question", "question")


def _as_command(own: ClauseWords) -> ClauseMood | None:
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


def _as_plain(own: ClauseWords) -> ClauseMood:
    """Judge a clause that no sign begins: done already, a thing first, a sentence, or plain."""
    if is_done(own) or is_reported_of_unknown(own) or is_over(own):
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


def _as_possible(own: ClauseWords) -> ClauseMood | None:
    return own.judged("statement", MAY_BE) if may_be_done(own) else None


def _as_needed(own: ClauseWords) -> ClauseMood | None:
    verb = verb_ensured(own) or verb_needed(own)
    if verb is None and has_unknown_done(own):
        return own.judged("request", "unknown_verb")
    return own.judged("request", "needed", verb) if verb is not None else None


_RULES: tuple[Callable[[ClauseWords], ClauseMood | None], ...] = (
    _as_mark,
    _as_part,
    _as_condition,
    _as_mentioned,
    as_left_alone,
    as_denied,
    _as_needed,
    as_reported,
    _as_supposed,
    _as_question_how,
)
_LATER_RULES: tuple[Callable[[ClauseWords], ClauseMood | None], ...] = (
    as_request,
    _as_asked,
    _as_command,
    _as_possible,
)
