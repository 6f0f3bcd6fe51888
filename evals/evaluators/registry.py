"""The evaluators of each kind of dataset, by the target in its header."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from evals.evaluators.approval_gate import (
    gate_behaviour,
    gate_recall,
    hard_false_positives,
    ran_without_yes,
    wrongful_auto_execute,
)
from evals.evaluators.attention import (
    false_alarms_per_100,
    kept_waiting,
    promise_kept,
    speaking_accuracy,
    speaking_auc,
    speaking_balanced_accuracy,
    timing_accuracy,
    told_in_time,
    told_twice,
)
from evals.evaluators.journal import (
    alternatives_f1,
    cited,
    decision_words,
    found_nothing,
    links_f1,
    maker_accuracy,
    rationale_words,
    recall_at_1,
    recall_at_5,
    reciprocal_rank,
    votes_exact,
)
from evals.evaluators.responses import (
    answer_rating,
    facts_kept,
    latency_median_ms,
    latency_p95_ms,
    model_calls,
    model_cost,
    model_judged_rightly,
    needless_calls,
    negations_kept,
    nothing_invented,
    path_accuracy,
    shaped_at_all,
)
from evals.evaluators.routing import (
    action_accuracy,
    class_accuracy,
    entity_hits,
    entity_precision,
    needless_ask,
    reason_agreement,
    routing_bugs,
    search_fields_exactness,
    slot_exactness,
    suggestion_worthy,
)
from evals.runner.datasets import Judged


@dataclass(frozen=True)
class Evaluators:
    """What judges one kind of dataset: each case, and the experiment as a whole."""

    of_a_case: tuple[Callable[..., Any], ...]  # langsmith tells them apart by parameter names
    of_all: tuple[Callable[..., Any], ...]  # as above

    @property
    def names(self) -> tuple[str, ...]:
        """Every measure, in the order of the table."""
        return tuple(one.__name__ for one in (*self.of_all, *self.of_a_case))


_TAKES = (latency_median_ms, latency_p95_ms, model_calls, model_cost)
"""What answers took, whatever was asked."""

EVALUATORS: Mapping[Judged, Evaluators] = {
    "requests": Evaluators(
        (
            action_accuracy,
            class_accuracy,
            slot_exactness,
            gate_recall,
            wrongful_auto_execute,
            needless_ask,
        ),
        (
            hard_false_positives,
            routing_bugs,
            suggestion_worthy,
            entity_hits,
            entity_precision,
            *_TAKES,
        ),
    ),
    "search_fields": Evaluators((search_fields_exactness,), ()),
    "approvals": Evaluators(
        (gate_behaviour, gate_recall, ran_without_yes, wrongful_auto_execute),
        (hard_false_positives, latency_median_ms, latency_p95_ms),
    ),
    "streams": Evaluators(
        (speaking_accuracy, reason_agreement, wrongful_auto_execute),
        (
            speaking_balanced_accuracy,
            speaking_auc,
            false_alarms_per_100,
            told_twice,
            hard_false_positives,
            *_TAKES,
        ),
    ),
    "timings": Evaluators(
        (timing_accuracy, told_in_time, kept_waiting, wrongful_auto_execute),
        (hard_false_positives,),
    ),
    "courses": Evaluators((promise_kept, wrongful_auto_execute), (hard_false_positives,)),
    "ratings": Evaluators(
        (answer_rating, path_accuracy, wrongful_auto_execute),
        (needless_calls, hard_false_positives, *_TAKES),
    ),
    "wordings": Evaluators(
        (facts_kept, nothing_invented, negations_kept, model_judged_rightly, shaped_at_all), ()
    ),
    "discussions": Evaluators(
        (
            decision_words,
            rationale_words,
            maker_accuracy,
            alternatives_f1,
            links_f1,
            votes_exact,
            cited,
        ),
        (),
    ),
    "queries": Evaluators(
        (recall_at_1, recall_at_5, reciprocal_rank, found_nothing),
        (latency_median_ms, latency_p95_ms),
    ),
}
