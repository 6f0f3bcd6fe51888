"""Keep traces and take feedback, in the transaction of the decision that brings them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, bindparam, select

from state.arrival import Standing
from state.event import Event
from state.heuristic import Feedback
from state.record import DecisionRecord
from state.result import DecisionPath
from state.strategy import ReasoningTrace
from tools.heuristics.given import feedback_in
from tools.heuristics.learned import Learned
from tools.heuristics.learning import Learning
from tools.heuristics.rows import (
    LATER_TRACE,
    Said,
    put_trace,
    read_heuristic,
    read_heuristics,
    read_trace,
    signs_of,
)
from tools.heuristics.undone import undone_soon
from tools.policy.talk_rights import may_move
from tools.ports import Catalogue
from tools.salience.reactions import attribution_of, reaction
from tools.storage.companions import Covers
from tools.storage.decision_rows import read_row
from tools.storage.tables.learning import reasoning_trace
from tools.storage.tables.memory import memory_entry

_Moved = frozenset[str]
"""Names of the heuristics that something speaks for or against."""
_NOTHING: _Moved = frozenset()
_TRACED = (DecisionPath.HEURISTIC, DecisionPath.LLM, DecisionPath.FALLBACK)
# Built once: to build a statement takes longer than to run it.
_LAST_UNASKED = (
    select(reasoning_trace)
    .where(
        reasoning_trace.c.tenant_id == bindparam("tenant"),
        reasoning_trace.c.session_id == bindparam("session"),
        reasoning_trace.c.heuristic_id.is_not(None),
        reasoning_trace.c.body["event_kind"].as_string() != "message",
        reasoning_trace.c.at < bindparam("before"),
    )
    .order_by(reasoning_trace.c.at.desc(), LATER_TRACE)
    .limit(1)
)


@dataclass(frozen=True)
class LearningNotes:
    """Notes every response, and whatever is said or done about one."""

    learning: Learning
    learned: Learned
    catalogue: Catalogue
    covering: Covers
    answers_within_seconds: float
    """So long after we spoke a word is one to that."""
    present_seconds: float
    """So long after a word of theirs somebody is still there."""

    def note(
        self,
        connection: Connection,
        record: DecisionRecord,
        stages: Mapping[str, Any],
        standing: Standing,
    ) -> Callable[[], None] | None:
        """Note what a recorded decision said, and what it says of another response."""
        if standing != "recorded" or not ("result" in stages or record.reason == "signal_noted"):
            return None
        event = Event.model_validate(read_row(connection, record.decision_id)["event"])
        at = record.recorded_at.timestamp()
        speaker = {event.speaker} if event.speaker else set()
        moved = self._rated(connection, record, event, at)
        moved |= self._undone(connection, record, stages, at)
        is_ours = record.spoke and record.path in _TRACED and bool(record.response_id)
        # What is answered to a thank you is nothing that anybody means by the next word.
        if is_ours and not (event.kind == "message" and reaction(event.text)):
            covered, shown = self.covering.decision(record, stages)
            moved |= self._settle_silence(connection, record, at)
            moved |= self._traced(connection, covered, shown, event)
        tuning = self.learning.likeness.tuning
        known = read_heuristics(connection, record.tenant_id, tuning, moved) if moved else ()

        def tell() -> None:
            self.learned.heard(record.tenant_id, speaker)
            if known:
                self.learned.put(record.tenant_id, known)

        return tell

    def _traced(
        self,
        connection: Connection,
        record: DecisionRecord,
        stages: Mapping[str, Any],
        event: Event,
    ) -> _Moved:
        result = stages["result"]
        trace = ReasoningTrace(
            response_id=record.response_id or "",
            timestamp=record.recorded_at.timestamp(),
            event_id=event.event_id,
            context_text=event.text,
            response=result["response_text"] or record.text,
            matched_heuristic_id=record.heuristic_id,
            predicted_success=result["predicted_success"],
            prediction_confidence=result["prediction_confidence"],
            path=DecisionPath(result["path"]),
            strategy=record.strategy,
            tenant_id=record.tenant_id,
            session_id=record.session_id,
            decision_id=record.decision_id,
            event_source=event.source,
            event_kind=event.kind,
            action=record.action,
            user=event.user,
            prompt_hash=record.models[-1].prompt_hash if record.models else None,
            model=record.models[-1].model if record.models else None,
        )
        tuning = self.learning.likeness.tuning
        known = read_heuristic(connection, trace.tenant_id, record.heuristic_id or "", tuning)
        if trace.path is DecisionPath.HEURISTIC:
            put_trace(connection, trace, record.heuristic_id)
            return _NOTHING
        agrees = trace.path is DecisionPath.LLM and self.learning.agrees_with(trace, known)
        put_trace(connection, trace, record.heuristic_id if agrees else None)
        if not agrees:
            return _NOTHING
        return self.learning.apply(connection, trace, Said("agreed"), trace.timestamp)

    def _rated(
        self, connection: Connection, record: DecisionRecord, event: Event, at: float
    ) -> _Moved:
        """Take what a person says of a response, by its id or in words."""
        given = feedback_in(event)
        if given is not None:
            trace = read_trace(connection, record.tenant_id, given.response_id)
        else:
            trace = self._answered_to(connection, record, event, at)
            taken = reaction(event.text) if trace is not None else None
            if trace is None or taken is None:
                return _NOTHING
            given = Feedback(
                response_id=trace.response_id,
                rating=taken,
                attribution=attribution_of(event.text) if taken == "bad" else None,
            )
        # What is learned is learned for everybody: who may change nothing moves it for nobody.
        if trace is None or not may_move(event, self.catalogue):
            return _NOTHING
        # A service may pass any name on: it teaches, and vouches for no second person.
        said = Said(given.rating, given.attribution, None if event.relayed else event.user)
        return self.learning.apply(connection, trace, said, at)

    def _answered_to(
        self, connection: Connection, record: DecisionRecord, event: Event, at: float
    ) -> ReasoningTrace | None:
        """Find what was said last, if a message may be a reaction to it."""
        if event.kind != "message" or reaction(event.text) is None:
            return None
        query = (
            select(reasoning_trace.c.body)
            .where(
                reasoning_trace.c.tenant_id == record.tenant_id,
                reasoning_trace.c.session_id == record.session_id,
                reasoning_trace.c.decision_id != record.decision_id,
                reasoning_trace.c.at.between(at - self.answers_within_seconds, at),
            )
            .order_by(reasoning_trace.c.at.desc(), LATER_TRACE)
            .limit(1)
        )
        body = connection.execute(query).scalar()
        return None if body is None else ReasoningTrace.model_validate(body)

    def _undone(
        self, connection: Connection, record: DecisionRecord, stages: Mapping[str, Any], at: float
    ) -> _Moved:
        """Hold an undo soon after against the response that proposed what it takes back."""
        undone = (stages.get("policy") or {}).get("undo_of")
        if record.outcome != "executed" or undone is None:
            return _NOTHING
        since = at - self.learning.likeness.tuning.undone_seconds
        trace = undone_soon(connection, record.tenant_id, undone, since=since)
        if trace is None:
            return _NOTHING
        return self.learning.apply(connection, trace, Said("undone"), at)

    def _settle_silence(self, connection: Connection, record: DecisionRecord, at: float) -> _Moved:
        """Note what nobody who is there said a word to; the third in a row was ignored."""
        row = self._last_unasked(connection, record, at)
        if row is None:
            return _NOTHING
        trace = ReasoningTrace.model_validate(row.body)
        if signs_of(connection, trace.tenant_id, trace.response_id) or not self._somebody_was_there(
            connection, trace
        ):
            return _NOTHING
        is_third = self._is_third(connection, trace, row.heuristic_id)
        return self.learning.apply(
            connection, trace, Said("ignored" if is_third else "silence"), at
        )

    def _last_unasked(self, connection: Connection, record: DecisionRecord, at: float) -> Any:
        wanted = {
            "tenant": record.tenant_id,
            "session": record.session_id,
            "before": at - self.answers_within_seconds,
        }
        return connection.execute(_LAST_UNASKED, wanted).first()

    def _somebody_was_there(self, connection: Connection, trace: ReasoningTrace) -> bool:
        query = select(memory_entry.c.entry_id).where(
            memory_entry.c.tenant_id == trace.tenant_id,
            memory_entry.c.session_id == trace.session_id,
            memory_entry.c.said_by == "person",
            memory_entry.c.at.between(
                trace.timestamp - self.present_seconds,
                trace.timestamp + self.answers_within_seconds,
            ),
        )
        return connection.execute(query.limit(1)).first() is not None

    def _is_third(
        self, connection: Connection, trace: ReasoningTrace, heuristic_id: str | None
    ) -> bool:
        needed = self.learning.likeness.tuning.ignored_in_a_row - 1
        query = (
            select(reasoning_trace.c.response_id)
            .where(
                reasoning_trace.c.tenant_id == trace.tenant_id,
                reasoning_trace.c.session_id == trace.session_id,
                reasoning_trace.c.heuristic_id == heuristic_id,
                reasoning_trace.c.at < trace.timestamp,
            )
            .order_by(reasoning_trace.c.at.desc(), LATER_TRACE)
            .limit(needed)
        )
        before = connection.scalars(query).all()
        signs = [signs_of(connection, trace.tenant_id, each) for each in before]
        return len(signs) == needed and all(
            set(each) == {"implicit"} and each["implicit"].sign == "silence" for each in signs
        )
