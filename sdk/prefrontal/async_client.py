"""An asynchronous client of the door for agents: catalog, proposals and permits.

It retries as `Client` does, and raises `Refused` with status, slug and request id.
"""

import asyncio
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Self, TypeVar, Unpack

import httpx

from prefrontal import proposals
from prefrontal.client import Refused, is_loopback, may_pass, prepare, refusal_of, wait_seconds
from prefrontal.proposals import CallOptions, Request
from prefrontal.types.catalog_entry import CatalogEntry
from prefrontal.types.declared_tool import DeclaredTool, KeptTool, Permit, PermitOutcome
from prefrontal.types.proposal_view import ProposalView

T = TypeVar("T")


class AsyncClient:
    """Calls one service with the key of one agent. Every method raises Refused when it refuses."""

    def __init__(
        self,
        url: str,
        key: str,
        *,
        attempts: int = 4,
        timeout_seconds: float = 60.0,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._attempts = attempts
        self._http = httpx.AsyncClient(
            base_url=url,
            headers={"Authorization": f"Bearer {key}"},
            timeout=timeout_seconds,
            transport=transport,
            trust_env=not is_loopback(url),
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close its connections."""
        await self._http.aclose()

    async def request(self, wanted: Request[T]) -> T:
        """Send one request of `prefrontal.proposals`; a POST is done once, however often sent."""
        given = prepare(wanted.method, wanted.body, wanted.query)
        failures = 0
        while True:
            try:
                answer = await self._http.request(wanted.method, wanted.path, **given)
                if answer.is_error:
                    raise refusal_of(answer)
            except (Refused, httpx.TransportError) as error:
                failures += 1
                if failures >= self._attempts or not may_pass(error):
                    raise
                await asyncio.sleep(wait_seconds(error, failures))
            else:
                return wanted.read(answer.json())

    async def catalog(self) -> tuple[CatalogEntry, ...]:
        """See `Client.catalog`."""
        return await self.request(proposals.read_catalog())

    async def propose(
        self, action: str, arguments: Mapping[str, Any], **options: Unpack[CallOptions]
    ) -> ProposalView:
        """See `Client.propose`."""
        return await self.request(proposals.propose(action, arguments, options))

    async def proposal(self, proposal_id: str, *, wait: float = 0.0) -> ProposalView:
        """See `Client.proposal`."""
        return await self.request(proposals.read_proposal(proposal_id, wait))

    async def withdraw(self, proposal_id: str) -> ProposalView:
        """See `Client.withdraw`."""
        return await self.request(proposals.withdraw(proposal_id))

    async def declare(self, tools: Sequence[DeclaredTool]) -> tuple[KeptTool, ...]:
        """See `Client.declare`."""
        return await self.request(proposals.declare(tools))

    async def take_permit(self, proposal_id: str, digest: str) -> Permit:
        """See `Client.take_permit`."""
        return await self.request(proposals.take_permit(proposal_id, digest))

    async def report(self, proposal_id: str, outcome: PermitOutcome) -> ProposalView:
        """See `Client.report`."""
        return await self.request(proposals.report_outcome(proposal_id, outcome))
