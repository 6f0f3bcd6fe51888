"""Where the topic of a request stands: behind command and papers, before the thanks."""

import re

from tools.search_fields.filters.limits import is_counted_by_others
from tools.search_fields.topic.courtesy import COURTEOUS_WORDS, ENDING, LEADING
from tools.search_fields.words.orders import FIND
from tools.search_fields.words.papers import PAPERS, PRAISE, PRAISED
from tools.search_fields.words.pieces import any_of, at_once
from tools.search_fields.words.plain_words import FRAME_WORDS

_GAP = r"[\s,.;:!?()'-]{0,120}"
_BLANK = r"[\s,.;:!?()-]*"
_ON = r"(?:on|about|regarding|concerning)"
_ABOUT = any_of(
    any_of(
        "on", "about", "for", "regarding", "concerning", "around", "covering", "discussing",
        "dealing with", "in", "into", "of", "(?:related|relating|pertaining) to", "with", "that",
        "which", "using", "mentioning", "describing", "at", "by", "from", "to", "over", "under",
        "where", "when", "as",
    ) + r"(?![\w'-])",
    "re:",
)  # fmt: skip
_SAYING = any_of(
    "published", "written", "done", "available", "out there", "there (?:is|are)", "to read", "say",
    "says", "exists?",
)  # fmt: skip
_WORK = any_of(
    "literature", "research", "works?", "publications", "results", "references", "reads?",
    "reading", "sources", "material", "stuff", "things?", "anything", "something", "everything",
    "whatever",
)  # fmt: skip
_HEAD = any_of(
    rf"{PAPERS}\b\s*(?:{_SAYING}\b\s*){{0,3}}(?:{_GAP}{_ABOUT}){{0,4}}",
    rf"{_WORK}\b\s*(?:{_SAYING}\b\s*){{0,3}}(?:{_ABOUT}\s*){{1,4}}",
    rf"(?:published|written|known?|said|learn(?:ed|t)?|discovered|understood|out there)\s+{_ON}\b",
)
_FRAME = "|".join(sorted(map(re.escape, FRAME_WORDS), key=len, reverse=True))
_WORDS = "|".join(sorted(map(re.escape, FRAME_WORDS | COURTEOUS_WORDS), key=len, reverse=True))
_ENDS = r"(?![\w'-])"
"""The word ends here."""
_FRAMING = at_once(rf"(?:{_FRAME}|{PRAISE}){_ENDS}", group="framing")
_FRAMED = re.compile(rf"(?:{_GAP}{_FRAMING}){{0,40}}?{_GAP}{_HEAD}")
"""Nothing but words of which requests are made, up to the papers."""

_PAPERS_ON = re.compile(rf"(?:\b{PAPERS}\s+|\s{{8,}}){_ON}\b")
"""Papers that were counted are blanks by now: `wants at most 12 papers on`."""
_WORDY = at_once(rf"(?:{_WORDS}|{PRAISE}){_ENDS}", group="wordy")
_COURTEOUS = re.compile(rf"(?:{_GAP}{_WORDY}){{1,40}}?{_GAP}(?:{PAPERS}|{_WORK})\s+{_ON}\b")
_HEADED = re.compile(rf"{_GAP}(?:{PAPERS}|{_WORK})\s+{_ON}\b")
"""`Any chance of papers on`, `asap: papers on`: more courtesy, but `papers on` has to follow."""
_US = re.compile(r"\b(?:i|we|my|our|me|us|you|your)\b")

_WANTS = re.compile(
    r"^\W*(?:(?!(?:how|why|what|whether|when|where)\b)[\w'.-]+ ){1,5}?"
    r"(?:wants?|needs?|wanted|needed|ask(?:s|ed) for|(?:is|are) looking for|requested)"
    rf"\s+(?:(?:{PRAISE}|some|any|a few|to see|to read|to have)\s+){{0,3}}$"
)
"""Who else they are for: `Lena wants papers on bees`."""

