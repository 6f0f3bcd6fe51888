"""Keep papers under a short id of the project, and write them down for a person."""

from collections.abc import Iterable, Sequence

from pydantic import JsonValue

from state.paper import Paper

from .work import PAPER, Work

MOST_AUTHORS = 3


def keep(work: Work, papers: Iterable[Paper]) -> list[str]:
    """Keep papers and give their ids; one that is known by any of its ids keeps its number."""
    return [f"{PAPER}{_kept(work, paper)}" for paper in papers]


def _kept(work: Work, paper: Paper) -> int:
    keys = [paper.paper_id, *(f"{kind}:{value}" for kind, value in paper.ids.items())]
    marks = ", ".join("?" * len(keys))
    known = work.row(f"SELECT paper FROM paper_key WHERE key IN ({marks}) ORDER BY paper", *keys)  # noqa: S608  # question marks
    body = paper.model_dump_json()
    if known is None:
        number = work.run(
            "INSERT INTO paper (title, body, seen_at) VALUES (?, ?, ?)", paper.title, body, work.now
        )
    else:
        number = int(known["paper"])
        work.run(
            "UPDATE paper SET title = ?, body = ?, seen_at = ? WHERE number = ?",
            paper.title,
            body,
            work.now,
            number,
        )
    for key in keys:
        work.run("INSERT OR IGNORE INTO paper_key VALUES (?, ?)", key, number)
    return number


def line(number: int, paper_id: str, paper: Paper) -> str:
    """Write a paper as one entry of a list."""
    return f"{number}. {paper.title} — {byline(paper)} [{paper_id}]"


def byline(paper: Paper) -> str:
    """Say who wrote it, when, where, and how it was received."""
    parts = [authors_of(paper) or "unknown authors"]
    if paper.year is not None:
        parts.append(str(paper.year))
    if paper.venue:
        parts.append(paper.venue)
    if paper.citations is not None:
        parts.append(f"{paper.citations} citation" + "s" * (paper.citations != 1))
    if paper.open_access:
        parts.append("open access")
    return ", ".join(parts)


def authors_of(paper: Paper) -> str:
    """Name the authors, the first three of many."""
    if len(paper.authors) > MOST_AUTHORS:
        return f"{', '.join(paper.authors[:MOST_AUTHORS])} et al."
    return ", ".join(paper.authors)


def listing(ids: Sequence[str], papers: Sequence[Paper]) -> str:
    """Write a numbered list."""
    pairs = zip(ids, papers, strict=True)
    return "\n".join(line(place, paper_id, one) for place, (paper_id, one) in enumerate(pairs, 1))


def data_of(paper_id: str, paper: Paper) -> dict[str, JsonValue]:
    """Lay a paper out for programs; its abstract is shown with the paper alone."""
    told = paper.model_dump(mode="json", exclude_none=True, exclude={"abstract"})
    return {"id": paper_id, **told}
