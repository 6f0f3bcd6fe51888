"""Orders that are negated, that ask to leave things as they are, or that are retracted."""

import re
from collections.abc import Sequence

from tools.nlu.dialogue_acts import negation as denials
from tools.nlu.dialogue_acts.clauses import TELLING, ClauseContext, ClauseMood, ClauseWords, Cut
from tools.nlu.dialogue_acts.connectives import EXCEPTING, NOTHING
from tools.nlu.lexicon import cue_phrases as signs
from tools.nlu.lexicon.normalization import word_set
from tools.nlu.lexicon.politeness import ENSURES, REQUEST
from tools.nlu.lexicon.verbs import Verb

_TO_OTHERS = (signs.BEFORE_VERB | signs.SUBJECTS | signs.POLITE_WORDS) - {"i", "i'm", "it", "to"}
"""Between these and a negator there is an order not to: `you must not …`."""
_NO_DENIAL = word_set("more fewer less later earlier sooner number one")
"""Behind `no` these count: `show no more than five`; `no one` is judged elsewhere."""
_RELATIVE = frozenset({"that", "which", "who"})
"""Between a noun and a negator these say what the noun is not."""


def as_denied(own: ClauseWords) -> ClauseMood | None:
    """Judge a clause that says no, or that somebody is not able to."""
    undone, behind = _undone(own)
    if undone and behind < own.clause.end:
        verb = own.verb_at(behind)
        is_doing = _is_doing(verb, own) if verb else own.text.words[behind].endswith("ing")
        if is_doing and not _names_action(own, behind):
            return own.judged("negated", "denied")
    refusing = denials.REFUSING.match(own.rest)
    if refusing and own.verb_at(own.words_of(refusing[0])):
        return own.judged("negated", "denied")
    if denials.CAREFUL.match(own.rest):
        return own.judged("negated", "denied")
    if denials.FORBIDDEN.match(own.rest) and own.clause.is_bound and not own.clause.is_asked:
        return own.judged("negated", "denied")  # `you could but shouldn't close it`
    unable = denials.INABILITY.match(own.rest)
    if unable and own.verb_at(own.words_of(unable[0])):
        return own.judged("statement", "unable")
    request = REQUEST.match(own.rest)
    if unable or own.head is not None or (request is None and signs.ASKED.match(own.rest)):
        return None
    return own.judged("negated", "denied") if _is_denied(own) else None


def _is_doing(verb: Verb, own: ClauseWords) -> bool:
    """Tell `stop closing it`, or `stop close it`, from `stop order PO-1997`."""
    nouns = {word for name in own.text.lexicon.objects for word in name.split("_")}
    is_order = verb.form == "base" and verb.nature == "write" and verb.base not in nouns
    return verb.form == "gerund" or is_order


def orders_nothing(own: ClauseWords, head: Verb) -> bool:
    """Tell `close nothing`, `empty no library` and `approve by no means PO-1997`."""
    behind = own.text.words[head.end : own.clause.end]
    if not behind:
        return False
    if behind[0] in NOTHING:
        return EXCEPTING.isdisjoint(behind[1:2])
    is_none = behind[0] == "no" and len(behind) > 1 and behind[1] not in _NO_DENIAL
    is_none = is_none and not behind[1].isdigit()
    return is_none or behind[0] == "neither" or denials.NEVER.search(" ".join(behind)) is not None


def _names_action(own: ClauseWords, behind: int) -> bool:
    """Tell whether a pack has `stop sharing` for an action of its own, asked for at once or not."""
    verbs = (own.verb_at(place) for place in range(own.start, behind))
    return any(verb is not None and verb.actions and verb.end > behind for verb in verbs)


def _undone(own: ClauseWords) -> tuple[bool, int]:
    """Find what stands behind `avoid`, or behind `let's skip` and `I'd like to avoid`."""
    undone = denials.UNDOING.match(own.rest)
    if undone:
        return True, own.words_of(undone[0])
    request = REQUEST.match(own.rest)
    place = own.words_of(request[0]) if request else own.clause.end
    undone = denials.UNDOING.match(" ".join(own.text.words[place : own.clause.end]))
    return undone is not None, place + len(undone[0].split()) if undone else place


def _is_denied(own: ClauseWords) -> bool:
    """Tell whether a negator reaches a verb, or forbids by itself as `don't` does."""
    words, end = own.text.words, own.clause.end
    asks_why = own.rest.startswith(("why don't you ", "why don't we ", "why not "))
    first = own.start + 2 if asks_why else own.clause.first
    place = denials.negator_in(words, first, end)
    if place is None or denials.is_opinion(words, place, end):
        return False
    is_state = words[place - 2 : place] == ["back", "to"] or words[max(0, place - 1)] == "as"
    if words[place] == "not" and is_state and words[place + 1 : place + 2] != ["to"]:
        return False  # `back to not done`, but `so as not to close it`
    request = REQUEST.match(own.rest)
    if request and words[place - 1] in _RELATIVE and words[place - 2] not in signs.FUNCTION_WORDS:
        return False  # `can you list the certificates that don't have long to run`
    if words[place] == "no" and words[place + 1] in ("account", "circumstances", "means"):
        return True
    if words[place + 1 : place + 2] == ["to"] or (request and place == own.words_of(request[0])):
        return True
    if (
        words[place] == "nobody"
        and words[place + 1 : place + 2][0:1]
        and (words[place + 1] in signs.BEFORE_VERB)
    ):
        return True
    forbids = words[place] not in ("nobody", "none", "nothing", "without")
    if forbids and set(words[own.start : place]) <= _TO_OTHERS:
        return True
    if own.verb_after(place + 1, "base", "gerund") is not None:
        return True
    is_passive = any(word in ("be", "been", "get") for word in words[place:end])
    is_done = own.verb_after(place + 1, "past") is not None or words[end - 1].endswith("ed")
    return is_passive and is_done


