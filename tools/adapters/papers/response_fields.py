"""Parse provider responses field by field into papers and fields of study.

Malformed fields are absent.
"""

import html
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date

import regex
from pydantic import JsonValue

from state.noun import MAX_INTEGER
from state.paper import Paper, PaperProvider
from tools.adapters.papers.provider import Native, Page, Unreadable

_PREFIXES = {"doi": "doi", "arxiv": "arxiv", "semantic_scholar": "s2", "openalex": "openalex"}
"""Kinds of id that name a paper by themselves, the best known first, and how we write them."""


def make_paper(  # noqa: PLR0913  # a keyword for each thing that a provider tells
    provider: PaperProvider,
    *,
    ids: Mapping[str, str | None],
    title: str | None,
    authors: tuple[str, ...],
    year: int | None,
    published: date | None,
    venue: str | None,
    abstract: str | None,
    url: str | None,
    open_access: bool | None,
    open_access_url: str | None,
    citations: int | None,
    fields_of_study: tuple[str, ...],
) -> Paper | None:
    """Make a paper; None: without title and id there is nothing to show or to find again."""
    known = {kind: value for kind, value in ids.items() if value}
    paper_id = id_of(known)
    if title is None or paper_id is None:
        return None
    return Paper(
        paper_id=paper_id,
        ids=known,
        title=title,
        authors=authors,
        year=year or (published.year if published else None),
        published=published,
        venue=venue,
        abstract=abstract,
        doi=known.get("doi"),
        url=url,
        open_access=open_access,
        open_access_url=open_access_url,
        citations=citations,
        fields_of_study=fields_of_study,
        providers=(provider,),
    )


def names_of(paper: Paper) -> tuple[str, ...]:
    """List every way to name a paper by an id."""
    arxiv = paper.ids.get("arxiv")
    by_doi = (f"doi:10.48550/arxiv.{arxiv}",) if arxiv else ()
    kinds = {**_PREFIXES, "pubmed": "pubmed"}
    return (*(f"{p}:{paper.ids[kind]}" for kind, p in kinds.items() if kind in paper.ids), *by_doi)


def id_of(ids: Mapping[str, str]) -> str | None:
    """Name a paper by the best known of its ids."""
    return next((f"{p}:{ids[kind]}" for kind, p in _PREFIXES.items() if kind in ids), None)


MAX_TITLE = 1_000
MAX_ABSTRACT = 20_000
MAX_NAME = 200
MAX_AUTHORS = 100
_TAG = re.compile(r"</?[a-zA-Z][\w:-]{0,40}(?:\s[^<>]{0,200})?/?>")
_UNSEEN = regex.compile(r"[\p{C}\p{Zl}\p{Zp}]+")
_DOI = re.compile(r"10\.\d{4,9}/\S{1,300}")
_RESOLVER = re.compile(r"^(?:https?://(?:dx\.)?doi\.org/|doi:)\s*", re.IGNORECASE)

JsonObject = Mapping[str, JsonValue]


def read_page(
    values: Sequence[JsonValue],
    read: Callable[[JsonObject], Paper | None],
    cursor: str | None = None,
) -> Page:
    """Read each entry of an answer; those that make no paper are counted."""
    papers = [paper for value in values if (paper := read(as_object(value)))]
    return Page(tuple(papers), cursor, unread=len(values) - len(papers))


def as_object(value: JsonValue) -> JsonObject:
    """Take an object; anything else is one without fields."""
    return value if isinstance(value, dict) else {}


def as_list(value: JsonValue) -> list[JsonValue]:
    """Take a list; anything else is an empty one."""
    return value if isinstance(value, list) else []


def entries(answer: JsonValue, key: str) -> list[JsonValue]:
    """Take the list that an answer is about.

    Raises:
        Unreadable: the answer has none.
    """
    found = answer.get(key) if isinstance(answer, dict) else None
    if not isinstance(found, list):
        raise Unreadable(f"its answer has no list {key!r}")
    return found


def as_text(value: JsonValue, most: int = MAX_NAME) -> str | None:
    """Take a text without markup, control characters and spaces around it; None: there is none."""
    if not isinstance(value, str):
        return None
    text = html.unescape(_TAG.sub("", value[: most * 2]))
    text = _UNSEEN.sub("", " ".join(text.split()))
    return text[:most].strip() or None


def as_count(value: JsonValue) -> int | None:
    """Take a whole number that counts something."""
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if 0 <= value <= MAX_INTEGER else None


