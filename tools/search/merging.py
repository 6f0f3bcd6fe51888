"""Make one list of several: entries that are the same paper become one, the best first."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date

from state.paper import Paper
from state.policy import SearchOrder
from tools.search.papers import id_of
from tools.search.sameness import Card, is_preprint, is_same

_RANK_OFFSET = 60
"""How little the first ranks differ. Source: Cormack et al. 2009, reciprocal rank fusion."""


@dataclass
class _Work:
    """One paper, as it is put together."""

    first_seen: int
    cards: list[Card] = field(default_factory=list)
    score: float = 0.0

    @property
    def entries(self) -> list[Paper]:
        return [card.paper for card in self.cards]


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
            card = Card.of(papers[rank])
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


def ordered(papers: Sequence[Paper], order: SearchOrder | None) -> list[Paper]:
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
    card: Card, by_id: dict[str, _Work], works: Iterable[_Work], same_title: float
) -> _Work | None:
    for name in card.ids:
        if name in by_id:
            return by_id[name]
    for work in works:
        if any(is_same(one, card, same_title) for one in work.cards):
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
