"""Credentials of a caller: bearer keys, signed tokens.

(JWT) of known issuers, the LangGraph server's user.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import jwt
import structlog
from langchain_core.runnables import RunnableConfig
from pydantic import ValidationError

from state.issuer import Issuer
from state.principal import Principal
from tools.storage.credentials import TokenPrincipal

LONGEST_KEY = 8_192
"""A key of ours has 46 characters; a signed token with many roles has thousands."""


def bearer_credentials(authorizations: Sequence[str]) -> str | None:
    """Take what follows `Bearer`; None: there is no header, two of them, or another scheme."""
    if len(authorizations) != 1:
        return None
    scheme, _, secret = authorizations[0].partition(" ")
    return secret.strip(" ") or None if scheme.lower() == "bearer" else None


def is_plausible_key(secret: str) -> bool:
    """Tell whether this can be a key at all; anything else is not worth a look at the store."""
    return len(secret) <= LONGEST_KEY and secret.isascii() and secret.isprintable()


_USER = "langgraph_auth_user"


def is_server_run(config: RunnableConfig) -> bool:
    """Tell whether a server runs this for one of its clients; it names the user in every run.

    Without that it is a run of ours, whose event was attributed where it came in.
    """
    return _USER in config.get("configurable", {})


def server_caller(config: RunnableConfig) -> Principal | None:
    """Read whose key a run was started with; None: nobody's, or it is a run of ours."""
    return server_principal(config.get("configurable", {}).get(_USER))


def server_principal(user: Any) -> Principal | None:  # a user, as the server has it
    """Read the holder of one of our keys; None for a visitor and for whatever else there is."""
    if user is None or not getattr(user, "is_authenticated", False):
        return None
    given = user.get("principal") if hasattr(user, "get") else None
    if not isinstance(given, Mapping):
        return None
    try:
        return Principal.model_validate({**given, "roles": tuple(given.get("roles", ()))})
    except (ValidationError, TypeError):
        return None


def server_run_id(config: RunnableConfig) -> str | None:
    """Name the run; None: it is one of ours, which nobody outside can answer through."""
    run_id = config.get("run_id") or config.get("metadata", {}).get("run_id")
    return None if run_id is None else str(run_id)


KEYS_SECONDS = 600.0
"""How long public keys are believed."""
AGAIN_SECONDS = 30.0
"""A key that is not known is asked for once in so long: made-up names of keys cost nothing."""

_ODD = (ValueError, TypeError, OverflowError, RecursionError)
"""What a claim of another type or size than the standard's makes of its reading."""

ReadKeys = Callable[[Issuer], Awaitable[Mapping[str, Any]]]
"""Reads a JSON Web Key Set; raises what it likes."""

_log = structlog.get_logger("callers.tokens")


@dataclass
class JwtVerifier:
    """Verifies tokens by the public keys of their issuers; whatever is odd is nobody."""

    issuers: Mapping[str, Issuer]
    read_keys: ReadKeys
    seconds: Callable[[], float] = time.time
    _keys: dict[str, "_Keys"] = field(default_factory=dict)
    _reading: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def __call__(self, token: str) -> TokenPrincipal | None:
        """Tell whom a token stands for; None: it is none of an issuer of ours, or not good now."""
        try:
            unread = jwt.decode(token, options={"verify_signature": False})
            issuer = self.issuers.get(str(unread.get("iss")))
            if issuer is None:
                return None
            header = jwt.get_unverified_header(token)
            key = await self._key(issuer, str(header.get("kid", "")))
            if key is None or str(header.get("typ", "JWT")).lower() not in ("jwt", "at+jwt"):
                return None
            claims = jwt.decode(
                token,
                key,
                algorithms=list(issuer.algorithms),
                audience=issuer.audience,
                issuer=issuer.issuer,
                leeway=issuer.leeway_seconds,
                options={"require": ["exp", "iat", "iss", "aud", "sub"]},
            )
            return _known(claims, issuer)
        except (jwt.PyJWTError, ValidationError, *_ODD) as error:
            _log.info("token_refused", error=type(error).__name__)
            return None

    async def _key(self, issuer: Issuer, key_id: str) -> jwt.PyJWK | None:
        now = self.seconds()
        known = self._keys.get(issuer.issuer)
        is_fresh = known is not None and now - known.at < KEYS_SECONDS
        if known is None or not is_fresh or (key_id not in known.by_id):
            async with self._reading:
                known = await self._read_again(issuer, key_id)
        return known.by_id.get(key_id) if known else None

    async def _read_again(self, issuer: Issuer, key_id: str) -> "_Keys | None":
        now, known = self.seconds(), self._keys.get(issuer.issuer)
        if known and (now - known.tried < AGAIN_SECONDS):
            return known  # another caller has just looked
        try:
            read = jwt.PyJWKSet.from_dict(dict(await self.read_keys(issuer)))
        except Exception as error:  # noqa: BLE001 - whatever is wrong there, nobody is let in by it
            _log.warning("keys_unread", issuer=issuer.issuer, error=type(error).__name__)
            if known is None:
                known = _Keys({}, at=0.0, tried=now)
            self._keys[issuer.issuer] = _Keys(known.by_id, at=known.at, tried=now)
            return self._keys[issuer.issuer]
        usable = {one.key_id or "": one for one in read.keys if one.public_key_use in (None, "sig")}
        self._keys[issuer.issuer] = _Keys(usable, at=now, tried=now)
        return self._keys[issuer.issuer]


@dataclass(frozen=True)
class _Keys:
    by_id: Mapping[str, jwt.PyJWK]
    at: float
    tried: float


def _known(claims: Mapping[str, Any], issuer: Issuer) -> TokenPrincipal:
    if issuer.user_claim == "email" and claims.get("email_verified") is not True:
        raise jwt.InvalidTokenError  # whoever signs up may have written anybody's address
    tenant = issuer.tenant or _found(claims, issuer.tenant_claim or "")
    principal = Principal(
        user=_found(claims, issuer.user_claim),
        tenant_id=tenant,
        roles=_roles(claims, issuer),
        kind="service" if _is_service(claims) else "person",
        scopes=issuer.scopes,
    )
    until = float(claims["exp"]) + issuer.known_hours * 3_600
    return TokenPrincipal(principal, issuer.issuer, str(claims["sub"]), until)


def _found(claims: Mapping[str, Any], path: str) -> Any:
    """Follow dots into the claims; a claim of that whole name comes first."""
    if path in claims:
        return claims[path]
    found: Any = claims
    for step in path.split("."):
        found = found.get(step) if isinstance(found, Mapping) else None
    return found


def _roles(claims: Mapping[str, Any], issuer: Issuer) -> tuple[str, ...]:
    given = _found(claims, issuer.roles_claim)
    names = given.split() if isinstance(given, str) else given
    named = [name for name in names if isinstance(name, str)] if isinstance(names, list) else []
    if issuer.roles is not None:
        named = [issuer.roles[name] for name in named if name in issuer.roles]
    # An event has its speaker's roles with commas between them: one name must not read as two.
    return tuple(dict.fromkeys(name for name in named if "," not in name))


def _is_service(claims: Mapping[str, Any]) -> bool:
    """Tell a program's token from a person's: it stands for the client itself (RFC 9068, 2.2)."""
    subject = claims["sub"]
    return (
        subject in (claims.get("client_id"), claims.get("azp"))
        or claims.get("gty") == "client-credentials"
        or str(subject).endswith("@clients")
        or str(claims.get("preferred_username", "")).startswith("service-account-")
    )
