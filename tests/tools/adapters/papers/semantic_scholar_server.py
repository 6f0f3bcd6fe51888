"""Semantic Scholar on loopback: the Graph API's searches and look-ups, and recommendations."""

import re
from collections.abc import Sequence
from datetime import date
from typing import Any

from tests.tools.adapters.papers.servers import Asked, PaperServer, Reply, said, unknown
from tests.tools.adapters.papers.shelf import Entry, for_semantic_scholar, found, numbered

_RANKED = (
    "query",
    "fields",
    "year",
    "publicationDateOrYear",
    "openAccessPdf",
    "venue",
    "minCitationCount",
    "fieldsOfStudy",
)
_FIELDS = frozenset(
    (
        *("paperId", "externalIds", "title", "abstract", "authors.name", "authors", "year"),
        *("publicationDate", "venue", "url", "isOpenAccess", "openAccessPdf", "citationCount"),
        *("fieldsOfStudy", "s2FieldsOfStudy"),
    )
)
_YEAR = re.compile(r"(\d{4})?(-)?(\d{4})?")
_DATES = re.compile(r"(\d{4}(?:-\d\d){0,2})?:(\d{4}(?:-\d\d){0,2})?")


def semantic_scholar(
    entries: Sequence[Entry], *, without: Sequence[str] = (), key: str | None = None
) -> PaperServer:
    """Make a server of these papers.

    Args:
        without: parameters that this one does not take.
        key: the only key that it lets in.
    """
    shelf = numbered(entries)

    def speak(asked: Asked) -> Reply:
        if key is not None and asked.headers.get("x-api-key") != key:
            return said({"message": "Forbidden"}, 403)
        rejected = [name for name in asked.params if name in without]
        if rejected:
            return _bad(f"Unrecognized or unsupported parameter: {rejected[0]}")
        fields = set(filter(None, asked.params.get("fields", "").split(",")))
        if fields - _FIELDS:
            return _bad(f"Unrecognized or unsupported fields: [{', '.join(fields - _FIELDS)}]")
        match asked.path:
            case "/graph/v1/paper/search":
                return _search(shelf, asked)
            case "/graph/v1/paper/search/bulk":
                return _bulk(shelf, asked)
            case "/graph/v1/paper/batch":
                return _batch(shelf, asked)
            case path if path.endswith(("/citations", "/references")):
                return _linked(shelf, asked)
            case path if path.startswith("/recommendations/v1/papers/forpaper/"):
                return _recommended(shelf, asked)
        return said({"error": "Endpoint not found"}, 404)

    return PaperServer(speak)


def _search(shelf: Sequence[Entry], asked: Asked) -> Reply:
    given = asked.params
    if strange := unknown(given, (*_RANKED, "offset", "limit")):
        return _bad(f"Unrecognized or unsupported parameter: {strange[0]}")
    if not given.get("query"):
        return _bad("Missing required parameter: 'query'")
    offset, limit = int(given.get("offset", 0)), int(given.get("limit", 100))
    if not 1 <= limit <= 100 or offset + limit >= 1_000:
        return _bad("Requested data for this limit and/or offset is not available")
    hits = _kept(found(shelf, given["query"]), asked)
    if isinstance(hits, Reply):
        return hits
    page: dict[str, Any] = {
        "total": str(len(hits)),
        "offset": offset,
        "data": [for_semantic_scholar(entry) for entry in hits[offset : offset + limit]],
    }
    if offset + limit < len(hits):
        page["next"] = offset + limit
    return said(page)


def _bulk(shelf: Sequence[Entry], asked: Asked) -> Reply:
    if strange := unknown(asked.params, (*_RANKED, "token", "sort")):
        return _bad(f"Unrecognized or unsupported parameter: {strange[0]}")
    hits = _kept(found(shelf, asked.params.get("query", "")), asked)
    if isinstance(hits, Reply):
        return hits
    hits = sorted(hits, key=lambda entry: -entry.citations)
    start = int(asked.params.get("token", "T0")[1:])
    page = {
        "total": len(hits),
        "data": [for_semantic_scholar(entry) for entry in hits[start : start + 3]],
        "token": f"T{start + 3}" if start + 3 < len(hits) else None,
    }
    return said(page)


