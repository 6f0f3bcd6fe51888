"""`prefrontal log`: export, record, replay and compare decision logs.

Exit code 1 when a decision differs from the log.
"""

import asyncio
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer
from rich.table import Table

from api.cli.approvals import PersonAnswer
from api.cli.data_folder import has_database
from api.cli.interactive import answer, choose
from api.cli.options import AsJson, DataDir, Packs, read_settings, read_speaker, temporary
from api.cli.run import event_of
from api.cli.scenario import EventPlayer, Script, ScriptedAnswer, read_script
from api.cli.terminal import OUT, Source, print_error, print_json, print_note, printable, progress
from graph.executive import Executive
from graph.replay.harness import learned_cache, open_virtual_executive
from graph.replay.log_export import export_log
from graph.replay.log_export import export_log as exported
from graph.replay.log_replayer import ReplayResult, adopt_replay
from graph.replay.log_replayer import replay_log as replayed
from graph.settings import Settings
from state.errors import AgentError, BadInput
from state.event import Event, parse_instant
from state.record import DecisionRecord
from tools.catalog.pack import find_pack, shipped_packs
from tools.observability.decision_log.entries import (
    DecisionLog,
    Divergence,
    find_divergences,
    read_log,
    write_log,
)
from tools.platform.clock import VirtualClock

_LONGEST = 70


def divergence_table(unlike: Sequence[Divergence]) -> Table:
    """Draw a line for each decision."""
    drawn = Table(box=None, pad_edge=False, title="decided otherwise", title_justify="left")
    for column in ("at", "event", "how", "was", "is", "because"):
        drawn.add_column(column, overflow="fold")
    for one in unlike:
        drawn.add_row(
            f"{one.at:%Y-%m-%d %H:%M:%S}",
            printable(one.event_id),
            one.how,
            printable(_ending(one.before)),
            printable(_ending(one.after)),
            printable(_because(one)),
        )
    return drawn


def count_by_kind(unlike: Sequence[Divergence]) -> str:
    """Count them by how."""
    counted = Counter(one.how for one in unlike)
    return ", ".join(f"{count} {how}" for how, count in sorted(counted.items())) or "none"


def _ending(record: Mapping[str, Any] | None) -> str:
    if record is None:
        return "not begun"
    parts = (record.get("outcome"), record.get("action"), record.get("execution_class"))
    return " ".join(str(part) for part in parts if part)


def _because(one: Divergence) -> str:
    before, after = one.before or {}, one.after or {}
    said = [
        f"{name} {_number(before.get(name))} → {_number(after.get(name))}"
        for name in ("relevance", "threshold", "confidence")
        if _number(before.get(name)) != _number(after.get(name))
    ]
    if not said:
        said = [f"{before.get('reason')} → {after.get('reason')}"]
    if one.differs_in == ("text",):
        said = [f"says: {str(after.get('text'))[:_LONGEST]}"]
    return ", ".join(said)


def _number(value: object) -> str:
    return f"{value:.3f}" if isinstance(value, float) else "none"


async def record_story(folder: Path, settings: Settings) -> DecisionLog:
    """Play a pack's story with its handlers on an empty folder, and read the log of it.

    Raises:
        BadInput: it has no scenario, or one whose events carry no time.
    """
    events = [event_of(line) async for line in Source(str(folder / "scenario.jsonl")).lines()]
    starts_at = next((event.occurred_at for event in events if event.occurred_at), None)
    if starts_at is None:
        raise BadInput(f"{folder / 'scenario.jsonl'}: its events carry no time")
    clock = VirtualClock(starts_at)
    async with open_virtual_executive(settings, clock) as executive:
        story = _Story(executive, read_script(folder))
        player = EventPlayer(executive, clock, story.tell)
        for event in events:
            await player.play(event)
            for scripted in story.script.after(event.event_id):
                await story.answer(scripted)
        await player.finish()
    return await export_log(settings)


