"""Take feedback on responses and silences, and change heuristics: at once or after approval."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from uuid import uuid4

from graph.toolbox import Toolbox
from state.approval import LedgerAction
from state.errors import Conflict, Forbidden, NeedsApproval
from state.event import Event
from state.heuristic import (
    Feedback,
    KnownHeuristic,
    RatedSilence,
    SilenceFeedback,
    SilenceRating,
)
from state.offer import Chip
from state.principal import Principal
from state.quality import SILENT
from state.reader import Reader
from state.record import DecisionRecord, DecisionTrace
from state.session import Session
from state.strategy import Traced
from tools.access.permissions import may_change
from tools.memory import change_chip
from tools.nlu import matches_topic
from tools.nlu.control.requests import names_a_topic
from tools.platform.texts import t

SOURCE = "feedback"


class FeedbackService:
    """Takes feedback on a response; each time it is an event with its record."""

    def __init__(self, box: Toolbox, submit: Callable[[Event], Awaitable[DecisionRecord]]) -> None:
        self._box = box
        self._submit = submit

    async def rate(self, principal: Principal, given: Feedback) -> Traced:
        """Take what a person says of a response; the last word of anybody counts, once.

        Raises:
            NotFound: there is no such response in the tenant.
            Forbidden: these roles change nothing here, and what is learned is learned for all.
        """
        reader = self._box.readers.of(principal)
        traced = await self._box.learned.response(given.response_id, reader)
        if not may_change(self._box.catalogue, principal.roles):
            raise Forbidden(t("dialogue.refused.control"))
        text = f"{given.rating}: {traced.trace.response[:200]}"
        payload = {"feedback": given.model_dump(mode="json", exclude_none=True)}
        await self._signal(principal, traced.trace.session_id, text, payload)
        return await self._box.learned.response(given.response_id, principal.tenant_id)

    async def rate_silence(
        self, principal: Principal, decision_id: str, rating: SilenceRating
    ) -> RatedSilence:
        """Take what a person says of a decision not to speak; the last word counts, once.

        "should_have_told" drops the habituation to such events in the session.

        Raises:
            NotFound: there is no such decision that they may read.
            Conflict: it spoke, waits for its moment, or is none on an event.
            Forbidden: these roles change nothing here.
        """
        reader = self._box.readers.of(principal)
        trace = await self._box.records.trace(decision_id, reader)
        if not may_change(self._box.catalogue, principal.roles):
            raise Forbidden(t("dialogue.refused.control"))
        if not is_silence(trace):
            raise Conflict(t("heuristic.no_silence"), trace.record.outcome)
        given = SilenceFeedback(decision_id=decision_id, rating=rating)
        text = f"{rating}: {trace.event.get('text', '')[:200]}"
        payload = {"silence": given.model_dump(mode="json")}
        await self._signal(principal, trace.record.session_id, text, payload)
        return await self.rated_silence(trace, reader, rating)

    async def rated_silence(
        self, trace: DecisionTrace, reader: Reader, rating: SilenceRating
    ) -> RatedSilence:
        """Say what a rating of a silence has changed, and what else would help."""
        record = trace.record
        session = await self._box.decisions.session(reader.tenant_id, record.session_id)
        is_missed, pattern = rating == "should_have_told", _pattern_of(trace)
        suppressed = (trace.stages.get("salience") or {}).get("suppressed")
        is_ruled = any(one.topic == suppressed for one in session.topics)
        can_watch = is_missed and record.reason in _WATCHABLE
        return RatedSilence(
            decision_id=record.decision_id,
            rating=rating,
            reason=record.reason,
            woken=pattern if is_missed and pattern in session.familiar else None,
            watch=_topic_of(trace, session) if can_watch else None,
            rule=suppressed if is_missed and is_ruled else None,
        )

    async def _signal(
        self, principal: Principal, session_id: str, text: str, payload: Mapping[str, Any]
    ) -> None:
        await self._submit(
            Event(
                event_id=f"{SOURCE}-{uuid4().hex}",
                kind="signal",
                source=SOURCE,
                text=text,
                session_id=session_id,
                tenant_id=principal.tenant_id,
                user=principal.user,
                role=",".join(principal.roles) or None,
                payload=payload,
            )
        )


_WATCHABLE = ("dull", "below_threshold", "habituated", "just_said", "hold_expired")
"""Reasons of a silence that a watch on its topic works against."""


def is_silence(trace: DecisionTrace) -> bool:
    """Tell whether a decision kept an event that nobody addressed to us from being told."""
    return trace.record.outcome in SILENT and trace.event.get("kind", "ambient") == "ambient"


def _pattern_of(trace: DecisionTrace) -> str:
    """Name the pattern of a decision's event; empty: it was not weighed."""
    return str((trace.stages.get("salience") or {}).get("pattern") or "")


def _topic_of(trace: DecisionTrace, session: Session) -> str | None:
    """Find a topic that events like a decision's have and nobody watches; None: there is none."""
    source, _kind, thing = (*_pattern_of(trace).split("|", 2), "", "")[:3]
    event = trace.event
    named = (str(one.get("value", "")) for one in event.get("entities") or ())
    texts = (str(event.get("text", "")), source, *named)
    for topic in (thing.replace("+", " ").lower(), source.lower()):
        if names_a_topic(topic) and matches_topic(topic, *texts):
            is_watched = any(one.kind == "watch" and one.topic == topic for one in session.topics)
            return None if is_watched else topic
    return None


CHANGES_SESSION = "default"


class HeuristicChanges:
    """Takes changes of heuristics from people."""

    def __init__(self, box: Toolbox, decide: Callable[[str], Awaitable[DecisionRecord]]) -> None:
        self._box = box
        self._decide = decide

    async def change(
        self, heuristic_id: str, principal: Principal, fields: Mapping[str, Any]
    ) -> KnownHeuristic | LedgerAction:
        """Change a learned heuristic; of a shipped or locked one give the question it leads to.

        Raises:
            NotFound: none that they may see.
            BadInput: it would not fit, or nothing would change.
            Forbidden: not a person, or it has been refused beforehand.
            Conflict: nobody can be asked now; the sentence says why.
        """
        reader = self._box.readers.of(principal)
        try:
            return await self._box.learned.change(heuristic_id, reader, **fields)
        except NeedsApproval:
            chip = change_chip(self._box.governed, heuristic_id, fields)
            return await self._ask(principal, chip)

    async def _ask(self, principal: Principal, chip: Chip) -> LedgerAction:
        event = await self._box.offers.press(chip, principal, CHANGES_SESSION)
        record = await self._decide(event.decision_id)
        if record.action_id is None:
            refused = record.outcome == "refused"
            raise Forbidden(record.text) if refused else Conflict(record.text, record.reason)
        return await self._box.ledger.action(record.action_id, principal.tenant_id)
