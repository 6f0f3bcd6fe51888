"""The crew: who is on board and on watch, and their tasks."""

import sqlite3

from pydantic import JsonValue

from prefrontal.pack import ActionResult, Conflict

from .documents import address_of
from .effects import changes, listed, reads
from .formatting import checked_text, counted, day_of, days_between, in_words, window
from .names import CREW, TASK
from .unit_of_work import UnitOfWork

_WORK = (
    "SELECT count(*) FROM work_order WHERE assignee = ? AND state NOT IN ('closed', 'cancelled')"
)
_TASKS = "SELECT count(*) FROM task WHERE assignee = ? AND state = 'open'"


@reads
def show_crew(unit: UnitOfWork, *, crew: str | None = None) -> ActionResult:
    """Tell role, watch and workload of one person, or of everybody.

    Raises:
        NotFound: no such crew member.
    """
    people = [unit.find(CREW, crew)] if crew else unit.rows("SELECT * FROM crew ORDER BY rowid")
    lines: list[str] = []
    data: list[JsonValue] = []
    for person in people:
        counts = [unit.rows(query, person["name"])[0][0] for query in (_WORK, _TASKS)]
        watch = ", on watch" if person["on_watch"] else ""
        lines.append(
            f"{person['name']}, {in_words(person['role'])}{watch}:"
            f" {counts[0]} work orders, {counts[1]} tasks"
        )
        data.append({"name": person["name"], "role": person["role"], "work_orders": counts[0]})
    head = [] if crew else [f"{counted(len(people), 'person', 'people')} on board:"]
    return ActionResult(
        text="\n".join([*head, *lines]), data={"crew": data, **listed(CREW, people)}
    )


@reads
def show_tasks(
    unit: UnitOfWork,
    *,
    task: str | None = None,
    assignee: str | None = None,
    due_by: str | None = None,
    due_in: str | None = None,
    ended: str | None = None,
    except_ended: str | None = None,  # what is left: the list without it
    except_assignee: str | None = None,
) -> ActionResult:
    """List what is still to be done, or what is done, of one person or of all; or tell one task.

    Raises:
        NotFound: no such task or crew member.
        BadInput: a day cannot be read, or two spans of days are given.
    """
    if task:
        return _told_alone(unit, unit.find(TASK, task))
    person = unit.find(CREW, assignee)["name"] if assignee else None
    other = unit.find(CREW, except_assignee)["name"] if except_assignee else None
    state = "done" if ended else "open"
    days = window(due_by, due_in, unit.now.date())
    jobs = [
        job
        for job in unit.rows("SELECT * FROM task WHERE state = ? ORDER BY due, id", state)
        if person in (None, job["assignee"])
        and (not other or job["assignee"] != other)
        and days.holds(job["due"])
    ]
    lines = [f"{_label(job)}: {job['assignee'] or 'nobody'}, {_due(unit, job)}" for job in jobs]
    whose = f" of {person}" if person else ""
    whose += "" if days.is_open else f" due {days}"
    whose += f", but {other}'s" if other else ""
    head = f"{counted(len(jobs), f'{state} task')}{whose}:" if jobs else f"No {state} tasks{whose}."
    return ActionResult(
        text="\n".join([head, *lines]),
        data={"tasks": [dict(j) for j in jobs], **listed(TASK, jobs)},
    )


@changes
def assign_task(unit: UnitOfWork, *, task: str, assignee: str) -> ActionResult:
    """Give an open task to a member of the crew.

    Raises:
        NotFound: no such task or crew member.
        Conflict: it is done, or theirs already.
    """
    job = _open(unit, task)
    person = str(unit.find(CREW, assignee)["name"])
    if job["assignee"] == person:
        raise Conflict(f"{_label(job)} is assigned to {person} already", person)
    unit.recipients.append(address_of(person))
    return _hand_over(unit, job, person)


@changes
def unassign_task(unit: UnitOfWork, *, task: str, back_to: str | None = None) -> ActionResult:
    """Take an open task from whoever has it, and give it back to somebody if named.

    Raises:
        NotFound: no such task or crew member.
        Conflict: it is done, or nobody has it.
    """
    job = _open(unit, task)
    person = str(unit.find(CREW, back_to)["name"]) if back_to else None
    if job["assignee"] is None:
        raise Conflict(f"{_label(job)} is assigned to nobody", "nobody")
    unit.recipients += map(address_of, filter(None, (str(job["assignee"]), person)))
    return _hand_over(unit, job, person)


