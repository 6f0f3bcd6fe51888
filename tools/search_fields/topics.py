"""What is left of a request when its fields, its politeness and its command are taken away."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tools.search_fields.passage import HIDDEN, Passage
from tools.search_fields.plain_words import FUNCTION_WORDS
from tools.search_fields.words import PAPERS, PRAISE

_MOST_TOPIC = 300
_TERM = re.compile(r"[^\W_](?:[\w.:/'+#&-]*[\w+#])?")

_POLITE = (
    r"hi|hello|hey|good (?:morning|afternoon|evening)|please|pls|kindly|thanks|thank you"
    r"|ok(?:ay)?|so|well|now|then|and|but|also|yes|"
    r"(?:would|do) you mind|(?:could|can|would|will) (?:you|we|i)(?: please| kindly"
    r"| maybe)?(?: be able to)?|"
    r"i(?:'d| would) (?:really )?(?:like|love|want)(?: you)?(?: to)?|i (?:really )?(?:want"
    r"|need|require|wish)(?: you)?(?: to)?|"
    r"i(?:'m| am) (?:currently )?(?:looking|searching|hunting) for|i(?:'m"
    r"| am) (?:interested in|trying to find|after)|"
    r"we(?:'re| are) (?:looking|searching) for|we need|(?:looking|searching) for"
    r"|help me(?: to)?(?: find)?|let's|let me|"
    r"do you (?:know|have)(?: of)?|are there|is there|have you got|got|what about|how about|"
    r"what (?:has|have) been (?:published|written|done|said|found)|what(?:'s| is)(?: known"
    r"| out there| there)?|whatever (?:there is|you (?:have|find|can find))|"
    r"what are|which|what|anything|something|everything|who has (?:written|published)"
    r"|what does it say|what does the literature say|"
    r"me|us|for me"
)
_COMMAND = (
    r"(?:find|look|show|give|get|fetch|list|recommend|suggest|retrieve|locate|display|collect"
    r"|gather|bring|pull|dig|provide|read|see|have|run|do|make|send)"
    r"(?:ing)?(?: me| us)?(?: up| out| for| a (?:search|query)(?: for| on)?)*(?: me| us)?"
    r"|search(?:ing)?(?: (?:up|through|in))?(?: (?:the )?(?:literature|web|scholar|openalex"
    r"|semantic scholar|pubmed))?(?: for)?"
    r"(?! (?:engines?|algorithms?|spaces?|trees?|strateg\w+|costs?|behaviou?r|theory|quer\w+"
    r"|and rescue|advertising))"
)
_HEAD = (
    rf"(?:(?:{PRAISE}|some|any|all|the|a|an|few|more|good|great|such|other|these|those|academic"
    rf"|scholarly|scientific|relevant)[ ,]+)*"
)
_ABOUT = (
    r"(?:on|about|for|regarding|concerning|around|covering|discussing|dealing with|related to"
    r"|relating to|in|into|of|with|that|which|using|"
    r"mentioning|describing|at|by|from|to|over|under)"
)
_LEAD = re.compile(rf"[\s,.;:!?()-]*(?:(?:{_POLITE})\b[\s,.;:!?-]*)+")
_COMMANDED = re.compile(rf"[\s,.;:!?()-]*(?:{_COMMAND})(?![\w-])")
_PAPERS = re.compile(
    rf"[\s,.;:!?()-]*(?:{_HEAD})(?:{PAPERS}|literature|research|work|publications|results"
    rf"|references)\b(?:[\s,.;:!?-]+(?:{_ABOUT}|there (?:is|are) on)\b|(?=\s*[,.;:!?)]|\s*$"
    rf"|\s\s)|(?= \w))"
)
_DETERMINERS = re.compile(
    rf"[\s,.;:!?()-]*(?:(?:{PRAISE}|some|any|the|more)\b[\s,]*)+(?:{_ABOUT}\b)?"
)
_ARTICLES = re.compile(r"[\s,.;:!?()-]*(?:(?:some|any|the)\b[\s,]*)+")
_OPENING = re.compile(rf"[\s,.;:!?()-]*(?:{_ABOUT}|is|are|there)\b")
_TRAIL = re.compile(
    r"(?:[\s,.;:!?()-]+(?:please|pls|thanks|thank you|thx|cheers|for (?:me|us)|if (?:possible"
    r"|you can|you could)|asap|now|right now|too|as well|only|instead))*[\s,.;:!?()-]*$"
)
_DEICTIC = re.compile(
    r"\b(?:(?:on|about|for|in|around|regarding|of) )?(?:this|that|these|those|the same|my|our"
    r"|the)(?: (?:current|own|same))? "
    r"(?:topic|subject|area|field|project|research(?: question| topic| area)?|theme"
    r"|question)s?\b(?: of| on| about)?"
    r"|\b(?:on|about|for|like) (?:this|that|it|them|these|those)(?=\s*(?:[,.;!?)]|$))"
)
_TAIL_PAPERS = re.compile(rf"\s+(?:{_HEAD})(?:{PAPERS}|literature)[\s,.;:!?()-]*$")


@dataclass(frozen=True)
class Topic:
    """What a search is about; the words in order, a quotation as one of them."""

    text: str | None
    terms: tuple[str, ...]


def topic_of(passage: Passage, taken: Sequence[tuple[int, int]]) -> Topic:
    """Take away the spans of the fields, the words around a request, and give the rest."""
    text = _blanked(passage.text, taken)
    for match in _DEICTIC.finditer(text):
        text = _blanked(text, [match.span()])
    start, end = _core(text)
    terms = [
        (place, term)
        for place, term in _terms(passage, text)
        if start <= place[0] and place[1] <= end
    ]
    if not terms:
        return Topic(None, ())
    whole = text[terms[0][0][0] : terms[-1][0][1]]
    pieces = [
        passage.written((terms[0][0][0] + piece.start(), terms[0][0][0] + piece.end()))
        for piece in re.finditer(r"\S+", whole)
    ]
    topic = " ".join(pieces)[:_MOST_TOPIC].strip(" ,;:")
    return Topic(topic or None, tuple(dict.fromkeys(term for _place, term in terms)))


def _core(text: str) -> tuple[int, int]:
    """Give where the topic stands: behind command and papers, before the thanks."""
    trail = _TRAIL.search(text)
    end = trail.start() if trail else len(text)
    start, had_command = 0, False
    while match := _LEAD.match(text, start):
        start = match.end()
    if match := _COMMANDED.match(text, start):
        start, had_command = match.end(), True
        while match := _LEAD.match(text, start):
            start = match.end()
    match = _PAPERS.match(text, start)
    if match:
        start = match.end()
        if match := re.compile(rf"\s*(?:{_ABOUT})\b").match(text, start):
            start = match.end()
        return start, max(start, end)
    determiners = _DETERMINERS if had_command else _ARTICLES
    if match := determiners.match(text, start, end):
        start = match.end()
    if match := _OPENING.match(text, start, end):
        start = match.end()
    tail = _TAIL_PAPERS.search(text, start, end)
    return start, tail.start() if tail else end


def _terms(passage: Passage, text: str) -> list[tuple[tuple[int, int], str]]:
    terms = [
        (span, passage.written(span))
        for span in passage.quoted
        if text[span[0]] == HIDDEN and passage.written(span)
    ]
    for match in _TERM.finditer(text):
        written = passage.written(match.span())
        if match[0] not in FUNCTION_WORDS:
            terms.append(
                (
                    match.span(),
                    written.removesuffix("'s").removesuffix("’s")
                    if _is_owner(match[0])
                    else written,
                )
            )
    return sorted(terms)


def _is_owner(word: str) -> bool:
    return word.endswith("'s") and word.removesuffix("'s") in FUNCTION_WORDS


def _blanked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text
