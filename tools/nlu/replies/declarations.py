"""Find what a speaker declares: `my topic is graphs`, and no thought, question or quotation."""

import re
from collections.abc import Sequence
from functools import cache

from tools.nlu.lexicon.normalization import normalise

_LEAD = re.compile(
    r"(?:(?:and|but|so|well|ok|okay|oh|hi|hello|hey|yes|also|now|today|btw|by the way|fyi|again"
    r"|for (?:context|now|the record)|just so you know|from now on|as of (?:today|now)|everyone"
    r"|everybody|all|there|please|(?:please )?note(?: that)?|remember(?: that)?|because|since|as"
    r"|good (?:morning|afternoon|evening))\b[\s,:]*)*",
    re.IGNORECASE,
)
"""What may stand before a declaration in its own clause; anything else makes it part of more."""
_OPENS_MORE = re.compile(
    r"(?<!\w)(?:if|unless|when|whenever|suppos(?:e|ing)|imagin(?:e|ing)|assum(?:e|ing)|pretend"
    r"|say|what|whether|would|were|had|in case|hypothetically|provided|once|until|as though"
    r"|maybe|perhaps|possibly|no|not|never|nobody|said|says|told|wrote|thinks?|example)(?!\w)",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"(?:how|whether|why|which|what|when|where|who|do|does|did|is|are|can|could|will|would|should"
    r"|has|have)\b",
    re.IGNORECASE,
)
_OF_YOU = re.compile(r"(?<!\w)(?:you|your|yours|yourself|u)(?!\w)", re.IGNORECASE)
_OF_WORTH = re.compile(
    r"(?:so|too|very|quite|really|pretty|rather|totally|completely|still|already|almost|just|only"
    r"|always|never|no|none|nothing|nobody|not|it|that|this|here|there|wrong|right|good|bad|great"
    r"|boring|stupid|dumb|hard|easy|difficult|interesting|important|urgent|secret|confidential"
    r"|private|ready|done|finished|over|dead|late|fine|cool|nice|better|worse|more|less|unclear"
    r"|closed|fixed|due|off|going|getting|being|getting|on hold|in trouble|none of|my own"
    r"|an? (?:\w+ )?(?:mess|joke|disaster|failure|success|secret|nightmare|pain|lot))\b",
    re.IGNORECASE,
)
"""What a predicate begins with that judges a thing, and does not say what it is."""
_TAKEN_BACK = re.compile(
    r"[,.;–—-]\s*(?:right|no|not|or (?:is|was) it|isn't it|what would|would you|do you|just kidding"
    r"|jk|kidding|lol|haha|never ?mind|said (?:no|nobody)|i guess|maybe|perhaps|for example"
    r"|hypothetically|if )\b.*$",
    re.IGNORECASE | re.DOTALL,
)
_WORD = re.compile(r"\w[\w'-]*")
_BOUNDS = re.compile(r"[.!?\n]\s+|\n")
_CLAUSES = re.compile(r"[,;:–—]\s+|\s-\s|\s(?=(?:and|because|since|as|so|but)\s)")
_GOES_ON = re.compile(r",\s+so\s+(?!no\b|not\b|just\b)", re.IGNORECASE)
"""Behind what is declared: `my topic is graphs, so find me papers`."""
_QUIET_SIGNS = " \t\n\"'“”.,;:!"


def declared_value(text: str, patterns: Sequence[str]) -> str:
    """Give the value that one of the patterns finds in a declaration; empty: none is declared."""
    normal = normalise(text)
    for pattern in patterns:
        for match in _compiled(pattern).finditer(normal.text):
            before = normal.text[: match.start()]
            if not _begins_declaration(before):
                continue
            whole = normal.written(*match.span("value")).strip(_QUIET_SIGNS)
            written = _GOES_ON.split(whole)[0].strip(_QUIET_SIGNS)
            if not _TAKEN_BACK.search(whole) and _is_worth_keeping(written):
                return written
    return ""


def _begins_declaration(before: str) -> bool:
    """Tell whether what follows begins a clause of its own, of a sentence that supposes nothing."""
    sentence = _BOUNDS.split(before)[-1]
    if _OPENS_MORE.search(sentence):
        return False
    return _LEAD.fullmatch(_CLAUSES.split(sentence)[-1].strip()) is not None


def _is_worth_keeping(value: str) -> bool:
    if _OF_YOU.search(value) or _OF_WORTH.match(value):
        return False
    if value.endswith("?") and not _ASKS.match(value):
        return False
    return len(_WORD.findall(value)) > 1


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{pattern})", re.IGNORECASE)
