"""`prefrontal log`: keep what was decided, play it again, ask what another policy would do."""

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from evals.decision_log.comparing import Otherwise, compare
from evals.decision_log.entries import DecisionLog, read_log, write_log
from evals.decision_log.exporting import export as exported
from evals.decision_log.recording import record as recorded
from evals.decision_log.replaying import Replayed, settle
from evals.decision_log.replaying import replay as replayed
from evals.decision_log.showing import table, told
from evals.playground import learnt_once
from graph.cli.options import AsJson, DataDir, Packs, read_settings, temporary
from graph.cli.stored import has_database
from graph.cli.terminal.console import OUT, complain, note, print_json, progress
from graph.settings import Settings
from state.errors import BadInput
from state.event import parse_instant
from tools.catalogue.pack import find_pack, shipped_packs

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
    note(f"{log.head.decisions} decisions, digest {log.head.digest}")


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
    with temporary(settings) as own, learnt_once() as cache:
        log = asyncio.run(recorded(folder, own))
        again = _again(log, None, None, cache)
    depends = settle(log, again)
    if depends:
        note(f"kept as a replay decides it: {', '.join(depends)}")
    write_log(log, out)
    note(f"{log.head.decisions} decisions, digest {log.head.digest}")


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
    with learnt_once() as cache:
        for file in logs:
            log = read_log(file)
            for name in log.head.packs:
                if find_pack(name) not in trusted:
                    raise BadInput(f"{file}: its pack {name} has code; if you trust it, --pack it")
            again = _again(log, policy, folder, cache)
            unlike = list(compare(log.decided, again.decided))
            differ += len(unlike)
            _tell(file.name, log, again, unlike, as_json=as_json)
    if differ:
        complain(f"{differ} decisions are otherwise")
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
    with learnt_once() as cache:
        again = _again(log, policy, None, cache)
    unlike = [one for one in compare(log.decided, again.decided) if begins <= one.at <= ends]
    among = sum(begins <= one.at <= ends for one in log.decided)
    _show(unlike, as_json=as_json)
    note(f"{among} decisions from {begins:%Y-%m-%d %H:%M} to {ends:%Y-%m-%d %H:%M} UTC")
    if unlike:
        complain(f"{told(unlike)} would be otherwise")
        raise typer.Exit(1)


def _stored(pack: list[str] | None, data_dir: Path | None) -> Settings:
    settings = read_settings(pack, data_dir)
    if not has_database(settings):
        raise BadInput(f"nothing was ever decided in {settings.data_dir}")
    return settings


def _again(log: DecisionLog, policy: Path | None, folder: Path | None, cache: Path) -> Replayed:
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
    name: str, log: DecisionLog, again: Replayed, unlike: list[Otherwise], *, as_json: bool
) -> None:
    _show(unlike, as_json=as_json)
    for impossible in again.impossible:
        note(f"not given again: {impossible}")
    same = "the same to the byte" if again.digest == log.head.digest else f"was {log.head.digest}"
    note(f"{name}: {len(again.decided)} decisions, digest {again.digest}, {same}")


def _show(unlike: list[Otherwise], *, as_json: bool) -> None:
    if as_json:
        for one in unlike:
            print_json(one.model_dump(mode="json"))
    elif unlike:
        OUT.print(table(unlike))


def _instant(written: str) -> datetime:
    found = _AGO.fullmatch(written.strip())
    try:
        if found is None:
            return parse_instant(float(written) if written.isdigit() else written)
        hours = float(found[1]) * (24 if found[2] == "d" else 1)
        return datetime.now(UTC) - timedelta(hours=hours)
    except (ValueError, OverflowError) as error:
        raise BadInput(f"no time: {written!r}; give ISO 8601, or an age such as 7d") from error