@dataclass
class _Story:
    executive: Executive
    script: Script
    records: dict[str, DecisionRecord] = field(default_factory=dict)

    def tell(self, event: Event, record: DecisionRecord) -> None:
        self.records[event.event_id] = record

    async def answer(self, scripted: ScriptedAnswer) -> None:
        record = self.records[scripted.event]
        who = read_speaker(scripted.by, record.tenant_id)
        try:
            if scripted.says == "choose":
                await self._choose(scripted, record)
            else:
                asked = await self.executive.approvals.get(record.action_id or "", record.tenant_id)
                said = PersonAnswer(scripted.says, reason=scripted.reason)
                await answer(self.executive, asked.action_id, asked.digest, said, who)
        except AgentError:
            if not scripted.is_refused:
                raise

    async def _choose(self, scripted: ScriptedAnswer, record: DecisionRecord) -> None:
        offer = await self.executive.offers.get(record.offer_id or "", record.tenant_id)
        chips = [chip for chip in offer.chips if chip.action == scripted.chip] or offer.chips
        typed = {name: str(value) for name, value in scripted.values.items()}
        who = read_speaker(scripted.by, record.tenant_id)
        await choose(self.executive, offer.offer_id, chips[0].chip_id, who, typed)


app = typer.Typer(
    no_args_is_help=True,
    help="Keep decision logs, play them again, ask what another policy would have done.",
    epilog="Example: prefrontal log travel --since 7d",
)
Policy = Annotated[
    Path | None, typer.Option(metavar="FILE", help="A policy.toml to decide by instead.")
]
_AGO = re.compile(r"(\d+(?:\.\d+)?)([dh])")


@app.command(epilog="Example: prefrontal log export week.log.jsonl")
def export(out: Path, pack: Packs = None, data_dir: DataDir = None) -> None:
    """Write down what came into a store and what was decided; a service may be at work on it.

    The file is for its owner only: it holds what people said. It holds the policy of now, by which
    `log replay` decides; secrets of slots are covered in it.
    """
    log = asyncio.run(exported(_stored(pack, data_dir)))
    write_log(log, out)
    print_note(f"{log.head.decisions} decisions, digest {log.head.digest}")


@app.command(epilog="Example: prefrontal log record vessel golden.log.jsonl")
def record(pack: str, out: Path) -> None:
    """Play a pack's scenario and its people's answers on a temporary folder, and keep the log.

    What turns on a name that only an executed action gave is kept as a replay decides it, which
    executes nothing.
    """
    folder = find_pack(pack)
    if not (folder / "scenario.jsonl").is_file():
        raise BadInput(f"the pack {folder.name} has no scenario.jsonl to record")
    settings = read_settings([pack]).model_copy(
        update={"model": None, "strong_model": None, "paper_providers": (), "database_url": None}
    )
    with temporary(settings) as own, learned_cache() as cache:
        log = asyncio.run(record_story(folder, own))
        again = _again(log, None, None, cache)
    depends = adopt_replay(log, again)
    if depends:
        print_note(f"kept as a replay decides it: {', '.join(depends)}")
    write_log(log, out)
    print_note(f"{log.head.decisions} decisions, digest {log.head.digest}")


@app.command(epilog="Example: prefrontal log replay week.log.jsonl --policy mine.toml")
def replay(
    logs: list[Path],
    policy: Policy = None,
    folder: Annotated[
        Path | None,
        typer.Option(help="Keep the replay here; one that was cut off goes on from there."),
    ] = None,
    pack: Packs = None,
    as_json: AsJson = False,
) -> None:
    """Decide everything again, and tell what is decided otherwise; exit 1 when something is.

    No action is executed: what became of actions, and what models said, is taken from the log. A
    pack that does not ship with us has code that would run; name it with --pack if you trust it.
    """
    trusted = {find_pack(name) for name in (*shipped_packs(), *read_settings(pack).packs)}
    differ = 0
    with learned_cache() as cache:
        for file in logs:
            log = read_log(file)
            for name in log.head.packs:
                if find_pack(name) not in trusted:
                    raise BadInput(f"{file}: its pack {name} has code; if you trust it, --pack it")
            again = _again(log, policy, folder, cache)
            unlike = list(find_divergences(log.decided, again.decided))
            differ += len(unlike)
            _tell(file.name, log, again, unlike, as_json=as_json)
    if differ:
        print_error(f"{differ} decisions are otherwise")
        raise typer.Exit(1)


