"""Draw what the query log adds up to."""

from collections.abc import Iterator, Mapping

from rich.console import Group
from rich.table import Table
from rich.text import Text

from graph.cli.terminal.console import shown
from state.quality import QualityMetrics
from state.query import Gaps, HardFalsePositive, Metrics, Rate

GOAL_OF_PRIMARY = 0.70
"""Primary chip chosen more often: the ranking is sane. Source: execution contract §5."""


def metrics_of(metrics: Metrics) -> Group:
    """Draw the figures, harm first."""
    table = Table(box=None, show_header=False, pad_edge=False)
    for name, value in _figures(metrics):
        table.add_row(name, value)
    harm = metrics.hard_false_positives
    head = Text(f"hard false positives: {harm}", style="bold red" if harm else "green")
    return Group(head, table)


def gaps_of(gaps: Gaps) -> Group:
    """Draw each pair that differs, with what was said."""
    head = Text(f"{gaps.agreed} of {gaps.known} queries ended as predicted")
    lines = []
    for gap in gaps.gaps:
        said = "; ".join(shown(text) for text in gap.examples)
        lines.append(
            Text(
                f"{gap.count:>4}  {gap.share:>5.1%}  {gap.predicted or 'nothing'} → {gap.done} "
                f"({gap.by}, {gap.collision.replace('_', ' ')})\n            {said}"
            )
        )
    return Group(head, *lines)


def quality_of(quality: QualityMetrics) -> Group:
    """Draw the rates of one pack, and the turns to look into."""
    table = Table(box=None, show_header=False, pad_edge=False)
    since = f" since {quality.since:%Y-%m-%d %H:%M} UTC" if quality.since else ""
    intents = _counts(quality.intents)
    table.add_row(
        "direct searches that called the tool", _rate(quality.direct_search_tool_call_rate)
    )
    table.add_row("answered with a question first", _rate(quality.clarification_first_rate))
    table.add_row("dates kept", _rate(quality.recency_filter_compliance_rate))
    table.add_row("stages made", _rate(quality.stage_transition_success_rate))
    missed = [
        Text(
            f"  {one.decision_id}  {one.action or 'no action'}: "
            f"{', '.join(miss.replace('_', ' ') for miss in one.misses)}"
        )
        for one in quality.missed
    ]
    more = [Text("missed, the newest first; prefrontal why ID explains one:")] if missed else []
    head = Text(f"{quality.pack}: {quality.turns} turns{since}: {intents}", style="bold")
    return Group(head, table, *more, *missed)


def harm_of(found: list[HardFalsePositive]) -> Group:
    """Name each action that was started without intent."""
    if not found:
        return Group(Text("nothing was started without intent", style="green"))
    return Group(
        *(
            Text(f"{one.action_id}  {one.action}  class {one.execution_class}: {_WHY[one.why]}")
            for one in found
        )
    )


_WHY: Mapping[str, str] = {
    "no_quorum": "too few people said yes to exactly this",
    "no_choice": "nobody chose it",
    "below_floor": "it ran in a lower class than its effect allows",
}


def _figures(metrics: Metrics) -> Iterator[tuple[str, str]]:
    yield "queries", str(metrics.queries)
    yield "  by class", _counts(metrics.by_class)
    yield "  by phase", _counts(metrics.by_phase)
    yield "offers", str(metrics.offers)
    yield "  a chip was taken", _rate(metrics.chosen)
    yield "  in words", _rate(metrics.said)
    yield "  it was the primary", f"{_rate(metrics.primary_chosen)}, goal {GOAL_OF_PRIMARY:.0%}"
    for place, rate in metrics.positions.items():
        yield f"  chip {place}", _rate(rate)
    for ordering, rate in metrics.orderings.items():
        yield f"  primary, ordered by {ordering.replace('_', ' ')}", _rate(rate)
    median, p95 = metrics.time_to_action_ms["median"], metrics.time_to_action_ms["p95"]
    if median is not None and p95 is not None:
        yield "time to action", f"median {median:.0f} ms, 95 % within {p95:.0f} ms"
    yield "executions", _counts(metrics.executions)
    for action, rate in metrics.undone.items():
        yield f"  {action} undone", _rate(rate)
    for action, rate in metrics.accepted.items():
        yield f"  {action} approved when asked", _rate(rate)
    yield "close rivals", _counts(metrics.collisions)
    yield "against what people did", _counts(metrics.collisions_observed)


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {key.replace('_', ' ')}" for key, count in counts.items()) or "none"


def _rate(rate: Rate) -> str:
    if rate.value is None:
        return "nothing to count"
    return f"{rate.value:.1%} of {rate.n} ({rate.low:.0%} to {rate.high:.0%})"
