"""A client of the service: `with Client("http://127.0.0.1:8765", key) as service: ...`.

Changes carry an Idempotency-Key and are sent again after lost answers, 429 and 503, as long after
as the service says. A refusal is raised as `Refused` with status, slug and request id.
"""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import TracebackType
from typing import Any, Self, TypeVar, Unpack
from urllib.parse import quote
from uuid import uuid4

import httpx
from httpx_sse import ServerSentEvent, connect_sse

from prefrontal import proposals
from prefrontal.proposals import CallOptions, Request
from prefrontal.types.catalog_entry import CatalogEntry
from prefrontal.types.declared_tool import DeclaredTool, KeptTool, Permit, PermitOutcome
from prefrontal.types.dialog import ShownApproval
from prefrontal.types.errors import AgentError
from prefrontal.types.initiative import Reminder
from prefrontal.types.journal import Decision, DecisionChain, FoundDecision, JournalMessage
from prefrontal.types.noun import Noun
from prefrontal.types.offer import Offer
from prefrontal.types.proposal_view import ProposalStatus, ProposalView
from prefrontal.types.quietness import Quietness
from prefrontal.types.record import DecisionRecord, DecisionTrace


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


N = TypeVar("N", bound=Noun)
T = TypeVar("T")
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

    def call(self, method: str, path: str, body: Any = None, **query: Any) -> Any:
        """Send a request and return its JSON; a POST is done once, however often it is sent."""
        return self._answered(method, path, **prepare(method, body, query)).json()

    def lines(self, path: str, **query: Any) -> Iterator[Any]:
        """Read a list that is a line of JSON each."""
        accepted = {"Accept": "application/x-ndjson"}
        for line in self._answered("GET", path, params=query, headers=accepted).iter_lines():
            if line:
                yield json.loads(line)

    def pages(self, path: str, name: str, wanted: Mapping[str, Any]) -> Iterator[Any]:
        """Go through a list to its end."""
        cursor = None
        while True:
            page = self.call("GET", path, **wanted, cursor=cursor)
            yield from page[name]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def listen(self, after: int | None, session: str | None) -> Iterator[StreamNotice]:
        """Follow the stream; where it breaks, go on behind what was heard last."""
        failures = 0
        while True:
            try:
                for event in self._events(after, session):
                    failures = 0
                    if event.id:
                        after = int(event.id)
                    if event.event != "open" and event.data:  # without data it is a sign of life
                        yield StreamNotice(
                            id=after or 0, kind=event.event, data=json.loads(event.data)
                        )
                raise httpx.ReadError("the stream ended")
            except (Refused, httpx.TransportError) as error:
                failures += 1
                if failures >= self.attempts or not may_pass(error):
                    raise
                time.sleep(wait_seconds(error, failures))

    def _events(self, after: int | None, session: str | None) -> Iterator[ServerSentEvent]:
        headers = {} if after is None else {"Last-Event-ID": str(after)}
        timeout = httpx.Timeout(10.0, read=_SILENCE_SECONDS)
        more = {"headers": headers, "params": session and {"session_id": session}}
        with connect_sse(self.http, "GET", "/v1/stream", timeout=timeout, **more) as source:
            if source.response.is_error:
                source.response.read()
                raise refusal_of(source.response)
            yield from source.iter_sse()

    def _answered(self, method: str, path: str, **more: Any) -> httpx.Response:
        failures = 0
        while True:
            try:
                answer = self.http.request(method, path, **more)
                if answer.is_error:
                    raise refusal_of(answer)
            except (Refused, httpx.TransportError) as error:
                failures += 1
                if failures >= self.attempts or not may_pass(error):
                    raise
                time.sleep(wait_seconds(error, failures))
            else:
                return answer


