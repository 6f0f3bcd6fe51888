"""The evaluators of each kind of dataset, by the target in its header."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from evals.dataset import Judged
from evals.evaluators import attention, journal, requests, responses


@dataclass(frozen=True)
class Evaluators:
    """What judges one kind of dataset: each case, and the experiment as a whole."""

    of_a_case: tuple[Callable[..., Any], ...]  # langsmith tells them apart by parameter names
    of_all: tuple[Callable[..., Any], ...]  # as above

    @property
    def names(self) -> tuple[str, ...]:
        """Every measure, in the order of the table."""
        return tuple(one.__name__ for one in (*self.of_all, *self.of_a_case))


_TAKES = (
    responses.latency_median_ms,
    responses.latency_p95_ms,
    responses.model_calls,
    responses.model_cost,
)
"""What answers took, whatever was asked."""

EVALUATORS: Mapping[Judged, Evaluators] = {
    "requests": Evaluators(
        (
            requests.action_accuracy,
            requests.class_accuracy,
            requests.slot_exactness,
            requests.gate_recall,
            requests.wrongful_auto_execute,
            requests.needless_ask,
        ),
        (
            requests.hard_false_positives,
            requests.routing_bugs,
            requests.suggestion_worthy,
            requests.entity_hits,
            requests.entity_precision,
            *_TAKES,
        ),
    ),
    "search_fields": Evaluators((requests.search_fields_exactness,), ()),
    "approvals": Evaluators(
        (
            requests.gate_behaviour,
            requests.gate_recall,
            requests.ran_without_yes,
            requests.wrongful_auto_execute,
        ),
        (requests.hard_false_positives, responses.latency_median_ms, responses.latency_p95_ms),
    ),
    "streams": Evaluators(
        (attention.speaking_accuracy, requests.reason_agreement, requests.wrongful_auto_execute),
        (
            attention.speaking_balanced_accuracy,
            attention.speaking_auc,
            attention.false_alarms_per_100,
            attention.told_twice,
            requests.hard_false_positives,
            *_TAKES,
        ),
    ),
    "timings": Evaluators(
        (
            attention.timing_accuracy,
            attention.told_in_time,
            attention.kept_waiting,
            requests.wrongful_auto_execute,
        ),
        (requests.hard_false_positives,),
    ),
    "courses": Evaluators(
        (attention.promise_kept, requests.wrongful_auto_execute), (requests.hard_false_positives,)
    ),
    "ratings": Evaluators(
        (responses.answer_rating, responses.path_accuracy, requests.wrongful_auto_execute),
        (responses.needless_calls, requests.hard_false_positives, *_TAKES),
    ),
    "wordings": Evaluators(
        (
            responses.facts_kept,
            responses.nothing_invented,
            responses.negations_kept,
            responses.model_judged_rightly,
            responses.shaped_at_all,
        ),
        (),
    ),
    "discussions": Evaluators(
        (
            journal.decision_words,
            journal.rationale_words,
            journal.maker_accuracy,
            journal.alternatives_f1,
            journal.links_f1,
            journal.votes_exact,
            journal.cited,
        ),
        (),
    ),
    "queries": Evaluators(
        (journal.recall_at_1, journal.recall_at_5, journal.reciprocal_rank, journal.found_nothing),
        (responses.latency_median_ms, responses.latency_p95_ms),
    ),
    "tasks": Evaluators(
        (
            requests.task_completed,
            requests.one_click_a_change,
            requests.no_click_a_read,
            requests.completed_obeying,
            requests.order_taken,
        ),
        (requests.harmful_executions,),
    ),
}
