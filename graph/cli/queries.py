"""`prefrontal queries`: what people asked, what was predicted, and what they then did."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Annotated, TypeVar

import typer
import yaml

from graph.cli.options import AsJson, DataDir, Packs, Tenant, read_settings
from graph.cli.terminal.console import OUT, note, print_json, shown
from graph.cli.terminal.query_log import gaps_of, harm_of, metrics_of, quality_of
from graph.settings import Settings
from state.errors import BadInput
from state.event import parse_instant
from tools.quality.log import SqlQuality
from tools.queries.log import SqlQueries

T = TypeVar("T")

queries = typer.Typer(
    no_args_is_help=True,
    help="The query log: export it, count over it, learn from it.",
    epilog="Example: prefrontal queries metrics",
)

Since = Annotated[
    str | None,
    typer.Option("--since", metavar="TIME", help="ISO time or seconds since 1970; default: all."),
]


def add_to(cli: typer.Typer) -> None:
    """Add the commands."""
    cli.add_typer(queries, name="queries")


@queries.command(epilog="Example: prefrontal queries export --since 2026-06-01 --out queries.jsonl")
def export(
    since: Since = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write there, not to stdout.")
    ] = None,
    pack: Packs = None,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Write the log as JSON, a query a line, oldest first. Reads beside a running service."""
    start = _seconds(since)

    async def work(log: SqlQueries) -> int:
        count = 0
        with _lines_to(out) as write:
            async for one in log.all(tenant, since=start):
                write(one.model_dump_json())
                count += 1
        return count

    count = asyncio.run(reading_log(read_settings(pack, data_dir), work))
    note(f"{count} queries")


@queries.command(epilog="Example: prefrontal queries metrics --json")
def metrics(
    since: Since = None,
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Count chips, executions, undos, answers and hard false positives."""
    start = _seconds(since)
    found = asyncio.run(
        reading_log(read_settings(pack, data_dir), lambda log: log.metrics(tenant, since=start))
    )
    if as_json:
        print_json(found.model_dump(mode="json"))
    else:
        OUT.print(metrics_of(found))
    if found.hard_false_positives:
        raise typer.Exit(1)


@queries.command(epilog="Example: prefrontal queries quality --pack research --at-least 0.95")
def quality(
    at_least: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="Exit 1 when a rate is below, or questions come oftener."),
    ] = None,
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Tell how well policy keeps its word: searches called, dates kept, stages made."""
    found = asyncio.run(
        reading_log(
            read_settings(pack, data_dir),
            lambda log: SqlQuality(log.database, log.catalogue).all_metrics(tenant),
        )
    )
    for one in found:
        if as_json:
            print_json(one.model_dump(mode="json"))
        else:
            OUT.print(quality_of(one))
    if at_least is not None and any(one.worst < at_least for one in found):
        raise typer.Exit(1)


@queries.command(epilog="Example: prefrontal queries gaps --since 2026-06-01")
def gaps(
    since: Since = None,
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Compare predictions with what people did, the most frequent difference first."""
    start = _seconds(since)
    found = asyncio.run(
        reading_log(read_settings(pack, data_dir), lambda log: log.gaps(tenant, since=start))
    )
    if as_json:
        print_json(found.model_dump(mode="json"))
    else:
        OUT.print(gaps_of(found))


@queries.command(epilog="Example: prefrontal queries harm")
def harm(
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Name what was started without intent; exit code 1 when there is any."""
    found = asyncio.run(reading_log(read_settings(pack, data_dir), lambda log: log.harm(tenant)))
    if not as_json:
        OUT.print(harm_of(found))
    for one in found if as_json else ():
        print_json(one.model_dump(mode="json"))
    if found:
        raise typer.Exit(1)


@queries.command(epilog="Example: prefrontal queries training --min-count 3 > examples.yaml")
def training(
    min_count: Annotated[
        int, typer.Option(min=1, help="How often a text has to have meant the action.")
    ] = 1,
    since: Since = None,
    pack: Packs = None,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Print texts that people confirmed, by action, as `examples:` for actions.yaml."""
    from tools.queries.training import by_action

    start = _seconds(since)
    found = asyncio.run(
        reading_log(
            read_settings(pack, data_dir),
            lambda log: log.examples(tenant, since=start, min_count=min_count),
        )
    )
    actions = {name: {"examples": texts} for name, texts in by_action(found).items()}
    typer.echo(yaml.safe_dump({"actions": actions}, allow_unicode=True, sort_keys=False), nl=False)
    note(f"{len(found)} examples of {len(actions)} actions; read them before you use them")


@contextmanager
def _lines_to(out: Path | None) -> Iterator[Callable[[str], None]]:
    if out is None:
        yield typer.echo
        return
    with out.open("w", encoding="utf-8") as file:
        yield lambda line: print(line, file=file)


async def reading_log(settings: Settings, work: Callable[[SqlQueries], Awaitable[T]]) -> T:
    """Open the log of a data folder, beside a running service too, and do something with it."""
    from graph.assembly.thresholds import settled_tuning
    from graph.cli.stored import open_stored
    from tools.catalogue.catalogue import Catalogue
    from tools.catalogue.pack import packs_named
    from tools.queries.row import QueryReading

    catalogue = Catalogue.of(packs_named(settings.packs))
    tuning = settled_tuning(settings.policy_file, settings.release_phase, catalogue)
    async with open_stored(settings) as stored:
        reading = QueryReading(catalogue, tuning.execution, tuning.policy.observed_seconds)
        return await work(SqlQueries(stored.database, catalogue, reading))


def _seconds(since: str | None) -> float:
    if since is None:
        return 0.0
    try:
        number: float | str = float(since)
    except ValueError:
        number = since
    try:
        moment: datetime = parse_instant(number)
    except ValueError as error:
        raise BadInput(f"--since: {shown(str(error))}") from error
    return moment.timestamp()
