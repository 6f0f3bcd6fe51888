"""Heuristics, reasoning traces and feedback as rows, and the confidence feedback gives.

Confidence is a Beta posterior. Source: executive.md §1.9.
"""

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    bindparam,
    func,
    literal_column,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.dialects.sqlite import insert

from state.heuristic import Attribution, Confidence, Heuristic, KnownHeuristic, Sign, Signal
from state.strategy import ReasoningTrace
from state.strategy_tuning import LearningTuning
from tools.storage.tables.memory import feedback, heuristic, memory_entry, reasoning_trace


@dataclass(frozen=True)
class BetaCounts:
    """Two counts, for and against."""

    a: float
    b: float

    @property
    def mean(self) -> float:
        """Give the expected share of answers that are liked."""
        return self.a / (self.a + self.b)

    @property
    def lower(self) -> float:
        """Give the mean less half a standard deviation."""
        mean = self.mean
        return mean - 0.5 * math.sqrt(mean * (1 - mean) / (self.a + self.b + 1))


def prior_of(heuristic: Heuristic, tuning: LearningTuning) -> BetaCounts:
    """Tell where a heuristic starts: a learned one low, a shipped one where its pack put it."""
    if heuristic.declared is None:
        return BetaCounts(tuning.prior_for, tuning.prior_against)
    strength = tuning.shipped_strength
    declared = min(0.99, max(0.01, heuristic.declared))  # at 0 or 1 nothing could move it
    return BetaCounts(declared * strength, (1 - declared) * strength)


def confidence_of(
    heuristic: Heuristic, signals: Sequence[Signal], tuning: LearningTuning
) -> Confidence:
    """Fold signals, oldest first, into what a heuristic may be relied on for.

    Each step fades what was learned towards the prior, so that unused knowledge returns to it. What
    a pack declares is an author's word: it moves by as much as the lower bound does.
    """
    prior = beta = prior_of(heuristic, tuning)
    seen: Counter[tuple[str, bool]] = Counter()
    if not heuristic.locked:
        for signal in signals:
            weight = weight_of(signal, tuning) * heuristic.weight
            if weight == 0:
                continue
            place = (signal.session_id, is_positive(signal))
            weight /= 1 + tuning.again * seen[place]
            seen[place] += 1
            beta = _after(beta, prior, weight, 1.0 if is_positive(signal) else 0.0, tuning.discount)
    goods = [signal for signal in signals if signal.sign == "good"]
    taught_by = tuple(sorted({one.given_by for one in goods if one.given_by}))
    is_ours = heuristic.declared is not None or heuristic.locked
    return Confidence(
        usable=_usable(heuristic, beta, prior, goods=len(goods), tuning=tuning),
        mean=beta.mean,
        lower=beta.lower,
        a=beta.a,
        b=beta.b,
        blocked=not heuristic.locked and _is_on_probation(signals),
        doubted=not heuristic.locked and _is_doubted(signals),
        taught_by=taught_by,
        taught_in=tuple(sorted({one.session_id for one in goods})),
        shared=is_ours or len(taught_by) >= tuning.people,
        goods=len(goods),
        bads=sum(_is_bad(signal) for signal in signals),
        signals=len(signals),
    )


def weight_of(signal: Signal, tuning: LearningTuning) -> float:
    """Weigh a signal; one of a bad moment says nothing of the heuristic."""
    if signal.sign == "bad" and signal.attribution == "bad_timing":
        return 0.0
    if signal.sign == "agreed":
        is_alike = signal.strength >= tuning.alike
        return tuning.weights["agreed"] * signal.strength if is_alike else 0.0
    return tuning.weights[signal.sign]


def is_positive(signal: Signal) -> bool:
    """Tell which way a signal points; silence of somebody who is there is no complaint."""
    return signal.sign in ("good", "meh", "silence", "agreed")


def _after(
    beta: BetaCounts, prior: BetaCounts, weight: float, liked: float, discount: float
) -> BetaCounts:
    return BetaCounts(
        prior.a + discount * (beta.a - prior.a) + weight * liked,
        prior.b + discount * (beta.b - prior.b) + weight * (1 - liked),
    )


