"""`prefrontal approvals` and `prefrontal refusals`: approvals and auto-reject rules."""

import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, get_args

import typer

from api.cli.options import Speaker, Values, read_values, with_service
from api.cli.presentation import approval_of, approval_row
from api.cli.service import NothingYet, Service, without_none
from api.cli.terminal import OUT, print_error, print_note, printable
from prefrontal.client import Client, Refused
from state.action import Action
from state.approval import ActionState
from state.dialog import ShownApproval
from state.errors import AgentError, BadInput, DigestMismatch
from state.refusal import Refusal, RefusalWish
from tools.platform.serialization import validated
from tools.platform.unicode_safety import show_hidden

SHORTEST_DIGEST = 12
"""Characters of a digest that a person has to repeat; fewer could be typed by chance."""
MOST_AT_ONCE = 50

approvals = typer.Typer(no_args_is_help=True, epilog="Example: prefrontal approvals list")
ActionId = Annotated[str, typer.Argument(metavar="APPROVAL", help="The id that list prints.")]
Digest = Annotated[
    str,
    typer.Argument(
        metavar="DIGEST", help="The digest that show prints: all of it, or at least 12 characters."
    ),
]
Phrase = Annotated[
    str | None, typer.Option("--type", help="The phrase that the dialog asks you to type.")
]
Reason = Annotated[str | None, typer.Option("--reason", help="The reason; it goes on record.")]
Minutes = Annotated[
    float | None, typer.Option(help="How long the rule holds. Default: until you withdraw it.")
]
Seen = Annotated[bool, typer.Option("--seen", help="Confirm that you have read the long parts.")]


@approvals.command("list", epilog="Example: prefrontal approvals list --state all --json")
@with_service
def list_approvals(
    service: Service,
    state: Annotated[
        str, typer.Option(help="pending, another state such as succeeded, or all.")
    ] = "pending",
) -> None:
    """List what waits for approval, the first to expire on top; other states newest first."""
    wanted = get_args(ActionState) if state == "all" else (state,)
    if not set(wanted) <= set(get_args(ActionState)):
        raise BadInput(f"no state {state!r}; there are {', '.join(get_args(ActionState))} and all")
    found: list[ShownApproval] = []
    try:
        with service.reading() as client:
            found = [shown for one in wanted for shown in client.approvals(one)]
    except NothingYet as nothing:
        print_note(str(nothing))
    if state == "all":
        found.sort(key=lambda one: one.proposed_at, reverse=True)
    none = "nothing waits for approval" if state == "pending" else "none"
    service.show_each(found, approval_row, none)


@approvals.command(epilog="Example: prefrontal approvals show 8a1d5f52-90c4-5b0c-8d53-5a7f11d90c7e")
@with_service
def show(approval: ActionId, service: Service) -> None:
    """Show exactly what would run, with its digest."""
    with service.reading() as client:
        service.show(client.approval(approval), approval_of)


@approvals.command(
    epilog="Example: prefrontal approvals approve 8a1d5f52-90c4-5b0c-8d53-5a7f11d90c7e "
    "5d2c7b0a9f1e --as marta:chief_engineer"
)
@with_service
def approve(
    pairs: Annotated[
        list[str],
        typer.Argument(metavar="APPROVAL DIGEST ...", help="Each approval and the digest you saw."),
    ],
    service: Service,
    speaker: Speaker = None,
    phrase: Phrase = None,
    seen: Seen = False,
) -> None:
    """Approve exactly what was shown; each approval runs at once and on its own."""
    if len(pairs) % 2 or len(pairs) > 2 * MOST_AT_ONCE:
        raise BadInput(f"give APPROVAL DIGEST, up to {MOST_AT_ONCE} times")
    if phrase is not None and len(pairs) > 2:
        raise BadInput("--type goes with one approval: each asks for a phrase of its own")
    answer = Answer(service, "approve", {"typed": phrase}, seen=seen)
    answer.give(list(zip(pairs[::2], pairs[1::2], strict=True)), speaker)


