"""Orders taken back, or given to another, by what stands around them in the same breath."""

import re
from collections.abc import Sequence

from tools.routing.speech_acts.clause_words import Judged, Own, Text
from tools.routing.speech_acts.clauses import TELLING, Cut
from tools.routing.words import signs
from tools.routing.words.phrases import word_set
from tools.routing.words.verbs import Verb

_SAID_TAIL = re.compile(
    r"(?!like |.*\b(?:i|we)\b)(?!as )(?:(?:said|says|wrote|writes|asked|shouted|quoth)"
    r" (?!me\b|you\b)(?:[\w'-]+ ){0,2}[\w'-]+"
    r"|(?:[\w'-]+ ){1,3}(?:said|says|wrote|writes|insists|insisted|reads|states)"
    r"(?: (?:here|there|(?:on|in|at|across|from|over) (?:[\w'-]+ ){0,2}[\w'-]+))?)"
    r"|as (?:the|that|an|they|people) (?:[\w'-]+ ){0,3}(?:goes|go|say)"
)
"""A clause that says who gave the order before it."""
_BARE_NO = word_set("no nope nah never not don't dont nicht nein niet")
_BEFORE_NO = signs.PRONOUNS | word_set("please or actually rather")
_BARE_NEGATION = re.compile(
    r"(?:please )?(?:(?:you|we|i|they|people|one) )?"
    r"(?:(?:do|did|have|had|must|should|shall|may|will|would|can|could|ought to|need to"
    r"|want to) )?(?:not|don't|dont|didn't|never|mustn't|shouldn't|cannot|can't|won't|wouldn't"
    r"|haven't)(?: ever)?"
)
_PARTED = re.compile(
    r"(?!(?:you|we|i|please|can|could|would|will)\b)(?:[\w'-]+ ){1,4}?"
    r"(?:will|would|did|didn't|does|doesn't|has|hasn't|had|can|can't|could|should|may|might|must"
    r"|shall|won't)(?: not| never)?"
)
"""Somebody else and a modal, parted from its verb: `Ana will, of course, close it`."""
_LONGEST_ASIDE = 4
_LONGEST_LABEL = 3
_POINTS_ON = word_set("this these following the it that them note notes entry item task")
"""In a label these say that the order has its object behind the colon: `do the following: …`."""
_INFORMING = word_set("tell inform remind notify warn let")
_OBLIGING = word_set("should must needs has ought can may shall")
_INSERTS = word_set("under at in on for by whatever ever until despite no repeat")
_ASKS_ABOUT = re.compile(
    r"(?:is|was|would|could|should|will) (?:that|this)(?: [\w'-]+){0,3}"
    r"|(?:can|may|should|must|am) (?:i|we)(?: [\w'-]+){0,3}|yes or no"
)


def ends_in_no(own: Own) -> bool:
    """Tell whether an order ends in a denial with nothing behind it: `close it please don't`."""
    words, last = own.text.words, own.clause.end - 1
    if own.head is None or last in own.text.is_thing:
        return False
    if words[last] == "not" and words[last - 1] == "do":
        last -= 1
    elif words[last] not in _BARE_NO:
        return False
    before = last - 1
    if before < own.head.end:
        return False
    return words[before] in _BEFORE_NO or own.is_named(before)


def with_tails(judged: Sequence[Judged], words: Sequence[str]) -> list[Judged]:
    """Read an order again in the light of `said Ben` or `or not?` right behind it.

    A denial parted from its verb, as in `do not, under any circumstances, close it`, reaches it.
    """
    result: list[Judged] = []
    for one in judged:
        before = result[-1] if result and one.clause.is_bound else None
        if before is None:
            result.append(one)
            continue
        own = " ".join(one.own(words))
        ordered = _ordered_before(result) if _SAID_TAIL.fullmatch(own) else None
        if ordered is not None:
            result[ordered] = result[ordered]._replace(mood="reported", reason="reported_speech")
            result.append(one._replace(mood="reported", reason="reported_speech"))
        elif before.mood == "command" and own == "or not":
            result[-1] = before._replace(mood="question", reason="asked_back")
            result.append(one)
        elif one.is_asking and not one.clause.joint and _is_denied_before(result, words):
            result[-1] = before._replace(mood="negated", reason="denied")
            result.append(one._replace(mood="negated", reason="denied"))
        else:
            result.append(one)
    return result


def _ordered_before(judged: Sequence[Judged]) -> int | None:
    """Find the order that the last clauses belong to: `search for kelp, seagrass and mangroves`."""
    for place in range(len(judged) - 1, -1, -1):
        if judged[place].is_asking:
            return place
        if judged[place].reason != "statement" or not judged[place].clause.is_bound:
            return None
    return None


def _is_denied_before(before: Sequence[Judged], words: Sequence[str]) -> bool:
    if len(before) < 2 or not before[-1].clause.is_bound or before[-1].is_asking:
        return False
    inserted, denial = before[-1].own(words), " ".join(before[-2].own(words))
    is_aside = inserted[0] in _INSERTS or len(inserted) <= _LONGEST_ASIDE
    is_parted = _BARE_NEGATION.fullmatch(denial) or _PARTED.fullmatch(denial)
    return is_aside and is_parted is not None


def asked_about(
    judged: Sequence[Judged], words: Sequence[str], content_first: int | None
) -> list[Judged]:
    """Read `close WO-1042: is that allowed?` as a question; one that is noted is no question."""
    if content_first is None or words[0] == "add" or not TELLING.isdisjoint(words[:content_first]):
        return list(judged)
    if _ASKS_ABOUT.fullmatch(" ".join(words[content_first:])) is None:
        return list(judged)
    return [
        one._replace(mood="question", reason="asked_back") if one.is_asking else one
        for one in judged
    ]


def is_label(asking: Sequence[Judged], cut: Cut, text: Text) -> bool:
    """Tell the label of `test: close it` and `plan B: close it` from `scrap T-102: it broke`."""
    words = text.words
    one, verb = asking[0].clause, asking[0].verb
    if len(asking) > 1 or one.first or one.end != cut.content_first or one.end > _LONGEST_LABEL:
        return False
    if verb is not None and verb.actions and set(range(verb.end, one.end)) & text.is_thing:
        return False
    is_ours = verb is not None and verb.actions and verb.end - verb.first == one.end
    return one.end == 1 or not (is_ours or _POINTS_ON & set(words[: one.end]))


def is_for_another(text: Text, content_first: int | None) -> bool:
    """Tell `tell Ben that WO-1042 should be closed`: a doing, told to somebody else."""
    words = text.words
    if content_first != 3 or words[0] not in _INFORMING or words[2] != "that":
        return False
    if words[1] in signs.FUNCTION_WORDS:
        return False
    for place in range(content_first + 1, len(words)):
        verb = text.lexicon.at(words, place)
        should = set(words[max(content_first, place - 3) : place]) & _OBLIGING
        if verb is not None and place not in text.is_thing and should and verb.form != "gerund":
            return True
    return False


def denied_families(
    judged: Sequence[Judged], asking: Sequence[Verb], text: Text
) -> tuple[str, ...]:
    """Name what a clause denies and no other asks for: `don't search, just tell me`."""
    asked = {family for verb in asking for family in verb.families}
    denied: list[str] = []
    for one in judged:
        if one.reason != "denied":
            continue
        first = next(text.verbs_in(range(one.clause.first, one.clause.end)), None)
        denied += first.families if first is not None else ()
    return tuple(dict.fromkeys(family for family in denied if family not in asked))
