"""Play a log again, whole; nothing but the sandbox's folder is written."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from evals.decision_log.comparing import compare
from evals.decision_log.entries import Decided, DecisionLog
from evals.decision_log.exporting import export
from evals.decision_log.playing import Playing
from evals.decision_log.sandbox import open_sandbox, settings_of


@dataclass(frozen=True)
class Replayed:
    """What came of it this time."""

    digest: str
    decided: tuple[Decided, ...]
    impossible: tuple[str, ...]
    """Clicks and answers for which there was no offer or question this time."""


async def replay(
    log: DecisionLog,
    folder: Path,
    *,
    policy: str | None = None,
    cache: Path | None = None,
    told: Callable[[int], None] = lambda _done: None,
) -> Replayed:
    """Decide everything again, under the log's own policy or another one.

    A folder that holds the first part of a replay of this log goes on with it.
    """
    if not log.given:
        return Replayed(log.head.digest, (), ())
    starts_at = log.given[0].at
    async with open_sandbox(
        log, folder, starts_at=starts_at, policy=policy, cache=cache
    ) as sandbox:
        playing = Playing(sandbox, log.given, _asked(log))
        async for done in playing.play():
            told(done)
        impossible = tuple(playing.impossible)
    again = await export(settings_of(log.head, folder, policy=policy, cache=cache))
    return Replayed(again.head.digest, tuple(again.decided), impossible)


def settle(log: DecisionLog, again: Replayed) -> list[str]:
    """Put what a replay decides in the place of what was; name the events that this concerns."""
    otherwise = [one.event_id for one in compare(log.decided, again.decided)]
    log.decided = list(again.decided)
    update = {"digest": again.digest, "decisions": len(again.decided)}
    log.head = log.head.model_copy(update=update)
    return otherwise


def _asked(log: DecisionLog) -> frozenset[str]:
    return frozenset(
        one.decision_id
        for one in log.decided
        if one.record.get("execution_class") == "C" and one.record.get("action_id") is not None
    )
