"""Mask and redact secret values, and fill the deployment's secrets into `${NAME}` placeholders."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import JsonValue, SecretStr

from state.errors import BadInput

MASK = "•••"
"""Stands where a secret stood."""
SHORTEST_REDACTED = 4
"""A shorter secret would be found in every other word: it is covered where it stands, only."""


def masked(value: Any) -> str:  # one JSON value of an argument
    """Cover a secret value; how long it is may be known."""
    return f"{MASK} ({len(value if isinstance(value, str) else str(value))} characters)"


_MASKED = re.compile(rf"{MASK} \(\d+ characters\)")


def masked_once(value: Any) -> Any:  # one JSON value of an argument
    """Cover a secret value that is not covered yet: a cover keeps the length it tells of."""
    return value if isinstance(value, str) and _MASKED.fullmatch(value) else masked(value)


def redact_secrets(value: JsonValue, secrets: Iterable[str]) -> JsonValue:
    """Blot secrets out of a value, wherever a service repeats them."""
    found = tuple(secrets)
    if not found:
        return value
    if isinstance(value, str):
        for secret in found:
            value = value.replace(secret, MASK)
        return value
    if isinstance(value, list):
        return [redact_secrets(item, found) for item in value]
    if isinstance(value, dict):
        return {
            str(redact_secrets(key, found)): redact_secrets(item, found)
            for key, item in value.items()
        }
    return value


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
    found = [secrets[name].get_secret_value() for name in sorted(names) if name in secrets]
    # A key of several lines may be printed a line at a time.
    lines = [line.strip() for value in found if "\n" in value for line in value.splitlines()]
    return tuple(one for one in (*found, *lines) if len(one) >= SHORTEST_REDACTED)


_MAIL = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(\.[\w-]+)+")
_ADDRESS = re.compile(r"\b[a-z][a-z\d+.-]{0,20}://\S+|\bwww\.\S+", re.IGNORECASE)
_HOST = re.compile(  # of both versions; hardware's addresses are written like the newer one
    r"\b\d{1,3}(\.\d{1,3}){3}\b|(?<![\w:])(?=:*[\da-f])[\da-f]{0,4}(:[\da-f]{0,4}){3,7}(?![\w:])",
    re.IGNORECASE,
)
_HOME = re.compile(r"(?P<folder>[\\/](?:home|users)[\\/])[^\\/\s]+", re.IGNORECASE)
_PASSWORD = re.compile(
    r"\b(?P<what>pass(?:word|phrase|code)\b(?:\s*(?:[:=]|\bis\b)\s*|\s+(?=\S*\d))"
    r"|(?:pin|secret|token)\b\s*(?:[:=]\s*|is\s+(?=\S*\d)))\S+",
    re.IGNORECASE,
)
_SIGNED = re.compile(r"(?<![\w-])eyJ[\w-]+(\.[\w-]+)+")
_BASE64 = re.compile(
    r"(?<![\w+/-])(?=[\w+/-]*\d)(?=[\w+/-]*[a-z])(?=[\w+/-]*[A-Z])[\w+/-]{24,}={0,2}"
)
_TOKEN = re.compile(r"(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{20,}")
_PRIVATE = (
    (_MAIL, "name@example.org"),
    (_ADDRESS, "https://example.org"),
    (_HOST, "192.0.2.1"),
    (_HOME, r"\g<folder>somebody"),
    (_PASSWORD, r"\g<what>KEY"),
    (_SIGNED, "KEY"),
    (_BASE64, "KEY"),
    (_TOKEN, "KEY"),
)


def redact_private(text: str, mask: str | None = None) -> str:
    """Replace mail addresses, links, hosts, homes, passwords and keys by examples or by a mask."""
    for pattern, instead in _PRIVATE:
        text = pattern.sub(mask or instead, text)
    return text


_WORD_ENDS = re.compile(r"(?<=[a-z])(?=[A-Z])|[\W_]+")
_SECRET_NAME = re.compile(
    r"pass(?:word|wd|phrase|code)|secret|token|credential|cookie|signature|authorization"
    r"|(?:api|access|private|signing|encryption|license) ?key"
    r"|\b(?:pin|otp|jwt|auth|bearer|pwd|cvv|iban|ssn)\b"
)


def names_secret(name: str) -> bool:
    """Tell whether a field's name, such as `apiKey`, says that its value is a secret."""
    return _SECRET_NAME.search(_WORD_ENDS.sub(" ", name).lower()) is not None
