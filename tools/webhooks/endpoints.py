"""Read the file that names the endpoints of a deployment."""

from collections.abc import Mapping
from pathlib import Path

import httpx
from pydantic import ConfigDict, SecretStr, TypeAdapter, ValidationError

from state.errors import BadInput
from state.webhook import Endpoint
from tools.egress.secrets import fill_secrets
from tools.toml_file import read_toml, told_of
from tools.webhooks.signing import key_of

SHORTEST_SECRET = 24
_SETTING = "EXECUTIVE_WEBHOOKS_FILE"
_FILE = TypeAdapter(dict[str, tuple[Endpoint, ...]], config=ConfigDict(extra="forbid"))


def read_endpoints(path: Path, secrets: Mapping[str, SecretStr]) -> tuple[Endpoint, ...]:
    """Read `[[webhook]]` tables, the deployment's secrets put in.

    Raises:
        BadInput: the file cannot be read, names one twice, a secret is missing or too short, or
            a url is none.
    """
    try:
        read = _FILE.validate_python(read_toml(path, _SETTING, "webhook"))
    except ValidationError as error:
        raise told_of(_SETTING, path, error) from error
    found = read["webhook"]
    names = [one.name for one in found]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise BadInput(f"{path}: two endpoints are named {', '.join(twice)}")
    return tuple(_checked(one, secrets, path) for one in found)


def _checked(one: Endpoint, secrets: Mapping[str, SecretStr], path: Path) -> Endpoint:
    secret = fill_secrets(one.secret.get_secret_value(), secrets)
    if len(secret) < SHORTEST_SECRET:
        raise BadInput(f"{path}: the secret of {one.name} needs {SHORTEST_SECRET} characters")
    try:
        key_of(secret)
    except ValueError as error:
        raise BadInput(f"{path}: the secret of {one.name}: no base64 behind whsec_") from error
    try:
        httpx.URL(one.url)
    except httpx.InvalidURL as error:
        raise BadInput(f"{path}: the url of {one.name}: {error}") from error
    return one.model_copy(update={"secret": SecretStr(secret)})