def as_flag(value: JsonValue) -> bool | None:
    """Take true or false."""
    return value if isinstance(value, bool) else None


def as_year(value: JsonValue) -> int | None:
    """Take a year of our calendar, also when it is sent as a text."""
    if isinstance(value, str) and value.isdecimal() and len(value) == 4:
        value = int(value)
    found = as_count(value)
    return found if found is not None and 1_000 <= found <= 9_999 else None


def as_date(value: JsonValue) -> date | None:
    """Take a day in ISO form."""
    if not isinstance(value, str):
        return None
    try:
        return date.fromisoformat(value[:10])
    except ValueError:
        return None


def as_url(value: JsonValue) -> str | None:
    """Take an address that a person can open."""
    text = value.strip() if isinstance(value, str) else ""
    is_address = re.fullmatch(r"https?://[^\s<>\"'\\]{3,1900}", text) is not None
    return text if is_address and text.isprintable() else None


def as_doi(value: JsonValue) -> str | None:
    """Take a DOI, however it is written: in lower case, without its resolver."""
    text = as_text(value, 400)
    if text is None:
        return None
    found = _DOI.fullmatch(_RESOLVER.sub("", text))
    return found[0].lower() if found else None


def unfolded(index: JsonValue) -> str | None:
    """Put an abstract together again from its inverted index: word → where it stands."""
    if not isinstance(index, dict):
        return None
    placed = sorted(
        (place, word)
        for word, places in index.items()
        for place in as_list(places)
        if isinstance(place, int) and not isinstance(place, bool)
    )
    return as_text(" ".join(word for _, word in placed), MAX_ABSTRACT)


def names(values: Iterable[JsonValue]) -> tuple[str, ...]:
    """Take the names that are texts, each once."""
    found = dict.fromkeys(name for value in values if (name := as_text(value)))
    return tuple(found)[:MAX_AUTHORS]


_FIELDS: Mapping[str, tuple[str, ...]] = {
    "Computer Science": ("17",),
    "Medicine": ("27", "29", "35", "36"),
    "Chemistry": ("16",),
    "Biology": ("11", "13", "24"),
    "Materials Science": ("25",),
    "Physics": ("31",),
    "Geology": ("19",),
    "Psychology": ("32",),
    "Business": ("14",),
    "Economics": ("20",),
    "Mathematics": ("26",),
    "Engineering": ("22", "15"),
    "Environmental Science": ("23",),
    "Agricultural and Food Sciences": ("11",),
}
_SUBFIELDS: Mapping[str, tuple[str, ...]] = {
    "Art": ("1213",),
    "History": ("1202",),
    "Philosophy": ("1211",),
    "Linguistics": ("1203", "3310"),
    "Education": ("3304",),
    "Geography": ("3305",),
    "Law": ("3308",),
    "Sociology": ("3312",),
    "Political Science": ("3320", "3312"),
}
"""What OpenAlex knows one level further down, under Arts and Humanities and Social Sciences."""
DISCIPLINES = frozenset(_FIELDS) | frozenset(_SUBFIELDS)


def clauses_of(wanted: Sequence[str]) -> Native | None:
    """Write fields of study as a filter of OpenAlex, any of them; None: no one filter says it."""
    for key, known in (("topics.field.id", _FIELDS), ("topics.subfield.id", _SUBFIELDS)):
        if all(name in known for name in wanted):
            ids = dict.fromkeys(one for name in wanted for one in known[name])
            return ((key, "|".join(ids)),)
    return None


def fields_in_topics(topics: JsonValue) -> tuple[str, ...]:
    """Read the fields of study from the topics of a work of OpenAlex."""
    found = {
        (level, (as_text(as_object(as_object(topic).get(level)).get("id")) or "").rsplit("/")[-1])
        for topic in as_list(topics)
        for level in ("field", "subfield")
    }
    levels = (("field", _FIELDS), ("subfield", _SUBFIELDS))
    return tuple(
        name
        for level, known in levels
        for name, ids in known.items()
        if any((level, one) in found for one in ids)
    )


def fields_as_named(*told: JsonValue) -> tuple[str, ...]:
    """Read the fields of study as Semantic Scholar tells them: names, and names by their source."""
    return tuple(name for name in names(_each(told)) if name in DISCIPLINES)


def _each(told: Iterable[JsonValue]) -> Iterable[JsonValue]:
    for value in told:
        for one in as_list(value):
            yield as_object(one).get("category") if isinstance(one, dict) else one
