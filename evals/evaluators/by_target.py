"""Which evaluators judge which kind of dataset."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from evals.dataset import Judged
from evals.evaluators.action_accuracy import action_accuracy
from evals.evaluators.class_accuracy import class_accuracy
from evals.evaluators.collisions import routing_bugs, suggestion_worthy
from evals.evaluators.entities import entity_hits, entity_precision
from evals.evaluators.extraction import (
    alternatives_f1,
    cited,
    decision_words,
    links_f1,
    maker_accuracy,
    rationale_words,
    votes_exact,
)
from evals.evaluators.faithfulness import (
    facts_kept,
    model_judged_rightly,
    negations_kept,
    nothing_invented,
    shaped_at_all,
)
from evals.evaluators.finding import found_nothing, recall_at_1, recall_at_5, reciprocal_rank
from evals.evaluators.gate_behaviour import gate_behaviour, ran_without_yes
from evals.evaluators.gate_recall import gate_recall
from evals.evaluators.hard_false_positives import hard_false_positives
from evals.evaluators.latency import latency_median_ms, latency_p95_ms
from evals.evaluators.model_use import model_calls, model_cost
from evals.evaluators.needless_ask import needless_ask
from evals.evaluators.promise_kept import promise_kept
from evals.evaluators.rated import answer_rating, needless_calls, path_accuracy
from evals.evaluators.reason_agreement import reason_agreement
from evals.evaluators.search_fields_exactness import search_fields_exactness
from evals.evaluators.slot_exactness import slot_exactness
from evals.evaluators.speaking_accuracy import speaking_accuracy
from evals.evaluators.speaking_balanced_accuracy import speaking_balanced_accuracy
from evals.evaluators.speaking_ranking import false_alarms_per_100, speaking_auc, told_twice
from evals.evaluators.timing import kept_waiting, timing_accuracy, told_in_time
from evals.evaluators.wrongful_auto_execute import wrongful_auto_execute


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
