"""`prefrontal approvals` and `prefrontal refusals`.

What waits for a yes, what is refused beforehand.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal, get_args

import typer

from api.cli.options import (
    AsJson,
    DataDir,
    Packs,
    Speaker,
    Tenant,
    Values,
    read_settings,
    read_speaker,
    read_values,
    with_executive,
)
from api.cli.presentation import approval_of, approval_row, render_approvals
from api.cli.terminal import OUT, print_error, print_json, printable
from graph.settings import Settings
from state.approval import ActionState, LedgerAction
from state.dialog import ShownApproval
from state.errors import AgentError, BadInput
from state.principal import Principal
from state.record import DecisionRecord
from state.refusal import NewRefusal, Refusal, RefusalWish
from tools.platform.unicode_safety import show_hidden
from tools.platform.validation import validated

Decision = Literal["approve", "reject", "edit", "respond"]


@dataclass(frozen=True)
class PersonAnswer:
    """A decision with what goes with it."""

    decision: Decision
    reason: str | None = None
    phrase: str | None = None
    """What the dialog asks to be typed by hand."""
    seen: bool = False
    """That the long parts of the dialog were read."""
    values: Mapping[str, str] | None = None
    """For an edit, the slots that change."""
    refuse: RefusalWish | None = None
    """With a no, what to refuse from now on."""


Seen = Annotated[
    bool, typer.Option("--seen", help="You have read the long parts, which show prints whole.")
]


def require_long_parts_read(asked: ShownApproval, *, seen: bool, as_json: bool) -> None:
    """Print a question that has long parts, unless its reader says that they have read them.

    Raises:
        BadInput: it has some, and they do not say so.
    """
    if seen or asked.dialog is None or not asked.dialog.long:
        return
    if not as_json:
        OUT.print(approval_of(asked))
    raise BadInput(
        f"it has long parts ({', '.join(asked.dialog.long)}): read them, and say it with --seen"
    )


if TYPE_CHECKING:
    from graph.executive import Executive


@dataclass(frozen=True)
class ApprovalAnswerer:
    """Who answers, on which folder, and how it is told."""

    settings: Settings
    principal: Principal
    as_json: bool

    def answer_all(self, pairs: Sequence[tuple[str, str]], said: PersonAnswer) -> None:
        """Answer each approval with its digest; of several, one that fails stops no other.

        Raises:
            AgentError: the only one could not be answered.
            Exit: one of several could not, or did not succeed.
        """

        async def work() -> bool:
            from api.cli.interactive import answer, open_embedded

            went_well = True
            async with open_embedded(self.settings) as executive:
                for action_id, digest in pairs:
                    try:
                        if said.decision in ("approve", "edit"):
                            asked = await executive.approvals.get(
                                action_id, self.principal.tenant_id
                            )
                            shown_now = executive.approvals.show(asked)
                            require_long_parts_read(shown_now, seen=said.seen, as_json=self.as_json)
                        settled, record = await answer(
                            executive, action_id, digest, said, self.principal
                        )
                    except AgentError as error:
                        if len(pairs) == 1:
                            raise
                        print_error(f"{action_id}: {error}")
                        went_well = False
                        continue
                    self._tell(executive, settled, record)
                    went_well &= settled.state not in ("failed", "unknown", "stale")
            return went_well

        if not asyncio.run(work()):
            raise typer.Exit(1)

    def _tell(self, executive: "Executive", action: LedgerAction, record: DecisionRecord) -> None:
        if self.as_json:
            print_json(executive.approvals.show(action).model_dump(mode="json"))
        elif action.state == "pending":
            OUT.print(
                f"{action.approvals} of {action.quorum} people said yes; it waits for the others"
            )
        else:
            OUT.print(f"{action.state}: {printable(record.text)}")


approvals = typer.Typer(
    no_args_is_help=True,
    help="What waits for a person's yes: list, show, approve, reject, edit, respond.",
    epilog="Example: prefrontal approvals list",
)

ActionId = Annotated[str, typer.Argument(metavar="APPROVAL", help="The id that list prints.")]
Digest = Annotated[
    str,
    typer.Argument(
        metavar="DIGEST", help="The digest that show prints: all of it, or 12 characters or more."
    ),
]
Pairs = Annotated[
    list[str],
    typer.Argument(metavar="APPROVAL DIGEST ...", help="Each approval with the digest you saw."),
]
Phrase = Annotated[
    str | None, typer.Option("--type", help="What the dialog asks to be typed with a yes.")
]
Minutes = Annotated[
    float | None, typer.Option(help="How long it stands; without it, until withdrawn.")
]
MOST_AT_ONCE = 50
Reason = Annotated[str | None, typer.Option("--reason", help="Why; it is kept.")]


def add_approvals(cli: typer.Typer) -> None:
    """Add the commands."""
    cli.add_typer(approvals, name="approvals")


@approvals.command("list", epilog="Example: prefrontal approvals list --state all --json")
def list_approvals(
    state: Annotated[
        str, typer.Option(help="pending, another state such as succeeded, or all.")
    ] = "pending",
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """List what waits for a yes, newest first. Reads beside a running service."""
    wanted = _state(state)
    settings = read_settings(pack, data_dir)
    found = render_approvals(settings, asyncio.run(_listed(settings, tenant, wanted)))
    for action in found:
        if as_json:
            print_json(action.model_dump(mode="json"))
        else:
            OUT.print(approval_row(action))
    if not found and not as_json:
        OUT.print("nothing waits for a yes" if wanted == "pending" else "there is none")


@approvals.command(epilog="Example: prefrontal approvals show 8a1d5f52-90c4-5b0c-8d53-5a7f11d90c7e")
def show(
    approval: ActionId,
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Show exactly what would run, with its digest. Reads beside a running service."""
    settings = read_settings(pack, data_dir)
    (action,) = render_approvals(settings, [asyncio.run(_shown(settings, tenant, approval))])
    if as_json:
        print_json(action.model_dump(mode="json"))
    else:
        OUT.print(approval_of(action))


