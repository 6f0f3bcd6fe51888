"""`prefrontal tools`, `webhooks` and `channels`: pinned tools, and who is told what."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Annotated, TypeVar

import typer

from api.cli.data_folder import on_tables
from api.cli.options import AsJson, DataDir, Speaker, read_settings, with_service
from api.cli.service import Service
from api.cli.terminal import OUT, print_json, print_note, printable
from graph.settings import Settings
from graph.wiring.external_services import build_egress, build_outbox, read_secrets
from graph.wiring.thresholds import read_tuning
from prefrontal.client import Client
from state.channel import Channel, Channels
from state.errors import AgentError, BadInput, NotFound
from state.tool_pin import PinnedTool
from state.webhook import Delivery, DeliveryStanding
from tools.notifications import Backlog, Message, Outbox, read_channels, send_message
from tools.platform.texts import t
from tools.platform.unicode_safety import show_hidden

T = TypeVar("T")
ToolId = Annotated[str, typer.Argument(metavar="TOOL", help="PACK/SERVER/TOOL, as list prints it.")]

tools = typer.Typer(no_args_is_help=True, epilog="Example: prefrontal tools list")


@tools.command("list", epilog="Example: prefrontal tools list --json")
@with_service
def list_tools(service: Service) -> None:
    """List every tool that was seen, changed ones first."""
    with service.reading() as client:
        found = list(_tools(client))
    service.show_each(found, _tool_line, "no tool of an MCP server was seen yet")


@tools.command(epilog="Example: prefrontal tools show desk/notebook/erase_notebook")
@with_service
def show(tool: ToolId, service: Service) -> None:
    """Show what a tool was and how its description changed, in full."""
    with service.reading() as client:
        found = next((one for one in _tools(client) if one.id == tool), None)
    if found is None:
        raise NotFound("tool", tool)
    service.show(found, _tool_line)
    if service.as_json:
        return
    for change in found.changes:
        OUT.print(printable(f"{change.field}\n  - {change.before}\n  + {change.after}"))
    if found.seen_sha256:
        OUT.print(printable(f"to accept it: --sha256 {found.seen_sha256}"))


@tools.command(
    epilog="Example: prefrontal tools accept desk/notebook/erase_notebook --sha256 9b1d… "
    "--as marta:captain"
)
@with_service
def accept(
    tool: ToolId,
    sha256: Annotated[
        str, typer.Option("--sha256", metavar="HASH", help="Of the change that show printed.")
    ],
    service: Service,
    speaker: Speaker = None,
) -> None:
    """Accept a changed tool; it is used again from the next start."""
    given = {"id": tool, "sha256": sha256}
    with service.acting(speaker, access="approver") as client:
        service.show(client.call("POST", "/v1/tools/accept", PinnedTool, given), _tool_line)


def _tools(client: Client) -> Iterator[PinnedTool]:
    return client.pages("/v1/tools", "tools", PinnedTool)


def _tool_line(one: PinnedTool) -> str:
    by = f"accepted by {one.accepted_by}" if one.accepted_by else "as first seen"
    who = f"; {' or '.join(one.approver_roles)} may accept it" if one.approver_roles else ""
    told = f"changed: not used until it is accepted{who}" if one.changes else f"pinned {by}"
    return printable(show_hidden(f"{one.id}  {told}"))


_STANDS: dict[DeliveryStanding, str] = {
    "delivered": "arrived",
    "pending": "waiting",
    "dead": "given up",
}
webhooks = typer.Typer(no_args_is_help=True, epilog="Example: prefrontal webhooks list --dead")


@webhooks.command("list", epilog="Example: prefrontal webhooks list --dead")
def list_them(
    dead: Annotated[
        bool, typer.Option("--dead", help="List failed events, with the last problem.")
    ] = False,
    waiting: Annotated[bool, typer.Option("--waiting", help="List waiting events.")] = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """List the endpoints with their delivered, waiting and failed events."""
    if dead and waiting:
        raise BadInput("say --dead or --waiting")
    settings = read_settings(None, data_dir)
    if dead or waiting:
        standing: DeliveryStanding = "dead" if dead else "pending"
        found = _with(settings, lambda outbox: outbox.list(standing))
        _print_deliveries(found, standing, as_json=as_json)
        return
    backlog, named = _with(settings, _backlog)
    if as_json:
        print_json([one.model_dump(mode="json") for one in backlog])
        return
    for name in dict.fromkeys((*named, *(one.endpoint for one in backlog))):
        theirs = [f"{one.count} {_STANDS[one.standing]}" for one in backlog if one.endpoint == name]
        gone = "" if name in named else " (the file names it no more)"
        OUT.print(printable(f"{name}{gone}  {', '.join(theirs) or 'no event yet'}"))
    if not named:
        print_note("nobody is told of events: EXECUTIVE_WEBHOOKS_FILE names no endpoint")


@webhooks.command(epilog="Example: prefrontal webhooks retry 17 18")
def retry(
    ids: Annotated[list[int] | None, typer.Argument(help="Numbers of failed events.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="All failed events.")] = False,
    data_dir: DataDir = None,
) -> None:
    """Send failed events again; a running service does so within a second."""
    if bool(ids) == everything:
        raise BadInput("name dead events by number, or say --all")
    revived = _with(read_settings(None, data_dir), lambda one: one.revive(ids))
    OUT.print(f"{_events(revived)} will be sent again" if revived else "no event was given up")


async def _backlog(outbox: Outbox) -> tuple[list[Backlog], list[str]]:
    return await outbox.backlog(), [one.name for one in outbox.endpoints]


def _events(count: int) -> str:
    return f"{count} event" if count == 1 else f"{count} events"


def _print_deliveries(found: list[Delivery], standing: DeliveryStanding, *, as_json: bool) -> None:
    if as_json:
        print_json([one.model_dump(mode="json") for one in found])
        return
    for one in found:
        why = f": {one.problem}" if one.problem else ""
        tried = "once" if one.attempts == 1 else f"{one.attempts} times"
        OUT.print(
            printable(
                f"{one.delivery_id}  {one.made_at:%Y-%m-%d %H:%M:%S}  {one.endpoint}  {one.kind}  "
                f"{f'tried {tried}' if one.attempts else 'not tried yet'}{why}"
            )
        )
    if not found:
        print_note("no event was given up" if standing == "dead" else "no event waits")


def _with(settings: "Settings", work: Callable[[Outbox], Awaitable[T]]) -> T:
    return on_tables(settings, lambda database: work(build_outbox(settings, database)))


channels = typer.Typer(no_args_is_help=True, epilog="Example: prefrontal channels list")


@channels.command("list", epilog="Example: prefrontal channels list --json")
def list_channels(as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """List the channels with whom each reaches; addresses stay hidden."""
    settings = read_settings(None, data_dir)
    found = _channels(settings)
    if as_json:
        print_json([one.model_dump(mode="json", exclude={"url"}) for one in found.channel])
        return
    for one in found.channel:
        OUT.print(printable(_channel_line(one)))
    if not found.channel:
        file = settings.channels_path
        beside = settings.policy_file.with_name("channels.toml").absolute()
        print_note(t("channel.none") if file else t("channel.no_file", file=beside))


@channels.command("test", epilog="Example: prefrontal channels test ingrid-mail")
def send_test(
    channel: Annotated[str, typer.Argument(metavar="CHANNEL", help="The name in channels.toml.")],
    data_dir: DataDir = None,
) -> None:
    """Send a test message through one channel; it asks for nothing and holds no link."""
    settings = read_settings(None, data_dir)
    named = next((one for one in _channels(settings).channel if one.name == channel), None)
    if named is None:
        raise NotFound("channel", channel)
    message = Message(t("channel.test.title"), t("channel.test.body"))
    seconds = read_tuning(settings.policy_file).channels.send_seconds
    problem = asyncio.run(send_message([named], message, build_egress(settings), seconds))
    if problem is not None:
        raise AgentError(problem)
    OUT.print(printable(t("channel.test.sent", name=channel)))


def _channels(settings: Settings) -> Channels:
    file = settings.channels_path
    return read_channels(file, read_secrets()) if file else Channels()


def _channel_line(one: Channel) -> str:
    kind = "room" if one.person is None else "personal"
    return t(
        "channel.line",
        name=one.name,
        kind=t(f"channel.kind.{kind}"),
        people=", ".join(one.people),
        roles=", ".join(one.roles),
        tenant="" if one.tenant == "default" else one.tenant,
        buttons="buttons" if one.buttons else "",
    )
