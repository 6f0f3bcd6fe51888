"""Orders that leave things as they are: `keep it open`, `hands off it`, `forget that I said …`."""

import re
from collections.abc import Sequence

from tools.routing.speech_acts import denials
from tools.routing.speech_acts.clause_words import Judged, Own
from tools.routing.words import signs
from tools.routing.words.phrases import word_set
from tools.routing.words.request_frames import ENSURES

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


def as_left_alone(own: Own) -> Judged | None:
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


def _leaves_thing(own: Own) -> bool:
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


def _is_kept_from(own: Own, first: int) -> bool:
    """Tell `make sure that it is not closed` and `see to it that nobody closes it`."""
    words, end = own.text.words, own.clause.end
    place = denials.negator_in(words, first, end)
    if place is None or own.clause.is_asked:
        return False
    is_doing = own.verb_after(place + 1, "base", "past", "gerund") is not None
    return is_doing or words[place] in ("nobody", "noone")


def _names_own_phrase(own: Own) -> bool:
    """Tell whether a pack has a phrase of several words for an action that begins so."""
    return own.head is not None and bool(own.head.actions) and own.head.end - own.head.first > 1
