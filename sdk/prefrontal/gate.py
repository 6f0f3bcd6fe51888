"""A gate in front of an agent's tools: each call is proposed, and a person answers what is grave.

    gate = Gate(Client(url, key))
    outcome = gate.run(ToolCall("close_work_order", {"work_order": "WO-1042"}))

What the service's catalog has is run by the service, and its result is the tool's. Any other tool
stays the agent's own: it is declared, and runs here once the service has given a permit for it.
"""

import asyncio
import inspect
import time
from collections.abc import Callable, Collection, Coroutine, Generator, Mapping
from functools import wraps
from typing import Any, ParamSpec, TypedDict, TypeVar, Unpack, cast

import httpx

from prefrontal import proposals
from prefrontal.async_client import AsyncClient
from prefrontal.client import Client, Refused
from prefrontal.outcomes import (
    CallRefused,
    Local,
    Outcome,
    ToolCall,
    Unlisted,
    evidence_of,
    from_problem,
    from_view,
    tool_of,
)
from prefrontal.proposals import LONGEST_WAIT, CallOptions, Request
from prefrontal.types.action import Effect
from prefrontal.types.declared_tool import PermitOutcome
from prefrontal.types.proposal_view import ProposalView

P = ParamSpec("P")
T = TypeVar("T")
Steps = Generator[Request[Any], Any, T]
"""Requests, one after the other, each resumed with its answer: how a gate works, without I/O."""
REFUSAL_SECONDS = 3_600.0
"""How long a person's no to a call is remembered; the same call is not asked again meanwhile."""
_MOST_REMEMBERED = 1_000
_KNOWN = ("execute", "declared")
"""Nothing to declare: the service runs it, or this gate has declared it."""


class GateOptions(TypedDict, total=False):
    """How a gate asks."""

    wait_seconds: float
    """How long a call waits for a person, 30 unless said; then its outcome is `pending`."""
    session_id: str
    effects: Mapping[str, Effect]
    """What the agent's own tools do, by name; one that is not named may do anything, so it needs
    an approval."""
    free: Collection[str]
    """Tools that run without being asked for."""
    unlisted: Unlisted
    """`declare` a tool that the catalog does not have (the default), or `refuse` it."""
    raises: bool
    """Raise CallRefused instead of telling the model; it ends a framework's whole batch."""


