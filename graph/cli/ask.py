"""`prefrontal ask`: one message, its answer, and what the answer asks back."""

from typing import Annotated

import typer

from graph.cli.options import AsJson, DataDir, Packs, Session, Tenant, read_settings, read_speaker
from graph.cli.terminal.console import print_json
from graph.cli.validating import validated
from state.errors import BadInput
from state.event import Event

EXAMPLE = 'Example: prefrontal ask "close WO-1042, the filter is changed" --as ben:engineer'


def add_to(cli: typer.Typer) -> None:
    """Add the command."""
    cli.command(epilog=EXAMPLE)(ask)


def ask(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What you say.")],
    speaker: Annotated[
        str, typer.Option("--as", metavar="USER:ROLE", help="Who is speaking, with which roles.")
    ] = "guest",
    session: Session = "default",
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Say something and get the answer; on a terminal, pick chips and answer approvals too.

    Without --as you are a guest without a role, who may ask for what needs none.
    """
    if not text.strip():
        raise BadInput('say something, such as: prefrontal ask "check stock"')
    principal = read_speaker(speaker, tenant)
    event = validated(
        Event,
        {
            "kind": "message",
            "source": "terminal",
            "text": text,
            "session_id": session,
            "tenant_id": tenant,
            "user": principal.user,
            "role": ",".join(principal.roles) or None,
        },
    )
    from graph.cli.people.conversation import Conversation

    with Conversation(read_settings(pack, data_dir), principal) as conversation:
        record = conversation.say(event)
        if as_json:
            print_json(record.model_dump(mode="json"))
        else:
            record = conversation.go_on(record)
    if record.outcome == "failed":
        raise typer.Exit(1)
