"""Messages to people about approvals: an outbox, and the way to them through Apprise.

Who is told is planned from the ledger itself, a row a recipient and kind, so that a crash loses
nothing and nobody is told twice; a row that fails is tried again after a wait that doubles.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import structlog
from pydantic import SecretStr, ValidationError
from sqlalchemy import exists, select, update
from sqlalchemy.dialects.sqlite import insert

from state.channel import Channel, ChannelMessage, Channels, ChannelTuning, MessageStanding
from state.errors import BadInput
from tools.notifications.slack import Message, post_to_slack, slack_message
from tools.platform.egress import Egress
from tools.platform.redaction import fill_secrets
from tools.platform.serialization import read_toml, toml_error
from tools.platform.texts import t
from tools.storage import Database
from tools.storage.tables.ledger import ledger_action
from tools.storage.tables.outboxes import channel_message as table

_SETTING = "EXECUTIVE_CHANNELS_FILE"
_AT_ONCE = 50
log = structlog.get_logger()


def read_channels(path: Path, secrets: Mapping[str, SecretStr]) -> Channels:
    """Read channels.toml, the deployment's secrets put into its addresses.

    Raises:
        BadInput: the file cannot be read, a secret is missing, or an address is none of Apprise's.
    """
    try:
        read = Channels.model_validate(read_toml(path, _SETTING))
    except ValidationError as error:
        raise toml_error(_SETTING, path, error) from error
    update: dict[str, object] = {
        "channel": tuple(_filled(one, secrets, path) for one in read.channel)
    }
    if read.slack is not None:
        secret = _with_secrets(read.slack.signing_secret, secrets, path)
        update["slack"] = read.slack.model_copy(update={"signing_secret": SecretStr(secret)})
    return read.model_copy(update=update)


def _with_secrets(template: SecretStr, secrets: Mapping[str, SecretStr], path: Path) -> str:
    try:
        return fill_secrets(template.get_secret_value(), secrets)
    except BadInput as error:  # on reading, nothing was to be sent
        raise BadInput(f"{path}: {str(error).removesuffix('; nothing was sent')}") from error


def _filled(channel: Channel, secrets: Mapping[str, SecretStr], path: Path) -> Channel:
    from apprise import Apprise  # 0.3 s, and only whoever has channels needs it

    url = _with_secrets(channel.url, secrets, path)
    if channel.buttons:
        if not url.startswith(("https://", "http://")):
            raise BadInput(f"{path}: the url of {channel.name} is no webhook of Slack")
    elif Apprise.instantiate(url) is None:
        raise BadInput(f"{path}: the url of {channel.name} is none that Apprise knows")
    return channel.model_copy(update={"url": SecretStr(url)})


@dataclass(frozen=True)
class ChannelOutbox:
    """Plans messages, and keeps how far each is."""

    database: Database
    channels: Channels
    tuning: ChannelTuning

    @property
    def kinds(self) -> Mapping[str, float]:
        """Name the kinds of messages, by the share of an approval's life when each is due."""
        steps = {f"escalation.{n}": one.after for n, one in enumerate(self.channels.escalation)}
        return {"asked": 0.0, "reminder": self.tuning.reminder_share, **steps}

    async def unplanned(self, kind: str) -> Sequence[tuple[str, str]]:
        """List the approvals, with their tenants, for which a kind is due and nobody was named."""
        at = ledger_action.c
        tenants = {one.tenant for one in self.channels.channel}
        is_due = at.asked_at + self.kinds[kind] * (at.expires_at - at.asked_at)
        is_planned = exists().where(table.c.action_id == at.action_id, table.c.kind == kind)
        query = (
            select(at.action_id, at.tenant_id)
            .where(
                at.state == "pending",
                at.execution_class == "C",
                at.tenant_id.in_(tenants),
                at.expires_at > self.database.now(),
                is_due <= self.database.now(),
                ~is_planned,
            )
            .order_by(at.expires_at)
            .limit(_AT_ONCE)
        )
        rows = await self.database.read(lambda one: one.execute(query).all())
        return [(row.action_id, row.tenant_id) for row in rows]

    async def plan(
        self, tenant_id: str, action_id: str, kind: str, recipients: Sequence[str]
    ) -> None:
        """Name who gets a message of one kind; nobody at all is written down as well."""
        now = self.database.now()
        row = {
            "tenant_id": tenant_id,
            "action_id": action_id,
            "kind": kind,
            "made_at": now,
            "standing": "pending",
            "attempts": 0,
            "next_at": now,
        }
        rows = [row | {"recipient": one} for one in recipients]
        if not recipients:
            nobody = {"standing": "dead", "ended_at": now, "problem": t("channel.nobody")}
            rows = [row | {"recipient": ""} | nobody]
            log.warning("nobody_to_tell", action_id=action_id, kind=kind)
        statement = insert(table).values(rows).on_conflict_do_nothing()
        await self.database.write(lambda one: one.execute(statement).rowcount)

    async def due(self) -> Sequence[ChannelMessage]:
        """List the messages to send now, oldest first."""
        query = (
            select(table)
            .where(table.c.standing == "pending", table.c.next_at <= self.database.now())
            .order_by(table.c.message_id)
            .limit(_AT_ONCE)
        )
        rows = await self.database.read(lambda one: one.execute(query).mappings().all())
        names = ChannelMessage.model_fields
        return [ChannelMessage.model_validate({name: row[name] for name in names}) for row in rows]

    async def begin(self, one: ChannelMessage) -> None:
        """Count an attempt before it is made: a crash in it is followed by a wait, too."""
        wait = self.tuning.first_wait_seconds * 2.0**one.attempts
        wait = min(self.tuning.longest_wait_seconds, wait) + self.tuning.send_seconds
        await self._update(one, attempts=one.attempts + 1, next_at=self.database.now() + wait)

    async def postpone(self, one: ChannelMessage, until: float) -> None:
        """Leave a message alone until then, in seconds since 1970."""
        await self._update(one, next_at=until)

    async def settle(self, one: ChannelMessage, problem: str | None) -> None:
        """Note how an attempt ended; None: it arrived. After the last one it is given up."""
        if problem is None:
            await self.end(one, "delivered", None)
        elif one.attempts + 1 >= self.tuning.attempts:
            await self.end(one, "dead", problem)
            log.warning("message_dead", recipient=one.recipient, kind=one.kind)
        else:
            await self._update(one, problem=problem)

    async def end(
        self, one: ChannelMessage, standing: MessageStanding, problem: str | None
    ) -> None:
        """Close a message for good."""
        await self._update(one, standing=standing, problem=problem, ended_at=self.database.now())

    async def _update(self, one: ChannelMessage, **values: object) -> None:
        is_it = (table.c.message_id == one.message_id) & (table.c.standing == "pending")
        statement = update(table).where(is_it).values(**values)
        await self.database.write(lambda each: each.execute(statement).rowcount)


