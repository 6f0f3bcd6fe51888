"""Set aside a second request behind the search.

("then save the first three"), so that it is no part of the topic.
"""

import re
from dataclasses import replace

from tools.nlu.search_query.field_matches import FieldMatch, Passage
from tools.nlu.search_query.lexicon import (
    COUNTED,
    KINDS,
    PAPERS,
    PLEASE,
    SHOW,
    WITH_OTHERS,
    WITH_PAPERS,
    any_of,
)
from tools.nlu.search_query.topic import topic_place

_OTHER_SHOWS = any_of(SHOW, "open", "check", "see")
_OF_SEARCH = any_of(
    PAPERS, KINDS, "ones?", "results?", "hits", "references", "sources", "citations?", "entries",
    "first", "second", "third", "last", "top", "best", "newest", "latest", "oldest", "most",
    "recent", "cited", "open[- ]access", "oa", "free", "pdfs?", "only", "just", "more", "next",
    "rest", "others?", "same", "similar", "search", "page", "years?", "literature", "topic", "it",
    "them", "these", "those", "new", "work on", "research",
)  # fmt: skip
"""What is said of the papers of a search, be it by an order: `and show the newest first`."""
_ELSE = rf"(?!(?:filters?|limits?)\b|(?:(?!and\b)[\w'-]+ ){{0,4}}?{_OF_SEARCH}(?![\w'-]))"
_POLITE = (
    rf"(?:(?:{PLEASE}|also|just|then|and|oh|ok|plus|next|can you|could you|would you|will you"
    r"|(?:i want|i need|i'd like)(?: you)? to),? ){0,3}"
)
_SENTENCE = rf"[.;!?]\s*{_POLITE}"
_OTHER_THEN = rf"(?:,\s*|\s)(?:and |but )?(?:then|also|afterwards|after that|next|plus),? {_POLITE}"
_COMMA = rf",\s*and {_POLITE}"
_OTHER_AND = rf"\s(?:and|plus) {_POLITE}"
_ID = r"(?:[a-z]{1,5}-?\d+|#\d+)\b"
_ASKED = "(?:how (?:many|much|long|far|often)|what|which|when|where|who|whether|if)"
_OBJECT = rf"(?:(?:the|an?|all|every|some|this|that|another|\d+) {_ELSE}|{_ID})"
_FEW = any_of(
    r"\d+", "an?(?: few| couple(?: of)?)?", "another", "some", "one", "two", "three", "four",
    "five", "ten",
)  # fmt: skip
_MINE = rf"(?:(?:me|us) (?=\w)|(?:my|our) {_ELSE})"
_REST = r"[^,;.!?]*(?:, (?:and )?[a-z]{1,5}-\d+[^,;.!?]*)*"
_ANYWHERE = rf"(?:{_SENTENCE}|{_OTHER_THEN}|{_COMMA}|{_OTHER_AND})"
OTHER = re.compile(
    r"(?<!\s)(?:\s(?=[.;!?,]))?"
    + any_of(
        rf"{_ANYWHERE}{WITH_OTHERS} (?:{_MINE}|{_ID})",
        rf"(?:{_SENTENCE}|{_OTHER_THEN}|{_COMMA}){WITH_OTHERS} {_OBJECT}",
        rf"{_ANYWHERE}{COUNTED} {_FEW} {_ELSE}",
        rf"{_ANYWHERE}{_OTHER_SHOWS} (?:me |us )?(?:all (?:of )?)?"
        rf"(?:(?:my|our) {_ELSE}|the {_ELSE})",
        rf"{_ANYWHERE}{_OTHER_SHOWS} (?:(?:me|us) )?{_ID}",
        rf"{_ANYWHERE}(?:show|give|tell) (?:me|us) {_ASKED} {_ELSE}",
        rf"{_ANYWHERE}(?:how (?:many|much)|what|which|when|where|who) {_ELSE}(?:[\w'-]+ ){{0,4}}?"
        r"(?:do|does|did|is|are|have|has|can|was|were) (?:we|i|you|my|our|the)\b",
        rf"(?:{_SENTENCE}|{_OTHER_THEN}|{_COMMA})(?:what|who|when|where)(?:'s| is| are) "
        rf"(?:the|my|our) {_ELSE}",
    )
    + _REST
)
IS_MARKED = re.compile(rf"\s?[.;!?]|.*?\b(?:me|us|my|our|{_ID})\b")
"""What stays an order behind a topic that is a clause: `on how ants walk. Also close WO-1`."""


