"""A short follow-up as a change of the search before it: only open access, and since 2020?"""

import re
from collections.abc import Sequence
from datetime import date
from typing import Any

from state.policy import SearchPolicy, SearchReading
from tools.catalogue.models import SearchDefaults
from tools.search_fields.fields import DEFAULTS, found_in, sources_of, values_of
from tools.search_fields.follow_ups.moved_ends import is_corrected, moved_end
from tools.search_fields.follow_ups.taken_back import TIME, dropped_in
from tools.search_fields.passage import Found, Passage
from tools.search_fields.second_orders.set_aside import without_second_order
from tools.search_fields.time.bounds import LIFTS, Range
from tools.search_fields.topic.topics import Topic, topic_of
from tools.search_fields.words.papers import KINDS, PAPERS, RESULTS
from tools.search_fields.words.pieces import any_of
from tools.search_fields.words.plain_words import FRAME_WORDS

_LIKE = re.compile(
    r"\b(?:(?:some |any )?more|similar|others?|something|anything"
    "|(?:papers?|ones?|articles?)(?: more)?)"
    "(?: (?:papers?|ones?|articles?|results?))? "
    "(?:like|similar to|related to|along the lines of|to|as) "
    r"(?:the |number |no\.? |#|paper |result |this|that|these|those|it\b|them\b)[^,.;!?]*"
)
_MORE = re.compile(
    r"\b"
    + any_of(
        rf"(?:some |any |a few )?more(?: {RESULTS})?", "next page", "the next ones?",
        rf"similar {RESULTS}", "search again", "keep going", "the rest",
    )
    + r"(?=\s*(?:[,.;!?]|$|please|from|by|since|in|with|on\b))"
)  # fmt: skip
_ASKS = re.compile(
    r"\W*"
    + any_of(
        r"(?:is|are|was|were|do|does|did|has|have|had) (?!there\b|you\b|any\b)",
        r"what (?:is|are|was|were|does|did)\b(?! there\b| about\b)",
        r"(?:who|whose|when|why|where)\b", "how (?!about)", r"which (?:one|of)\b",
    )
)  # fmt: skip
"""A question about papers, as `is it open access?`, changes no search."""
_THEN = r"\W*(?:(?:ok(?:ay)?|and|now|but|so|then|well)\W+){0,4}"
_NO_TOPIC = any_of(
    "(?:the )?(?:first|second|third|fourth|last|other|others|rest|next|same)", "today", "tomorrow",
    "tonight", "yesterday", "later", "you", "me", "us", "then", "now", "so", "what", "why", "how",
    "(?:the |their |its )?(?:citations?|authors?|abstracts?|pdfs?|dates?|titles?|links?|years?)",
    rf"(?:the )?{KINDS}(?=\W*$)", "is", "are", "was", "were", "do", "does", "did", "has", "have",
    "can", "could", "will", "would", "should", "when", "where", "who", "which", "if", "not", "no",
)  # fmt: skip
"""What `and …?` asks for, or asks about, beside another topic: `and wasps?`."""
_SORRY = (
    r"^\W*(?:(?:no|nope|sorry|oops|wait|actually|ah|oh|my bad|my mistake)\W+){0,3}"
    r"(?:that's wrong\W+)?"
)
_NOT_THAT = re.compile(
    rf"{_SORRY}not (?:on |about )?(?P<old>[\w'-]+(?: [\w'-]+){{0,4}}?)(?:[,;:]| but|, but) "
    r"(?:(?:rather|on|about|i mean|i meant) )?(?=\w)"
)
"""`Not ants, termites`, behind a search on ants."""
_REPLACES = re.compile(
    _THEN
    + any_of(
        "(?:what|how) about",
        "(?:(?:do|try) )?(?:the )?same(?: thing| search)?(?:,? but)?(?: again)? "
        "(?:for|on|about|with)",
        "now (?:for|on|about|try)",
        "(?:and|but) (?:for|on|about)",
        "(?:switch|change) (?:it|that|the topic|the subject|the search) to",
        "(?:try(?: it| again)?|search again) (?:with|for|on|about)",
    )
    + r"(?: (?:on|about|for))? (?=\w)"
    + rf"|^\W*(?:ok(?:ay)?\W+)?and (?!{_NO_TOPIC}\b)(?=(?:[\w'-]+ ){{0,3}}[\w'-]+ ?\?\W*$)"
    + r"|^(?!.*\b(?:i|you|me|my|your|let's|please)\b)(?=(?:\S+ ){1,6}instead\W*$)"
    + rf"|{_SORRY}i (?:meant|mean)(?: to (?:say|ask for))?(?: {PAPERS})?(?: (?:on|about|for))? "
    + rf"(?!{_NO_TOPIC}\b)(?=(?:[^\W\d_]+(?:['-][^\W\d_]+)? ?){{1,6}}\W*$)"
)
"""A topic in place of the one before; `use a male voice instead` is told by its verb below."""
_LAST = r"(?: please)?\W*$"
_ADDS = re.compile(
    _THEN
    + "(?:please )?"
    + any_of(
        "(?:(?:can|could) you )?(?:focus|narrow|restrict|limit|zoom)"
        "(?: (?:it|them|this|that|the search|down|in)){0,3} (?:on|to)",
        "(?:more )?specifically(?: on| about| for| in)?",
        "especially(?: on| about)?",
        "in particular(?: on| about)?",
        "also (?:on|about|for|with|include|mentioning)",
        "only (?:on|about|those on|those about|the ones on|the ones about)",
        rf"(?:(?:show|give|want|need|keep)(?: me)? )?(?:just|only)(?: the)?(?= {KINDS}{_LAST})",
        "(?:(?:(?:are|is) there|do you have|have you got) (?:any|some|an?)|any)"
        rf"(?= {KINDS}(?: (?:too|as well|among (?:them|these|those)|there|here))?{_LAST})",
    )
    + rf" (?=\w)|^\W*(?={KINDS} only{_LAST})"
)
_VERBS = frozenset(
    {"use", "play", "skip", "set", "talk", "say", "close", "delete", "add", "make", "change"}
)
"""What a topic does not begin with: something else is asked for."""
_GLUE = frozenset(
    {
        "and", "only", "meant", "mean", "no", "just", "now", "but", "also", "then", "ok",
        "okay", "well", "please", "make", "limit", "restrict", "narrow", "filter", "refine",
        "search", "down", "it", "them", "that", "this", "those", "these", "ones", "one",
        "papers", "paper", "articles", "studies", "results", "same", "again", "instead",
        "more", "show", "give", "find", "get", "list", "keep", "want", "need", "let's", "try",
        "too", "time", "sorry", "actually", "hmm", "maybe", "perhaps", "something",
        "anything", "published", "rather", "about", "what", "how", "can", "could", "you", "i",
        "i'd", "like", "prefer", "limited", "restricted", "set", "change", "use", "see",
        "are", "is", "there", "else", "yes", "right", "still", "take", "back", "go", "look",
        "stuff", "work", "works", "publications", "research", "thanks", "cheers", "pls",
        "things", "have", "got", "know", "apply", "include", "including", "longer", "don't",
        "care", "limits", "start", "begin", "over", "anew", "afresh", "scratch",
    }
)  # fmt: skip
"""Words of a follow-up that say nothing but: change the search so."""


