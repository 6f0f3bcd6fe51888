"""Stand-ins for handlers, previews and models on replay: each answers from a decision log.

No handler, service or model is called. What was never recorded is not run, or ModelUnavailable.
"""

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import orjson
from pydantic import ValidationError
from sqlalchemy import Connection

from graph.replay.log_entries import DecisionLog, LoggedAction, LoggedDecision
from state.action import Action, ActionResult
from state.approval import LedgerAction
from state.errors import Conflict, LookupFailed, ModelUnavailable
from state.model_use import ModelUse, Slot
from state.preview import Preview
from state.principal import Principal
from state.session import Session
from tools.adapters import ChatModels
from tools.adapters.chat_model import Answer, OnText, asked_hash, record_model_use
from tools.gate.ledger.handler_runner import Effect, HandlerRunner, Previewer

NOT_RUN = "(not run: this is a replay, and it was not run then)"
_RAN = ("succeeded", "failed", "unknown")


class RecordedOutcomes:
    """What is known of every action of a log, and which decision is played just now."""

    def __init__(self, log: DecisionLog) -> None:
        self.decision_id: str | None = None
        self._actions: dict[tuple[str, str, bytes | None], LoggedAction] = {}
        for one in log.actions:
            for arguments in (None, _key(one.arguments)):
                self._actions[one.decision_id, one.action, arguments] = one
        self._impossible = {
            one.decision_id: str(one.record.get("text"))
            for one in log.decided
            if one.record.get("reason") == "not_possible"
        }
        self._broken = {one.decision_id: one.broken_lookup for one in log.decided}

    def of(
        self, decision_id: str, action: str, arguments: Mapping[str, Any]
    ) -> LoggedAction | None:
        """Find a row of the ledger; secrets are covered in some, which are found without them."""
        exactly = self._actions.get((decision_id, action, _key(arguments)))
        return exactly or self._actions.get((decision_id, action, None))

    def why_unchecked(self) -> LookupFailed | None:
        """Say what could not be looked up then for what is asked just now; None: all could."""
        found = self._broken.get(self.decision_id or "")
        return LookupFailed(found.pack, found.entity_type, found.cause) if found else None

    def why_not(self) -> str | None:
        """Say why what is asked just now could not be done then; None: it could."""
        return self._impossible.get(self.decision_id or "")


@dataclass(frozen=True)
class RecordedPreviewing(Previewer):
    """Tells what packs foresaw; what they were never asked they are, of an empty store."""

    recorded: RecordedOutcomes | None = None

    async def demand_looked_up(
        self, action: Action, arguments: Mapping[str, Any], tenant_id: str
    ) -> None:
        """Let it be looked up as it was then, whatever the packs' stores are now."""
        recorded = self.recorded
        failed = recorded.why_unchecked() if recorded is not None else None
        if failed is not None:
            raise failed

    async def read(
        self, action: Action, arguments: Mapping[str, Any], requester: Principal
    ) -> Preview | None:
        """Read what an action would do. See Previewer.read for what it raises."""
        recorded = self.recorded
        if action.preview is None or recorded is None:
            return None
        known = recorded.of(recorded.decision_id or "", action.name, arguments)
        if known is not None and known.preview is not None:
            return Preview.model_validate(known.preview)
        if known is None and (said := recorded.why_not()) is not None:
            raise Conflict(said, "not_possible")
        return await super().read(action, arguments, requester)


@dataclass(frozen=True)
class RecordedRunning(HandlerRunner):
    """Tells what came of actions, and does none: no handler, no service, no status is called."""

    recorded: RecordedOutcomes | None = None

    async def run(
        self, standing: LedgerAction, session: Session, stages: Mapping[str, str] | None = None
    ) -> Effect:  # nobody acts in it
        """Tell how it ended when it was run."""
        return self._told(standing)

    def run_inside(
        self,
        connection: Connection,  # nothing is written
        standing: LedgerAction,
        session: Session,
    ) -> Effect:
        """Tell how it ended when it was run."""
        return self._told(standing)

    async def why_moved(self, standing: LedgerAction) -> str | None:
        """Say that its target had moved, where it had."""
        known = self._known(standing)
        return known.reason if known is not None and known.state == "stale" else None

    async def has_happened(self, standing: LedgerAction) -> Effect:
        """Tell how it ended."""
        return self._told(standing)

    def _told(self, standing: LedgerAction) -> Effect:
        known = self._known(standing)
        if known is None or known.state not in _RAN:
            return Effect("succeeded", ActionResult(text=NOT_RUN))
        result = None
        if known.result is not None:
            result = ActionResult.model_validate({**known.result, "undo": known.undo})
        return Effect(known.state, result, known.reason)

    def _known(self, standing: LedgerAction) -> LoggedAction | None:
        if self.recorded is None:
            return None
        return self.recorded.of(standing.decision_id, standing.action, standing.arguments)


def with_recorded_outcomes(running: HandlerRunner, recorded: RecordedOutcomes) -> RecordedRunning:
    """Put what was recorded in the place of whoever calls the packs."""
    return RecordedRunning(
        running.catalogue, running.clock, running.data_dir, running.seconds, recorded=recorded
    )


def with_recorded_previews(previewing: Previewer, recorded: RecordedOutcomes) -> RecordedPreviewing:
    """Put what was foreseen in the place of whoever asks the packs for it."""
    return RecordedPreviewing(
        previewing.catalogue,
        previewing.clock,
        previewing.data_dir,
        previewing.seconds,
        recorded=recorded,
    )


def _key(arguments: Mapping[str, Any]) -> bytes:  # by slot type
    return orjson.dumps(arguments, option=orjson.OPT_SORT_KEYS)


Recordings = dict[str, deque[ModelUse]]


@dataclass(frozen=True, eq=False)
class RecordedModel:
    """Answers what it was asked before; what it was never asked it leaves to code."""

    model_name: str
    slot: Slot
    tape: Recordings

    async def answer(
        self, instructions: str, prompt: str, form: type[Answer], *, told: OnText | None = None
    ) -> Answer:
        """Answer as it did then. See ChatModel.answer."""
        kept = self.tape.get(asked_hash(self.slot, instructions, prompt, form))
        if not kept:
            raise ModelUnavailable(f"{self.model_name} was not asked this when it was recorded")
        # Asked the same again it goes on to the next answer, and then stays with the last.
        use = kept.popleft() if len(kept) > 1 else kept[0]
        record_model_use(use)
        try:
            given = form.model_validate(use.answer)
        except ValidationError as error:  # it failed then as well, and there is no answer
            raise ModelUnavailable(f"{self.model_name}: {use.end} then, and now") from error
        say = getattr(given, "say", None)
        if told is not None and isinstance(say, str) and getattr(given, "action", None) is None:
            told(say)
        return given


def recorded_models(
    decided: Iterable[LoggedDecision], fast: str | None, strong: str | None
) -> ChatModels:
    """Build the models of a log from the calls in its records."""
    tape: Recordings = defaultdict(deque)
    for use in _uses(decided):
        tape[use.asked_hash].append(use)
    return ChatModels(
        RecordedModel(fast, "fast", tape) if fast else None,
        RecordedModel(strong, "strong", tape) if strong else None,
    )


def _uses(decided: Iterable[LoggedDecision]) -> Iterator[ModelUse]:
    for one in decided:
        uses: Any = one.record.get("models") or ()
        yield from (ModelUse.model_validate(use) for use in uses)
