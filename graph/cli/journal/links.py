"""`prefrontal journal link|links|settle`: which decision replaces which."""

import asyncio
from collections.abc import Sequence
from typing import Annotated, get_args

import typer
from rich.text import Text

from graph.cli.journal.opening import from_journal
from graph.cli.journal.showing import told_link
from graph.cli.options import AsJson, DataDir, Speaker, Tenant, read_settings, read_speaker
from graph.cli.terminal.console import OUT, note, print_json, shown
from state.errors import BadInput
from state.journal import DecisionLink, LinkStanding, Scope
from state.reader import whole
from tools.journal.journal import Journal


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(epilog="Example: prefrontal journal link dec-2f40 dec-1e2f --reason slow")(link)
    app.command(epilog="Example: prefrontal journal links --standing proposed")(links)
    app.command(epilog="Example: prefrontal journal settle 3 --accept --as ann")(settle)


def link(
    newer: Annotated[str, typer.Argument(metavar="NEWER", help="The decision that came after.")],
    older: Annotated[str, typer.Argument(metavar="OLDER", help="The one that it replaces.")],
    reason: Annotated[str, typer.Option(help="Why; it is kept.")] = "",
    partial: Annotated[
        bool, typer.Option("--partial", help="It revises the older one, which stays in force.")
    ] = False,
    speaker: Speaker = "owner",
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Say that one decision replaces another."""
    principal = read_speaker(speaker, tenant)

    async def work(journal: Journal) -> DecisionLink:
        scope: Scope = "partial" if partial else "full"
        return await journal.link(newer, older, principal, reason=reason, scope=scope)

    _tell([asyncio.run(from_journal(read_settings(None, data_dir), work))], as_json=as_json)


def links(
    standing: Annotated[
        str | None, typer.Option(metavar="proposed|accepted|refused", help="Only those.")
    ] = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """List which decision replaces which, newest first; what rules found waits as `proposed`."""
    wanted = next((one for one in get_args(LinkStanding) if one == standing), None)
    if standing is not None and wanted is None:
        raise BadInput(f"--standing takes {', '.join(get_args(LinkStanding))}")
    found = asyncio.run(
        from_journal(
            read_settings(None, data_dir),
            lambda journal: journal.succession.list(whole(tenant), standing=wanted),
        )
    )
    _tell(found, as_json=as_json)
    if not found:
        note("no links")


def settle(
    link_id: Annotated[int, typer.Argument(metavar="LINK", help="The number that links prints.")],
    accept: Annotated[
        bool, typer.Option("--accept/--refuse", help="Whether it replaces the older one.")
    ],
    speaker: Speaker = "owner",
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Accept a link that was proposed, or refuse one; a refused one is taken back."""
    principal = read_speaker(speaker, tenant)
    settled = asyncio.run(
        from_journal(
            read_settings(None, data_dir),
            lambda journal: journal.settle(link_id, principal, accept=accept),
        )
    )
    _tell([settled], as_json=as_json)


def _tell(found: Sequence[DecisionLink], *, as_json: bool) -> None:
    for one in found:
        if as_json:
            print_json(one.model_dump(mode="json"))
        else:
            OUT.print(Text(shown(told_link(one))))
