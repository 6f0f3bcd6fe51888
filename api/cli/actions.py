"""`prefrontal why`, `actions`, `offers`, `undo` and `listen`: what was decided and done."""

from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Annotated

import typer
from rich.text import Text

from api.cli.approvals import SHORTEST_DIGEST, typed_values
from api.cli.options import Speaker, Values, read_values, with_service
from api.cli.presentation import answer_of, approval_of, clock_of, offer_of
from api.cli.service import NothingYet, Service
from api.cli.terminal import OUT, print_json, print_note, printable
from prefrontal.client import Answer, Client, Refused
from state.approval import LedgerAction
from state.dialog import ShownApproval
from state.errors import AgentError, BadInput, NotFound
from state.offer import Offer
from state.record import DecisionTrace

SHORTEST_PREFIX = 8
"""Characters of a decision's id that are enough to look for it by its start."""
MOST_LOOKED_AT = 5_000
"""Newest decisions among which one is looked for by the start of its id, or by its event."""
MOST_TOLD = 3


@with_service
def why(
    service: Service,
    decision: Annotated[
        str | None,
        typer.Argument(
            metavar="DECISION|QUESTION",
            help="The id of a decision or the start of it, of a proposal, an approval or an event; "
            "or a question of several words, answered from the journal.",
        ),
    ] = None,
    last: Annotated[bool, typer.Option("--last", help="The newest decision.")] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="With scores, IDs and reason codes.")
    ] = False,
) -> None:
    """Explain a decision: each stage with its numbers and reasons, and what would change it."""
    if (decision is None) != last:
        raise BadInput("name one decision, or give --last for the newest")
    with service.reading() as client:
        if decision is not None and " " in decision.strip():
            _answer(client, decision, service)
        else:
            explained = partial(explanation_text, verbose=verbose)
            service.show(_trace(client, decision, service), explained)


def _answer(client: Client, question: str, service: Service) -> None:
    from api.cli.journal import hit_json, print_none_found
    from tools.journal import decision_line
    from tools.journal.decision_recall import note_of

    found = client.search(question, limit=MOST_TOLD)
    for hit in found:
        if service.as_json:
            print_json(hit_json(hit))
            continue
        successor = None
        if hit.decision.superseded_by:
            try:
                successor = client.on_record(hit.decision.superseded_by).title
            except Refused:  # a record may name one that was never imported
                successor = None
        OUT.print(Text(printable(decision_line(note_of(hit, successor)))))
    if not found:
        print_none_found()


def _trace(client: Client, name: str | None, service: Service) -> DecisionTrace:
    """Read a decision by its id, the start of it, or the id of its approval or event.

    A proposal has the id of its decision. None: the newest.
    """
    if name is None:
        newest = next(client.decisions(limit="1"), None)
        if newest is None:
            raise AgentError(f"nothing was decided for the tenant {service.tenant} yet")
        return client.decision(newest.decision_id)
    if (known := _named_whole(client, name)) is not None:
        return known
    found = []
    for number, one in enumerate(client.decisions(limit="200")):
        is_start = len(name) >= SHORTEST_PREFIX and one.decision_id.startswith(name)
        if is_start or one.event_id == name:
            found.append(one.decision_id)
        if len(found) > 1:
            raise BadInput(f"{name} names several decisions; give the whole decision id")
        if number >= MOST_LOOKED_AT:
            break
    if not found:
        raise NotFound("decision", name)
    return client.decision(found[0])


def _named_whole(client: Client, name: str) -> DecisionTrace | None:
    """Read a decision by its own id, or by that of its approval; None: there is neither."""
    try:
        return client.decision(name)
    except Refused as refused:
        if refused.status != 404:
            raise
    with suppress(Refused):
        return client.decision(client.approval(name).decision_id)
    return None


def explanation_text(trace: DecisionTrace, *, verbose: bool = False) -> Text:
    """Lay an explanation out."""
    from graph.presenters.explanation import explain

    text = Text()
    for section in explain(trace, verbose=verbose):
        text.append(f"{section.title}\n", style="bold")
        for line in section.lines:
            text.append(f"  {printable(line)}\n".replace("\n", "\n  ").removesuffix("  "))
    text.right_crop(1)
    return text


actions = typer.Typer(no_args_is_help=True, epilog="Example: prefrontal actions list --undoable")
ActionId = Annotated[str, typer.Argument(metavar="ACTION", help="The id that list prints.")]