@approvals.command(
    epilog="Example: prefrontal approvals reject 8a1d5f52-90c4-5b0c-8d53-5a7f11d90c7e "
    "5d2c7b0a9f1e --as marta:chief_engineer --reason 'the old filter stays'"
)
@with_service
def reject(
    approval: ActionId,
    digest: Digest,
    service: Service,
    speaker: Speaker = None,
    reason: Reason = None,
    same: Annotated[
        str | None,
        typer.Option(
            "--refuse-same",
            metavar="action|arguments|requester",
            help="Also reject similar requests from now on, without asking.",
        ),
    ] = None,
    minutes: Minutes = None,
) -> None:
    """Reject it; nothing is changed."""
    wish = None if same is None else validated(RefusalWish, {"same": same, "minutes": minutes})
    standing = wish.model_dump(mode="json") if wish else None
    answer = Answer(service, "reject", {"reason": reason, "standing": standing})
    answer.give([(approval, digest)], speaker)


@approvals.command(
    epilog="Example: prefrontal approvals respond 8a1d5f52-90c4-5b0c-8d53-5a7f11d90c7e "
    "5d2c7b0a9f1e 'order the filter first' --as marta:chief_engineer"
)
@with_service
def respond(
    approval: ActionId,
    digest: Digest,
    words: Annotated[str, typer.Argument(metavar="WORDS", help="What you want instead.")],
    service: Service,
    speaker: Speaker = None,
) -> None:
    """Reject it and say what you want instead, which is decided like a message."""
    Answer(service, "respond", {"reason": words}).give([(approval, digest)], speaker)


@approvals.command(
    epilog="Example: prefrontal approvals edit 8a1d5f52-90c4-5b0c-8d53-5a7f11d90c7e "
    "5d2c7b0a9f1e --as marta:chief_engineer --set quantity=2"
)
@with_service
def edit(
    approval: ActionId,
    digest: Digest,
    service: Service,
    changes: Annotated[
        list[str] | None, typer.Argument(metavar="", hidden=True)  # only for the hint
    ] = None,
    speaker: Speaker = None,
    values: Values = None,
    phrase: Phrase = None,
    seen: Seen = False,
) -> None:
    """Approve it with other values; an empty VALUE removes a slot."""
    if changes:
        raise BadInput(f"write each change with --set, such as --set {shlex.quote(changes[0])}")
    if not values:
        raise BadInput("an edit changes a value; give --set SLOT=VALUE")
    answer = Answer(service, "edit", {"typed": phrase}, seen=seen, values=read_values(values))
    answer.give([(approval, digest)], speaker)


@dataclass(frozen=True)
class Answer:
    """An answer to approvals, and where it goes."""

    service: Service
    decision: str
    fields: Mapping[str, Any]  # JSON values of an ApprovalAnswer
    seen: bool = False
    values: Mapping[str, str] | None = None
    """For an edit, the slots that change."""

    def give(self, pairs: Iterable[tuple[str, str]], speaker: str | None) -> None:
        """Answer each approval; of several, one that fails stops no other.

        Raises:
            AgentError: the only one could not be answered.
            Exit: one of several could not, or its action did not succeed.
        """
        asked, went_well = list(pairs), True
        # By rejecting, who asked takes it back; an edit and a response ask for something else.
        access = "approver" if self.decision == "approve" else "full"
        with self.service.acting(speaker, access=access) as client:
            for action_id, digest in asked:
                try:
                    settled = self._given(client, client.approval(action_id), digest)
                except AgentError as error:
                    if len(asked) == 1:
                        raise
                    print_error(f"{action_id}: {getattr(error, 'detail', error)}")
                    went_well = False
                    continue
                self.service.show(settled, lambda one: came_of(client, one))
                went_well &= settled.state not in ("failed", "unknown", "stale")
        if not went_well:
            raise typer.Exit(1)

    def _given(self, client: Client, shown: ShownApproval, digest: str) -> ShownApproval:
        if self.decision in ("approve", "edit"):
            self._require_long_parts_read(shown)
        require_digest(shown, digest)
        fields = dict(self.fields)
        if self.values is not None:
            typed = typed_values(self.service, shown.pack, shown.action, self.values)
            fields["arguments"] = without_none(**{**shown.arguments, **typed})
        return client.answer(shown, {"decision": self.decision, **without_none(**fields)})

    def _require_long_parts_read(self, shown: ShownApproval) -> None:
        if self.seen or shown.dialog is None or not shown.dialog.long:
            return
        if not self.service.as_json:
            OUT.print(approval_of(shown))
        long = ", ".join(shown.dialog.long)
        raise BadInput(f"it has long parts ({long}): read them, then confirm with --seen")


