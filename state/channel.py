"""Where people are told that an approval waits, and what they may answer from there."""

from datetime import datetime
from typing import Literal, Self

from pydantic import Field, SecretStr, model_validator

from state.action import ExecutionClass
from state.attention import QuietHours
from state.noun import Name, Noun, TenantId
from state.principal import Principal

MessageStanding = Literal["pending", "delivered", "dead"]
ROOM = "#"
"""Stands before the name of a room where a message names its recipient."""


class Channel(Noun):
    """An address that takes messages: of one person, or a room that several read."""

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,39}$")
    url: SecretStr = Field(description="as Apprise reads it; ${NAME} of the deployment's secrets")
    tenant: TenantId = "default"
    people: tuple[Name, ...] = ()
    roles: tuple[Name, ...] = ()
    buttons: bool = Field(
        default=False, description="url is an incoming webhook of Slack: messages have buttons"
    )

    @model_validator(mode="after")
    def _reach_somebody(self) -> Self:
        if not self.people and not self.roles:
            raise ValueError(f"the channel {self.name} reaches nobody: name people or roles")
        return self

    @property
    def person(self) -> str | None:
        """Name whom it reaches alone; None: it is a room, and a link in it would be anybody's."""
        return self.people[0] if len(self.people) == 1 and not self.roles else None

    @property
    def principal(self) -> Principal:
        """Name a room as a reader: `channel:NAME` among the users of `[[sessions]]`."""
        return Principal(user=f"channel:{self.name}", tenant_id=self.tenant, kind="service")


class Recipient(Noun):
    """What a person wants of the messages to them."""

    name: Name = Field(description="as in their key")
    tenant: TenantId = "default"
    quiet_hours: QuietHours | None = None
    away: bool = False
    deputy: Name | None = Field(default=None, description="is told instead while they are away")
    slack: str | None = Field(default=None, min_length=1, description="their member ID in Slack")


class Escalation(Noun):
    """Whom else to tell when nobody has answered."""

    after: float = Field(gt=0, lt=1, description="share of the approval's life that has passed")
    roles: tuple[Name, ...] = Field(min_length=1)


class Slack(Noun):
    """The Slack app whose buttons answer."""

    signing_secret: SecretStr = Field(description="of the app; ${NAME} of the deployment's secrets")
    team: str = Field(min_length=1, description="ID of the workspace that clicks may come from")


class Channels(Noun):
    """All of channels.toml."""

    channel: tuple[Channel, ...] = ()
    person: tuple[Recipient, ...] = ()
    escalation: tuple[Escalation, ...] = ()
    slack: Slack | None = None

    @model_validator(mode="after")
    def _name_each_once(self) -> Self:
        names = [one.name for one in self.channel]
        people = [f"{one.name} of {one.tenant}" for one in self.person]
        members = [one.slack for one in self.person if one.slack is not None]
        for all_of in (names, people, members):
            if twice := sorted({name for name in all_of if all_of.count(name) > 1}):
                raise ValueError(f"{', '.join(twice)}: named twice")
        if self.slack is None and any(one.buttons for one in self.channel):
            raise ValueError("buttons need [slack] with signing_secret and team")
        return self

    def of_person(self, tenant_id: str, user: str) -> tuple[Channel, ...]:
        """List the channels that reach one person alone, in the order they are tried."""
        return tuple(one for one in self.channel if one.tenant == tenant_id and one.person == user)

    def recipient(self, tenant_id: str, user: str) -> Recipient:
        """Return what a person wants; of one who is not named, nothing special."""
        for one in self.person:
            if (one.tenant, one.name) == (tenant_id, user):
                return one
        return Recipient(name=user, tenant=tenant_id)


class ChannelMessage(Noun):
    """One message to one recipient about one approval."""

    message_id: int
    tenant_id: str
    action_id: str
    recipient: str = Field(description="a person, or # and the name of a room; empty: nobody")
    kind: str = Field(description="asked, reminder, or escalation.N")
    standing: MessageStanding
    attempts: int


class ApprovalLink(Noun):
    """What a link lets one person do: answer one approval, as it was drawn, once."""

    link_id: str
    tenant_id: str
    action_id: str
    digest: str
    person: str
    expires_at: datetime
    used_at: datetime | None = None


class ChannelTuning(Noun):
    """How far a link goes, and when people are reminded."""

    link_minutes: float = Field(default=120.0, gt=0, le=10_080)
    highest_class: ExecutionClass = "C"
    amount: float | None = Field(default=None, ge=0, description="absent: [execution] amount")
    count: int | None = Field(default=None, ge=0, description="absent: as many as there are")
    typed: bool = Field(default=False, description="whether a phrase may be typed on a link's page")
    reminder_share: float = Field(default=0.5, gt=0, lt=1)
    attempts: int = Field(default=8, ge=1)
    first_wait_seconds: float = Field(default=15.0, gt=0)
    longest_wait_seconds: float = Field(default=1_800.0, gt=0)
    send_seconds: float = Field(default=20.0, gt=0)
