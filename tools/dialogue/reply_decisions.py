"""Policy decisions on answers to offers and approvals, and the helpers that make a decision.

Pure functions of stored offers and ledger rows.
"""

from collections.abc import Mapping

from state.approval import ActionState, LedgerAction
from state.event import Event
from state.offer import Chip, Offer, SaidChoice
from state.policy import ASKS_WHICH, PolicyDecision, Routing
from state.talk import Aside, TalkRequest
from tools.access.permissions import CONTROL_REFUSAL

LEFT_ALONE = "All right, I leave it."
RETRACTION_HINT = "Say no to take it back."
_SHOWN_OF_DIGEST = 12
"""As short as commands take it (api/cli/approvals.py): 48 bits."""
_BECAME: Mapping[ActionState, str] = {
    "approved": "Too late, it is approved already and about to run",
    "started": "Too late, it is approved already and running",
    "succeeded": "Too late, it has already run",
    "unknown": "Too late, it was started already, and what became of it is not known",
    "failed": "It is over already: it was tried and failed",
    "rejected": "It is off already, and nothing was changed",
    "expired": "It is off already: nobody answered in time, and nothing was changed",
    "stale": "It is off already",
}
_POINTS = "points_at:"


def control(
    *reasons: str,
    says: str = "",
    talk: TalkRequest | None = None,
    proposes: TalkRequest | None = None,
    left_out: str = "",
    routing: Routing | None = None,
) -> PolicyDecision:
    """Return a decision that is sure and concerns no action: a sentence, or a control request."""
    return PolicyDecision(
        intent="control",
        confidence=1.0,
        says=says,
        talk=talk,
        proposes=proposes,
        left_out=left_out,
        routing=routing,
        reasons=reasons,
    )


def reply(text: str, *reasons: str, routing: Routing | None = None) -> PolicyDecision:
    """Return a decision that says a sentence and does nothing."""
    return control(*reasons, says=text, routing=routing)


def refuse_control(*reasons: str) -> PolicyDecision:
    """Return the refusal of a control request by somebody who may change nothing here."""
    return reply(CONTROL_REFUSAL, "talk_refused", *reasons)


def on_chips(
    said: SaidChoice, routing: Routing, *, still: LedgerAction | None = None
) -> PolicyDecision:
    """Decide on an answer about chips; one that was pressed is read from the store instead.

    Args:
        still: what its speaker asked for before, and a no to chips leaves waiting.
    """
    shown, chip = said.offer, said.chip
    match said.standing:
        case "pressed" | "incomplete" if chip is not None:
            return PolicyDecision(
                intent="choice",
                routing=routing,
                action=chip.action,
                arguments=chip.arguments,
                confidence=1.0,
                offer_id=shown.offer_id,
                reasons=(f"said:{chip.chip_id} of {shown.offer_id}",),
            )
        case "declined":
            left = LEFT_ALONE
            if still is not None:
                left += f" This still waits for a yes: {still.summary}. Another no takes it back."
            return reply(left, "offer_declined")
        case "gone":
            return reply("That offer is over. Ask again for a new one.", "offer_gone")
        case "needs_click" if chip is not None:
            return reply(
                f"That has to be chosen itself, not said: {chip.summary} ({_where(shown, chip)}).",
                "needs_click",
            )
        case _:
            return _which(shown)


def on_approval(waiting: LedgerAction, event: Event, address: str | None = None) -> PolicyDecision:
    """Tell where and by whom an approval is answered; words in a conversation answer none.

    Args:
        address: where people reach the service: who may approve it gets a link. None: nothing
            serves, and a command is named.
    """
    roles = " or ".join(role.replace("_", " ") for role in waiting.approver_roles)
    article = "An" if roles[:1] in ("a", "e", "i", "o") else "A"
    approvers = f"{article} {roles}" if roles else "Whoever may ask for it"
    others = f", but not {waiting.requester}, who asked" if waiting.four_eyes else ""
    where = _place_of(waiting, event, address)
    is_own = waiting.requester == event.user and not event.relayed
    off = f" {RETRACTION_HINT}" if is_own else ""
    return reply(
        f"{waiting.summary}: this waits for an approval, and what is said here is none. "
        f"{approvers} may answer it{others}{where}.{off}",
        f"waits_for_approval:{waiting.action_id}",
    )


