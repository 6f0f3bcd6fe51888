"""Replayed conversations as an experiment of a report: one case a conversation."""

from collections.abc import Sequence
from hashlib import sha256
from itertools import groupby

from evals.experiments import Experiment
from evals.gates import Gate
from evals.measures import CaseResult, Measure, Miss, rate
from evals.replay.playing import Played
from evals.reporting.document import Held


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
            rate("as_written", right, [one.id for one in played]),
            Measure(name="turns_otherwise", value=len(went), n=turns, kind="count"),
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
                fingerprint=sha256("\n".join(one.said).encode()).hexdigest()[:8],
                scores={"as_written": score},
                answered=" · ".join(came.outcome for came in one.came),
            )
            for one, score in zip(played, right, strict=True)
        ),
    )
    gates = {"as_written": Gate(at_least=1.0), "turns_otherwise": Gate(at_most=0)}
    return Held(experiment=experiment, gates=gates)