async def send_message(
    channels: Sequence[Channel], message: Message, egress: Egress, seconds: float
) -> str | None:
    """Send a message to the first channel that takes it; return what went wrong, None: nothing.

    Args:
        egress: the way to Slack, for messages with buttons.
        seconds: longest one channel may take.
    """
    problem = t("channel.none_left")
    for one in channels:
        try:
            async with asyncio.timeout(seconds):
                url = one.url.get_secret_value()
                if one.buttons:
                    taken = await post_to_slack(egress, url, slack_message(message))
                else:
                    taken = await asyncio.to_thread(_notify, url, message.title, message.body)
                if taken:
                    return None
            problem = t("channel.not_taken", name=one.name)
        except TimeoutError:
            problem = t("channel.too_slow", name=one.name, seconds=seconds)
        except Exception as error:  # noqa: BLE001 - whatever a plugin does, the next one is tried
            problem = t("channel.broken", name=one.name, error=type(error).__name__)
    return problem


def _notify(url: str, title: str, body: str) -> bool:
    from apprise import Apprise, AppriseAsset, NotifyFormat

    # What stands in a dialog is text: no emoji codes, no escapes, nothing read as markup.
    asset = AppriseAsset(
        app_id="Prefrontal",
        app_desc="Prefrontal",
        app_url="",
        interpret_emojis=False,
        interpret_escapes=False,
        secure_logging=True,
    )
    to = Apprise(asset=asset)
    return bool(to.add(url) and to.notify(body, title=title, body_format=NotifyFormat.TEXT))
