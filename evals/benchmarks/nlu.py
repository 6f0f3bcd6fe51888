"""The sentence encoder, routing over 20 to 500 actions, and learned heuristics as they grow."""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from time import thread_time_ns

import numpy as np
from threadpoolctl import threadpool_limits

from evals.benchmarks.measurement import Measurement, Stopwatch, summarise
from evals.robustness.external_labels import pack_from_labels
from state.event import Event
from state.heuristic import Confidence, Heuristic, KnownHeuristic
from state.strategy_tuning import LearningTuning
from tools.adapters.embedding.minilm import AdaptedMiniLM, MiniLM
from tools.adapters.embedding.minilm_weights import LAYERS, LINEAR
from tools.catalog import Catalogue, load_pack
from tools.memory.heuristics.matching import LearnedHeuristics
from tools.memory.heuristics.similarity import TextSimilarity
from tools.nlu import Router

MESSAGE = "please show me all of the open work orders today"
"""Ten tokens and the two around them."""
_TOKENS = 12

_LOAD = """
import sys
from pathlib import Path
from time import perf_counter
from tools.adapters.embedding.minilm import MiniLM
started = perf_counter()
MiniLM(Path(sys.argv[1])).embed(["ready"])
print((perf_counter() - started) * 1000)
"""


def measure_encoder(folder: Path, *, runs: int) -> Iterator[Measurement]:
    """Time the encoder; the products are the least that any implementation has to compute."""
    encoder = MiniLM(folder)
    for _run in range(10):
        encoder.embed([MESSAGE])
    ours, bare = [], []
    products = _Products()
    with threadpool_limits(1):
        for _run in range(runs):  # turn by turn, so that both meet the same machine
            ours.append(_timed_encoding(encoder, MESSAGE))
            bare.append(products.timed())
    yield summarise("encoder, 10-token message", ours, goal="p95 < 12")
    yield summarise("  its bare products in numpy", bare)
    shares = [one / other for one, other in zip(ours, bare, strict=True)]
    yield summarise("  encoder / bare products", shares, "×")
    texts = [f"{MESSAGE} number {number}" for number in range(runs)]
    watch = Stopwatch()
    encoder.embed(texts)
    rate = runs / watch.ms * 1000
    yield Measurement(name="encoder, batch of short texts", n=runs, p50=round(rate, 1), unit="/s")
    starts = min(3, runs)
    cold = [_load(folder / f"{start}") for start in range(starts)]
    yield summarise("encoder, load, no graph kept", cold)
    yield summarise("encoder, load", [_load(folder) for _start in range(starts)], goal="< 1000")


def _timed_encoding(encoder: MiniLM, text: str) -> float:
    watch = Stopwatch()
    encoder.embed([text])
    return watch.ms


def _load(cache: Path) -> float:
    """Import, check, load and embed, in a process of its own."""
    command = [sys.executable, "-c", _LOAD, str(cache)]
    said = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603 - ours
    return float(said.stdout)


class _Products:
    """The matrix products of the six layers on weights of their shapes, and nothing else."""

    def __init__(self) -> None:
        random = np.random.default_rng(0)
        self._rows = {
            inputs: random.normal(size=(_TOKENS, inputs)).astype(np.float32)
            for inputs in sorted({inputs for inputs, _outputs in LINEAR.values()})
        }
        self._weights = [
            random.normal(size=shape).astype(np.float32) for shape in [*LINEAR.values()] * LAYERS
        ]

    def timed(self) -> float:
        watch = Stopwatch()
        for weight in self._weights:
            self._rows[weight.shape[0]] @ weight
        return watch.ms


HEURISTIC_SIZES = (1_000, 10_000)
_SURE = Confidence(usable=0.7, mean=0.8, lower=0.7, a=4, b=1, blocked=False)
_WHO = ("pump", "valve", "filter", "lamp", "door", "fan", "gauge", "belt", "tank", "hose")
_WHERE = ("galley", "bridge", "workshop", "garage", "garden", "cellar", "attic", "kitchen", "yard")
_WHAT = ("is hot", "is noisy", "drips", "is stuck", "shakes", "smells", "is loose", "hums", "jams")


def measure_heuristics(folder: Path, tuning: LearningTuning, *, runs: int) -> Iterator[Measurement]:
    """Match events against heuristics of one source and kind, the worst case for the filters."""
    encoder = MiniLM(folder)
    try:
        for size in HEURISTIC_SIZES:
            learned = LearnedHeuristics(TextSimilarity(tuning, encoder), Catalogue.of([]))
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
            yield summarise(f"match among {size:,} heuristics", took)
            yield summarise("  the first one of a process, where no condition is embedded", [first])
            yield summarise("  embedding the conditions in the background", [rest])
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


CATALOGUE_SIZES = (20, 150, 500)
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


def measure_routing(folder: Path, *, runs: int) -> Iterator[Measurement]:
    """Time one message; the same sentences are asked of a small catalogue and of a large one."""
    encoder = AdaptedMiniLM(folder / "encoder")
    pairs = list(product(_THINGS, _ASPECTS))
    for hears in (False, True):
        medians: list[float] = []
        for size in CATALOGUE_SIZES:
            catalogue = _catalogue(folder / f"{size}-{hears}", pairs[:size])
            watch = Stopwatch()
            router = Router(catalogue, embedder=encoder if hears else None)
            name = f"route, {size} actions, {'with the encoder' if hears else 'by words'}"
            yield Measurement(name=f"{name}: learnt", n=1, p50=round(watch.ms, 1), unit="ms")
            goal = "p95 < 12" if hears else "p95 < 1"
            for kind, template in (("match", _MATCH), ("no match", _NO_MATCH)):
                asked = [template.format(thing=t, aspect=a) for t, a in pairs[:size]]
                samples, processor = _timed_routing(router, asked, runs)
                yield summarise(f"{name}, {kind}", samples, goal=goal)
                yield summarise(f"{name}, {kind}, CPU", processor, goal=goal)
                if kind == "match":
                    medians.append(sorted(processor)[len(processor) // 2])
        growth = round(medians[-1] / medians[0], 2)
        way = "with the encoder" if hears else "by words"
        name = f"  {CATALOGUE_SIZES[-1]} / {CATALOGUE_SIZES[0]} actions, {way}"
        yield Measurement(name=name, n=runs, p50=growth, unit="×", goal="< 2")


def _timed_routing(
    router: Router, texts: Sequence[str], runs: int
) -> tuple[list[float], list[float]]:
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
    pack_from_labels(rows, folder, split=None)
    return Catalogue.of([load_pack(folder)])
