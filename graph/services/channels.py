"""People are told of approvals where they are, and answer through links that are theirs alone."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import structlog

from graph.services.approvals import ApprovalService
from graph.toolbox import Toolbox
from state.approval import LedgerAction
from state.channel import ROOM, ApprovalLink, Channel, ChannelMessage, Slack
from state.dialog import ShownApproval
from state.errors import AgentError, BadInput, Conflict, DigestMismatch, Forbidden
from state.principal import Principal, roles_in_words
from tools.gate.approvals.approval_rules import demand_approver, why_sign_in
from tools.gate.approvals.decision import ChannelAnswer
from tools.notifications import ApprovalLinks, Click, Message, post_to_slack, send_message
from tools.platform.texts import section, t

LinkDecision = Literal["approve", "reject", "respond"]
_AT_ONCE = 4
_MOST_LINES = 60
_LONGEST = 3_500
"""Characters of a message; the page shows the whole dialog."""
_log = structlog.get_logger()


@dataclass(frozen=True)
class OpenLink:
    """What a link shows its person, and as whom they would answer."""

    link: ApprovalLink
    principal: Principal
    standing: LedgerAction
    shown: ShownApproval
    sign_in: str
    """Why a yes needs a person who is signed in; empty: the link is enough."""


class ChannelService:
    """Plans and sends messages about approvals, and takes the answers that come through links."""

    def __init__(self, box: Toolbox, approvals: ApprovalService) -> None:
        self._box, self._approvals, self._outbox = box, approvals, box.channels
        self._links = ApprovalLinks(box.database)

    async def tick(self) -> None:
        """Name who is to be told by now, and send what is due."""
        if not self._outbox.channels.channel:
            return
        for kind in self._outbox.kinds:
            for action_id, tenant_id in await self._outbox.unplanned(kind):
                recipients = await self._recipients(action_id, kind)
                await self._outbox.plan(tenant_id, action_id, kind, recipients)
        room = asyncio.Semaphore(_AT_ONCE)

        async def send(one: ChannelMessage) -> None:
            async with room:
                await self._send(one)

        await asyncio.gather(*map(send, await self._outbox.due()))

    async def open(self, token: str) -> OpenLink:
        """Find what a link is about; looking at it changes nothing.

        Raises:
            NotFound: it is no link of ours.
            Conflict: it was used, has expired, or the approval waits no more.
            Forbidden: the person has no key any more that is good for an answer.
            DigestMismatch: the approval is about something else.
        """
        link = await self._links.find(token)
        standing = await self._approvals.get(link.action_id, link.tenant_id)
        if standing.state != "pending":
            raise Conflict(t("channel.answered", state=standing.state), standing.state)
        if standing.digest != link.digest:
            raise DigestMismatch(standing.action_id)
        principal = await self._answerer(standing, link.person)
        reader = self._box.readers.of(principal)
        standing = await self._approvals.get(link.action_id, reader)
        shown = self._approvals.show(standing)
        return OpenLink(link, principal, standing, shown, self._why_sign_in(standing))

    async def answer(
        self, opened: OpenLink, decision: LinkDecision, *, reason: str = "", typed: str = ""
    ) -> ShownApproval:
        """Answer an approval as a link's person, and use the link up.

        Raises:
            Forbidden: a yes to it needs a person who is signed in, or it is not theirs to answer.
            Conflict: the link was used, or the approval answered, meanwhile.
            BadInput: something it needs is missing; the link stays good.
        """
        if decision == "approve" and opened.sign_in:
            raise Forbidden(t("channel.needs_sign_in", why=opened.sign_in))
        answer = ChannelAnswer(
            decision=decision,
            digest=opened.link.digest,
            reason=reason or None,
            typed=typed or None,
            via="link",
        )
        await self._links.claim(opened.link)
        try:
            settled = await self._approvals.answer(opened.standing, answer, opened.principal)
        except (BadInput, Forbidden):
            await self._links.release(opened.link)
            raise
        return self._approvals.show(settled)

    @property
    def slack(self) -> Slack | None:
        """The Slack app whose buttons answer; None: there is none."""
        return self._outbox.channels.slack

    async def click(self, click: Click) -> None:
        """Answer an approval as the person that a member of the workspace is, and say so there.

        Whatever is wrong is said to the one who clicked, and the message stays.
        """
        try:
            settled = await self._clicked(click)
        except AgentError as why:
            reply = {"response_type": "ephemeral", "replace_original": False, "text": str(why)}
        else:
            standing = section("approval.state").get(settled.state) or settled.state
            text = t("channel.clicked", summary=settled.summary, state=standing, user=click.user)
            reply = {"replace_original": settled.state != "pending", "text": text}
        if not await post_to_slack(self._box.webhooks.egress, click.response_url, reply):
            _log.warning("slack_reply_lost", action_id=click.action_id)

    async def _clicked(self, click: Click) -> LedgerAction:
        members = [one for one in self._outbox.channels.person if one.slack == click.member]
        if self.slack is None or click.team != self.slack.team or not members:
            raise Forbidden(t("channel.no_member", user=click.user))
        standing = await self._approvals.get(click.action_id, members[0].tenant)
        principal = await self._answerer(standing, members[0].name)
        reader = self._box.readers.of(principal)
        standing = await self._approvals.get(click.action_id, reader)
        why = self._why_no_button(standing, self._approvals.show(standing))
        if click.decision == "approve" and why:
            raise Forbidden(t("channel.needs_sign_in", why=why))
        answer = ChannelAnswer(decision=click.decision, digest=click.digest, via="slack")
        return await self._approvals.answer(standing, answer, principal)

    def _why_sign_in(self, standing: LedgerAction) -> str:
        catalogue = self._box.governed.of_tenant(standing.tenant_id)
        action = catalogue.actions.get(standing.action)
        if action is None:  # its pack is not loaded: nobody could be shown what it is
            return t("channel.sign_in.long")
        rules = self._box.tuning.execution.of(action)
        return why_sign_in(standing, action, self._outbox.tuning, rules)

    def _why_no_button(self, standing: LedgerAction, shown: ShownApproval) -> str:
        """Tell why a click in a message is not enough: a page shows long parts, a message none."""
        dialog = shown.dialog
        if dialog is None or dialog.long or dialog.type_to_approve or not _fits(dialog.lines):
            return t("channel.sign_in.long")
        return self._why_sign_in(standing)

    async def _answerer(self, standing: LedgerAction, person: str) -> Principal:
        """Find a key of somebody that may answer, as it is now: rights of two are never mixed."""
        refusal = Forbidden(t("channel.no_key", person=person))
        for principal in await self._box.keys.people(standing.tenant_id, person):
            try:
                demand_approver(standing, principal)
            except Forbidden as why:
                refusal = why
            else:
                return principal
        raise refusal

    async def _recipients(self, action_id: str, kind: str) -> Sequence[str]:
        standing = await self._approvals.get(action_id)
        channels, tenant_id = self._outbox.channels, standing.tenant_id
        people = await self._box.keys.people(tenant_id)
        able = {one.user for one in people if _may_answer(standing, one)}
        roles = self._roles_of(kind)
        wanted = able if roles is None else {one.user for one in people if one.has_any(roles)}
        told: dict[str, None] = {}
        for user in sorted(wanted.difference(standing.said_yes)):
            asked = channels.recipient(tenant_id, user)
            stands_in = asked.away and asked.deputy in able
            told[asked.deputy if stands_in and asked.deputy else user] = None
        rooms = _rooms(channels.channel, standing, wanted, roles or standing.approver_roles)
        return [*(one for one in told if channels.of_person(tenant_id, one)), *rooms]

    def _roles_of(self, kind: str) -> tuple[str, ...] | None:
        """Name the roles that a kind of message goes to; None: those that may answer."""
        _name, _dot, step = kind.partition(".")
        return self._outbox.channels.escalation[int(step)].roles if step else None

    async def _send(self, one: ChannelMessage) -> None:
        try:
            channels, principal, may_answer = await self._reader_of(one)
            reader = self._box.readers.of(principal)
            standing = await self._approvals.get(one.action_id, reader)
            if standing.state != "pending":
                raise Conflict(t("channel.over"), standing.state)
        except AgentError as why:
            await self._outbox.end(one, "dead", str(why))
            return
        now, asked = self._box.clock.now(), self._outbox.channels.recipient
        hours = asked(one.tenant_id, one.recipient).quiet_hours
        until = hours.until(now, self._box.settings.zone) if hours else None
        if until is not None and until > now:
            await self._outbox.postpone(one, until.timestamp())
            return
        await self._outbox.begin(one)
        shown = self._approvals.show(standing)
        address = await self._address(one, standing, may_answer=may_answer)
        title = shown.dialog.title if shown.dialog else shown.action.replace("_", " ")
        kind = one.kind.partition(".")[0]
        message = Message(
            t(f"channel.title.{kind}", title=title)[:200],
            "\n\n".join(_body(shown, address)),
            None if self._why_no_button(standing, shown) else (shown.action_id, shown.digest),
        )
        egress, seconds = self._box.webhooks.egress, self._outbox.tuning.send_seconds
        await self._outbox.settle(one, await send_message(channels, message, egress, seconds))

    async def _reader_of(
        self, one: ChannelMessage
    ) -> tuple[Sequence[Channel], Principal, bool | None]:
        """Find where a message goes, as whom its words are read, and whether they may answer.

        Raises:
            Forbidden: the person has no key any more.
        """
        every = self._outbox.channels
        if one.recipient.startswith(ROOM):
            room = [each for each in every.channel if f"{ROOM}{each.name}" == one.recipient]
            if not room:
                raise Forbidden(t("channel.none_left"))
            return room, room[0].principal, None
        standing = await self._approvals.get(one.action_id, one.tenant_id)
        own = every.of_person(one.tenant_id, one.recipient)
        people = await self._box.keys.people(one.tenant_id, one.recipient)
        if not people:
            raise Forbidden(t("channel.no_key", person=one.recipient))
        able = [each for each in people if _may_answer(standing, each)]
        return own, (able or people)[0], bool(able)

    async def _address(
        self, one: ChannelMessage, standing: LedgerAction, *, may_answer: bool | None
    ) -> str:
        """Write how to answer; a room gets no link, for whoever reads it would be that person."""
        ours = (self._box.settings.public_url or "").rstrip("/")
        page = f"{ours}/console/approvals/{standing.action_id}"
        if may_answer is False:
            who = roles_in_words(standing.approver_roles) or t("approval.any_person")
            return t("channel.body.read_only", who=who, url=page)
        if may_answer is None or not ours:
            return t("channel.body.console", url=page)
        token = await self._links.make(standing, one.recipient, self._outbox.tuning.link_minutes)
        return t("channel.body.link", url=f"{ours}/answer/{token}")


def _may_answer(standing: LedgerAction, principal: Principal) -> bool:
    try:
        demand_approver(standing, principal)
    except Forbidden:
        return False
    return True


def _rooms(
    channels: Sequence[Channel], standing: LedgerAction, people: set[str], roles: Sequence[str]
) -> Iterator[str]:
    """Name the rooms that hold somebody of these people or roles."""
    for one in channels:
        if one.tenant == standing.tenant_id and one.person is None:
            by_role = bool(set(one.roles) & set(roles)) if roles else bool(one.roles)
            if by_role or people.intersection(one.people):
                yield f"{ROOM}{one.name}"


def _body(shown: ShownApproval, address: str) -> Iterator[str]:
    """Write the dialog a line each, as far as a message holds it, the way to answer first."""
    if shown.dialog is None:
        yield address
        return
    yield t("channel.body.asked_by", asked_by=shown.dialog.asked_by)
    yield t("channel.body.expires", expires=shown.dialog.expires)
    yield address
    lines = list(shown.dialog.lines)
    while not _fits(lines):
        lines.pop()
    if left := len(shown.dialog.lines) - len(lines):
        lines.append(t("channel.more_lines", count=left))
    yield "\n".join(lines)


def _fits(lines: Sequence[str]) -> bool:
    return len(lines) <= _MOST_LINES and sum(map(len, lines)) <= _LONGEST
