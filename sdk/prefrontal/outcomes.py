"""What a gate is asked, and what it answers: a tool call and its outcome."""

import hashlib
import inspect
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, cast

import httpx
from pydantic import TypeAdapter, validate_call
from pydantic_core import to_jsonable_python

from prefrontal.client import Refused
from prefrontal.proposals import CallOptions
from prefrontal.types.catalog_entry import CatalogEntry
from prefrontal.types.declared_tool import MOST_DATA, DeclaredTool, Permit, PermitOutcome
from prefrontal.types.errors import AgentError
from prefrontal.types.proposal_view import ProposalView

OutcomeStatus = Literal[
    "executed",
    "failed",
    "unknown",
    "refused",
    "expired",
    "withdrawn",
    "pending",
    "permitted",
    "free",
    "invalid",
    "unreachable",
]
"""pending: a person has not answered by the deadline; permitted: the agent's own tool may run;
free: the gate does not stand before this tool; invalid: the service does not take the call as it
is; unreachable: no answer came, so it may have run unless
the text denies it. The others are those of a proposal."""
Local = Callable[[Mapping[str, Any]], Any]
"""Runs the agent's own tool with the approved arguments."""
Unlisted = Literal["declare", "refuse"]

_PENDING = "{message} {where}The proposal is {id}; check it later with check_proposal."
_WHERE = "A person answers it at {url} . "
_EDITED = "An approver changed the arguments to {arguments}."
_UNREACHABLE = (
    "No answer of the gate came ({error}). It may have run: do not repeat it, ask a person."
)
_NOT_ASKED = "The gate cannot be asked ({error}). Nothing was proposed and nothing ran."
_APPROVED = "{message} Call {name} again with exactly these arguments: {arguments}"
_LONGEST_TEXT = 8_000


@dataclass(frozen=True)
class ToolCall:
    """One call of a tool, as an agent wants it."""

    name: str
    arguments: Mapping[str, Any]
    own: DeclaredTool | None = None
    """The agent's own tool; without it only what the catalog has can be called."""
    key: str | None = None
    """The same key is the same call, also after a restart. See `call_key`."""
    options: CallOptions = field(default_factory=CallOptions)

    @cached_property
    def fingerprint(self) -> str:
        """Name the call by what it would do and for whom."""
        asked = [self.options.get(name) for name in ("session_id", "on_behalf_of", "role")]
        return _digest([self.name, self.arguments, asked])


def call_key(scope: str | None, call_id: str | None, call: ToolCall) -> str | None:
    """Return the key of a call in a conversation that outlives this process, such as a thread.

    None without a scope: ids of calls are unique in a conversation at most.
    """
    return _digest([scope, call_id, call.name, call.arguments]) if scope and call_id else None


@dataclass(frozen=True)
class Outcome:
    """What became of a call."""

    status: OutcomeStatus
    text: str
    """For the model: the result, or why there is none and what to do."""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    """As they run; an approver may have changed them."""
    proposal: ProposalView | None = None
    permit: Permit | None = None
    value: Any = None
    """What the agent's own tool returned."""
    ran_here: bool = False

    @property
    def is_pending(self) -> bool:
        """Tell whether a person still has to answer."""
        return self.status == "pending"

    @property
    def may_run(self) -> bool:
        """Tell whether the agent's own tool may run now."""
        return self.status in ("permitted", "free") and not self.ran_here

    @property
    def is_error(self) -> bool:
        """Tell whether the call neither ran nor waits."""
        return self.status not in ("executed", "pending", "permitted", "free")

    @property
    def edited(self) -> str | None:
        """Say that an approver changed the arguments, if one did."""
        if self.proposal is None or not self.proposal.edited:
            return None
        return _EDITED.format(arguments=json.dumps(dict(self.arguments), ensure_ascii=False))

    @property
    def result(self) -> Any:
        """Return what a tool gives back: its value where it ran here, else the text."""
        if not self.ran_here:
            return self.text
        told = self.edited and isinstance(self.value, str)
        return f"{self.edited}\n{self.value}" if told else self.value

    def taken(self, permit: Permit) -> "Outcome":
        """Return it with its permit and the arguments that this allows."""
        return replace(self, permit=permit, arguments=permit.arguments)

    def barred(self) -> "Outcome":
        """Return it as one that may not run: there is no permit to take."""
        return replace(self, status="invalid")

    def gave(self, value: Any) -> "Outcome":
        """Return it with what the agent's own tool gave."""
        return replace(self, value=value, ran_here=True)

    def ended(self, reported: "Outcome") -> "Outcome":
        """Return it as the service has it once it was told how it ended."""
        return replace(reported, value=self.value, ran_here=self.ran_here, arguments=self.arguments)


