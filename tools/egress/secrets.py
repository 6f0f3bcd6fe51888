"""Secrets of the deployment: named by packs, put in at the last moment."""

import re
from collections.abc import Iterable, Mapping

from pydantic import SecretStr

from state.errors import BadInput
from tools.secrecy import SHORTEST

SECRET = re.compile(r"\$\{([A-Z][A-Z0-9_]*)\}")
"""How a pack names one: ${BANK_TOKEN} is EXECUTIVE_SECRET_BANK_TOKEN of the deployment."""


def fill_secrets(value: str, secrets: Mapping[str, SecretStr]) -> str:
    """Put secrets where ${NAME} stands.

    Raises:
        BadInput: there is no such secret, or it holds what no header can hold.
    """

    def told(match: re.Match[str]) -> str:
        secret = secrets.get(match[1])
        if secret is None:
            raise BadInput(f"EXECUTIVE_SECRET_{match[1]} is not set; nothing was sent")
        text = secret.get_secret_value()
        if not (text.isascii() and text.isprintable()):
            raise BadInput(f"EXECUTIVE_SECRET_{match[1]} holds odd characters; nothing was sent")
        return text

    return SECRET.sub(told, value)


def named_secrets(values: Iterable[str], secrets: Mapping[str, SecretStr]) -> tuple[str, ...]:
    """List the values of the secrets that some templates name, for taking them out again."""
    names = {match[1] for value in values for match in SECRET.finditer(value)}
    return tuple(
        secrets[name].get_secret_value()
        for name in sorted(names)
        if name in secrets and len(secrets[name].get_secret_value()) >= SHORTEST
    )
