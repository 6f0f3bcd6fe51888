"""Make a pack of a draw, load it cold and from the cache, and route what is asked."""

from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from pydantic import Field

from evals.benchmarks.measurement import summed_up
from evals.catalogue_from_labels import catalogue_from_labels
from evals.labelled.drawing import Drawn
from evals.labelled.figures import Answer, Figures, figures
from evals.mutations.judging import Bench
from state.noun import Noun


class Measured(Noun):
    """One draw: what it was made of, its figures, and how long things took."""

    seed: int
    actions: int
    examples: int
    figures: Figures
    cold_seconds: float = Field(description="to load the pack the first time, encoder included")
    cached_seconds: float = Field(description="to load it again")
    p50_ms: float = Field(description="to route one message, policy included")
    p95_ms: float | None = Field(description="null: too few messages")


def measure(
    draw: Drawn,
    folder: Path,
    *,
    seed: int,
    words_only: bool = False,
    told: Callable[[int], None] = lambda _done: None,
) -> Measured:
    """Measure one draw in an empty folder; `told` learns how many messages are done."""
    pack = folder / "labelled"
    actions = catalogue_from_labels(draw.examples, pack, split=None)

    def loaded(name: str) -> tuple[Bench, float]:
        (folder / name).mkdir()
        started = perf_counter()
        bench = Bench(str(pack), folder / name, cache=folder / "cache", words_only=words_only)
        return bench, perf_counter() - started

    first, cold_seconds = loaded("cold")
    first.close()
    bench, cached_seconds = loaded("cached")
    bench.route(draw.examples[0]["text"])
    answers = []
    for text, wanted in draw.asked:
        answers.append(_answer(bench, text, wanted))
        told(len(answers))
    ask_confidence = bench.ask_confidence
    bench.close()
    times = summed_up("", [one.milliseconds for one in answers])
    return Measured(
        seed=seed,
        actions=actions,
        examples=len(draw.examples),
        figures=figures(answers, ask_confidence=ask_confidence),
        cold_seconds=cold_seconds,
        cached_seconds=cached_seconds,
        p50_ms=times.p50,
        p95_ms=times.p95,
    )


def _answer(bench: Bench, text: str, wanted: str | None) -> Answer:
    started = perf_counter()
    routed = bench.route(text)
    milliseconds = (perf_counter() - started) * 1000
    named = (routed.action,) if routed.action is not None else ()
    return Answer(
        text=text,
        wanted=wanted,
        is_named=routed.action is not None,
        shown=(*named, *(one.action for one in routed.alternatives)),
        confidence=routed.confidence,
        runs=routed.verdict == "act",
        milliseconds=milliseconds,
    )
