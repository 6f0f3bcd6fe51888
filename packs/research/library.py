"""The project's library: papers with reading status, tags and ratings."""

import sqlite3
from collections.abc import Sequence

from prefrontal.pack import ActionResult, BadInput, Conflict, NotFound, Paper

from .papers import listing
from .store import PAPER, Work, changes, listed, number_of, reads, texts

_ALL = "SELECT library.*, body FROM library JOIN paper ON number = library.paper WHERE 1"


@reads
def show_library(
    work: Work,
    *,
    tag: str | None = None,
    status: str | None = None,
    except_tag: str | None = None,
    except_status: str | None = None,
) -> ActionResult:
    """List the library, newest first."""
    limits = {
        "library.paper IN (SELECT paper FROM tag WHERE name = ?)": tag and tag.casefold(),
        "library.paper NOT IN (SELECT paper FROM tag WHERE name = ?)": (
            except_tag and except_tag.casefold()
        ),
        "status = ?": status,
        "status != ?": except_status,
    }
    kept = {limit: value for limit, value in limits.items() if value}
    rows = work.rows(
        f"{' AND '.join((_ALL, *kept))} ORDER BY added_at DESC, library.paper", *kept.values()
    )
    ids = [f"{PAPER}{row['paper']}" for row in rows]
    papers = [Paper.model_validate_json(row["body"]) for row in rows]
    words = (
        f"tagged {tag}" if tag else "",
        status or "",
        f"not tagged {except_tag}" if except_tag else "",
        f"not {except_status}" if except_status else "",
    )
    which = ", ".join(filter(None, words))
    head = f"{len(ids)} papers{f' ({which})' if which else ''} in the library"
    text = f"{head}:\n{listing(ids, papers)}" if ids else f"{head}."
    return ActionResult(text=text, data={"listed": listed(ids)})


@reads
def search_library(work: Work, *, query: str) -> ActionResult:
    """Find papers of the library by words of their title, authors, abstract, tags and notes."""
    words = [word for word in query.casefold().split() if len(word) > 2] or [query.casefold()]
    hits = []
    for row in work.rows(_ALL):
        told = row["body"].casefold() + _about(work, row["paper"]).casefold()
        score = sum(word in told for word in words)
        if score:
            hits.append((score, row))
    hits.sort(key=lambda hit: (-hit[0], hit[1]["paper"]))
    ids = [f"{PAPER}{row['paper']}" for _score, row in hits[:10]]
    papers = [Paper.model_validate_json(row["body"]) for _score, row in hits[:10]]
    text = (
        f"In the library on {query}:\n{listing(ids, papers)}"
        if ids
        else (f"The library has nothing on {query}.")
    )
    return ActionResult(text=text, data={"listed": listed(ids)})


@reads
def list_tags(work: Work) -> ActionResult:
    """List the tags and how many papers have each."""
    rows = work.rows("SELECT name, count(*) AS papers FROM tag GROUP BY name ORDER BY 2 DESC, 1")
    text = "\n".join(f"{row['name']}: {row['papers']}" for row in rows) or "There are no tags."
    return ActionResult(text=text, data={"tags": {row["name"]: row["papers"] for row in rows}})


@changes
def add_to_library(work: Work, *, papers: Sequence[str]) -> ActionResult:
    """Put papers on the library.

    Raises:
        Conflict: all of them are on it.
    """
    new = [one for one in dict.fromkeys(papers) if not _is_shelved(work, one)]
    if not new:
        raise Conflict(f"{', '.join(papers)}: in the library already", "shelved")
    titles = []
    for one in new:
        titles.append(work.paper(one).title)
        work.run(
            "INSERT INTO library VALUES (?, ?, ?, 'to read', NULL)",
            number_of(one, PAPER),
            work.user,
            work.now,
        )
        work.change(one, "library", None, "to read")
        work.saw(one, "out")
    work.count = len(new)
    return ActionResult(
        text=f"In the library now: {'; '.join(titles)}.",
        data={"listed": listed(new)},
        undo={"papers": texts(new)},
    )


@changes
def remove_from_library(work: Work, *, papers: Sequence[str]) -> ActionResult:
    """Take papers off the library, with their tags and ratings; notes stay."""
    ids = list(dict.fromkeys(papers))
    for one in ids:
        row = _shelved(work, one)
        work.paper(one)
        work.run("DELETE FROM library WHERE paper = ?", number_of(one, PAPER))
        work.change(one, "library", row["status"], None)
    work.count = len(ids)
    return ActionResult(
        text=f"Taken off the library: {', '.join(ids)}.", undo={"papers": texts(ids)}
    )


