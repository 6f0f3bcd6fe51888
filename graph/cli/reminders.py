"""`prefrontal reminders`: what will be told at a time, and calling it off."""

from typing import TYPE_CHECKING, Annotated

import typer

from graph.cli.in_session import SessionOptions, in_session
from graph.cli.options import Speaker, read_speaker
from state.errors import BadInput, NotFound
from state.initiative import Reminder
from state.talk import TalkRequest
from tools.clock import SystemClock
from tools.proactive.reminders import due_of, named_among
from tools.salience.requests import talk_request
from tools.storage.reminders import SqlReminders

if TYPE_CHECKING:
    from graph.runner import Executive

reminders = typer.Typer(
    no_args_is_help=True,
    help="What will be told at a time; asking for it, and calling it off.",
    epilog="Example: prefrontal reminders list --session engine-room",
)


def add_to(cli: typer.Typer) -> None:
    """Add the commands."""
    cli.add_typer(reminders, name="reminders")


@reminders.command("list", epilog="Example: prefrontal reminders list")
@in_session
def list_them(options: SessionOptions) -> None:
    """List what waits, the next first. Reads beside a service."""
    found = options.read(
        lambda stored: SqlReminders(stored.database).waiting(options.tenant, options.session)
    )
    _tell(options, found)


@reminders.command(
    epilog='Example: prefrontal reminders ask "in 20 minutes to check it" --as ben:engineer'
)
@in_session
def ask(
    words: Annotated[
        str, typer.Argument(help='"in 20 minutes to check the furnace", "at 18:00 to call home"')
    ],
    speaker: Speaker,
    options: SessionOptions,
) -> None:
    """Ask to be reminded, in plain words; the service must run for it to be told."""
    request = talk_request(words) or talk_request(f"remind me {words}")
    due = due_of(request, SystemClock().now(), options.settings.zone) if request else None
    if request is None or request.kind != "remind" or due is None:
        raise BadInput(f'say when and of what, such as "in 20 minutes to check it": {words!r}')
    who, what = read_speaker(speaker, options.tenant), request.topic or ""
    made = options.at_work(
        lambda executive: executive.attention.remind(who, options.session, what, lambda _now: due)
    )
    _tell(options, (made,))


@reminders.command(epilog="Example: prefrontal reminders cancel furnace --as ben:engineer")
@in_session
def cancel(
    which: Annotated[str, typer.Argument(help="Its id, or words of it.")],
    speaker: Speaker,
    options: SessionOptions,
) -> None:
    """Call off what one asked for and was not told yet, and list what still waits."""
    who = read_speaker(speaker, options.tenant)

    async def work(executive: "Executive") -> tuple[Reminder, ...]:
        kept = executive.initiating.reminders
        waiting = await kept.waiting(who.tenant_id, options.session)
        if not named_among([one for one in waiting if one.is_of(who.user)], which):
            raise NotFound("reminder", which)
        request = TalkRequest(kind="no_reminder", topic=which)
        await executive.attention.change(who, options.session, request)
        return await kept.waiting(who.tenant_id, options.session)

    _tell(options, options.at_work(work))


def _tell(options: SessionOptions, found: tuple[Reminder, ...]) -> None:
    lines = [
        f"{one.due_at:%Y-%m-%d %H:%M:%S} UTC  {one.text}  ({one.reminder_id})" for one in found
    ]
    options.tell([[one.model_dump(mode="json") for one in found]], lines or ["nothing waits"])
