"""Replayed conversations as an experiment of a report: one case a conversation."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from evals.experiments import Experiment
from evals.gates import Gates, cases, read_gates
from evals.measures import CaseResult, Measure, Miss, rate, share
from evals.replay.comparing import Came
from evals.replay.playing import Played
from evals.reporting.document import Held

AS_WRITTEN, OTHERWISE = "as_written", "turns_otherwise"
RECENCY_KEPT, STAGE_MADE = "recency_kept", "stage_made"
"""Two rates of the policy-first plan, phase G: a release is blocked when one of them drops."""
_NAMES = (AS_WRITTEN, OTHERWISE, RECENCY_KEPT, STAGE_MADE)


def replayed(played: Sequence[tuple[str, Played]]) -> tuple[Held, ...]:
    """Report what was played, by the folder of its files: each conversation has to be as written.

    Args:
        played: folder and conversation, in order of the folders.
    """
    groups = groupby(played, key=lambda pair: pair[0])
    return tuple(_held(folder, [one for _folder, one in pairs]) for folder, pairs in groups)


def _held(folder: str, played: Sequence[Played]) -> Held:
    right = [float(not one.differences) for one in played]
    turns = sum(len(one.came) for one in played)
    went = {difference.where for one in played for difference in one.differences}
    experiment = Experiment(
        dataset=f"replay_{folder}",
        pack=folder,
        n=len(played),
        measures=(
            cases(len(played)),
            rate(AS_WRITTEN, right, [one.id for one in played]),
            Measure(name=OTHERWISE, value=len(went), n=turns, kind="count"),
            *_kept_word([one for each in played for one in each.came]),
        ),
        misses=tuple(
            Miss(
                case=one.id,
                text=" / ".join(one.said),
                wrong={
                    f"{each.where} {each.field}": f"{each.got}, wanted {each.expected}"
                    for each in one.differences
                },
            )
            for one in played
            if one.differences
        ),
        errors=(),
        cases=tuple(
            CaseResult(
                case=one.id,
                unit=one.id,
                fingerprint=one.fingerprint,
                scores={AS_WRITTEN: score},
                answered=" · ".join(came.outcome for came in one.came),
            )
            for one, score in zip(played, right, strict=True)
        ),
    )
    return Held(experiment=experiment, gates=_gates(folder))


def _gates(folder: str) -> Gates:
    """Read what holds for all conversations, and for those of a folder beside it."""
    return {**read_gates("replay", _NAMES), **read_gates(f"replay_{folder}", _NAMES)}


def _kept_word(came: Sequence[Came]) -> Iterator[Measure]:
    """Tell how often policy kept its word where it was due; a pack without searches has neither."""
    turns = [one.quality for one in came if one.quality is not None]
    recency = [one.recency_kept for one in turns if one.recency_asked]
    stages = [one.stage_made for one in turns if one.stage_due]
    for name, kept in ((RECENCY_KEPT, recency), (STAGE_MADE, stages)):
        if kept:
            yield share(name, sum(kept), len(kept))
