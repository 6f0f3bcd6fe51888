"""`prefrontal queries`: export the query log, metrics, quality, gaps, harm and training data."""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer
from rich.console import Group
from rich.table import Table
from rich.text import Text

from api.cli.data_folder import on_tables, open_tables
from api.cli.options import with_service
from api.cli.service import Service
from api.cli.terminal import OUT, print_note, printable
from state.errors import BadInput
from state.event import parse_instant
from state.quality import QualityMetrics, RegretCounts, Regrets
from state.query import Gaps, HardFalsePositive, Metrics, Query, Rate

if TYPE_CHECKING:
    from graph.settings import Settings
    from tools.observability import SqlQueryLog
    from tools.storage import Database

GOAL_OF_PRIMARY = 0.70
"""Primary chip chosen more often: the ranking is sane. Source: execution contract §5."""


def metrics_of(metrics: Metrics) -> Group:
    """Draw the figures, harm first."""
    table = Table(box=None, show_header=False, pad_edge=False)
    for name, value in _figures(metrics):
        table.add_row(name, value)
    harm = metrics.hard_false_positives
    head = Text(f"hard false positives: {harm}", style="bold red" if harm else "green")
    return Group(head, table)


def gaps_of(gaps: Gaps) -> Group:
    """Draw each pair that differs, with what was said."""
    head = Text(f"{gaps.agreed} of {gaps.known} queries ended as predicted")
    lines = []
    for gap in gaps.gaps:
        said = "; ".join(printable(text) for text in gap.examples)
        lines.append(
            Text(
                f"{gap.count:>4}  {gap.share:>5.1%}  {gap.predicted or 'nothing'} → {gap.done} "
                f"({gap.by}, {gap.collision.replace('_', ' ')})\n            {said}"
            )
        )
    return Group(head, *lines)


def quality_of(quality: QualityMetrics) -> Group:
    """Draw the rates of one pack, and the turns to look into."""
    table = Table(box=None, show_header=False, pad_edge=False)
    since = f" since {quality.since:%Y-%m-%d %H:%M} UTC" if quality.since else ""
    intents = _counts(quality.intents)
    table.add_row(
        "direct searches that called the tool", _rate(quality.direct_search_tool_call_rate)
    )
    table.add_row("answered with a question first", _rate(quality.clarification_first_rate))
    table.add_row("dates kept", _rate(quality.recency_filter_compliance_rate))
    table.add_row("stages made", _rate(quality.stage_transition_success_rate))
    missed = [
        Text(
            f"  {one.decision_id}  {one.action or 'no action'}: "
            f"{', '.join(miss.replace('_', ' ') for miss in one.misses)}"
        )
        for one in quality.missed
    ]
    more = [Text("missed, the newest first; prefrontal why ID explains one:")] if missed else []
    turns = f"{quality.turns} turn{'' if quality.turns == 1 else 's'}"
    head = Text(f"{quality.pack}: {turns}{since}: {intents}", style="bold")
    return Group(head, table, *more, *missed)


def regrets_of(found: Regrets) -> Table:
    """Draw regrets per 100 events: in all, by week, by source."""
    table = Table(box=None, pad_edge=False)
    for column in ("", "events", "spoken", "regretted utterances", "regretted silences"):
        table.add_column(column, justify="left" if not column else "right")
    rows: list[tuple[str, RegretCounts]] = [("all", found.total)]
    rows += [(f"week of {one.week:%Y-%m-%d}", one) for one in found.weeks]
    rows += [(printable(one.source), one) for one in found.sources]
    for name, one in rows:
        table.add_row(
            name,
            str(one.events),
            str(one.spoken),
            _per_100(one.utterances, one.utterances_per_100),
            _per_100(one.silences, one.silences_per_100),
        )
    return table


def _per_100(count: int, per_100: float | None) -> str:
    return str(count) if per_100 is None else f"{count} ({per_100:.1f} in 100)"


def harm_of(found: list[HardFalsePositive]) -> Group:
    """Name each action that was started without intent."""
    if not found:
        return Group(Text("nothing was started without intent", style="green"))
    return Group(
        *(
            Text(f"{one.action_id}  {one.action}  class {one.execution_class}: {_WHY[one.why]}")
            for one in found
        )
    )


_WHY: Mapping[str, str] = {
    "no_quorum": "too few people said yes to exactly this",
    "no_choice": "nobody chose it",
    "below_floor": "it ran in a lower class than its effect allows",
}


def _figures(metrics: Metrics) -> Iterator[tuple[str, str]]:
    yield "queries", str(metrics.queries)
    yield "  by class", _counts(metrics.by_class)
    yield "  by phase", _counts(metrics.by_phase)
    yield "offers", str(metrics.offers)
    yield "  a chip was taken", _rate(metrics.chosen)
    yield "  in words", _rate(metrics.said)
    yield "  it was the primary", f"{_rate(metrics.primary_chosen)}, goal {GOAL_OF_PRIMARY:.0%}"
    for place, rate in metrics.positions.items():
        yield f"  chip {place}", _rate(rate)
    for ordering, rate in metrics.orderings.items():
        yield f"  primary, ordered by {ordering.replace('_', ' ')}", _rate(rate)
    median, p95 = metrics.time_to_action_ms["median"], metrics.time_to_action_ms["p95"]
    if median is not None and p95 is not None:
        yield "time to action", f"median {median:.0f} ms, 95 % within {p95:.0f} ms"
    yield "executions", _counts(metrics.executions)
    for action, rate in metrics.undone.items():
        yield f"  {action} undone", _rate(rate)
    for action, rate in metrics.accepted.items():
        yield f"  {action} approved when asked", _rate(rate)
    yield "close rivals", _counts(metrics.collisions)
    yield "against what people did", _counts(metrics.collisions_observed)


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {key.replace('_', ' ')}" for key, count in counts.items()) or "none"


