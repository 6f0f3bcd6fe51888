"""What leaves the project: bibliographies as files, and the library shared with people."""

from collections.abc import Sequence
from pathlib import Path

from prefrontal.pack import ActionResult, BadInput, Conflict, NotFound

from .library import shelved_papers
from .papers import bibliography
from .store import Work, changes, reads, texts

ENDINGS = {"bibtex": "bib", "ris": "ris", "csl": "json", "text": "txt"}


@changes
def export_bibliography(
    work: Work, *, form: str = "bibtex", tag: str | None = None
) -> ActionResult:
    """Write the library, or what has a tag, as a bibliography into the project's folder."""
    found = shelved_papers(work, tag)
    text = bibliography([paper for _id, paper in found], form)
    work.count = len(found)
    work.facts += [("papers", str(len(found))), ("format", form)]
    work.saw("library", *(paper_id for paper_id, _paper in found))
    number = work.run(
        "INSERT INTO export (file, papers, made_by, made_at) VALUES ('', ?, ?, ?)",
        len(found),
        work.user,
        work.now,
    )
    name = f"X-{number}.{ENDINGS[form]}"
    work.run("UPDATE export SET file = ? WHERE number = ?", name, number)
    work.change("exports", "file", None, name)
    if work.context.action_id != "preview":
        folder = Path(work.context.data_dir) / "exports"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    papers = "1 paper is" if len(found) == 1 else f"{len(found)} papers are"
    return ActionResult(
        text=f"{papers} written to exports/{name}.",
        data={"file": f"exports/{name}", "content": text[:20_000]},
    )


@reads
def list_exports(work: Work) -> ActionResult:
    """List the bibliographies that were written, newest first."""
    rows = work.rows("SELECT * FROM export ORDER BY number DESC LIMIT 30")
    lines = [
        f"exports/{row['file']}: {row['papers']} papers, {row['made_by']}, {row['made_at'][:10]}"
        for row in rows
    ]
    return ActionResult(text="\n".join(lines) or "Nothing was exported yet.")


@changes
def share_library(work: Work, *, recipients: Sequence[str]) -> ActionResult:
    """Let people see the library."""
    people = list(dict.fromkeys(" ".join(one.split()) for one in recipients if one.strip()))
    if not people:
        raise BadInput("say with whom")
    count = len(shelved_papers(work, None))
    known = {row["recipient"] for row in work.rows(_SHARED)}
    new = [one for one in people if one not in known]
    if not new:
        raise Conflict(f"{', '.join(people)}: shared with them already", "shared")
    for one in new:
        work.run(
            "INSERT INTO share (recipient, shared_by, shared_at) VALUES (?, ?, ?)",
            one,
            work.user,
            work.now,
        )
        work.change("library", "seen by", None, one)
    work.facts.append(("papers", str(count)))
    work.recipients += new
    return ActionResult(
        text=f"{', '.join(new)} may see the library: {count} papers.",
        undo={"recipients": texts(new)},
    )


@changes
def stop_sharing_library(work: Work, *, recipients: Sequence[str]) -> ActionResult:
    """Take the library out of people's sight."""
    shared = {row["recipient"].casefold(): row["recipient"] for row in work.rows(_SHARED)}
    people = [shared.get(one.strip().casefold()) for one in recipients]
    gone = [one for one in people if one is not None]
    if len(gone) < len(people) or not gone:
        raise NotFound("share", ", ".join(recipients))
    for one in gone:
        work.run("UPDATE share SET is_withdrawn = 1 WHERE recipient = ? AND is_withdrawn = 0", one)
        work.change("library", "seen by", one, None)
    return ActionResult(
        text=f"{', '.join(gone)} may not see the library any more.",
        undo={"recipients": texts(gone)},
    )


@reads
def show_shares(work: Work) -> ActionResult:
    """List who may see the library."""
    rows = work.rows(f"{_SHARED} ORDER BY number")
    lines = [f"{row['recipient']} (by {row['shared_by']})" for row in rows]
    return ActionResult(text="\n".join(lines) or "The library is shared with nobody.")


_SHARED = "SELECT * FROM share WHERE is_withdrawn = 0"
