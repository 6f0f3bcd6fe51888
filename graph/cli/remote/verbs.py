"""`prefrontal --url …`: the verbs that speak to a service elsewhere, with a key of its."""

from typing import Annotated

import typer

from graph.cli.options import AsJson, Session, Values, read_values
from graph.cli.people.long_parts import Seen, demand_seen
from graph.cli.remote.journal import journal
from graph.cli.remote.service import Key, service_of
from graph.cli.remote.session import quiet, reminders
from graph.cli.terminal.console import OUT, print_json, shown
from graph.cli.terminal.showing import approval_of, approval_row, said_of
from graph.cli.why import told
from state.approval import ActionState
from state.dialog import ShownApproval
from state.errors import AgentError, BadInput
from tools.client.client import Client

app = typer.Typer(no_args_is_help=True, help="Speak to a service elsewhere.")
approvals = typer.Typer(no_args_is_help=True, help="What waits for a yes there, and your answer.")
offers = typer.Typer(no_args_is_help=True, help="The chips that can be chosen there.")
app.add_typer(approvals, name="approvals")
app.add_typer(offers, name="offers")
app.add_typer(reminders, name="reminders")
app.add_typer(quiet, name="quiet")
app.add_typer(journal, name="journal")

ActionId = Annotated[str, typer.Argument(metavar="APPROVAL")]
Digest = Annotated[str, typer.Argument(metavar="DIGEST", help="12 characters of it, or more.")]
SHORTEST_DIGEST = 12


@app.command()
def ask(
    context: typer.Context,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What you say.")],
    key: Key,
    session: Session = "default",
    as_json: AsJson = False,
    speaker: Annotated[str | None, typer.Option("--as", hidden=True)] = None,
) -> None:
    """Say something as the key's user and get the answer."""
    if speaker is not None:
        raise BadInput(
            "at a service the key says who is speaking: leave --as out, and make a key for "
            f"somebody with: prefrontal keys create --user {speaker.partition(':')[0] or 'ann'} "
            f"--role {speaker.partition(':')[2] or 'ROLE'}"
        )
    with service_of(context, key) as service:
        made = service.say(text, session_id=session)
    if as_json:
        print_json(made.model_dump(mode="json"))
        return
    OUT.print(said_of(made))
    for chip in made.offer.chips if made.offer else ():
        OUT.print(f"  {chip.chip_id}  {shown(chip.summary)}")
    if made.offer:
        OUT.print(f"choose with: prefrontal offers choose {made.offer.offer_id} CHIP")
    if made.approval:
        OUT.print(approval_of(made.approval))


@app.command()
def why(
    context: typer.Context,
    key: Key,
    decision: Annotated[str | None, typer.Argument(metavar="DECISION")] = None,
    last: Annotated[bool, typer.Option("--last", help="The newest decision.")] = False,
    as_json: AsJson = False,
) -> None:
    """Say why: every stage, its numbers and reasons, and what would have changed it."""
    if (decision is None) != last:
        raise BadInput("name one decision, or give --last for the newest")
    with service_of(context, key) as service:
        if decision is None:
            newest = next(service.decisions(limit="1"), None)
            if newest is None:
                raise AgentError("nothing was decided there yet")
            decision = newest.decision_id
        trace = service.decision(decision)
    if as_json:
        print_json(trace.model_dump(mode="json"))
    else:
        OUT.print(told(trace))


@app.command()
def undo(
    context: typer.Context, key: Key, action: Annotated[str, typer.Argument(metavar="ACTION")]
) -> None:
    """Take back what was done."""
    with service_of(context, key) as service:
        OUT.print(said_of(service.undo(action)))


@app.command()
def listen(context: typer.Context, key: Key) -> None:
    """Print what happens as it happens, a line of JSON each, until Ctrl-C."""
    with service_of(context, key) as service:
        for notice in service.listen():
            print_json(notice.model_dump(mode="json"))


@approvals.command("list")
def list_approvals(
    context: typer.Context, key: Key, state: str = "pending", as_json: AsJson = False
) -> None:
    """List what waits for a yes, by what runs out first."""
    wanted: ActionState = state  # type: ignore[assignment]  # the service says which there are
    with service_of(context, key) as service:
        for one in service.approvals(wanted):
            if as_json:
                print_json(one.model_dump(mode="json"))
            else:
                OUT.print(approval_row(one))


@approvals.command()
def show(context: typer.Context, key: Key, approval: ActionId, as_json: AsJson = False) -> None:
    """Show exactly what would run, with its digest."""
    with service_of(context, key) as service:
        _tell(service.approval(approval), as_json=as_json)


@approvals.command()
def approve(
    context: typer.Context,
    key: Key,
    approval: ActionId,
    digest: Digest,
    phrase: Annotated[str | None, typer.Option("--type", help="What the dialog asks for.")] = None,
    seen: Seen = False,
    as_json: AsJson = False,
) -> None:
    """Say yes to exactly what was shown."""
    with service_of(context, key) as service:
        asked = _asked(service, approval, digest)
        demand_seen(asked, seen=seen, as_json=as_json)
        _tell(service.approve(asked, typed=phrase), as_json=as_json)


@approvals.command()
def reject(
    context: typer.Context,
    key: Key,
    approval: ActionId,
    digest: Digest,
    reason: Annotated[str | None, typer.Option("--reason")] = None,
    as_json: AsJson = False,
) -> None:
    """Say no."""
    with service_of(context, key) as service:
        _tell(service.reject(_asked(service, approval, digest), reason), as_json=as_json)


@offers.command("list")
def list_offers(context: typer.Context, key: Key) -> None:
    """List the chips that can be chosen, newest first."""
    with service_of(context, key) as service:
        for offer in service.offers():
            for chip in offer.chips:
                OUT.print(f"{offer.offer_id}  {chip.chip_id}  {shown(chip.summary)}")


@offers.command()
def choose(
    context: typer.Context,
    key: Key,
    offer: Annotated[str, typer.Argument(metavar="OFFER")],
    chip: Annotated[str, typer.Argument(metavar="CHIP")],
    values: Values = None,
) -> None:
    """Choose a chip, once, with the slots it still lacks."""
    with service_of(context, key) as service:
        OUT.print(said_of(service.choose(offer, chip, **read_values(values))))


def _asked(service: Client, approval: str, digest: str) -> ShownApproval:
    """Read an approval; the digest must be the one that was shown, whole or its beginning."""
    standing = service.approval(approval)
    if len(digest) < SHORTEST_DIGEST or not standing.digest.startswith(digest):
        raise BadInput("that is not the digest of what stands there now; show it again")
    return standing


def _tell(standing: ShownApproval, *, as_json: bool) -> None:
    if as_json:
        print_json(standing.model_dump(mode="json"))
    else:
        OUT.print(approval_of(standing))
