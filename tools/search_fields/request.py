"""Where the topic of a request stands: behind command and papers, before the thanks."""

import re

from tools.search_fields.plain_words import FRAME_WORDS
from tools.search_fields.words import PAPERS, PRAISE

_GAP = r"[\s,.;:!?()'-]*"
_ABOUT = (
    r"(?:(?:on|about|for|regarding|concerning|around|covering|discussing|dealing with|in|into|of"
    r"|(?:related|relating|pertaining) to|with|that|which|using|mentioning|describing|at|by|from"
    r"|to|over|under|where|when|as)(?![\w'-])|re:)"
)
_SAYING = (
    r"(?:(?:published|written|done|available|out there|there (?:is|are)|to read|say|says"
    r"|exists?)\b\s*)*"
)
_HEAD = (
    rf"(?:{PAPERS}\b\s*{_SAYING}(?:{_GAP}{_ABOUT})*"
    rf"|(?:literature|research|works?|publications|results|references|reads?|reading|sources"
    rf"|material"
    rf"|stuff|things?|anything|something|everything|whatever)\b\s*{_SAYING}(?:{_ABOUT}\s*)+"
    rf"|(?:published|written|known|said|out there)\s+(?:on|about|regarding)\b)"
)
_FRAMED = re.compile(
    rf"(?:{_GAP}(?:{'|'.join(sorted(map(re.escape, FRAME_WORDS), key=len, reverse=True))}"
    rf"|{PRAISE})(?![\w'-]))*?{_GAP}{_HEAD}"
)
_TOLD = re.compile(
    rf"(?=.*?\b(?:i|we|my|our|me|us|you|your)\b.*?\b{PAPERS}\s+(?:on|about|regarding|concerning))"
    rf".*?\b{PAPERS}\s+(?:on|about|regarding|concerning)\b"
)
"""Someone tells why papers are wanted; what about stands behind them."""
_POLITE = re.compile(
    rf"{_GAP}(?:(?:hi|hello|hey|please|pls|plz|kindly|thanks|thank you|ok(?:ay)?|so|well|now|then"
    rf"|and|but"
    r"|also|yes|(?:would|do) you mind|(?:could|can|would|will) (?:you|u|we|i)"
    r"(?: please| kindly| maybe)?(?: be able to)?|i(?:'d| would) (?:really )?(?:like|love|want)"
    r"(?: you)?(?: to)?|i (?:really )?(?:want|need|require)(?: you)?(?: to)?"
    r"|(?:i|we)(?:'m| am|'re| are) (?:currently )?(?:(?:looking|searching|hunting) for"
    r"|interested in|trying to find|after)|we need|(?:looking|searching) for|help me(?: to)?"
    r"|let's|let me|do you (?:know|have)(?: of)?|are there|is there|have you got|what about"
    r"|how about|has|have|what(?:'s| is)(?: there)?|whatever (?:there is|you (?:have|find))"
    r"|what are|what|which|anything|something|sth|everything|me|us)(?![\w'-])"
    r"[\s,.;:!?-]*)+"
)
_COMMAND = re.compile(
    rf"{_GAP}(?:(?:find|look|show|give|get|fetch|list|recommend|suggest|retrieve|locate|display"
    r"|collect|gather|bring|pull|dig|provide|read|see|run|do)(?:ing)?(?: me| us)?"
    r"(?: up| out| for| a (?:search|query)(?: for| on)?)*(?: me| us)?"
    r"|search(?:ing)?(?: (?:up|through|in))?(?: (?:the )?(?:literature|web|scholar|openalex"
    r"|semantic scholar|pubmed))?(?: for)?"
    r"(?! (?:engines?|algorithms?|spaces?|trees?|strateg\w+|costs?|behaviou?r|theory|quer\w+"
    r"|and rescue|advertising)))(?![\w-])"
)
_DETERMINERS = re.compile(rf"{_GAP}(?:(?:{PRAISE}|some|any|the|more)\b[\s,]*)+")
_ARTICLES = re.compile(rf"{_GAP}(?:(?:some|any|the)\b[\s,]*)+")
_OPENING = re.compile(rf"{_GAP}(?:{_ABOUT}|(?:is|are|there)\b)")
_TRAIL = re.compile(
    r"(?:[\s,.;:!?()-]+(?:please|pls|thanks(?: in advance)?|thank you(?: (?:very"
    r"|so) much)?(?: in advance)?|thx|cheers"
    r"|for (?:me|us)|if (?:possible|you can|you could)|asap|now|right now|too|as well|only"
    r"|instead))*[\s,.;:!?()-]*$"
)
_TAIL = re.compile(
    rf"\s(?:{PRAISE} )*(?:{PAPERS}|(?<!in\s)literature)(?=[\s,.;:!?()-]*$)"
    r"|\s(?:papers|articles|publications|preprints)"
    r"(?=\s*[,.;:!?)]|\s\s|\s+(?:from|by|that|which|at|since|in|before|after)\b)"
)


def topic_place(text: str) -> tuple[int, int]:
    """Give where the topic begins and ends in a text that holds blanks for its fields."""
    trail = _TRAIL.search(text)
    end = trail.start() if trail else len(text)
    framed = _FRAMED.match(text) or _TOLD.match(text)
    if framed:
        return framed.end(), max(framed.end(), end)
    start, had_command = 0, False
    if match := _POLITE.match(text):
        start = match.end()
    if match := _COMMAND.match(text, start):
        start, had_command = match.end(), True
        if match := _POLITE.match(text, start):
            start = match.end()
    for pattern in (_DETERMINERS if had_command else _ARTICLES, _OPENING):
        if match := pattern.match(text, start, end):
            start = match.end()
    return start, end


def papers_within(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Find the word `papers` behind a topic: it says what is wanted, not what about."""
    return [match.span() for match in _TAIL.finditer(text, start, end)]
