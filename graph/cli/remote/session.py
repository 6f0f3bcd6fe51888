"""`prefrontal --url … reminders|quiet`: the verbs of a session, at a service elsewhere.

What is asked for in words is said there, by the key's user: the service's clock and zone count.
"""

from collections.abc import Iterable
from typing import Annotated

import typer

from graph.cli.options import AsJson, Session
from graph.cli.remote.service import Key, service_of
from graph.cli.terminal.console import OUT, print_json, shown
from graph.cli.terminal.showing import said_of
from graph.words.quiet import standing_words
from state.errors import BadInput, NotFound
from state.initiative import Reminder
from state.quietness import Quietness
from tools.proactive.reminders import named_among
from tools.salience.requests import talk_request

reminders = typer.Typer(no_args_is_help=True, help="What will be told there at a time.")
quiet = typer.Typer(no_args_is_help=True, help="Why it is silent there, and how to change that.")
NOT_ABOUT_TALKING = ("prompt", "unclear", "reminders", "goals")


@reminders.command("list")
def list_reminders(
    context: typer.Context, key: Key, session: Session = "default", as_json: AsJson = False
) -> None:
    """List what waits, the next first."""
    with service_of(context, key) as service:
        _tell_reminders(service.reminders(session), as_json=as_json)


@reminders.command("ask")
def ask_reminder(
    context: typer.Context,
    key: Key,
    words: Annotated[str, typer.Argument(metavar="WORDS", help='"in 20 minutes to check it"')],
    session: Session = "default",
    as_json: AsJson = False,
) -> None:
    """Ask to be reminded, in plain words, and list what waits."""
    text = next((one for one in (words, f"remind me {words}") if _is_reminder(one)), None)
    if text is None:
        raise BadInput(f'say when and of what, such as "in 20 minutes to check it": {words!r}')
    with service_of(context, key) as service:
        said = service.say(text, session_id=session)
        if not as_json:
            OUT.print(said_of(said))
        _tell_reminders(service.reminders(session), as_json=as_json)


@reminders.command("cancel")
def cancel_reminder(
    context: typer.Context,
    key: Key,
    which: Annotated[str, typer.Argument(metavar="WHICH", help="Its id, or words of it.")],
    session: Session = "default",
    as_json: AsJson = False,
) -> None:
    """Call off what the key's user asked for, and list what still waits."""
    with service_of(context, key) as service:
        named = named_among(tuple(service.reminders(session)), which)
        if not named:
            raise NotFound("reminder", which)
        if len(named) > 1:
            ids = ", ".join(one.reminder_id for one in named)
            raise BadInput(f"that names several; give the id of one: {ids}")
        service.call_off(named[0].reminder_id, session_id=session)
        _tell_reminders(service.reminders(session), as_json=as_json)


@quiet.command("why")
def why_quiet(
    context: typer.Context, key: Key, session: Session = "default", as_json: AsJson = False
) -> None:
    """Say why a session is silent now, until when, and what waits."""
    with service_of(context, key) as service:
        _tell_standing(service.quiet(session), as_json=as_json)


@quiet.command("ask")
def ask_quiet(
    context: typer.Context,
    key: Key,
    words: Annotated[str, typer.Argument(metavar="WORDS", help='"be quiet for 20 minutes", …')],
    session: Session = "default",
    as_json: AsJson = False,
) -> None:
    """Ask for quiet, or for anything else about the talking, in plain words."""
    request = talk_request(words)
    if request is None or request.kind in NOT_ABOUT_TALKING:
        raise BadInput(f"that asks nothing about the talking: {words!r}; see docs/speaking.md")
    with service_of(context, key) as service:
        said = service.say(words, session_id=session)
        if not as_json:
            OUT.print(said_of(said))
        _tell_standing(service.quiet(session), as_json=as_json)


@quiet.command("end")
def end_quiet(
    context: typer.Context,
    key: Key,
    session: Session = "default",
    topic: Annotated[str | None, typer.Option("--topic", metavar="WORDS")] = None,
    hours: Annotated[bool, typer.Option("--hours", help="End the quiet hours.")] = False,
    as_json: AsJson = False,
) -> None:
    """End the quiet of now, the rule about a topic, or the quiet hours."""
    if topic is not None and hours:
        raise BadInput("end one thing at a time: --topic or --hours")
    with service_of(context, key) as service:
        _tell_standing(service.end_quiet(session, topic=topic, hours=hours), as_json=as_json)


def _is_reminder(words: str) -> bool:
    request = talk_request(words)
    return request is not None and request.kind == "remind"


def _tell_reminders(found: Iterable[Reminder], *, as_json: bool) -> None:
    waiting = list(found)
    if as_json:
        print_json([one.model_dump(mode="json") for one in waiting])
        return
    for one in waiting:
        when = f"{one.due_at:%Y-%m-%d %H:%M:%S} UTC"
        OUT.print(shown(f"{when}  {one.text}  ({one.reminder_id})"))
    if not waiting:
        OUT.print("nothing waits")


def _tell_standing(standing: Quietness, *, as_json: bool) -> None:
    if as_json:
        print_json(standing.model_dump(mode="json"))
        return
    for line in standing_words(standing):
        OUT.print(shown(line))
