"""The only HTTP client: allowed hosts, an address resolved once and checked, no redirects.

Also makes what a foreign service answered safe to show.
"""

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import httpx
from pydantic import JsonValue, SecretStr

from state.errors import BadInput, Unreachable
from tools.platform.egress_policy import DEFAULT_PORTS, AllowedHosts, Place
from tools.platform.redaction import fill_secrets
from tools.platform.serialization import read_json
from tools.platform.unicode_safety import show_hidden

MAX_ANSWER_BYTES = 1024 * 1024
MAX_SAID = 300
"""Characters of a refusal that are repeated."""


def visible_lines(text: str) -> str:
    """Write out hidden characters line by line; line ends and tabs stay what they are."""
    lines = text.replace("\r\n", "\n").replace("\t", "    ").split("\n")
    return "\n".join(show_hidden(line) for line in lines)


def one_line_reason(text: str) -> str:
    """Repeat in one line what a service gave as its reason."""
    line = show_hidden(" ".join(text.split()))
    return line if len(line) <= MAX_SAID else f"{line[:MAX_SAID]}…"


def parse_json(raw: bytes) -> JsonValue:
    """Read an answer that claims to be JSON; None: it is not."""
    try:
        return read_json(raw)
    except BadInput:
        return None


Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""Host and port to the addresses it has now."""


async def resolve(host: str, port: int) -> Sequence[str]:
    """Ask the system for the addresses of a host.

    Raises:
        Unreachable: it has none.
    """
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise Unreachable(f"{host} has no address; nothing was sent") from error
    return tuple(dict.fromkeys(str(each[4][0]) for each in found))


_WHOLE = "prefrontal.url"
"""The extension of a request that holds where it goes, path and all."""


class TooLarge(httpx.ReadError):
    """An answer is longer than its reader takes; it was broken off."""


@dataclass(frozen=True)
class Egress:
    """What a deployment lets actions reach; by default nothing."""

    hosts: AllowedHosts = field(default_factory=AllowedHosts)
    secrets: Mapping[str, SecretStr] = field(default_factory=dict, repr=False)
    resolve: Resolve = resolve
    ca_file: Path | None = None
    """Authorities beside the public ones, in PEM: those of a network of one's own."""

    def client(
        self,
        *,
        timeout: httpx.Timeout,
        headers: Mapping[str, str] | None = None,
        auth: httpx.Auth | None = None,
        secret_params: Mapping[str, str] | None = None,
        most_bytes: int | None = None,
    ) -> httpx.AsyncClient:
        """Make a client that follows no redirect and takes no proxy from the environment.

        What httpx logs and its errors tell of an address is the host: a path may be a secret.

        Args:
            secret_params: put into the query below httpx, so that no request of ours holds them.
            most_bytes: a longer answer is broken off with an error.
        """
        return _Discreet(
            transport=_Pinned(self, secret_params or {}, most_bytes),
            timeout=timeout,
            headers=dict(headers or {}),
            auth=auth,
            follow_redirects=False,
            trust_env=False,
        )

    def filled(self, values: Mapping[str, str]) -> dict[str, str]:
        """Put the deployment's secrets where ${NAME} stands.

        Raises:
            BadInput: the deployment has no such secret, or it cannot be sent.
        """
        return {name: fill_secrets(value, self.secrets) for name, value in values.items()}

    async def addresses(self, scheme: str, place: Place) -> Sequence[str]:
        """Resolve an allowed place once; every address it has must be allowed.

        Raises:
            Unreachable: the place or one of its addresses is not allowed, or it has none.
        """
        self.hosts.check(scheme, place)
        found = await self.resolve(place.host, place.port)
        if not found:
            raise Unreachable(f"{place} has no address; nothing was sent")
        for address in found:
            self.hosts.check_address(scheme, place, address)
        return found


@cache
def _trusted(ca_file: Path | None) -> ssl.SSLContext:
    """Load the authorities once a process: it takes 80 ms, and every way out trusts the same."""
    context = httpx.create_ssl_context(trust_env=False)
    if ca_file is not None:
        context.load_verify_locations(ca_file)
    return context


def place_of(url: httpx.URL) -> Place:
    """Name the host and port that a URL leads to.

    Raises:
        BadInput: it names none, or a user in front of it.
    """
    if url.userinfo or not url.host or url.scheme not in DEFAULT_PORTS:
        raise BadInput("the address of the service must be http(s)://host, without a user")
    host = url.raw_host.decode("ascii").lower()
    return Place(host, url.port or DEFAULT_PORTS[url.scheme])


class _Discreet(httpx.AsyncClient):
    """Keeps the path from httpx, which logs the URL of every request for all who embed us."""

    async def send(self, request: httpx.Request, **given: Any) -> httpx.Response:
        if _WHOLE not in request.extensions:  # else it was sent before: what stands there is "/"
            request.extensions = {**request.extensions, _WHOLE: request.url}
            request.url = request.url.copy_with(raw_path=b"/", fragment=None)
        return await super().send(request, **given)


class _Pinned(httpx.AsyncBaseTransport):
    """Connects to the very address that was judged, under the name that was asked for."""

    def __init__(
        self, egress: Egress, secret_params: Mapping[str, str], most_bytes: int | None
    ) -> None:
        self._egress = egress
        self._secret_params = secret_params
        self._most_bytes = most_bytes
        self._inner = httpx.AsyncHTTPTransport(
            verify=_trusted(egress.ca_file), trust_env=False, retries=0
        )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        # It stays: httpx itself sends a request again, in the second step of a sign-in.
        url = request.extensions.get(_WHOLE, request.url)
        place = place_of(url)
        extensions = {name: of for name, of in request.extensions.items() if name != _WHOLE}
        last: httpx.TransportError | None = None
        for address in await self._egress.addresses(url.scheme, place):
            pinned = httpx.Request(
                request.method,
                url.copy_with(host=address).copy_merge_params(self._secret_params),
                headers=request.headers,  # with the Host that was asked for
                stream=request.stream,
                extensions={**extensions, "sni_hostname": place.host},
            )
            try:
                response = await self._inner.handle_async_request(pinned)
            except (httpx.ConnectError, httpx.ConnectTimeout) as error:
                last = error  # nothing was sent, so the next address may be tried
                continue
            return self._limited(response)
        raise last or httpx.ConnectError(f"{place} cannot be connected to")

    async def aclose(self) -> None:
        await self._inner.aclose()

    def _limited(self, response: httpx.Response) -> httpx.Response:
        if self._most_bytes is not None and isinstance(response.stream, httpx.AsyncByteStream):
            response.stream = _Limited(response.stream, self._most_bytes)
        return response


class _Limited(httpx.AsyncByteStream):
    """A stream that ends with an error when it is longer than it may be."""

    def __init__(self, inner: httpx.AsyncByteStream, most_bytes: int) -> None:
        self._inner = inner
        self._left = most_bytes

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._inner:
            self._left -= len(chunk)
            if self._left < 0:
                raise TooLarge("the answer is too large")
            yield chunk

    async def aclose(self) -> None:
        await self._inner.aclose()
