"""What must hold of several events, of people's reactions, and of a model that fails.

Source: executive.md §2.
"""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from state.errors import ModelUnavailable
from state.event import Event
from state.held import Held
from state.judgement import Relevance, Timing
from state.release import FLUSH
from state.response import Delivery, Response
from state.salience import SalienceVector
from state.session import Session
from state.stages import Assessed, Gathered, Weighed
from tests.characters import character_of
from tests.kept import PACKS
from tests.nodes.assessing import choosing
from tests.stages import NOW, TUNING, arrival_of, event_of
from tools.attention.inbox import Inbox, InboxPlace
from tools.attention.llm_tiebreak import LlmTiebreak
from tools.attention.relevance import SKEW_SECONDS
from tools.memory.session.feedback import apply_reaction
from tools.memory.session.update import SessionUpdate

CHOOSING = choosing().choosing
GATES, WEIGHING = CHOOSING.rejudging.gates, CHOOSING.rejudging.weighing
REMEMBERING = SessionUpdate(character_of(), TUNING.habituation, TUNING.relevance, PACKS)
NAMES = ("anchor", "bollard", "capstan")


class Failing:
    """A model that answers nothing."""

    model_name = "failing"

    async def answer(self, instructions: str, prompt: str, form: type[Any], **_: Any) -> Any:
        raise ModelUnavailable("failing took over 2 s")


BAND = LlmTiebreak(Failing(), TUNING.relevance)


def events_of(vectors: Sequence[SalienceVector]) -> list[Event]:
    """Make events about one thing that come a second after each other, each in its own words."""
    return [
        event_of(
            f"{name} {name[::-1]}",
            event_id=name,
            salience=vector,
            entities=["tide"],
            occurred_at=NOW + timedelta(seconds=number),
        )
        for number, (name, vector) in enumerate(zip(NAMES, vectors, strict=False))
    ]


def check_batch(vectors: Sequence[SalienceVector], session: Session, split: int) -> None:
    """Check that a batch that comes apart tells the same things, only grouped otherwise."""
    now = NOW + timedelta(seconds=10)
    later = now + timedelta(seconds=5)
    session = _steady(session, now, later)
    held = [_held(event) for event in events_of(vectors) if _is_worth(event, session)]
    whole = _told([(held, now)], session)
    apart = _told([(held[:split], now), (held[split:], later)], session)
    assert whole == apart, "a batch that comes apart"


def _steady(session: Session, start: datetime, end: datetime) -> Session:
    """Leave out what begins to count between two moments.

    A clock that was set back leaves marks of the past ahead of it. They count from SKEW_SECONDS
    before their time on, and what happens between two flushes may well part them.
    """
    first, last = (at.timestamp() + SKEW_SECONDS for at in (start, end))

    def begins(at: float | None) -> bool:
        return at is not None and first < at <= last

    def turns_load(at: float) -> bool:
        """Tell whether it begins or ends between the two to count for how much is said."""
        begun, ended = start.timestamp(), end.timestamp()
        return begun < at <= ended or begun <= at + TUNING.relevance.load_seconds < ended

    def kept(times: Sequence[float]) -> tuple[float, ...]:
        return tuple(at for at in times if not begins(at))

    steady = {
        "annoyed_at": kept(session.annoyed_at),
        "slighted_at": kept(session.slighted_at),
        "quiet_asked_at": None if begins(session.quiet_asked_at) else session.quiet_asked_at,
        "spoken": tuple(
            said for said in session.spoken if not (begins(said.at) or turns_load(said.at))
        ),
    }
    return session.model_copy(update=steady)


def check_order(runner: asyncio.Runner, vectors: Sequence[SalienceVector], split: int) -> None:
    """Check that what comes in one tick is decided in one order, however it came."""
    events = [event.model_copy(update={"occurred_at": NOW}) for event in events_of(vectors)]
    otherwise = (events[split:] + events[:split]) if split in (1, 2) else events[::-1]
    one, other = (runner.run(_turns(each)) for each in (events, otherwise))
    assert one == other, "what comes at once"
    assert sorted(one) == sorted(event.event_id for event in events), "each has its turn"


