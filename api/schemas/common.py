"""Request and response types shared by resources.

Messages, approvals, offers, paging, outputs, tools.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal, TypeVar

from pydantic import ConfigDict, Field, field_validator

from api.schemas.examples import Json
from state.approval import ActionState
from state.dialog import ShownApproval
from state.errors import BadInput
from state.event import EventEntity, Instant, Intent
from state.noun import LONGEST_NAME, CleanJson, CleanText, Name, Noun
from state.offer import Offer
from state.record import DecisionRecord, Outcome
from state.refusal import Refusal, RefusalWish
from state.tool_pin import PinnedTool
from tools.platform.texts import t


class InSession(Noun):
    """Which session."""

    session_id: Name = "default"


After = Annotated[
    str | None,
    Field(
        pattern=r"^[A-Za-z0-9._:-]{1,200}$",
        description="`next_cursor` of the page before",
    ),
]
NextCursor = Annotated[str | None, Field(description="null on the last page")]


class Message(Noun):
    """What a person says; user and role are the key's own unless it may speak for others."""

    text: CleanText = Field(min_length=1, description="never only blanks")
    session_id: Name = "default"
    tenant_id: Name | None = Field(default=None, description="the key's; another one is refused")
    user: Name | None = None
    role: Name | None = None
    event_id: Name | None = Field(default=None, description="the same one: the same decision")
    source: Name = "unknown"
    occurred_at: Instant | None = None
    intent: Intent = "unknown"
    entities: tuple[EventEntity, ...] = Field(default=(), max_length=100)
    payload: Mapping[str, CleanJson] = Field(default_factory=dict)
    expires_in_seconds: float | None = Field(default=None, gt=0)

    @field_validator("text")
    @classmethod
    def _says_something(cls, text: str) -> str:
        if not text.strip():
            raise ValueError("say something: the text is empty")
        return text


class Ack(Noun):
    """An event is on disk and will be decided, whatever happens to this process."""

    event_id: str
    decision_id: str
    duplicate: bool = Field(description="it had been accepted before; there is one decision")
    status: Literal["accepted"] = "accepted"


class DecisionDetails(DecisionRecord):
    """A record with what it asks of a person."""

    offer: Offer | None = Field(default=None, description="the chips, when some were offered")
    approval: ShownApproval | None = Field(default=None, description="when a yes is awaited")


class DecisionFilter(Noun):
    """Which decisions to list."""

    session_id: Name | None = None
    outcome: Outcome | None = None
    limit: int = Field(default=50, ge=1, le=200)
    cursor: str | None = Field(
        default=None,
        pattern=r"^[0-9]{1,12}(\.[0-9]{1,9})?/[0-9a-f-]{36}$",
        description="`next_cursor` of the page before",
    )


class DecisionPage(Noun):
    """Decisions, newest first."""

    decisions: tuple[DecisionRecord, ...]
    next_cursor: str | None = Field(description="null on the last page")


class ApprovalFilter(Noun):
    """Which approvals to list."""

    state: ActionState = "pending"
    limit: int = Field(default=100, ge=1, le=200)
    cursor: After = None


class ApprovalList(Noun):
    """Class C actions and where they stand."""

    approvals: tuple[ShownApproval, ...]
    next_cursor: NextCursor = None


class BatchItem(Noun):
    """One answer of several."""

    action_id: Name
    decision: Literal["approve", "reject", "edit", "respond"]
    digest: Name
    arguments: Mapping[CleanText, CleanJson] | None = None
    reason: CleanText | None = Field(default=None, max_length=2_000)
    typed: CleanText | None = Field(default=None, max_length=200)
    standing: RefusalWish | None = None


class Batch(Noun):
    """Several answers, each with the digest of what it answers."""

    answers: tuple[BatchItem, ...] = Field(min_length=1, max_length=50)


class BatchResult(Noun):
    """What came of one answer: the approval as it stands, or why the answer was not taken."""

    action_id: str
    status: int = Field(description="as the answer alone would have been answered")
    approval: ShownApproval | None = None
    problem: "ProblemDetails | None" = None


class BatchAnswered(Noun):
    """What came of each answer, in order."""

    results: tuple[BatchResult, ...]


class Evidence(Noun):
    """What a person found out about an action whose end nobody could tell."""

    happened: bool = Field(strict=True)
    evidence: CleanText = Field(min_length=1, max_length=2_000, description="what, and where")


class RefusalFilter(Noun):
    """Which page of what is refused beforehand."""

    limit: int = Field(default=200, ge=1, le=200)
    cursor: After = None


class RefusalList(Noun):
    """What is refused beforehand, newest first."""

    refusals: tuple[Refusal, ...]
    next_cursor: NextCursor = None


class OfferFilter(Noun):
    """Which offers to list."""

    open: bool = Field(default=True, description="false: chosen and expired ones too")
    limit: int = Field(default=200, ge=1, le=200)
    cursor: After = None


class OfferList(Noun):
    """Suggestion chips of past decisions, newest first."""

    offers: tuple[Offer, ...]
    next_cursor: NextCursor = None