def _usable(
    heuristic: Heuristic, beta: BetaCounts, prior: BetaCounts, *, goods: int, tuning: LearningTuning
) -> float:
    if heuristic.declared is not None:
        told = heuristic.declared + beta.lower - prior.lower
        if heuristic.locked:
            return heuristic.declared
    else:
        told = beta.lower if goods else min(tuning.without_person, beta.lower)
    return min(heuristic.ceiling, max(heuristic.floor, told))


def _is_on_probation(signals: Sequence[Signal]) -> bool:
    """Two bad ones in a row, or three of the last five, block it until the next good one."""
    blocked = False
    told: list[bool] = []
    for signal in signals:
        if signal.sign == "good":
            blocked = False
            told.append(False)
        elif signal.sign == "meh":
            told.append(False)
        elif _is_bad(signal):
            told.append(True)
            blocked = blocked or told[-2:] == [True, True] or sum(told[-5:]) >= 3
    return blocked


def _is_doubted(signals: Sequence[Signal]) -> bool:
    """What it says was called wrong, and nobody has liked it since.

    Whoever said so may have changed their mind or been mistaken: asking a model tells which, and
    costs one call.
    """
    told = (signal for signal in reversed(signals) if signal.sign == "good" or _is_bad(signal))
    last = next(told, None)
    return last is not None and last.sign != "good" and last.attribution != "not_wanted"


def _is_bad(signal: Signal) -> bool:
    return signal.sign == "undone" or (signal.sign == "bad" and signal.attribution != "bad_timing")


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
_BODY = select(heuristic.c.body).where(
    heuristic.c.tenant_id == bindparam("tenant"), heuristic.c.heuristic_id == bindparam("wanted")
)
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
class FeedbackEntry:
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


def assign_heuristic(connection: Connection, response_id: str, heuristic_id: str) -> None:
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


def put_feedback(
    connection: Connection, trace: ReasoningTrace, said: FeedbackEntry, at: float
) -> None:
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


def feedback_signals(connection: Connection, tenant_id: str, response_id: str) -> dict[str, Signal]:
    """Read what was said of a response, by kind."""
    query = select(feedback).where(
        feedback.c.tenant_id == tenant_id, feedback.c.response_id == response_id
    )
    return {row["kind"]: _signal(row) for row in connection.execute(query).mappings()}


_UNLEARNED_IN_WORDS = "no good answer is left that it was learned from"
"""What alone tells it in rows that were written before `unlearned`."""


def put_heuristic(connection: Connection, one: Heuristic) -> None:
    """Write a heuristic, new or changed."""
    connection.execute(
        _NEW_OR_OVER,
        {
            "tenant_id": one.tenant_id,
            "heuristic_id": one.heuristic_id,
            "body": one.model_dump(mode="json") | {"unlearned": one.unlearned},
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
    found = [_heuristic(body) for body in connection.scalars(query)]
    return tuple(with_confidence(connection, one, tuning) for one in found)


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
    return tuple(_heuristic(found) for found in connection.scalars(query))


def _heuristic(body: Mapping[str, Any]) -> Heuristic:
    was_unlearned = body.get("disabled") == _UNLEARNED_IN_WORDS
    return Heuristic.model_validate({"unlearned": was_unlearned, **body})


def read_heuristic(
    connection: Connection, tenant_id: str, heuristic_id: str, tuning: LearningTuning
) -> KnownHeuristic | None:
    """Read one heuristic with its confidence."""
    wanted = {"tenant": tenant_id, "wanted": heuristic_id}
    body = connection.execute(_BODY, wanted).scalar()
    if body is None:
        return None
    return with_confidence(connection, _heuristic(body), tuning)


def tenants_with_heuristics(connection: Connection) -> Sequence[str]:
    """Name the tenants that have any."""
    return connection.scalars(select(heuristic.c.tenant_id).distinct()).all()


def known_people(connection: Connection) -> Sequence[tuple[str, tuple[str, ...]]]:
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


def with_confidence(
    connection: Connection, one: Heuristic, tuning: LearningTuning
) -> KnownHeuristic:
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
