"""Our journal cases as experiments of a report, held to the same gates."""

from collections.abc import Sequence
from hashlib import sha256

from evals.experiments import Experiment
from evals.gates import Gates
from evals.gates import cases as counted
from evals.journal.detection import Judged
from evals.journal.filtering import Read
from evals.measures import CaseResult, Measure, Miss
from evals.reporting.document import Held


def detected(name: str, found: Sequence[Judged], measures: Sequence[Measure], gates: Gates) -> Held:
    """Report conversations of which it was told whether a decision falls in them."""
    said = [_said(one) for one in found]
    asked = [one.case.model_dump_json() for one in found]
    right = [one.is_decision == one.case.decides for one in found]
    kinds = [one.case.kind for one in found]
    heard = ["decision" if one.is_decision else "no decision" for one in found]
    return _held(name, (said, asked, right, kinds, heard), measures, gates)


def filtered(name: str, read: Sequence[Read], measures: Sequence[Measure], gates: Gates) -> Held:
    """Report questions whose filters were read."""
    said = [one.asked.q for one in read]
    asked = [one.asked.model_dump_json() for one in read]
    right = [one.is_exact for one in read]
    kinds = ["technologies" if one.is_on_technologies else "" for one in read]
    return _held(name, (said, asked, right, kinds, [""] * len(said)), measures, gates)


def _held(
    name: str,
    columns: tuple[list[str], list[str], list[bool], list[str], list[str]],
    measures: Sequence[Measure],
    gates: Gates,
) -> Held:
    said, asked, right, kinds, heard = columns
    ids = [f"{name}-{number}" for number in range(1, len(said) + 1)]
    cases = tuple(
        CaseResult(
            case=case,
            unit=case,
            fingerprint=sha256(whole.encode()).hexdigest()[:8],
            scores={"right": float(is_right)},
            answered=answered,
            kind=kind,
        )
        for case, whole, is_right, kind, answered in zip(
            ids, asked, right, kinds, heard, strict=True
        )
    )
    misses = tuple(
        Miss(case=case, text=text, wrong={"right": f"{kind}: {answered}".strip(": ")})
        for case, text, is_right, kind, answered in zip(ids, said, right, kinds, heard, strict=True)
        if not is_right
    )
    experiment = Experiment(
        dataset=name,
        pack="journal",
        n=len(cases),
        measures=(counted(len(cases)), *measures),
        misses=misses,
        errors=(),
        cases=cases,
    )
    return Held(experiment=experiment, gates=gates)


def _said(one: Judged) -> str:
    speaker, text = one.case.lines[-1]
    return f"{speaker}: {text}" if speaker else text
