"""Tasks of the crew: who is to do what."""

import sqlite3

from state.action import ActionResult
from state.errors import Conflict

from .names import CREW, TASK, find


def assign(connection: sqlite3.Connection, task: str, assignee: str) -> ActionResult:
    """Give an open task to a member of the crew.

    Raises:
        NotFound: no such task or crew member.
        Conflict: it is done, or theirs already.
    """
    job = find(connection, TASK, task)
    person = find(connection, CREW, assignee)["name"]
    label = f"{job['id']} ({job['title']})"
    if job["state"] == "done":
        raise Conflict(f"{label} is done already", "done")
    if job["assignee"] == person:
        raise Conflict(f"{label} is assigned to {person} already", person)
    connection.execute("UPDATE task SET assignee = ? WHERE id = ?", (person, job["id"]))
    before = job["assignee"] or "nobody"
    return ActionResult(
        text=f"{label}, due {job['due']}, is now assigned to {person}.",
        data={"task": job["id"], "was": job["assignee"], "assignee": person},
        changed=(f"{job['id']}: {before} -> {person}",),
    )
