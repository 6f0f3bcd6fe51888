"""`prefrontal evals replay`: play conversation scripts and report every turn that differs.

A conversation has a folder of its own; single turns share one.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from datetime import timedelta
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import Field
from rich.table import Table
from rich.text import Text

from api.cli.options import AsJson
from api.cli.terminal import OUT, print_error, print_json, print_note, printable, progress
from evals.conversation_script import (
    Conversation,
    Difference,
    Script,
    Turn,
    TurnResult,
    compare_turn,
    parse_speaker,
    read_script,
)
from evals.loopback.paper_providers import serve_papers
from evals.measures import CaseResult, Measure, Miss, rate, share
from evals.options import ReportFile, app
from evals.runner.report import CheckedExperiment, finish, hold, read_thresholds
from graph.replay.harness import Harness, HarnessDecision, learned_cache
from state.approval import ApprovalAnswer
from state.errors import AgentError, NotFound
from state.event import Event
from state.noun import Noun
from state.principal import Principal
from state.record import DecisionRecord
from tools.observability import judge_turn


class PlayedConversation(Noun):
    """A conversation as it went."""

    id: str
    said: tuple[str, ...]
    came: tuple[TurnResult, ...]
    differences: tuple[Difference, ...]
    fingerprint: str = Field(description="changes with what is said, clicked or expected")


async def play_conversations(
    script: Script, playground: Harness
) -> AsyncIterator[PlayedConversation]:
    """Play every conversation; single turns share a folder, the others have one each."""
    if script.turns:
        await playground.open()
    for single in script.turns:
        turn = Turn.model_validate(single.model_dump(exclude={"id"}, exclude_unset=True))
        alone = Conversation(id=single.id, turns=(turn,))
        yield await _Conversing(playground, script, alone).played()
    for conversation in script.conversations:
        await playground.open()
        yield await _Conversing(playground, script, conversation).played()


class _Impossible(Exception):
    """A click that the conversation does not allow at this point: a difference like any other."""


class _Conversing:
    """One conversation under way: what can be picked and answered next."""

    def __init__(self, playground: Harness, script: Script, conversation: Conversation) -> None:
        self._playground = playground
        self._script = script
        self._conversation = conversation
        self._offer_id: str | None = None
        self._asked: DecisionRecord | None = None
        catalogue = playground.executive.catalogue
        self._harmless = [
            action.name for action in catalogue.actions.values() if action.effect == "read"
        ]

    async def played(self) -> PlayedConversation:
        said: list[str] = []
        came: list[TurnResult] = []
        unlike: list[Difference] = []
        for number, turn in enumerate(self._conversation.turns, start=1):
            where, words = f"{self._conversation.id} {number}", _words(turn)
            try:
                what = await self._turn(turn, number)
            except (AgentError, _Impossible) as error:
                what = TurnResult(outcome="failed", text=str(error))
                went = Difference(
                    where=where, said=words, field="turn", expected="to go", got=str(error)
                )
                unlike.append(went)
            else:
                # A click is a yes to what the chip shows; only what was never shown needs one.
                clicked = [what.action] if turn.pick and what.action else []
                harmless = [*self._harmless, *clicked]
                unlike += compare_turn(where, words, turn.expect, what, harmless)
            said.append(words)
            came.append(what)
        return PlayedConversation(
            id=self._conversation.id,
            said=tuple(said),
            came=tuple(came),
            differences=tuple(unlike),
            fingerprint=sha256(self._conversation.model_dump_json().encode()).hexdigest()[:8],
        )

    async def _turn(self, turn: Turn, number: int) -> TurnResult:
        playground = self._playground
        await playground.move_to(playground.clock.now() + timedelta(seconds=turn.after_seconds))
        who = parse_speaker(turn.speaker or self._conversation.speaker or self._script.speaker)
        if turn.say is None and turn.event is None:
            return await self._clicked(turn, who)
        return await self._came(await playground.decide(self._event(turn, number, who)))

    def _event(self, turn: Turn, number: int, who: Principal) -> Event:
        given: Mapping[str, Any] = turn.event or {}
        if turn.say is not None:
            given = {"text": turn.say, "kind": "message", "user": who.user}
            given = {**given, "role": ",".join(who.roles) or None}
        return Event.model_validate(
            {
                "event_id": f"{self._conversation.id}-{number}",
                "source": "replay",
                "session_id": self._conversation.id,
                **given,
            }
        )

    async def _clicked(self, turn: Turn, who: Principal) -> TurnResult:
        """Pick a chip, or answer a question; what is turned down changes nothing."""
        try:
            decided = await (self._picked(turn, who) if turn.pick else self._answered(turn, who))
        except AgentError as refusal:
            if not turn.is_refused:
                raise
            return TurnResult(outcome="refused", text=str(refusal))
        if turn.is_refused:
            raise _Impossible("it was to be refused, and was not")
        return await self._came(decided)

    async def _picked(self, turn: Turn, who: Principal) -> HarnessDecision:
        if self._offer_id is None:
            raise _Impossible("nothing is offered that could be picked")
        executive = self._playground.executive
        offer = await executive.offers.get(self._offer_id, who.tenant_id)
        chips = [chip for chip in offer.chips if chip.action == turn.pick]
        if not chips:
            named = ", ".join(chip.action for chip in offer.chips)
            raise _Impossible(f"no chip {turn.pick} among {named}")
        record = await executive.offers.choose(self._offer_id, chips[0].chip_id, who)
        return await self._playground.decided(record)

    async def _answered(self, turn: Turn, who: Principal) -> HarnessDecision:
        asked = self._asked
        if asked is None or asked.action_id is None:
            raise _Impossible("nothing waits for a yes")
        executive = self._playground.executive
        standing = await executive.approvals.get(asked.action_id, who.tenant_id)
        answer = ApprovalAnswer.model_validate(
            {"decision": turn.answer, "digest": standing.digest, "reason": turn.reason}
        )
        await executive.approvals.answer(asked.action_id, answer, who)
        trace = await executive.records.trace(asked.decision_id, who.tenant_id)
        return await self._playground.decided(trace.record)

    async def _came(self, decided: HarnessDecision) -> TurnResult:
        record = decided.record
        executive = self._playground.executive
        trace = await executive.records.trace(record.decision_id, record.tenant_id)
        policy: Mapping[str, Any] = trace.stages.get("policy") or {}
        if record.outcome == "awaiting_approval":
            self._asked = record
        chips: Sequence[str] = ()
        if record.offer_id is not None and not decided.duplicate:
            self._offer_id = record.offer_id
            offer = await executive.offers.get(record.offer_id, record.tenant_id)
            chips = [chip.action for chip in offer.chips]
        return TurnResult(
            outcome="duplicate" if decided.duplicate else record.outcome,
            intent=record.intent,
            action=record.action,
            execution_class=record.execution_class,
            arguments=dict(record.arguments or {}),
            search=policy.get("search"),
            force_tool=policy.get("force_tool"),
            transition=(policy.get("stage_transition") or {}).get("to_stage"),
            stage=record.stage,
            reasons=tuple(policy.get("reasons") or ()),
            blocked=tuple(policy.get("blocked") or ()),
            chips=tuple(chips),
            ran=decided.ran,
            spoke=record.spoke,
            text=record.text,
            quality=judge_turn(
                trace.event["kind"], trace.event["text"], record, trace.stages, executive.catalogue
            ),
        )


def _words(turn: Turn) -> str:
    if turn.pick or turn.answer:
        return f"picks {turn.pick}" if turn.pick else f"answers {turn.answer}"
    return turn.say or str((turn.event or {}).get("text", "something happens"))


SHIPPED = Path(__file__).parents[1] / "replays"


def find_scripts(named: list[str]) -> list[Path]:
    """Find files by path, or the shipped ones by the name of their folder; none: all that ship.

    Raises:
        NotFound: there is none of that name.
    """
    if not named:
        return sorted(SHIPPED.glob("*/*.replay.yaml"))
    found: list[Path] = []
    for name in named:
        path = Path(name)
        inside = sorted((SHIPPED / name).glob("*.replay.yaml")) if "/" not in name else []
        if not inside and not path.is_file():
            raise NotFound("replay", name)
        found += inside or [path]
    return found


AS_WRITTEN, OTHERWISE = "as_written", "turns_otherwise"
RECENCY_KEPT, STAGE_MADE = "recency_kept", "stage_made"
"""Two rates of the policy-first plan, phase G: a release is blocked when one of them drops."""
_NAMES = (AS_WRITTEN, OTHERWISE, RECENCY_KEPT, STAGE_MADE)


def replay_report(
    played: Sequence[tuple[str, PlayedConversation]],
) -> tuple[CheckedExperiment, ...]:
    """Report what was played, by the folder of its files: each conversation has to be as written.

    Args:
        played: folder and conversation, in order of the folders.
    """
    groups = groupby(played, key=lambda pair: pair[0])
    return tuple(
        _conversation_report(folder, [one for _folder, one in pairs]) for folder, pairs in groups
    )


def _conversation_report(folder: str, played: Sequence[PlayedConversation]) -> CheckedExperiment:
    ids, right = [one.id for one in played], [float(not one.differences) for one in played]
    turns = sum(len(one.came) for one in played)
    went = {difference.where for one in played for difference in one.differences}
    misses = [
        Miss(
            case=one.id,
            text=" / ".join(one.said),
            wrong={
                f"{each.where} {each.field}": f"{each.got}, wanted {each.expected}"
                for each in one.differences
            },
        )
        for one in played
        if one.differences
    ]
    cases = [
        CaseResult(
            case=one.id,
            unit=one.id,
            fingerprint=one.fingerprint,
            scores={AS_WRITTEN: score},
            answered=" · ".join(came.outcome for came in one.came),
        )
        for one, score in zip(played, right, strict=True)
    ]
    measures = (
        rate(AS_WRITTEN, right, ids),
        Measure(name=OTHERWISE, value=len(went), n=turns, kind="count"),
        *_kept_word([one for each in played for one in each.came]),
    )
    # Of all conversations, and of those of a folder beside it.
    gates = {**read_thresholds("replay", _NAMES), **read_thresholds(f"replay_{folder}", _NAMES)}
    name = f"replay_{folder}"
    return hold(name, folder, measures, gates, n=len(played), misses=misses, cases=cases)


def _kept_word(came: Sequence[TurnResult]) -> Iterator[Measure]:
    """Tell how often policy kept its word where it was due; a pack without searches has neither."""
    turns = [one.quality for one in came if one.quality is not None]
    recency = [one.recency_kept for one in turns if one.recency_asked]
    stages = [one.stage_made for one in turns if one.stage_due]
    for name, kept in ((RECENCY_KEPT, recency), (STAGE_MADE, stages)):
        if kept:
            yield share(name, sum(kept), len(kept))


@app.command(epilog="Example: prefrontal evals replay vessel --show")
def replay(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FILE|PACK]...", help="Files, or the replays of a pack; none: all that ship."
        ),
    ] = None,
    show: Annotated[
        bool, typer.Option("--show", help="Show what came of every turn, right ones too.")
    ] = False,
    as_json: AsJson = False,
    report: ReportFile = None,
) -> None:
    """Play conversations through the real system and compare every turn with what is expected.

    Each runs on a virtual clock and an empty folder; nothing leaves this machine. Exit code 1 when
    a turn differs, or when something changed the world without a yes or a click.
    """
    scripts = [(path, read_script(path)) for path in find_scripts(files or [])]
    total = sum(len(script.turns) + len(script.conversations) for _path, script in scripts)
    played: list[PlayedConversation] = []
    folders: list[str] = []
    with learned_cache() as learnt, progress("replaying", total) as told:
        for path, script in scripts:
            for one in asyncio.run(_played(path, script, learnt)):
                played.append(one)
                folders.append(path.parent.name)
                told(len(played))
                if as_json:
                    print_json({"file": path.name, **one.model_dump(mode="json")})
                elif show:
                    OUT.print(_laid_out(one))
    held = replay_report(list(zip(folders, played, strict=True)))
    unlike = [difference for one in played for difference in one.differences]
    if unlike and not as_json:
        OUT.print(_table(unlike))
    turns = sum(len(one.came) for one in played)
    print_note(f"{len(played)} conversations, {turns} turns, {len(unlike)} differences")
    if unlike:
        print_error(f"{len({one.where for one in unlike})} turns went otherwise")
    if files:  # of a file or two nobody expects as many as ship
        held = tuple(one.model_copy(update={"gates": {}}) for one in held)
    finish(held, report)
    if unlike:
        raise typer.Exit(1)


async def _played(path: Path, script: Script, learnt: Path) -> list[PlayedConversation]:
    with serve_papers(path, script) as addresses:
        settings = {**addresses, "cache_dir": learnt}
        playground = Harness(script.packs, script.starts_at, settings=settings)
        try:
            return [one async for one in play_conversations(script, playground)]
        finally:
            await playground.close()


def _table(unlike: list[Difference]) -> Table:
    table = Table(title="went otherwise", title_justify="left")
    for column in ("turn", "said", "field", "expected", "got"):
        table.add_column(column, overflow="fold")
    for one in unlike:
        table.add_row(*map(printable, (one.where, one.said, one.field, one.expected, one.got)))
    return table


def _laid_out(played: PlayedConversation) -> Text:
    told = Text(f"{played.id}\n", style="bold")
    for said, came in zip(played.said, played.came, strict=True):
        told.append(f"  {printable(said)}\n", style="cyan")
        told.append(f"    {_came(came)}\n")
        if came.text:
            told.append(f"    {printable(came.text.splitlines()[0])}\n", style="dim")
    return told


def _came(came: TurnResult) -> str:
    fields = came.model_dump(mode="json", exclude={"text", "reasons"}, exclude_defaults=True)
    fields["ran"] = [ran.action for ran in came.ran]
    search = fields.get("search") or {}
    fields["search"] = {name: value for name, value in search.items() if value not in (None, [])}
    return " · ".join(f"{name} {value}" for name, value in fields.items() if value)