def check_model(runner: asyncio.Runner, state: Weighed, found: Relevance) -> None:
    """Check that a model that fails changes nothing but what is said of it."""
    if BAND.is_uncertain(state, found):
        after = runner.run(BAND.settled(state, found))
        assert after.model_copy(update={"model": None}) == found, "a model that fails"


def check_feedback(session: Session) -> None:
    """Check that the same reaction twice counts once."""
    for said in ("that's annoying", "thanks"):
        once = _after_reaction(session, said)
        assert _after_reaction(once, said) == once, "a reaction twice"


def _after_reaction(session: Session, said: str) -> Session:
    event = event_of(said, kind="message", user="amir")
    gathered = Gathered(event=event, arrival=arrival_of(event), session=session)
    changed = apply_reaction(
        session,
        gathered,
        NOW.timestamp(),
        TUNING.habituation,
        TUNING.personality,
        may_complain=True,
    )
    return session.model_copy(update=changed)


async def _turns(events: Sequence[Event]) -> list[str]:
    inbox, order = Inbox(TUNING.salience, TUNING.relevance), []

    async def take(place: InboxPlace) -> None:
        async with inbox.turn(place):
            order.append(place.event.event_id)

    await asyncio.gather(*[take(place) for place in [inbox.enter(event) for event in events]])
    return order


def _is_worth(event: Event, session: Session) -> bool:
    _state, found = judged_at(event, session, event.occurred_at or NOW)
    return found.verdict == "continue"


def _held(event: Event) -> Held:
    at = event.occurred_at or NOW
    return Held(
        decision_id=event.event_id,
        event=event,
        timing="batched",
        group="entity|tide",
        release_on=(),
        urgency=0,
        held_at=at,
        due_at=at,
    )


def _told(flushes: Sequence[tuple[Sequence[Held], datetime]], session: Session) -> set[str]:
    """Name what is told of them, at once or, of somebody busy, at the next break."""
    told: set[str] = set()
    for members, now in flushes:
        waiting = list(members)
        while waiting:
            first, *waiting = waiting
            timing, session = _released(first, waiting, session, now)
            if timing is None or timing.outcome == "dropped":
                continue
            told.add(first.decision_id)
            if timing.outcome == "immediate":
                told |= {one.decision_id for one in timing.beside if one.ending == "told"}
                waiting = []
    return told


def _released(
    first: Held, beside: Sequence[Held], session: Session, now: datetime
) -> tuple[Timing | None, Session]:
    state, found = judged_at(first.event, session, now, released_by=FLUSH, held_since=first.held_at)
    gathered = Gathered(**dict(state), relevance=found)
    if found.verdict != "continue":
        return None, after(session, gathered)
    timing = CHOOSING.choose(Assessed(**dict(state), relevance=found), tuple(beside))
    if timing.outcome == "immediate":
        said = {
            "response": Response(type="observation", text=first.event.text),
            "delivery": Delivery(output="text", delivered_at=now, reason="r"),
        }
        gathered = gathered.model_copy(update={"timing": timing, **said})
    return timing, after(session, gathered)


def after(session: Session, gathered: Gathered) -> Session:
    """Return the session after a decision, its character as the case has it."""
    # The traits of a case are nobody's: whose character this is would make others of them.
    return REMEMBERING.after(session, gathered).model_copy(update={"traits": session.traits})


def judged_at(
    event: Event, session: Session, now: datetime, **arrival: Any
) -> tuple[Weighed, Relevance]:
    """Weigh and judge an event at a moment."""
    age = (now - (event.occurred_at or now)).total_seconds()
    came = arrival_of(event, received_at=now, age_seconds=age, **arrival)
    salience = WEIGHING.weigh(event, came, session)
    state = Weighed(event=event, arrival=came, session=session, salience=salience)
    return state, GATES.judge(state)
