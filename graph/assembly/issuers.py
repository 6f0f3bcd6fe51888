"""The issuers of tokens that a deployment trusts, read from its file."""

import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import httpx
from pydantic import ConfigDict, TypeAdapter, ValidationError

from graph.assembly.elsewhere import egress_of
from graph.settings import Settings
from state.errors import BadInput
from state.issuer import Issuer
from tools.callers.tokens import Tokens
from tools.egress.egress import Egress
from tools.toml_file import read_toml, told_of

_FILE = TypeAdapter(dict[str, tuple[Issuer, ...]], config=ConfigDict(extra="forbid"))
_SETTING = "EXECUTIVE_OIDC_FILE"
_MOST_BYTES = 256 * 1024
_WAIT_SECONDS = 5.0


def build_tokens(settings: Settings) -> Tokens | None:
    """Build what reads tokens of the issuers in EXECUTIVE_OIDC_FILE; None: keys alone let in.

    Raises:
        BadInput: the file is not as it must be.
    """
    if settings.oidc_file is None:
        return None
    issuers = _read(settings.oidc_file)
    folder = settings.oidc_file.resolve().parent
    return Tokens(issuers, partial(_keys_of, egress=egress_of(settings), folder=folder))


def _read(path: Path) -> Mapping[str, Issuer]:
    try:
        read = _FILE.validate_python(read_toml(path, _SETTING, "issuer"), strict=False)
    except ValidationError as error:
        raise told_of(_SETTING, path, error) from error
    found = read["issuer"]
    by_name = {one.issuer: one for one in found}
    if len(by_name) < len(found):
        raise BadInput(f"{path}: an issuer stands in it twice")
    return by_name


async def _keys_of(issuer: Issuer, *, egress: Egress, folder: Path) -> Mapping[str, Any]:
    if not issuer.jwks.startswith(("https://", "http://")):
        read: Mapping[str, Any] = json.loads((folder / issuer.jwks).read_bytes())
        return read
    timeout = httpx.Timeout(_WAIT_SECONDS)
    async with egress.client(timeout=timeout, most_bytes=_MOST_BYTES) as client:
        answer = await client.get(issuer.jwks)
        answer.raise_for_status()
        fetched: Mapping[str, Any] = answer.json()
        return fetched
