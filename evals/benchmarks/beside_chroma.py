"""Chroma beside an exact product: filtered queries, single commits, kills.

It needs no environment of the project:

uv run --no-project --with chromadb==1.5.9 python -m evals.benchmarks.beside_chroma

One vector a record, by chance, of which 1 in 4 is of another tenant; a filter names tenant and a
quarter of a year in ten. The embedded client, its default index, nothing sent to anybody.
"""

import argparse
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import numpy.typing as npt

from evals.benchmarks.measurement import Measurement, Stopwatch, summed_up

Vectors = npt.NDArray[np.float32]
HITS, QUESTIONS, COMMITS, KILLS = 100, 60, 60, 10
_DIMENSIONS, _AT_ONCE, _DAYS, _QUARTER = 384, 5_000, 3_650, 91


def main() -> None:
    """Measure and print; `--writes FOLDER` is the process that is killed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--writes", type=Path)
    parser.add_argument("--holds", type=Path)
    given = parser.parse_args()
    if given.writes:
        _write_for_ever(given.writes)
    elif given.holds:
        print(*sorted(map(int, _collection(given.holds).get(include=[])["ids"])))
    else:
        for size in given.sizes:
            with TemporaryDirectory(prefix="chroma-") as folder:
                for one in _measured(Path(folder), size):
                    print(f"{one.name:<52}{one.p50:>9.2f} {one.p95 or 0:>9.2f} ms", flush=True)
        written, lost = _killed()
        print(f"{KILLS} kills: {written} acknowledged, {lost} of them gone")


def _measured(folder: Path, size: int) -> Iterator[Measurement]:
    chance = np.random.default_rng(0)
    vectors = _drawn(chance, size)
    days = np.arange(size) % _DAYS
    is_ours = np.arange(size) % 4 > 0
    collection = _collection(folder)
    for start in range(0, size, _AT_ONCE):
        some = range(start, min(start + _AT_ONCE, size))
        collection.add(
            ids=[str(number) for number in some],
            embeddings=list(vectors[some.start : some.stop]),
            metadatas=[{"tenant": f"t{number % 4 > 0}", "day": number % _DAYS} for number in some],
        )
    ours = {"tenant": "tTrue"}
    asked = _drawn(chance, QUESTIONS)
    for name, where, allowed in (
        ("tenant alone", ours, is_ours),
        ("tenant and a quarter", _within(ours), is_ours & (days >= 900) & (days < 900 + _QUARTER)),
    ):
        took, exact, shares = [], [], []
        for question in asked:
            watch = Stopwatch()
            found = collection.query(query_embeddings=[question], n_results=HITS, where=where)
            took.append(watch.ms)
            watch = Stopwatch()
            products = np.where(allowed, vectors @ question, -2)
            nearest = np.argpartition(-products, HITS)[:HITS]
            exact.append(watch.ms)
            shares.append(len(set(map(int, found["ids"][0])) & set(nearest.tolist())) / HITS)
        yield summed_up(f"{size:,}, {name}: Chroma", took)
        yield summed_up(f"  exact product; Chroma has {np.mean(shares):.3f} of its hits", exact)
    took = []
    for number, vector in enumerate(_drawn(chance, COMMITS)):
        watch = Stopwatch()
        collection.add(ids=[f"new-{number}"], embeddings=[vector], metadatas=[ours])
        took.append(watch.ms)
    yield summed_up(f"{size:,}: a commit to Chroma", took)


def _within(ours: dict[str, str]) -> dict[str, Any]:  # Chroma's own language
    return {"$and": [ours, {"day": {"$gte": 900}}, {"day": {"$lt": 900 + _QUARTER}}]}


def _killed() -> tuple[int, int]:
    """Kill a writer again and again; count what it had acknowledged and is not there after."""
    written = lost = 0
    with TemporaryDirectory(prefix="chroma-") as folder:
        for turn in range(KILLS):
            writer = _itself("--writes", folder)
            first = writer.stdout.readline() if writer.stdout else b""
            time.sleep(0.2 + 0.1 * turn)
            os.kill(writer.pid, signal.SIGKILL)
            lines = (first + writer.communicate()[0]).split(b"\n")[:-1]
            reader = _itself("--holds", folder)
            held = {int(number) for number in reader.communicate()[0].split()}
            written += len(lines)
            lost += len({int(line) for line in lines} - held)
    return written, lost


def _itself(*arguments: str) -> subprocess.Popen[bytes]:
    command: Sequence[str] = (sys.executable, "-m", __spec__.name, *arguments)
    return subprocess.Popen(command, stdout=subprocess.PIPE)  # noqa: S603 (this very file)


def _write_for_ever(folder: Path) -> None:
    collection = _collection(folder)
    number = collection.count()
    chance = np.random.default_rng(number)
    while True:
        collection.add(ids=[str(number)], embeddings=list(_drawn(chance, 1)))
        print(number, flush=True)
        number += 1


def _drawn(chance: np.random.Generator, count: int) -> Vectors:
    drawn = chance.standard_normal((count, _DIMENSIONS)).astype(np.float32)
    unit: Vectors = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
    return unit


def _collection(folder: Path) -> Any:  # of a library that is not ours
    import chromadb  # type: ignore[import-not-found]  # only where somebody has put it
    from chromadb.config import Settings  # type: ignore[import-not-found]

    client = chromadb.PersistentClient(str(folder), Settings(anonymized_telemetry=False))
    return client.get_or_create_collection(
        "journal", embedding_function=None, metadata={"hnsw:space": "ip"}
    )


if __name__ == "__main__":
    main()
