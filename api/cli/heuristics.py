"""`prefrontal heuristics` and `prefrontal feedback`.

Learned heuristics and ratings of responses.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from rich.table import Table

from api.cli.data_folder import has_database, open_stored
from api.cli.options import (
    AsJson,
    DataDir,
    Packs,
    Speaker,
    Tenant,
    read_settings,
    read_speaker,
    with_executive,
)
from api.cli.presentation import approval_of
from api.cli.terminal import OUT, print_json, printable
from graph.settings import Settings
from state.dialog import ShownApproval
from state.errors import BadInput, Forbidden, NeedsApproval
from state.heuristic import Attribution, Confidence, Feedback, KnownHeuristic, Rating
from state.principal import Principal

if TYPE_CHECKING:
    from graph.executive import Executive
    from tools.memory.heuristics.administration import SqlHeuristics

T = TypeVar("T")

heuristics = typer.Typer(
    no_args_is_help=True,
    help="What is said without a model: shipped, learned, and how far it may be relied on.",
    epilog="Example: prefrontal heuristics list",
)
Asker = Annotated[
    str | None,
    typer.Option("--as", metavar="NAME:ROLE", help="Who asks, where it needs an approval."),
]
Name = Annotated[str, typer.Argument(metavar="HEURISTIC", help="Its id, as `list` shows it.")]


def add_heuristics(cli: typer.Typer) -> None:
    """Add the commands."""
    cli.add_typer(heuristics, name="heuristics")
    cli.command(epilog="Example: prefrontal feedback RESPONSE good --as ann:engineer")(feedback)


@heuristics.command("list", epilog="Example: prefrontal heuristics list --json")
def list_them(
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """List them with their confidence; the learned and those that somebody moved first.

    Reads beside a running service.
    """
    found = asyncio.run(_read(read_settings(pack, data_dir), lambda known: known.list(tenant)))
    if as_json:
        print_json([one.model_dump(mode="json") for one in found])
        return
    table = Table(box=None, pad_edge=False)
    for column in ("id", "sure", "said", "of it", "when", "says"):
        table.add_column(column, overflow="fold")
    for one in found:
        told, confidence = one.heuristic, one.confidence
        off = f"off: {told.disabled}" if told.disabled else ""
        table.add_row(
            printable(told.heuristic_id),
            f"{confidence.usable:.2f}",
            f"+{confidence.goods} -{confidence.bads}",
            off or _standing(confidence) or told.origin,
            printable(told.condition),
            printable(told.says or f"proposes {told.action}"),
        )
    OUT.print(table)


def _standing(confidence: Confidence) -> str:
    if confidence.blocked:
        return "on probation"
    if confidence.doubted:
        return "called wrong last"
    return "" if confidence.shared else f"taught by {_teachers(confidence)} alone"


def _teachers(confidence: Confidence) -> str:
    return ", ".join(confidence.taught_by) or "nobody by name"


def _whose(confidence: Confidence) -> str:
    """Say who hears it, while others have not called it good."""
    return (
        f"to {_teachers(confidence)}, in the sessions it was taught in, and everywhere while nobody"
        " else was ever heard; to all when others call it good"
    )


@heuristics.command(epilog="Example: prefrontal heuristics show bilge_high")
def show(
    heuristic: Name,
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Show one: what it says when, and every number behind its confidence.

    Reads beside a running service.
    """
    settings = read_settings(pack, data_dir)
    found = asyncio.run(_read(settings, lambda known: known.get(heuristic, tenant)))
    _tell(found, as_json=as_json)