def refine(
    previous: SearchPolicy, text: str, today: date, defaults: SearchDefaults = DEFAULTS
) -> SearchReading | None:
    """Change a search as a follow-up says; None: the text is none, but a request of its own.

    What is said of a field replaces it; the other end of the time stays while it makes sense.
    """
    passage = Passage.of(text)
    if _ASKS.match(passage.text):
        return None
    orders = without_second_order(passage)[1]
    if any(
        one.rule == "second_order" for one in orders
    ):  # `only open access, then save them` is two orders
        return None
    passage = Passage.of(moved_end(previous, passage.text, today.year) or text)
    found, time = found_in(passage, today, defaults.recent_years)
    dropped, cleared = dropped_in(passage.text)
    found = [one for one in found if not _within(one.span, dropped)] + dropped
    marks = [match.span() for pattern in (_LIKE, _MORE) for match in pattern.finditer(passage.text)]
    topic, is_added, frame = _topic(previous, passage, [one.span for one in found], marks)
    if not (found or marks or frame) or (topic is None and not _is_glue(passage, found, marks)):
        return None
    values = _merged(previous, values_of(found, time), time, passage.text)
    lifted = any(one.rule in LIFTS for one in found)
    for name in (*(TIME if lifted else ()), *cleared):
        values.setdefault(name, SearchPolicy.model_fields[name].get_default())
    if topic is not None:
        values |= _retold(previous, topic, is_added=is_added)
    _take_back(previous, found, values)
    search = previous.model_copy(update=values)
    return SearchReading(search=search, sources=sources_of(passage, found))


