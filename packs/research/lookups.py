"""Names of the project's papers, tags and notes: id to names, coined names included."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from prefrontal.pack import Paper

from .store import NOTE, PAPER, reading

_NAME = r"(?P<name>[A-Za-z]*[A-Z][\w]*(?:[-+.][\w]+)*)"
_COINING = (
    re.compile(rf"^{_NAME}\s*[:–—]"),  # of a title: `BERT: Pre-training of …`
    re.compile(rf"\b(?:call(?:ed)?|named?|dubbed|termed)(?: (?:it|this|them))? {_NAME}"),
    re.compile(
        r"\b(?:introduc|propos|present|describ|develop|releas)\w* (?:(?:a|an|our|the|new|novel) )*"
        rf"{_NAME}"
    ),
    re.compile(rf"\({_NAME}\)"),  # `Vision Transformer (ViT)`
)
_LEAST_CAPITALS = 2
"""`We present Layers` coins nothing; BERT, ViT, GPT-3 and U-Net do."""


def coined_names(papers: Mapping[str, Paper]) -> dict[str, list[str]]:
    """Give each paper the names that it coins and no other of these does."""
    told = {key: list(dict.fromkeys(_coined(paper))) for key, paper in papers.items()}
    makers: dict[str, int] = {}
    for names in told.values():
        for name in names:
            makers[name.lower()] = makers.get(name.lower(), 0) + 1
    return {
        key: [name for name in names if makers[name.lower()] == 1] for key, names in told.items()
    }


def _coined(paper: Paper) -> Iterable[str]:
    title, *others = _COINING
    places = [*title.finditer(paper.title), *others[-1].finditer(paper.title)]
    for pattern in others:
        places += pattern.finditer(paper.abstract or "")
    for place in places:
        name = place["name"]
        plural = name.removesuffix("s") if name[-2:-1].isupper() else name
        if sum(letter.isupper() or letter.isdigit() for letter in plural) >= _LEAST_CAPITALS:
            yield plural


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
