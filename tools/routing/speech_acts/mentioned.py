"""Orders that are only mentioned: the subject of a sentence, or of a text that is to be written."""

import re

from tools.routing.speech_acts.clause_words import Own
from tools.routing.speech_acts.clauses import TELLING
from tools.routing.words import signs

_PREDICATE = re.compile(
    r"(?:would|could|might|may|must|should|shall|will|can)(?:n't| not)? (?:be|have|not|never)\b"
    r"|(?:wouldn't|won't|couldn't|shouldn't|mustn't|can't|cannot) (?:be|have)\b"
    r"|(?:is|was|isn't|wasn't|seems|seemed|sounds|sounded)"
    r"(?: (?:not|never|just|only|really|clearly|like|probably|exactly|to be))*"
    r" (?:an?|the|my|your|his|her|our|their|what|how|why|who|where|something|nothing|wrong"
    r"|forbidden|prohibited|banned|illegal|impossible|unsafe|dangerous|pointless|useless|stupid"
    r"|out of the question|off the table"
    r"|(?:not |un)(?:allowed|permitted|wanted|necessary|possible))\b"
    r"|(?:said|says|wrote|writes) (?!i\b|we\b)[\w'-]+(?: [\w'-]+)?$"
)
"""Behind `close it` these make the order the subject of a sentence, or what somebody said."""
_COPULA = re.compile(
    r"(?:is|was|isn't|wasn't|seems|sounds|(?:would|could|might|will|should)(?:n't| not)?)\b"
)
_TAKES_LONG = re.compile(
    r"(?!(?:bring|sing|ring|ping|string|spring|swing|fling|(?:any|some|every|no)?thing|morning"
    r"|evening)\b)[\w'-]{2,}ing (?:(?!(?:that|which|who|what)\b)[\w'-]+ )+?"
    r"(?:takes|took|is taking)(?: me| us| you)?"
    r" (?:ages|forever|hours|days|weeks|(?:so |too |very )?long|(?:so |too )?much time|an eternity"
    r"|a while|half [\w ]+)"
)
"""A doing that somebody complains of, whatever its verb: `bringing it up takes ages`."""
_LETTER = re.compile(
    r"(?:write|draft|compose|type|pen|prepare)(?: up| me| us)? (?:an?|another|some)"
    r" (?:(?!e )[\w'-]+ )?(e ?mail|mail|text|letter|sms|dm|tweet|speech|poem|song|haiku|limerick"
    r"|joke|essay|story|message|reply)"
    r"(?: (?:to|for|telling|saying|asking|reminding|informing|instructing|about|where|in which|of"
    r"|on)\b|$)"
)


def is_mentioned(own: Own) -> bool:
    """Tell `close WO-1042 would be a mistake`, where the order is what the sentence is about."""
    if _TAKES_LONG.fullmatch(own.rest):
        return True
    verb = own.verb_at(own.start)
    words, end = own.text.words, own.clause.end
    if verb is None or verb.form == "past" or words[verb.first] in TELLING:
        return False
    place = noun = _past(own, verb.end, signs.DETERMINERS)
    while place < end and own.is_named(place):
        place += 1
    if place == noun and noun > verb.end:  # a noun that nobody listed: `close the job was a typo`
        while place < min(noun + 2, end) and words[place] not in signs.FUNCTION_WORDS:
            place += 1
    if place == verb.end:
        return False
    said = " ".join(words[place:end])
    return bool((_COPULA if verb.form == "gerund" else _PREDICATE).match(said))


def is_piece_about(own: Own) -> bool:
    """Tell `write me a poem about closing WO-1042`: what is wanted is none of the things here."""
    head, words, end = own.head, own.text.words, own.clause.end
    if head is None or head.nature == "read":
        return False
    noun = _past(own, head.end, signs.DETERMINERS) if head.end == head.first + 1 else head.end
    if noun < end and words[noun] in own.text.lexicon.objects:
        return False  # `write a note to Kim about the leak`
    for place in range(noun, min(noun + 4, end - 1)):
        if words[place] in ("about", "on", "of") and place > noun:
            name = words[place - 1]
            is_new = place - 1 not in own.text.is_thing and not own.text.is_known(name)
            return is_new and (words[place] == "about" or words[place + 1].endswith("ing"))
    return False


def is_letter(own: Own) -> bool:
    """Tell `write an email telling Ben to close it`: what is wanted is a text for somebody.

    A pack that keeps emails itself is asked for one by the same words.
    """
    matched = _LETTER.match(own.rest) if own.head is not None else None
    return matched is not None and matched[1].replace(" ", "") not in own.text.lexicon.objects


def _past(own: Own, place: int, skipped: frozenset[str]) -> int:
    while place < own.clause.end and own.text.words[place] in skipped:
        place += 1
    return place
