"""Learn from feedback: create, merge, adjust or drop heuristics.

Early undos count as feedback. The recorder runs in the transaction of the decision that
brings the feedback.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid5

from sqlalchemy import Connection, bindparam, select

from state.event import Event
from state.heuristic import Feedback, Heuristic, KnownHeuristic
from state.record import DecisionRecord
from state.response import MODEL
from state.result import DecisionPath
from state.strategy import ReasoningTrace
from tools.access.permissions import may_move
from tools.catalog.pack_schema import Heuristic as Shipped
from tools.memory.heuristics.matching import LearnedHeuristics
from tools.memory.heuristics.rows import (
    LATER_TRACE,
    FeedbackEntry,
    assign_heuristic,
    confidence_of,
    feedback_signals,
    heuristic_of,
    put_feedback,
    put_heuristic,
    put_trace,
    read_heuristic,
    read_heuristics,
    read_siblings,
    read_trace,
    with_confidence,
)
from tools.memory.heuristics.similarity import TextSimilarity, state_different_facts
from tools.memory.session.feedback import feedback_of_signal
from tools.nlu import is_own_words
from tools.nlu.feedback import Reaction, attribution_of, reaction_in
from tools.platform.text_comparison import facts_of
from tools.platform.texts import t
from tools.ports import Catalogue
from tools.storage.record_hooks import SettledDecision
from tools.storage.tables.decisions import offer
from tools.storage.tables.ledger import ledger_action
from tools.storage.tables.memory import memory_entry, reasoning_trace

_HEURISTICS = UUID("0c3a7d52-58a1-5d3c-9b61-7d1f0f3fd2a4")
REPLACED = t("heuristic.replaced")
_FEWEST_WORDS = 2


@dataclass(frozen=True)
class HeuristicLearner:
    """Applies what is said, inside the transaction of whoever says it."""

    likeness: TextSimilarity
    shipped: Mapping[str, Shipped]
    """What the packs ship, by id."""

    def apply(
        self, connection: Connection, trace: ReasoningTrace, said: FeedbackEntry, at: float
    ) -> frozenset[str]:
        """Write what is said of a response, and draw what follows; name the heuristics it moves."""
        matched = heuristic_of(connection, trace.response_id)
        counted = FeedbackEntry(said.sign, said.attribution, said.by, matched, said.strength)
        put_feedback(connection, trace, counted, at)
        shipped = self.shipped.get(matched or "")
        if shipped is not None and self._is_unmoved(connection, trace.tenant_id, shipped.id):
            put_heuristic(connection, _of_pack(shipped, trace.tenant_id, at))
        replaced: frozenset[str] = frozenset()
        if said.sign == "good" and matched is None and self.is_worth_learning(trace):
            matched, replaced = self._learn(connection, trace, at)
            assign_heuristic(connection, trace.response_id, matched)
        if matched is None:
            return frozenset()
        if said.kind == "explicit":
            self._keep_or_drop(connection, trace.tenant_id, matched)
        return replaced | {matched}

    def is_worth_learning(self, trace: ReasoningTrace) -> bool:
        """Hold an answer to the gate: a model's own, short, about an event in somebody's own words.

        A figure that the event does not hold would be wrong the next time, and where the event's
        own sentence was said instead of a model's there is nothing to learn.
        """
        if trace.path is not DecisionPath.LLM or not is_own_words(trace.context_text):
            return False
        if trace.response.strip() == trace.context_text.strip():
            return False
        if trace.action is not None:
            return trace.event_kind == "message"
        said, heard = facts_of(trace.response), facts_of(trace.context_text)
        is_short = 0 < len(trace.response) <= self.likeness.tuning.longest_words
        has_words = len(trace.context_text.split()) >= _FEWEST_WORDS
        return is_short and has_words and said.numbers <= heard.numbers and said.ids <= heard.ids

    def agrees_with(self, trace: ReasoningTrace, known: KnownHeuristic | None) -> bool:
        """Tell whether a model said what a heuristic would have said.

        Of one that was called wrong only the same words are: "put it into the dryer" is near to
        "hang it up" by any encoder, and is what was wanted instead.
        """
        if known is None or known.heuristic.disabled:
            return False
        one = known.heuristic
        if one.action is not None or trace.action is not None:
            return one.action == trace.action
        if known.confidence.doubted:
            return self.likeness.is_same(trace.response, one.says)
        return self.likeness.is_alike(trace.response, one.says)

    def known_shipped(self, tenant_id: str, heuristic_id: str) -> KnownHeuristic | None:
        """Give a shipped heuristic as it is before anybody says anything of it."""
        one = self.shipped.get(heuristic_id)
        if one is None:
            return None
        known = _of_pack(one, tenant_id, 0.0)
        tuning = self.likeness.tuning
        return KnownHeuristic(heuristic=known, confidence=confidence_of(known, (), tuning))

    def _is_unmoved(self, connection: Connection, tenant_id: str, heuristic_id: str) -> bool:
        return read_heuristic(connection, tenant_id, heuristic_id, self.likeness.tuning) is None

    def _learn(
        self, connection: Connection, trace: ReasoningTrace, at: float
    ) -> tuple[str, frozenset[str]]:
        """Find or make the heuristic that an answer counts for; names those it replaces too."""
        made = _made_of(trace, at)
        replaced: set[str] = set()
        for one in self._twins(connection, made):
            if self.agrees_with(trace, with_confidence(connection, one, self.likeness.tuning)):
                return one.heuristic_id, frozenset(replaced)
            put_heuristic(connection, one.model_copy(update={"disabled": REPLACED}))
            replaced.add(one.heuristic_id)
        put_heuristic(connection, made)
        return made.heuristic_id, frozenset(replaced)

    def _twins(self, connection: Connection, made: Heuristic) -> Iterator[Heuristic]:
        """Find those that are about the same events and do the same kind of thing."""
        near = [one for one in read_siblings(connection, made) if not one.locked]
        likes = self.likeness.of(made.condition, [one.condition for one in near])
        for one, like in zip(near, likes, strict=True):
            if like >= self.likeness.tuning.alike and not state_different_facts(
                one.condition, made.condition
            ):
                yield one

    def _keep_or_drop(self, connection: Connection, tenant_id: str, heuristic_id: str) -> None:
        """Unlearn what no good answer stands behind any more; what gets one again comes back."""
        known = read_heuristic(connection, tenant_id, heuristic_id, self.likeness.tuning)
        if known is None or known.heuristic.origin != "learned" or known.heuristic.locked:
            return
        one, goods = known.heuristic, known.confidence.goods
        if goods == 0 and one.disabled is None:
            why = t("heuristic.no_examples")
            put_heuristic(connection, one.model_copy(update={"disabled": why, "unlearned": True}))
        elif goods and one.unlearned:
            put_heuristic(connection, one.model_copy(update={"disabled": None, "unlearned": False}))


def _content_of(stages: Mapping[str, Any], event: Event) -> str:
    """Return what a decision had to say: a model's words, unless they were not taken."""
    refused = stages.get("response", {}).get("kept_plain", ())
    if stages["result"]["path"] == DecisionPath.LLM and any(
        each.startswith(f"{MODEL}: ") for each in refused
    ):
        return event.text
    return str(stages["result"]["response_text"])