def _rate(rate: Rate) -> str:
    if rate.value is None:
        return "nothing to count"
    return f"{rate.value:.1%} of {rate.n} ({rate.low:.0%} to {rate.high:.0%})"


T = TypeVar("T")

queries = typer.Typer(no_args_is_help=True, epilog="Example: prefrontal queries metrics")

Since = Annotated[
    str | None,
    typer.Option("--since", metavar="TIME", help="ISO time or seconds since 1970. Default: all."),
]


@queries.command(epilog="Example: prefrontal queries export --since 2026-06-01 --out queries.jsonl")
@with_service
def export(
    service: Service,
    since: Since = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write to a file, not to stdout.")
    ] = None,
) -> None:
    """Write the query log as JSON, a query a line, oldest first."""
    count, start = 0, _seconds(since)
    with service.reading() as client, _lines_to(out) as write:
        for line in client.lines("/v1/queries", since=str(start)):
            write(Query.model_validate(line).model_dump_json())
            count += 1
    print_note(f"{count} queries")


@queries.command(epilog="Example: prefrontal queries metrics --json")
@with_service
def metrics(service: Service, since: Since = None) -> None:
    """Count chips, executions, undos and answers; exit 1 on an unauthorized execution."""
    start = _seconds(since)
    with service.reading() as client:
        found = client.call("GET", "/v1/metrics", Metrics, since=start)
    service.show(found, metrics_of)
    if found.hard_false_positives:
        raise typer.Exit(1)


@queries.command(epilog="Example: prefrontal queries gaps --since 2026-06-01")
@with_service
def gaps(service: Service, since: Since = None) -> None:
    """Compare predictions with what people did, the most frequent difference first."""
    start = _seconds(since)
    with service.reading() as client:
        service.show(client.call("GET", "/v1/queries/gaps", Gaps, since=start), gaps_of)


@queries.command(epilog="Example: prefrontal queries regrets --since 2026-06-01")
@with_service
def regrets(service: Service, since: Since = None) -> None:
    """Count regretted utterances and silences per 100 events, by week and by source."""
    start = _seconds(since)
    with service.reading() as client:
        service.show(client.call("GET", "/v1/regrets", Regrets, since=start), regrets_of)


@queries.command(epilog="Example: prefrontal queries quality --pack research --at-least 0.95")
@with_service
def quality(
    service: Service,
    at_least: Annotated[
        float | None,
        typer.Option(
            min=0, max=1, help="Exit 1 when a rate is lower, or questions are more frequent."
        ),
    ] = None,
) -> None:
    """Show how often searches were called, dates kept and stages made, for each pack."""
    from tools.observability import SqlQuality

    found = _on_log(
        service, lambda log: SqlQuality(log.database, log.catalogue).all_metrics(service.tenant)
    )
    for one in found:
        service.show(one, quality_of)
    if at_least is not None and any(one.worst < at_least for one in found):
        raise typer.Exit(1)


@queries.command(epilog="Example: prefrontal queries harm")
@with_service
def harm(service: Service) -> None:
    """List executions without intent; exit code 1 when there is one."""
    found = _on_log(service, lambda log: log.harm(service.tenant))
    if service.as_json:
        service.show_each(found, harm_of, "")
    else:
        OUT.print(harm_of(found))
    if found:
        raise typer.Exit(1)


@queries.command(epilog="Example: prefrontal queries training --min-count 3 > examples.yaml")
@with_service
def training(
    service: Service,
    min_count: Annotated[
        int, typer.Option(min=1, help="How often a text has to have meant the action.")
    ] = 1,
    since: Since = None,
) -> None:
    """Print texts that people confirmed, by action, as `examples:` for actions.yaml."""
    import yaml

    from tools.observability import by_action

    start, tenant = _seconds(since), service.tenant
    found = _on_log(service, lambda log: log.examples(tenant, since=start, min_count=min_count))
    actions = {name: {"examples": texts} for name, texts in by_action(found).items()}
    typer.echo(yaml.safe_dump({"actions": actions}, allow_unicode=True, sort_keys=False), nl=False)
    print_note(f"{len(found)} examples of {len(actions)} actions; read them before you use them")


@contextmanager
def _lines_to(out: Path | None) -> Iterator[Callable[[str], None]]:
    if out is None:
        yield typer.echo
        return
    with out.open("w", encoding="utf-8") as file:
        yield lambda line: print(line, file=file)


def _on_log(service: Service, work: "Callable[[SqlQueryLog], Awaitable[T]]") -> T:
    settings = service.in_folder()
    return on_tables(settings, lambda database: work(_log_of(database, settings)))


async def reading_log(settings: "Settings", work: "Callable[[SqlQueryLog], Awaitable[T]]") -> T:
    """Do something with the query log of a data folder, also beside a running service."""
    async with open_tables(settings) as database:
        return await work(_log_of(database, settings))


def _log_of(database: "Database", settings: "Settings") -> "SqlQueryLog":
    from graph.wiring.thresholds import resolve_tuning
    from tools.catalog import Catalogue, packs_named
    from tools.observability import SqlQueryLog

    catalogue = Catalogue.of(packs_named(settings.packs))
    tuning = resolve_tuning(settings.policy_file, settings.release_phase, catalogue)
    return SqlQueryLog.of(database, catalogue, tuning)


def _seconds(since: str | None) -> float:
    if since is None:
        return 0.0
    try:
        number: float | str = float(since)
    except ValueError:
        number = since
    try:
        return parse_instant(number).timestamp()
    except ValueError as error:
        raise BadInput(f"--since: {printable(str(error))}") from error