@heuristics.command(epilog='Example: prefrontal heuristics edit bilge_high --says "Look at it."')
def edit(  # noqa: PLR0913, PLR0917  # an option each
    heuristic: Name,
    says: Annotated[str | None, typer.Option(help="Other words.")] = None,
    floor: Annotated[float | None, typer.Option(min=0, max=1, help="Never less sure.")] = None,
    ceiling: Annotated[float | None, typer.Option(min=0, max=1, help="Never surer.")] = None,
    weight: Annotated[
        float | None, typer.Option(min=0, max=10, help="What feedback on it counts, times this.")
    ] = None,
    locked: Annotated[
        bool | None, typer.Option("--locked/--unlocked", help="Feedback moves it, or does not.")
    ] = None,
    speaker: Asker = None,
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Change one; it counts for the next event.

    One that a pack ships, or that is locked, waits for an approval: say who asks with --as.
    """
    given = {"says": says, "floor": floor, "ceiling": ceiling, "weight": weight, "locked": locked}
    fields = {name: value for name, value in given.items() if value is not None}
    if not fields:
        raise BadInput("say what to change: --says, --floor, --ceiling, --weight or --locked")
    who = read_speaker(speaker, tenant) if speaker else None
    _change(read_settings(pack, data_dir), tenant, heuristic, fields, who, as_json=as_json)


@heuristics.command(epilog="Example: prefrontal heuristics disable bilge_high")
def disable(
    heuristic: Name,
    enable: Annotated[bool, typer.Option("--enable", help="Put it back into use.")] = False,
    speaker: Asker = None,
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Put one out of use; what it was learned from stays on record.

    One that a pack ships, or that is locked, waits for an approval: say who asks with --as.
    """
    fields = {"disabled": None if enable else "put out of use by hand"}
    who = read_speaker(speaker, tenant) if speaker else None
    _change(read_settings(pack, data_dir), tenant, heuristic, fields, who, as_json=as_json)


def feedback(
    response: Annotated[str, typer.Argument(help="The response_id of a record.")],
    rating: Annotated[Rating, typer.Argument(help="How it was.")],
    speaker: Speaker,
    because: Annotated[
        Attribution | None, typer.Option(help="What was bad of it.", show_default=False)
    ] = None,
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Say how a response was; said again it counts once, and the last word counts."""
    who = read_speaker(speaker, tenant)
    given = Feedback(response_id=response, rating=rating, attribution=because)
    settings = read_settings(pack, data_dir)
    traced = asyncio.run(
        with_executive(settings, lambda executive: executive.feedback.rate(who, given))
    )
    if as_json:
        print_json(traced.model_dump(mode="json"))
    else:
        OUT.print(printable(f"{rating}: {traced.trace.response}"))


def _change(
    settings: Settings,
    tenant: str,
    name: str,
    fields: dict[str, Any],
    who: Principal | None,
    *,
    as_json: bool,
) -> None:
    async def work(executive: "Executive") -> KnownHeuristic | ShownApproval:
        if who is None:
            return await executive.heuristics.change(name, tenant, **fields)
        changed = await executive.heuristic_changes.change(name, who, fields)
        return changed if isinstance(changed, KnownHeuristic) else executive.approvals.show(changed)

    try:
        changed = asyncio.run(with_executive(settings, work))
    except NeedsApproval as needed:
        raise Forbidden(f"{needed}; say who asks for it: --as NAME:role") from needed
    if isinstance(changed, KnownHeuristic):
        _tell(changed, as_json=as_json)
    elif as_json:
        print_json(changed.model_dump(mode="json"))
    else:
        OUT.print(approval_of(changed))


async def _read(settings: Settings, work: Callable[["SqlHeuristics"], Awaitable[T]]) -> T:
    from graph.services.heuristic_learning import build_learning
    from graph.wiring.thresholds import read_tuning
    from tools.catalog.action_catalog import Catalogue
    from tools.catalog.pack import packs_named

    if not has_database(settings):  # then nobody else is at work there
        return await with_executive(settings, lambda executive: work(executive.heuristics))
    async with open_stored(settings) as stored:
        catalogue = Catalogue.of(packs_named(settings.packs))
        tuning = read_tuning(settings.policy_file)
        return await work(build_learning(stored.database, catalogue, tuning, None))


def _tell(one: KnownHeuristic, *, as_json: bool) -> None:
    if as_json:
        print_json(one.model_dump(mode="json"))
        return
    for name, value in {**one.heuristic.model_dump(), **one.confidence.model_dump()}.items():
        if value not in (None, "", ()):
            told = f"{value:.3f}" if isinstance(value, float) else str(value)
            told = ", ".join(value) if isinstance(value, tuple) else told
            OUT.print(printable(f"{name:<14} {told}"))
    if not one.confidence.shared:
        OUT.print(printable(f"{'said alone':<14} {_whose(one.confidence)}"))
