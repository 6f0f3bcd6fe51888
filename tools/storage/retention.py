"""Delete old rows by age, and delete what memory holds of a person.

Unfinished decisions stay, however old. Records, the journal and the ledger are not memory:
they go by their own retention periods (docs/explanation/memory.md).
"""

import math
from collections.abc import Callable, Collection
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Delete,
    Table,
    delete,
    exists,
    func,
    or_,
    select,
    update,
)

from state.memory import PackMemory
from state.remembered import Forgotten
from state.session import Session
from tools.platform.clock import DAY_SECONDS
from tools.storage.database import Database
from tools.storage.tables.decisions import (
    decision,
    hold,
    initiative,
    kept_answer,
    offer,
    profile,
    reminder,
    session,
)
from tools.storage.tables.decisions import session as session_table
from tools.storage.tables.journal import journal_entry, journal_link
from tools.storage.tables.ledger import ledger_action
from tools.storage.tables.memory import memory_entry, reasoning_trace
from tools.storage.tables.observability import quality_reset, quality_turn, query_log, regret
from tools.storage.tables.outboxes import approval_link, channel_message, webhook_delivery

AT_ONCE = 2_000
_OPEN = ("proposed", "pending", "approved", "started", "unknown")


async def prune_decisions(database: Database, days: int, *, is_trial: bool = False) -> int:
    """Remove decisions recorded more than `days` ago with all that hangs on them; 0: none.

    A reminder that was told goes with its decision, one that was called off when it is so old.
    """
    if days == 0:
        return 0
    is_open = exists().where(
        ledger_action.c.decision_id == decision.c.decision_id, ledger_action.c.state.in_(_OPEN)
    )
    is_held = exists().where(
        hold.c.decision_id == decision.c.decision_id, hold.c.released_at.is_(None)
    )
    is_offered = exists().where(
        offer.c.decision_id == decision.c.decision_id,
        offer.c.chosen.is_(None),
        offer.c.expires_at > database.now(),
    )
    is_old = (
        (decision.c.standing == "recorded")
        & (decision.c.recorded_at < database.now() - days * DAY_SECONDS)
        & ~(is_open | is_held | is_offered)
    )
    if is_trial:
        query = select(func.count()).select_from(decision).where(is_old)
        return await database.read(lambda connection: connection.execute(query).scalar_one())

    def work(connection: Connection) -> int:
        old = connection.scalars(select(decision.c.decision_id).where(is_old).limit(AT_ONCE)).all()
        # What was said of a response stays: heuristics are made of it.
        gone = (reasoning_trace, hold, offer, initiative, memory_entry, reminder, regret, decision)
        for table in gone:
            connection.execute(delete(table).where(table.c.decision_id.in_(old)))
        return len(old)

    called_off = delete(reminder).where(
        reminder.c.standing == "cancelled",
        reminder.c.due_at < database.now() - days * DAY_SECONDS,
    )
    await database.write(lambda connection: connection.execute(called_off).rowcount)
    return await _until_none(database, work)


async def prune_queries(database: Database, days: int, *, is_trial: bool = False) -> int:
    """Remove rows of the query log that are older than `days`; 0: none."""
    if days == 0:
        return 0
    is_old = query_log.c.at < database.now() - days * DAY_SECONDS
    return await _prune(database, query_log.c.decision_id, is_old, is_trial=is_trial)


async def prune_memory(database: Database, days: int, *, is_trial: bool = False) -> int:
    """Forget what was said more than `days` ago, though its decision stays; 0: none."""
    if days == 0:
        return 0
    is_old = memory_entry.c.at < database.now() - days * DAY_SECONDS
    return await _prune(database, memory_entry.c.entry_id, is_old, is_trial=is_trial)


async def prune_turns(database: Database, days: int, *, is_trial: bool = False) -> int:
    """Remove turns that are older than `days`, with the resets of those days; 0: none."""
    if days == 0:
        return 0
    before = database.now() - days * DAY_SECONDS
    if not is_trial:
        resets = delete(quality_reset).where(quality_reset.c.at < before)
        await database.write(lambda connection: connection.execute(resets).rowcount)
    key, is_old = quality_turn.c.decision_id, quality_turn.c.at < before
    return await _prune(database, key, is_old, is_trial=is_trial)


