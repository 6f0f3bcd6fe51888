"""Regretted utterances and silences: noted in the transaction of what tells of them, and counted.

Only events count that nobody addressed to us. A decision is regretted once, however often and by
however many people; praise of an utterance takes its regret back.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Integer,
    RowMapping,
    String,
    bindparam,
    case,
    cast,
    delete,
    func,
    literal_column,
    select,
)
from sqlalchemy.dialects.sqlite import insert

from state.event import Event
from state.quality import (
    SILENT,
    Regret,
    RegretCause,
    RegretCounts,
    RegretKind,
    Regrets,
    SourceRegrets,
    WeekRegrets,
)
from state.reader import Reader
from state.talk import TalkRequest
from tools.access.permissions import may_move
from tools.memory import request_of_signal
from tools.memory.session.feedback import (
    feedback_of_signal,
    silence_feedback_of_signal,
    wake_pattern,
)
from tools.nlu import matches_topic
from tools.nlu.feedback import reaction_in
from tools.platform.clock import DAY_SECONDS, Clock, instant_of
from tools.ports import Catalogue
from tools.storage import Database, readable_in
from tools.storage.record_hooks import SettledDecision, was_only_scored
from tools.storage.sessions import read_session, save_session
from tools.storage.tables.decisions import decision
from tools.storage.tables.memory import memory_entry, reasoning_trace
from tools.storage.tables.observability import regret

_HUSHES = ("quiet", "mute", "less")
"""Requests that say of an utterance right before them that it came at a bad time."""
_LATELY = 5
"""Utterances among which the one is looked for that a muted topic is about."""
_EVENT = select(
    decision.c.tenant_id,
    decision.c.session_id,
    decision.c.source,
    decision.c.recorded_at,
    decision.c.outcome,
    func.json_extract(decision.c.stages, "$.salience.pattern", type_=String).label("pattern"),
).where(
    decision.c.decision_id == bindparam("wanted"),
    decision.c.tenant_id == bindparam("tenant"),
    decision.c.session_id == bindparam("session"),
    decision.c.kind == "ambient",
)
_SAID = (
    select(memory_entry.c.decision_id, memory_entry.c.text, memory_entry.c.about)
    .where(
        memory_entry.c.tenant_id == bindparam("tenant"),
        memory_entry.c.session_id == bindparam("session"),
        memory_entry.c.said_by == "us",
        memory_entry.c.decision_id != bindparam("decision"),
        memory_entry.c.at.between(bindparam("since"), bindparam("until")),
    )
    .order_by(memory_entry.c.at.desc(), memory_entry.c.entry_id.desc())
    .limit(_LATELY)
)
_NEW = insert(regret)
_PUT = _NEW.on_conflict_do_update(
    index_elements=["decision_id"],
    set_={name: _NEW.excluded[name] for name in ("kind", "cause", "at", "said_in")},
)


@dataclass(frozen=True)
class RegretRecorder:
    """Notes what a decision says of an utterance or a silence before it."""

    catalogue: Catalogue
    answers_within_seconds: float
    """So long after we spoke a word is one to that."""

    def note(self, settled: SettledDecision) -> None:
        """Note what a message or a signal regrets; whoever may change nothing regrets nothing."""
        if settled.standing != "recorded" or was_only_scored(settled.stages):
            return
        event = settled.event
        if event.kind not in ("message", "signal") or not may_move(event, self.catalogue):
            return
        given, silence = feedback_of_signal(event), silence_feedback_of_signal(event)
        if given is not None:
            told_in = _decision_of(settled, given.response_id)
            self._note(settled, told_in, "utterance", "rated", is_bad=given.rating == "bad")
        elif silence is not None:
            is_bad = silence.rating == "should_have_told"
            silent = self._note(
                settled, silence.decision_id, "silence", "should_have_told", is_bad=is_bad
            )
            if silent is not None and is_bad:
                _wake(settled, silent["pattern"] or "")
        else:
            self._said(settled, event)

    def _said(self, settled: SettledDecision, event: Event) -> None:
        policy = settled.stages.get("policy") or {}
        heard = None
        if event.kind == "message":
            heard = reaction_in(event.text, policy.get("reasons") or ())
        requests = [one for one in (_talk(policy), request_of_signal(event)) if one is not None]
        if heard is None and not requests:
            return
        said = self._lately(settled)
        if heard is not None and said:
            last = said[0]["decision_id"]
            self._note(settled, last, "utterance", "said", is_bad=heard == "bad")
        for request in requests:
            if request.kind in _HUSHES and said:
                self._note(settled, said[0]["decision_id"], "utterance", "quieted")
            elif request.kind == "suppress":
                topic = request.topic or ""
                found = (one["decision_id"] for one in said if _is_about(topic, one))
                self._note(settled, next(found, None), "utterance", "suppressed")

    def _lately(self, settled: SettledDecision) -> list[RowMapping]:
        record = settled.record
        now = record.recorded_at.timestamp()
        asked = {
            "tenant": record.tenant_id,
            "session": record.session_id,
            "decision": record.decision_id,
            "since": now - self.answers_within_seconds,
            "until": now,
        }
        return list(settled.connection.execute(_SAID, asked).mappings())

    def _note(
        self,
        settled: SettledDecision,
        decision_id: str | None,
        kind: RegretKind,
        cause: RegretCause,
        *,
        is_bad: bool = True,
    ) -> RowMapping | None:
        """Put a regret down, or take one of its kind back; return the decision that it is of.

        None, and nothing is changed: it is on no event of the same session, or none of that kind.
        """
        connection, record = settled.connection, settled.record
        wanted = {
            "wanted": decision_id,
            "tenant": record.tenant_id,
            "session": record.session_id,
        }
        row = connection.execute(_EVENT, wanted).mappings().first() if decision_id else None
        if row is None or _kind_of(row["outcome"]) != kind:
            return None
        if not is_bad:
            connection.execute(
                delete(regret).where(regret.c.decision_id == decision_id, regret.c.kind == kind)
            )
            return row
        at = record.recorded_at.timestamp()
        connection.execute(
            _PUT,
            {
                "decision_id": decision_id,
                "tenant_id": row["tenant_id"],
                "session_id": row["session_id"],
                "source": row["source"],
                "kind": kind,
                "cause": cause,
                "decided_at": row["recorded_at"] or at,
                "at": at,
                "said_in": record.decision_id,
            },
        )
        return row


def _kind_of(outcome: str | None) -> RegretKind | None:
    """Name what may be regretted of a decision; None: it waits for its moment."""
    if outcome in (None, "held"):
        return None
    return "silence" if outcome in SILENT else "utterance"


def _wake(settled: SettledDecision, pattern: str) -> None:
    """Drop the habituation to a pattern in the session as it is kept."""
    connection, record = settled.connection, settled.record
    known = read_session(connection, record.tenant_id, record.session_id)
    if pattern in known.familiar:
        save_session(connection, wake_pattern(known, pattern), record.recorded_at.timestamp())


def _talk(policy: Mapping[str, Any]) -> TalkRequest | None:
    """Return what a message asked about the talking, also beside something else."""
    asked = policy.get("talk") or (policy.get("beside") or {}).get("talk")
    return TalkRequest.model_validate(asked) if asked else None


def _is_about(topic: str, said: RowMapping) -> bool:
    return matches_topic(topic, said["text"], said["about"])


def _decision_of(settled: SettledDecision, response_id: str) -> str | None:
    query = select(reasoning_trace.c.decision_id).where(
        reasoning_trace.c.response_id == response_id,
        reasoning_trace.c.tenant_id == settled.record.tenant_id,
    )
    return settled.connection.execute(query).scalar()


WEEK_SECONDS = 7 * DAY_SECONDS
_FIRST_MONDAY = 4 * DAY_SECONDS
"""1970-01-05, UTC."""
LATELY_DAYS = 30
MOST_SOURCES = 50
NEWEST = 20


@dataclass(frozen=True)
class SqlRegrets:
    """What people regret, in our tables."""

    database: Database
    clock: Clock

    async def of(self, decision_id: str, reader: Reader) -> Regret | None:
        """Read the regret of one decision; None: nobody regrets it."""
        query = select(regret).where(
            regret.c.decision_id == decision_id, readable_in(regret, reader)
        )
        return await self.database.read(
            lambda connection: next(map(_to_regret, connection.execute(query).mappings()), None)
        )

    async def lately(self, reader: Reader) -> Regrets:
        """Count over the last 30 days, for whoever asks every few seconds. See counts."""
        since = self.clock.now().timestamp() - LATELY_DAYS * DAY_SECONDS
        return await self.counts(reader, since=since)

    async def counts(self, reader: Reader, *, since: float = 0.0) -> Regrets:
        """Count over a tenant's events decided since a moment, in seconds since 1970.

        Counts are the tenant's; the newest regrets are those that the reader may read.
        """

        def work(connection: Connection) -> Regrets:
            ours = (regret.c.tenant_id == reader.tenant_id, regret.c.decided_at >= since)
            newest = (
                select(regret)
                .where(readable_in(regret, reader), regret.c.decided_at >= since)
                .order_by(regret.c.at.desc(), regret.c.decision_id)
                .limit(NEWEST)
            )
            events = _events(connection, reader.tenant_id, since)
            regretted = _regretted(connection, *ours)
            cells = [(*place, *counted, 0, 0) for place, counted in events.items()]
            cells += [(*place, 0, 0, *counted) for place, counted in regretted.items()]
            return Regrets(
                total=RegretCounts.model_validate(_sum(cells)),
                weeks=_weeks(cells),
                sources=_sources(cells),
                newest=tuple(map(_to_regret, connection.execute(newest).mappings())),
            )

        return await self.database.read(work)


_Place = tuple[int, str]
"""Week since the first Monday of 1970, and source."""
_Pair = tuple[int, int]
_Cell = tuple[int, str, int, int, int, int]
"""Week, source, events, spoken, regretted utterances, regretted silences."""


def _events(connection: Connection, tenant_id: str, since: float) -> dict[_Place, _Pair]:
    """Count events and those spoken about, by week and source; an index alone is read."""
    query = (
        select(_week(decision.c.recorded_at), decision.c.source, _many(), _many(_spoke()))
        .where(
            decision.c.tenant_id == tenant_id,
            decision.c.kind == literal_column("'ambient'"),  # as the index has it
            decision.c.recorded_at >= since,
        )
        .group_by(_week(decision.c.recorded_at), decision.c.source)
    )
    return {
        (week, source): (many, spoke) for week, source, many, spoke in connection.execute(query)
    }


def _regretted(connection: Connection, *wanted: ColumnElement[bool]) -> dict[_Place, _Pair]:
    week, kind = _week(regret.c.decided_at), regret.c.kind
    query = (
        select(week, regret.c.source, _many(kind == "utterance"), _many(kind == "silence"))
        .where(*wanted)
        .group_by(week, regret.c.source)
    )
    return {(at, source): (said, silent) for at, source, said, silent in connection.execute(query)}


def _week(at: ColumnElement[float]) -> ColumnElement[int]:
    return cast((at - _FIRST_MONDAY) / WEEK_SECONDS, Integer)


def _spoke() -> ColumnElement[bool]:
    return decision.c.outcome.in_(("spoke", "offered"))


def _many(condition: ColumnElement[bool] | None = None) -> ColumnElement[int]:
    return func.count() if condition is None else func.sum(case((condition, 1), else_=0))


def _weeks(cells: Iterable[_Cell]) -> tuple[WeekRegrets, ...]:
    found: dict[int, list[_Cell]] = {}
    for cell in cells:
        found.setdefault(cell[0], []).append(cell)
    return tuple(
        WeekRegrets(
            week=(datetime(1970, 1, 5, tzinfo=UTC) + timedelta(weeks=week)).date(), **_sum(some)
        )
        for week, some in sorted(found.items())
    )


def _sources(cells: Iterable[_Cell]) -> tuple[SourceRegrets, ...]:
    found: dict[str, list[_Cell]] = {}
    for cell in cells:
        found.setdefault(cell[1], []).append(cell)
    counted = [SourceRegrets(source=source, **_sum(some)) for source, some in found.items()]
    counted.sort(key=lambda one: (-one.utterances - one.silences, -one.events, one.source))
    return tuple(counted[:MOST_SOURCES])


def _sum(cells: Iterable[_Cell]) -> dict[str, Any]:  # fields of RegretCounts
    events, spoken, utterances, silences = (sum(many) for many in _columns(cells))
    return {
        "events": events,
        "spoken": spoken,
        "utterances": utterances,
        "silences": silences,
        "utterances_per_100": _per_100(utterances, events),
        "silences_per_100": _per_100(silences, events),
    }


def _columns(cells: Iterable[_Cell]) -> list[tuple[int, ...]]:
    rows = [(0, 0, 0, 0), *(cell[2:] for cell in cells)]
    return list(zip(*rows, strict=True))


def _per_100(many: int, events: int) -> float | None:
    return round(100 * many / events, 2) if events else None


def _to_regret(row: RowMapping) -> Regret:
    times = {name: instant_of(row[name]) for name in ("decided_at", "at")}
    names = ("decision_id", "session_id", "source", "kind", "cause")
    return Regret.model_validate({name: row[name] for name in names} | times)
