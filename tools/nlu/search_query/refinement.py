"""Read a short follow-up as a change of the last search.

A field added, replaced or dropped, or an end of its dates moved.
"""

import re
from collections.abc import Sequence
from datetime import date
from typing import Any

from state.policy import FieldSource, SearchPolicy, SearchReading
from tools.catalog.pack_schema import SearchDefaults
from tools.nlu.search_query.field_matches import LIFTS, DateRange, FieldMatch, Passage
from tools.nlu.search_query.lexicon import FRAME_WORDS, KINDS, PAPERS, RESULTS, any_of
from tools.nlu.search_query.negation_scope import UNDO
from tools.nlu.search_query.parser import DEFAULTS, found_in, sources_of, values_of
from tools.nlu.search_query.topic import Topic, topic_of
from tools.nlu.search_query.trailing_requests import without_second_order


def names_only_fields(text: str, sources: Sequence[FieldSource]) -> bool:
    """Tell whether every word of a follow-up is one of its fields."""
    places = {place for one in sources for place in range(*one.span)}
    return bool(places) and all(
        places.issuperset(range(*word.span())) for word in re.finditer(r"\w+", text)
    )


_MOVES = re.compile(r"\W*(?:no\W+)?(?:make|change) (?:it|that|this)(?: to)? ((?:19|20)\d\d)\W*")
_LEAD = any_of(
    r"no[,.;!]", "and", "but", "ok(?:ay)?", "now", "(?:show|give)(?: me)?", "find", "get", "any",
    "only", "just", "some", "what about", "how about", "the", "please", "even",
)  # fmt: skip
_OTHER = re.compile(
    rf"\W*(?:{_LEAD}\W*\s){{0,4}}(?:(?P<older>older|earlier)|newer|later|more recent)"
    rf" (?:ones|{PAPERS}|work|research)(?: please| instead)?\W*"
)
_CORRECTS = re.compile(r"\W*(?:no|nope|sorry|wrong|oops|i meant|i mean|rather)\b|\W*[<>]=")
_OPENS = re.compile(
    r"\W*(?:and|or) (?:(?P<older>earlier|older|before)|later|newer|after|since|more recent)"
    r"(?: (?:ones?|papers?))?(?:,? (?:too|please|as well))?\W*"
)
_BESIDE = re.compile(
    rf"\W*(?:{_LEAD}\W*\s){{0,4}}(?:from |in )?(?:the|a|one) "
    "(?:(?P<older>year (?:before|earlier)|(?:previous|preceding|prior) year)"
    r"|year (?:after|later)|(?:next|following|subsequent) year)(?: (?:that|it))?"
    r"(?:,? (?:please|instead))?\W*"
)


def moved_end(previous: SearchPolicy, text: str, this_year: int) -> str | None:
    """Say in full what is meant, the year at the same characters; None: it moves no end.

    Of both ends, or none, the year itself is meant. Older ones are from before the search began,
    newer ones from after it ended.
    """
    if (other := _OTHER.fullmatch(text)) is not None:
        return _beyond(previous, this_year, is_older=other["older"] is not None, size=len(text))
    if previous.year_from is not None and previous.year_from == previous.year_to:
        only = _of_one_year(previous.year_from, text)
        if only is not None:
            return only
    matched = _MOVES.fullmatch(text)
    if matched is None:
        return None
    ends = (previous.year_from is not None, previous.year_to is not None)
    word = {(True, False): "since", (False, True): "until"}.get(ends, "in")
    return f"{word} ".rjust(matched.start(1)) + matched[1]


def _of_one_year(year: int, text: str) -> str | None:
    """Say what `or later` and `the year before` mean behind a search of a single year."""
    if (opens := _OPENS.fullmatch(text)) is not None:
        return f"{'<=' if opens['older'] else '>='} {year}".rjust(len(text))
    if (beside := _BESIDE.fullmatch(text)) is not None:
        return f"in {year - 1 if beside['older'] else year + 1}".rjust(len(text))
    return None


