"""A second order behind a search is no part of its topic: `then save the first three`."""

import re
from dataclasses import replace

from tools.search_fields.passage import Found, Passage
from tools.search_fields.second_orders.about_others import IS_MARKED, OTHER
from tools.search_fields.topic.request import topic_place
from tools.search_fields.words.orders import SHOW, WITH_PAPERS
from tools.search_fields.words.papers import PAPERS
from tools.search_fields.words.pieces import any_of
from tools.search_fields.words.please import PLEASE

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


def without_second_order(passage: Passage) -> tuple[Passage, list[Found]]:
    """Hide a second order, so that no rule reads it, and tell what it was.

    `Show them sorted by citations` keeps what it says of the search.
    """
    found: list[Found] = []
    for pattern in (_ACT, _SHOW, OTHER):
        for match in _behind_topic(pattern, passage.text):
            start, end = match.span()
            is_told = pattern is not _SHOW or match["one"] is not None
            rule = "second_order" if is_told else "shown"
            found.append(Found("request", None, rule, (start, end), is_taken=False))
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