_SHOWS = any_of(SHOW, "present")
"""Behind these only one of the papers is another order."""
_FOUND = any_of(
    "them(?: all)?", "these", "those", "all of (?:them|these|those)", "both(?: of them)?",
    "each(?: of them| one)?", "everything", "the (?:results?|list|hits|findings|rest)",
    rf"the (?:first|top|last|best|newest|latest|oldest|most (?:cited|recent|relevant))"
    rf"(?: \w+)?(?: {PAPERS}| ones?)?",
    "the (?:second|third|fourth|fifth|1st|2nd|3rd|4th|5th)(?: one| two| three)?", "one of them",
    rf"the {PAPERS}",
)  # fmt: skip
"""How the papers that a search will find are pointed at."""
_ONE = any_of(
    "it", "the (?:first|second|third|fourth|fifth|last|best|1st|2nd|3rd|4th|5th)(?: one)?"
)
_THEN = any_of(
    r"[,;.!]\s*(?:and |but )?(?:then|afterwards?|after that|next)", r"\b(?:and )?then",
    r"\band afterwards",
)  # fmt: skip
_AND = rf"(?:{_THEN}|[,;.!]\s*and(?: also)?|\band(?: also| maybe)?|[;.!])"
_ALSO = f",? (?:{any_of(PLEASE, 'also', 'just', 'you')} )?"
_ACT = re.compile(
    r"(?<!\s)\s*(?:[,;.!]\s*(?:and |but )?(?:then|afterwards?|after that|next)"
    rf"{_ALSO}{WITH_PAPERS}\b"
    rf"|{_THEN}{_ALSO}{WITH_PAPERS}(?: me| us)? {_FOUND}(?![\w'-])"
    rf"|{_AND}{_ALSO}{WITH_PAPERS}(?: me| us)? {_FOUND}(?![\w'-]))[^,;.!?]*"
)
_SHOW = re.compile(
    rf"(?<!\s)\s*(?:{_AND}{_ALSO}{_SHOWS}(?: me| us)? (?P<one>{_ONE})(?=\W*$)"
    rf"|{_AND}{_ALSO}{_SHOWS} (?:me |us )?(?:them(?: all)?|the results?)"
    r"(?: to (?:me|us))?(?![\w'-])"
    rf"|{_AND}{_ALSO}{_SHOWS}(?: me| us)?(?= (?:only|just|at most|up to|\d+|"
    rf"{PAPERS}|recent|the (?:top|first|last|newest|latest|most|best|recent|free|ones"
    r"|open[- ]access))"
    r"(?![\w'-])))"
)
_CLAUSE = re.compile(
    r"\b(?:how|why|whether|who|that|which|when|where|to|can|could|may|might|ways)\b"
)
"""In `how cells take up sugar and then store it` the verb is of the topic."""


def without_second_order(passage: Passage) -> tuple[Passage, list[FieldMatch]]:
    """Hide a second order, so that no rule reads it, and tell what it was.

    `Show them sorted by citations` keeps what it says of the search.
    """
    found: list[FieldMatch] = []
    for pattern in (_ACT, _SHOW, OTHER):
        for match in _behind_topic(pattern, passage.text):
            start, end = match.span()
            is_told = pattern is not _SHOW or match["one"] is not None
            rule = "second_order" if is_told else "shown"
            found.append(FieldMatch("request", None, rule, (start, end), is_taken=False))
            text = passage.text[:start] + " " * (end - start) + passage.text[end:]
            passage = replace(passage, text=text)
    return passage, found


def _behind_topic(pattern: re.Pattern[str], text: str) -> list[re.Match[str]]:
    """Find orders behind something to search for, unless a clause before them may go on."""
    orders = [one for one in pattern.finditer(text) if text[: one.start()].strip(" ,;.!")]
    if not orders:
        return []
    before = text[: orders[0].start()]
    start, _end = topic_place(before)
    if _CLAUSE.search(before, start) is None:
        return orders
    return [one for one in orders if pattern is OTHER and IS_MARKED.match(one[0])]