def _batch(shelf: Sequence[Entry], asked: Asked) -> Reply:
    ids = asked.body.get("ids") if isinstance(asked.body, dict) else None
    if asked.method != "POST" or not isinstance(ids, list) or not 1 <= len(ids) <= 500:
        return _bad("No valid paper ids given")
    return said([_of_id(shelf, one) for one in ids])


def _recommended(shelf: Sequence[Entry], asked: Asked) -> Reply:
    if strange := unknown(asked.params, ("fields", "limit", "from")):
        return _bad(f"Unrecognized or unsupported parameter: {strange[0]}")
    if asked.params.get("from", "recent") not in ("recent", "all-cs"):
        return _bad("Unsupported value for from")
    seed = _of_id(shelf, asked.path.rsplit("forpaper/", 1)[1])
    if seed is None:
        return said({"error": "Input papers not found"}, 404)
    others = [for_semantic_scholar(one) for one in shelf]
    limit = int(asked.params.get("limit", 100))
    others = [one for one in others if one["paperId"] != seed["paperId"]]
    return said({"recommendedPapers": others[:limit]})


def _linked(shelf: Sequence[Entry], asked: Asked) -> Reply:
    """On this shelf each paper cites the one before it, and one that nobody holds."""
    if strange := unknown(asked.params, ("fields", "limit", "offset", "publicationDateOrYear")):
        return _bad(f"Unrecognized or unsupported parameter: {strange[0]}")
    wanted, _, link = asked.path.removeprefix("/graph/v1/paper/").rpartition("/")
    seed = _of_id(shelf, wanted)
    if seed is None:
        return said({"error": f"Paper with id {wanted} not found"}, 404)
    papers = [for_semantic_scholar(entry) for entry in shelf]
    place = [one["paperId"] for one in papers].index(seed["paperId"])
    key, at = ("citingPaper", place + 1) if link == "citations" else ("citedPaper", place - 1)
    data = [{"isInfluential": False, key: one} for one in papers[at : at + 1] if at >= 0]
    data.append({key: {"paperId": None, "title": "Held by nobody"}})
    return said({"offset": 0, "data": data[: int(asked.params.get("limit", 100))]})


def _of_id(shelf: Sequence[Entry], wanted: str) -> dict[str, Any] | None:
    kind, _, value = wanted.rpartition(":")
    for paper in map(for_semantic_scholar, shelf):
        ids = paper["externalIds"]
        mine = {"": paper["paperId"], "DOI": ids.get("DOI"), "ARXIV": ids.get("ArXiv")}
        if str(mine.get(kind) or "").lower() == value.lower():
            return paper
    return None


def _kept(hits: Sequence[Entry], asked: Asked) -> list[Entry] | Reply:
    given = asked.params
    kept = list(hits)
    if "year" in given:
        match = _YEAR.fullmatch(given["year"])
        if match is None or not given["year"].strip("-"):
            return _bad(f"Unrecognized or unsupported value for year: {given['year']}")
        first = int(match[1] or 0)
        last = int(match[3] or (9_999 if match[2] else match[1]))
        kept = [entry for entry in kept if entry.year and first <= entry.year <= last]
    if "publicationDateOrYear" in given:
        days = _DATES.fullmatch(given["publicationDateOrYear"])
        if days is None:
            return _bad("Unrecognized or unsupported value for publicationDateOrYear")
        start, end = date.fromisoformat(days[1] or "0001-01-01"), days[2] or "9999-12-31"
        kept = [entry for entry in kept if _is_between(entry, start, date.fromisoformat(end))]
    if "openAccessPdf" in given:
        if given["openAccessPdf"]:
            return _bad("openAccessPdf does not take a value")
        kept = [entry for entry in kept if entry.is_open]
    if "venue" in given:
        wanted = {name.strip().lower() for name in given["venue"].split(",")}
        kept = [entry for entry in kept if (entry.venue or "").lower() in wanted]
    if "fieldsOfStudy" in given:
        fields = set(given["fieldsOfStudy"].split(","))
        kept = [entry for entry in kept if fields & {name for name, _id in entry.fields}]
    if "minCitationCount" in given:
        kept = [entry for entry in kept if entry.citations >= int(given["minCitationCount"])]
    return kept


def _is_between(entry: Entry, first: date, last: date) -> bool:
    if entry.published:
        return first <= entry.published <= last
    return entry.year is not None and first.year <= entry.year <= last.year


def _bad(error: str) -> Reply:
    return said({"error": error}, 400)
