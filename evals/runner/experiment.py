"""Run a dataset through langsmith's `evaluate`: uploaded with an API key, offline without one."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from time import perf_counter
from typing import Any

from langsmith import evaluate
from langsmith.evaluation import EvaluationResult
from langsmith.evaluation._runner import ExperimentResults
from langsmith.schemas import Run
from pydantic import Field, field_validator

from evals.dataset import Case, Dataset
from evals.evaluators.registry import EVALUATORS, Evaluators
from evals.evaluators.scoring import action_of
from evals.langsmith import (
    UPLOAD_SECONDS,
    case_of,
    is_online,
    open_client,
    plain_errors,
    quiet,
    uploaded,
)
from evals.measures import CaseResult, Measure, Miss, case_count, measured, missed, model_use
from evals.targets.target import open_target
from state.model_use import ModelUse
from state.noun import Noun


class Experiment(Noun):
    """What came of a dataset."""

    dataset: str
    pack: str
    n: int
    is_blind: bool = False
    seconds: float = Field(default=0.0, description="what all of it took, by the wall clock")
    measures: tuple[Measure, ...]
    misses: tuple[Miss, ...]
    errors: tuple[str, ...]
    cases: tuple[CaseResult, ...] = ()
    url: str | None = None

    @field_validator("cases")
    @classmethod
    def _each_is_judged_once(cls, given: tuple[CaseResult, ...]) -> tuple[CaseResult, ...]:
        if len({one.case for one in given}) < len(given):
            raise ValueError("a case stands there twice")
        return given


def run_experiment(
    dataset: Dataset,
    *,
    pack: str | None = None,
    learnt: Path | None = None,
    told: Callable[[], None] = lambda: None,
    given: Mapping[str, Any] | None = None,
) -> Experiment:
    """Answer and judge every case of a dataset.

    Args:
        pack: a pack to judge instead of the dataset's own.
        learnt: where what is learnt from the pack is kept; none: as in the settings.
        told: called after each answer.
        given: settings that differ, by name, such as the strategy.

    Raises:
        PackFaults, NotFound: the pack cannot be loaded.
        Unreachable: LangSmith, which is on, did not take it.
    """
    started = perf_counter()
    evaluators = EVALUATORS[dataset.header.target]
    # Whoever is at LangSmith would read what is uploaded.
    online = is_online() and not dataset.is_blind
    with (
        open_target(dataset, pack=pack, learnt=learnt, told=told, given=given) as target,
        quiet(),
        plain_errors() if online else nullcontext(),
    ):
        client = open_client()
        results = evaluate(
            target,
            data=uploaded(client, dataset) if online else dataset.examples(),
            evaluators=list(evaluators.of_a_case),
            summary_evaluators=list(evaluators.of_all),
            experiment_prefix=f"prefrontal-{dataset.name}",
            metadata={"pack": pack or dataset.header.pack},
            max_concurrency=0,
            upload_results=online,
            client=client,
        )
        client.close(timeout=UPLOAD_SECONDS)
    experiment = _told(dataset, pack or dataset.header.pack, evaluators, results, online=online)
    return experiment.model_copy(update={"seconds": perf_counter() - started})


def _told(
    dataset: Dataset, pack: str, evaluators: Evaluators, results: ExperimentResults, *, online: bool
) -> Experiment:
    rows = list(results)
    answered = {case_of(row["example"]): row["run"].outputs or {} for row in rows}
    by_case = {case_of(row["example"]): row["evaluation_results"]["results"] for row in rows}
    # langsmith has no public way to these, and types its own results as dicts
    of_all = [EvaluationResult.model_validate(one) for one in results._summary_results["results"]]  # noqa: SLF001
    judged = [
        _result(dataset, case, by_case[case.id], answered[case.id])
        for case in dataset.cases
        if case.id in by_case
    ]
    measures = (case_count(len(rows)), *measured(evaluators.names, judged, of_all))
    return Experiment(
        dataset=dataset.name,
        pack=pack,
        n=len(rows),
        is_blind=dataset.is_blind,
        measures=tuple(
            one.model_copy(update={"comment": None}) if dataset.is_blind else one
            for one in measures
        ),
        misses=tuple(missed(dataset.cases, by_case, is_blind=dataset.is_blind)),
        cases=tuple(judged),
        errors=(
            *(
                f"{case_of(row['example'])}: {said}"
                for row, said in (
                    (row, "" if dataset.is_blind else _what(row["run"])) for row in rows
                )
                if row["run"].error
            ),
            *_unjudged(by_case, is_blind=dataset.is_blind),
        ),
        url=results.url if online else None,
    )


def _result(
    dataset: Dataset,
    case: Case,
    scores: Sequence[EvaluationResult],
    outputs: Mapping[str, Any],  # as target.py gives them
) -> CaseResult:
    uses, is_blind = map(ModelUse.model_validate, outputs.get("models") or ()), dataset.is_blind
    return CaseResult(
        case=case.id,
        unit=dataset.unit_of(case),
        fingerprint=case.fingerprint,
        scores={one.key: float(one.score) for one in scores if one.score is not None},
        answered="" if is_blind else _in_values(outputs),
        kind="" if is_blind else str(case.metadata.get("kind", "")),
        seconds=outputs.get("seconds"),
        **model_use(uses),
    )


def _unjudged(
    by_case: Mapping[str, Sequence[EvaluationResult]], *, is_blind: bool
) -> Iterator[str]:
    """Tell where an evaluator broke: langsmith gives no score then, as where none is due."""
    for case, results in by_case.items():
        for one in results:
            if (one.extra or {}).get("error"):
                yield f"{case}: {one.key} broke" + ("" if is_blind else f": {one.comment}")


def _what(run: Run) -> str:
    """Tell what was wrong, without the traceback."""
    return (run.error or "").strip().partition("\n")[0]


def _in_values(outputs: Mapping[str, Any]) -> str:
    """Tell what an answer came to, in names alone."""
    action = action_of(outputs) or "nothing"
    if "told_at" in outputs:
        at = outputs["told_at"]
        told = "never told" if at is None else f"told at {at:g} s"
        return f"{outputs['timing'] or 'passed over'}, {told} ({outputs['reason']})"
    if "figure" in outputs:
        return f"{outputs['figure']:g}"
    if "path" in outputs:
        return f"{outputs['path'] or 'nobody'} ({outputs['reason']})"
    if "found" in outputs:
        return ", ".join(outputs["found"][:3]) or "nothing found"
    if "verdict" in outputs:
        return f"{'spoke' if outputs['spoke'] else 'kept silent'} ({outputs['reason']})"
    if "outcome" not in outputs:
        return ""
    return f"{action} · {outputs.get('execution_class') or 'no class'} · {outputs['outcome']}"
