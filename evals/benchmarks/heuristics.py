"""Learned heuristics as they grow: how long until it is known which of them fit an event."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from evals.benchmarks.measurement import Measurement, Stopwatch, summed_up
from state.event import Event
from state.heuristic import Confidence, Heuristic, KnownHeuristic
from state.strategy_tuning import LearningTuning
from tools.catalogue.catalogue import Catalogue
from tools.embedding.minilm import MiniLM
from tools.heuristics.learned import Learned
from tools.heuristics.likeness import Likeness

SIZES = (1_000, 10_000)
_SURE = Confidence(usable=0.7, mean=0.8, lower=0.7, a=4, b=1, blocked=False)
_WHO = ("pump", "valve", "filter", "lamp", "door", "fan", "gauge", "belt", "tank", "hose")
_WHERE = ("galley", "bridge", "workshop", "garage", "garden", "cellar", "attic", "kitchen", "yard")
_WHAT = ("is hot", "is noisy", "drips", "is stuck", "shakes", "smells", "is loose", "hums", "jams")


def measure(folder: Path, tuning: LearningTuning, *, runs: int) -> Iterator[Measurement]:
    """Match events against heuristics of one source and kind, the worst case for the filters."""
    encoder = MiniLM(folder)
    try:
        for size in SIZES:
            learned = Learned(Likeness(tuning, encoder), Catalogue.of([]))
            learned.put("default", [_known(number) for number in range(size)])
            chance = np.random.default_rng(0)
            watch = Stopwatch()
            learned.fitting(_event(0, 0))
            first, watch = watch.ms, Stopwatch()
            while learned.embed():
                pass
            rest = watch.ms
            took = []
            for number, about in enumerate(chance.integers(0, size, runs).tolist(), start=1):
                watch = Stopwatch()
                found = learned.fitting(_event(number, about))
                took.append(watch.ms)
                if _text(about) not in {one.condition_text for one in found}:
                    raise AssertionError(f"{_text(about)} is not found")
            yield summed_up(f"match among {size:,} heuristics", took)
            yield summed_up("  the first one of a process, where no condition is embedded", [first])
            yield summed_up("  embedding the conditions in the background", [rest])
    finally:
        encoder.close()


def _known(number: int) -> KnownHeuristic:
    one = Heuristic(
        heuristic_id=f"learned-{number}",
        tenant_id="default",
        condition=_text(number),
        source="house",
        says="Look at it.",
        made_at=float(number),
    )
    return KnownHeuristic(heuristic=one, confidence=_SURE)


def _event(number: int, about: int) -> Event:
    text = f"{_text(about)} again" if number % 2 else _text(about)
    return Event(event_id=f"event-{number}", source="house", text=text)


def _text(number: int) -> str:
    rest, who = divmod(number, len(_WHO))
    rest, where = divmod(rest, len(_WHERE))
    rest, what = divmod(rest, len(_WHAT))
    return f"The {_WHO[who]} {rest} in the {_WHERE[where]} {_WHAT[what]}"