def require_digest(shown: ShownApproval, given: str) -> None:
    """Check the digest that a person repeats, whole or its beginning.

    Raises:
        BadInput: too short to mean anything.
        DigestMismatch: another one.
    """
    given = given.strip().lower()
    if len(given) < SHORTEST_DIGEST:
        raise BadInput(
            f"give at least {SHORTEST_DIGEST} characters of the digest that `approvals show` prints"
        )
    if not shown.digest.startswith(given):
        raise DigestMismatch(shown.action_id)


def typed_values(
    service: Service, pack: str | None, action: str, values: Mapping[str, str]
) -> dict[str, Any]:  # by slot type
    """Read SLOT=VALUE by the types of the slots; texts where no pack here has the action.

    Raises:
        BadInput: the action has no such slot, or the value is none of its type.
    """
    if not values:
        return {}
    from tools.catalog import packs_named, parse_slot_values

    known: dict[str, Action] = {}
    for one in packs_named(service.settings.packs):
        if pack in (None, one.name):
            known |= one.actions
    return parse_slot_values(known[action], values) if action in known else dict(values)


def came_of(client: Client, action: ShownApproval) -> str:
    """Word what came of an answer, as its decision tells it to whoever may read that."""
    if action.state == "pending":
        why = action.reason or f"{action.approvals} of {action.quorum} people approved"
        return printable(f"{why}; it waits for the others")
    try:
        said = client.decision(action.decision_id).record.text
    except Refused:
        said = str((action.result or {}).get("text", action.reason or ""))
    return printable(f"{action.state}: {said}")


refusals = typer.Typer(
    no_args_is_help=True, epilog="Example: prefrontal refusals list --as marta:captain"
)


@refusals.command("list", epilog="Example: prefrontal refusals list --as marta:captain")
@with_service
def list_refusals(service: Service, speaker: Speaker = None) -> None:
    """List the auto-reject rules for actions that you may approve."""
    found: list[Refusal] = []
    try:
        with service.acting(speaker, access="viewer") as client:
            found = list(client.pages("/v1/refusals", "refusals", Refusal))
    except NothingYet as nothing:
        print_note(str(nothing))
    service.show_each(found, _refusal_line, "there is no auto-reject rule")


@refusals.command(epilog="Example: prefrontal refusals add order_part --as marta:captain")
@with_service
def add(
    action: Annotated[str, typer.Argument(metavar="ACTION", help="The name of an action.")],
    service: Service,
    speaker: Speaker = None,
    reason: Annotated[str, typer.Option("--reason", help="The reason; requesters see it.")] = "",
    minutes: Minutes = None,
) -> None:
    """Reject an action from now on, whoever asks for it. A rule never allows anything."""
    wanted = {"action": action, "reason": reason, "minutes": minutes}
    with service.acting(speaker, access="approver") as client:
        service.show(client.call("POST", "/v1/refusals", Refusal, wanted), _refusal_line)


@refusals.command(
    epilog="Example: prefrontal refusals withdraw 5b8e6c0e-9d51-4b0e-b2b3-2f7f6f0f6c11 "
    "--as marta:captain"
)
@with_service
def withdraw(
    refusal: Annotated[str, typer.Argument(metavar="RULE", help="The id that list prints.")],
    service: Service,
    speaker: Speaker = None,
) -> None:
    """End an auto-reject rule: people are asked again."""
    with service.acting(speaker, access="approver") as client:
        service.show(client.call("DELETE", ("/v1/refusals", refusal), Refusal), _refusal_line)


def _refusal_line(refusal: Refusal) -> str:
    asker = f" asked by {refusal.requester}" if refusal.requester else ""
    with_these = f" with {dict(refusal.arguments)}" if refusal.arguments else ""
    until = f" until {refusal.until:%Y-%m-%d %H:%M} UTC" if refusal.until else ""
    why = f": {refusal.reason}" if refusal.reason else ""
    withdrawn = " (withdrawn)" if refusal.withdrawn_at else ""
    told = f"{refusal.action}{with_these}{asker}{until}, by {refusal.created_by}{why}{withdrawn}"
    return printable(f"{refusal.refusal_id}  {show_hidden(told)}")
