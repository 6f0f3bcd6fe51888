"""Decisions: the live list, each with its path through the stages, and one decision in full."""

from dataclasses import dataclass
from typing import Annotated, get_args

from fastapi import APIRouter, Query
from pydantic import Field
from starlette.responses import RedirectResponse, Response

from api.console.forms import FormRequest
from api.console.rendering import is_htmx, page_url, render
from api.console.route import ConsoleRoute
from api.http.bodies import validated
from api.http.dependencies import Caller, Identifier, TheExecutive, TheTasks
from api.http.problems import INVALID, Problem
from graph.executive import Executive
from graph.presenters.explanation import explain, stage_title
from graph.services.heuristic_learning import is_silence
from state.cursor import cursor_of, read_cursor
from state.heuristic import RatedSilence
from state.noun import Name, Noun
from state.quality import Regret
from state.reader import Reader
from state.record import DecisionRecord, DecisionTrace, Outcome
from state.talk import TalkRequest
from tools.access.permissions import may_change
from tools.platform.texts import t

STAGES = (
    "arrival",
    "salience",
    "relevance",
    "timing",
    "policy",
    "result",
    "classification",
    "gate",
    "outcome",
    "response",
    "delivery",
)
"""What each stage leaves behind, in order; `gate` is an offer or an approval."""

STEP = 15
"""Pixels between two points."""


@dataclass(frozen=True)
class Point:
    """One stage on the path."""

    word: str
    x: int
    reached: bool
    is_last: bool


@dataclass(frozen=True)
class Trail:
    """The points of a path, in order."""

    points: tuple[Point, ...]

    @property
    def end(self) -> Point:
        """The stage where it ended."""
        return next(point for point in self.points if point.is_last)

    @property
    def width(self) -> int:
        """Pixels of all of it."""
        return STEP * len(self.points)

    @property
    def said(self) -> str:
        """The path in words, for whoever does not see it."""
        return " → ".join(point.word for point in self.points if point.reached)


