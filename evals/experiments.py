"""Run a dataset through langsmith's evaluate: uploaded when a key is set, the same offline."""

import logging
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any
from warnings import catch_warnings, simplefilter

from langsmith import Client, evaluate
from langsmith.evaluation import EvaluationResult
from langsmith.evaluation._runner import ExperimentResults
from langsmith.schemas import Example

from evals.dataset import Dataset, Judged
from evals.evaluators.action_accuracy import action_accuracy
from evals.evaluators.class_accuracy import class_accuracy
from evals.evaluators.collisions import routing_bugs, suggestion_worthy
from evals.evaluators.entities import entity_hits, entity_precision
from evals.evaluators.gate_recall import gate_recall
from evals.evaluators.hard_false_positives import hard_false_positives
from evals.evaluators.reason_agreement import reason_agreement
from evals.evaluators.search_fields_exactness import search_fields_exactness
from evals.evaluators.slot_exactness import slot_exactness
from evals.evaluators.speaking_accuracy import speaking_accuracy
from evals.evaluators.speaking_balanced_accuracy import speaking_balanced_accuracy
from evals.evaluators.wrongful_auto_execute import wrongful_auto_execute
from evals.measures import Measure, Miss, measured, missed
from evals.target import open_target
from state.noun import Noun

NOWHERE = "http://127.0.0.1:9"
"""The discard port: what would be sent in spite of everything reaches nobody."""


UPLOAD_SECONDS = 30.0
"""How long what is still to be sent may take at the end."""


@dataclass(frozen=True)
class Evaluators:
    """What judges one kind of dataset: each case, and the experiment as a whole."""

    of_a_case: tuple[Callable[..., Any], ...]  # langsmith tells them apart by parameter names
    of_all: tuple[Callable[..., Any], ...]  # as above

    @property
    def names(self) -> tuple[str, ...]:
        """Every measure, in the order of the table."""
        return tuple(one.__name__ for one in (*self.of_all, *self.of_a_case))


EVALUATORS: Mapping[Judged, Evaluators] = {
    "requests": Evaluators(
        (action_accuracy, class_accuracy, slot_exactness, gate_recall, wrongful_auto_execute),
        (
            hard_false_positives,
            routing_bugs,
            suggestion_worthy,
            entity_hits,
            entity_precision,
        ),
    ),
    "search_fields": Evaluators((search_fields_exactness,), ()),
    "streams": Evaluators(
        (speaking_accuracy, reason_agreement, wrongful_auto_execute),
        (speaking_balanced_accuracy, hard_false_positives),
    ),
}


class Experiment(Noun):
    """What came of a dataset."""

    dataset: str
    pack: str
    n: int
    measures: tuple[Measure, ...]
    misses: tuple[Miss, ...]
    errors: tuple[str, ...]
    url: str | None = None


def is_online() -> bool:
    """Tell whether experiments are uploaded: a key is set."""
    return bool(os.environ.get("LANGSMITH_API_KEY"))


def run_experiment(
    dataset: Dataset,
    *,
    pack: str | None = None,
    learnt: Path | None = None,
    told: Callable[[], None] = lambda: None,
) -> Experiment:
    """Answer and judge every case of a dataset.

    Args:
        pack: a pack to judge instead of the dataset's own.
        learnt: where what is learnt from the pack is kept; none: as in the settings.
        told: called after each answer.

    Raises:
        PackFaults, NotFound: the pack cannot be loaded.
    """
    evaluators, online = EVALUATORS[dataset.header.target], is_online()
    with open_target(dataset, pack=pack, learnt=learnt, told=told) as target, _quiet():
        client = Client() if online else _offline_client()
        results = evaluate(
            target,
            data=_uploaded(client, dataset) if online else dataset.examples(),
            evaluators=list(evaluators.of_a_case),
            summary_evaluators=list(evaluators.of_all),
            experiment_prefix=f"prefrontal-{dataset.name}",
            metadata={"pack": pack or dataset.header.pack},
            max_concurrency=0,
            upload_results=online,
            client=client,
        )
        client.close(timeout=UPLOAD_SECONDS)
    return _told(dataset, pack or dataset.header.pack, evaluators, results, online=online)


def _told(
    dataset: Dataset,
    pack: str,
    evaluators: Evaluators,
    results: ExperimentResults,
    *,
    online: bool,
) -> Experiment:
    rows = list(results)
    by_case = {_case(row["example"]): row["evaluation_results"]["results"] for row in rows}
    # langsmith has no public way to these, and types its own results as dicts
    of_all = [EvaluationResult.model_validate(one) for one in results._summary_results["results"]]  # noqa: SLF001
    return Experiment(
        dataset=dataset.name,
        pack=pack,
        n=len(rows),
        measures=tuple(measured(evaluators.names, by_case.values(), of_all)),
        misses=tuple(missed(dataset.cases, by_case)),
        errors=tuple(
            f"{_case(row['example'])}: {row['run'].error}" for row in rows if row["run"].error
        ),
        url=results.url if online else None,
    )


def _case(example: Example) -> str:
    return str((example.metadata or {})["case"])


def _offline_client() -> Client:
    # No info request, and no trace of any run: see Client's own parameters.
    return Client(api_url=NOWHERE, api_key="offline", info={}, tracing_sampling_rate=0.0)


def _uploaded(client: Client, dataset: Dataset) -> Sequence[Example]:
    """Have the dataset at LangSmith, one a version of the file, and read its examples there."""
    examples = dataset.examples()
    name = f"{dataset.name} {dataset.version}"
    if not client.has_dataset(dataset_name=name):
        created = client.create_dataset(name, description=dataset.header.made)
        client.create_examples(
            dataset_id=created.id,
            examples=[
                {
                    "inputs": example.inputs,
                    "outputs": example.outputs,
                    "metadata": example.metadata,
                    "split": (example.metadata or {})["dataset_split"],
                }
                for example in examples
            ],
        )
    order = {_case(example): number for number, example in enumerate(examples)}
    return sorted(client.list_examples(dataset_name=name), key=lambda one: order[_case(one)])


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep langsmith's own lines and bar off the terminal; what they say is in the result."""
    # tqdm reads its variable when it is imported, which evaluate does late.
    os.environ.setdefault("TQDM_DISABLE", "1")
    logger = logging.getLogger("langsmith")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        with redirect_stdout(StringIO()), catch_warnings():
            simplefilter("ignore")  # that running offline is beta
            yield
    finally:
        logger.setLevel(level)
