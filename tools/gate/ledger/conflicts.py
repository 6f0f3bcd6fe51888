"""What keeps an action from running: duplicates of it, and staleness since its approval.

Two actions are duplicates if tenant, name and arguments are equal, things by canonical name.
Versions of targets are left out: the first of two runs often changes them.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import (
    Boolean,
    ColumnElement,
    CompoundSelect,
    Connection,
    Float,
    RowMapping,
    Select,
    String,
    bindparam,
    or_,
    select,
    text,
    union_all,
    update,
)
from sqlalchemy import func as sql

from state.action import DECLARED, Action
from state.approval import Duplicate, LedgerAction
from state.errors import AlreadyAsked, Conflict, NotFound, RejectedLately
from state.execution import ExecutionTuning
from state.proposal import NOT_OWN, WANTED_AGAIN, budget_of
from state.reader import Reader
from tools.catalog import Catalogue
from tools.gate.approvals.approval_rules import approvers_of, may_still_ask, standing_yeses
from tools.gate.approvals.grant_rows import why_grant_is_void
from tools.gate.ledger.queries import visible_to
from tools.gate.ledger.rows import (
    Policies,
    digest_of,
    is_as_proposed,
    read_action,
    record_entry,
)
from tools.platform.clock import duration_in_words, instant_of
from tools.platform.serialization import canonical_json
from tools.platform.texts import t
from tools.storage import Database
from tools.storage.tables.decisions import decision
from tools.storage.tables.ledger import ledger_action as table
from tools.storage.tables.ledger import ledger_entry as _entry

_IS_PERMITTED = (table.c.state == "approved", table.c.pack == DECLARED)
_RAN = ("started", "succeeded", "unknown")
OPEN = ("pending", "proposed", "approved")
"""States in which a question, or its yes, is void once the same has run."""
MOST_NAMED = 5
"""Duplicates of one action, the newest first: one is reason enough to look twice."""


def demand_first(
    connection: Connection,
    database: Database,
    values: Mapping[str, Any],  # by column
) -> None:
    """Let pass what its asker has no open question about; there is never more than one of a deed.

    Asked again in another session, the new question takes the place of the old one, which becomes
    stale: what is said in a session is then about the question that was asked there. A person's
    own request never waits behind one that a model, a foreign text or an agent put in their name,
    nor does such a one replace it. A call that its agent wants once more waits beside the first.

    Raises:
        AlreadyAsked: the same person's same question is open; the sentence says since when.
    """
    query = (
        select(table.c.action_id, (database.now() - table.c.proposed_at).label("seconds"))
        .where(
            table.c.tenant_id == values["tenant_id"],
            table.c.requester == values["requester"],
            table.c.state.in_(("pending", "proposed")),
            table.c.digest == values["digest"],
            table.c.undo_of.is_not_distinct_from(values["undo_of"]),
            table.c.decision_id != values["decision_id"],
            or_(table.c.expires_at.is_(None), table.c.expires_at > database.now()),
        )
        .order_by(table.c.proposed_at)
        .limit(1)
    )
    if WANTED_AGAIN in values["raised"]:
        return
    is_own = budget_of(values["origin"]) == "own"
    if is_own:
        query = query.where(table.c.origin.not_in(NOT_OWN))
    found = connection.execute(query).first()
    if found is None:
        return
    standing = read_action(connection, found.action_id)
    if is_own and not _are_of_one_session(connection, standing.decision_id, values["decision_id"]):
        again = t("gate.asked_elsewhere")
        _make_stale(connection, database, standing, again, actor=values["requester"])
        return
    raise _already_asked(standing, found.seconds)


def demand_no_permit(
    connection: Connection,
    database: Database,
    values: Mapping[str, Any],  # by column
) -> None:
    """Let pass a call of an agent's own tool that it may not run already.

    Raises:
        AlreadyAsked: the same call of the same asker has a permit that nobody has taken.
    """
    query = select(
        table.c.action_id, (database.now() - table.c.proposed_at).label("seconds")
    ).where(
        table.c.tenant_id == values["tenant_id"],
        table.c.requester == values["requester"],
        table.c.digest == values["digest"],
        table.c.decision_id != values["decision_id"],
        # What asks for less was not allowed what asks for more.
        table.c.execution_class >= values["execution_class"],
        table.c.expires_at > database.now(),
        *_IS_PERMITTED,
    )
    found = None if WANTED_AGAIN in values["raised"] else connection.execute(query).first()
    if found is not None:
        raise _already_asked(read_action(connection, found.action_id), found.seconds)


def _already_asked(standing: LedgerAction, seconds: float) -> AlreadyAsked:
    waits = t(f"gate.waits.{standing.state}")
    ago = duration_in_words(seconds)
    told = t("gate.already_asked", summary=standing.summary, ago=ago, waits=waits)
    return AlreadyAsked(told, standing.state, standing.action_id)


def demand_not_rejected(
    connection: Connection,
    database: Database,
    values: Mapping[str, Any],  # by column
    minutes: float,
) -> None:
    """Let pass what no person has rejected within so many minutes, as an agent's call of the asker.

    Raises:
        RejectedLately: somebody has; the sentence says who, when and why.
    """
    if values["origin"] != "agent" or WANTED_AGAIN in values["raised"]:
        return
    now = database.now()
    since = now - minutes * 60
    query = (
        _rejected(
            since, select(_entry.c.actor, table.c.reason, (now - _entry.c.at).label("seconds"))
        )
        .where(
            table.c.tenant_id == values["tenant_id"],
            table.c.requester == values["requester"],
            table.c.action == values["action"],
            or_(table.c.arguments == values["arguments"], table.c.digest == values["digest"]),
            table.c.origin == "agent",
        )
        .order_by(_entry.c.at.desc())
    )
    found = connection.execute(query).first()
    if found is not None:
        ago, why = duration_in_words(found.seconds), (found.reason or "").rstrip(".")
        raise RejectedLately(t("gate.rejected_lately", who=found.actor, ago=ago, reason=why))


def _rejected(since: ColumnElement[float], query: Select[Any]) -> Select[Any]:
    """Narrow a query to the actions that another person than their asker has rejected since then.

    Whoever calls off their own call says nothing about it: only an answer has a method.
    """
    return query.join(_entry, _entry.c.action_id == table.c.action_id).where(
        table.c.state == "rejected",
        table.c.expires_at > since,  # by the index: it would have run out later still
        table.c.decided_by != table.c.requester,
        _entry.c.event == "rejected",
        _entry.c.at > since,
        _entry.c.body["method"].as_string().is_not(None),
    )


def with_duplicates(
    connection: Connection,
    database: Database,
    actions: Sequence[LedgerAction],
    minutes: float,
    reader: Reader | None = None,
) -> list[LedgerAction]:
    """Name the duplicates of each Class C action that may still be said yes to.

    Args:
        minutes: what was started longer ago is no duplicate any more.
        reader: who is shown them; what they may not see is told without a name. None: ourselves.
    """
    asked = [one for one in actions if one.execution_class == "C" and one.state in OPEN]
    if not asked:
        return list(actions)
    found: dict[bytes, list[RowMapping]] = {}
    for row in _alike(connection, database, asked, minutes, reader):
        found.setdefault(_deed(row["action"], row["arguments"]), []).append(row)
    return [
        one.model_copy(update={"duplicates": _named(one, found)}) if one in asked else one
        for one in actions
    ]


def running_duplicate(connection: Connection, standing: LedgerAction) -> str | None:
    """Name the action that does the same at this moment; None: none does."""
    found: str | None = connection.scalar(
        _same_as(standing).where(table.c.state == "started").limit(1)
    )
    return found


def has_run_lately(
    connection: Connection, database: Database, standing: LedgerAction, minutes: float
) -> bool:
    """Tell whether the same has run, or begun, within so many minutes."""
    [named] = with_duplicates(connection, database, [standing], minutes)
    return any(one.state in _RAN for one in named.duplicates)


def void_duplicates(connection: Connection, database: Database, done: LedgerAction) -> None:
    """Make every other question of what has just run stale: its yes was one to a first run.

    A call that its agent asked for once more stays open: its dialog says that the same has run.
    """
    told = t("gate.done_meanwhile", requester=done.requester, action_id=done.action_id)
    query = _same_as(done).where(table.c.state.in_(OPEN))
    for action_id in connection.scalars(query).all():
        standing = read_action(connection, action_id)
        if WANTED_AGAIN not in standing.raised:
            _make_stale(connection, database, standing, told, actor="executor")


def _make_stale(
    connection: Connection, database: Database, standing: LedgerAction, reason: str, *, actor: str
) -> None:
    whose = table.c.action_id == standing.action_id
    connection.execute(update(table).where(whose).values(state="stale", reason=reason))
    record_entry(
        connection,
        database,
        tenant_id=standing.tenant_id,
        action_id=standing.action_id,
        actor=actor,
        event="stale",
        body={"reason": reason},
    )


def _are_of_one_session(connection: Connection, *decision_ids: str) -> bool:
    query = select(decision.c.session_id).where(decision.c.decision_id.in_(decision_ids))
    return len(set(connection.scalars(query).all())) <= 1


def _same_as(one: LedgerAction) -> Select[Any]:
    return select(table.c.action_id).where(
        table.c.tenant_id == one.tenant_id,
        table.c.action == one.action,
        or_(table.c.arguments == dict(one.arguments), table.c.digest == one.digest),
        table.c.execution_class == "C",
        table.c.action_id != one.action_id,
    )


def _alike(
    connection: Connection,
    database: Database,
    asked: Sequence[LedgerAction],
    minutes: float,
    reader: Reader | None,
) -> Sequence[RowMapping]:
    """Read what is open, and what was rejected lately, or started and not undone, newest first."""
    tenant_id = asked[0].tenant_id  # nobody is shown those of two at once
    given = {
        "tenant": tenant_id,
        "actions": [*{one.action for one in asked}],
        "of_arguments": [dict(one.arguments) for one in asked],
        "digests": [*{one.digest for one in asked}],
        "period": minutes * 60,
    }
    now = database.now()
    if reader is not None and reader.closed:
        query = _alike_query(now, visible_to(reader))
    else:  # all of a tenant is seen or none of it is
        query = _all_alike(now)
        given["is_ours"] = reader is None or reader.tenant_id == tenant_id
    return connection.execute(query, given).mappings().all()


@cache
def _all_alike(now: ColumnElement[float]) -> CompoundSelect[Any]:
    return _alike_query(now, bindparam("is_ours", type_=Boolean))


def _alike_query(now: ColumnElement[float], seen: ColumnElement[bool]) -> CompoundSelect[Any]:
    columns = ("action_id", "state", "requester", "action", "arguments", "decided_by", "reason")
    at = sql.coalesce(table.c.started_at, table.c.proposed_at)
    chosen = select(*(table.c[name] for name in columns), seen.label("is_seen")).where(
        table.c.execution_class == "C",
        table.c.action.in_(bindparam("actions", expanding=True)),
        or_(
            table.c.arguments.in_(bindparam("of_arguments", expanding=True)),
            # 20 and 20.0 are written apart
            table.c.digest.in_(bindparam("digests", expanding=True)),
        ),
    )
    named = chosen.add_columns(at.label("at"))
    tenant_id = bindparam("tenant", type_=String)
    since = now - bindparam("period", type_=Float)
    is_open = named.where(table.c.tenant_id == tenant_id, table.c.state.in_(OPEN))
    ran = named.where(
        # Not by the index of tenants and states, which holds the years before, too: what was
        # started so lately runs out later still, and the index of that holds few.
        table.c.tenant_id.op("||")("") == tenant_id,
        table.c.state.in_(_RAN),
        table.c.expires_at > since,
        table.c.started_at > since,
        table.c.undo_at.is_(None),
    )
    of_tenant = chosen.where(table.c.tenant_id.op("||")("") == tenant_id)
    rejected = _rejected(since, of_tenant.add_columns(_entry.c.at.label("at")))
    return union_all(is_open, ran, rejected).order_by(text("at desc"))


def _named(one: LedgerAction, found: Mapping[bytes, list[RowMapping]]) -> tuple[Duplicate, ...]:
    alike = found.get(_deed(one.action, one.arguments), [])
    others = [row for row in alike if row["action_id"] != one.action_id]
    return tuple(map(_duplicate, others[:MOST_NAMED]))


def _duplicate(row: RowMapping) -> Duplicate:
    is_no = row["state"] == "rejected"
    whose = ("action_id", "requester", *(("decided_by", "reason") if is_no else ()))
    told = {name: row[name] if row["is_seen"] else None for name in whose}
    return Duplicate.model_validate({**told, "state": row["state"], "at": instant_of(row["at"])})


def _deed(action: str, arguments: Mapping[str, Any]) -> bytes:
    return canonical_json([action, dict(arguments)])


def why_stale(
    connection: Connection,
    database: Database,
    catalogue: Catalogue,
    policies: Policies,
    standing: LedgerAction,
) -> str | None:
    """Say why an approved action must not be started any more; None: it may."""
    catalogue = catalogue.of_tenant(standing.tenant_id)
    try:
        action = catalogue.action(standing.action)
    except NotFound:
        return t("gate.stale.gone")
    if (withheld := catalogue.why_withheld(action.name)) is not None:
        return withheld
    if policies.of(action).phase == "shadow":
        return t("gate.stale.shadow")
    if standing.schema_hash != catalogue.schema_hash(action.name):
        return t("gate.stale.catalog")
    if standing.policy_version != policies.version_of(action):
        return t("gate.stale.policy")
    if standing.digest != current_digest(catalogue, policies, standing):
        return t("gate.stale.tampered")
    if not catalogue.may_ask(action.name, standing.requester_roles):
        return t("gate.stale.requester")
    if standing.execution_class < action.floor:
        return t("gate.stale.class_raised")
    if standing.execution_class == "A":
        return None
    return _why_without_a_yes(connection, database, policies, action, standing)


def runs_unasked(origin: str, rules: ExecutionTuning) -> bool:
    """Tell whether a Class B call runs without a person's choice: an agent's, where policy says so.

    Args:
        rules: what holds for the action, see ExecutionTuning.of.
    """
    return origin == "agent" and rules.agent_writes == "run"


def _why_without_a_yes(
    connection: Connection,
    database: Database,
    policies: Policies,
    action: Action,
    standing: LedgerAction,
) -> str | None:
    if not may_still_ask(connection, database, standing, action.roles):
        return t("gate.stale.requester")
    if not is_as_proposed(connection, database, standing.action_id):
        return t("gate.stale.tampered")
    asks_people = standing.execution_class == "C"
    if standing.execution_class == "B" and runs_unasked(standing.origin, policies.of(action)):
        return None
    is_again = WANTED_AGAIN in standing.raised
    if asks_people and not is_again and (same := running_duplicate(connection, standing)):
        return t("gate.stale.running", same=same)
    undone = read_action(connection, standing.undo_of) if standing.undo_of else None
    if undone is not None and standing.execution_class < undone.execution_class:
        return t("gate.stale.class_raised")
    # Who and how many: from the catalogue, which is the one it was approved under.
    try:
        approvers = approvers_of(action, undone)
    except Conflict as conflict:
        return str(conflict)
    roles = approvers.roles if asks_people else action.roles
    needed = approvers.quorum if asks_people else 1
    four_eyes = approvers.four_eyes
    if len(standing_yeses(connection, database, standing, roles, four_eyes=four_eyes)) < needed:
        return t("gate.stale.not_approved")
    return why_grant_is_void(connection, database, policies, action, standing)


def current_digest(catalogue: Catalogue, policies: Policies, standing: LedgerAction) -> str:
    """Hash an action as it would run under this catalogue and this policy.

    Raises:
        NotFound: the catalogue does not hold it.
    """
    catalogue = catalogue.of_tenant(standing.tenant_id)
    return digest_of(
        tenant_id=standing.tenant_id,
        action=standing.action,
        schema_hash=catalogue.schema_hash(standing.action),
        policy_version=policies.version_of(catalogue.action(standing.action)),
        arguments=standing.arguments,
        targets=standing.target_versions,
    )