async def prune_people(database: Database, days: int, *, is_trial: bool = False) -> int:
    """Forget sessions nobody spoke in, and profiles nobody changed, for `days`; 0: none.

    A hold or a reminder keeps its session.
    """
    if days == 0:
        return 0
    before = database.now() - days * DAY_SECONDS
    waits = [
        exists().where(
            one.c.tenant_id == session.c.tenant_id, one.c.session_id == session.c.session_id
        )
        for one in (hold, reminder)
    ]
    is_old: tuple[tuple[Table, ColumnElement[bool]], ...] = (
        (session, (session.c.updated_at < before) & ~or_(*waits)),
        (profile, profile.c.updated_at < before),
    )
    if is_trial:
        counts = [select(func.count()).select_from(table).where(old) for table, old in is_old]
        return await database.read(lambda one: sum(one.execute(c).scalar_one() for c in counts))
    statements = [delete(table).where(old) for table, old in is_old]
    return await database.write(lambda one: sum(one.execute(s).rowcount for s in statements))


async def prune_links(database: Database, days: int, *, is_trial: bool = False) -> int:
    """Forget links that never held, made over `days` ago, between decisions one of which is over.

    What is refused between two that stand is kept: nobody is asked the same twice.
    """
    if days == 0:
        return 0
    before = database.now() - days * DAY_SECONDS
    is_over = exists().where(
        journal_entry.c.tenant_id == journal_link.c.tenant_id,
        journal_entry.c.id.in_([journal_link.c.older, journal_link.c.newer]),
        journal_entry.c.status.in_(["superseded", "rejected"]),
    )
    is_old = (journal_link.c.standing != "accepted") & (journal_link.c.made_at < before) & is_over
    return await _prune(database, journal_link.c.link_id, is_old, is_trial=is_trial)


async def prune_webhooks(database: Database, days: int, *, is_trial: bool = False) -> int:
    """Remove events and messages that arrived, or were given up, over `days` ago; 0: none.

    What still waits after so long was for an endpoint that is named no more.
    """
    if days == 0:
        return 0
    since = database.now() - days * DAY_SECONDS
    ended = func.coalesce(webhook_delivery.c.ended_at, webhook_delivery.c.made_at)
    sent = channel_message
    # What was told of a question that still waits must not be told once more.
    waits = exists().where(
        ledger_action.c.action_id == sent.c.action_id, ledger_action.c.state == "pending"
    )
    was_sent = func.coalesce(sent.c.ended_at, sent.c.made_at) < since
    old = (
        (webhook_delivery.c.delivery_id, ended < since),
        (sent.c.message_id, was_sent & ~waits),
        (approval_link.c.link_id, approval_link.c.expires_at < since),
    )
    return sum([await _prune(database, key, is_old, is_trial=is_trial) for key, is_old in old])


async def _prune(
    database: Database, key: Column[Any], is_old: ColumnElement[bool], *, is_trial: bool
) -> int:
    """Remove old rows of a table, some at a time, by a column that names them; a trial counts."""
    if is_trial:
        query = select(func.count()).select_from(key.table).where(is_old)
        return await database.read(lambda connection: connection.execute(query).scalar_one())
    some = select(key).where(is_old).limit(AT_ONCE)
    statement: Delete = delete(key.table).where(key.in_(some))
    return await _until_none(database, lambda connection: connection.execute(statement).rowcount)


async def _until_none(database: Database, work: Callable[[Connection], int]) -> int:
    removed = 0
    while count := await database.write(work):
        removed += count
    return removed


async def finished_threads(database: Database, threads: list[str], days: int) -> list[str]:
    """Of threads, those whose decision was recorded more than `days` ago, or is there no more."""

    def work(connection: Connection) -> list[str]:
        kept: set[str] = set()
        for start in range(0, len(threads), 500):
            query = select(decision.c.decision_id).where(
                decision.c.decision_id.in_(threads[start : start + 500]),
                (decision.c.standing != "recorded")
                | (decision.c.recorded_at >= database.now() - days * DAY_SECONDS),
            )
            kept.update(connection.scalars(query))
        return [thread for thread in threads if thread not in kept]

    return await database.read(work)


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
        changed = session_without(known, user, _told_by(connection, known, user))
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


def session_without(
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
