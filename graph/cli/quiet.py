"""`prefrontal quiet`: why it is silent now, and how to change that."""

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
from graph.quiet_words import standing_words
from graph.settings import Settings
from state.errors import BadInput
from state.principal import Principal
from state.quietness import Quietness
from state.talk import TalkRequest
from tools.salience.requests import talk_request

quiet = typer.Typer(
    no_args_is_help=True,
    help="Why it is silent now, what waits, and how to change that.",
    epilog="Example: prefrontal quiet why",
)


def add_to(cli: typer.Typer) -> None:
    """Add the commands."""
    cli.add_typer(quiet, name="quiet")


@quiet.command(epilog="Example: prefrontal quiet why --session engine-room")
def why(
    session: Session = "default",
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Say why a session is silent now, until when, and what waits. Reads beside a service."""
    standing = asyncio.run(_read(read_settings(pack, data_dir), tenant, session))
    _tell(standing, as_json=as_json)


@quiet.command(epilog='Example: prefrontal quiet ask "be quiet for 20 minutes" --as ben:engineer')
def ask(
    words: Annotated[
        str, typer.Argument(help='"be quiet for 20 minutes", "stop telling me about lunch", …')
    ],
    speaker: Speaker,
    session: Session = "default",
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Ask for quiet, or for anything else about the talking, in plain words.

    Quiet hours, a topic to be left alone or watched for, talk more, talk less: docs/speaking.md.
    """
    request = talk_request(words)
    if request is None or request.kind in ("prompt", "unclear", "reminders", "goals"):
        raise BadInput(f"that asks nothing about the talking: {words!r}; see docs/speaking.md")
    who = read_speaker(speaker, tenant)
    _tell(_changed(read_settings(pack, data_dir), who, session, request), as_json=as_json)


@quiet.command(epilog="Example: prefrontal quiet end --as ben:engineer")
def end(
    speaker: Speaker,
    session: Session = "default",
    topic: Annotated[
        str | None, typer.Option("--topic", metavar="WORDS", help="End the rule about a topic.")
    ] = None,
    hours: Annotated[bool, typer.Option("--hours", help="End the quiet hours.")] = False,
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """End the quiet of now; what was kept is told in one digest (`prefrontal why --last`)."""
    if topic is not None and hours:
        raise BadInput("end one thing at a time: --topic or --hours")
    request = TalkRequest(kind="no_quiet_hours" if hours else "talk")
    if topic is not None:
        request = TalkRequest(kind="forget", topic=topic.lower())
    who = read_speaker(speaker, tenant)
    _tell(_changed(read_settings(pack, data_dir), who, session, request), as_json=as_json)


def _changed(settings: Settings, who: Principal, session: str, request: TalkRequest) -> Quietness:
    async def work() -> Quietness:
        from graph.cli.embedded import at_work

        async with at_work(settings) as executive:
            await executive.attention.change(who, session, request)
            await executive.resume_unfinished()
            return await executive.attention.standing(who.tenant_id, session)

    return asyncio.run(work())


async def _read(settings: Settings, tenant: str, session: str) -> Quietness:
    from graph.cli.stored import open_stored

    async with open_stored(settings) as stored:
        return await stored.standing(settings, tenant, session)


def _tell(standing: Quietness, *, as_json: bool) -> None:
    if as_json:
        print_json(standing.model_dump(mode="json"))
        return
    for line in standing_words(standing):
        OUT.print(shown(line))
