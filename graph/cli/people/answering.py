"""Pass a person's answer on: to an approval with the digest they saw, to an offer with a chip."""

from collections.abc import Mapping

from graph.cli.people.said import Said
from graph.runner import Executive
from state.approval import ApprovalAnswer, LedgerAction
from state.errors import BadInput, DigestMismatch
from state.principal import Principal
from state.record import DecisionRecord
from tools.catalogue.typed import values_of

SHORTEST_DIGEST = 12
"""Characters of a digest that a person has to repeat; fewer could be typed by chance."""


async def answer(
    executive: Executive, action_id: str, digest: str, said: Said, principal: Principal
) -> tuple[LedgerAction, DecisionRecord]:
    """Answer an approval and tell where the action and its decision stand now.

    Args:
        digest: what the person was shown, whole or its first characters.

    Raises:
        BadInput: the digest is too short, or an edit changes nothing.
        DigestMismatch: it is not the approval's.
        NotFound, Forbidden, Conflict, InvalidArguments: see Executive.answer.
    """
    standing = await executive.approval(action_id, principal.tenant_id)
    arguments = None
    if said.decision == "edit":
        action = executive.changing.catalogue.action(standing.action)
        changed = {**standing.arguments, **values_of(action, said.values or {})}
        arguments = {name: value for name, value in changed.items() if value is not None}
    given = ApprovalAnswer(
        decision=said.decision,
        digest=whole_digest(standing, digest),
        arguments=arguments,
        reason=said.reason,
        typed=said.phrase,
        standing=said.refuse,
    )
    settled = await executive.answer(action_id, given, principal)
    trace = await executive.decision(settled.decision_id, principal.tenant_id)
    return settled, trace.record


def whole_digest(action: LedgerAction, given: str) -> str:
    """Complete the start of a digest, when it is that of `action`.

    Raises:
        BadInput: too short to say anything.
        DigestMismatch: another one.
    """
    given = given.strip().lower()
    if len(given) < SHORTEST_DIGEST:
        raise BadInput(
            f"give at least {SHORTEST_DIGEST} characters of the digest that `approvals show` prints"
        )
    if not action.digest.startswith(given):
        raise DigestMismatch(action.action_id)
    return action.digest


async def choose(
    executive: Executive,
    offer_id: str,
    chip_id: str,
    principal: Principal,
    typed: Mapping[str, str],
) -> DecisionRecord:
    """Click a chip for a person; `typed` fills the slots it lacks.

    Raises:
        NotFound, Conflict: see Executive.choose.
        BadInput: a typed value does not fit.
    """
    offers = await executive.offers(principal.tenant_id, open_only=False)
    shown = next((offer for offer in offers if offer.offer_id == offer_id), None)
    chip = next((chip for chip in shown.chips if chip.chip_id == chip_id), None) if shown else None
    arguments = values_of(executive.catalogue.action(chip.action), typed) if chip else {}
    return await executive.choose(offer_id, chip_id, principal, arguments)
