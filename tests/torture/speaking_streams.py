"""What must hold of a stream that is told, held and released. Source: executive.md §2.

The stages are the real ones; only the store of holds and its pulse are played here.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from state.event import Event
from state.held import Held
from state.judgement import Timing
from state.release import DIGEST, EXPIRY, FLUSH, QUIET_ENDED, group_of
from state.response import Delivery, Response
from state.salience import SalienceVector
from state.session import Session
from state.stages import Assessed, Gathered, Weighed
from tests.stages import NOW, SECONDS, TUNING, event_of
from tests.torture.speaking_more import CHOOSING, NAMES, after, judged_at

STEP = 5.0
CALM = 0.79
"""The highest threat that is told only when it is worth it."""
MUTED_SECONDS = 60.0
LONGEST = (
    1.5 * TUNING.timing.hold_seconds["default"]
    + TUNING.timing.batch_windows * TUNING.timing.batch_seconds["default"]
)
"""Seconds that anything waits at most, but for a mute."""


@dataclass
class Telling:
    """A session to which things happen, and what it hears of them."""

    session: Session
    waiting: dict[str, tuple[Held, tuple[str, ...]]] = field(default_factory=dict)
    heard: list[set[str]] = field(default_factory=list)
    """Each utterance, as the events that it tells."""
    ended: Counter[str] = field(default_factory=Counter)

    def happens(self, event: Event, now: datetime) -> None:
        """Take one event at its moment, after what is due by then."""
        self.pass_to(now)
        beside = [
            held
            for held, _on in self.waiting.values()
            if held.timing == "batched" and held.group == group_of(event)
        ]
        self._decide(event, now, beside)

    def pass_to(self, now: datetime) -> None:
        """Let time pass; what is due ends its wait, one utterance after the other."""
        rounds = 0
        while due := [one for one in self.waiting.values() if one[0].due_at <= now]:
            rounds += 1
            assert rounds < 50, (due, now, self.session)
            first, on = min(due, key=lambda one: (one[0].due_at, one[0].decision_id))
            by = EXPIRY
            if QUIET_ENDED in on:
                by = QUIET_ENDED
            elif first.timing == "batched":
                by = FLUSH
            del self.waiting[first.decision_id]
            group = DIGEST if by == QUIET_ENDED else first.group
            beside = [held for held, _on in self.waiting.values() if held.group == group]
            since = {"released_by": by, "held_since": first.held_at}
            self._decide(first.event, first.due_at, beside, **since)

    def _decide(self, event: Event, now: datetime, beside: Sequence[Held], **arrival: Any) -> None:
        state, found = judged_at(event, self.session, now, **arrival)
        gathered = Gathered(**dict(state), relevance=found)
        timing = None
        if not state.salience.dull and found.verdict in ("alert", "continue", "hold"):
            timing = CHOOSING.choose(Assessed(**dict(state), relevance=found), beside)
            gathered = gathered.model_copy(update={"timing": timing})
        if timing is not None and timing.due_at is not None:
            self._hold(state, timing, now)
        elif timing is not None and timing.outcome == "immediate":
            gathered = gathered.model_copy(
                update={
                    "response": Response(type="observation", text=event.text),
                    "delivery": Delivery(output="text", delivered_at=now, reason="r"),
                }
            )
            self._told(event, timing)
        else:
            self.ended[event.event_id] += 1
        self.session = after(self.session, gathered)

    def _hold(self, state: Weighed, timing: Timing, now: datetime) -> None:
        held = Held.model_validate(
            {
                "decision_id": state.event.event_id,
                "event": state.event,
                "timing": timing.outcome,
                "group": timing.group,
                "release_on": timing.release_on,
                "urgency": timing.urgency,
                "held_at": state.arrival.held_since or now,
                "due_at": timing.due_at,
            }
        )
        self.waiting[held.decision_id] = (held, timing.release_on)

    def _told(self, event: Event, timing: Timing) -> None:
        gone = [one for one in timing.beside if one.ending != "stays"]
        for one in gone:
            del self.waiting[one.decision_id]
            self.ended[one.decision_id] += 1
        self.ended[event.event_id] += 1
        told = {one.decision_id for one in gone if one.ending == "told"}
        self.heard.append({event.event_id} | told)


def check_streams(
    vectors: Sequence[SalienceVector], session: Session, split: int, jump: float
) -> None:
    """Check a stream, the same doubled, under a mute, and with a clock that jumps."""
    calm = [one.model_copy(update={"threat": min(one.threat, CALM)}) for one in vectors]
    events = _stream(calm)
    _check_empty(_played(events, session), events, session)
    _check_doubled(events[:2], session)
    _check_mute(events, session, split)
    _check_jump(calm[0], session, split, jump)


def _check_empty(telling: Telling, events: Sequence[Event], session: Session) -> None:
    last = events[-1].occurred_at or NOW
    muted = max(0.0, (session.muted_until or 0.0) - SECONDS)
    for held, _on in telling.waiting.values():
        assert held.due_at <= last + timedelta(seconds=muted + LONGEST), "a wait beyond its life"
    telling.pass_to(last + timedelta(seconds=muted + LONGEST))
    telling.pass_to(last + timedelta(seconds=muted + 2 * LONGEST))
    assert not telling.waiting, "what waits for ever"
    assert telling.ended == Counter(event.event_id for event in events), "one end for each"


def _check_doubled(events: Sequence[Event], session: Session) -> None:
    """Of somebody who asked for nothing special: who asks for more of a thing may hear it twice."""
    usual = session.model_copy(update={"topics": (), "focus": 0.5, "talk_bias": 0.0})
    twice = [one for event in events for one in (event, _again(event))]
    once, doubled = (_played(each, usual) for each in (events, twice))
    for telling in (once, doubled):
        telling.pass_to(NOW + timedelta(seconds=2 * LONGEST))
    assert len(doubled.heard) <= len(once.heard) + 1, "the same twice"


def _check_mute(events: Sequence[Event], session: Session, split: int) -> None:
    """Of what is over when a mute ends nothing is told, of the rest one digest."""
    muted = session.model_copy(update={"muted_until": SECONDS + MUTED_SECONDS, "busy": None})
    over = {event.event_id for event in events[:split]}
    short = [
        event.model_copy(update={"expires_in_seconds": 10.0}) if event.event_id in over else event
        for event in events
    ]
    telling = _played(short, muted)
    end = NOW + timedelta(seconds=MUTED_SECONDS)
    telling.pass_to(end - timedelta(seconds=1))
    assert not telling.heard, "a word under a mute"
    kept = [held for held, _on in telling.waiting.values()]
    all_worth = kept and all(_is_still_worth(held, telling.session, end) for held in kept)
    telling.pass_to(end)
    assert len(telling.heard) <= 1, "one digest at most"
    assert telling.heard or not all_worth, "a digest of what is still true"
    assert not over & set().union(*telling.heard), "what is over"


def _check_jump(vector: SalienceVector, session: Session, when: int, jump: float) -> None:
    fresh = Session(
        tenant_id="default", session_id="default", started_at=SECONDS, traits=session.traits
    )
    steady = _stream([vector] * 4, same=True)
    jumped = [
        event.model_copy(
            update={"occurred_at": event.occurred_at + timedelta(seconds=jump)}
            if event.occurred_at and number > min(when, 2)
            else {}
        )
        for number, event in enumerate(steady)
    ]
    assert len(_played(jumped, fresh).heard) <= len(_played(steady, fresh).heard) + 1, "a jump"


def _is_still_worth(held: Held, session: Session, now: datetime) -> bool:
    since = {"released_by": QUIET_ENDED, "held_since": held.held_at}
    state, found = judged_at(held.event, session, now, **since)
    return not state.salience.dull and found.verdict == "continue"


def _stream(vectors: Sequence[SalienceVector], *, same: bool = False) -> list[Event]:
    return [
        event_of(
            NAMES[0] if same else f"{NAMES[number]} {NAMES[number][::-1]}",
            event_id=str(number),
            salience=vector,
            entities=["tide"],
            occurred_at=NOW + timedelta(seconds=STEP * number),
        )
        for number, vector in enumerate(vectors)
    ]


def _again(event: Event) -> Event:
    return event.model_copy(update={"event_id": f"{event.event_id} again"})


def _played(events: Sequence[Event], session: Session) -> Telling:
    telling = Telling(session)
    for event in events:
        telling.happens(event, event.occurred_at or NOW)
    return telling