@changes
def create_task(
    unit: UnitOfWork, *, title: str, assignee: str | None = None, due: str | None = None
) -> ActionResult:
    """Write a new task on the list; without a day it is due today.

    Raises:
        BadInput: the title is empty or too long, or `due` is no date.
        NotFound: no such crew member.
    """
    words = checked_text(title, "title")
    person = str(unit.find(CREW, assignee)["name"]) if assignee else None
    number = unit.next_id("task", "TSK-")
    day = day_of(due) if due else unit.day
    unit.insert(
        "task", id=number, title=words, assignee=person, due=day, state="open", done_by=None
    )
    return ActionResult(
        text=f"{number} ({words}) is on the list, due {day}, {person or 'nobody'}.",
        data={"task": number, "title": words, "assignee": person, "due": day},
        undo={"task": number},
    )


@changes
def cancel_task(unit: UnitOfWork, *, task: str) -> ActionResult:
    """Take an open task off the list.

    Raises:
        NotFound: no such task.
        Conflict: it is done or cancelled.
    """
    job = _open(unit, task)
    unit.update("task", job["id"], state="cancelled")
    return ActionResult(
        text=f"{_label(job)} is cancelled.",
        changed=(f"{job['id']}: open -> cancelled",),
        undo={"task": job["id"]},
    )


@changes
def complete_task(unit: UnitOfWork, *, task: str) -> ActionResult:
    """Mark a task as done.

    Raises:
        NotFound: no such task.
        Conflict: it is done or cancelled.
    """
    job = _open(unit, task)
    unit.update("task", job["id"], state="done", done_by=unit.user)
    return ActionResult(
        text=f"{_label(job)} is done.",
        changed=(f"{job['id']}: open -> done",),
        undo={"task": job["id"]},
    )


@changes
def reopen_task(unit: UnitOfWork, *, task: str) -> ActionResult:
    """Put a task that was done or cancelled back on the list.

    Raises:
        NotFound: no such task.
        Conflict: it is open.
    """
    job = unit.find(TASK, task)
    if job["state"] == "open":
        raise Conflict(f"{_label(job)} is open", "open")
    unit.update("task", job["id"], state="open", done_by=None)
    return ActionResult(
        text=f"{_label(job)} is open again.",
        changed=(f"{job['id']}: {job['state']} -> open",),
    )


def _told_alone(unit: UnitOfWork, job: sqlite3.Row) -> ActionResult:
    return ActionResult(
        text=f"{_label(job)}: {job['state']}, {job['assignee'] or 'nobody'}, {_due(unit, job)}",
        data={"tasks": [dict(job)], **listed(TASK, [job])},
    )


def _hand_over(unit: UnitOfWork, job: sqlite3.Row, person: str | None) -> ActionResult:
    was = job["assignee"]
    unit.update("task", job["id"], assignee=person)
    back = {"back_to": was} if was else {}
    return ActionResult(
        text=f"{_label(job)}, due {job['due']}, is now assigned to {person or 'nobody'}.",
        data={"task": job["id"], "was": was, "assignee": person},
        changed=(f"{job['id']}: {was or 'nobody'} -> {person or 'nobody'}",),
        # what a person has is given back to him; what he had not, is taken from him
        undo={"task": job["id"], **back} if person else {"task": job["id"], "assignee": was},
    )


def _open(unit: UnitOfWork, task: str) -> sqlite3.Row:
    job = unit.find(TASK, task)
    if job["state"] != "open":
        raise Conflict(f"{_label(job)} is {job['state']} already", job["state"])
    return job


def _label(job: sqlite3.Row) -> str:
    return f"{job['id']} ({job['title']})"


def _due(unit: UnitOfWork, job: sqlite3.Row) -> str:
    if job["state"] == "done":
        return f"done by {job['done_by'] or 'nobody known'}"
    late = " and late" if days_between(job["due"], unit.now.date()) > 0 else ""
    return f"due {job['due']}{late}"
