"""Make a paper of what one provider says about it."""

from collections.abc import Mapping
from datetime import date

from state.paper import Paper, PaperProvider

_PREFIXES = {"doi": "doi", "arxiv": "arxiv", "semantic_scholar": "s2", "openalex": "openalex"}
"""Kinds of id that name a paper by themselves, the best known first, and how we write them."""


def made(  # noqa: PLR0913  # a keyword for each thing that a provider tells
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
