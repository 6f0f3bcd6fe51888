"""`prefrontal grants`: calls that a person allows in advance."""

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from api.cli.approvals import ActionId, Digest, require_digest, typed_values
from api.cli.options import Speaker, with_service
from api.cli.service import NothingYet, Service, without_none
from api.cli.terminal import print_note, printable
from api.schemas.grants import pattern_words
from state.dialog import ShownApproval
from state.errors import BadInput
from state.grant import Grant
from tools.platform.texts import t
from tools.platform.unicode_safety import show_hidden

grants = typer.Typer(
    no_args_is_help=True, epilog="Example: prefrontal grants list --as marta:captain"
)
_AT_MOST = "<="


@grants.command("list", epilog="Example: prefrontal grants list --as marta:captain --json")
@with_service
def list_grants(service: Service, speaker: Speaker = None) -> None:
    """List the grants that can still be used, for actions that you may approve."""
    found: list[Grant] = []
    try:
        with service.acting(speaker, access="viewer") as client:
            found = list(client.pages("/v1/grants", "grants", Grant))
    except NothingYet as nothing:
        print_note(str(nothing))
    service.show_each(found, _grant_line, t("gate.grant.none"))


@grants.command(
    epilog="Example: prefrontal grants add 8a1d5f52-90c4-5b0c-8d53-5a7f11d90c7e 5d2c7b0a9f1e "
    "--allow work_order=WO-1042 --allow note --uses 10 --minutes 480 --as marta:chief_engineer"
)
@with_service
def add(
    approval: ActionId,
    digest: Digest,
    service: Service,
    speaker: Speaker = None,
    allow: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SLOT=VALUE|SLOT<=NUMBER|SLOT",
            help="Allow a value (repeat for more), a number up to this, or any value.",
        ),
    ] = None,
    minutes: Annotated[float, typer.Option(help="How long the grant lasts.")] = 60,
    uses: Annotated[int | None, typer.Option(help="How many calls it allows.")] = None,
    amount: Annotated[float | None, typer.Option(help="How much money it allows in all.")] = None,
) -> None:
    """Allow calls like one that you were shown. A slot that you don't name must be absent."""
    with service.acting(speaker, access="approver") as client:
        shown = client.approval(approval)
        require_digest(shown, digest)
        wanted = {
            "action_id": shown.action_id,
            "digest": shown.digest,
            "arguments": _patterns(service, shown, allow or ()),
            "minutes": minutes,
            "uses": uses,
            "amount": amount,
        }
        service.show(client.call("POST", "/v1/grants", Grant, without_none(**wanted)), _grant_line)


@grants.command(
    epilog="Example: prefrontal grants revoke 7c1f0c3e-5b0d-4c55-9b0e-1d2a4f6b8c90 "
    "--as marta:captain"
)
@with_service
def revoke(
    grant: Annotated[str, typer.Argument(metavar="GRANT", help="The id that list prints.")],
    service: Service,
    speaker: Speaker = None,
) -> None:
    """Revoke a grant: people are asked again, and what has not begun does not run."""
    with service.acting(speaker, access="approver") as client:
        service.show(client.call("DELETE", ("/v1/grants", grant), Grant), _grant_line)


def _patterns(
    service: Service, shown: ShownApproval, allowed: Sequence[str]
) -> dict[str, Any]:  # JSON of the patterns
    """Read what `--allow` says of each slot.

    Raises:
        BadInput: a maximum is no number, or a value is none of its slot.
    """
    patterns: dict[str, Any] = {}
    for one in allowed:
        if _AT_MOST in one:
            name, _, number = one.partition(_AT_MOST)
            try:
                patterns[name] = {"at_most": float(number)}
            except ValueError:
                raise BadInput(t("gate.grant.maximum", given=one)) from None
            continue
        name, is_exact, value = one.partition("=")
        if not is_exact:
            patterns[name] = {"any": True}
            continue
        typed = typed_values(service, shown.pack, shown.action, {name: value})
        before = patterns.get(name, {}).get("one_of", [])
        patterns[name] = {"one_of": [*before, *typed.values()]}
    return patterns


def _grant_line(grant: Grant) -> str:
    told = t(
        "gate.grant.line",
        action=grant.action,
        patterns="; ".join(
            f"{name} {pattern_words(each)}" for name, each in grant.arguments.items()
        ),
        agent=grant.agent,
        requester="" if grant.requester == grant.agent else grant.requester,
        left=grant.uses_left,
        uses=grant.uses,
        amount="" if grant.amount is None else f"{grant.amount_left:g} of {grant.amount:g}",
        until=f"{grant.until:%Y-%m-%d %H:%M} UTC",
        who=grant.granted_by,
        revoked=grant.revoked_by or "",
    )
    return printable(f"{grant.grant_id}  {show_hidden(told)}")
