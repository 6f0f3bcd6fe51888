"""Measure, print and store as JSON; `--ratios` measures the kept ratios again instead.

`python -m evals.benchmarks [--quick] [--only NAME …] [--ratios]`
"""

import argparse
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from api.cli.terminal import configure_logs
from evals.benchmarks import attention as speaking
from evals.benchmarks import graph_overhead as against_empty
from evals.benchmarks import graph_overhead as cycles
from evals.benchmarks import http as over_http
from evals.benchmarks import in_process as embedded
from evals.benchmarks import in_process as traced
from evals.benchmarks import journal, load, ratios
from evals.benchmarks import nlu as encoding
from evals.benchmarks import nlu as heuristics
from evals.benchmarks import nlu as routing
from evals.benchmarks.measurement import (
    Machine,
    Measurement,
    describe_machine,
    file_name,
    run_on_service_loop,
)
from graph.settings import Settings
from graph.wiring.thresholds import read_tuning
from state.noun import Noun

RESULTS = Path(__file__).parent / "results"
ATTEMPTS = 3
"""On a machine with many times more work than cores a ratio moves by a quarter."""


class Results(Noun):
    """One run of the benchmarks, as it is kept."""

    measured_at: datetime
    quick: bool
    machine: Machine
    measurements: tuple[Measurement, ...]


def main() -> None:
    """Run every benchmark; nothing here fails because a machine is slow."""
    parser = argparse.ArgumentParser(prog="python -m evals.benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a quarter of the samples")
    parser.add_argument("--out", type=Path, default=RESULTS, help="folder of the JSON file")
    parser.add_argument(
        "--only",
        nargs="+",
        metavar="NAME",
        choices=[*_MEASURED],
        default=(),
        help=f"some of {', '.join(_MEASURED)}; nothing is kept",
    )
    parser.add_argument(
        "--ratios",
        action="store_true",
        help="measure the ratios to empty nodes; exit 1 if one is a fifth above the kept one",
    )
    given = parser.parse_args()
    configure_logs("warning")
    # In a file or a pipe there is room for the whole names and their figures.
    console = Console(width=None if sys.stdout.isatty() else 120)
    machine = describe_machine()
    if given.ratios:
        sys.exit(_check_ratios(console, machine))
    measurements = []
    with TemporaryDirectory(prefix="prefrontal-bench-") as folder, console.status("") as status:
        for measurement in measure(Path(folder), share=4 if given.quick else 1, only=given.only):
            measurements.append(measurement)
            status.update(f"measured: {measurement.name.strip()}")
    console.print(table_of(measurements, machine))
    if given.only:
        return
    results = Results(
        measured_at=datetime.now(UTC),
        quick=given.quick,
        machine=machine,
        measurements=tuple(measurements),
    )
    given.out.mkdir(parents=True, exist_ok=True)
    path = given.out / file_name()
    path.write_text(results.model_dump_json(indent=2) + "\n", encoding="utf-8")
    ratios.keep([one for one in measurements if one.name in ratios.read_kept()])
    console.print(f"kept in {path}")


def _check_ratios(console: Console, machine: Machine) -> int:
    """Print the ratios; 1: one was beyond the tolerance of the kept one in every attempt."""
    worse: list[str] = []
    for _attempt in range(ATTEMPTS):
        with TemporaryDirectory(prefix="prefrontal-bench-") as folder:
            found = list(measure(Path(folder), share=1, only=["ratios"]))
        console.print(table_of(found, machine))
        if not (worse := ratios.compare(found, ratios.read_kept())):
            return 0
    console.print("\n".join(worse))
    return 1


def table_of(measurements: list[Measurement], machine: Machine) -> Table:
    """Draw the table."""
    table = Table(
        box=SIMPLE_HEAD,
        caption=f"{machine.processor}, {machine.cores} cores, {machine.python}, "
        f"load before {machine.load_before}",
        caption_justify="left",
    )
    table.add_column("what", no_wrap=True)
    for column in ("n", "p50", "p95"):
        table.add_column(column, justify="right")
    table.add_column("unit")
    table.add_column("goal")
    for one in measurements:
        p95 = "" if one.p95 is None else _shown(one.p95)
        table.add_row(one.name, str(one.n), _shown(one.p50), p95, one.unit, one.goal)
    return table


def _shown(value: float) -> str:
    return f"{value:.2f}" if value < 100 else f"{value:.0f}"


def _collected(measuring: AsyncIterator[Measurement]) -> list[Measurement]:
    async def collect() -> list[Measurement]:
        return [measurement async for measurement in measuring]

    return run_on_service_loop(collect())


def measure(folder: Path, *, share: int, only: Sequence[str] = ()) -> Iterator[Measurement]:
    """Measure everything, or some by name, each on a folder of its own below `folder`."""
    for name, work in _MEASURED.items():
        if only and name not in only:
            continue
        place = folder / name
        place.mkdir()
        yield from work(place, share)


def _router(folder: Path, share: int) -> Iterator[Measurement]:
    yield embedded.measure_router(folder, rounds=8 // share)


def _heuristics(folder: Path, share: int) -> Iterator[Measurement]:
    learning = read_tuning(Settings().policy_file).learning
    yield from heuristics.measure_heuristics(folder, learning, runs=200 // share)


def _journal(folder: Path, share: int) -> list[Measurement]:
    sizes = journal.SIZES if share == 1 else journal.SIZES[:2]
    return _collected(journal.measure(folder, runs=160 // share, sizes=sizes))


_MEASURED: Mapping[str, Callable[[Path, int], Iterable[Measurement]]] = {
    "graph": lambda at, share: _collected(
        against_empty.measure_against_empty(at, runs=120 // share)
    ),
    "embedded": lambda at, share: _collected(embedded.measure_in_process(at, runs=240 // share)),
    "cycles": lambda at, share: _collected(cycles.measure_cycles(at, runs=160 // share)),
    "ratios": lambda at, share: _collected(ratios.measure_ratios(at, rounds=24 // share)),
    "router": _router,
    "routing": lambda at, share: routing.measure_routing(at, runs=400 // share),
    "encoder": lambda at, share: encoding.measure_encoder(at, runs=400 // share),
    "heuristics": _heuristics,
    "journal": _journal,
    "speaking": lambda at, share: _collected(speaking.measure(at, runs=2_000 // share)),
    "tracing": lambda at, share: _collected(traced.measure_tracing(at, runs=800 // share)),
    "http": lambda at, share: over_http.measure(at, runs=160 // share),
    "proposals": lambda at, share: over_http.measure_proposals(at, runs=160 // share),
    "load": lambda at, share: load.measure(at, seconds=300 / share, flood_seconds=20 / share),
    "starts": lambda at, share: over_http.measure_starts(at, runs=3 if share == 1 else 2),
}
"""What is measured, in the order in which it is."""


if __name__ == "__main__":
    main()