class CallRefused(AgentError):
    """A call was not allowed to run; only a gate with `raises` raises it."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome
        super().__init__(outcome.text)


def from_view(view: ProposalView) -> Outcome:
    """Say where a proposal stands."""
    status = "pending" if view.is_awaited else view.status
    outcome = Outcome(cast(OutcomeStatus, status), view.message, view.arguments, view)
    if outcome.is_pending:
        asked = view.approval or view.choice
        where = _WHERE.format(url=asked.url) if asked and asked.url else ""
        told = _PENDING.format(message=view.message, where=where, id=view.proposal_id)
        return replace(outcome, text=told)
    if outcome.status == "permitted":
        arguments = json.dumps(dict(view.arguments), ensure_ascii=False)
        told = _APPROVED.format(message=view.message, name=view.action, arguments=arguments)
        return replace(outcome, text=told)
    if outcome.status == "executed" and outcome.edited:
        return replace(outcome, text=f"{outcome.edited}\n{outcome.text}")
    return outcome


def from_problem(
    error: Refused | httpx.TransportError,
    view: ProposalView | None = None,
    *,
    proposed: bool = True,
) -> Outcome:
    """Say why the service did not take a call, or that it is not known.

    Args:
        proposed: the call was sent, so it may have run though no answer came.

    Raises:
        Refused: the key is not known, so no call can work.
    """
    if isinstance(error, httpx.TransportError) or error.status >= 500:
        return Outcome(
            "unreachable",
            (_UNREACHABLE if proposed else _NOT_ASKED).format(error=error),
            proposal=view,
        )
    if error.status == 401:
        raise error
    status: OutcomeStatus = "refused" if error.status == 403 else "invalid"
    return Outcome(status, error.detail, proposal=view)


def evidence_of(
    outcome: Outcome, value: Any = None, error: Exception | None = None
) -> PermitOutcome:
    """Make the report of a tool that ran with a permit: what it returned, or how it failed.

    A message of LangChain that says `status="error"` counts as a failure.
    """
    is_failed = error is not None or getattr(value, "status", None) == "error"
    content = getattr(value, "content", value)
    text = str(content) if error is None else f"{type(error).__name__}: {error}"
    data = {} if is_failed else {"result": to_jsonable_python(content, fallback=str)}
    if len(json.dumps(data)) > MOST_DATA:
        data = {}
    return PermitOutcome(
        permit=outcome.permit.permit if outcome.permit else "free",
        outcome="failed" if is_failed else "succeeded",
        text=_clean(text)[:_LONGEST_TEXT] or "done",
        data=json.loads(_clean(json.dumps(data))),
    )


def described(entry: CatalogEntry) -> str:
    """Describe an action of the catalog to a model: what it does, and when it runs."""
    return f"{entry.summary}. Runs {entry.runs.replace('_', ' ')}."


def tool_of(function: Callable[..., Any], *given: Any, **named: Any) -> tuple[ToolCall, Local]:
    """Make the call of a Python function, and what runs it with other arguments.

    Raises:
        TypeError: it takes `*args` or `**kwargs`, which nobody could approve by name.
    """
    signature = inspect.signature(function)
    if any(one.kind in _NAMELESS for one in signature.parameters.values()):
        raise TypeError(f"{function.__name__} takes arguments without a name")
    bound = signature.bind(*given, **named)
    own = DeclaredTool(
        name=function.__name__,
        description=inspect.getdoc(function) or "",
        arguments=TypeAdapter[Any](cast(Any, function)).json_schema(),
    )
    call = ToolCall(function.__name__, to_jsonable_python(bound.arguments), own)
    checked = validate_call(function)
    return call, lambda arguments: checked(**arguments)


_NAMELESS = (
    inspect.Parameter.VAR_POSITIONAL,
    inspect.Parameter.VAR_KEYWORD,
    inspect.Parameter.POSITIONAL_ONLY,
)


def _clean(text: str) -> str:
    r"""Take out what the service refuses: NUL, also as JSON writes it, and lone surrogates."""
    text = text.replace("\x00", "").replace("\\u0000", "")
    return text.encode("utf-8", "replace").decode("utf-8")


def _digest(content: Any) -> str:
    told = json.dumps(to_jsonable_python(content), sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()[:40]
