"""Bearer credentials and signed tokens (JWT) of the trusted OIDC issuers."""

import asyncio
import json
import time
from base64 import b64decode
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import jwt
import structlog
from pydantic import ConfigDict, TypeAdapter, ValidationError

from state.errors import BadInput
from state.issuer import Issuer
from state.principal import Principal
from tools.access.api_keys import SqlKeys, TokenPrincipal
from tools.platform.egress import Egress
from tools.platform.serialization import read_toml, toml_error
from tools.storage import Database


def bearer_credentials(authorizations: Sequence[str]) -> str | None:
    """Take what follows `Bearer`; None: there is no header, two of them, or another scheme."""
    if len(authorizations) != 1:
        return None
    scheme, _, secret = authorizations[0].partition(" ")
    return secret.strip(" ") or None if scheme.lower() == "bearer" else None


def basic_password(authorizations: Sequence[str]) -> str | None:
    """Take the password of `Basic`, as a URL `https://name:password@host` makes it; else None."""
    if len(authorizations) != 1:
        return None
    scheme, _, encoded = authorizations[0].partition(" ")
    try:
        sent = b64decode(encoded.strip(" "), validate=True).decode()
    except ValueError:
        return None
    return sent.partition(":")[2] or None if scheme.lower() == "basic" else None


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


_SETTING = "EXECUTIVE_OIDC_FILE"
_FILE = TypeAdapter(dict[str, tuple[Issuer, ...]], config=ConfigDict(extra="forbid"))
_MOST_BYTES = 256 * 1024
_WAIT_SECONDS = 5.0


def open_keys(
    database: Database, issuers_file: Path | None, build_egress: Callable[[], Egress]
) -> SqlKeys:
    """Open the API keys, and trust the tokens of the issuers that a file names.

    Args:
        issuers_file: EXECUTIVE_OIDC_FILE; None: keys alone let in.

    Raises:
        BadInput: the file is not as it must be.
    """
    if issuers_file is None:
        return SqlKeys(database)
    read_keys = partial(_fetch_keys, egress=build_egress(), folder=issuers_file.resolve().parent)
    return SqlKeys(database, JwtVerifier(_read_issuers(issuers_file), read_keys))


def _read_issuers(path: Path) -> Mapping[str, Issuer]:
    try:
        read = _FILE.validate_python(read_toml(path, _SETTING, "issuer"), strict=False)
    except ValidationError as error:
        raise toml_error(_SETTING, path, error) from error
    found = read["issuer"]
    by_name = {one.issuer: one for one in found}
    if len(by_name) < len(found):
        raise BadInput(f"{path}: an issuer stands in it twice")
    return by_name


async def _fetch_keys(issuer: Issuer, *, egress: Egress, folder: Path) -> Mapping[str, Any]:
    if not issuer.jwks.startswith(("https://", "http://")):
        read: Mapping[str, Any] = json.loads((folder / issuer.jwks).read_bytes())
        return read
    timeout = httpx.Timeout(_WAIT_SECONDS)
    async with egress.client(timeout=timeout, most_bytes=_MOST_BYTES) as client:
        answer = await client.get(issuer.jwks)
        answer.raise_for_status()
        fetched: Mapping[str, Any] = answer.json()
        return fetched