def _reaction_in(event: Event, stages: Mapping[str, Any]) -> Reaction | None:
    if event.kind != "message":
        return None
    return reaction_in(event.text, (stages.get("policy") or {}).get("reasons") or ())


def _of_pack(one: Shipped, tenant_id: str, at: float) -> Heuristic:
    return Heuristic(
        heuristic_id=one.id,
        tenant_id=tenant_id,
        origin="pack",
        condition=one.condition,
        source=one.source,
        says=one.say,
        declared=one.confidence,
        locked=one.locked,
        floor=one.floor,
        ceiling=one.ceiling,
        made_at=at,
    )


def _made_of(trace: ReasoningTrace, at: float) -> Heuristic:
    is_ours = trace.event_kind == "message"
    return Heuristic(
        heuristic_id=f"learned-{uuid5(_HEURISTICS, trace.response_id)}",
        tenant_id=trace.tenant_id,
        condition=trace.context_text[:500],
        source=None if is_ours else trace.event_source,
        kind=trace.event_kind,
        says="" if trace.action else trace.response,
        action=trace.action,
        made_at=at,
        made_from=trace.response_id,
    )


def trace_undone_soon(
    connection: Connection, tenant_id: str, action_id: str, *, since: float
) -> ReasoningTrace | None:
    """Find the response that an undo of an action speaks against; None: none, or it is too late.

    A click is a decision of its own that nobody proposed: what is held against the chip is held
    against the response that showed it, if the chip did what that one was about. Another chip of
    it was the person's own choice.

    Args:
        since: in seconds since 1970; what was done before it was not taken back soon.
    """
    query = select(ledger_action.c.decision_id, ledger_action.c.action).where(
        ledger_action.c.action_id == action_id,
        ledger_action.c.tenant_id == tenant_id,
        ledger_action.c.finished_at >= since,
    )
    done = connection.execute(query).first()
    if done is None:
        return None
    showed = select(offer.c.decision_id).where(offer.c.chosen_decision_id == done.decision_id)
    shown_by = connection.execute(showed).scalar()
    shown = None if shown_by is None else _trace_of(connection, shown_by)
    if shown is not None and shown.action == done.action:
        return shown
    return _trace_of(connection, done.decision_id)


