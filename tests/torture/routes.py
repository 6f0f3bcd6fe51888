"""Every route of the service, with ids put in wherever it takes one."""

import re
from collections.abc import Iterator, Mapping
from functools import cache

from api.app import create_app

ENDLESS = {"/v1/stream"}
NAMES = ("session_id", "decision_id", "action_id", "tenant_id", "cursor", "since")
"""Query parameters that might lead somewhere."""


@cache
def operations() -> tuple[tuple[str, str], ...]:
    """List method and path of everything that answers and ends."""
    return tuple(
        (method.upper(), path)
        for path, methods in create_app().openapi()["paths"].items()
        if path not in ENDLESS
        for method in methods
    )


def with_ids(method: str, path: str, ids: Mapping[str, str]) -> Iterator[str]:
    """Write each id where the path takes one, and where a query might."""
    if "{" in path:
        for each in ids.values():
            yield re.sub(r"{\w+}", each, path)
        return
    yield path
    if method == "GET":
        for name in NAMES:
            yield from (f"{path}?{name}={each}" for each in ids.values())
