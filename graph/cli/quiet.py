"""`prefrontal quiet`: why it is silent now, and how to change that."""

from typing import TYPE_CHECKING, Annotated

import typer

from graph.cli.in_session import SessionOptions, in_session
from graph.cli.options import Speaker, read_speaker
from graph.words.quiet import standing_words
from state.errors import BadInput
from state.quietness import Quietness
from state.talk import TalkRequest
from tools.salience.requests import talk_request

if TYPE_CHECKING:
    from graph.runner import Executive

quiet = typer.Typer(
    no_args_is_help=True,
    help="Why it is silent now, what waits, and how to change that.",
    epilog="Example: prefrontal quiet why",
)


def add_to(cli: typer.Typer) -> None:
    """Add the commands."""
    cli.add_typer(quiet, name="quiet")


@quiet.command(epilog="Example: prefrontal quiet why --session engine-room")
@in_session
def why(options: SessionOptions) -> None:
    """Say why a session is silent now, until when, and what waits. Reads beside a service."""
    standing = options.read(
        lambda stored: stored.standing(options.settings, options.tenant, options.session)
    )
    _tell(options, standing)


@quiet.command(epilog='Example: prefrontal quiet ask "be quiet for 20 minutes" --as ben:engineer')
@in_session
def ask(
    words: Annotated[
        str, typer.Argument(help='"be quiet for 20 minutes", "stop telling me about lunch", …')
    ],
    speaker: Speaker,
    options: SessionOptions,
) -> None:
    """Ask for quiet, or for anything else about the talking, in plain words.

    Quiet hours, a topic to be left alone or watched for, talk more, talk less: docs/speaking.md.
    """
    request = talk_request(words)
    if request is None or request.kind in ("prompt", "unclear", "reminders", "goals"):
        raise BadInput(f"that asks nothing about the talking: {words!r}; see docs/speaking.md")
    _change(options, speaker, request)


@quiet.command(epilog="Example: prefrontal quiet end --as ben:engineer")
@in_session
def end(
    speaker: Speaker,
    options: SessionOptions,
    topic: Annotated[
        str | None, typer.Option("--topic", metavar="WORDS", help="End the rule about a topic.")
    ] = None,
    hours: Annotated[bool, typer.Option("--hours", help="End the quiet hours.")] = False,
) -> None:
    """End the quiet of now; what was kept is told in one digest (`prefrontal why --last`)."""
    if topic is not None and hours:
        raise BadInput("end one thing at a time: --topic or --hours")
    request = TalkRequest(kind="no_quiet_hours" if hours else "talk")
    if topic is not None:
        request = TalkRequest(kind="forget", topic=topic.lower())
    _change(options, speaker, request)


def _change(options: SessionOptions, speaker: str, request: TalkRequest) -> None:
    who = read_speaker(speaker, options.tenant)

    async def work(executive: "Executive") -> Quietness:
        await executive.attention.change(who, options.session, request)
        await executive.resume_unfinished()
        return await executive.attention.standing(who.tenant_id, options.session)

    _tell(options, options.at_work(work))


def _tell(options: SessionOptions, standing: Quietness) -> None:
    options.tell([standing.model_dump(mode="json")], standing_words(standing))
