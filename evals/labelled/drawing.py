"""Draw a catalogue and what is asked of it from labelled messages."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from evals.catalogue_from_labels import OUT_OF_SCOPE, action_name
from state.errors import BadInput

Row = Mapping[str, str]


@dataclass(frozen=True)
class Plan:
    """Which messages become examples, and which are asked."""

    split: str = "train"
    asked: str = "val"
    """The split that is asked; where it is the one of the examples, what is left of it."""
    actions: int | None = None
    """So many of the labels, by chance; the others are foreign. None: all."""
    per_action: int | None = None
    asked_per_action: int | None = None


@dataclass(frozen=True)
class Drawn:
    """One draw."""

    examples: Sequence[Row]
    asked: Sequence[tuple[str, str | None]]
    """Text and the action wanted; None where no action covers it."""


def drawn(rows: Sequence[Row], plan: Plan, seed: int) -> Drawn:
    """Draw by chance; the same seed draws the same.

    Foreign are all messages labelled `oos`, whatever their split, as nothing is learnt from any;
    and those of labels that are no action, no more of these than of messages that an action covers.

    Raises:
        BadInput: no label of that split is left, or nothing is asked.
    """
    chance = Random(seed)  # noqa: S311 - the same draw again, not a secret
    by_label: dict[str, list[Row]] = {}
    for row in rows:
        if row.get("split") == plan.split and row["intent"] != OUT_OF_SCOPE:
            by_label.setdefault(row["intent"], []).append(row)
    labels = sorted(by_label)
    if plan.actions is not None and plan.actions < len(labels):
        labels = sorted(chance.sample(labels, plan.actions))
    examples: list[Row] = []
    for label in labels:
        own = list(by_label[label])
        chance.shuffle(own)
        examples += own[: plan.per_action]
    if not examples:
        raise BadInput(f"no message of split {plan.split!r} has an intent; name another split")
    seen = {row["text"] for row in examples}
    rest = [row for row in rows if row["text"] not in seen]
    covered = list(_covered(rest, plan, labels))
    if not covered:
        raise BadInput(
            f"nothing of split {plan.asked!r} is left to ask; name another, or fewer examples"
        )
    return Drawn(examples, [*covered, *_foreign(rest, plan, labels, chance, len(covered))])


def _covered(
    rows: Sequence[Row], plan: Plan, labels: Sequence[str]
) -> Iterator[tuple[str, str | None]]:
    counts = dict.fromkeys(labels, 0)
    for row in rows:
        label = row["intent"]
        if row.get("split") != plan.asked or label not in counts:
            continue
        counts[label] += 1
        if plan.asked_per_action is None or counts[label] <= plan.asked_per_action:
            yield row["text"], action_name(label)


def _foreign(
    rows: Sequence[Row], plan: Plan, labels: Sequence[str], chance: Random, most: int
) -> Iterable[tuple[str, str | None]]:
    of_none = [row for row in rows if row["intent"] == OUT_OF_SCOPE]
    known = {*labels, OUT_OF_SCOPE}
    of_others = [r for r in rows if r.get("split") == plan.asked and r["intent"] not in known]
    chance.shuffle(of_others)
    return [(row["text"], None) for row in (*of_none, *of_others[:most])]
