"""`prefrontal memory`: messages, entities and goals of a session, and forgetting a person."""

from typing import Annotated

import typer

from api.cli.data_folder import on_tables
from api.cli.options import Session, with_service
from api.cli.service import Service
from api.cli.terminal import printable
from state.attention import Goal
from state.remembered import EntityMemory, Remembered, SaidBy
from tools.memory import RecallScope, UtteranceRecall
from tools.memory.answers import goal_line, message_line
from tools.platform.clock import SystemClock
from tools.storage import Database
from tools.storage.retention import forget_person

memory = typer.Typer(no_args_is_help=True, epilog="Example: prefrontal memory about furnace")
By = Annotated[str | None, typer.Option("--by", metavar="us|person", help="Whose words.")]
Of = Annotated[
    str | None, typer.Option("--session", metavar="ID", help="The session. Default: any.")
]
Most = Annotated[int, typer.Option("--limit", min=1, max=100, help="Results at most.")]


@memory.command(epilog='Example: prefrontal memory about "the furnace" --by us')
@with_service
def about(
    topic: Annotated[str, typer.Argument(help="The topic, by its words.")],
    service: Service,
    by: By = None,
    session: Of = None,
    limit: Most = 10,
) -> None:
    """List what was said about a topic, the nearest first; the API finds it by meaning too."""
    _show_messages(service, RecallScope(service.tenant, session, _side(by)), topic, limit)


@memory.command(epilog="Example: prefrontal memory recent --session engine-room")
@with_service
def recent(service: Service, by: By = None, session: Of = None, limit: Most = 10) -> None:
    """List what was said last, the newest first."""
    _show_messages(service, RecallScope(service.tenant, session, _side(by)), None, limit)


def _show_messages(service: Service, where: RecallScope, topic: str | None, limit: int) -> None:
    settings = service.in_folder()

    async def read(database: Database) -> tuple[Remembered, ...]:
        recalling = UtteranceRecall(database, None, 1.0)  # no model is loaded for a command
        if topic is None:
            return await recalling.recent(where, limit=limit)
        return await recalling.about(topic, where, limit=limit)

    found, now = on_tables(settings, read), SystemClock().now()
    lines = [message_line(one, now, settings.zone) for one in found]
    service.show_list(found, lines or ["nothing was said about that"])


@memory.command(epilog="Example: prefrontal memory entity LK-12")
@with_service
def entity(
    name: Annotated[str, typer.Argument(help="The entity, as people call it.")],
    service: Service,
    session: Session = "default",
) -> None:
    """Show what a session holds about an entity: words, decisions, facts of packs."""
    with service.reading() as client:
        found = client.call("GET", ("/v1/memory/entities", name), EntityMemory, session_id=session)
    now, zone = SystemClock().now(), service.settings.zone
    lines = [
        *(message_line(one, now, zone) for one in found.said),
        *(
            f"{one.recorded_at.astimezone(zone):%Y-%m-%d %H:%M} {one.outcome}: {one.text}"
            for one in found.happened
        ),
        *(f"{fact}: {value}" for fact, value in found.facts.items()),
    ]
    known = "\n".join(lines) or f"nothing is known of {name} here"
    service.show(found, lambda _found: printable(known))


@memory.command(epilog="Example: prefrontal memory goals --session default")
@with_service
def goals(service: Service, session: Session = "default") -> None:
    """List the goals of a session, how they stand and how far they are."""
    with service.reading() as client:
        found = list(client.pages("/v1/goals", "goals", Goal, session_id=session))
    service.show_list(found, [goal_line(goal) for goal in found] or ["no goals"])


@memory.command(epilog="Example: prefrontal memory forget ann --dry-run")
@with_service
def forget(
    user: Annotated[
        str, typer.Argument(help="The name on the person's key, or before the colon of --as.")
    ],
    service: Service,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only count.")] = False,
) -> None:
    """Delete what memory holds of a person: words, answers, goals, reminders, manner, rapport.

    Records of decisions, the journal and the ledger stay, for the days of retention in policy.toml.
    """
    gone = on_tables(
        service.in_folder(),
        lambda database: database.write(
            lambda one: forget_person(one, service.tenant, user, is_trial=dry_run)
        ),
    )
    told = [
        f"{gone.said} utterances",
        f"{gone.reminders} reminders",
        f"{gone.goals} goals",
        *(["manner and rapport"] if gone.profile else []),
    ]
    does = "would forget" if dry_run else "forgot"
    line = f"{does} of {user}: {', '.join(told)}, in {gone.sessions} sessions"
    service.show(gone, lambda _gone: printable(line))


def _side(by: str | None) -> SaidBy | None:
    if by in (None, "us", "person"):
        return by  # type: ignore[return-value]  # one of the three, as just seen
    raise typer.BadParameter("say us or person")