class _Gate:
    def __init__(self, options: GateOptions) -> None:
        self.wait_seconds = options.get("wait_seconds", 30.0)
        self.session_id = options.get("session_id", "default")
        self.effects = dict(options.get("effects", {}))
        self.free = frozenset(options.get("free", ()))
        self.unlisted = options.get("unlisted", "declare")
        self.raises = options.get("raises", False)
        self._modes: dict[str, str] | None = None
        self._refusals: dict[str, tuple[float, Outcome]] = {}
        self._open: dict[str, str] = {}
        """Proposals of calls that wait, or are permitted and have not run, by fingerprint."""

    @property
    def waiting(self) -> tuple[str, ...]:
        """Return the ids of proposals that wait for a person, or for their tool to be called."""
        return tuple(dict.fromkeys(self._open.values()))

    def _asking(self, call: ToolCall) -> Steps[Outcome]:
        """Propose a call and wait for its answer until the deadline."""
        if call.name in self.free:
            return Outcome("free", "", arguments=call.arguments)
        known = self._refusals.get(call.fingerprint)
        if known and not call.options.get("again") and time.monotonic() < known[0]:
            return known[1]
        proposed = False
        try:
            yield from self._listing(call)
            proposed = True
            end = time.monotonic() + self.wait_seconds
            view = yield self._proposed(call)
            outcome = yield from self._waiting(view, end)
        except (Refused, httpx.TransportError) as error:
            return from_problem(error, proposed=proposed)
        self._remember(call, outcome)
        return outcome

    def _proposed(self, call: ToolCall) -> Request[ProposalView]:
        """Propose a call; the same one that a person was asked before is read again instead."""
        wait = min(self.wait_seconds, LONGEST_WAIT)
        known = self._open.get(call.fingerprint)
        if known is not None and not call.options.get("again"):
            return proposals.read_proposal(known, wait)
        options: CallOptions = {"session_id": self.session_id, **call.options}
        options |= {"idempotency_key": call.key, "wait_seconds": wait}
        return proposals.propose(call.name, call.arguments, options)

    def _listing(self, call: ToolCall) -> Steps[None]:
        """Declare a tool that the catalog does not have, once a gate."""
        if self._modes is None:
            self._modes = {each.name: each.mode for each in (yield proposals.read_catalog())}
        if call.own is None or self.unlisted == "refuse" or self._modes.get(call.name) in _KNOWN:
            return
        tool = call.own.model_copy(update={"effect": self.effects.get(call.name, call.own.effect)})
        yield proposals.declare([tool])
        self._modes[call.name] = "declared"

    def _resuming(self, proposal_id: str, seconds: float | None) -> Steps[Outcome]:
        wait = self.wait_seconds if seconds is None else seconds
        end = time.monotonic() + wait
        try:
            view = yield proposals.read_proposal(proposal_id, wait)
            outcome = yield from self._waiting(view, end)
        except (Refused, httpx.TransportError) as error:
            return from_problem(error)
        self._remember(ToolCall(view.action, outcome.arguments), outcome)
        return outcome

    def _waiting(self, view: ProposalView, end: float) -> Steps[Outcome]:
        while view.is_awaited and (left := end - time.monotonic()) > 0:
            view = yield proposals.read_proposal(view.proposal_id, left)
        return from_view(view)

    def _taking(self, outcome: Outcome) -> Steps[Outcome]:
        """Take the permit of an outcome that is `permitted`."""
        view = outcome.proposal
        if outcome.status == "free":
            return outcome
        if view is None or view.permit is None:  # without one nothing runs, whatever the status
            return outcome.barred()
        try:
            permit = yield proposals.take_permit(view.proposal_id, view.permit.digest)
        except (Refused, httpx.TransportError) as error:
            return from_problem(error, view)
        for name, one in list(self._open.items()):  # frameworks run tools on several threads
            if one == view.proposal_id:
                self._open.pop(name, None)
        return outcome.taken(permit)

    def _reporting(self, outcome: Outcome, said: PermitOutcome) -> Steps[Outcome]:
        """Report how a permitted tool ended; a lost report leaves it for a person to settle."""
        if outcome.permit is None:
            return outcome
        try:
            view = yield proposals.report_outcome(outcome.permit.proposal_id, said)
        except (Refused, httpx.TransportError) as error:
            return outcome.ended(from_problem(error, outcome.proposal))
        return outcome.ended(from_view(view))

    def _remember(self, call: ToolCall, outcome: Outcome) -> None:
        view = outcome.proposal
        if view is None:
            return
        self._open.pop(call.fingerprint, None)
        if view.is_open:
            self._open[call.fingerprint] = view.proposal_id
            _cut(self._open)
        elif outcome.status == "refused" and view.decided_by is not None:
            self._refusals[call.fingerprint] = (time.monotonic() + REFUSAL_SECONDS, outcome)
            _cut(self._refusals)

    def _told(self, outcome: Outcome) -> Outcome:
        if self.raises and outcome.status in ("refused", "expired", "withdrawn"):
            raise CallRefused(outcome)
        return outcome


class Gate(_Gate):
    """A gate over a `Client`; see GateOptions."""

    def __init__(self, client: Client, **options: Unpack[GateOptions]) -> None:
        super().__init__(options)
        self.client = client

    def check(self, call: ToolCall) -> Outcome:
        """Ask for a call and wait for the answer until the deadline; runs nothing here."""
        return self._told(self._driven(self._asking(call)))

    def resume(self, proposal_id: str, *, wait_seconds: float | None = None) -> Outcome:
        """Ask again what became of a call, also after a restart."""
        return self._driven(self._resuming(proposal_id, wait_seconds))

    def take(self, outcome: Outcome) -> Outcome:
        """Take the permit of a `permitted` outcome: `running`, with the arguments to run with."""
        return self._driven(self._taking(outcome))

    def report(self, outcome: Outcome, said: PermitOutcome) -> Outcome:
        """Report how the tool of a taken permit ended."""
        return self._driven(self._reporting(outcome, said))

    def run(self, call: ToolCall, local: Local | None = None) -> Outcome:
        """Ask for a call, and run `local` with the approved arguments if it is ours to run."""
        outcome = self.check(call)
        if local is None or not outcome.may_run:
            return outcome
        outcome = self.take(outcome)
        if not outcome.may_run:
            return outcome
        try:
            value = local(outcome.arguments)
        except Exception as error:
            self.report(outcome, evidence_of(outcome, error=error))
            raise
        return self.report(outcome.gave(value), evidence_of(outcome, value))

    def tool(self, function: Callable[P, Any]) -> Callable[P, Any]:
        """Put the gate before a function: it returns what the call gave, or why it did not run."""

        @wraps(function)
        def gated(*given: P.args, **named: P.kwargs) -> Any:
            call, local = tool_of(function, *given, **named)
            return self.run(call, local).result

        return gated

    def check_proposal(self, proposal_id: str) -> str:
        """Tell what became of a call that waited for a person. Nothing is asked anew."""
        return self.resume(proposal_id).text

    def _driven(self, steps: Steps[T]) -> T:
        try:
            wanted = next(steps)
            while True:
                try:
                    answer = self.client.request(wanted)
                except (Refused, httpx.TransportError) as error:
                    wanted = steps.throw(error)
                else:
                    wanted = steps.send(answer)
        except StopIteration as end:
            return cast(T, end.value)


