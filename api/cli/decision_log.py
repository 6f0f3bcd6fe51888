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

from api.cli.data_folder import has_database
from api.cli.options import AsJson, DataDir, Packs, read_settings, temporary
from api.cli.run import event_of
from api.cli.scenario import EventPlayer, ScriptedAnswer, ScriptedPeople, read_script
from api.cli.terminal import OUT, Source, print_error, print_json, print_note, printable, progress
from graph.replay.harness import learned_cache, open_virtual_executive
from graph.replay.log_entries import (
    DecisionLog,
    Divergence,
    find_divergences,
    read_log,
    write_log,
)
from graph.replay.log_export import export_log
from graph.replay.log_replayer import ReplayResult, adopt_replay, replay_log
from graph.settings import Settings
from prefrontal.client import Refused
from state.errors import BadInput
from state.event import Event, parse_instant
from state.record import DecisionRecord
from tools.catalog import find_pack, shipped_packs
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
        script, story = read_script(folder), _Story(ScriptedPeople(executive))
        player = EventPlayer(executive, clock, story.tell)
        for event in events:
            await player.play(event)
            for scripted in script.after(event.event_id):
                await story.answer(scripted)
        await player.finish()
    return await export_log(settings)


@dataclass
class _Story:
    people: ScriptedPeople
    records: dict[str, DecisionRecord] = field(default_factory=dict)

    def tell(self, event: Event, record: DecisionRecord) -> None:
        self.records[event.event_id] = record

    async def answer(self, scripted: ScriptedAnswer) -> None:
        try:
            await self.people.give(scripted, self.records[scripted.event])
        except Refused:
            if not scripted.is_refused:
                raise


app = typer.Typer(
    no_args_is_help=True,
    epilog="Example: prefrontal log travel --since 7d",
)
Policy = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Another policy.toml to decide by.")
]
_AGO = re.compile(r"(\d+(?:\.\d+)?)([dh])")


@app.command(epilog="Example: prefrontal log export week.log.jsonl")
def export(out: Path, pack: Packs = None, data_dir: DataDir = None) -> None:
    """Export what a store received and decided, also while a service runs.

    Only the owner can read the file, for it holds what people said, with secret slots covered. It
    also holds the current policy, which `log replay` decides by.
    """
    log = asyncio.run(export_log(_stored(pack, data_dir)))
    write_log(log, out)
    print_note(f"{log.head.decisions} decisions, digest {log.head.digest}")


@app.command(epilog="Example: prefrontal log record vessel golden.log.jsonl")
def record(pack: str, out: Path) -> None:
    """Play a pack's scenario with people's answers on a temporary folder, and write the log.

    Decisions that depend on the result of an executed action are logged as a replay decides them,
    which executes nothing.
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
        typer.Option(help="Keep the replay here, to continue it when it was interrupted."),
    ] = None,
    pack: Packs = None,
    as_json: AsJson = False,
) -> None:
    """Decide a log again and show the differences; exit 1 when there is one.

    No action is executed: results of actions and answers of models come from the log. A pack that
    is not shipped has code that would run; name it with --pack if you trust it.
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
    """Show what today's policy would have decided in the past; the store is only read.

    Earlier events are replayed too, because sessions remember them. Exit 1 on a difference.
    """
    begins, ends = _instant(since), _instant(until) if until else datetime.now(UTC)
    settings = _stored(pack, data_dir)
    log = asyncio.run(export_log(settings))
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
        return asyncio.run(replay_log(log, own, policy=text, cache=cache, told=done))


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
