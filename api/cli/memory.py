"""`prefrontal memory` and `prefrontal reminders`.

Messages, entities, goals, forgetting, reminders.
"""

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer
from pydantic import JsonValue

from api.cli.data_folder import Stored, open_stored
from api.cli.options import AsJson, DataDir, Speaker, Tenant, read_settings, read_speaker
from api.cli.session import SessionOptions, in_session
from api.cli.terminal import OUT, print_json, printable
from graph.settings import Settings
from state.errors import BadInput, NotFound
from state.initiative import Reminder
from state.remembered import EntityMemory, Forgotten, Remembered, SaidBy
from state.talk import TalkRequest
from tools.attention.reminders import due_of, find_reminders
from tools.memory.recall import RecallScope, UtteranceRecall
from tools.nlu.control.requests import control_request
from tools.platform.clock import SystemClock
from tools.storage.reminders import SqlReminders
from tools.storage.retention import forget_person
from tools.storage.sessions import read_session

memory = typer.Typer(
    no_args_is_help=True,
    help="What was said, what is known of a thing, which goals there are. Works beside a service.",
    epilog="Example: prefrontal memory about furnace",
)
By = Annotated[str | None, typer.Option("--by", metavar="us|person", help="Whose words.")]
Of = Annotated[str | None, typer.Option("--session", metavar="ID", help="Which session; else any.")]
Most = Annotated[int, typer.Option("--limit", min=1, max=100, help="How many at most.")]


def add_memory(cli: typer.Typer) -> None:
    """Add the commands."""
    cli.add_typer(memory, name="memory")


