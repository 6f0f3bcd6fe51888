"""Replay a decision log on a folder of its own: virtual clock, recorded outcomes, no way out."""

from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from sqlalchemy import Connection, func, select

from graph.execution.maintenance import open_saver
from graph.execution.threads import Threads, build_fast_path
from graph.executive import Executive
from graph.flow import build_flow
from graph.replay.log_entries import (
    DecisionLog,
    LoggedAnswer,
    LoggedChoice,
    LoggedDecision,
    LoggedInput,
    LogHeader,
    find_divergences,
)
from graph.replay.log_export import DECIDING_SETTINGS, export_log
from graph.replay.recorded_outcomes import (
    RecordedOutcomes,
    recorded_models,
    with_recorded_outcomes,
    with_recorded_previews,
)
from graph.settings import Settings
from graph.toolbox import Toolbox
from graph.wiring.composition import Served, build_toolbox, open_executive
from graph.wiring.data_folder import private_folder
from state.approval import ApprovalAnswer, LedgerAction
from state.errors import AgentError, BadInput, NotFound
from state.event import Event
from state.principal import Principal
from tools.adapters import ChatModels
from tools.gate import build_ledger
from tools.platform.clock import VirtualClock
from tools.platform.serialization import faults_of
from tools.storage.tables.decisions import decision, hold

MARKER_FILE = "replay.sha256"
"""Says which replay a folder is of."""


def claim_folder(folder: Path, *parts: str) -> Path:
    """Take an empty folder for a replay, or the one that it was begun in.

    Args:
        parts: what makes it this replay and no other: the log's digest, the policy.

    Raises:
        BadInput: the folder holds something else, a service's data or another replay.
    """
    wanted, mark = sha256("\0".join(parts).encode()).hexdigest(), folder / MARKER_FILE
    if folder.exists() and not folder.is_dir():
        raise BadInput(f"{folder} is no folder")
    if mark.is_file():
        if mark.read_text("utf-8") != wanted:
            raise BadInput(f"{folder} is of another log or policy; name a new folder")
    elif folder.exists() and any(folder.iterdir()):
        raise BadInput(f"{folder} holds something that is no replay; name a new folder")
    else:
        private_folder(folder)
        mark.write_text(wanted, "utf-8")
    return folder


_NOWHERE: Mapping[str, Any] = {
    "database_url": None,
    "model": None,
    "strong_model": None,
    "allowed_hosts": (),
    "allowed_private_hosts": (),
    "paper_providers": (),
    "webhooks_file": None,
    "channels_file": None,
    "metrics_redis_url": None,
    "ledger_key": None,
    "speech": "off",
}
"""Settings under which nothing outside is reached."""


@dataclass(frozen=True)
class Sandbox:
    """An Executive that decides and does nothing, and the clock it lives by."""

    executive: Executive
    box: Toolbox
    clock: VirtualClock
    recorded: RecordedOutcomes


@asynccontextmanager
async def open_sandbox(
    log: DecisionLog, folder: Path, *, starts_at: datetime, policy: str | None, cache: Path | None
) -> AsyncIterator[Sandbox]:
    """Open an Executive on a folder, which may hold the first part of this replay.

    Args:
        policy: policy.toml to decide by; None: the log's own.
        cache: where is kept what is learnt from packs.

    Raises:
        BadInput: the folder holds something else, or the log's settings are none of ours.
    """
    claim_folder(folder, log.head.digest, log.head.policy if policy is None else policy)
    settings = replay_settings(log.head, folder, policy=policy, cache=cache)
    clock = VirtualClock(starts_at)
    async with AsyncExitStack() as stack:
        recorded = RecordedOutcomes(log)
        box = build_toolbox(settings, clock=clock, models=_models(log))
        box = _without_hands(box, clock, recorded)
        saver = await stack.enter_async_context(open_saver(settings.data_dir))
        served = Served(box, Threads(build_flow(box, saver), build_fast_path(box)))
        executive = await stack.enter_async_context(
            open_executive(settings, clock=clock, served=served)
        )
        yield Sandbox(executive, box, clock, recorded)


def replay_settings(
    head: LogHeader, folder: Path, *, policy: str | None, cache: Path | None
) -> Settings:
    """Tell the settings of a replay: the log's own for what decides, and nothing outside."""
    # By name: whatever else a log made by others says of files and addresses is not looked at.
    decides = {name: head.settings[name] for name in DECIDING_SETTINGS if name in head.settings}
    file = private_folder(folder) / "policy.toml"
    file.write_text(head.policy if policy is None else policy, "utf-8")
    if decides.get("embedder") == "openai":
        decides["embedder"] = "minilm"  # a replay asks no server; its vectors differ a little
    try:
        return Settings(
            data_dir=folder,
            cache_dir=cache,
            packs=head.packs,
            policy_file=file,
            **{**decides, **_NOWHERE},
        )
    except ValidationError as error:
        raise BadInput(f"the log's settings: {faults_of(error)}") from error