def trail_of(trace: DecisionTrace) -> Trail:
    """Draw the stages that left something behind; every decision was taken in."""
    left = {name for name, body in trace.stages.items() if body} | {"arrival"}
    record = trace.record
    if record.offer_id or (record.action_id and record.execution_class == "C"):
        left.add("gate")
    if record.outcome == "awaiting_approval":
        left -= {"outcome", "response", "delivery"}
    last = max(place for place, key in enumerate(STAGES) if key in left)
    return Trail(
        tuple(
            Point(stage_title(key), STEP * place + STEP // 2, key in left, place == last)
            for place, key in enumerate(STAGES)
        )
    )


MOST_ROWS = 60
MOST_MISSED = 200
"""Rows sent again after a gap; of more only the newest."""


class LiveFilter(Noun):
    """Which decisions are watched."""

    outcome: Outcome | None = None
    session: Name | None = None

    def shows(self, record: DecisionRecord) -> bool:
        """Tell whether a decision is one of them."""
        return self.outcome in (None, record.outcome) and self.session in (None, record.session_id)


class StreamQuery(LiveFilter):
    """What one page wants of the stream."""

    rows: bool = Field(default=False, description="decisions, and not only that there is one")
    after: str = Field(default="", max_length=100, description="the last row it has")
    of: str = Field(default="", max_length=100, description="the session its page was drawn for")


@dataclass(frozen=True)
class Row:
    """A decision and its path."""

    trace: DecisionTrace
    trail: Trail

    @property
    def who(self) -> str:
        """Who said it, or what it came from."""
        event = self.trace.event
        said = event.get("kind") in ("message", "choice")
        return str((said and event.get("user")) or event.get("source") or "")

    @property
    def cursor(self) -> str:
        """Its place in the list of all decisions."""
        return cursor_of(self.trace.record)


async def newest_rows(
    executive: Executive, reader: Reader, watched: LiveFilter, before: str = ""
) -> tuple[list[Row], bool]:
    """Read the newest decisions, or those before a row's cursor; tell whether there are older.

    Raises:
        BadInput: it is no cursor.
    """
    found = await executive.records.newest_whole(
        reader,
        session_id=watched.session,
        outcome=watched.outcome,
        before=read_cursor(before) if before else None,
        limit=MOST_ROWS + 1,
    )
    return list(map(row_of, found[:MOST_ROWS])), len(found) > MOST_ROWS


async def rows_after(
    executive: Executive, reader: Reader, watched: LiveFilter, after: str
) -> list[Row]:
    """Read what was decided after the row of a cursor, oldest first.

    Raises:
        BadInput: it is no cursor.
    """
    found = await executive.records.newest_whole(
        reader,
        session_id=watched.session,
        outcome=watched.outcome,
        after=read_cursor(after),
        limit=MOST_MISSED,
    )
    return list(map(row_of, reversed(found)))


def row_of(trace: DecisionTrace) -> Row:
    """Draw the path of a decision."""
    return Row(trace, trail_of(trace))


router = APIRouter(route_class=ConsoleRoute, include_in_schema=False)

Chosen = Annotated[str, Query(max_length=200)]


@router.get("/console/live")
async def live(
    request: FormRequest,
    caller: Caller,
    executive: TheExecutive,
    outcome: Chosen = "",
    session: Chosen = "",
    before: Chosen = "",
) -> Response:
    """Show the newest decisions; the page's script puts what happens next above them.

    Of what was before a row nothing is new: such a page stands still.
    """
    watched = validated(LiveFilter, {"outcome": outcome or None, "session": session or None})
    rows, has_older = await newest_rows(executive, executive.readers.of(caller), watched, before)
    context = {
        "rows": rows,
        "has_older": has_older,
        "is_past": bool(before),
        "watched": watched,
        "outcomes": get_args(Outcome),
        "legend": ", ".join(map(stage_title, STAGES)),
    }
    return render(request, "live.html", context)


@router.get("/console/decisions/{decision_id}")
async def decision(
    decision_id: Identifier, request: FormRequest, caller: Caller, executive: TheExecutive
) -> Response:
    """Say what `prefrontal why` says, with the path drawn."""
    reader = executive.readers.of(caller)
    trace = await executive.records.trace(decision_id, reader)
    came, made, *stages, changed = explain(trace)
    regret = await executive.regrets.of(decision_id, reader)
    context = {
        "trace": trace,
        "trail": trail_of(trace),
        "came": came,
        "made": made,
        "stages": stages,
        "changed": changed,
        "regret": regret,
        "missed": await _missed(executive, reader, trace, regret),
        "can_regret": is_silence(trace) and may_change(executive.catalogue, caller.roles),
    }
    return render(request, "decision.html", context)


async def _missed(
    executive: Executive, reader: Reader, trace: DecisionTrace, regret: Regret | None
) -> RatedSilence | None:
    if regret is None or regret.kind != "silence":
        return None
    return await executive.feedback.rated_silence(trace, reader, "should_have_told")


@router.post("/console/decisions/{decision_id}/silence")
async def rate_silence(
    decision_id: Identifier,
    request: FormRequest,
    caller: Caller,
    executive: TheExecutive,
    work: TheTasks,
) -> Response:
    """Say of a silence that one should have been told, or take that or its cause back."""
    fields = await request.fields()
    reader = executive.readers.of(caller)
    trace = await executive.records.trace(decision_id, reader)
    match fields["do"]:
        case "should_have_told" | "rightly_silent" as rating:
            await work.finish(executive.feedback.rate_silence(caller, decision_id, rating))
        case "watch" | "forget" as kind:
            missed = await executive.feedback.rated_silence(trace, reader, "should_have_told")
            topic = missed.watch if kind == "watch" else missed.rule
            if topic is not None:  # else it was pressed twice
                asked = TalkRequest(kind=kind, topic=topic)
                session_id = trace.record.session_id
                await work.finish(executive.controls.ask(caller, session_id, asked))
        case _:
            raise Problem(INVALID, t("console.form.no_change"))
    if not is_htmx(request):
        return RedirectResponse(page_url(request, f"/decisions/{decision_id}"), 303)
    regret = await executive.regrets.of(decision_id, reader)
    context = {"record": trace.record, "missed": await _missed(executive, reader, trace, regret)}
    return render(request, "_silence.html", context)
