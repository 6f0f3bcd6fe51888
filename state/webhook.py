"""Who is told what happens here, and how far the telling is."""

from datetime import datetime
from fnmatch import fnmatchcase
from typing import Literal

from pydantic import Field, SecretStr

from state.noun import Noun
from state.principal import Principal

DeliveryStanding = Literal["pending", "delivered", "dead"]


_TOLD = ("detected", "extracted", "indexed", "superseded", "link_refused")
"""Not what people search for: that is told to who asks for it by name."""


class Endpoint(Noun):
    """A service that wants to hear of events."""

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,39}$")
    url: str = Field(pattern=r"^https?://[^/?#@\s]+(?:/[^#\s]*)?$")
    tenant: str = "default"
    events: tuple[str, ...] = Field(
        default=tuple(f"context:decision:{one}" for one in _TOLD),
        min_length=1,
        description="kinds; * stands for anything",
    )
    secret: SecretStr = Field(description="what a body is signed with; ${NAME} of the deployment")

    def wants(self, kind: str, tenant_id: str) -> bool:
        """Tell whether it is told of such an event."""
        return tenant_id == self.tenant and any(fnmatchcase(kind, one) for one in self.events)

    @property
    def principal(self) -> Principal:
        """Name it as a reader: `webhook:NAME` among the users of `[[sessions]]` in policy.toml."""
        return Principal(user=f"webhook:{self.name}", tenant_id=self.tenant, kind="service")


class Delivery(Noun):
    """One event on its way to one endpoint."""

    delivery_id: int
    event_id: str
    tenant_id: str
    endpoint: str
    kind: str
    body: str = Field(repr=False)
    made_at: datetime
    standing: DeliveryStanding
    attempts: int
    next_at: datetime
    ended_at: datetime | None = None
    problem: str | None = Field(default=None, description="why the last attempt failed")


class WebhookTuning(Noun):
    """How hard it is tried."""

    attempts: int = Field(ge=1)
    request_seconds: float = Field(gt=0)
    first_wait_seconds: float = Field(gt=0)
    longest_wait_seconds: float = Field(gt=0)