def _place_of(waiting: LedgerAction, event: Event, address: str | None) -> str:
    """Name the place of the approval to whoever may answer it; to all others it is none."""
    if address is not None:
        may = waiting.requester != event.user or not waiting.four_eyes
        may = may and bool(
            not waiting.approver_roles or set(waiting.approver_roles) & {*event.roles}
        )
        return f": {address.rstrip('/')}/console/approvals/{waiting.action_id}" if may else ""
    role = next((role for role in waiting.approver_roles if role in event.roles), None)
    who = f"USER:{role or next(iter(waiting.approver_roles), 'ROLE')}"
    return (
        f": prefrontal approvals approve {waiting.action_id} {waiting.digest[:_SHOWN_OF_DIGEST]} "
        f"--as {who} (or reject), or POST /v1/approvals/{waiting.action_id}"
    )


def on_conditional(condition: str, open_: PolicyDecision) -> PolicyDecision:
    """Tell who says yes under a condition that it does not count, and what is still open.

    Args:
        open_: asks about what waits, or which chip is meant.
    """
    told = f"A yes counts only as it stands: I cannot keep “{condition}”, so nothing is done."
    return open_.model_copy(update={"says": f"{told} {open_.says}"})


def on_open(shown: Offer) -> PolicyDecision:
    """Ask about chips that are open."""
    return _which(shown)


def with_retraction_notice(summary: str, instead: PolicyDecision, words: str) -> PolicyDecision:
    """Say before what is wanted instead that the request before it is off."""
    if instead.beside is not None:
        return instead
    aside = Aside(says=f"Taken back: {summary}.", rest=words)
    return instead.model_copy(update={"beside": aside})


def on_declined(instead: str = "") -> PolicyDecision:
    """Tell who wants none of the chips that they are gone.

    Args:
        instead: words behind the no that could not be read.
    """
    return reply(f"{LEFT_ALONE}{_not_read(instead)}", "offer_declined")


def on_retracted(
    asked: LedgerAction, others: LedgerAction | None = None, *, instead: str = ""
) -> PolicyDecision:
    """Tell who asked that nobody can say yes to it any more.

    Args:
        others: what else waits, and the no may have been meant for.
        instead: words behind the no that could not be read.
    """
    again = _not_read(instead) or " Say it again if you want it."
    told = f"Taken back, and nothing was changed: {asked.summary}.{again}"
    if others is not None:
        told += _still_waits(others)
    return reply(told, f"taken_back:{asked.action_id}")


def on_resolved(asked: LedgerAction, others: LedgerAction | None = None) -> PolicyDecision:
    """Tell who takes back what is over that their no comes late.

    Args:
        others: what else waits, and the no may have been meant for.
    """
    became = _BECAME.get(asked.state, f"It is {asked.state} already")
    told = f"{became}: {asked.summary}."
    if asked.state == "stale" and asked.reason:
        told += f" {asked.reason[:1].upper()}{asked.reason[1:]}."
    if asked.state == "succeeded":
        told += " Say `undo that` for the way back, where there is one."
    if others is not None:
        told += _still_waits(others)
    return reply(told, f"settled:{asked.action_id}")


def on_elsewhere(waiting: LedgerAction) -> PolicyDecision:
    """Tell who says no where they asked first that it waits where they asked again."""
    return reply(
        f"{waiting.summary}: you asked for this again in another session, and there it still waits"
        " for an approval. Say no there to take it back.",
        f"waits_elsewhere:{waiting.action_id}",
    )


def nothing_pending() -> PolicyDecision:
    """Tell who asks what waits that nothing does."""
    return reply("Nothing here waits for an approval or an answer of yours.", "nothing_waits")


def nothing_to_answer(read: PolicyDecision) -> PolicyDecision:
    """Keep how a plain answer reads by itself, unless that makes up a request.

    `the first one` without a list names no first officer, and `skip` without a task asks for none.
    """
    points = read.force_tool or read.unclear or any(one.startswith(_POINTS) for one in read.reasons)
    if points or not (read.action or read.alternatives):
        return read
    return reply(
        "There is nothing here that this could answer: say what to do, and with which thing.",
        "nothing_to_answer",
        routing=read.routing,
    )


def _which(shown: Offer) -> PolicyDecision:
    chips = "\n".join(
        f"  {chip.chip_id}: {chip.summary}"
        + (f" (which {' and '.join(chip.missing_slots)}?)" if chip.missing_slots else "")
        for chip in shown.chips
    )
    question = "Do you mean this? Then say 1." if len(shown.chips) == 1 else "Which one?"
    asked = reply(f"{question}\n{chips}", ASKS_WHICH)
    return asked.model_copy(update={"offer_id": shown.offer_id})


def _not_read(words: str) -> str:
    return f" I could not read “{words}”: say in full what to do instead." if words else ""


def _still_waits(others: LedgerAction) -> str:
    return f" This still waits for an approval, and what is said here is none: {others.summary}."


def _where(shown: Offer, chip: Chip) -> str:
    return f"prefrontal offers choose {shown.offer_id} {chip.chip_id}"
