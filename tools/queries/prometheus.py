"""Metrics in the text form that Prometheus reads."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from state.quality import QualityMetrics
from state.query import Metrics, Rate
from tools.queries.backlog import Backlog

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_PREFIX = "prefrontal_"
Labels = Mapping[str, str]
Family = tuple[str, str, list[tuple[Labels, float | None]]]
"""Name, help, and samples."""


def exposition(metrics: Metrics, tenant_id: str, quality: Sequence[QualityMetrics] = ()) -> str:
    """Write every figure as a gauge: they are counted over the rows that are kept."""
    return "".join(_lines([*_families(metrics), *_of_packs(quality)], tenant_id))


def exposition_of(waiting: Backlog, tenant_id: str) -> str:
    """Write what waits."""
    return "".join(_lines(list(_waiting(waiting)), tenant_id))


def _waiting(waiting: Backlog) -> Iterator[Family]:
    yield (
        "decisions_open",
        "Decisions not recorded yet, by where they stand.",
        _counts("standing", waiting.decisions),
    )
    yield (
        "actions_open",
        "Actions that somebody or something is waited for.",
        _counts("state", waiting.actions),
    )
    yield (
        "oldest_question_seconds",
        "How long the oldest open question has waited.",
        [({}, waiting.oldest_question_seconds)],
    )
    yield "ledger_frozen", "1: nothing but reads is started.", [({}, float(waiting.is_frozen))]


def _lines(families: Sequence[Family], tenant_id: str) -> Iterator[str]:
    for name, help_text, samples in families:
        kept = [(labels, value) for labels, value in samples if value is not None]
        if not kept:
            continue
        yield f"# HELP {_PREFIX}{name} {help_text}\n# TYPE {_PREFIX}{name} gauge\n"
        for labels, value in kept:
            yield f"{_PREFIX}{name}{{{_labels({'tenant': tenant_id, **labels})}}} {value:g}\n"


def _families(metrics: Metrics) -> Iterator[Family]:
    yield (
        "hard_false_positives",
        "Started without intent; must be 0.",
        [({}, metrics.hard_false_positives)],
    )
    yield "queries", "Messages by what followed.", _counts("class", metrics.by_class)
    yield "offers", "Messages answered with chips.", [({}, metrics.offers)]
    yield "chip_chosen_ratio", "Offers on which a chip was taken.", [({}, metrics.chosen.value)]
    yield (
        "primary_chosen_ratio",
        "Taken chips that were the primary.",
        [({}, metrics.primary_chosen.value)],
    )
    yield (
        "time_to_action_milliseconds",
        "From the query to the start of its action.",
        [({"quantile": quantile}, value) for quantile, value in metrics.time_to_action_ms.items()],
    )
    yield "executions", "Actions executed, by method.", _counts("method", metrics.executions)
    yield "undone_ratio", "Executions that were taken back.", _rates("action", metrics.undone)
    yield "accepted_ratio", "Answered questions with a yes.", _rates("action", metrics.accepted)
    yield "collisions", "Predictions with a close rival.", _counts("kind", metrics.collisions)
    yield (
        "collisions_observed",
        "Predictions compared with what people did.",
        _counts("kind", metrics.collisions_observed),
    )
    yield (
        "ordering_primary_chosen_ratio",
        "Taken chips that were the primary, by ordering.",
        (_rates("ordering", metrics.orderings)),
    )


_QUALITY: Mapping[str, tuple[str, Callable[[QualityMetrics], Rate]]] = {
    "direct_search_tool_call": (
        "Turns that force a read, and called it.",
        lambda found: found.direct_search_tool_call_rate,
    ),
    "clarification_first": (
        "Turns that force a read, and were answered with a question; should be 0.",
        lambda found: found.clarification_first_rate,
    ),
    "recency_filter_compliance": (
        "Searches limited in time, and run with exactly those dates.",
        lambda found: found.recency_filter_compliance_rate,
    ),
    "stage_transition_success": (
        "Successes that a step follows, and made it.",
        lambda found: found.stage_transition_success_rate,
    ),
}


def _of_packs(quality: Sequence[QualityMetrics]) -> Iterator[Family]:
    if not quality:
        return
    yield "turns", "Messages and choices.", [({"pack": one.pack}, one.turns) for one in quality]
    for name, (help_text, rate_in) in _QUALITY.items():
        rates = [({"pack": one.pack}, rate_in(one)) for one in quality]
        yield f"{name}_ratio", help_text, [(labels, rate.value) for labels, rate in rates]
        yield f"{name}_of", f"Of how many: {help_text}", [(at, rate.n) for at, rate in rates]


def _counts(label: str, counts: Mapping[str, int]) -> list[tuple[Labels, float | None]]:
    return [({label: key}, float(count)) for key, count in counts.items()]


def _rates(label: str, rates: Mapping[str, Rate]) -> list[tuple[Labels, float | None]]:
    return [({label: key}, rate.value) for key, rate in rates.items()]


def _labels(labels: Labels) -> str:
    return ",".join(f'{name}="{_escaped(value)}"' for name, value in labels.items())


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
