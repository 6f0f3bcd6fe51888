"""Say what became of a framed command, and count."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import StrEnum

from evals.frames.framing import Frame
from evals.measures import Measure, rate
from evals.mutations.judging import Bench, Verdict, judged
from evals.mutations.shapes import Mutation
from state.noun import Noun

MEASURES = ("changes_right", "reads_right", "another", "mixed_up")
"""Of messages that ask for a change, and of those that ask for a read, the share that is named, or
offered where the frame wants no more; of all, that in which another of the same nature is named,
and that in which a read is for a change or the reverse."""


class Outcome(StrEnum):
    """What was made of a request."""

    NAMED = "named"
    OFFERED = "offered"
    NOTHING = "nothing"
    ANOTHER = "another"  # which changes as little, or as much
    MIXED = "mixed"  # a read for a change, or the reverse


class Answer(Noun):
    """What became of one message."""

    verdict: Verdict
    frame: Frame
    outcome: Outcome
    is_read: bool

    @property
    def is_right(self) -> bool:
        """Tell whether as much was shown as the frame wants."""
        return self.outcome in (Outcome.NAMED, self.frame.enough)


class Count(Noun):
    """The answers to one kind or frame, counted by outcome."""

    name: str
    of: str
    messages: int
    right: int
    named: int
    offered: int
    nothing: int
    another: int
    mixed: int


def answers(
    bench: Bench,
    messages: Sequence[Mutation],
    frames: Mapping[str, Frame],
    told: Callable[[int], None] = lambda _done: None,
) -> list[Answer]:
    """Route every message; `told` learns after each how many are done."""
    reads = {name for name, action in bench.actions.items() if action.effect == "read"}
    return [
        Answer(
            verdict=verdict,
            frame=frames[verdict.mutation.shape.template],
            outcome=outcome_of(verdict, reads),
            is_read=verdict.mutation.action in reads,
        )
        for verdict in judged(bench, messages, told=told)
    ]


def outcome_of(verdict: Verdict, reads: Collection[str]) -> Outcome:
    """Say what was made of a request, by which actions only read."""
    if verdict.is_named:
        return Outcome.NAMED
    if verdict.action is None:
        return Outcome.NOTHING if verdict.is_lost else Outcome.OFFERED
    is_same = (verdict.action in reads) == (verdict.mutation.action in reads)
    return Outcome.ANOTHER if is_same else Outcome.MIXED


def figures(found: Sequence[Answer]) -> tuple[Measure, ...]:
    """Measure the shares; messages of one action hang together, so whole actions are drawn."""
    changes = [one for one in found if not one.is_read]
    reads = [one for one in found if one.is_read]
    return tuple(
        rate(name, [float(is_hit(one)) for one in of], [one.verdict.mutation.action for one in of])
        for name, of, is_hit in zip(
            MEASURES,
            (changes, reads, found, found),
            (_is_right, _is_right, _names_another, _mixes_up),
            strict=True,
        )
    )


def counts(found: Iterable[Answer], name: Callable[[Answer], str]) -> list[Count]:
    """Count answers by kind, by template, or by whatever `name` calls one; reads apart."""
    by_name: dict[tuple[str, str], Counter[str]] = {}
    for one in found:
        key = name(one), "reads" if one.is_read else "changes"
        counter = by_name.setdefault(key, Counter(dict.fromkeys(Outcome, 0)))
        counter.update({"messages": 1, "right": one.is_right, one.outcome: 1})
    return [Count(name=key, of=of, **counter) for (key, of), counter in by_name.items()]


def worst(counted: Iterable[Count], at_most: int) -> list[Count]:
    """Give the frames that went wrong most often, worst first; none that is always right."""
    failed = [one for one in counted if one.right < one.messages or one.mixed]
    return sorted(failed, key=lambda one: (one.right / one.messages, -one.mixed))[:at_most]


def _is_right(one: Answer) -> bool:
    return one.is_right


def _names_another(one: Answer) -> bool:
    return one.outcome is Outcome.ANOTHER


def _mixes_up(one: Answer) -> bool:
    return one.outcome is Outcome.MIXED