_AS_IT_IS = re.compile(
    r"(?:leave|keep) (?!me\b|us\b)[\w'-]+ (?:(?!(?:that|which|who|what) )[\w'-]+ ){0,7}?"
    r"(?:as (?:it|they|he|she|that|this|things) (?:is|are|was|were|stands?)|as (?:is|are)|alone|be"
    r"|open|untouched|in peace|un[a-z]{3,}(?:ed|en)|the way (?:it|they) (?:is|are|was|were)"
    r"|where (?:it|they) (?:is|are))"
    r"(?: (?:please|pls|thanks|ok|for (?:now|today|the moment|the time being)))*"
)
_STAYS = re.compile(
    r"(?:[\w'-]+ ){1,5}(?:(?:can|should|must|may|has to|have to|is to|are to|needs to) )?"
    r"(?:stay|remain)s?(?: (?:open|put|on|in|here|there|up|please|though|however|as (?:is|are)"
    r"|(?:as|where|how) (?:it|they|he|she) (?:is|are)))*"
)
"""`close all, WO-1042 stays`: behind an order, what it is not about."""
_HANDS_OFF = re.compile(
    r"(?:keep |get |take )?(?:your |those |all )?(?:hands|fingers|paws|mitts) off(?: of)? "
)
_FORBIDDEN = re.compile(r"(?:nobody|no one|noone) (?:is to|should|must|may|shall|touches) ")
_UNWANTED = re.compile(
    r"(?:forget|ignore|disregard|never mind|pretend i never)"
    r"(?: (?:that|what|everything|anything|when|how|about|all))*"
    r" (?:i|we)(?:'d|'ve| ever| just| once)* (?:said|asked|told|wrote|wanted|mentioned|requested)\b"
    r"|(?:the last thing|nothing) (?:i|we)(?:'d| would)? (?:want|need|like)\b(?! more\b)"
    r"|far be it from (?:me|us)\b|(?:i|we)(?:'m| am|'re| are)(?: strictly| totally| very much)?"
    r" (?:against|opposed to)(?= [\w'-]+ing\b)"
    r"|(?:i|we)(?:'ve| have)? (?:decided|voted) against(?= [\w'-]+ing\b)"
    r"|(?:at no (?:point|time)|never) (?:did|have) (?:i|we)\b"
)
"""What was asked for is taken back, or never was meant."""
_TALK = re.compile(
    r"(?:forget|ignore|disregard|never mind) (?:about )?(?:what|everything|anything|all)(?: that)?"
    r" (?:i|we)(?:'d|'ve| ever| just| once)* (?:said|asked|told|wrote|wanted|mentioned|requested)"
    r"(?: you)?(?: (?:about|of|on|for|before|earlier|just now)\b.*)?"
)
"""What was said is to be forgotten, and none of it is said again."""
_LEAVES = word_set("leave keep hold spare")
_LITTLE = signs.DETERMINERS | signs.COURTESY
_OPENINGS = (_HANDS_OFF, _FORBIDDEN, _UNWANTED)


def as_left_alone(own: ClauseWords) -> ClauseMood | None:
    """Judge what asks to change nothing: the doing that it names is denied."""
    if _leaves_thing(own):
        return own.judged("negated", "denied")
    is_named = any(map(own.is_named, range(own.start, own.clause.end)))
    if own.clause.is_bound and is_named and own.head is None and _STAYS.fullmatch(own.rest):
        return own.judged("negated", "denied_part")
    ensures = ENSURES.match(own.rest)
    is_left = _AS_IT_IS.fullmatch(own.rest) is not None and not _names_own_phrase(own)
    is_kept_from = ensures is not None and _is_kept_from(own, own.words_of(ensures[0]))
    if is_left or is_kept_from or any(one.match(own.rest) for one in _OPENINGS):
        return own.judged("negated", "denied")
    return None


