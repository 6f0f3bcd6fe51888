"""Hard false positives: actions started without intent, counted from the ledger's rows.

Source: action execution contract §2 (measured at execution, not at routing).
"""

from collections.abc import Mapping
from typing import Any, Literal

from sqlalchemy import (
    ColumnElement,
    Connection,
    Integer,
    ScalarSelect,
    Select,
    and_,
    case,
    cast,
    func,
    literal,
    or_,
    select,
)

from state.query import HardFalsePositive
from tools.catalog import Catalogue
from tools.storage.tables.ledger import ledger_action, ledger_approval

MOST_NAMED = 100

# On purpose not tools/gate/approvals/approval_rules: what measures the ledger does not ask it.
_VOTES: ScalarSelect[int] = (
    select(func.count(func.lower(ledger_approval.c.approver).distinct()))
    .select_from(ledger_approval)
    .where(
        ledger_approval.c.action_id == ledger_action.c.action_id,
        ledger_approval.c.decision == "approve",
        ledger_approval.c.digest_seen == ledger_action.c.digest,
        # Where four eyes are due, neither who asked nor who wrote the arguments counts.
        or_(
            ledger_action.c.four_eyes.is_(False),
            and_(
                func.lower(ledger_approval.c.approver) != func.lower(ledger_action.c.requester),
                func.lower(ledger_approval.c.approver)
                != func.lower(func.coalesce(ledger_action.c.editor, "")),
            ),
        ),
    )
    .scalar_subquery()
)

Why = Literal["no_quorum", "no_choice", "below_floor"]


def count_false_positives(
    connection: Connection, catalogue: Catalogue, tenant_id: str | None = None
) -> int:
    """Count what was started without intent; None: in all tenants."""
    found = _harmful(catalogue, tenant_id).subquery()
    return connection.execute(select(func.count()).select_from(found)).scalar_one()


def false_positives_over_time(
    connection: Connection, catalogue: Catalogue, tenant_id: str, *, seconds: int, since: float
) -> Mapping[int, int]:
    """Count by spans of so many seconds what was started without intent in a tenant."""
    place = cast(ledger_action.c.started_at / seconds, Integer).label("place")
    found = _harmful(catalogue, tenant_id).where(ledger_action.c.started_at >= since)
    spans = found.add_columns(place).subquery()
    query = select(spans.c.place, func.count()).group_by(spans.c.place)
    return {row.place: row[1] for row in connection.execute(query)}


def list_false_positives(
    connection: Connection, catalogue: Catalogue, tenant_id: str | None = None
) -> list[HardFalsePositive]:
    """Name what was started without intent, the newest first."""
    newest = _harmful(catalogue, tenant_id).order_by(ledger_action.c.started_at.desc())
    return [
        HardFalsePositive.model_validate(dict(row))
        for row in connection.execute(newest.limit(MOST_NAMED)).mappings()
    ]


def _harmful(catalogue: Catalogue, tenant_id: str | None) -> Select[Any]:
    why = _why(catalogue)
    query = select(
        ledger_action.c.action_id,
        ledger_action.c.tenant_id,
        ledger_action.c.action,
        ledger_action.c.execution_class,
        why.label("why"),
    ).where(ledger_action.c.started_at.is_not(None), why.is_not(None))
    return query if tenant_id is None else query.where(ledger_action.c.tenant_id == tenant_id)


def _why(catalogue: Catalogue) -> ColumnElement[str | None]:
    """Say what an execution lacked; null: nothing.

    An action that is in the catalogue no more is judged by the class it was started with; what
    only reads can do no harm of this kind.
    """
    column = ledger_action.c
    actions = catalogue.actions
    reads = [action.name for action in actions.values() if action.floor == "A"]
    writes = [action.name for action in actions.values() if action.floor == "B"]
    gated = [action.name for action in actions.values() if action.floor == "C"]
    # What ran under an older entry had the floor of that one; '' is older than the column.
    hashes = ["", *(catalogue.schema_hash(name) for name in (*writes, *gated))]
    below = and_(
        column.schema_hash.in_(hashes),
        or_(
            and_(column.execution_class == "A", column.action.in_([*writes, *gated])),
            and_(column.execution_class == "B", column.action.in_(gated)),
        ),
    )
    return case(
        (below, literal("below_floor")),
        (
            and_(column.execution_class == "C", func.max(column.quorum, 1) > _VOTES),
            literal("no_quorum"),
        ),
        (
            and_(column.execution_class == "B", column.action.not_in(reads), _VOTES < 1),
            literal("no_choice"),
        ),
        else_=None,
    )
