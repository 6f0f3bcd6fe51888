"""Policy decisions on answers to offers and approvals, and the helpers that make a decision.

Pure functions of stored offers and ledger rows.
"""

from state.approval import LedgerAction
from state.event import Event
from state.offer import Chip, Offer, SaidChoice
from state.policy import ASKS_WHICH, PolicyDecision, Routing
from state.talk import Aside, TalkRequest
from tools.platform.texts import section, t
from tools.platform.unicode_safety import passes_for_any
from tools.response.template_replies import chip_lines

_SHOWN_OF_DIGEST = 12
"""As short as commands take it (api/cli/approvals.py): 48 bits."""
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
    return reply(t("dialogue.refused.control"), "talk_refused", *reasons)


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
            left = t("dialogue.left")
            if still is not None:
                left = t("dialogue.left_but", left=left, summary=still.summary)
            return reply(left, "offer_declined")
        case "gone":
            return reply(t("dialogue.offer_gone"), "offer_gone")
        case "needs_click" if chip is not None:
            return reply(
                t("dialogue.needs_click", summary=chip.summary, where=_where(shown, chip)),
                "needs_click",
            )
        case _:
            return which_chip(shown)


def on_approval(waiting: LedgerAction, event: Event, address: str | None = None) -> PolicyDecision:
    """Tell where and by whom an approval is answered; words in a conversation answer none.

    Args:
        address: where people reach the service: who may approve it gets a link. None: nothing
            serves, and a command is named.
    """
    roles = " or ".join(role.replace("_", " ") for role in waiting.approver_roles)
    is_own = waiting.requester == event.user and not event.relayed
    text = t(
        "dialogue.approval",
        summary=waiting.summary,
        approvers=roles or t("dialogue.approvers_any"),
        barred=waiting.requester if waiting.four_eyes else "",
        place=_place_of(waiting, event, address),
        withdraw=t("dialogue.withdraw_hint") if is_own else "",
    )
    return reply(
        text,
        f"waits_for_approval:{waiting.action_id}",
    )


def _place_of(waiting: LedgerAction, event: Event, address: str | None) -> str:
    """Name the place of the approval to whoever may answer it; to all others it is none."""
    if address is not None:
        may = not (waiting.four_eyes and passes_for_any(event.user or "", (waiting.requester,)))
        may = may and bool(
            not waiting.approver_roles or set(waiting.approver_roles) & {*event.roles}
        )
        page = f"{address.rstrip('/')}/console/approvals/{waiting.action_id}"
        return t("dialogue.approve_at", where=page) if may else ""
    role = next((role for role in waiting.approver_roles if role in event.roles), None)
    who = f"USER:{role or next(iter(waiting.approver_roles), 'ROLE')}"
    return t(
        "dialogue.approve_command",
        action=waiting.action_id,
        digest=waiting.digest[:_SHOWN_OF_DIGEST],
        who=who,
    )


def on_conditional(condition: str, open_: PolicyDecision) -> PolicyDecision:
    """Tell who says yes under a condition that it does not count, and what is still open.

    Args:
        open_: asks about what waits, or which chip is meant.
    """
    told = t("dialogue.conditional_yes", condition=condition, open=open_.says)
    return open_.model_copy(update={"says": told})


def on_open(shown: Offer) -> PolicyDecision:
    """Ask about chips that are open."""
    return which_chip(shown)


def with_retraction_notice(summary: str, instead: PolicyDecision, words: str) -> PolicyDecision:
    """Say before what is wanted instead that the request before it is off."""
    if instead.beside is not None:
        return instead
    aside = Aside(says=t("dialogue.withdrawn", summary=summary), rest=words)
    return instead.model_copy(update={"beside": aside})


def on_declined(instead: str = "") -> PolicyDecision:
    """Tell who wants none of the chips that they are gone.

    Args:
        instead: words behind the no that could not be read.
    """
    return reply(t("dialogue.declined", not_read=_not_read(instead)), "offer_declined")


def on_retracted(
    asked: LedgerAction, others: LedgerAction | None = None, *, instead: str = ""
) -> PolicyDecision:
    """Tell who asked that nobody can say yes to it any more.

    Args:
        others: what else waits, and the no may have been meant for.
        instead: words behind the no that could not be read.
    """
    told = t(
        "dialogue.retracted",
        summary=asked.summary,
        again=_not_read(instead) or t("dialogue.ask_again"),
        others=_still_waits(others),
    )
    return reply(told, f"taken_back:{asked.action_id}")


def on_resolved(asked: LedgerAction, others: LedgerAction | None = None) -> PolicyDecision:
    """Tell who takes back what is over that their no comes late.

    Args:
        others: what else waits, and the no may have been meant for.
    """
    known = section("dialogue.became")
    reason = asked.reason if asked.state == "stale" and asked.reason else ""
    told = t(
        "dialogue.resolved",
        became=known.get(asked.state) or t("dialogue.became_other", state=asked.state),
        summary=asked.summary,
        reason=f"{reason[:1].upper()}{reason[1:]}",
        undo=t("dialogue.undo_hint") if asked.state == "succeeded" else "",
        others=_still_waits(others),
    )
    return reply(told, f"settled:{asked.action_id}")


def on_elsewhere(waiting: LedgerAction) -> PolicyDecision:
    """Tell who says no where they asked first that it waits where they asked again."""
    return reply(
        t("dialogue.elsewhere", summary=waiting.summary),
        f"waits_elsewhere:{waiting.action_id}",
    )


def nothing_pending() -> PolicyDecision:
    """Tell who asks what waits that nothing does."""
    return reply(t("dialogue.nothing_pending"), "nothing_waits")


def nothing_to_answer(read: PolicyDecision) -> PolicyDecision:
    """Keep how a plain answer reads by itself, unless that makes up a request.

    `the first one` without a list names no first officer, and `skip` without a task asks for none.
    """
    points = read.force_tool or read.unclear or any(one.startswith(_POINTS) for one in read.reasons)
    if points or not (read.action or read.alternatives):
        return read
    return reply(
        t("dialogue.nothing_to_answer"),
        "nothing_to_answer",
        routing=read.routing,
    )


def which_chip(shown: Offer) -> PolicyDecision:
    """Ask which of the chips that are shown is meant; they stay open."""
    chips = chip_lines(shown.chips)
    question = t("dialogue.this_one") if len(shown.chips) == 1 else t("dialogue.which_one")
    asked = reply(f"{question}\n{chips}", ASKS_WHICH)
    return asked.model_copy(update={"offer_id": shown.offer_id})


def _not_read(words: str) -> str:
    return t("dialogue.not_read", words=words) if words else ""


def _still_waits(others: LedgerAction | None) -> str:
    return "" if others is None else t("dialogue.still_waits", summary=others.summary)


def _where(shown: Offer, chip: Chip) -> str:
    return f"prefrontal offers choose {shown.offer_id} {chip.chip_id}"
