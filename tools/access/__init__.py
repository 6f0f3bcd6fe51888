"""Who calls, with which credentials, what they may change, and which sessions they may read."""

from typing import TYPE_CHECKING

from tools import lazy_names

if TYPE_CHECKING:
    from tools.access import permissions, server_run
    from tools.access.api_keys import KeyRing, SqlKeys, is_valid_key
    from tools.access.credentials import basic_password, bearer_credentials, open_keys
    from tools.access.permissions import SessionReaders

__all__ = [
    "KeyRing",
    "SessionReaders",
    "SqlKeys",
    "basic_password",
    "bearer_credentials",
    "is_valid_key",
    "open_keys",
    "permissions",
    "server_run",
]

__getattr__ = lazy_names(
    __name__,
    {
        "api_keys": ("KeyRing", "SqlKeys", "is_valid_key"),
        "credentials": ("basic_password", "bearer_credentials", "open_keys"),
        "permissions": ("SessionReaders",),
    },
)