@changes
def tag_paper(work: Work, *, paper: str, tags: Sequence[str]) -> ActionResult:
    """Tag a paper of the library; those that it has already are left as they are."""
    _shelved(work, paper)
    wanted, number = _tags(tags), number_of(paper, PAPER)
    held = {row["name"] for row in work.rows("SELECT name FROM tag WHERE paper = ?", number)}
    new = [name for name in wanted if name not in held]
    if not new:
        raise Conflict(f"{paper} is tagged {_listed(wanted)} already", "tagged")
    work.paper(paper)
    for name in new:
        work.run("INSERT INTO tag VALUES (?, ?)", number, name)
        work.change(paper, "tag", None, name)
    return ActionResult(
        text=f"{paper} is tagged {_listed(new)}.", undo={"paper": paper, "tags": texts(new)}
    )


@changes
def untag_paper(work: Work, *, paper: str, tags: Sequence[str]) -> ActionResult:
    """Take tags off a paper: all that are named, or none where it lacks one."""
    names, number = _tags(tags), number_of(paper, PAPER)
    held = {row["name"] for row in work.rows("SELECT name FROM tag WHERE paper = ?", number)}
    for name in names:
        if name not in held:
            raise NotFound("tag", f"{name} on {paper}")
    work.paper(paper)
    for name in names:
        work.run("DELETE FROM tag WHERE paper = ? AND name = ?", number, name)
        work.change(paper, "tag", name, None)
    return ActionResult(
        text=f"{paper} has no tag {_listed(names, 'or')} now.",
        undo={"paper": paper, "tags": texts(names)},
    )


@changes
def set_reading_status(work: Work, *, paper: str, status: str) -> ActionResult:
    """Say how far a paper has been read."""
    before = _shelved(work, paper)["status"]
    if before == status:
        raise Conflict(f"{paper} is {status} already", status)
    work.paper(paper)
    work.run("UPDATE library SET status = ? WHERE paper = ?", status, number_of(paper, PAPER))
    work.change(paper, "status", before, status)
    return ActionResult(text=f"{paper}: {status}.", undo={"paper": paper, "status": before})


@changes
def rate_paper(work: Work, *, paper: str, rating: int) -> ActionResult:
    """Rate a paper of the library from 1 to 5; 0 takes its rating away."""
    before = _shelved(work, paper)["rating"]
    work.paper(paper)
    kept = rating or None
    work.run("UPDATE library SET rating = ? WHERE paper = ?", kept, number_of(paper, PAPER))
    work.change(paper, "rating", before, kept)
    told = f"{rating} of 5" if rating else "no rating"
    return ActionResult(text=f"{paper}: {told}.", undo={"paper": paper, "rating": before or 0})


@changes
def clear_library(work: Work) -> ActionResult:
    """Empty the library."""
    ids = [f"{PAPER}{row['paper']}" for row in work.rows("SELECT paper FROM library ORDER BY 1")]
    if not ids:
        raise Conflict("the library is empty already", "empty")
    for one in ids:
        work.change(one, "library", "in it", None)
    work.run("DELETE FROM library")
    work.count = len(ids)
    work.saw("library", *ids)
    return ActionResult(
        text=f"The library is empty: {len(ids)} papers gone.", undo={"papers": texts(ids)}
    )


def shelved_papers(work: Work, tag: str | None) -> list[tuple[str, Paper]]:
    """Give the papers of the library, oldest first; with a tag, those that have it.

    Raises:
        BadInput: there are none.
    """
    where = " AND library.paper IN (SELECT paper FROM tag WHERE name = ?)" if tag else ""
    given = (_tag(tag),) if tag else ()
    rows = work.rows(f"{_ALL}{where} ORDER BY library.paper", *given)
    if not rows:
        raise BadInput(f"the library has nothing{f' tagged {tag}' if tag else ''} yet")
    return [(f"{PAPER}{row['paper']}", Paper.model_validate_json(row["body"])) for row in rows]


def _is_shelved(work: Work, paper: str) -> bool:
    found = work.row("SELECT 1 FROM library WHERE paper = ?", number_of(paper, PAPER))
    return found is not None


def _shelved(work: Work, paper: str) -> sqlite3.Row:
    row = work.row("SELECT * FROM library WHERE paper = ?", number_of(paper, PAPER))
    if row is None:
        raise Conflict(f"{paper} is not in the library; add it first", "not shelved")
    work.saw(paper, row["status"], row["rating"])
    return row


def _about(work: Work, number: int) -> str:
    tags = work.rows("SELECT name FROM tag WHERE paper = ?", number)
    notes = work.rows("SELECT text FROM note WHERE paper = ? AND is_deleted = 0", number)
    return " ".join([*(row["name"] for row in tags), *(row["text"] for row in notes)])


def _tags(tags: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(map(_tag, tags)))


def _listed(names: Sequence[str], joint: str = "and") -> str:
    *front, last = names
    return f"{', '.join(front)} {joint} {last}" if front else last


def _tag(tag: str) -> str:
    name = " ".join(tag.casefold().strip(" #\"'").split())
    if not 0 < len(name) <= 60:
        raise BadInput("a tag has 1 to 60 characters")
    return name
