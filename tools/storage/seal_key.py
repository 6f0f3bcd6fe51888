"""The key that seals ledger entries: a file beside the database, never stored in it."""

import hmac
import os
import secrets
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Self

from state.errors import BadInput

KEY_FILE = "ledger.key"
KEY_BYTES = 32


@dataclass(frozen=True)
class Seal:
    """Seals texts: whoever has no key can neither make nor mend one."""

    key: bytes = field(repr=False)

    @classmethod
    def kept_in(cls, file: Path) -> Self:
        """Read the key of a file; the first time, make it, for its owner's eyes only.

        Raises:
            BadInput: the file does not hold a key.
        """
        if not file.exists():
            _make(file)
        key = file.read_bytes()
        if len(key) != KEY_BYTES:
            raise BadInput(f"{file} holds no key of {KEY_BYTES} bytes; restore it from a backup")
        return cls(key)

    @classmethod
    def of_hex(cls, text: str) -> Self:
        """Read a key written in hex.

        Raises:
            BadInput: it is none, or too short to be safe.
        """
        try:
            key = bytes.fromhex(text)
        except ValueError as error:
            raise BadInput("EXECUTIVE_LEDGER_KEY is not hex; make one of 64 digits") from error
        if len(key) < KEY_BYTES:
            raise BadInput(f"EXECUTIVE_LEDGER_KEY is short; it takes {KEY_BYTES * 2} hex digits")
        return cls(key)

    def over(self, message: bytes) -> str:
        """Seal a message, in hex. Source: HMAC-SHA256, RFC 2104."""
        sealing = self._begun.copy()
        sealing.update(message)
        return sealing.hexdigest()

    @cached_property
    def _begun(self) -> hmac.HMAC:
        return hmac.new(self.key, digestmod="sha256")  # to copy it takes half as long as to begin


def _make(file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(handle, secrets.token_bytes(KEY_BYTES))
        os.fsync(handle)
    finally:
        os.close(handle)
    try:
        os.link(fresh, file)  # whole or not at all, and never over another's
    except FileExistsError:
        pass
    finally:
        fresh.unlink()
