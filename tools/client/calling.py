"""How requests are sent: again where that does no harm, page by page, and along a stream."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import httpx
import tenacity
from httpx_sse import ServerSentEvent, connect_sse

from state.noun import Noun
from tools.client.refused import Refused, refused

_LONGEST_WAIT_SECONDS = 30.0
_SERVICE_IS_BUSY = (429, 503)
_SILENCE_SECONDS = 60.0
"""A stream says something every few seconds; one that does not is broken."""


class Heard(Noun):
    """One notice of the stream."""

    id: int
    kind: str
    data: dict[str, Any]


@dataclass(frozen=True)
class Calling:
    """Sends requests over one client, each up to `attempts` times."""

    http: httpx.Client
    attempts: int

    def read(self, path: str, **query: Any) -> Any:
        """Ask for something; None in a query is left out."""
        wanted = {name: value for name, value in query.items() if value is not None}
        return self._tried("GET", path, params=wanted)

    def send(self, path: str, body: Any) -> Any:
        """Ask for a change, once, however often it has to be sent."""
        more: dict[str, Any] = {} if body is None else {"json": body}
        return self._tried("POST", path, headers={"Idempotency-Key": uuid4().hex}, **more)

    def end(self, path: str, **query: Any) -> Any:
        """Ask for something to end; None in a query is left out."""
        wanted = {name: value for name, value in query.items() if value is not None}
        return self._tried("DELETE", path, params=wanted)

    def lines(self, path: str) -> Iterator[Any]:
        """Read a list that is a line of JSON each."""
        for line in self._answered("GET", path).iter_lines():
            if line:
                yield json.loads(line)

    def pages(self, path: str, name: str, wanted: Mapping[str, Any]) -> Iterator[Any]:
        """Go through a list to its end."""
        cursor = None
        while True:
            page = self.read(path, **wanted, cursor=cursor)
            yield from page[name]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def listen(self, after: int | None) -> Iterator[Heard]:
        """Follow the stream; where it breaks, go on behind what was heard last."""
        for attempt in self._attempts():
            with attempt:
                for event in self._events(after):
                    attempt.retry_state.attempt_number = 1  # it works: the count begins anew
                    if event.id:
                        after = int(event.id)
                    if event.event != "open":
                        yield Heard(id=after or 0, kind=event.event, data=json.loads(event.data))
                raise httpx.ReadError("the stream ended")

    def _events(self, after: int | None) -> Iterator[ServerSentEvent]:
        headers = {} if after is None else {"Last-Event-ID": str(after)}
        timeout = httpx.Timeout(10.0, read=_SILENCE_SECONDS)
        with connect_sse(
            self.http, "GET", "/v1/stream", headers=headers, timeout=timeout
        ) as source:
            if source.response.is_error:
                source.response.read()
                raise refused(source.response)
            yield from source.iter_sse()

    def _tried(self, method: str, path: str, **more: Any) -> Any:
        return self._answered(method, path, **more).json()

    def _answered(self, method: str, path: str, **more: Any) -> httpx.Response:
        for attempt in self._attempts():
            with attempt:
                answer = self.http.request(method, path, **more)
                if answer.is_error:
                    raise refused(answer)
                return answer
        raise AssertionError("tenacity gives an answer or raises")

    def _attempts(self) -> tenacity.Retrying:
        return tenacity.Retrying(
            retry=tenacity.retry_if_exception(_may_pass),
            stop=tenacity.stop_after_attempt(self.attempts),
            wait=_wait,
            reraise=True,
        )


def _may_pass(error: BaseException) -> bool:
    if isinstance(error, Refused):
        return error.status in _SERVICE_IS_BUSY or error.slug == "under-way"
    return isinstance(error, httpx.TransportError)


def _wait(state: tenacity.RetryCallState) -> float:
    """Wait as long as the service says, or twice as long each time."""
    error = state.outcome.exception() if state.outcome else None
    told = error.retry_after_seconds if isinstance(error, Refused) else None
    wait: float = told if told is not None else 0.1 * 2.0**state.attempt_number
    return min(_LONGEST_WAIT_SECONDS, wait)