def prepare(method: str, body: Any, query: Mapping[str, Any]) -> dict[str, Any]:
    """Return what httpx sends; a POST has a key of its own, so that sent again it is done once."""
    more: dict[str, Any] = {} if body is None else {"json": body}
    if method == "POST":
        more["headers"] = {"Idempotency-Key": uuid4().hex}
    return more | {"params": {name: value for name, value in query.items() if value is not None}}


def may_pass(error: Exception) -> bool:
    """Tell whether the same request may be answered a moment later."""
    if isinstance(error, Refused):
        return error.status in _SERVICE_IS_BUSY or error.slug == "under-way"
    return isinstance(error, httpx.TransportError)


def wait_seconds(error: Exception, failures: int) -> float:
    """Return how long to wait: as the service says, or twice as long after each failure."""
    told = error.retry_after_seconds if isinstance(error, Refused) else None
    return min(_LONGEST_WAIT_SECONDS, told if told is not None else 0.1 * 2.0**failures)


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
    "GET /v1/catalog",
    "PUT /v1/catalog/tools",
    "GET /v1/proposals",
    "POST /v1/proposals",
    "GET /v1/proposals/{proposal_id}",
    "DELETE /v1/proposals/{proposal_id}",
    "POST /v1/proposals/{proposal_id}/permit",
    "POST /v1/proposals/{proposal_id}/outcome",
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
                trust_env=not is_loopback(url),  # no proxy between a command and its own machine
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

    def json(self, method: str, path: str | tuple[str, ...], body: Any = None, **query: Any) -> Any:
        """Call any operation and return its JSON; None in a query is left out.

        Args:
            path: or its parts, of which all but the first may hold any character.
        """
        way = path if isinstance(path, str) else "/".join((path[0], *map(_in, path[1:])))
        return self._calling.call(method, way, body, **query)

    def call(
        self,
        method: str,
        path: str | tuple[str, ...],
        answer: type[N],
        body: Any = None,
        **query: Any,
    ) -> N:
        """Call any operation and read its JSON as `answer`. See `json`."""
        return answer.model_validate(self.json(method, path, body, **query))

    def pages(self, path: str, name: str, each: type[N], **wanted: Any) -> Iterator[N]:
        """Go through the list `name` of an operation, page by page; None in a query is left out."""
        for one in self._calling.pages(path, name, wanted):
            yield each.model_validate(one)

    def lines(self, path: str, **query: Any) -> Iterator[Any]:
        """Go through a list that an operation gives as lines of JSON."""
        yield from self._calling.lines(path, **query)

    def request(self, wanted: Request[T]) -> T:
        """Send one request of `prefrontal.proposals`."""
        return wanted.read(
            self._calling.call(wanted.method, wanted.path, wanted.body, **wanted.query)
        )

    def catalog(self) -> tuple[CatalogEntry, ...]:
        """List the actions that the key may propose, with the JSON Schema of their arguments."""
        return self.request(proposals.read_catalog())

    def propose(
        self, action: str, arguments: Mapping[str, Any], **options: Unpack[CallOptions]
    ) -> ProposalView:
        """Propose a call of an action; its status says whether it ran, waits or was refused."""
        return self.request(proposals.propose(action, arguments, options))

    def proposal(self, proposal_id: str, *, wait: float = 0.0) -> ProposalView:
        """Read a proposal; with `wait`, up to 25 seconds, as soon as its status is final."""
        return self.request(proposals.read_proposal(proposal_id, wait))

    def proposals(
        self, *, status: ProposalStatus | None = None, agent: str | None = None
    ) -> Iterator[ProposalView]:
        """Go through the proposals of the tenant, newest first."""
        return self.pages("/v1/proposals", "proposals", ProposalView, status=status, agent=agent)

    def withdraw(self, proposal_id: str) -> ProposalView:
        """Withdraw what has not begun; Refused with 409 once it has, or is over."""
        return self.request(proposals.withdraw(proposal_id))

    def declare(self, tools: Sequence[DeclaredTool]) -> tuple[KeptTool, ...]:
        """Declare tools that this agent runs itself, each call with a permit; all or none."""
        return self.request(proposals.declare(tools))

    def take_permit(self, proposal_id: str, digest: str) -> Permit:
        """Take the permit of a `permitted` proposal, once; run the tool with its arguments."""
        return self.request(proposals.take_permit(proposal_id, digest))

    def report(self, proposal_id: str, outcome: PermitOutcome) -> ProposalView:
        """Report what came of a tool that ran with a permit."""
        return self.request(proposals.report_outcome(proposal_id, outcome))

    def say(self, text: str, *, session_id: str = "default", **more: Any) -> Answer:
        """Say something as the key's user and get the answer; `more` are fields of a message."""
        said = {"text": text, "session_id": session_id, **more}
        return self.call("POST", "/v1/messages", Answer, said)

    def send(self, events: Sequence[Mapping[str, Any]]) -> list[DecisionRecord]:
        """Tell what happened, all or nothing; give each an `event_id` of its own."""
        made = self.json("POST", "/v1/events", [dict(event) for event in events])
        return [DecisionRecord.model_validate(one) for one in made]

    def decisions(self, **wanted: str) -> Iterator[DecisionRecord]:
        """Go through decisions, newest first, page by page; by `session_id` and `outcome`."""
        return self.pages("/v1/decisions", "decisions", DecisionRecord, **wanted)

    def decision(self, decision_id: str) -> DecisionTrace:
        """Read one decision with every stage behind it."""
        return self.call("GET", ("/v1/decisions", decision_id), DecisionTrace)

    def approvals(self, state: str = "pending") -> Iterator[ShownApproval]:
        """Go through what waits for a yes, by what runs out first, or how it ended."""
        return self.pages("/v1/approvals", "approvals", ShownApproval, state=state)

    def approval(self, action_id: str) -> ShownApproval:
        """Read exactly what would run, and the digest that an answer repeats."""
        return self.call("GET", ("/v1/approvals", action_id), ShownApproval)

    def answer(self, shown: ShownApproval, answer: Mapping[str, Any]) -> ShownApproval:
        """Answer exactly what was shown, with the fields of an ApprovalAnswer but its digest."""
        given = {name: value for name, value in answer.items() if value is not None}
        sent = given | {"digest": shown.digest}
        return self.call("POST", ("/v1/approvals", shown.action_id), ShownApproval, sent)

    def approve(self, shown: ShownApproval, *, typed: str | None = None) -> ShownApproval:
        """Say yes to exactly what was shown; `typed` is what the dialog asks to be typed."""
        return self.answer(shown, {"decision": "approve", "typed": typed})

    def reject(self, shown: ShownApproval, reason: str | None = None) -> ShownApproval:
        """Say no."""
        return self.answer(shown, {"decision": "reject", "reason": reason})

    def edit(self, shown: ShownApproval, arguments: Mapping[str, Any]) -> ShownApproval:
        """Say yes to other arguments, all of them; with four eyes it asks anew."""
        return self.answer(shown, {"decision": "edit", "arguments": dict(arguments)})

    def respond(self, shown: ShownApproval, text: str) -> ShownApproval:
        """Say what you want instead."""
        return self.answer(shown, {"decision": "respond", "reason": text})

    def offers(self, *, open_only: bool = True) -> Iterator[Offer]:
        """Go through the chips that can be chosen, or through all there ever were."""
        return self.pages("/v1/offers", "offers", Offer, open=None if open_only else False)

    def choose(self, offer_id: str, chip_id: str, **arguments: Any) -> Answer:
        """Choose a chip, once, with the slots it still lacks."""
        choice = {"chip_id": chip_id, "arguments": arguments}
        return self.call("POST", ("/v1/offers", offer_id), Answer, choice)

    def undo(self, action_id: str) -> Answer:
        """Take back what was done."""
        return self.call("POST", ("/v1/actions", action_id, "undo"), Answer)

    def search(self, question: str, *, limit: int = 10, **filters: Any) -> list[FoundDecision]:
        """Search the decisions people took; by `status`, `since` and `until`."""
        return self.search_journal(question, limit=limit, **filters)[0]

    def search_journal(
        self, question: str, *, limit: int = 10, **filters: Any
    ) -> tuple[list[FoundDecision], list[dict[str, str]]]:
        """Search as `search` does; also give each `field` and `text` that was not understood."""
        told = self.json("GET", "/v1/journal/search", q=question, limit=limit, **filters)
        found = [FoundDecision.model_validate(one) for one in told["decisions"]]
        return found, told.get("not_understood", [])

    def on_record(self, decision_id: str) -> Decision:
        """Read one decision that people took, with the places it was said in."""
        return self.call("GET", ("/v1/journal/decisions", decision_id), Decision)

    def chain(self, decision_id: str) -> DecisionChain:
        """Follow what a decision replaced and what replaced it."""
        return self.call("GET", ("/v1/journal/decisions", decision_id, "chain"), DecisionChain)

    def exported(self) -> Iterator[Decision]:
        """Go through every decision on record, oldest first."""
        return map(Decision.model_validate, self.lines("/v1/journal/export"))

    def import_(
        self,
        messages: Sequence[JournalMessage] = (),
        records: Sequence[Mapping[str, str]] = (),
    ) -> Any:  # the answer's JSON
        """Have a conversation read in one, or records (`path`, `text`); the same again is known.

        Returns what each was taken for, with `added`, `changed` and `same`: how many decisions
        were added, changed, and there already.
        """
        told = [one.model_dump(mode="json") for one in messages]
        sent = {"messages": told, "records": [dict(one) for one in records]}
        return self.json("POST", "/v1/journal/import", sent)

    def reminders(self, session_id: str = "default") -> Iterator[Reminder]:
        """Go through what waits to be told in a session, the next first."""
        return self.pages("/v1/reminders", "reminders", Reminder, session_id=session_id)

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
        return self.call("POST", "/v1/reminders", Reminder, wish)

    def call_off(self, reminder_id: str, *, session_id: str = "default") -> None:
        """Call a reminder off that one asked for."""
        self.json("DELETE", ("/v1/reminders", reminder_id), session_id=session_id)

    def quiet(self, session_id: str = "default") -> Quietness:
        """Tell why a session is silent now, until when, and what waits."""
        return self.call("GET", "/v1/quiet", Quietness, session_id=session_id)

    def hush(self, session_id: str = "default", **wish: Any) -> Quietness:
        """Ask for quiet: `minutes`, a `topic` to be left alone, or `quiet_hours`."""
        return self.call("POST", "/v1/quiet", Quietness, {"session_id": session_id, **wish})

    def end_quiet(
        self, session_id: str = "default", *, topic: str | None = None, hours: bool = False
    ) -> Quietness:
        """End the quiet of now, the rule about a topic, or the quiet hours."""
        wanted = {"session_id": session_id, "topic": topic, "quiet_hours": hours or None}
        return self.call("DELETE", "/v1/quiet", Quietness, **wanted)

    def listen(
        self, *, after: int | None = None, session_id: str | None = None
    ) -> Iterator[StreamNotice]:
        """Hear what happens, for ever; what a broken connection missed comes when it is back.

        With `session_id` only what happens in one session is heard.
        Where something is lost for good a notice of kind `gap` comes: read `decisions` then.
        """
        yield from self._calling.listen(after, session_id)


def _in(identifier: str) -> str:
    """Write an id into a path, whatever is in it."""
    return quote(identifier, safe="")


def is_loopback(url: str) -> bool:
    """Tell whether an address is this machine, which no proxy stands in front of."""
    host = httpx.URL(url).host
    return host in ("localhost", "::1") or host.startswith("127.")
