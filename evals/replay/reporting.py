"""Replayed conversations as an experiment of a report: one case a conversation."""

from collections.abc import Sequence
from itertools import groupby

from evals.experiments import Experiment
from evals.gates import Gates, cases, read_gates
from evals.measures import CaseResult, Measure, Miss, rate
from evals.replay.playing import Played
from evals.reporting.document import Held

AS_WRITTEN, OTHERWISE = "as_written", "turns_otherwise"


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
    every = read_gates("replay", (AS_WRITTEN, OTHERWISE))
    return {**every, **read_gates(f"replay_{folder}", (AS_WRITTEN, OTHERWISE))}
