"""Read a key out of the `Authorization` header, the same way at every door."""

from collections.abc import Sequence

LONGEST_KEY = 8_192
"""A key of ours has 46 characters; a signed token with many roles has thousands."""


def credentials_of(authorizations: Sequence[str]) -> str | None:
    """Take what follows `Bearer`; None: there is no header, two of them, or another scheme."""
    if len(authorizations) != 1:
        return None
    scheme, _, secret = authorizations[0].partition(" ")
    return secret.strip(" ") or None if scheme.lower() == "bearer" else None


def may_be_key(secret: str) -> bool:
    """Tell whether this can be a key at all; anything else is not worth a look at the store."""
    return len(secret) <= LONGEST_KEY and secret.isascii() and secret.isprintable()