@memory.command(epilog='Example: prefrontal memory about "the furnace" --by us')
def about(
    topic: Annotated[str, typer.Argument(help="What it was about, by its words.")],
    by: By = None,
    session: Of = None,
    limit: Most = 10,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """List what was said about something, the nearest first; the service finds by meaning too."""
    settings, where = read_settings(None, data_dir), RecallScope(tenant, session, _side(by))
    _print_messages(asyncio.run(_about(settings, where, topic, limit)), settings, as_json=as_json)


@memory.command(epilog="Example: prefrontal memory recent --session engine-room")
def recent(
    by: By = None,
    session: Of = None,
    limit: Most = 10,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """List what was said last, the newest first."""
    settings, where = read_settings(None, data_dir), RecallScope(tenant, session, _side(by))
    _print_messages(asyncio.run(_about(settings, where, None, limit)), settings, as_json=as_json)


@memory.command(epilog="Example: prefrontal memory entity LK-12")
@in_session
def entity(
    name: Annotated[str, typer.Argument(help="The thing, as people call it.")],
    options: SessionOptions,
) -> None:
    """Show what is known of a thing in a session: words, decisions, facts of packs."""
    from tools.memory.answers import message_line

    async def read(stored: Stored) -> EntityMemory:
        return await _by_words(stored).entity(name, options.tenant, options.session)

    found = options.read(read)
    now, zone = SystemClock().now(), options.settings.zone
    lines = [
        *(message_line(one, now, zone) for one in found.said),
        *(
            f"{one.recorded_at.astimezone(zone):%Y-%m-%d %H:%M} {one.outcome}: {one.text}"
            for one in found.happened
        ),
        *(f"{fact}: {value}" for fact, value in found.facts.items()),
    ]
    options.tell([found.model_dump(mode="json")], lines or [f"nothing is known of {name} here"])


@memory.command(epilog="Example: prefrontal memory forget ann --dry-run")
def forget(
    user: Annotated[
        str, typer.Argument(help="Whom: the name on their key, or before --as's colon.")
    ],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only count.")] = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Remove what memory holds of a person: words, answers, goals, reminders, manner, rapport.

    Records of decisions, the journal and the ledger stay, for the days of retention in policy.toml.
    """

    async def work() -> Forgotten:
        async with open_stored(read_settings(None, data_dir)) as stored:
            return await stored.database.write(
                lambda one: forget_person(one, tenant, user, is_trial=dry_run)
            )

    gone = asyncio.run(work())
    if as_json:
        print_json(gone.model_dump(mode="json"))
        return
    told = [
        f"{gone.said} utterances",
        f"{gone.reminders} reminders",
        f"{gone.goals} goals",
        *(["manner and rapport"] if gone.profile else []),
    ]
    does = "would forget" if dry_run else "forgot"
    OUT.print(printable(f"{does} of {user}: {', '.join(told)}, in {gone.sessions} sessions"))


@memory.command(epilog="Example: prefrontal memory goals --session default")
@in_session
def goals(options: SessionOptions) -> None:
    """List the goals of a session, how they stand and how far they are."""
    from tools.memory.answers import goal_line  # as above

    known = options.read(
        lambda stored: stored.database.read(
            lambda connection: read_session(connection, options.tenant, options.session)
        )
    )
    lines = [goal_line(goal) for goal in known.goals]
    found: list[JsonValue] = [goal.model_dump(mode="json") for goal in known.goals]
    options.tell([found], lines or ["no goals"])


async def _about(
    settings: Settings, where: RecallScope, topic: str | None, limit: int
) -> tuple[Remembered, ...]:
    async with open_stored(settings) as stored:
        return await _read(stored, where, topic, limit)


async def _read(
    stored: Stored, where: RecallScope, topic: str | None, limit: int
) -> tuple[Remembered, ...]:
    recalling = _by_words(stored)
    if topic is None:
        return await recalling.recent(where, limit=limit)
    return await recalling.about(topic, where, limit=limit)


def _by_words(stored: Stored) -> UtteranceRecall:
    return UtteranceRecall(stored.database, None, 1.0)  # no model is loaded for a command


def _side(by: str | None) -> SaidBy | None:
    if by in (None, "us", "person"):
        return by  # type: ignore[return-value]  # one of the three, as just seen
    raise typer.BadParameter("say us or person")


def _print_messages(found: tuple[Remembered, ...], settings: Settings, *, as_json: bool) -> None:
    if as_json:
        print_json([one.model_dump(mode="json") for one in found])
        return
    from tools.memory.answers import message_line  # as above

    now = SystemClock().now()
    for one in found:
        OUT.print(printable(message_line(one, now, settings.zone)))
    if not found:
        OUT.print("nothing was said about that")


if TYPE_CHECKING:
    from graph.executive import Executive

reminders = typer.Typer(
    no_args_is_help=True,
    help="What will be told at a time; asking for it, and calling it off.",
    epilog="Example: prefrontal reminders list --session engine-room",
)


def add_reminders(cli: typer.Typer) -> None:
    """Add the commands."""
    cli.add_typer(reminders, name="reminders")


@reminders.command("list", epilog="Example: prefrontal reminders list")
@in_session
def list_them(options: SessionOptions) -> None:
    """List what waits, the next first. Reads beside a service."""
    found = options.read(
        lambda stored: SqlReminders(stored.database).waiting(options.tenant, options.session)
    )
    _print_reminders(options, found)


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
    request = control_request(words) or control_request(f"remind me {words}")
    due = due_of(request, SystemClock().now(), options.settings.zone) if request else None
    if request is None or request.kind != "remind" or due is None:
        raise BadInput(f'say when and of what, such as "in 20 minutes to check it": {words!r}')
    who, what = read_speaker(speaker, options.tenant), request.topic or ""
    made = options.at_work(
        lambda executive: executive.controls.remind(who, options.session, what, lambda _now: due)
    )
    _print_reminders(options, (made,))


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
        kept = executive.reminders
        waiting = await kept.waiting(who.tenant_id, options.session)
        if not find_reminders([one for one in waiting if one.is_of(who.user)], which):
            raise NotFound("reminder", which)
        request = TalkRequest(kind="no_reminder", topic=which)
        await executive.controls.change(who, options.session, request)
        return await kept.waiting(who.tenant_id, options.session)

    _print_reminders(options, options.at_work(work))


def _print_reminders(options: SessionOptions, found: tuple[Reminder, ...]) -> None:
    lines = [
        f"{one.due_at:%Y-%m-%d %H:%M:%S} UTC  {one.text}  ({one.reminder_id})" for one in found
    ]
    options.tell([[one.model_dump(mode="json") for one in found]], lines or ["nothing waits"])
