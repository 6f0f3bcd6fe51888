"""Orders and questions behind a search that are about something else: `also close WO-1042`.

An imperative alone may be a topic's (`mark and recapture`), so each rule asks for what only an
order has: a new sentence or `then`, a thing that is pointed at or counted, me, or what is ours.
"""

import re

from tools.search_fields.words.orders import COUNTED, SHOW, WITH_OTHERS
from tools.search_fields.words.papers import KINDS, PAPERS
from tools.search_fields.words.pieces import any_of
from tools.search_fields.words.please import PLEASE

_SHOWS = any_of(SHOW, "open", "check", "see")
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
_THEN = rf"(?:,\s*|\s)(?:and |but )?(?:then|also|afterwards|after that|next|plus),? {_POLITE}"
_COMMA = rf",\s*and {_POLITE}"
_AND = rf"\s(?:and|plus) {_POLITE}"
_ID = r"(?:[a-z]{1,5}-?\d+|#\d+)\b"
_ASKED = "(?:how (?:many|much|long|far|often)|what|which|when|where|who|whether|if)"
_OBJECT = rf"(?:(?:the|an?|all|every|some|this|that|another|\d+) {_ELSE}|{_ID})"
_FEW = any_of(
    r"\d+", "an?(?: few| couple(?: of)?)?", "another", "some", "one", "two", "three", "four",
    "five", "ten",
)  # fmt: skip
_MINE = rf"(?:(?:me|us) (?=\w)|(?:my|our) {_ELSE})"
_REST = r"[^,;.!?]*(?:, (?:and )?[a-z]{1,5}-\d+[^,;.!?]*)*"
_ANYWHERE = rf"(?:{_SENTENCE}|{_THEN}|{_COMMA}|{_AND})"
OTHER = re.compile(
    r"(?<!\s)(?:\s(?=[.;!?,]))?"
    + any_of(
        rf"{_ANYWHERE}{WITH_OTHERS} (?:{_MINE}|{_ID})",
        rf"(?:{_SENTENCE}|{_THEN}|{_COMMA}){WITH_OTHERS} {_OBJECT}",
        rf"{_ANYWHERE}{COUNTED} {_FEW} {_ELSE}",
        rf"{_ANYWHERE}{_SHOWS} (?:me |us )?(?:all (?:of )?)?(?:(?:my|our) {_ELSE}|the {_ELSE})",
        rf"{_ANYWHERE}{_SHOWS} (?:(?:me|us) )?{_ID}",
        rf"{_ANYWHERE}(?:show|give|tell) (?:me|us) {_ASKED} {_ELSE}",
        rf"{_ANYWHERE}(?:how (?:many|much)|what|which|when|where|who) {_ELSE}(?:[\w'-]+ ){{0,4}}?"
        r"(?:do|does|did|is|are|have|has|can|was|were) (?:we|i|you|my|our|the)\b",
        rf"(?:{_SENTENCE}|{_THEN}|{_COMMA})(?:what|who|when|where)(?:'s| is| are) "
        rf"(?:the|my|our) {_ELSE}",
    )
    + _REST
)
IS_MARKED = re.compile(rf"\s?[.;!?]|.*?\b(?:me|us|my|our|{_ID})\b")
"""What stays an order behind a topic that is a clause: `on how ants walk. Also close WO-1`."""
