"""How sure a heuristic may be after what people made of it. Source: executive.md §1.9."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from state.heuristic import Confidence, Heuristic, Signal
from state.strategy_tuning import LearningTuning


@dataclass(frozen=True)
class Beta:
    """Two counts, for and against."""

    a: float
    b: float

    @property
    def mean(self) -> float:
        """Give the expected share of answers that are liked."""
        return self.a / (self.a + self.b)

    @property
    def lower(self) -> float:
        """Give the mean less half a standard deviation."""
        mean = self.mean
        return mean - 0.5 * math.sqrt(mean * (1 - mean) / (self.a + self.b + 1))


def prior_of(heuristic: Heuristic, tuning: LearningTuning) -> Beta:
    """Tell where a heuristic starts: a learned one low, a shipped one where its pack put it."""
    if heuristic.declared is None:
        return Beta(tuning.prior_for, tuning.prior_against)
    strength = tuning.shipped_strength
    declared = min(0.99, max(0.01, heuristic.declared))  # at 0 or 1 nothing could move it
    return Beta(declared * strength, (1 - declared) * strength)


def confidence_of(
    heuristic: Heuristic, signals: Sequence[Signal], tuning: LearningTuning
) -> Confidence:
    """Fold signals, oldest first, into what a heuristic may be relied on for.

    Each step fades what was learned towards the prior, so that unused knowledge returns to it. What
    a pack declares is an author's word: it moves by as much as the lower bound does.
    """
    prior = beta = prior_of(heuristic, tuning)
    seen: Counter[tuple[str, bool]] = Counter()
    if not heuristic.locked:
        for signal in signals:
            weight = weight_of(signal, tuning) * heuristic.weight
            if weight == 0:
                continue
            place = (signal.session_id, speaks_for(signal))
            weight /= 1 + tuning.again * seen[place]
            seen[place] += 1
            beta = _after(beta, prior, weight, 1.0 if speaks_for(signal) else 0.0, tuning.discount)
    goods = [signal for signal in signals if signal.sign == "good"]
    taught_by = tuple(sorted({one.given_by for one in goods if one.given_by}))
    is_ours = heuristic.declared is not None or heuristic.locked
    return Confidence(
        usable=_usable(heuristic, beta, prior, goods=len(goods), tuning=tuning),
        mean=beta.mean,
        lower=beta.lower,
        a=beta.a,
        b=beta.b,
        blocked=not heuristic.locked and _is_on_probation(signals),
        doubted=not heuristic.locked and _is_doubted(signals),
        taught_by=taught_by,
        taught_in=tuple(sorted({one.session_id for one in goods})),
        shared=is_ours or len(taught_by) >= tuning.people,
        goods=len(goods),
        bads=sum(_is_bad(signal) for signal in signals),
        signals=len(signals),
    )


def weight_of(signal: Signal, tuning: LearningTuning) -> float:
    """Weigh a signal; one of a bad moment says nothing of the heuristic."""
    if signal.sign == "bad" and signal.attribution == "bad_timing":
        return 0.0
    if signal.sign == "agreed":
        is_alike = signal.strength >= tuning.alike
        return tuning.weights["agreed"] * signal.strength if is_alike else 0.0
    return tuning.weights[signal.sign]


def speaks_for(signal: Signal) -> bool:
    """Tell which way a signal points; silence of somebody who is there is no complaint."""
    return signal.sign in ("good", "meh", "silence", "agreed")


def _after(beta: Beta, prior: Beta, weight: float, liked: float, discount: float) -> Beta:
    return Beta(
        prior.a + discount * (beta.a - prior.a) + weight * liked,
        prior.b + discount * (beta.b - prior.b) + weight * (1 - liked),
    )


def _usable(
    heuristic: Heuristic, beta: Beta, prior: Beta, *, goods: int, tuning: LearningTuning
) -> float:
    if heuristic.declared is not None:
        told = heuristic.declared + beta.lower - prior.lower
        if heuristic.locked:
            return heuristic.declared
    else:
        told = beta.lower if goods else min(tuning.without_person, beta.lower)
    return min(heuristic.ceiling, max(heuristic.floor, told))


def _is_on_probation(signals: Sequence[Signal]) -> bool:
    """Two bad ones in a row, or three of the last five, block it until the next good one."""
    blocked = False
    told: list[bool] = []
    for signal in signals:
        if signal.sign == "good":
            blocked = False
            told.append(False)
        elif signal.sign == "meh":
            told.append(False)
        elif _is_bad(signal):
            told.append(True)
            blocked = blocked or told[-2:] == [True, True] or sum(told[-5:]) >= 3
    return blocked


def _is_doubted(signals: Sequence[Signal]) -> bool:
    """What it says was called wrong, and nobody has liked it since.

    Whoever said so may have changed their mind or been mistaken: asking a model tells which, and
    costs one call.
    """
    told = (signal for signal in reversed(signals) if signal.sign == "good" or _is_bad(signal))
    last = next(told, None)
    return last is not None and last.sign != "good" and last.attribution != "not_wanted"


def _is_bad(signal: Signal) -> bool:
    return signal.sign == "undone" or (signal.sign == "bad" and signal.attribution != "bad_timing")
