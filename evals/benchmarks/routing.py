"""Routing alone: 20, 150 and 500 actions, by words and with the encoder, match and no match."""

from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from time import thread_time_ns

from evals.benchmarks.measurement import Measurement, Stopwatch, summed_up
from evals.catalogue_from_labels import catalogue_from_labels
from tools.catalogue.catalogue import Catalogue
from tools.catalogue.pack import load_pack
from tools.embedding.minilm import AdaptedMiniLM
from tools.routing.router import Router

SIZES = (20, 150, 500)
_EXAMPLES = (
    "show me the {thing} {aspect}",
    "what is the {aspect} of our {thing}",
    "I need to see the {thing} {aspect} today",
    "give me the {aspect} for the {thing} please",
    "could you look up the {thing} {aspect}",
    "{thing} {aspect}",
    "is there anything new about the {aspect} of the {thing}",
    "tell me the {thing} {aspect} for last week",
    "pull up the {aspect} for that {thing}",
    "how does the {thing} {aspect} look now",
)
_MATCH = "please tell me what the {thing} {aspect} looks like"
_NO_MATCH = "sing me a song about {thing} and the moon"
_THINGS = (
    "invoice",
    "truck",
    "harvest",
    "orchestra",
    "vaccine",
    "bridge",
    "library",
    "glacier",
    "kitchen",
    "satellite",
    "warehouse",
    "passport",
    "turbine",
    "garden",
    "museum",
    "contract",
    "tunnel",
    "hospital",
    "printer",
    "ferry",
    "vineyard",
    "antenna",
    "school",
    "reservoir",
    "theatre",
)
_ASPECTS = (
    "schedule",
    "cost",
    "temperature",
    "owner",
    "history",
    "location",
    "capacity",
    "colour",
    "warranty",
    "risk",
    "permit",
    "noise",
    "weight",
    "rating",
    "deadline",
    "supplier",
    "forecast",
    "insurance",
    "attendance",
    "budget",
)


def measure(folder: Path, *, runs: int) -> Iterator[Measurement]:
    """Time one message; the same sentences are asked of a small catalogue and of a large one."""
    encoder = AdaptedMiniLM(folder / "encoder")
    pairs = list(product(_THINGS, _ASPECTS))
    for hears in (False, True):
        medians: list[float] = []
        for size in SIZES:
            catalogue = _catalogue(folder / f"{size}-{hears}", pairs[:size])
            watch = Stopwatch()
            router = Router(catalogue, embedder=encoder if hears else None)
            name = f"route, {size} actions, {'with the encoder' if hears else 'by words'}"
            yield Measurement(name=f"{name}: learnt", n=1, p50=round(watch.ms, 1), unit="ms")
            goal = "p95 < 12" if hears else "p95 < 1"
            for kind, template in (("match", _MATCH), ("no match", _NO_MATCH)):
                asked = [template.format(thing=t, aspect=a) for t, a in pairs[:size]]
                samples, processor = _timed(router, asked, runs)
                yield summed_up(f"{name}, {kind}", samples, goal=goal)
                yield summed_up(f"{name}, {kind}, CPU", processor, goal=goal)
                if kind == "match":
                    medians.append(sorted(processor)[len(processor) // 2])
        growth = round(medians[-1] / medians[0], 2)
        name = f"  {SIZES[-1]} / {SIZES[0]} actions, {'with the encoder' if hears else 'by words'}"
        yield Measurement(name=name, n=runs, p50=growth, unit="×", goal="< 2")


def _timed(router: Router, texts: Sequence[str], runs: int) -> tuple[list[float], list[float]]:
    """Time each message by the clock and by the processor, which other work does not slow down."""
    for text in texts[:5]:
        router.route(text)
    samples, processor = [], []
    for run in range(runs):
        watch, began = Stopwatch(), thread_time_ns()
        router.route(texts[run % len(texts)])
        processor.append((thread_time_ns() - began) / 1e6)
        samples.append(watch.ms)
    return samples, processor


def _catalogue(folder: Path, pairs: Sequence[tuple[str, str]]) -> Catalogue:
    rows = [
        {"intent": f"{thing}_{aspect}", "text": text.format(thing=thing, aspect=aspect)}
        for thing, aspect in pairs
        for text in _EXAMPLES
    ]
    catalogue_from_labels(rows, folder, split=None)
    return Catalogue.of([load_pack(folder)])
