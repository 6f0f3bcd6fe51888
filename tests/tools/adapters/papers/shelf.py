"""A few papers, and how each provider would write them down."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any


@dataclass(frozen=True)
class Entry:
    """One paper as a provider knows it."""

    title: str
    year: int | None = 2021
    day: str | None = None
    """Of publication, in ISO form."""
    authors: tuple[str, ...] = ("Ada Lovelace",)
    venue: str | None = "Journal of Tests"
    doi: str | None = None
    arxiv: str | None = None
    is_open: bool = False
    citations: int = 0
    fields: tuple[tuple[str, str], ...] = ()
    """Of study: by the names of the one, and by the ids of the other's field."""
    abstract: str | None = None
    number: int = field(default=0, compare=False)

    @property
    def words(self) -> set[str]:
        """Return the words it is found by."""
        return set(re.findall(r"\w+", f"{self.title} {self.abstract or ''}".lower()))

    @property
    def published(self) -> date | None:
        """Return the day, as far as it is known."""
        return date.fromisoformat(self.day) if self.day else None


def numbered(entries: Sequence[Entry]) -> list[Entry]:
    """Give each entry of a shelf its number."""
    return [
        Entry(**{**entry.__dict__, "number": number}) for number, entry in enumerate(entries, 1)
    ]


def found(shelf: Sequence[Entry], query: str) -> list[Entry]:
    """Find the entries that share a word with a query, most words first."""
    words = set(re.findall(r"\w+", query.lower()))
    hits = [entry for entry in shelf if words & entry.words] if words else list(shelf)
    return sorted(hits, key=lambda entry: -len(words & entry.words))


def for_semantic_scholar(entry: Entry) -> dict[str, Any]:
    """Write an entry as the Graph API does."""
    ids: dict[str, Any] = {"CorpusId": entry.number}
    if entry.doi:
        ids["DOI"] = entry.doi.upper()
    if entry.arxiv:
        ids["ArXiv"] = entry.arxiv
    pdf = {"url": f"https://example.org/{entry.number}.pdf", "status": "GREEN"}
    return {
        "paperId": f"{entry.number:040x}",
        "externalIds": ids,
        "url": f"https://www.semanticscholar.org/paper/{entry.number:040x}",
        "title": entry.title,
        "abstract": entry.abstract,
        "venue": entry.venue or "",
        "year": entry.year,
        "publicationDate": entry.day,
        "citationCount": entry.citations,
        "fieldsOfStudy": [name for name, _id in entry.fields] or None,
        "s2FieldsOfStudy": [
            {"category": name, "source": "s2-fos-model"} for name, _id in entry.fields
        ],
        "isOpenAccess": entry.is_open,
        "openAccessPdf": pdf if entry.is_open else {"url": "", "status": "CLOSED"},
        "authors": [{"authorId": str(n), "name": name} for n, name in enumerate(entry.authors)],
    }


def for_openalex(entry: Entry) -> dict[str, Any]:
    """Write an entry as the list of works does."""
    work = f"https://openalex.org/W{1_000 + entry.number}"
    doi = entry.doi or (f"10.48550/arXiv.{entry.arxiv}" if entry.arxiv else None)
    resolved = f"https://doi.org/{doi}" if doi else None
    open_url = f"https://example.org/{entry.number}.pdf" if entry.is_open else None
    return {
        "id": work,
        "doi": resolved,
        "ids": {"openalex": work, **({"doi": resolved} if resolved else {})},
        "title": entry.title,
        "publication_year": entry.year,
        "publication_date": entry.day or (f"{entry.year}-01-01" if entry.year else None),
        "primary_location": {
            "landing_page_url": resolved or work,
            "source": {"display_name": entry.venue} if entry.venue else None,
        },
        "best_oa_location": {"pdf_url": open_url} if open_url else None,
        "open_access": {"is_oa": entry.is_open, "oa_url": open_url},
        "authorships": [{"author": {"display_name": name}} for name in entry.authors],
        "cited_by_count": entry.citations,
        "topics": [
            {"field": {"id": f"https://openalex.org/fields/{one}"}} for _name, one in entry.fields
        ],
        "abstract_inverted_index": _inverted(entry.abstract),
    }


def _inverted(text: str | None) -> dict[str, list[int]] | None:
    if text is None:
        return None
    index: dict[str, list[int]] = {}
    for place, word in enumerate(text.split()):
        index.setdefault(word, []).append(place)
    return index
