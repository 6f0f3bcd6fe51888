"""Tell whether two entries of providers are the same paper."""

import re
from dataclasses import dataclass
from typing import Self

from rapidfuzz import fuzz

from state.paper import Paper
from tools.search.names import plain

_SHORT_TITLE = 15
"""Letters up to which a title says nothing by itself: Editorial, Introduction."""
_COUNTING = re.compile(r"\d+|\b[ivx]+\b")
_PREPRINT_DOIS = ("10.48550/", "10.1101/", "10.31234/", "10.21203/", "10.2139/", "10.5281/")
"""arXiv, bioRxiv and medRxiv, PsyArXiv, Research Square, SSRN, Zenodo."""


@dataclass(frozen=True)
class Card:
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
        title = plain(paper.title)
        return cls(
            paper=paper,
            title=title,
            counts=tuple(sorted(_COUNTING.findall(title))),
            surnames=frozenset(name for author in paper.authors if (name := _surname(author))),
            ids=tuple(f"{kind}:{value.lower()}" for kind, value in paper.ids.items()),
        )


def is_same(one: Card, other: Card, same_title: float) -> bool:
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
    words = plain(last if comma else author).split()
    return words[-1] if words else ""
