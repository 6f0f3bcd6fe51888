"""A key of the service, as it may be shown: without its secret, which nobody has."""

from datetime import datetime

from state.noun import Noun
from state.principal import Principal


class ApiKey(Noun):
    """One key: whose, for what, how long."""

    key_id: str
    principal: Principal
    is_good: bool
    created_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None