class ActionFilter(Noun):
    """Which actions to list."""

    undoable: bool = Field(default=False, description="true: only what can be undone right now")
    limit: int = Field(default=100, ge=1, le=200)
    cursor: After = None


class ActionList(Noun):
    """Changes that were asked for, newest first, and how they stand."""

    actions: tuple[ShownApproval, ...]
    next_cursor: NextCursor = None


class Choice(Noun):
    """The chip a person picks, and values for the slots it still lacks."""

    chip_id: Name
    arguments: Mapping[str, CleanJson] = Field(default_factory=dict)


class Liveness(Noun):
    """This process answers."""

    status: Literal["alive"] = "alive"


class Readiness(Noun):
    """This process can decide."""

    status: Literal["ready"] = "ready"
    degraded: tuple[str, ...] = Field(default=(), description="what works in a lesser way")


class Index(Noun):
    """Where to go from here."""

    name: str
    version: str
    links: Mapping[str, str]


class FieldProblem(Noun):
    """One field that is wrong, and how."""

    field: str
    problem: str


class ProblemDetails(Noun):
    """An RFC 9457 problem; every refusal has this form."""

    model_config = ConfigDict(extra="allow")

    type: str
    title: str
    status: int
    detail: str
    instance: str
    request_id: str
    errors: tuple[FieldProblem, ...] = Field(default=(), description="for invalid fields")
    standing: str | None = Field(default=None, description="for a conflict: what it is now")
    reasons: tuple[str, ...] = Field(default=(), description="for not ready: why")


T = TypeVar("T")


class PageWish(Noun):
    """Which page of a list."""

    limit: int = Field(default=100, ge=1, le=200)
    cursor: CleanText | None = Field(
        default=None, max_length=3 * LONGEST_NAME, description="`next_cursor` of the page before"
    )


class SessionPageWish(InSession, PageWish):
    """Which page of a session's list."""


def page_of(
    found: Sequence[T], wanted: PageWish, name: Callable[[T], str]
) -> tuple[tuple[T, ...], str | None]:
    """Cut a page out of a list, and name what the next one begins after; None: it is the last.

    Raises:
        BadInput: nothing in it has the name that `cursor` is.
    """
    rest = list(found)
    if wanted.cursor is not None:
        places = [place for place, one in enumerate(found) if name(one) == wanted.cursor]
        if not places:
            raise BadInput(t("problem.cursor"))
        rest = rest[places[0] + 1 :]
    page = tuple(rest[: wanted.limit])
    return page, name(page[-1]) if len(rest) > len(page) else None


class Emission(InSession):
    """Words to be said."""

    text: Annotated[CleanText, Field(min_length=1, max_length=2_000)]


class Interruption(Noun):
    """Whose voice is to fall silent."""

    session_id: Name | None = Field(default=None, description="null: in every session of yours")


class Interrupted(Noun):
    """What came of it."""

    dropped: int = Field(description="utterances cut off or never begun")


OUTPUT_STATE: Json = {
    "engine": "espeak-ng",
    "is_ready": True,
    "problem": None,
    "speaking": {
        "decision_id": "0f3b1c9e-7a55-5c0a-9d0e-51f1a3a7c001",
        "tenant_id": "default",
        "session_id": "engine-room",
        "text": "Bilge level high",
        "urgent": True,
        "speed": 1.2,
    },
    "since": "2026-02-07T14:32:00Z",
    "queue": [],
}
EMITS: dict[str, Any] = {"words": {"value": {"text": "Dinner is ready"}}}
INTERRUPTS: dict[str, Any] = {"a session": {"value": {"session_id": "engine-room"}}}


_PINNED = "0c7f1d0f3a5c4f6e9e5f6c1a2b3d4e5f60718293a4b5c6d7e8f9000102030405"
_SEEN = "9b1de2f3c4a5968778695a4b3c2d1e0f00112233445566778899aabbccddeeff"


class ToolPage(Noun):
    """The pinned tools of a deployment."""

    tools: tuple[PinnedTool, ...]
    next_cursor: str | None = Field(default=None, description="null on the last page")


CHANGED: Json = {
    "id": "desk/notebook/erase_notebook",
    "action": "notebook_erase_notebook",
    "standing": "changed",
    "sha256": _PINNED,
    "pinned_at": "2026-06-14T18:00:00Z",
    "accepted_by": None,
    "seen_sha256": _SEEN,
    "seen_at": "2026-06-15T07:30:00Z",
    "changes": [{"field": "annotations.readOnlyHint", "before": None, "after": "true"}],
    "approver_roles": ["captain"],
}
ACCEPTED: Json = {
    **CHANGED,
    "standing": "pinned",
    "sha256": _SEEN,
    "pinned_at": "2026-06-15T08:00:00Z",
    "accepted_by": "marta",
    "seen_sha256": None,
    "seen_at": None,
    "changes": [],
}
ACCEPTANCES: dict[str, Any] = {
    "a change that was read": {
        "value": {"id": "desk/notebook/erase_notebook", "sha256": _SEEN},
    }
}
