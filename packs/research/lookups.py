"""What people call the things of the project: id → names."""

import re
from collections.abc import Sequence
from pathlib import Path

from state.paper import Paper

from .coined import coined_names
from .store import reading
from .work import NOTE, PAPER

MOST_PAPERS = 2_000
_LEAST_TITLE_WORDS = 3
"""Shorter titles are everyday words: `Attention` names no paper."""


def papers(data_dir: Path) -> dict[str, list[str]]:
    """Name papers by title, author and year, DOI, what they coin: the library's and the newest."""
    query = (
        "SELECT number, body FROM paper LEFT JOIN library ON library.paper = number"
        " ORDER BY library.paper IS NULL, seen_at DESC LIMIT ?"
    )
    with reading(data_dir) as connection:
        found = {
            f"{PAPER}{row['number']}": Paper.model_validate_json(row["body"])
            for row in connection.execute(query, (MOST_PAPERS,))
        }
    coined = coined_names(found)
    return {key: _names(paper, coined[key]) for key, paper in found.items()}


def tags(data_dir: Path) -> dict[str, list[str]]:
    """Name the tags."""
    with reading(data_dir) as connection:
        return {row[0]: [] for row in connection.execute("SELECT DISTINCT name FROM tag")}


def notes(data_dir: Path) -> dict[str, list[str]]:
    """Name the notes; a deleted one can still be restored by its id."""
    with reading(data_dir) as connection:
        return {f"{NOTE}{row[0]}": [] for row in connection.execute("SELECT number FROM note")}


def _names(paper: Paper, coined: Sequence[str]) -> list[str]:
    names = [form for name in coined for form in (name, f"{name} paper")]
    main = re.split(r"[:–—]", paper.title)[0].strip()
    names += [one for one in (paper.title, main) if len(one.split()) >= _LEAST_TITLE_WORDS]
    if paper.authors:
        family = paper.authors[0].split()[-1]
        if paper.year:
            names += [f"{family} {paper.year}", f"{family} et al. {paper.year}"]
        names += [f"the {family} paper", f"the {family} et al. paper"]
    if paper.doi:
        names.append(paper.doi)
    return list(dict.fromkeys(names))
