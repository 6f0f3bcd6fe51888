"""Make one list of several: entries that are the same paper become one, the best first."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from rapidfuzz import fuzz

from state.paper import Paper
from tools.search.names import plain
from tools.search.papers import id_of

_RANK_OFFSET = 60
"""How little the first ranks differ. Source: Cormack et al. 2009, reciprocal rank fusion."""
_SAME_PAPER_IDS = ("doi", "arxiv", "pubmed", "semantic_scholar", "openalex")
_SHORT_TITLE = 15
"""Letters up to which a title says nothing by itself: Editorial, Introduction."""
_COUNTING = re.compile(r"\d+|\b[ivx]+\b")
_PREPRINT_DOI = ("10.48550/", "10.1101/", "10.31234/", "10.21203/", "10.2139/", "10.5281/")


@dataclass
class _Work:
    """One paper, as it is put together."""

    entries: list[Paper] = field(default_factory=list)
    score: float = 0.0
    first_seen: int = 0


def merged(lists: Sequence[Sequence[Paper]], *, same_title: float) -> list[Paper]:
    """Fuse ranked lists: what several providers rank high comes first, and the order is stable.

    Args:
        same_title: share of letters from which two titles may be one paper's.
    """
    works: list[_Work] = []
    by_id: dict[str, _Work] = {}
    place = 0
    for rank in range(max(map(len, lists), default=0)):
        for papers in lists:
            if rank >= len(papers):
                continue
            paper = papers[rank]
            work = _known(paper, by_id, works, same_title)
            if work is None:
                work = _Work(first_seen=place)
                works.append(work)
            is_new = not set(paper.providers) & {p for one in work.entries for p in one.providers}
            work.entries.append(paper)
            work.score += 1 / (_RANK_OFFSET + rank) if is_new else 0.0
            by_id.update(dict.fromkeys(_keys(paper), work))
            place += 1
    works.sort(key=lambda work: (-work.score, work.first_seen))
    return [one_paper(work.entries) for work in works]


def one_paper(entries: Sequence[Paper]) -> Paper:
    """Put entries of one paper together: the first that says something is believed."""
    if len(entries) == 1:
        return entries[0]
    ids = _joined_ids(entries)
    published = next((one.published for one in entries if one.published), None)
    return Paper(
        paper_id=id_of(ids) or entries[0].paper_id,
        ids=ids,
        title=entries[0].title,
        authors=max((one.authors for one in entries), key=len),
        year=next((one.year for one in entries if one.year), None),
        published=published,
        venue=next((one.venue for one in entries if one.venue), None),
        abstract=max((one.abstract or "" for one in entries), key=len) or None,
        doi=ids.get("doi"),
        url=next((one.url for one in entries if one.url), None),
        open_access=_either(one.open_access for one in entries),
        open_access_url=next((one.open_access_url for one in entries if one.open_access_url), None),
        citations=max(
            (one.citations for one in entries if one.citations is not None), default=None
        ),
        providers=tuple(dict.fromkeys(p for one in entries for p in one.providers)),
    )


def is_same(one: Paper, other: Paper, same_title: float) -> bool:
    """Tell whether two entries are the same paper, going by title, year and authors."""
    if one.year and other.year and abs(one.year - other.year) > 1:
        return False
    first, second = plain(one.title), plain(other.title)
    if sorted(_COUNTING.findall(first)) != sorted(_COUNTING.findall(second)):
        return False  # Part I is not Part II
    share = _surnames(one) & _surnames(other)
    both_known = bool(one.authors and other.authors)
    if both_known and not share:
        return False
    if first == second:
        return both_known or len(first) > _SHORT_TITLE
    if one.doi and other.doi and not _is_preprint(one.doi) and not _is_preprint(other.doi):
        return False
    return both_known and fuzz.ratio(first, second) >= same_title * 100


def _known(
    paper: Paper, by_id: dict[str, _Work], works: Iterable[_Work], same_title: float
) -> _Work | None:
    for key in _keys(paper):
        if key in by_id:
            return by_id[key]
    return next(
        (work for work in works if any(is_same(one, paper, same_title) for one in work.entries)),
        None,
    )


def _keys(paper: Paper) -> list[str]:
    return [f"{kind}:{paper.ids[kind].lower()}" for kind in _SAME_PAPER_IDS if kind in paper.ids]


def _joined_ids(entries: Sequence[Paper]) -> dict[str, str]:
    ids: dict[str, str] = {}
    for one in entries:
        for kind, value in one.ids.items():
            if kind == "doi" and _is_preprint(ids.get(kind, "10.48550/")):
                ids[kind] = value  # the published version is what people cite
            ids.setdefault(kind, value)
    return ids


def _is_preprint(doi: str) -> bool:
    return doi.startswith(_PREPRINT_DOI)


def _surnames(paper: Paper) -> set[str]:
    found = set()
    for author in paper.authors:
        last, comma, _ = author.partition(",")
        words = plain(last if comma else author).split()
        if words:
            found.add(words[-1])
    return found


def _either(values: Iterable[bool | None]) -> bool | None:
    known = [value for value in values if value is not None]
    return any(known) if known else None
