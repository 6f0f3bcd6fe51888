"""`prefrontal memory`: what was said, what is known of a thing, which goals; forgetting."""

import asyncio
from typing import Annotated

import typer
from pydantic import JsonValue

from graph.cli.in_session import SessionOptions, in_session
from graph.cli.options import AsJson, DataDir, Tenant, read_settings
from graph.cli.stored import Stored, open_stored
from graph.cli.terminal.console import OUT, print_json, shown
from graph.settings import Settings
from state.remembered import EntityMemory, Forgotten, Remembered, SaidBy
from tools.clock import SystemClock
from tools.journal.searching.terms import match_of, terms_of
from tools.memory.recalling import Recalling, Where
from tools.storage.forgetting import forget_person
from tools.storage.sessions import read_session

memory = typer.Typer(
    no_args_is_help=True,
    help="What was said, what is known of a thing, which goals there are. Works beside a service.",
    epilog="Example: prefrontal memory about furnace",
)
By = Annotated[str | None, typer.Option("--by", metavar="us|person", help="Whose words.")]
Of = Annotated[str | None, typer.Option("--session", metavar="ID", help="Which session; else any.")]
Most = Annotated[int, typer.Option("--limit", min=1, max=100, help="How many at most.")]


def add_to(cli: typer.Typer) -> None:
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
    settings, where = read_settings(None, data_dir), Where(tenant, session, _side(by))
    _tell(asyncio.run(_about(settings, where, topic, limit)), settings, as_json=as_json)


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
    settings, where = read_settings(None, data_dir), Where(tenant, session, _side(by))
    _tell(asyncio.run(_about(settings, where, None, limit)), settings, as_json=as_json)


@memory.command(epilog="Example: prefrontal memory entity LK-12")
@in_session
def entity(
    name: Annotated[str, typer.Argument(help="The thing, as people call it.")],
    options: SessionOptions,
) -> None:
    """Show what is known of a thing in a session: words, decisions, facts of packs."""
    from graph.asked.recalling import (  # brings every tool with it, for 0.4 s
        entity_memory,
        said_line,
    )

    async def read(stored: Stored) -> EntityMemory:
        return await entity_memory(
            stored.database,
            _by_words(stored),
            name,
            tenant_id=options.tenant,
            session_id=options.session,
        )

    found = options.read(read)
    now, zone = SystemClock().now(), options.settings.zone
    lines = [
        *(said_line(one, now, zone) for one in found.said),
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
    OUT.print(shown(f"{does} of {user}: {', '.join(told)}, in {gone.sessions} sessions"))


@memory.command(epilog="Example: prefrontal memory goals --session default")
@in_session
def goals(options: SessionOptions) -> None:
    """List the goals of a session, how they stand and how far they are."""
    from graph.asked.recounting import goal_line  # as above

    known = options.read(
        lambda stored: stored.database.read(
            lambda connection: read_session(connection, options.tenant, options.session)
        )
    )
    lines = [goal_line(goal) for goal in known.goals]
    found: list[JsonValue] = [goal.model_dump(mode="json") for goal in known.goals]
    options.tell([found], lines or ["no goals"])


async def _about(
    settings: Settings, where: Where, topic: str | None, limit: int
) -> tuple[Remembered, ...]:
    async with open_stored(settings) as stored:
        return await _read(stored, where, topic, limit)


async def _read(
    stored: Stored, where: Where, topic: str | None, limit: int
) -> tuple[Remembered, ...]:
    recalling = _by_words(stored)
    if topic is None:
        return await recalling.recent(where, limit=limit)
    return await recalling.about(topic, where, match=match_of(terms_of(topic)), limit=limit)


def _by_words(stored: Stored) -> Recalling:
    return Recalling(stored.database, None, 1.0)  # no model is loaded for a command


def _side(by: str | None) -> SaidBy | None:
    if by in (None, "us", "person"):
        return by  # type: ignore[return-value]  # one of the three, as just seen
    raise typer.BadParameter("say us or person")


def _tell(found: tuple[Remembered, ...], settings: Settings, *, as_json: bool) -> None:
    if as_json:
        print_json([one.model_dump(mode="json") for one in found])
        return
    from graph.asked.recalling import said_line  # as above

    now = SystemClock().now()
    for one in found:
        OUT.print(shown(said_line(one, now, settings.zone)))
    if not found:
        OUT.print("nothing was said about that")
