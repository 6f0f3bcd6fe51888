"""Evaluators of attention.

Speaking or silence, ranking of events, false alarms, timing and bounds over time.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from evals.evaluators.scoring import (
    Outputs,
    Reference,
    Score,
    counted,
    not_judged,
    of_all,
    scored,
    units_of,
)
from evals.measures import Interval, by_unit, of_mean, roc_auc, wilson


def speaking_accuracy(outputs: Outputs, reference_outputs: Reference) -> Score:
    """Judge one event; the balanced figure over all of them is speaking_balanced_accuracy."""
    wanted = "speech" if reference_outputs["speak"] else "silence"
    return scored(
        "speaking_accuracy",
        outputs.get("spoke") is reference_outputs["speak"],
        f"{outputs.get('outcome')} ({outputs.get('reason')}), wanted {wanted}",
    )


def speaking_balanced_accuracy(
    outputs: Sequence[Outputs], reference_outputs: Sequence[Reference]
) -> Score:
    """Average the share of speech that was due and was heard and that of silence that was kept.

    The events of a stream hang together, so the interval draws whole streams again; it is never
    narrower than the mean of Wilson's two, which know that all right of few is not all right.
    """
    pairs = list(zip(outputs, reference_outputs, strict=True))
    right = np.array([given.get("spoke") is label["speak"] for given, label in pairs], bool)
    wanted = np.array([bool(label["speak"]) for _given, label in pairs], bool)

    def balanced(rows: "np.ndarray[Any, Any]") -> float:  # places in the columns
        sides = (right[rows][wanted[rows]], right[rows][~wanted[rows]])
        return sum(float(np.mean(side)) if len(side) else 0.0 for side in sides) / 2

    spoken, silent = right[wanted], right[~wanted]
    sides = [wilson(int(side.sum()), len(side)) for side in (spoken, silent)]
    low, high = sum(one.low for one in sides) / 2, sum(one.high for one in sides) / 2
    drawn = by_unit(balanced, units_of(reference_outputs))
    within = Interval(
        low=min(low, drawn.low) if drawn else low, high=max(high, drawn.high) if drawn else high
    )
    return of_all(
        "speaking_balanced_accuracy",
        balanced(np.arange(len(pairs))),
        len(pairs),
        within,
        comment=f"spoke {spoken.sum()} of {len(spoken)}, silent {silent.sum()} of {len(silent)}",
    )


_BY_RELEVANCE = {"relevant", "threat", "dull", "below_threshold", "familiar"}
"""Families of reasons that tell of the events themselves; the others are gates."""


def speaking_auc(outputs: Sequence[Outputs], reference_outputs: Sequence[Reference]) -> Score:
    """Rank by how far an event is above its bar; .5 is chance. Interval by streams.

    Of the events that this decides, by their label: a person who asks is answered, and who is in
    the quiet, busy or told already hears nothing, however relevant it is.
    """
    ranked = [set(label["reasons"]) <= _BY_RELEVANCE for label in reference_outputs]
    kept = [place for place, is_ranked in enumerate(ranked) if is_ranked]
    margins = np.array([float(outputs[place].get("margin", -1.0)) for place in kept])
    wanted = np.array([bool(reference_outputs[place]["speak"]) for place in kept])

    def auc(rows: "np.ndarray[Any, Any]") -> float:  # places in the columns
        return roc_auc(margins[rows][wanted[rows]], margins[rows][~wanted[rows]])

    value, units = auc(np.arange(len(kept))), units_of(reference_outputs)
    interval = by_unit(auc, [units[place] for place in kept])
    known = None if np.isnan(value) else value
    return of_all("speaking_auc", known, len(kept), interval)


def false_alarms_per_100(
    outputs: Sequence[Outputs], reference_outputs: Sequence[Reference]
) -> Score:
    """Count what was said and should not have been, in 100 events. Interval by streams."""
    pairs = zip(outputs, reference_outputs, strict=True)
    false = np.array([given.get("spoke") is True and not label["speak"] for given, label in pairs])
    mean = of_mean(false.astype(float).tolist(), units_of(reference_outputs))
    within = mean and Interval(low=100 * mean.low, high=100 * mean.high)
    share = 100 * float(np.mean(false)) if len(false) else None
    return of_all("false_alarms_per_100", share, len(false), within, kind="number")


def told_twice(outputs: Sequence[Outputs], reference_outputs: Sequence[Reference]) -> Score:
    """Count events that were delivered again and told again: whoever sends twice is heard once."""
    judged = [
        (given.get("spoke") is True, label)
        for given, label in zip(outputs, reference_outputs, strict=True)
        if label["reasons"] == ["duplicate"]
    ]
    return counted("told_twice", [one for one, _label in judged], [label for _, label in judged])


def timing_accuracy(outputs: Outputs, reference_outputs: Reference) -> Score:
    """Judge what was chosen when it came: immediate, queued, batched, deferred, or none at all."""
    given, right = outputs.get("timing") or "none", reference_outputs["timing"]
    return scored("timing_accuracy", given in right, f"{given}, wanted {' or '.join(right)}")


def told_in_time(outputs: Outputs, reference_outputs: Reference) -> Score:
    """Judge when it was told in the end; `told` is null, or the seconds from and to."""
    at, wanted = outputs.get("told_at"), reference_outputs["told"]
    if wanted is None or at is None:
        right = "told_at" in outputs and at is None and wanted is None
    else:
        right = wanted[0] <= at <= wanted[1]
    when = "never told" if at is None else f"told at {at:g} s"
    return scored("told_in_time", right, f"{when}, wanted {wanted or 'never'}")


def kept_waiting(outputs: Outputs, reference_outputs: Reference) -> Score:
    """Score 1 where an alarm was not told the moment it came, so that 0 is the only good rate."""
    if not reference_outputs.get("alarm"):
        return not_judged("kept_waiting")
    at, wanted = outputs.get("told_at"), reference_outputs["told"]
    late = at is None or at > wanted[1]
    return scored("kept_waiting", late, f"told at {at}, wanted {wanted}")


def promise_kept(outputs: Outputs, reference_outputs: Reference) -> Score:
    """Judge one figure by the least and the most that it may be."""
    figure, (low, high) = outputs.get("figure"), reference_outputs["between"]
    right = figure is not None and low <= figure <= high
    told = "nothing" if figure is None else f"{figure:g}"
    return scored("promise_kept", right, f"{told}, wanted {low:g} to {high:g}")
