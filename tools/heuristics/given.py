"""Feedback as a signal carries it."""

from pydantic import ValidationError

from state.event import Event
from state.heuristic import Feedback


def feedback_in(event: Event) -> Feedback | None:
    """Read the feedback that a signal carries; None: none, or none of ours."""
    given = event.payload.get("feedback") if event.kind == "signal" else None
    try:
        return None if given is None else Feedback.model_validate(given)
    except ValidationError:
        return None