@actions.command("list", epilog="Example: prefrontal actions list --undoable")
@with_service
def list_actions(
    service: Service,
    undoable: Annotated[
        bool, typer.Option("--undoable", help="Only what can be undone right now.")
    ] = False,
) -> None:
    """List changes, newest first; reads are left out."""
    found: list[ShownApproval] = []
    try:
        with service.reading() as client:
            wanted = {"undoable": undoable or None}
            found = list(client.pages("/v1/actions", "actions", ShownApproval, **wanted))
    except NothingYet as nothing:
        print_note(str(nothing))
    none = "nothing can be undone" if undoable else "nothing was done yet"
    service.show_each(found, _line, none)


@actions.command(epilog="Example: prefrontal actions show 8a1d5f52-90c4-5b0c-8d53-5a7f11d90c7e")
@with_service
def show(action: ActionId, service: Service) -> None:
    """Show one action and how it stands."""
    with service.reading() as client:
        found = client.call("GET", ("/v1/actions", action), ShownApproval)
    service.show(found, approval_of)
    if not service.as_json and (note := _way_back(found)):
        OUT.print(f"  {note}")


@actions.command(
    epilog="Example: prefrontal actions undo 8a1d5f52-90c4-5b0c-8d53-5a7f11d90c7e --as ben:engineer"
)
@with_service
def undo(action: ActionId, service: Service, speaker: Speaker = None) -> None:
    """Undo an action, once, while its time runs; a dangerous undo asks for approval first."""
    with service.acting(speaker) as client:
        record = client.undo(action)
    show_answer(service, record)
    if record.outcome in ("failed", "refused"):
        raise typer.Exit(1)


@with_service
def listen(
    service: Service,
    session: Annotated[
        str | None, typer.Option("--session", metavar="ID", help="Only this conversation.")
    ] = None,
) -> None:
    """Print what happens at a running service, a line of JSON each, until Ctrl-C."""
    service.require_running()
    with service.reading() as client:
        for notice in client.listen(session_id=session):
            print_json(notice.model_dump(mode="json"))


def _line(action: LedgerAction) -> str:
    note = _way_back(action)
    told = f"  ({note})" if note else ""
    return f"{action.action_id}  {action.state:<10} {printable(action.summary)}{told}"


def _way_back(action: LedgerAction) -> str:
    if action.undo_at is not None:
        return f"undone by {printable(action.undo_by or '')} at {clock_of(action.undo_at)}"
    if action.undo_until is not None:
        return f"can be undone until {clock_of(action.undo_until)}"
    return ""


offers = typer.Typer(no_args_is_help=True, epilog="Example: prefrontal offers list")


@offers.command("list", epilog="Example: prefrontal offers list --all --json")
@with_service
def list_offers(
    service: Service,
    everything: Annotated[
        bool, typer.Option("--all", help="Also those chosen and expired.")
    ] = False,
) -> None:
    """List the offers, newest first."""
    found: list[Offer] = []
    try:
        with service.reading() as client:
            found = list(client.offers(open_only=not everything))
    except NothingYet as nothing:
        print_note(str(nothing))
    service.show_each(found, offer_of, "nothing is offered")
    if found and not everything and not service.as_json:
        first = found[0]
        print_note(f"to choose: prefrontal offers choose {first.offer_id} {first.chips[0].chip_id}")


@offers.command(epilog="Example: prefrontal offers choose offer-2f6f0a chip-1 --as ben:engineer")
@with_service
def choose(
    offer: Annotated[str, typer.Argument(metavar="OFFER", help="The id that list prints.")],
    chip: Annotated[str, typer.Argument(metavar="CHIP", help="Such as chip-1.")],
    service: Service,
    speaker: Speaker = None,
    values: Values = None,
) -> None:
    """Choose a chip: decided again like a message, and done when it may be."""
    given = read_values(values)
    with service.acting(speaker) as client:
        record = client.choose(offer, chip, **chip_values(client, offer, chip, given, service))
    show_answer(service, record)
    if record.outcome == "failed":
        raise typer.Exit(1)


def show_answer(service: Service, answer: Answer) -> None:
    """Print an answer, and what it asks approval for, with its digest."""
    service.show(answer, answer_of)
    if answer.approval is not None and not service.as_json:
        OUT.print(approval_of(answer.approval))
        digest = answer.approval.digest[:SHORTEST_DIGEST]
        OUT.print(f"to approve: prefrontal approvals approve {answer.approval.action_id} {digest}")


def chip_values(
    client: Client, offer_id: str, chip_id: str, given: Mapping[str, str], service: Service
) -> dict[str, object]:
    """Read the values that a chip lacks by the types of its slots."""
    shown = client.offers(open_only=False) if given else ()
    chips = (chip for offer in shown if offer.offer_id == offer_id for chip in offer.chips)
    chip = next((one for one in chips if one.chip_id == chip_id), None)
    return typed_values(service, None, chip.action, given) if chip else dict(given)
