"""Read the file that names the endpoints of a deployment."""

import tomllib
from collections.abc import Mapping
from pathlib import Path

import httpx
from pydantic import ConfigDict, SecretStr, TypeAdapter, ValidationError

from state.errors import BadInput
from state.webhook import Endpoint
from tools.egress.secrets import fill_secrets
from tools.webhooks.signing import key_of

SHORTEST_SECRET = 24
_FILE = TypeAdapter(dict[str, tuple[Endpoint, ...]], config=ConfigDict(extra="forbid"))


def read_endpoints(path: Path, secrets: Mapping[str, SecretStr]) -> tuple[Endpoint, ...]:
    """Read `[[webhook]]` tables, the deployment's secrets put in.

    Raises:
        BadInput: the file cannot be read, names one twice, a secret is missing or too short, or
            a url is none.
    """
    try:
        read = _FILE.validate_python(tomllib.loads(path.read_text("utf-8")))
    except OSError as error:
        raise BadInput(f"EXECUTIVE_WEBHOOKS_FILE: {path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: {error}") from error
    except ValidationError as error:
        places = "; ".join(
            f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()
        )
        raise BadInput(f"{path}: {places}") from error
    if unknown := sorted(read.keys() - {"webhook"}):
        raise BadInput(f"{path}: unknown {', '.join(unknown)}; endpoints are [[webhook]] tables")
    found = read.get("webhook", ())
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