def _trace_of(connection: Connection, decision_id: str) -> ReasoningTrace | None:
    query = select(reasoning_trace.c.body).where(reasoning_trace.c.decision_id == decision_id)
    body = connection.execute(query).scalar()
    return None if body is None else ReasoningTrace.model_validate(body)


_Moved = frozenset[str]
"""Names of the heuristics that something speaks for or against."""
_NOTHING: _Moved = frozenset()
_BY_CODE = (DecisionPath.POLICY, DecisionPath.HEURISTIC)
_TRACED = (*_BY_CODE, DecisionPath.LLM, DecisionPath.FALLBACK)
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
class LearningRecorder:
    """Notes every response, and whatever is said or done about one."""

    learning: HeuristicLearner
    learned: LearnedHeuristics
    catalogue: Catalogue
    answers_within_seconds: float
    """So long after we spoke a word is one to that."""
    present_seconds: float
    """So long after a word of theirs somebody is still there."""

    def note(self, settled: SettledDecision) -> Callable[[], None] | None:
        """Note what a recorded decision said, and what it says of another response."""
        connection, record, stages = settled.connection, settled.record, settled.stages
        if settled.standing != "recorded":
            return None
        if "result" not in stages and record.reason != "signal_noted":
            return None
        event = settled.event
        at = record.recorded_at.timestamp()
        speaker = {event.speaker} if event.speaker else set()
        heard = _reaction_in(event, stages)
        moved = self._rated(connection, record, event, heard, at)
        moved |= self._undone(connection, record, stages, at)
        is_ours = record.spoke and record.path in _TRACED and bool(record.response_id)
        # What is answered to a thank you is nothing that anybody means by the next word.
        if is_ours and heard is None:
            moved |= self._settle_silence(connection, record, at)
            moved |= self._traced(connection, *settled.covered, event)
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
            response=_content_of(stages, event) or record.text,
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
        if trace.path in _BY_CODE:
            put_trace(connection, trace, record.heuristic_id)
            return _NOTHING
        agrees = trace.path is DecisionPath.LLM and self.learning.agrees_with(trace, known)
        put_trace(connection, trace, record.heuristic_id if agrees else None)
        if not agrees:
            return _NOTHING
        return self.learning.apply(connection, trace, FeedbackEntry("agreed"), trace.timestamp)

    def _rated(
        self,
        connection: Connection,
        record: DecisionRecord,
        event: Event,
        heard: Reaction | None,
        at: float,
    ) -> _Moved:
        """Take what a person says of a response, by its id or in words."""
        given = feedback_of_signal(event)
        if given is not None:
            trace = read_trace(connection, record.tenant_id, given.response_id)
        else:
            trace = self._answered_to(connection, record, at) if heard is not None else None
            if trace is None or heard is None:
                return _NOTHING
            given = Feedback(
                response_id=trace.response_id,
                rating=heard,
                attribution=attribution_of(event.text) if heard == "bad" else None,
            )
        # What is learned is learned for everybody: who may change nothing moves it for nobody.
        if trace is None or not may_move(event, self.catalogue):
            return _NOTHING
        # A service may pass any name on: it teaches, and vouches for no second person.
        said = FeedbackEntry(given.rating, given.attribution, None if event.relayed else event.user)
        return self.learning.apply(connection, trace, said, at)

    def _answered_to(
        self, connection: Connection, record: DecisionRecord, at: float
    ) -> ReasoningTrace | None:
        """Find what was said last, to which a message may be a reaction."""
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
        trace = trace_undone_soon(connection, record.tenant_id, undone, since=since)
        if trace is None:
            return _NOTHING
        return self.learning.apply(connection, trace, FeedbackEntry("undone"), at)

    def _settle_silence(self, connection: Connection, record: DecisionRecord, at: float) -> _Moved:
        """Note what nobody who is there said a word to; the third in a row was ignored."""
        row = self._last_unasked(connection, record, at)
        if row is None:
            return _NOTHING
        trace = ReasoningTrace.model_validate(row.body)
        if feedback_signals(
            connection, trace.tenant_id, trace.response_id
        ) or not self._somebody_was_there(connection, trace):
            return _NOTHING
        is_third = self._is_third(connection, trace, row.heuristic_id)
        return self.learning.apply(
            connection, trace, FeedbackEntry("ignored" if is_third else "silence"), at
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
        signs = [feedback_signals(connection, trace.tenant_id, each) for each in before]
        return len(signs) == needed and all(
            set(each) == {"implicit"} and each["implicit"].sign == "silence" for each in signs
        )
