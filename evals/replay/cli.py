"""`prefrontal evals replay`: play conversations again and tell every turn that went otherwise."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from evals.options import ReportFile
from evals.playground import Playground, learnt_once
from evals.replay.comparing import Came, Difference
from evals.replay.playing import Played, play
from evals.replay.providers import providers
from evals.replay.reporting import replayed
from evals.replay.script import Script, find_scripts, read_script
from evals.reporting.document import report_of, write_report
from graph.cli.options import AsJson
from graph.cli.terminal.console import OUT, complain, note, print_json, progress, shown


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
    played: list[Played] = []
    folders: list[str] = []
    with learnt_once() as learnt, progress("replaying", total) as told:
        for path, script in scripts:
            for one in asyncio.run(_played(path, script, learnt)):
                played.append(one)
                folders.append(path.parent.name)
                told(len(played))
                if as_json:
                    print_json({"file": path.name, **one.model_dump(mode="json")})
                elif show:
                    OUT.print(_laid_out(one))
    held = replayed(list(zip(folders, played, strict=True)))
    if report is not None:
        write_report(report_of(held, {}), report)
    unlike = [difference for one in played for difference in one.differences]
    if unlike and not as_json:
        OUT.print(_table(unlike))
    turns = sum(len(one.came) for one in played)
    note(f"{len(played)} conversations, {turns} turns, {len(unlike)} differences")
    # Of a file or two nobody expects as many as ship.
    failures = (
        [] if files else [f"{one.experiment.dataset}: {a}" for one in held for a in one.failures]
    )
    if unlike:
        failures.append(f"{len({one.where for one in unlike})} turns went otherwise")
    for failure in failures:
        complain(failure)
    if failures:
        raise typer.Exit(1)


async def _played(path: Path, script: Script, learnt: Path) -> list[Played]:
    with providers(path, script) as addresses:
        settings = {**addresses, "cache_dir": learnt}
        playground = Playground(script.packs, script.starts_at, settings=settings)
        try:
            return [one async for one in play(script, playground)]
        finally:
            await playground.close()


def _table(unlike: list[Difference]) -> Table:
    table = Table(title="went otherwise", title_justify="left")
    for column in ("turn", "said", "field", "expected", "got"):
        table.add_column(column, overflow="fold")
    for one in unlike:
        table.add_row(*map(shown, (one.where, one.said, one.field, one.expected, one.got)))
    return table


def _laid_out(played: Played) -> Text:
    told = Text(f"{played.id}\n", style="bold")
    for said, came in zip(played.said, played.came, strict=True):
        told.append(f"  {shown(said)}\n", style="cyan")
        told.append(f"    {_came(came)}\n")
        if came.text:
            told.append(f"    {shown(came.text.splitlines()[0])}\n", style="dim")
    return told


def _came(came: Came) -> str:
    fields = came.model_dump(mode="json", exclude={"text", "reasons"}, exclude_defaults=True)
    fields["ran"] = [ran.action for ran in came.ran]
    search = fields.get("search") or {}
    fields["search"] = {name: value for name, value in search.items() if value not in (None, [])}
    return " · ".join(f"{name} {value}" for name, value in fields.items() if value)
