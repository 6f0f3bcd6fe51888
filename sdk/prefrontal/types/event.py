"""What arrived: one event as an adapter, a person or the clock sends it."""

import json
import unicodedata
from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256
from typing import Annotated, Literal, Self
from uuid import UUID, uuid4, uuid5

from pydantic import BeforeValidator, Field, JsonValue, field_validator, model_validator

from prefrontal.types.agent_call import AgentCall
from prefrontal.types.noun import (
    LONGEST_NAME,
    CleanJson,
    CleanText,
    Name,
    Noun,
    TenantId,
    clean_name,
)
from prefrontal.types.salience import SalienceVector

MAX_TEXT_BYTES = 65_536
"""Longest text of one event, in UTF-8 bytes."""

TRACEPARENT = "^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$"
"""How W3C writes which span asked, in the header `traceparent`."""

EventKind = Literal["ambient", "message", "choice", "proposal", "signal", "tick"]
"""A proposal is an agent's call of an action; see state/agent_call.py."""
Intent = Literal["actionable", "informational", "unknown"]

_CONTENT = frozenset(
    {
        *("kind", "text", "session_id", "user", "intent", "salience", "entities", "payload"),
        *("call", "expires_in_seconds"),
    }
)
"""Fields that say what happened, to whom it is told and who said it."""
_DECISIONS = UUID("6f0b7d1e-0c4b-5d0e-9a51-6d2f5f0f6c11")
_EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
_LATEST = datetime(2200, 1, 1, tzinfo=UTC)


def parse_instant(value: object) -> datetime:
    """Read ISO 8601 or seconds since 1970 as an aware UTC time; a time without a zone is UTC.

    Raises:
        ValueError: neither form, or outside 1970 to 2200.
    """
    if isinstance(value, datetime):
        instant = value
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        if not _EARLIEST.timestamp() <= value <= _LATEST.timestamp():
            raise ValueError("the time must lie between the years 1970 and 2200")
        instant = datetime.fromtimestamp(value, UTC)
    elif isinstance(value, str):
        try:
            instant = datetime.fromisoformat(value)
        except ValueError as error:
            raise ValueError(
                "give ISO 8601 (2026-02-07T14:32:00Z) or seconds since 1970"
            ) from error
    else:
        raise ValueError("give ISO 8601 (2026-02-07T14:32:00Z) or seconds since 1970")
    instant = instant.replace(tzinfo=UTC) if instant.tzinfo is None else instant
    # Compared before it is moved to UTC: at the ends of the calendar there is no UTC for it.
    if not _EARLIEST <= instant <= _LATEST:
        raise ValueError("the time must lie between the years 1970 and 2200")
    return instant.astimezone(UTC)


Instant = Annotated[datetime, BeforeValidator(parse_instant)]


class EventEntity(Noun):
    """A thing the event is about, as its sender names it."""

    type: Name = "thing"
    value: Name

    @model_validator(mode="before")
    @classmethod
    def _from_plain_text(cls, value: object) -> object:
        return {"value": value} if isinstance(value, str) else value