def _take_back(
    previous: SearchPolicy,
    found: Sequence[Found],
    values: dict[str, Any],  # by field
) -> None:
    """Let `not by Hinton`, `not in Nature`, `not open access` end a search that was for them."""
    for one in found:
        if one.is_taken or not one.rule.endswith("denied"):
            continue
        if one.field == "open_access_only":
            if previous.open_access_only and one.rule != "paywalled_denied":
                values.setdefault("open_access_only", False)
            continue
        if one.field == "fields_of_study" and isinstance(one.value, tuple):
            left = tuple(name for name in previous.fields_of_study if name not in one.value)
            values.setdefault("fields_of_study", left)
        elif isinstance(one.value, tuple):
            denied = {name.casefold() for name in one.value}
            kept = tuple(name for name in previous.authors if name.casefold() not in denied)
            values.setdefault("authors", kept)
        elif str(one.value).casefold() == (previous.venue or "").casefold():
            values.setdefault("venue", None)


def _topic(
    previous: SearchPolicy,
    passage: Passage,
    taken: Sequence[tuple[int, int]],
    marks: Sequence[tuple[int, int]],
) -> tuple[Topic | None, bool, bool]:
    """Read a topic that replaces the one before, or is added to it; whether one was."""
    known = {term.casefold() for term in previous.query_terms}
    for pattern, is_added in ((_ADDS, True), (_NOT_THAT, False), (_REPLACES, False)):
        match = pattern.match(passage.text)
        if match and pattern is _NOT_THAT and known.isdisjoint(match["old"].split()):
            continue
        if match and not marks:
            topic = topic_of(passage, [*taken, (0, match.end()), *_insteads(passage.text)])
            words = [term for term in topic.terms if term.lower() not in _GLUE]
            if words and topic.terms[0].lower() not in FRAME_WORDS | _VERBS:
                return topic, is_added, True
    return None, False, False


def _insteads(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in re.finditer(r"\binstead\b", text)]


def _is_glue(passage: Passage, found: Sequence[Found], marks: Sequence[tuple[int, int]]) -> bool:
    """Tell whether nothing else is said than the fields."""
    topic = topic_of(passage, [*(one.span for one in found), *marks])
    return all(term.lower() in _GLUE for term in topic.terms)


def _merged(
    previous: SearchPolicy, values: dict[str, Any], time: Range, text: str
) -> dict[str, Any]:
    """Let the new ends of the time stand, and the old ones where they still fit."""
    merged = dict(values)
    if (time.first is not None or time.last is not None) and is_corrected(previous, text):
        return dict.fromkeys(TIME) | merged
    if time.first is not None:
        merged.setdefault("date_from", None)
        last = previous.date_to or (date(previous.year_to, 12, 31) if previous.year_to else None)
        if time.last is None and last is not None and last < time.first:
            merged |= {"year_to": None, "date_to": None}
    if time.last is not None:
        merged.setdefault("date_to", None)
        first = previous.date_from or (
            date(previous.year_from, 1, 1) if previous.year_from else None
        )
        if time.first is None and first is not None and first > time.last:
            merged |= {"year_from": None, "date_from": None}
    if "authors" in merged and re.search(r"\balso\b", text):
        merged["authors"] = tuple(dict.fromkeys((*previous.authors, *merged["authors"])))
    return merged


def _retold(previous: SearchPolicy, topic: Topic, *, is_added: bool) -> dict[str, Any]:
    if not is_added or previous.topic is None:
        return {"topic": topic.text, "query_terms": topic.terms}
    return {
        "topic": f"{previous.topic} {topic.text}",
        "query_terms": tuple(dict.fromkeys((*previous.query_terms, *topic.terms))),
    }


def _within(span: tuple[int, int], others: Sequence[Found]) -> bool:
    return any(span[0] < one.span[1] and one.span[0] < span[1] for one in others)
