"""How a session stands on speaking, in words."""

from collections.abc import Iterator
from datetime import datetime

from state.quietness import Quietness


def standing_words(standing: Quietness) -> Iterator[str]:
    """Put it into words."""
    until = f", until {_clock(standing.until)}" if standing.until else ""
    yield f"{_REASONS.get(standing.reason, standing.reason.replace(':', ': '))}{until}"
    moves = ", ".join(f"{name} {value:+.2f}" for name, value in standing.moves.items())
    yield f"threshold {standing.threshold:.2f}, usually {standing.usual_threshold:.2f}: {moves}"
    yield (
        f"said {standing.said_lately} in the last ten minutes; "
        f"beyond {int(standing.free_utterances)} each raises the threshold"
    )
    if standing.quiet_hours:
        yield f"quiet hours: {standing.quiet_hours}"
    for rule in standing.topics:
        verb = "left alone" if rule.kind == "suppress" else "watched for"
        verb = f"{verb} (proposed, and agreed to)" if rule.learned else verb
        end = f" until {_clock(rule.until)}" if rule.until else ""
        yield f"{verb}{end}: {rule.topic}"
    for goal in standing.goals:
        yield f"goal: {goal}"
    for cause in standing.causes:
        yield f"hides what follows from it until {_clock(cause.until)}: {cause.text}"
    for pattern in standing.used_to:
        yield f"used to {pattern.pattern}: {pattern.level:.2f}"
    for one in standing.waiting:
        yield f"waits until {_clock(one.until)} ({one.why}): {one.text}"
    yield standing.counterfactual


def _clock(instant: datetime) -> str:
    return f"{instant:%Y-%m-%d %H:%M:%S} UTC"


_REASONS = {
    "free": "It speaks when something matters enough",
    "muted": "Quiet was asked for",
    "quiet_hours": "These are quiet hours",
    "asked": "It was asked to talk less",
    "load": "It has talked much lately",
    "annoyance": "Reactions were bad lately",
}