class AsyncGate(_Gate):
    """A gate over an `AsyncClient`; see Gate."""

    def __init__(self, client: AsyncClient, **options: Unpack[GateOptions]) -> None:
        super().__init__(options)
        self.client = client

    async def check(self, call: ToolCall) -> Outcome:
        """See `Gate.check`."""
        return self._told(await self._driven(self._asking(call)))

    async def resume(self, proposal_id: str, *, wait_seconds: float | None = None) -> Outcome:
        """See `Gate.resume`."""
        return await self._driven(self._resuming(proposal_id, wait_seconds))

    async def take(self, outcome: Outcome) -> Outcome:
        """See `Gate.take`."""
        return await self._driven(self._taking(outcome))

    async def report(self, outcome: Outcome, said: PermitOutcome) -> Outcome:
        """See `Gate.report`."""
        return await self._driven(self._reporting(outcome, said))

    async def run(self, call: ToolCall, local: Local | None = None) -> Outcome:
        """See `Gate.run`; `local` may be a coroutine function."""
        return await run_async(self, call, local)

    def tool(self, function: Callable[P, Any]) -> Callable[P, Coroutine[Any, Any, Any]]:
        """See `Gate.tool`; the function may be a coroutine function."""

        @wraps(function)
        async def gated(*given: P.args, **named: P.kwargs) -> Any:
            call, local = tool_of(function, *given, **named)
            return (await self.run(call, local)).result

        return gated

    async def _driven(self, steps: Steps[T]) -> T:
        try:
            wanted = next(steps)
            while True:
                try:
                    answer = await self.client.request(wanted)
                except (Refused, httpx.TransportError) as error:
                    wanted = steps.throw(error)
                else:
                    wanted = steps.send(answer)
        except StopIteration as end:
            return cast(T, end.value)

    async def check_proposal(self, proposal_id: str) -> str:
        """See `Gate.check_proposal`."""
        return (await self.resume(proposal_id)).text


AnyGate = Gate | AsyncGate


def _cut(remembered: dict[str, Any]) -> None:
    while len(remembered) > _MOST_REMEMBERED:
        remembered.pop(next(iter(list(remembered))), None)


async def run_async(gate: AnyGate, call: ToolCall, local: Local | None = None) -> Outcome:
    """Run a call from an event loop; `local` runs in it, and a `Gate` waits on a thread."""
    outcome = await _waited(gate.check, call)
    if local is None or not outcome.may_run:
        return outcome
    outcome = await _waited(gate.take, outcome)
    if not outcome.may_run:
        return outcome
    try:
        value = local(outcome.arguments)
        if inspect.isawaitable(value):
            value = await value
    except Exception as error:
        await _waited(gate.report, outcome, evidence_of(outcome, error=error))
        raise
    return await _waited(gate.report, outcome.gave(value), evidence_of(outcome, value))


async def resume_async(gate: AnyGate, proposal_id: str) -> Outcome:
    """Ask from an event loop what became of a call."""
    return await _waited(gate.resume, proposal_id)


async def _waited(method: Callable[..., Any], *given: Any) -> Outcome:
    if inspect.iscoroutinefunction(method):
        return cast(Outcome, await method(*given))
    return cast(Outcome, await asyncio.to_thread(method, *given))
