"""The cache of vectors under kill -9 and under somebody who writes over it: nobody fails."""

import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.torture.counts import few_or_many
from tests.torture.tally import Tally
from tools.adapters.embedding.vector_cache import VectorCache

WRITERS = 2
MOST = 100_000

_WRITE = """
import sys
from pathlib import Path
import numpy as np
from tools.adapters.embedding import vector_cache
vector_cache._WAIT_SECONDS = 30  # on a busy machine the other one may take its time
kept = vector_cache.VectorCache(Path(sys.argv[1]), most=100_000)
for number in range(int(sys.argv[3])):
    text = f"{sys.argv[2]} {number}"
    kept.write("model", {text: np.full(384, number, np.float32)})
    kept.read("model", [f"{sys.argv[2]} {number // 2}"])
    print(text, flush=True)
"""


@contextmanager
def writing(file: Path, name: str, times: int) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", _WRITE, str(file), name, str(times)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def lines(process: subprocess.Popen[str], count: int) -> list[str]:
    """Wait for some lines of a process."""
    assert process.stdout is not None
    return [process.stdout.readline().strip() for _line in range(count)]


def last_line(process: subprocess.Popen[str]) -> str:
    """Wait for the end of a process."""
    assert process.stdout is not None
    *_, last = process.stdout
    assert process.wait(60) == 0
    return last.strip()


@few_or_many(1, 30)
def test_what_a_killed_process_kept_is_there(tmp_path: Path, tally: Tally, count: int) -> None:
    file, told = tmp_path / "vectors.sqlite", list[str]()
    for kill in range(count):
        with (
            writing(file, f"{kill} first", 100_000) as first,
            writing(file, f"{kill} second", 100_000) as second,
        ):
            for process in (first, second):
                told += lines(process, random.Random(kill).randint(1, 60))
            first.kill()
            second.kill()
        tally.add("kills while vectors are kept", WRITERS)
    kept = VectorCache(file, most=MOST)
    found = kept.read("model", told)
    kept.close()
    assert set(told) == set(found)
    assert all((found[text] == float(text.split()[-1])).all() for text in told)
    assert not file.with_suffix(".damaged").exists()


@few_or_many(1, 30)
def test_a_file_written_over_stops_nobody(tmp_path: Path, tally: Tally, count: int) -> None:
    for attempt in range(count):
        file = tmp_path / f"vectors-{attempt}.sqlite"
        chance = random.Random(attempt)
        with writing(file, "first", 150) as first, writing(file, "second", 150) as second:
            lines(first, chance.randint(20, 80))
            with file.open("r+b") as raw:
                raw.seek(chance.choice([0, 20, 4096]))
                raw.write(chance.randbytes(20_000))
            assert [last_line(process) for process in (first, second)] == [
                "first 149",
                "second 149",
            ]
        tally.add("caches written over while in use")
