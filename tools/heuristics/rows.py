"""Heuristics, traces and feedback as rows: read and written inside somebody's transaction."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import (
    ColumnElement,
    Connection,
    func,
    literal_column,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.dialects.sqlite import insert

from state.heuristic import Attribution, Heuristic, KnownHeuristic, Sign, Signal
from state.strategy import ReasoningTrace
from state.strategy_tuning import LearningTuning
from tools.heuristics.confidence import confidence_of
from tools.storage.tables.learning import feedback, heuristic, reasoning_trace
from tools.storage.tables.memory import memory_entry

_TRACE = insert(reasoning_trace).on_conflict_do_nothing()
_FEEDBACK = insert(feedback)
_SAID_AGAIN = _FEEDBACK.on_conflict_do_update(
    index_elements=["tenant_id", "response_id", "kind"],
    set_={
        name: _FEEDBACK.excluded[name]
        for name in ("heuristic_id", "sign", "attribution", "strength", "given_by", "at")
    },
)
_ARRIVED: ColumnElement[int] = literal_column("feedback.rowid")
"""Which of two that were said at one time came first; what is said again keeps its place."""
LATER_TRACE: ColumnElement[int] = literal_column("reasoning_trace.rowid").desc()
"""Which of two responses of one time came last: its name is chance, and tells nothing."""
_HEURISTIC = insert(heuristic)
_NEW_OR_OVER = _HEURISTIC.on_conflict_do_update(
    index_elements=["tenant_id", "heuristic_id"], set_={"body": _HEURISTIC.excluded.body}
)


_SPOKE: ColumnElement[bool] = or_(
    memory_entry.c.said_by == "person",
    memory_entry.c.body["response_type"].as_string().in_(("answer", "question")),
)
"""Somebody spoke, or was answered: the name that an event is about has not been heard."""


@dataclass(frozen=True)
class Said:
    """What is to be written of a response: who says which sign of it, and what it counts for."""

    sign: Sign
    attribution: Attribution | None = None
    by: str | None = None
    heuristic_id: str | None = None
    strength: float = 1.0

    @property
    def kind(self) -> str:
        """Tell whether a person said it, or their doing did."""
        return "explicit" if self.sign in ("good", "meh", "bad") else "implicit"


def put_trace(connection: Connection, trace: ReasoningTrace, heuristic_id: str | None) -> None:
    """Keep how a response came about; one that is kept stays."""
    connection.execute(
        _TRACE,
        {
            "response_id": trace.response_id,
            "tenant_id": trace.tenant_id,
            "session_id": trace.session_id,
            "decision_id": trace.decision_id,
            "heuristic_id": heuristic_id,
            "at": trace.timestamp,
            "body": trace.model_dump(mode="json"),
        },
    )


def read_trace(
    connection: Connection, tenant_id: str | None, response_id: str
) -> ReasoningTrace | None:
    """Read how a response came about; None: there is none here, or it is forgotten.

    Args:
        tenant_id: None: any, for whoever is no tenant's.
    """
    query = select(reasoning_trace.c.body).where(reasoning_trace.c.response_id == response_id)
    if tenant_id is not None:
        query = query.where(reasoning_trace.c.tenant_id == tenant_id)
    body = connection.execute(query).scalar()
    return None if body is None else ReasoningTrace.model_validate(body)


def heuristic_of(connection: Connection, response_id: str) -> str | None:
    """Name the heuristic that a response counts for."""
    query = select(reasoning_trace.c.heuristic_id).where(
        reasoning_trace.c.response_id == response_id
    )
    return connection.execute(query).scalar()


def counts_for(connection: Connection, response_id: str, heuristic_id: str) -> None:
    """Let a response, and what was said of it, count for a heuristic from now on."""
    connection.execute(
        update(reasoning_trace)
        .where(reasoning_trace.c.response_id == response_id)
        .values(heuristic_id=heuristic_id)
    )
    connection.execute(
        update(feedback)
        .where(feedback.c.response_id == response_id)
        .values(heuristic_id=heuristic_id)
    )


def put_feedback(connection: Connection, trace: ReasoningTrace, said: Said, at: float) -> None:
    """Write what is said of a response; what was said of it before is replaced, not added to."""
    connection.execute(
        _SAID_AGAIN,
        {
            "tenant_id": trace.tenant_id,
            "response_id": trace.response_id,
            "kind": said.kind,
            "heuristic_id": said.heuristic_id,
            "session_id": trace.session_id,
            "sign": said.sign,
            "attribution": said.attribution,
            "strength": said.strength,
            "given_by": said.by,
            "first_at": at,
            "at": at,
        },
    )


def signs_of(connection: Connection, tenant_id: str, response_id: str) -> dict[str, Signal]:
    """Read what was said of a response, by kind."""
    query = select(feedback).where(
        feedback.c.tenant_id == tenant_id, feedback.c.response_id == response_id
    )
    return {row["kind"]: _signal(row) for row in connection.execute(query).mappings()}


def put_heuristic(connection: Connection, one: Heuristic) -> None:
    """Write a heuristic, new or changed."""
    connection.execute(
        _NEW_OR_OVER,
        {
            "tenant_id": one.tenant_id,
            "heuristic_id": one.heuristic_id,
            "body": one.model_dump(mode="json"),
            "made_at": one.made_at,
        },
    )


def read_heuristics(
    connection: Connection,
    tenant_id: str,
    tuning: LearningTuning,
    only: Collection[str] | None = None,
) -> tuple[KnownHeuristic, ...]:
    """Read what a tenant has, oldest first, each with its confidence; `only`: those of a name."""
    query = (
        select(heuristic.c.body)
        .where(heuristic.c.tenant_id == tenant_id)
        .order_by(heuristic.c.made_at, heuristic.c.heuristic_id)
    )
    if only is not None:
        query = query.where(heuristic.c.heuristic_id.in_(only))
    found = [Heuristic.model_validate(body) for body in connection.scalars(query)]
    return tuple(known_of(connection, one, tuning) for one in found)


def read_siblings(connection: Connection, one: Heuristic) -> tuple[Heuristic, ...]:
    """Read the learned ones in use that do the same kind of thing at the same source."""
    body = heuristic.c.body
    query = (
        select(body)
        .where(
            heuristic.c.tenant_id == one.tenant_id,
            body["origin"].as_string() == "learned",
            body["disabled"].as_string().is_(None),
            body["kind"].as_string() == one.kind,
            body["source"].as_string().is_not_distinct_from(one.source),
            body["action"].as_string().is_not_distinct_from(one.action),
        )
        .order_by(heuristic.c.made_at, heuristic.c.heuristic_id)
    )
    return tuple(Heuristic.model_validate(found) for found in connection.scalars(query))


def read_heuristic(
    connection: Connection, tenant_id: str, heuristic_id: str, tuning: LearningTuning
) -> KnownHeuristic | None:
    """Read one heuristic with its confidence."""
    query = select(heuristic.c.body).where(
        heuristic.c.tenant_id == tenant_id, heuristic.c.heuristic_id == heuristic_id
    )
    body = connection.execute(query).scalar()
    if body is None:
        return None
    return known_of(connection, Heuristic.model_validate(body), tuning)


def tenants_with_heuristics(connection: Connection) -> Sequence[str]:
    """Name the tenants that have any."""
    return connection.scalars(select(heuristic.c.tenant_id).distinct()).all()


def people_heard(connection: Connection) -> Sequence[tuple[str, tuple[str, ...]]]:
    """Name, tenant by tenant, two people whom memory or a rating knows; one, where it is alone."""
    heard: list[tuple[str, tuple[str, ...]]] = []
    for table, name, is_theirs in (
        (memory_entry, memory_entry.c.user, _SPOKE),
        (feedback, feedback.c.given_by, true()),
    ):
        query = select(table.c.tenant_id, func.min(name), func.max(name))
        query = query.where(name.is_not(None), is_theirs)
        found = connection.execute(query.group_by(table.c.tenant_id)).all()
        heard.extend((tenant_id, (first, last)) for tenant_id, first, last in found)
    return heard


def known_of(connection: Connection, one: Heuristic, tuning: LearningTuning) -> KnownHeuristic:
    """Fold what was said of a heuristic into its confidence."""
    query = (
        select(feedback)
        .where(
            feedback.c.tenant_id == one.tenant_id,
            feedback.c.heuristic_id == one.heuristic_id,
        )
        .order_by(feedback.c.first_at.desc(), _ARRIVED.desc())
        .limit(tuning.signals_kept)
    )
    signals = [_signal(row) for row in connection.execute(query).mappings()]
    signals.reverse()
    return KnownHeuristic(heuristic=one, confidence=confidence_of(one, signals, tuning))


def _signal(row: object) -> Signal:
    return Signal.model_validate({name: row[name] for name in Signal.model_fields})  # type: ignore[index]  # a row's mapping
