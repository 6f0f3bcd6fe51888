"""What is left of a request when its fields, its politeness and its command are taken away."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tools.search_fields.passage import HIDDEN, Passage
from tools.search_fields.topic.purposes import purposes_in
from tools.search_fields.topic.request import papers_within, topic_place
from tools.search_fields.words.papers import PAPERS
from tools.search_fields.words.plain_words import FUNCTION_WORDS

_MOST_TOPIC = 300
"""Characters: what is longer was pasted, and providers refuse it."""
_TERM = re.compile(r"[^\W_](?:(?:[\w.:/'+#&-]|,(?=\d))*[\w+#])?")

_DEICTIC = re.compile(
    r"\b(?:(?:on|about|for|in|around|regarding|of) )?(?:this|that|these|those|the same|my|our"
    r"|the)(?: (?:current|own|same))? "
    r"(?:topic|subject|area|field|project|research(?: question| topic| area)?|theme"
    r"|question)s?\b(?: of| on| about)?"
    r"|\b(?:on|about|for|like) (?:this|that|it|them|these|those)(?=\s*(?:[,.;!?)]|$))"
)

_DENIAL = re.compile(rf"\W*no(?: more)? (?={PAPERS} (?:on|about) )")
"""`no papers on coral from before 2015` is about coral; the denial is of the year."""


@dataclass(frozen=True)
class Topic:
    """What a search is about; the words in order, a quotation as one of them."""

    text: str | None
    terms: tuple[str, ...]


def topic_of(passage: Passage, taken: Sequence[tuple[int, int]]) -> Topic:
    """Take away the spans of the fields, the words around a request, and give the rest."""
    text = _blanked(passage.text, taken)
    purposes = purposes_in(text)
    topic = _topic_of(passage, _blanked(text, [one.span for one in purposes]))
    if topic.terms or not purposes:
        return topic
    return _topic_of(passage, _blanked(text, [one.lead for one in purposes]))


def _topic_of(passage: Passage, text: str) -> Topic:
    for match in _DEICTIC.finditer(text):
        text = _blanked(text, [match.span()])
    denial = _DENIAL.match(text)
    text = _blanked(text, [denial.span()] if denial else [])
    start, end = topic_place(text)
    text = _blanked(text, papers_within(text, start, end))
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


def _terms(passage: Passage, text: str) -> list[tuple[tuple[int, int], str]]:
    terms = [
        (span, passage.written(span))
        for span in passage.quoted
        if text[span[0]] == HIDDEN and passage.written(span)
    ]
    terms += [
        (match.span(), passage.written(match.span()))
        for match in _TERM.finditer(text)
        if _says_something(passage, match)
    ]
    return sorted(terms)


def _says_something(passage: Passage, match: re.Match[str]) -> bool:
    """Tell a word of a topic from a function word; `US` is one unless all is in capitals."""
    if FUNCTION_WORDS.isdisjoint((match[0], match[0].removesuffix("'s"))):
        return True
    written = passage.written(match.span())
    if match[0] == "may" and _is_month(passage, match):
        return True
    return len(written) > 1 and written.isupper() and not passage.normal.original.isupper()


def _is_month(passage: Passage, match: re.Match[str]) -> bool:
    """Tell the month of `the May 1968 protests` from a verb: a number stands beside it."""
    before, behind = passage.text[: match.start()], passage.text[match.end() :]
    return (
        re.match(r",? (?:\d|day\b)", behind) is not None
        or re.search(r"\d(?:st|nd|rd|th)? $", before) is not None
    )


def _blanked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text