def _leaves_thing(own: ClauseWords) -> bool:
    """Tell `leave WO-1042` and `keep the fire plan`, and no more, from what a pack calls so."""
    verb, *behind = own.rest.split()
    if verb not in _LEAVES or not behind or own.clause.is_asked:
        return False
    is_declared = own.head is not None and bool(own.head.actions)
    is_ours = is_declared and verb in ("keep", "hold")
    if is_ours or (verb == "keep" and verb in own.text.openings):
        return False  # a library may keep papers, and hold books for somebody
    things = own.text.lexicon.objects
    places = range(own.start + 1, own.clause.end)
    named = [place for place in places if own.is_named(place) or own.text.words[place] in things]
    others = (own.text.words[place] for place in places if place not in named)
    return bool(named) and _LITTLE.issuperset(others)


def is_order_to_leave(words: Sequence[str]) -> bool:
    """Tell orders in full, `keep it open` (and close the other), from `nobody should open it`."""
    whole = " ".join(words)
    lead = signs.LEAD.match(whole)
    rest = whole[lead.end() :] if lead else whole
    return bool(_AS_IT_IS.fullmatch(rest) or _HANDS_OFF.match(rest) or _TALK.fullmatch(rest))


def _is_kept_from(own: ClauseWords, first: int) -> bool:
    """Tell `make sure that it is not closed` and `see to it that nobody closes it`."""
    words, end = own.text.words, own.clause.end
    place = denials.negator_in(words, first, end)
    if place is None or own.clause.is_asked:
        return False
    is_doing = own.verb_after(place + 1, "base", "past", "gerund") is not None
    return is_doing or words[place] in ("nobody", "noone")


def _names_own_phrase(own: ClauseWords) -> bool:
    """Tell whether a pack has a phrase of several words for an action that begins so."""
    return own.head is not None and bool(own.head.actions) and own.head.end - own.head.first > 1


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


def ends_in_no(own: ClauseWords) -> bool:
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


def with_tails(judged: Sequence[ClauseMood], words: Sequence[str]) -> list[ClauseMood]:
    """Read an order again in the light of `said Ben` or `or not?` right behind it.

    A denial parted from its verb, as in `do not, under any circumstances, close it`, reaches it.
    """
    result: list[ClauseMood] = []
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


def _ordered_before(judged: Sequence[ClauseMood]) -> int | None:
    """Find the order that the last clauses belong to: `search for kelp, seagrass and mangroves`."""
    for place in range(len(judged) - 1, -1, -1):
        if judged[place].is_asking:
            return place
        if judged[place].reason != "statement" or not judged[place].clause.is_bound:
            return None
    return None


def _is_denied_before(before: Sequence[ClauseMood], words: Sequence[str]) -> bool:
    if len(before) < 2 or not before[-1].clause.is_bound or before[-1].is_asking:
        return False
    inserted, denial = before[-1].own(words), " ".join(before[-2].own(words))
    is_aside = inserted[0] in _INSERTS or len(inserted) <= _LONGEST_ASIDE
    is_parted = _BARE_NEGATION.fullmatch(denial) or _PARTED.fullmatch(denial)
    return is_aside and is_parted is not None


def asked_about(
    judged: Sequence[ClauseMood], words: Sequence[str], content_first: int | None
) -> list[ClauseMood]:
    """Read `close WO-1042: is that allowed?` as a question; one that is noted is no question."""
    if content_first is None or words[0] == "add" or not TELLING.isdisjoint(words[:content_first]):
        return list(judged)
    if _ASKS_ABOUT.fullmatch(" ".join(words[content_first:])) is None:
        return list(judged)
    return [
        one._replace(mood="question", reason="asked_back") if one.is_asking else one
        for one in judged
    ]


def is_label(asking: Sequence[ClauseMood], cut: Cut, text: ClauseContext) -> bool:
    """Tell the label of `test: close it` and `plan B: close it` from `scrap T-102: it broke`."""
    words = text.words
    one, verb = asking[0].clause, asking[0].verb
    if len(asking) > 1 or one.first or one.end != cut.content_first or one.end > _LONGEST_LABEL:
        return False
    if verb is not None and verb.actions and set(range(verb.end, one.end)) & text.is_thing:
        return False
    is_ours = verb is not None and verb.actions and verb.end - verb.first == one.end
    return one.end == 1 or not (is_ours or _POINTS_ON & set(words[: one.end]))


def is_for_another(text: ClauseContext, content_first: int | None) -> bool:
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
    judged: Sequence[ClauseMood], asking: Sequence[Verb], text: ClauseContext
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


_ASKS = re.compile(
    r"\s*(?:(?:oh|no|oops|sorry|wait)[\s,!]+)*"
    r"(?:(?:please|(?P<asks>(?:can|could|would|will) you))\s+)*"
    r"(?:undo|revert|reverse|roll back|take back|take (?:it|that|this) back)"
    r"(?:\s+(?:it|that|this|again"
    r"|(?:the|my|your|our)\s+last\s+(?:one|thing|action|change|step)"
    r"|the\s+last|what (?:you|i|we) just did))?"
    r"(?:\s*,?\s*please)?\s*(?(asks)[.!?]*|[.!]*)\s*",
    re.IGNORECASE,
)


def asks_undo(text: str) -> bool:
    """Tell whether a text asks to take the last action back and names nothing else."""
    return len(text) < 100 and _ASKS.fullmatch(text) is not None