@app.command(epilog="Example: prefrontal log travel --since 7d --policy mine.toml")
def travel(
    since: Annotated[
        str, typer.Option(metavar="TIME", help="ISO time, or an age such as 7d or 12h.")
    ] = "7d",
    until: Annotated[
        str | None, typer.Option(metavar="TIME", help="As --since; default: now.")
    ] = None,
    policy: Policy = None,
    pack: Packs = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Tell what today's policy would have done in a time of the past; the store is only read.

    What came before is played as well, for what a session remembers depends on it. Exit 1 when
    something would have been decided otherwise.
    """
    begins, ends = _instant(since), _instant(until) if until else datetime.now(UTC)
    settings = _stored(pack, data_dir)
    log = asyncio.run(exported(settings))
    log.given = [one for one in log.given if one.at <= ends]
    log.decided = [one for one in log.decided if one.at <= ends]
    with learned_cache() as cache:
        again = _again(log, policy, None, cache)
    unlike = [
        one for one in find_divergences(log.decided, again.decided) if begins <= one.at <= ends
    ]
    among = sum(begins <= one.at <= ends for one in log.decided)
    _show(unlike, as_json=as_json)
    print_note(f"{among} decisions from {begins:%Y-%m-%d %H:%M} to {ends:%Y-%m-%d %H:%M} UTC")
    if unlike:
        print_error(f"{count_by_kind(unlike)} would be otherwise")
        raise typer.Exit(1)


def _stored(pack: list[str] | None, data_dir: Path | None) -> Settings:
    settings = read_settings(pack, data_dir)
    if not has_database(settings):
        raise BadInput(f"nothing was ever decided in {settings.data_dir}")
    return settings


def _again(log: DecisionLog, policy: Path | None, folder: Path | None, cache: Path) -> ReplayResult:
    text = None if policy is None else policy.read_text("utf-8")
    with _kept(folder) as own, progress("replaying", len(log.given)) as done:
        return asyncio.run(replayed(log, own, policy=text, cache=cache, told=done))


@contextmanager
def _kept(folder: Path | None) -> Iterator[Path]:
    if folder is not None:
        yield folder
        return
    with TemporaryDirectory(prefix="prefrontal-replay-") as own:
        yield Path(own)


def _tell(
    name: str, log: DecisionLog, again: ReplayResult, unlike: list[Divergence], *, as_json: bool
) -> None:
    _show(unlike, as_json=as_json)
    for impossible in again.impossible:
        print_note(f"not given again: {impossible}")
    same = "the same to the byte" if again.digest == log.head.digest else f"was {log.head.digest}"
    print_note(f"{name}: {len(again.decided)} decisions, digest {again.digest}, {same}")


def _show(unlike: list[Divergence], *, as_json: bool) -> None:
    if as_json:
        for one in unlike:
            print_json(one.model_dump(mode="json"))
    elif unlike:
        OUT.print(divergence_table(unlike))


def _instant(written: str) -> datetime:
    found = _AGO.fullmatch(written.strip())
    try:
        if found is None:
            return parse_instant(float(written) if written.isdigit() else written)
        hours = float(found[1]) * (24 if found[2] == "d" else 1)
        return datetime.now(UTC) - timedelta(hours=hours)
    except (ValueError, OverflowError) as error:
        raise BadInput(f"no time: {written!r}; give ISO 8601, or an age such as 7d") from error