def _models(log: DecisionLog) -> ChatModels:
    named = log.head.settings
    return recorded_models(log.decided, named.get("model"), named.get("strong_model"))


def _without_hands(box: Toolbox, clock: VirtualClock, recorded: RecordedOutcomes) -> Toolbox:
    """Take the ledger's way to the packs away; the clock on the wall is the replay's, too."""
    box.database.tell_time_by(lambda: clock.now().timestamp())
    executing = replace(
        box.ledger.executing, instead=lambda running: with_recorded_outcomes(running, recorded)
    )
    ledger = build_ledger(executing, box.tuning.execution)
    drafting = ledger.proposing.drafting
    drafting = replace(drafting, previewing=with_recorded_previews(drafting.previewing, recorded))
    editing = replace(ledger.deciding.editing, drafting=drafting)
    return replace(
        box,
        ledger=replace(
            ledger,
            proposing=replace(ledger.proposing, drafting=drafting),
            deciding=replace(ledger.deciding, editing=editing),
        ),
    )


LATEST = timedelta(seconds=1.5)
"""Our clock beats every second: what is due longer than this waits for no beat of the log."""


@dataclass
class LogPlayer:
    """One replay under way."""

    sandbox: Sandbox
    given: Sequence[LoggedInput]
    asked: Collection[str] = ()
    """Decisions that asked people when it was recorded; the log says when that was over."""
    impossible: list[str] = field(default_factory=list)
    """What could not be given any more, because nothing was offered or asked this time."""
    _expires: dict[str, datetime] = field(default_factory=dict)

    async def play(self) -> AsyncIterator[int]:
        """Go on from where an earlier process ended, to the end; yields how far it is."""
        start = await self._position()
        await self._catch_up()
        for number in range(start, len(self.given)):
            await self._give(self.given[number])
            yield number + 1

    async def _position(self) -> int:
        """Find the last event that was taken; all before it are decided."""
        known = set(await self.sandbox.box.database.read(_known))
        taken = [n for n, one in enumerate(self.given) if one.event and one.decision_id in known]
        return taken[-1] if taken else 0

    async def _catch_up(self) -> None:
        """Decide what was released when the process ended, at the time it was released."""
        released = await self.sandbox.box.database.read(_last_release)
        if released is not None:
            self.sandbox.clock.move_to(datetime.fromtimestamp(released, UTC))
            await self.sandbox.executive.resume_unfinished()

    async def _give(self, one: LoggedInput) -> None:
        await self._beat_until(one.at)
        self.sandbox.clock.move_to(one.at)
        self.sandbox.recorded.decision_id = one.leads_to
        if one.event is None and one.answered is None:
            await self._beat(runs_out=one.runs_out)
            return
        try:
            await (self._answer(one.answered) if one.answered else self._submit(one))
        except AgentError as error:
            what = one.decision_id or (one.answered.decision_id if one.answered else "")
            self.impossible.append(f"{what}: {error}")

    async def _submit(self, one: LoggedInput) -> None:
        executive = self.sandbox.executive
        event = Event.model_validate(one.event)
        # A chip taken by word ("yes", "undo that") is read out of the words again.
        if one.chosen is None or event.kind != "choice":
            await executive.submit(event)
        else:
            if not await self._is_known(event.decision_id):
                await self._choose(one.chosen, event)
            await executive.decide(event.decision_id)
        # A person who speaks, or a signal, releases what waits for it.
        await executive.resume_unfinished()
        await self._note_question(event.decision_id, event.tenant_id)

    async def _choose(self, chosen: LoggedChoice, event: Event) -> None:
        box, who = self.sandbox.box, _person(event)
        if chosen.offer_id is not None and chosen.chip_id is not None:
            await box.offers.choose(
                chosen.offer_id, chosen.chip_id, who, chosen.arguments, event_id=event.event_id
            )
            return
        done = await self._action_of(chosen.undo_of or "", event.tenant_id)
        await box.undoing.ask(done.action_id, who, event_id=event.event_id)

    async def _answer(self, answered: LoggedAnswer) -> None:
        trace = await self.sandbox.box.records.trace(answered.decision_id)
        tenant_id = trace.record.tenant_id
        standing = await self._action_of(answered.decision_id, tenant_id)
        if standing.state != "pending":  # answered before an earlier process ended
            return
        shown = self.sandbox.executive.approvals.show(standing)
        given = ApprovalAnswer(
            decision=answered.decision,
            digest=standing.digest,
            arguments=answered.arguments,
            reason=answered.reason,
            typed=shown.dialog.type_to_approve if shown.dialog else None,
        )
        who = Principal(user=answered.user, tenant_id=tenant_id, roles=answered.roles)
        await self.sandbox.executive.approvals.answer(standing.action_id, given, who)

    async def _action_of(self, decision_id: str, tenant_id: str) -> LedgerAction:
        trace = await self.sandbox.box.records.trace(decision_id, tenant_id)
        if trace.record.action_id is None:
            raise NotFound("action of decision", decision_id)
        return await self.sandbox.box.ledger.newest(trace.record.action_id)

    async def _is_known(self, decision_id: str) -> bool:
        try:
            await self.sandbox.box.decisions.find(decision_id)
        except NotFound:
            return False
        return True

    async def _note_question(self, decision_id: str, tenant_id: str) -> None:
        trace = await self.sandbox.box.records.trace(decision_id, tenant_id)
        if trace.record.outcome == "awaiting_approval" and decision_id not in self.asked:
            standing = await self._action_of(decision_id, tenant_id)
            if standing.expires_at is not None:
                self._expires[decision_id] = standing.expires_at

    async def _beat_until(self, instant: datetime) -> None:
        """Let what is due happen, each at its own moment."""
        while (due := await self._next(instant)) is not None:
            self.sandbox.clock.move_to(max(due, self.sandbox.clock.now()))
            if not await self._beat():
                return

    async def _next(self, instant: datetime) -> datetime | None:
        due = await self.sandbox.executive.initiative.next_due()
        known = [*self._expires.values(), *([due] if due else [])]
        first = min(known, default=None)
        is_due = first is not None and first + LATEST <= instant
        return first if is_due else None

    async def _beat(self, *, runs_out: bool = False) -> int:
        """Take the clock's turn; what runs out by the log alone runs out when the log says so."""
        now, executive = self.sandbox.clock.now(), self.sandbox.executive
        moved = await executive.release_due()
        over = [name for name, until in self._expires.items() if until <= now]
        for name in over:
            del self._expires[name]
        if over or runs_out:
            moved += await executive.approvals.settle_answered()
        return moved + len(over)


