"""Requests of the door for agents: catalog, proposals, permits. Both clients send these."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypedDict, TypeVar
from urllib.parse import quote

from prefrontal.types.catalog_entry import CatalogEntry
from prefrontal.types.declared_tool import DeclaredTool, KeptTool, Permit, PermitOutcome
from prefrontal.types.proposal_view import ProposalView

T = TypeVar("T")
LONGEST_WAIT = 25.0
"""Seconds that one request may wait for an answer."""


@dataclass(frozen=True)
class Request(Generic[T]):
    """One request and how its JSON is read."""

    method: str
    path: str
    read: Callable[[Any], T]
    body: Any = None
    query: Mapping[str, Any] = field(default_factory=dict)


class CallOptions(TypedDict, total=False):
    """What else an agent says of a call that it proposes."""

    reason: str | None
    """Why, in the agent's words; the approver reads it."""
    sources: Sequence[str]
    """What the agent read: addresses, file names, ids."""
    tainted: bool
    """Untrusted content was in the agent's context; raises the class."""
    session_id: str
    on_behalf_of: str | None
    """The person it is for; only a key with the role `integrator` may say so."""
    role: str | None
    idempotency_key: str | None
    """The same key and call again: the same proposal."""
    again: bool
    """Wanted once more although the same call waits already."""
    wait_seconds: float
    """Wait up to so long, at most 25, for a final status."""


def read_catalog() -> Request[tuple[CatalogEntry, ...]]:
    """List the actions that the key may propose."""

    def read(answer: Any) -> tuple[CatalogEntry, ...]:
        return tuple(CatalogEntry.model_validate(each) for each in answer["actions"])

    return Request("GET", "/v1/catalog", read)


def propose(
    action: str, arguments: Mapping[str, Any], options: CallOptions
) -> Request[ProposalView]:
    """Propose one call."""
    said = {name: value for name, value in options.items() if value is not None}
    body = {"action": action, "arguments": dict(arguments), **said}
    return Request("POST", "/v1/proposals", ProposalView.model_validate, body)


def read_proposal(proposal_id: str, wait: float = 0.0) -> Request[ProposalView]:
    """Read where a proposal stands, waiting up to `wait` seconds for its final status."""
    query = {"wait": min(wait, LONGEST_WAIT)} if wait > 0 else {}
    return Request("GET", _path(proposal_id), ProposalView.model_validate, query=query)


def withdraw(proposal_id: str) -> Request[ProposalView]:
    """Withdraw what has not begun."""
    return Request("DELETE", _path(proposal_id), ProposalView.model_validate)


def declare(tools: Sequence[DeclaredTool]) -> Request[tuple[KeptTool, ...]]:
    """Declare tools that the agent keeps and runs itself, with permits."""

    def read(answer: Any) -> tuple[KeptTool, ...]:
        return tuple(_kept(each) for each in answer["tools"])

    body = {"tools": [tool.model_dump(mode="json", exclude_none=True) for tool in tools]}
    return Request("PUT", "/v1/catalog/tools", read, body)


def take_permit(proposal_id: str, digest: str) -> Request[Permit]:
    """Take the permit of a proposal that is `permitted`, once."""
    path = f"{_path(proposal_id)}/permit"
    return Request("POST", path, Permit.model_validate, {"digest": digest})


def report_outcome(proposal_id: str, outcome: PermitOutcome) -> Request[ProposalView]:
    """Report what came of a tool that ran with a permit."""
    body = outcome.model_dump(mode="json", exclude_none=True)
    return Request("POST", f"{_path(proposal_id)}/outcome", ProposalView.model_validate, body)


def _path(proposal_id: str) -> str:
    return f"/v1/proposals/{quote(proposal_id, safe='')}"


def _kept(answer: Mapping[str, Any]) -> KeptTool:
    given = {name: value for name, value in answer.items() if name != "class"}
    return KeptTool.model_validate(given | {"execution_class": answer["class"]})
