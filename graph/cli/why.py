"""`prefrontal why`: a decision in words, stage by stage."""

import asyncio
from typing import Annotated

import typer
from rich.text import Text

from graph.cli.console import OUT, print_json, shown
from graph.cli.options import AsJson, DataDir, Tenant, read_settings
from graph.explain import explain
from graph.settings import Settings
from state.errors import BadInput
from state.record import DecisionTrace

EXAMPLE = "Example: prefrontal why --last"


def add_to(cli: typer.Typer) -> None:
    """Add the command."""
    cli.command(epilog=EXAMPLE)(why)


def why(
    decision: Annotated[
        str | None,
        typer.Argument(metavar="DECISION", help="A decision's id, the start of it, or event id."),
    ] = None,
    last: Annotated[bool, typer.Option("--last", help="The newest decision.")] = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Say why: every stage, its numbers and reasons, and what would have changed it.

    Reads beside a running service.
    """
    if (decision is None) != last:
        raise BadInput("name one decision, or give --last for the newest")
    trace = asyncio.run(_read(read_settings(data_dir=data_dir), decision, tenant))
    if as_json:
        print_json(trace.model_dump(mode="json"))
    else:
        OUT.print(told(trace))


def told(trace: DecisionTrace) -> Text:
    """Lay an explanation out."""
    text = Text()
    for section in explain(trace):
        text.append(f"{section.title}\n", style="bold")
        for line in section.lines:
            text.append(f"  {shown(line)}\n".replace("\n", "\n  ").removesuffix("  "))
    text.right_crop(1)
    return text


async def _read(settings: Settings, name: str | None, tenant: str) -> DecisionTrace:
    from graph.cli.stored import open_stored

    async with open_stored(settings) as stored:
        return await (stored.trace(name, tenant) if name else stored.last(tenant))
