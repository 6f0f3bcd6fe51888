"""Access for the owner of the data folder: callers named by a token that this process signs.

`prefrontal serve` writes a fresh secret into the data folder, readable by the folder's owner
alone (0600), and removes it at the end; a command that opens the folder itself keeps its secret
in memory. Whoever reads the secret may act as any user and role, as whoever can write the
database beside it may already.

A token is made for one request, expires within a minute, and carries no more scopes than the
command needs: what a request leaks, to a stranger at a stale address say, approves nothing later.
It is no stored key. It neither revives nor replaces the keys of the user it names: a person
whose keys are revoked approves nothing with it, and the role, quorum and four-eyes checks of the
API apply to it unchanged.
"""

import hmac
import json
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import sha256

from pydantic import ValidationError

from state.principal import ACCESS, Principal

PREFIX = "pfl_"
EVERY_ROLE = "*"
"""Stands for all roles that the service knows; a caller with it may read and ask, never approve."""
SOURCE = "terminal"
"""The only source that such callers send events as, or `terminal/…` where the token says so."""
LIFE_SECONDS = 60.0
"""How long a token is good: one request is sent with it."""
_SKEW_SECONDS = 5.0
"""By which the clock may be set back meanwhile."""


@dataclass(frozen=True)
class LocalAccess:
    """Signs and reads the tokens of one process."""

    secret: bytes
    seconds: Callable[[], float] = time.time

    def token(self, caller: Principal) -> str:
        """Return the bearer token that stands for `caller` for LIFE_SECONDS."""
        told = {"caller": caller.model_dump(mode="json"), "until": self.seconds() + LIFE_SECONDS}
        claims = urlsafe_b64encode(json.dumps(told).encode()).decode()
        return f"{PREFIX}{claims}.{self._signature(claims)}"

    def caller(self, token: str, known_roles: Iterable[str]) -> Principal | None:
        """Return whom a token stands for; None: another secret signed it, or it has expired."""
        claims, _dot, signature = token.removeprefix(PREFIX).partition(".")
        if not hmac.compare_digest(signature.encode(), self._signature(claims).encode()):
            return None
        try:
            told = json.loads(urlsafe_b64decode(claims))
            named = Principal.model_validate(told["caller"], strict=False)
            left = float(told["until"]) - self.seconds()
        except (ValueError, TypeError, LookupError, RecursionError, ValidationError):
            return None
        if not 0 < left <= LIFE_SECONDS + _SKEW_SECONDS:
            return None
        # A service stays one: whoever acts for it neither approves nor chooses nor grants.
        kind = "service" if named.kind == "service" else "person"
        is_below = named.sources and all(one.startswith(f"{SOURCE}/") for one in named.sources)
        sources = named.sources if is_below else (SOURCE,)
        limits: dict[str, object] = {"kind": kind, "sources": sources}
        if EVERY_ROLE in named.roles:
            limits["roles"] = tuple(sorted({"admin", *known_roles}))
            limits["scopes"] = tuple(one for one in named.scopes if one in ACCESS["operator"])
        return named.model_copy(update=limits)

    def _signature(self, claims: str) -> str:
        return hmac.new(self.secret, claims.encode(), sha256).hexdigest()
