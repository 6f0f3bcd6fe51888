"""Merge ranked lists of papers by rank fusion, with deduplication by id, title.

Year and authors.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Self

from rapidfuzz import fuzz

from state.paper import Paper
from state.policy import SearchOrder
from tools.adapters.papers.constraints import normalize_name
from tools.adapters.papers.response_fields import id_of

_SHORT_TITLE = 15
"""Letters up to which a title says nothing by itself: Editorial, Introduction."""
_COUNTING = re.compile(r"\d+|\b[ivx]+\b")
_PREPRINT_DOIS = ("10.48550/", "10.1101/", "10.31234/", "10.21203/", "10.2139/", "10.5281/")
"""arXiv, bioRxiv and medRxiv, PsyArXiv, Research Square, SSRN, Zenodo."""


@dataclass(frozen=True)
class PaperKey:
    """A paper with what it is compared by, worked out once."""

    paper: Paper
    title: str
    counts: tuple[str, ...]
    """The numbers of its title: Part I is not Part II."""
    surnames: frozenset[str]
    ids: tuple[str, ...]

    @classmethod
    def of(cls, paper: Paper) -> Self:
        """Make the card of a paper."""
        title = normalize_name(paper.title)
        return cls(
            paper=paper,
            title=title,
            counts=tuple(sorted(_COUNTING.findall(title))),
            surnames=frozenset(name for author in paper.authors if (name := _surname(author))),
            ids=tuple(f"{kind}:{value.lower()}" for kind, value in paper.ids.items()),
        )


def is_same_paper(one: PaperKey, other: PaperKey, same_title: float) -> bool:
    """Tell whether two papers without a common id are one, by title, year and authors."""
    first, second = one.paper, other.paper
    if one.counts != other.counts:
        return False
    if first.year and second.year and abs(first.year - second.year) > 1:
        return False
    both_signed = bool(one.surnames and other.surnames)
    if both_signed and not one.surnames & other.surnames:
        return False
    if one.title == other.title:
        return both_signed or len(one.title) > _SHORT_TITLE
    if not both_signed or _are_both_published(first, second):
        return False
    least = same_title * 100
    return fuzz.ratio(one.title, other.title, score_cutoff=least) >= least


def is_preprint(doi: str) -> bool:
    """Tell whether a DOI is that of a preprint server."""
    return doi.startswith(_PREPRINT_DOIS)


def _are_both_published(one: Paper, other: Paper) -> bool:
    """Tell whether two papers have DOIs that no preprint has: what looks alike is a sequel."""
    return all(paper.doi and not is_preprint(paper.doi) for paper in (one, other))


def _surname(author: str) -> str:
    last, comma, _ = author.partition(",")
    words = normalize_name(last if comma else author).split()
    return words[-1] if words else ""


_RANK_OFFSET = 60
"""How little the first ranks differ. Source: Cormack et al. 2009, reciprocal rank fusion."""


@dataclass
class _Work:
    """One paper, as it is put together."""

    first_seen: int
    cards: list[PaperKey] = field(default_factory=list)
    score: float = 0.0

    @property
    def entries(self) -> list[Paper]:
        return [card.paper for card in self.cards]


def fuse_rankings(lists: Sequence[Sequence[Paper]], *, same_title: float) -> list[Paper]:
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
            card = PaperKey.of(papers[rank])
            work = _known(card, by_id, works, same_title)
            if work is None:
                work = _Work(first_seen=place)
                works.append(work)
            if not any(set(card.paper.providers) & set(one.providers) for one in work.entries):
                work.score += 1 / (_RANK_OFFSET + rank)
            work.cards.append(card)
            by_id.update(dict.fromkeys(card.ids, work))
            place += 1
    works.sort(key=lambda work: (-work.score, work.first_seen))
    return [one_paper(work.entries) for work in works]


def sort_papers(papers: Sequence[Paper], order: SearchOrder | None) -> list[Paper]:
    """Put the found papers in the order that was asked for; papers alike stay as they were."""
    match order:
        case None:
            return list(papers)
        case "citations":
            return sorted(papers, key=lambda paper: -(paper.citations or 0))
        case "date":
            return sorted(papers, key=_day, reverse=True)


def one_paper(entries: Sequence[Paper]) -> Paper:
    """Put entries of one paper together: the first that says something is believed."""
    if len(entries) == 1:
        return entries[0]
    ids = _joined_ids(entries)
    return Paper(
        paper_id=id_of(ids) or entries[0].paper_id,
        ids=ids,
        title=entries[0].title,
        authors=max((one.authors for one in entries), key=len),
        year=next((one.year for one in entries if one.year), None),
        published=next((one.published for one in entries if one.published), None),
        venue=next((one.venue for one in entries if one.venue), None),
        abstract=max((one.abstract or "" for one in entries), key=len) or None,
        doi=ids.get("doi"),
        url=next((one.url for one in entries if one.url), None),
        open_access=_either(one.open_access for one in entries),
        open_access_url=next((one.open_access_url for one in entries if one.open_access_url), None),
        citations=max(
            (one.citations for one in entries if one.citations is not None), default=None
        ),
        fields_of_study=tuple(
            dict.fromkeys(name for one in entries for name in one.fields_of_study)
        ),
        providers=tuple(dict.fromkeys(name for one in entries for name in one.providers)),
    )


def _known(
    card: PaperKey, by_id: dict[str, _Work], works: Iterable[_Work], same_title: float
) -> _Work | None:
    for name in card.ids:
        if name in by_id:
            return by_id[name]
    for work in works:
        if any(is_same_paper(one, card, same_title) for one in work.cards):
            return work
    return None


def _joined_ids(entries: Sequence[Paper]) -> dict[str, str]:
    ids: dict[str, str] = {}
    for one in entries:
        for kind, value in one.ids.items():
            is_better = kind == "doi" and is_preprint(ids.get(kind, "")) and not is_preprint(value)
            if is_better:
                ids[kind] = value  # the published version is what people cite
            ids.setdefault(kind, value)
    return ids


def _either(values: Iterable[bool | None]) -> bool | None:
    known = [value for value in values if value is not None]
    return any(known) if known else None


def _day(paper: Paper) -> date:
    return paper.published or date(paper.year or 1, 1, 1)