def _person(event: Event) -> Principal:
    return Principal(user=event.user or "", tenant_id=event.tenant_id, roles=event.roles)


def _known(connection: Connection) -> list[str]:
    return list(connection.scalars(select(decision.c.decision_id)))


def _last_release(connection: Connection) -> float | None:
    query = select(func.max(hold.c.released_at)).select_from(
        hold.join(decision, decision.c.decision_id == hold.c.decision_id)
    )
    found = connection.execute(query.where(decision.c.standing == "released")).scalar()
    return None if found is None else float(found)


@dataclass(frozen=True)
class ReplayResult:
    """What came of it this time."""

    digest: str
    decided: tuple[LoggedDecision, ...]
    impossible: tuple[str, ...]
    """Clicks and answers for which there was no offer or question this time."""


async def replay_log(
    log: DecisionLog,
    folder: Path,
    *,
    policy: str | None = None,
    cache: Path | None = None,
    told: Callable[[int], None] = lambda _done: None,
) -> ReplayResult:
    """Decide everything again, under the log's own policy or another one.

    A folder that holds the first part of a replay of this log goes on with it.
    """
    if not log.given:
        return ReplayResult(log.head.digest, (), ())
    starts_at = log.given[0].at
    async with open_sandbox(
        log, folder, starts_at=starts_at, policy=policy, cache=cache
    ) as sandbox:
        playing = LogPlayer(sandbox, log.given, _asked(log))
        async for done in playing.play():
            told(done)
        impossible = tuple(playing.impossible)
    again = await export_log(replay_settings(log.head, folder, policy=policy, cache=cache))
    return ReplayResult(again.head.digest, tuple(again.decided), impossible)


def adopt_replay(log: DecisionLog, again: ReplayResult) -> list[str]:
    """Put what a replay decides in the place of what was; name the events that this concerns."""
    otherwise = [one.event_id for one in find_divergences(log.decided, again.decided)]
    log.decided = list(again.decided)
    update = {"digest": again.digest, "decisions": len(again.decided)}
    log.head = log.head.model_copy(update=update)
    return otherwise


def _asked(log: DecisionLog) -> frozenset[str]:
    return frozenset(
        one.decision_id
        for one in log.decided
        if one.record.get("execution_class") == "C" and one.record.get("action_id") is not None
    )
