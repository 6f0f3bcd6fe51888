"""What is sent: kinds of event that take different ways through the graph."""

from dataclasses import dataclass
from itertools import count

from state.event import Event
from state.record import DecisionRecord, Outcome
from state.salience import SalienceVector

_NUMBERS = count(1)


class Astray(Exception):
    """An event took another way than the one that was to be measured."""

    def __init__(self, occasion: str, record: DecisionRecord | None) -> None:
        found = f"{record.outcome} ({record.reason})" if record else "no record"
        super().__init__(f"{occasion}: expected another outcome than {found}")


@dataclass(frozen=True)
class Occasion:
    """A kind of event; each one is new, in a session of its own, so that none is said twice."""

    name: str
    outcome: Outcome
    template: Event

    def event(self) -> Event:
        """Make the next event of this kind."""
        number = next(_NUMBERS)
        return self.template.model_copy(
            update={"event_id": f"bench-{number}", "session_id": f"bench-{number}"}
        )

    def check(self, record: DecisionRecord | None) -> None:
        """Make sure that the way was the one that is measured.

        Raises:
            Astray: it was not.
        """
        if record is None or record.outcome != self.outcome:
            raise Astray(self.name, record)


SPOKEN = Occasion(
    "ambient spoken",
    "spoke",
    Event(
        source="generator_panel",
        text="Port generator coolant temperature high: 93 degrees",
        salience=SalienceVector(threat=0.6, goal_relevance=0.85, actionability=0.8, novelty=0.5),
    ),
)
PASSED = Occasion(
    "ambient passed",
    "passed",
    Event(
        source="weather",
        text="Wind backing south-west, 12 knots",
        salience=SalienceVector(novelty=0.3, goal_relevance=0.25, social=0.3),
    ),
)
CLASS_A = Occasion(
    "Class A message",
    "executed",
    Event(
        kind="message",
        source="crew_chat",
        text="check stock of oil filters",
        user="ben",
        role="engineer",
    ),
)
CLASS_C = Occasion(
    "Class C message",
    "awaiting_approval",
    Event(
        kind="message",
        source="crew_chat",
        text="order 2 oil filters",
        user="ben",
        role="engineer",
    ),
)
OCCASIONS = (SPOKEN, PASSED, CLASS_A)
