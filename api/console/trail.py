"""The path of one decision through the stages, drawn: where it went, where it ended."""

from dataclasses import dataclass

from state.record import DecisionTrace

STAGES: tuple[tuple[str, str, str], ...] = (
    ("arrival", "receive", "taken in"),
    ("salience", "filter_salience", "weighed"),
    ("relevance", "assess_relevance", "relevance"),
    ("timing", "choose_timing", "timing"),
    ("policy", "decide_policy", "policy"),
    ("result", "decide", "decided"),
    ("classification", "classify_action", "class"),
    ("gate", "offer or confirm", "asked"),
    ("outcome", "act", "done"),
    ("response", "compose", "worded"),
    ("delivery", "deliver", "told"),
)
"""What a stage leaves behind, the stage, and the word under its point."""

STEP = 15
"""Pixels between two points."""


@dataclass(frozen=True)
class Point:
    """One stage on the path."""

    stage: str
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
    last = max(place for place, (key, _stage, _word) in enumerate(STAGES) if key in left)
    return Trail(
        tuple(
            Point(stage, word, STEP * place + STEP // 2, key in left, place == last)
            for place, (key, stage, word) in enumerate(STAGES)
        )
    )
