"""Notes of the project, on a paper or on none."""

import sqlite3

from prefrontal.pack import ActionResult, BadInput, Conflict, NotFound

from .store import NOTE, PAPER, Work, changes, listed, number_of, reads

MOST_CHARACTERS = 5_000
MOST_SHOWN = 50


@reads
def show_notes(work: Work, *, paper: str | None = None) -> ActionResult:
    """List notes, newest first; of one paper, or all."""
    query, given = "SELECT * FROM note WHERE is_deleted = 0", list[int]()
    if paper is not None:
        work.paper(paper)
        query += " AND paper = ?"
        given.append(number_of(paper, PAPER))
    rows = work.rows(f"{query} ORDER BY number DESC LIMIT {MOST_SHOWN}", *given)
    where = f" on {paper}" if paper else ""
    lines = [f"{NOTE}{row['number']}{_of(row)}: {row['text']} ({row['author']})" for row in rows]
    ids = [f"{NOTE}{row['number']}" for row in rows]
    text = "\n".join(lines) if lines else f"There are no notes{where}."
    return ActionResult(text=text, data={"listed": listed(ids, "note")})


@changes
def add_research_note(work: Work, *, note: str, paper: str | None = None) -> ActionResult:
    """Write a note down."""
    text = note.strip()
    if not 0 < len(text) <= MOST_CHARACTERS:
        raise BadInput(f"a note has 1 to {MOST_CHARACTERS} characters")
    about = None
    if paper is not None:
        work.paper(paper)
        about = number_of(paper, PAPER)
    number = work.run(
        "INSERT INTO note (paper, author, text, written_at) VALUES (?, ?, ?, ?)",
        about,
        work.user,
        text,
        work.now,
    )
    work.change(paper or "notes", "note", None, text)
    return ActionResult(
        text=f"Noted as {NOTE}{number}{f' on {paper}' if paper else ''}.",
        data={"listed": listed([f"{NOTE}{number}"], "note")},
        undo={"note": f"{NOTE}{number}"},
    )


@changes
def edit_note(work: Work, *, note: str, text: str) -> ActionResult:
    """Replace the words of a note."""
    row = _note(work, note)
    words = text.strip()
    if words == row["text"] or not 0 < len(words) <= MOST_CHARACTERS:
        raise BadInput(f"a note needs other words, 1 to {MOST_CHARACTERS} characters")
    work.run("UPDATE note SET text = ? WHERE number = ?", words, row["number"])
    work.change(note, "text", row["text"], words)
    return ActionResult(text=f"{note} says now: {words}", undo={"note": note, "text": row["text"]})


@changes
def delete_note(work: Work, *, note: str) -> ActionResult:
    """Delete a note; it can be restored."""
    row = _note(work, note)
    work.run("UPDATE note SET is_deleted = 1 WHERE number = ?", row["number"])
    work.change(note, "text", row["text"], None)
    return ActionResult(text=f"{note} is deleted.", undo={"note": note})


@changes
def restore_note(work: Work, *, note: str) -> ActionResult:
    """Bring a deleted note back."""
    row = work.row("SELECT * FROM note WHERE number = ?", number_of(note, NOTE))
    if row is None:
        raise NotFound("note", note)
    if not row["is_deleted"]:
        raise Conflict(f"{note} was not deleted", "there")
    work.run("UPDATE note SET is_deleted = 0 WHERE number = ?", row["number"])
    work.change(note, "text", None, row["text"])
    return ActionResult(text=f"{note} is back: {row['text']}", undo={"note": note})


def _note(work: Work, note: str) -> sqlite3.Row:
    query = "SELECT * FROM note WHERE number = ? AND is_deleted = 0"
    row = work.row(query, number_of(note, NOTE))
    if row is None:
        raise NotFound("note", note)
    work.facts.append(("note", f"{note}: {row['text']}"))
    work.saw(note, row["text"])
    return row


def _of(row: sqlite3.Row) -> str:
    return f" on {PAPER}{row['paper']}" if row["paper"] else ""
