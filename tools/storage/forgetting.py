"""Forget a person: what memory holds of them, in all sessions of a tenant.

Records, the journal and the ledger are no memory: they say what was done and who answered for it,
and go by their own days (docs/memory.md).
"""

import math
from collections.abc import Collection
from typing import Any

from sqlalchemy import Connection, delete, func, select, update

from state.memory import PackMemory
from state.remembered import Forgotten
from state.session import Session
from tools.storage.tables.answers import kept_answer
from tools.storage.tables.decisions import decision, profile
from tools.storage.tables.decisions import session as session_table
from tools.storage.tables.initiatives import reminder
from tools.storage.tables.memory import memory_entry

_OF_PERSON = (memory_entry, reminder, profile, kept_answer)


def forget_person(
    connection: Connection, tenant_id: str, user: str, *, is_trial: bool = False
) -> Forgotten:
    """Remove what is kept of a person, in the caller's transaction; a trial only counts.

    What they say from then on is remembered as of somebody new.
    """
    counts = {}
    for table in _OF_PERSON:
        is_theirs = (table.c.tenant_id == tenant_id) & (table.c.user == user)
        query = select(func.count()).select_from(table).where(is_theirs)
        counts[table.name] = connection.execute(query).scalar_one()
        if not is_trial:
            connection.execute(delete(table).where(is_theirs))
    goals = sessions = 0
    of_tenant = session_table.c.tenant_id == tenant_id
    columns = (session_table.c.session_id, session_table.c.state, session_table.c.updated_at)
    for session_id, state, updated_at in connection.execute(
        select(*columns).where(of_tenant)
    ).all():
        known = Session.model_validate(state)
        changed = without(known, user, _told_by(connection, known, user))
        if not changed:
            continue
        sessions += 1
        goals += len(known.goals) - len(changed.get("goals", known.goals))
        if not is_trial:
            left = known.model_copy(update=changed)
            connection.execute(
                update(session_table)
                .where(of_tenant, session_table.c.session_id == session_id)
                .values(
                    state=left.model_dump(mode="json", exclude={"profile"}),
                    # Nobody was there, but who keeps what was read at that time reads it again.
                    updated_at=math.nextafter(updated_at, math.inf),
                )
            )
    return Forgotten(
        user=user,
        said=counts[memory_entry.name],
        reminders=counts[reminder.name],
        goals=goals,
        profile=bool(counts[profile.name]),
        sessions=sessions,
    )


def _told_by(connection: Connection, known: Session, user: str) -> Collection[str]:
    """List the decisions on what a person said, of those that facts of packs came from."""
    named = {fact.decision_id for kept in known.memory.values() for fact in kept.facts.values()}
    if not named:
        return ()
    is_theirs = decision.c.event["user"].as_string() == user
    query = select(decision.c.decision_id).where(decision.c.decision_id.in_(named), is_theirs)
    return set(connection.scalars(query))


def without(
    known: Session, user: str, told: Collection[str] = ()
) -> dict[str, Any]:  # fields of Session
    """Say what a session is without a person: their goals, and what they were asked and shown.

    Args:
        told: decisions on what they said; what packs remember from those words goes too.
    """
    changed: dict[str, Any] = {}
    memory = {pack: _less(kept, told) for pack, kept in known.memory.items()}
    if memory != known.memory:
        changed["memory"] = memory
    goals = tuple(goal for goal in known.goals if goal.by != user)
    if goals != known.goals:
        changed["goals"] = goals
    for name in ("questions", "offered", "proposed"):
        kept = getattr(known, name)
        if user in kept:
            changed[name] = {who: one for who, one in kept.items() if who != user}
    if known.person == user:
        changed["person"] = None
    return changed


def _less(kept: PackMemory, told: Collection[str]) -> PackMemory:
    facts = {
        name: fact
        for name, fact in kept.facts.items()
        if fact.source == "action" or fact.decision_id not in told
    }
    return kept.model_copy(update={"facts": facts})
