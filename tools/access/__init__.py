"""Who calls, with which credentials, and which sessions they may send to and read."""

from typing import TYPE_CHECKING

from tools.facade import lazy_names

if TYPE_CHECKING:
    from tools.access import server_run
    from tools.access.api_keys import KeyRing, SqlKeys, is_valid_key
    from tools.access.credentials import bearer_credentials, open_keys
    from tools.access.permissions import (
        SPEAKS_FOR_OTHERS,
        VISITORS_TENANT,
        SessionReaders,
        as_visitor,
        attribute_event,
    )

__all__ = [
    "SPEAKS_FOR_OTHERS",
    "VISITORS_TENANT",
    "KeyRing",
    "SessionReaders",
    "SqlKeys",
    "as_visitor",
    "attribute_event",
    "bearer_credentials",
    "is_valid_key",
    "open_keys",
    "server_run",
]

__getattr__ = lazy_names(
    __name__,
    {
        "api_keys": ("KeyRing", "SqlKeys", "is_valid_key"),
        "credentials": ("bearer_credentials", "open_keys"),
        "permissions": (
            "SPEAKS_FOR_OTHERS",
            "SessionReaders",
            "VISITORS_TENANT",
            "as_visitor",
            "attribute_event",
        ),
    },
)