class Event(Noun):
    """Something that happened; all fields but `text` have a default."""

    event_id: Name = Field(default_factory=lambda: f"evt-{uuid4().hex}")
    kind: EventKind = "ambient"
    source: Name = "unknown"
    text: CleanText
    session_id: Name = "default"
    tenant_id: TenantId = "default"
    user: Name | None = None
    role: CleanText | None = Field(
        default=None, max_length=2_000, description="one, or several with commas between them"
    )
    occurred_at: Instant | None = None
    salience: SalienceVector | None = None
    intent: Intent = "unknown"
    entities: tuple[EventEntity, ...] = Field(default=(), max_length=100)
    payload: Mapping[CleanText, CleanJson] = Field(default_factory=dict)
    call: AgentCall | None = Field(default=None, description="of a proposal, and of nothing else")
    expires_in_seconds: float | None = Field(default=None, gt=0)
    relayed: bool = Field(
        default=False, description="a service passed it on in somebody's name; set from its key"
    )
    sender: Name | None = Field(default=None, description="whose key sent it; set from the key")
    traceparent: str | None = Field(
        default=None,
        pattern=TRACEPARENT,
        description="W3C trace context that its decision is traced under; a proposal's is set from"
        " the request's header",
    )
    variant: str | None = Field(
        default=None,
        max_length=64,
        description="digest of its content, where its event_id came with other content before; "
        "set when it is accepted",
    )

    @model_validator(mode="before")
    @classmethod
    def _message_when_someone_speaks(cls, value: object) -> object:
        if isinstance(value, Mapping) and "kind" not in value and value.get("user"):
            return {**value, "kind": "message"}
        return value

    @model_validator(mode="after")
    def _proposals_alone_hold_a_call(self) -> Self:
        if (self.kind == "proposal") != (self.call is not None):
            raise ValueError("an event of kind proposal has a call, and no other event has one")
        return self

    @field_validator("text")
    @classmethod
    def _normal_and_bounded(cls, text: str) -> str:
        # Measured as it is kept: what was accepted must still be valid when it is read back, and
        # NFC makes some texts three times as long.
        kept = text if text.isascii() else unicodedata.normalize("NFC", text)
        if len(kept.encode()) > MAX_TEXT_BYTES:
            raise ValueError(f"the text is longer than {MAX_TEXT_BYTES} bytes; send it in parts")
        return kept

    @field_validator("role")
    @classmethod
    def _names_roles(cls, role: str | None) -> str | None:
        # Each becomes a role of whoever asks: what none can be is refused before it is accepted.
        for part in (role or "").split(","):
            if len(clean_name(part.strip())) > LONGEST_NAME:
                raise ValueError(f"a role is longer than {LONGEST_NAME} characters")
        return role

    @field_validator("payload", mode="before")
    @classmethod
    def _no_payload_is_empty(cls, payload: object) -> object:
        return {} if payload is None else payload

    @property
    def decision_id(self) -> str:
        """Name the one decision this event can ever lead to: a second delivery meets the first.

        The sender is part of it: nobody can take an event_id before another sender uses it. So is
        the content, where the same sender used the id for something else before.
        """
        named = [self.tenant_id, self.source, self.event_id]
        named += [each for each in (self.sender, self.variant) if each is not None]
        return str(uuid5(_DECISIONS, "\x1f".join(named)))

    def is_redelivery_of(self, first: Self) -> bool:
        """Tell whether it is `first` sent again, and nothing else under the same event_id.

        A time that the sender gave counts for what happened; a message is the same at any time.
        """
        is_later = (
            not self.is_addressed
            and "occurred_at" in self.model_fields_set
            and self.occurred_at != first.occurred_at
        )
        return not is_later and self._content() == first._content()

    def as_another(self) -> Self:
        """Give it an identity of its own, for an event_id that was used for something else."""
        at = self.occurred_at if "occurred_at" in self.model_fields_set else None
        written = f"{json.dumps(self._content(), sort_keys=True)} {at}"
        return self.model_copy(update={"variant": sha256(written.encode()).hexdigest()[:32]})

    def _content(self) -> dict[str, JsonValue]:
        return self.model_dump(mode="json", include=set(_CONTENT))

    @property
    def roles(self) -> tuple[str, ...]:
        """List the roles of whoever speaks; the field may hold several, comma between them."""
        return tuple(filter(None, (part.strip() for part in (self.role or "").split(","))))

    @property
    def is_addressed(self) -> bool:
        """Tell whether somebody asks us, a person or an agent: not what merely happens near us."""
        return self.kind in ("message", "choice", "proposal")

    @property
    def speaker(self) -> str | None:
        """Name who stands behind it: whose profile counts; what merely happens has nobody."""
        return self.user if self.is_addressed or self.kind == "signal" else None

    def at(self, now: datetime) -> Self:
        """Stamp the event with `now` when its sender gave no time.

        `occurred_at` stays out of the fields that are set: those are the sender's.
        """
        if self.occurred_at:
            return self
        stamped = self.model_copy(update={"occurred_at": now})
        stamped.model_fields_set.discard("occurred_at")
        return stamped
