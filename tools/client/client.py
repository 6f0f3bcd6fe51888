"""A client of the service: `with Client("http://127.0.0.1:8765", key) as service: ...`.

Changes carry an Idempotency-Key and are sent again after lost answers, 429 and 503, as long after
as the service says. A refusal is raised as `Refused` with status, slug and request id.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote
from uuid import uuid4

import httpx
import tenacity
from httpx_sse import ServerSentEvent, connect_sse

from state.approval import ActionState
from state.dialog import ShownApproval
from state.errors import AgentError
from state.initiative import Reminder
from state.journal import Decision, DecisionChain, FoundDecision, JournalMessage
from state.noun import Noun
from state.offer import Offer
from state.quietness import Quietness
from state.record import DecisionRecord, DecisionTrace


class Refused(AgentError):
    """The service refused; `slug` is the kind of problem, such as forbidden or conflict."""

    def __init__(self, status: int, problem: Mapping[str, Any], retry_after: str | None) -> None:
        self.status = status
        self.slug = str(problem.get("type", "")).rpartition(":")[2]
        self.detail = str(problem.get("detail") or problem.get("title") or f"status {status}")
        self.request_id = problem.get("request_id")
        self.standing = problem.get("standing")
        # A proxy in between may name a date instead; then we wait as if it had said nothing.
        is_seconds = retry_after is not None and retry_after.isascii() and retry_after.isdigit()
        self.retry_after_seconds = float(retry_after or 0) if is_seconds else None
        super().__init__(f"the service refused ({status}): {self.detail}")


def refusal_of(answer: httpx.Response) -> Refused:
    """Read a refusal; what is no problem of ours, such as a proxy's page, is one by its status."""
    try:
        told = answer.json()
    except ValueError:
        told = {}
    problem = told if isinstance(told, dict) else {}
    return Refused(answer.status_code, problem, answer.headers.get("retry-after"))


_LONGEST_WAIT_SECONDS = 30.0
_SERVICE_IS_BUSY = (429, 503)
_SILENCE_SECONDS = 60.0
"""A stream says something every few seconds; one that does not is broken."""


class StreamNotice(Noun):
    """One notice of the stream."""

    id: int
    kind: str
    data: dict[str, Any]


@dataclass(frozen=True)
class Transport:
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

    def listen(self, after: int | None) -> Iterator[StreamNotice]:
        """Follow the stream; where it breaks, go on behind what was heard last."""
        for attempt in self._attempts():
            with attempt:
                for event in self._events(after):
                    attempt.retry_state.attempt_number = 1  # it works: the count begins anew
                    if event.id:
                        after = int(event.id)
                    if event.event != "open":
                        yield StreamNotice(
                            id=after or 0, kind=event.event, data=json.loads(event.data)
                        )
                raise httpx.ReadError("the stream ended")

    def _events(self, after: int | None) -> Iterator[ServerSentEvent]:
        headers = {} if after is None else {"Last-Event-ID": str(after)}
        timeout = httpx.Timeout(10.0, read=_SILENCE_SECONDS)
        with connect_sse(
            self.http, "GET", "/v1/stream", headers=headers, timeout=timeout
        ) as source:
            if source.response.is_error:
                source.response.read()
                raise refusal_of(source.response)
            yield from source.iter_sse()

    def _tried(self, method: str, path: str, **more: Any) -> Any:
        return self._answered(method, path, **more).json()

    def _answered(self, method: str, path: str, **more: Any) -> httpx.Response:
        for attempt in self._attempts():
            with attempt:
                answer = self.http.request(method, path, **more)
                if answer.is_error:
                    raise refusal_of(answer)
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


CALLS = (
    "POST /v1/messages",
    "POST /v1/events",
    "GET /v1/decisions",
    "GET /v1/decisions/{decision_id}",
    "GET /v1/approvals",
    "GET /v1/approvals/{action_id}",
    "POST /v1/approvals/{action_id}",
    "GET /v1/offers",
    "POST /v1/offers/{offer_id}",
    "POST /v1/actions/{action_id}/undo",
    "GET /v1/reminders",
    "POST /v1/reminders",
    "DELETE /v1/reminders/{reminder_id}",
    "GET /v1/quiet",
    "POST /v1/quiet",
    "DELETE /v1/quiet",
    "GET /v1/journal/search",
    "GET /v1/journal/decisions/{decision_id}",
    "GET /v1/journal/decisions/{decision_id}/chain",
    "GET /v1/journal/export",
    "POST /v1/journal/import",
    "GET /v1/stream",
)
"""The operations it calls, as the OpenAPI document names them; a test holds them against it."""


