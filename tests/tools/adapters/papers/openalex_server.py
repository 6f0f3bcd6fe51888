"""OpenAlex on loopback: the list of works with its filters, selections and cursors."""

import base64
from collections.abc import Mapping, Sequence
from datetime import date

from tests.tools.adapters.papers.servers import Asked, PaperServer, Reply, said, unknown
from tests.tools.adapters.papers.shelf import Entry, for_openalex, found, numbered

_PARAMS = (
    "search",
    "filter",
    "per_page",
    "per-page",
    "cursor",
    "page",
    "select",
    "sort",
    "api_key",
)
_SELECTABLE = frozenset(for_openalex(Entry("any")))


def openalex(
    entries: Sequence[Entry], *, without: Sequence[str] = (), key: str | None = None
) -> PaperServer:
    """Make a server of these papers.

    Args:
        without: filters that this one does not have.
        key: the only key that it lets in.
    """
    shelf = numbered(entries)

    def speak(asked: Asked) -> Reply:
        given = asked.params
        if key is not None and given.get("api_key") != key:
            return _error(401, "Invalid or missing API key", "get one at openalex.org")
        if asked.path == "/sources":
            return _sources(shelf, given)
        if asked.path != "/works":
            return _error(404, "Not found", f"no such path: {asked.path}")
        if strange := unknown(given, _PARAMS):
            return _error(400, "Invalid query parameters error.", f"{strange[0]} is no parameter")
        selected = given.get("select", "").split(",") if asked.path == "/works" else []
        if odd := [field for field in selected if field and field not in _SELECTABLE]:
            return _error(400, "Invalid query parameters error.", f"{odd[0]} is no valid select")
        return _list(shelf, given, without)

    return PaperServer(speak)


def _list(shelf: Sequence[Entry], given: Mapping[str, str], without: Sequence[str]) -> Reply:
    size = int(given.get("per_page", given.get("per-page", 25)))
    if not 1 <= size <= 100:
        return _error(400, "Pagination error.", "per_page must be between 1 and 100")
    hits: list[Entry] = found(shelf, given.get("search", ""))
    for clause in filter(None, given.get("filter", "").split(",")):
        key, colon, value = clause.partition(":")
        kept = None if key in without else _kept(shelf, hits, key, value)
        if not colon or kept is None:
            return _error(400, "Invalid query parameters error.", f"Unknown filter field: {key}")
        hits = kept
    if given.get("sort") == "cited_by_count:desc":
        hits = sorted(hits, key=lambda entry: -entry.citations)
    cursor = given.get("cursor", "*")
    start = 0 if cursor == "*" else int(base64.b64decode(cursor))
    page = hits[start : start + size]
    # As in the real one: the cursor is given until a page is empty.
    following = base64.b64encode(str(start + size).encode()).decode() if page else None
    selected = [field for field in given.get("select", "").split(",") if field]
    works = [for_openalex(entry) for entry in page]
    if selected:
        works = [{field: work[field] for field in selected} for work in works]
    meta = {"count": len(hits), "per_page": size, "next_cursor": following}
    return said({"meta": meta, "results": works, "group_by": []})


def _sources(shelf: Sequence[Entry], given: Mapping[str, str]) -> Reply:
    words = set(given["search"].lower().split())
    names = {number: name for number, name in _venues(shelf) if words & set(name.lower().split())}
    found_ones = [
        {"id": f"https://openalex.org/S{number}", "display_name": name, "alternate_titles": []}
        for number, name in names.items()
    ]
    return said({"meta": {"count": len(found_ones)}, "results": found_ones})


def _venues(shelf: Sequence[Entry]) -> list[tuple[int, str]]:
    names = dict.fromkeys(entry.venue for entry in shelf if entry.venue)
    return list(enumerate(names, 1))


def _kept(
    shelf: Sequence[Entry], hits: Sequence[Entry], key: str, value: str
) -> list[Entry] | None:
    match key:
        case "from_publication_date":
            return [entry for entry in hits if _day(entry) >= date.fromisoformat(value)]
        case "to_publication_date":
            return [entry for entry in hits if _day(entry) <= date.fromisoformat(value)]
        case "is_oa":
            return [entry for entry in hits if entry.is_open is (value == "true")]
        case "raw_author_name.search":
            words = set(value.lower().split())
            return [
                entry
                for entry in hits
                if any(words <= set(name.lower().split()) for name in entry.authors)
            ]
        case "cited_by_count":
            return [entry for entry in hits if entry.citations > int(value.removeprefix(">"))]
        case "primary_location.source.id":
            names = {name for number, name in _venues(shelf) if f"S{number}" in value.split("|")}
            return [entry for entry in hits if entry.venue in names]
        case "doi":
            wanted = {one.lower() for one in value.split("|")}
            return [entry for entry in hits if _doi(entry) in wanted]
        case "ids.openalex":
            return [entry for entry in hits if f"W{1_000 + entry.number}" in value.split("|")]
        case "related_to":
            return [entry for entry in hits if f"W{1_000 + entry.number}" != value]
    return _linked(hits, key, value)


def _linked(hits: Sequence[Entry], key: str, value: str) -> list[Entry] | None:
    """On this shelf each paper cites the one before it; of topics only the field is known."""
    if key == "topics.field.id":
        return [one for one in hits if not {n for _, n in one.fields}.isdisjoint(value.split("|"))]
    away = {"cites": -1, "cited_by": 1}.get(key)
    if away is None:
        return None
    return [entry for entry in hits if f"W{1_000 + entry.number + away}" == value]


def _doi(entry: Entry) -> str:
    return str(for_openalex(entry)["doi"] or "").removeprefix("https://doi.org/").lower()


def _day(entry: Entry) -> date:
    return entry.published or date(entry.year or 1, 1, 1)


def _error(status: int, error: str, message: str) -> Reply:
    return said({"error": error, "message": message}, status)