_LED = at_once(f"{LEADING}{_ENDS}", group="led")
_POLITELY = re.compile(rf"{_GAP}(?:{_LED}[\s,.;:!?-]*){{1,20}}")
_PLACES = any_of("literature", "web", "scholar", "openalex", "semantic scholar", "pubmed")
_NOUNS = any_of(
    "engines?", "algorithms?", "spaces?", "trees?", r"strateg\w+", "costs?", "behaviou?r",
    "theory", r"quer\w+", "and rescue", "advertising",
)  # fmt: skip
"""What makes of `search` the first word of a topic."""
_GOOGLES = any_of(
    "scholar", "trends?", "search(?:es)?", "maps?", "earth", "books?", "translate", "brain",
    "deepmind", "ai", "glass", "play", "cloud", "ads?", "adwords", "analytics", "docs?", "forms?",
    "home", "assistant", "gemini", "research", "papers?", "articles?", "stud(?:y|ies)", "effect",
    "flu", "ngrams?", "n-grams?", "street", "classroom", "matrix", "pagerank", "quantum", "and",
    "or", "vs", "versus", "in", "as", "is", "has", "on", "about",
)  # fmt: skip
"""What makes of `google` the firm, or what it makes."""
_COMMAND = any_of(
    rf"(?:scan|comb|trawl|hunt|look|dig|go)(?: through| in)? the {_PLACES} for",
    rf"google(?: for)?(?! {_GOOGLES}\b)",
    rf"{FIND}(?:ing)?(?: me| us)?(?: up| out| for| a (?:search|query)(?: for| on)?){{0,3}}"
    "(?: me| us)?",
    rf"search(?:ing)?(?: (?:up|through|in))?(?: (?:the )?{_PLACES})?(?: for)?(?! {_NOUNS})",
)
_COMMANDED = re.compile(rf"{_GAP}{_COMMAND}(?![\w-])")
_NICE = r"nice(?=[^.,;:!?]{1,40} (?:papers?|articles?|literature)\b)"
_PRAISING = at_once(any_of(PRAISE, "some", "any", _NICE), group="praising")
_DETERMINERS = re.compile(rf"{_GAP}(?:{_PRAISING}\b[\s,]*){{1,12}}")
_ARTICLES = re.compile(rf"{_GAP}(?:(?:some|any|the)\b[\s,]*){{1,4}}")
_OPENING = re.compile(rf"{_GAP}(?:{_ABOUT}|(?:is|are|there)\b)")
_TRAIL = re.compile(rf"(?:[\s,.;:!?()-]{{1,40}}{ENDING}){{0,6}}{_BLANK}$")
_PAPERS_BEHIND = re.compile(
    rf"(?<!\bcase)(?<!\bcohort)\s{PRAISED}(?:{PAPERS}|(?<!in\s)literature)(?={_BLANK}$)"
    r"|\s(?:papers|articles|publications|preprints)"
    r"(?=\s*[,.;:!?)]|\s\s|\s+(?:from|by|that|which|at|since|in|before|after)\b)"
)


def topic_place(text: str) -> tuple[int, int]:
    """Give where the topic begins and ends in a text that holds blanks for its fields."""
    trail = _TRAIL.search(text)
    end = trail.start() if trail else len(text)
    framed = _FRAMED.match(text) or _COURTEOUS.match(text) or _told(text)
    if framed:
        return framed.end(), max(framed.end(), end)
    start, had_command = 0, False
    if match := _POLITELY.match(text):
        start = match.end()
    if match := _COMMANDED.match(text, start):
        start, had_command = match.end(), True
        if match := _POLITELY.match(text, start):
            start = match.end()
    for pattern in (_DETERMINERS if had_command else _ARTICLES, _OPENING):
        if match := pattern.match(text, start, end):
            start = match.end()
    if start and (match := _HEADED.match(text, start, end)):
        start = match.end()
    return start, end


def papers_within(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Find the word `papers` behind a topic: it says what is wanted, not what about.

    Of `how students read 3 articles` it is part of what the papers are about.
    """
    found = _PAPERS_BEHIND.finditer(text, start, end)
    return [one.span() for one in found if not is_counted_by_others(text, one.start())]


def _told(text: str) -> re.Match[str] | None:
    """Find `papers on` where somebody tells first why they are wanted: my thesis is."""
    papers = _PAPERS_ON.search(text)
    if papers is None:
        return None
    is_told = _US.search(text, 0, papers.start()) or _WANTS.search(text, 0, papers.start())
    return papers if is_told else None