def _beyond(previous: SearchPolicy, this_year: int, *, is_older: bool, size: int) -> str | None:
    if is_older:
        return f"< {previous.year_from}".rjust(size) if previous.year_from else None
    if previous.year_to is not None and previous.year_to < this_year:
        return f"> {previous.year_to}".rjust(size)
    if previous.year_from is not None:  # what reaches until today has nothing newer behind it
        return None
    return "recent".rjust(size)


def is_corrected(previous: SearchPolicy, text: str) -> bool:
    """Tell whether `no, since 2018` takes the place of a single year, of which no end can stay."""
    is_one = previous.year_from is not None and previous.year_from == previous.year_to
    return is_one and _CORRECTS.match(text) is not None


TIME = ("year_from", "year_to", "date_from", "date_to")
"""The fields that hold the time of a search."""
_FILTERS: dict[str, tuple[str, ...]] = {
    r"years?|dates?|time|recency|recent": TIME,
    r"open[- ]access|oa|access": ("open_access_only",),
    r"authors?": ("authors",),
    r"venues?|journals?|conferences?": ("venue",),
    r"citations?": ("min_citations",),
    r"(?:fields?|disciplines?)(?: of study)?": ("fields_of_study",),
    r"limit": ("limit",),
    r"filters?|limits|restrictions?|constraints?": (
        *TIME, "open_access_only", "authors", "venue", "fields_of_study", "min_citations",
    ),
}  # fmt: skip
_KIND = "(?:limits?|filters?|restrictions?|constraints?|ranges?|requirements?|condition)"
_WHICH = any_of(*_FILTERS)
_DROP = re.compile(
    rf"\b{UNDO}(?: about)? (?:(?:the|that|this|those|these|any|all|all the|my) )?"
    rf"({_WHICH}(?: (?:and|or) (?:the )?{_WHICH}){{0,3}})(?:[- ]only)?(?: {_KIND})?"
    r"(?=\s*(?:[,.;:!?]|$|please|and|but|again|now|instead|too|as well))"
)
_ANY = re.compile(
    r"\b(?:(?:by|from|in|at) any (author|venue|journal|conference)s?"
    r"|any (field|discipline)s?(?: of study)?)\b"
    r"|(?:^|[,;.])(?:\W*(?:and|ok|okay|now|but|from|so)\b){0,2}\W*any (author|venue|journal"
    r"|conference)s?(?: (?:is|are|would be))?(?: (?:fine|ok|okay|good|will do|works))?"
    r"(?=\W*(?:$|please|now|again|too))"
)


def dropped_in(text: str) -> tuple[list[FieldMatch], list[str]]:
    """Find the filters that are taken back, and the fields they set."""
    found: list[FieldMatch] = []
    fields: list[str] = []
    for match in (*_DROP.finditer(text), *_ANY.finditer(text)):
        kinds = [
            kind for kind in _FILTERS if re.search(rf"\b(?:{kind})\b", match[match.lastindex or 0])
        ]
        named = [name for kind in kinds for name in _FILTERS[kind]]
        fields += named
        field = "filters" if len(kinds) != 1 or len(named) > len(TIME) else named[0]
        field = "years" if tuple(named) == TIME else field
        found.append(FieldMatch(field, None, "dropped", match.span(), is_taken=False))
    return found, fields


def names_filters(text: str) -> bool:
    """Tell whether filters are taken back by that name, which is that of nothing but a search's.

    `Remove the limit` may be of a card, and `delete the journal` of a book.
    """
    matches = _DROP.finditer(" ".join(text.casefold().split()))
    return any(re.search(r"\bfilters?\b", match[0]) for match in matches)


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
    found: Sequence[FieldMatch],
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


def _is_glue(
    passage: Passage, found: Sequence[FieldMatch], marks: Sequence[tuple[int, int]]
) -> bool:
    """Tell whether nothing else is said than the fields."""
    topic = topic_of(passage, [*(one.span for one in found), *marks])
    return all(term.lower() in _GLUE for term in topic.terms)


def _merged(
    previous: SearchPolicy, values: dict[str, Any], time: DateRange, text: str
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


def _within(span: tuple[int, int], others: Sequence[FieldMatch]) -> bool:
    return any(span[0] < one.span[1] and one.span[0] < span[1] for one in others)