class Answer(DecisionRecord):
    """What was decided, with what it asks of a person."""

    offer: Offer | None = None
    approval: ShownApproval | None = None


class Client:
    """Calls one service with one key. Every method raises Refused when it refuses.

    A change carries an Idempotency-Key of its own, so that sending it again after a lost answer
    or a 429 or 503 does it once.
    """

    def __init__(
        self,
        url: str,
        key: str,
        *,
        attempts: int = 4,
        timeout_seconds: float = 60.0,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._calling = Transport(
            httpx.Client(
                base_url=url,
                headers={"Authorization": f"Bearer {key}"},
                timeout=timeout_seconds,
                transport=transport,
            ),
            attempts,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close its connections."""
        self._calling.http.close()

    def say(self, text: str, *, session_id: str = "default", **more: Any) -> Answer:
        """Say something as the key's user and get the answer; `more` are fields of a message."""
        said = {"text": text, "session_id": session_id, **more}
        return Answer.model_validate(self._calling.send("/v1/messages", said))

    def send(self, events: Sequence[Mapping[str, Any]]) -> list[DecisionRecord]:
        """Tell what happened, all or nothing; give each an `event_id` of its own."""
        made = self._calling.send("/v1/events", [dict(event) for event in events])
        return [DecisionRecord.model_validate(one) for one in made]

    def decisions(self, **wanted: str) -> Iterator[DecisionRecord]:
        """Go through decisions, newest first, page by page; by `session_id` and `outcome`."""
        for one in self._calling.pages("/v1/decisions", "decisions", wanted):
            yield DecisionRecord.model_validate(one)

    def decision(self, decision_id: str) -> DecisionTrace:
        """Read one decision with every stage behind it."""
        return DecisionTrace.model_validate(self._calling.read(f"/v1/decisions/{_in(decision_id)}"))

    def approvals(self, state: ActionState = "pending") -> Iterator[ShownApproval]:
        """Go through what waits for a yes, by what runs out first, or how it ended."""
        for one in self._calling.pages("/v1/approvals", "approvals", {"state": state}):
            yield ShownApproval.model_validate(one)

    def approval(self, action_id: str) -> ShownApproval:
        """Read exactly what would run, and the digest that an answer repeats."""
        return ShownApproval.model_validate(self._calling.read(f"/v1/approvals/{_in(action_id)}"))

    def approve(self, shown: ShownApproval, *, typed: str | None = None) -> ShownApproval:
        """Say yes to exactly what was shown; `typed` is what the dialog asks to be typed."""
        return self._answer(shown, {"decision": "approve", "typed": typed})

    def reject(self, shown: ShownApproval, reason: str | None = None) -> ShownApproval:
        """Say no."""
        return self._answer(shown, {"decision": "reject", "reason": reason})

    def edit(self, shown: ShownApproval, arguments: Mapping[str, Any]) -> ShownApproval:
        """Say yes to other arguments, all of them; with four eyes it asks anew."""
        return self._answer(shown, {"decision": "edit", "arguments": dict(arguments)})

    def respond(self, shown: ShownApproval, text: str) -> ShownApproval:
        """Say what you want instead."""
        return self._answer(shown, {"decision": "respond", "reason": text})

    def offers(self) -> Iterator[Offer]:
        """Go through the chips that can be chosen."""
        for one in self._calling.pages("/v1/offers", "offers", {}):
            yield Offer.model_validate(one)

    def choose(self, offer_id: str, chip_id: str, **arguments: Any) -> Answer:
        """Choose a chip, once, with the slots it still lacks."""
        choice = {"chip_id": chip_id, "arguments": arguments}
        made = self._calling.send(f"/v1/offers/{_in(offer_id)}", choice)
        return Answer.model_validate(made)

    def undo(self, action_id: str) -> Answer:
        """Take back what was done."""
        made = self._calling.send(f"/v1/actions/{_in(action_id)}/undo", None)
        return Answer.model_validate(made)

    def search(self, question: str, *, limit: int = 10) -> list[FoundDecision]:
        """Search the decisions people took."""
        found = self._calling.read("/v1/journal/search", q=question, limit=limit)
        return [FoundDecision.model_validate(one) for one in found["decisions"]]

    def on_record(self, decision_id: str) -> Decision:
        """Read one decision that people took, with the places it was said in."""
        return Decision.model_validate(
            self._calling.read(f"/v1/journal/decisions/{_in(decision_id)}")
        )

    def chain(self, decision_id: str) -> DecisionChain:
        """Follow what a decision replaced and what replaced it."""
        way = f"/v1/journal/decisions/{_in(decision_id)}/chain"
        return DecisionChain.model_validate(self._calling.read(way))

    def exported(self) -> Iterator[Decision]:
        """Go through every decision on record, oldest first."""
        for one in self._calling.lines("/v1/journal/export"):
            yield Decision.model_validate(one)

    def import_(
        self,
        messages: Sequence[JournalMessage] = (),
        records: Sequence[Mapping[str, str]] = (),
    ) -> tuple[int, int, int]:
        """Have a conversation read in one, or records (`path`, `text`); the same again is known.

        Returns how many decisions were added, changed, and there already.
        """
        told = [one.model_dump(mode="json") for one in messages]
        sent = {"messages": told, "records": [dict(one) for one in records]}
        done = self._calling.send("/v1/journal/import", sent)
        return done["added"], done["changed"], done["same"]

    def reminders(self, session_id: str = "default") -> Iterator[Reminder]:
        """Go through what waits to be told in a session, the next first."""
        wanted = {"session_id": session_id}
        for one in self._calling.pages("/v1/reminders", "reminders", wanted):
            yield Reminder.model_validate(one)

    def remind(
        self,
        text: str,
        *,
        in_seconds: float | None = None,
        at: datetime | None = None,
        session_id: str = "default",
    ) -> Reminder:
        """Ask to be reminded, either in so many seconds or at a time."""
        when = {"in_seconds": in_seconds} if at is None else {"at": at.isoformat()}
        wish = {"text": text, "session_id": session_id, **when}
        return Reminder.model_validate(self._calling.send("/v1/reminders", wish))

    def call_off(self, reminder_id: str, *, session_id: str = "default") -> None:
        """Call a reminder off that one asked for."""
        self._calling.end(f"/v1/reminders/{_in(reminder_id)}", session_id=session_id)

    def quiet(self, session_id: str = "default") -> Quietness:
        """Tell why a session is silent now, until when, and what waits."""
        return Quietness.model_validate(self._calling.read("/v1/quiet", session_id=session_id))

    def hush(self, session_id: str = "default", **wish: Any) -> Quietness:
        """Ask for quiet: `minutes`, a `topic` to be left alone, or `quiet_hours`."""
        asked = self._calling.send("/v1/quiet", {"session_id": session_id, **wish})
        return Quietness.model_validate(asked)

    def end_quiet(
        self, session_id: str = "default", *, topic: str | None = None, hours: bool = False
    ) -> Quietness:
        """End the quiet of now, the rule about a topic, or the quiet hours."""
        ended = self._calling.end(
            "/v1/quiet", session_id=session_id, topic=topic, quiet_hours=hours or None
        )
        return Quietness.model_validate(ended)

    def listen(self, *, after: int | None = None) -> Iterator[StreamNotice]:
        """Hear what happens, for ever; what a broken connection missed comes when it is back.

        Where something is lost for good a notice of kind `gap` comes: read `decisions` then.
        """
        yield from self._calling.listen(after)

    def _answer(self, shown: ShownApproval, answer: Mapping[str, Any]) -> ShownApproval:
        given = {name: value for name, value in answer.items() if value is not None}
        way = f"/v1/approvals/{_in(shown.action_id)}"
        return ShownApproval.model_validate(
            self._calling.send(way, given | {"digest": shown.digest})
        )


def _in(identifier: str) -> str:
    """Write an id into a path, whatever is in it."""
    return quote(identifier, safe="")
