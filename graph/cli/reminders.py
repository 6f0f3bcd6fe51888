"""`prefrontal reminders`: what will be told at a time, and calling it off."""

import asyncio
from typing import Annotated

import typer

from graph.cli.console import OUT, print_json, shown
from graph.cli.options import (
    AsJson,
    DataDir,
    Packs,
    Session,
    Speaker,
    Tenant,
    read_settings,
    read_speaker,
)
from graph.settings import Settings
from state.errors import BadInput, NotFound
from state.initiative import Reminder
from state.principal import Principal
from state.talk import TalkRequest
from tools.clock import SystemClock
from tools.proactive.reminders import due_of, named_among
from tools.salience.requests import talk_request
from tools.storage.reminders import SqlReminders

reminders = typer.Typer(
    no_args_is_help=True,
    help="What will be told at a time; asking for it, and calling it off.",
    epilog="Example: prefrontal reminders list --session engine-room",
)


def add_to(cli: typer.Typer) -> None:
    """Add the commands."""
    cli.add_typer(reminders, name="reminders")


@reminders.command("list", epilog="Example: prefrontal reminders list")
def list_them(
    session: Session = "default",
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """List what waits, the next first. Reads beside a service."""
    _tell(asyncio.run(_read(read_settings(pack, data_dir), tenant, session)), as_json=as_json)


@reminders.command(
    epilog='Example: prefrontal reminders ask "in 20 minutes to check it" --as ben:engineer'
)
def ask(
    words: Annotated[
        str, typer.Argument(help='"in 20 minutes to check the furnace", "at 18:00 to call home"')
    ],
    speaker: Speaker,
    session: Session = "default",
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Ask to be reminded, in plain words; the service must run for it to be told."""
    request = talk_request(words) or talk_request(f"remind me {words}")
    settings = read_settings(pack, data_dir)
    due = due_of(request, SystemClock().now(), settings.zone) if request else None
    if request is None or request.kind != "remind" or due is None:
        raise BadInput(f'say when and of what, such as "in 20 minutes to check it": {words!r}')
    who, what = read_speaker(speaker, tenant), request.topic or ""

    async def work() -> tuple[Reminder, ...]:
        from graph.cli.embedded import at_work

        async with at_work(settings) as executive:
            return (await executive.attention.remind(who, session, what, lambda _now: due),)

    _tell(asyncio.run(work()), as_json=as_json)


@reminders.command(epilog="Example: prefrontal reminders cancel furnace --as ben:engineer")
def cancel(
    which: Annotated[str, typer.Argument(help="Its id, or words of it.")],
    speaker: Speaker,
    session: Session = "default",
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Call off what one asked for and was not told yet, and list what still waits."""
    who = read_speaker(speaker, tenant)
    _tell(
        asyncio.run(_cancelled(read_settings(pack, data_dir), who, session, which)),
        as_json=as_json,
    )


async def _cancelled(
    settings: Settings, who: Principal, session: str, which: str
) -> tuple[Reminder, ...]:
    from graph.cli.embedded import at_work

    async with at_work(settings) as executive:
        kept = executive.initiating.reminders
        waiting = await kept.waiting(who.tenant_id, session)
        if not named_among([one for one in waiting if one.is_of(who.user)], which):
            raise NotFound("reminder", which)
        request = TalkRequest(kind="no_reminder", topic=which)
        await executive.attention.change(who, session, request)
        return await kept.waiting(who.tenant_id, session)


async def _read(settings: Settings, tenant: str, session: str) -> tuple[Reminder, ...]:
    from graph.cli.stored import open_stored

    async with open_stored(settings) as stored:
        return await SqlReminders(stored.database).waiting(tenant, session)


def _tell(found: tuple[Reminder, ...], *, as_json: bool) -> None:
    if as_json:
        print_json([one.model_dump(mode="json") for one in found])
        return
    for one in found:
        OUT.print(shown(f"{one.due_at:%Y-%m-%d %H:%M:%S} UTC  {one.text}  ({one.reminder_id})"))
    if not found:
        OUT.print("nothing waits")
