"""The service elsewhere that a remote verb speaks to, with whose key."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import httpx
import typer

from state.errors import AgentError, BadInput
from tools.client.client import Client

Key = Annotated[
    str, typer.Option("--key", envvar="PREFRONTAL_KEY", help="A key of that service.", prompt=False)
]


@contextmanager
def service_of(context: typer.Context, key: str) -> Iterator[Client]:
    """Open the service that `--url` names.

    Raises:
        BadInput: that is no address.
        AgentError: nobody answers there.
    """
    url = str(context.find_root().params["url"])
    if not key.isascii() or not key.strip():
        raise BadInput("PREFRONTAL_KEY holds no key; put in the one that make run printed")
    try:
        with Client(url, key) as service:
            yield service
    except (httpx.UnsupportedProtocol, httpx.InvalidURL) as error:
        raise BadInput("--url takes the address of a service: http://127.0.0.1:8765") from error
    except httpx.TransportError as error:
        raise AgentError(f"no service answers at {url}: {error}") from error