@approvals.command(
    epilog="Example: prefrontal approvals approve 8a1d5f52-90c4-5b0c-8d53-5a7f11d90c7e "
    "5d2c7b0a9f1e --as marta:chief_engineer"
)
def approve(
    pairs: Pairs,
    speaker: Speaker,
    phrase: Phrase = None,
    seen: Seen = False,
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Say yes to exactly what was shown; each runs at once, and on its own."""
    if len(pairs) % 2 or len(pairs) > 2 * MOST_AT_ONCE:
        raise BadInput(f"give APPROVAL DIGEST, up to {MOST_AT_ONCE} times")
    if phrase is not None and len(pairs) > 2:
        raise BadInput("--type goes with one approval: what has to be typed is its own")
    person = ApprovalAnswerer(read_settings(pack, data_dir), read_speaker(speaker, tenant), as_json)
    person.answer_all(
        list(zip(pairs[::2], pairs[1::2], strict=True)),
        PersonAnswer("approve", phrase=phrase, seen=seen),
    )


@approvals.command(
    epilog="Example: prefrontal approvals reject 8a1d5f52-90c4-5b0c-8d53-5a7f11d90c7e "
    "5d2c7b0a9f1e --as marta:chief_engineer --reason 'the old filter stays'"
)
def reject(  # noqa: PLR0913, PLR0917  # every option is a parameter
    approval: ActionId,
    digest: Digest,
    speaker: Speaker,
    reason: Reason = None,
    same: Annotated[
        str | None,
        typer.Option(
            "--refuse-same",
            metavar="action|arguments|requester",
            help="Refuse what comes like it from now on, without asking.",
        ),
    ] = None,
    minutes: Minutes = None,
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Say no; nothing is changed."""
    wish = None if same is None else validated(RefusalWish, {"same": same, "minutes": minutes})
    person = ApprovalAnswerer(read_settings(pack, data_dir), read_speaker(speaker, tenant), as_json)
    person.answer_all([(approval, digest)], PersonAnswer("reject", reason=reason, refuse=wish))


@approvals.command(
    epilog="Example: prefrontal approvals respond 8a1d5f52-90c4-5b0c-8d53-5a7f11d90c7e "
    "5d2c7b0a9f1e 'order the filter first' --as marta:chief_engineer"
)
def respond(
    approval: ActionId,
    digest: Digest,
    words: Annotated[str, typer.Argument(metavar="WORDS", help="What you want instead.")],
    speaker: Speaker,
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Close it without doing it, and say what you want instead; that is decided like a message."""
    person = ApprovalAnswerer(read_settings(pack, data_dir), read_speaker(speaker, tenant), as_json)
    person.answer_all([(approval, digest)], PersonAnswer("respond", reason=words))


@approvals.command(
    epilog="Example: prefrontal approvals edit 8a1d5f52-90c4-5b0c-8d53-5a7f11d90c7e "
    "5d2c7b0a9f1e --as marta:chief_engineer --set quantity=2"
)
def edit(  # noqa: PLR0913, PLR0917  # every option is a parameter
    approval: ActionId,
    digest: Digest,
    speaker: Speaker,
    values: Values = None,
    phrase: Phrase = None,
    seen: Seen = False,
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Say yes to it with other values; an empty VALUE leaves a slot out."""
    if not values:
        raise BadInput("an edit changes something; give --set SLOT=VALUE")
    person = ApprovalAnswerer(read_settings(pack, data_dir), read_speaker(speaker, tenant), as_json)
    said = PersonAnswer("edit", values=read_values(values), phrase=phrase, seen=seen)
    person.answer_all([(approval, digest)], said)


async def _listed(settings: Settings, tenant: str, state: ActionState | None) -> list[LedgerAction]:
    from api.cli.data_folder import has_database, open_stored

    if not has_database(settings):
        return []
    async with open_stored(settings) as stored:
        return await stored.approvals(tenant, state)


async def _shown(settings: Settings, tenant: str, approval: str) -> LedgerAction:
    from api.cli.data_folder import open_stored

    async with open_stored(settings) as stored:
        return await stored.approval(approval, tenant)


def _state(given: str) -> ActionState | None:
    for state in get_args(ActionState):
        if state == given:
            known: ActionState = state
            return known
    if given == "all":
        return None
    raise BadInput(f"no state {given!r}; there are {', '.join(get_args(ActionState))} and all")


refusals = typer.Typer(
    no_args_is_help=True,
    help="What is refused beforehand: list, add, withdraw.",
    epilog="Example: prefrontal refusals list --as marta:captain",
)


def add_refusals(cli: typer.Typer) -> None:
    """Add the commands."""
    cli.add_typer(refusals, name="refusals")


@refusals.command("list", epilog="Example: prefrontal refusals list --as marta:captain")
def list_refusals(
    speaker: Speaker,
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """List the standing refusals of actions that you may approve."""
    principal = read_speaker(speaker, tenant)
    settings = read_settings(pack, data_dir)
    found = asyncio.run(
        with_executive(settings, lambda executive: executive.refusals.list(principal))
    )
    for refusal in found:
        _tell(refusal, as_json=as_json)
    if not found and not as_json:
        OUT.print("nothing is refused beforehand")


@refusals.command(epilog="Example: prefrontal refusals add order_part --as marta:captain")
def add(
    action: Annotated[str, typer.Argument(metavar="ACTION", help="A name of the catalogue.")],
    speaker: Speaker,
    reason: Annotated[str, typer.Option("--reason", help="Why; whoever asks is told.")] = "",
    minutes: Annotated[
        float | None, typer.Option(help="How long; without it, until withdrawn.")
    ] = None,
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Refuse an action from now on, whoever asks for it. It never allows anything."""
    principal = read_speaker(speaker, tenant)
    wanted = validated(NewRefusal, {"action": action, "reason": reason, "minutes": minutes})
    settings = read_settings(pack, data_dir)
    made = asyncio.run(
        with_executive(settings, lambda executive: executive.refusals.add(wanted, principal))
    )
    _tell(made, as_json=as_json)


@refusals.command(
    epilog="Example: prefrontal refusals withdraw 5b8e6c0e-9d51-4b0e-b2b3-2f7f6f0f6c11 "
    "--as marta:captain"
)
def withdraw(
    refusal: Annotated[str, typer.Argument(metavar="REFUSAL", help="The id that list prints.")],
    speaker: Speaker,
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Let people be asked again."""
    principal = read_speaker(speaker, tenant)
    settings = read_settings(pack, data_dir)
    ended = asyncio.run(
        with_executive(settings, lambda executive: executive.refusals.withdraw(refusal, principal))
    )
    _tell(ended, as_json=as_json)


def _tell(refusal: Refusal, *, as_json: bool) -> None:
    if as_json:
        print_json(refusal.model_dump(mode="json"))
        return
    asker = f" asked by {refusal.requester}" if refusal.requester else ""
    with_these = f" with {dict(refusal.arguments)}" if refusal.arguments else ""
    until = f" until {refusal.until:%Y-%m-%d %H:%M} UTC" if refusal.until else ""
    why = f": {refusal.reason}" if refusal.reason else ""
    withdrawn = " (withdrawn)" if refusal.withdrawn_at else ""
    told = f"{refusal.action}{with_these}{asker}{until}, by {refusal.created_by}{why}{withdrawn}"
    OUT.print(f"{refusal.refusal_id}  {printable(show_hidden(told))}")
