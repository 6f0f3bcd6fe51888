"""Vectors on disk: what was kept is found, and whatever happens to the file is no failure."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from tools.adapters.embedding.embedder import Vectors
from tools.adapters.embedding.vector_cache import VectorCache


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "vectors.sqlite"


@pytest.fixture
def kept(file: Path) -> Iterator[VectorCache]:
    kept = VectorCache(file, most=100)
    yield kept
    kept.close()


def vector(number: int) -> Vectors:
    return np.random.default_rng(number).normal(size=8).astype(np.float32)


def test_what_was_kept_is_found_bit_by_bit(kept: VectorCache) -> None:
    kept.write("model", {"one": vector(1), "two": vector(2)})
    found = kept.read("model", ["two", "one", "three"])
    assert set(found) == {"one", "two"}
    assert (found["one"] == vector(1)).all()
    assert (found["two"] == vector(2)).all()


def test_another_model_has_other_vectors(kept: VectorCache) -> None:
    kept.write("model", {"one": vector(1)})
    assert kept.read("model-2", ["one"]) == {}


def test_it_is_found_by_another_process(file: Path, kept: VectorCache) -> None:
    kept.write("model", {"one": vector(1)})
    script = (
        "import sys; from pathlib import Path;"
        "from tools.adapters.embedding.vector_cache import VectorCache;"
        "print(len(VectorCache(Path(sys.argv[1]), most=9).read('model', ['one'])))"
    )
    answer = subprocess.run(
        [sys.executable, "-c", script, str(file)], check=True, capture_output=True, text=True
    )
    assert answer.stdout.strip() == "1"


def test_processes_that_write_at_once_lose_nothing(file: Path) -> None:
    script = (
        "import sys; import numpy as np; from pathlib import Path;"
        "from tools.adapters.embedding import vector_cache; vector_cache._WAIT_SECONDS = 30;"
        "kept = vector_cache.VectorCache(Path(sys.argv[1]), most=1000);"
        "[kept.write('m', {f'{sys.argv[2]} {i}': np.ones(8, np.float32)}) for i in range(50)]"
    )
    writers = [
        subprocess.Popen([sys.executable, "-c", script, str(file), str(writer)])
        for writer in range(3)
    ]
    assert [writer.wait(60) for writer in writers] == [0, 0, 0]
    texts = [f"{writer} {i}" for writer in range(3) for i in range(50)]
    reader = VectorCache(file, most=1000)
    assert len(reader.read("m", texts)) == 150
    reader.close()


def test_the_oldest_go_first(kept: VectorCache) -> None:
    for number in range(130):
        kept.write("model", {str(number): vector(number)})
    found = kept.read("model", [str(number) for number in range(130)])
    assert sorted(map(int, found)) == list(range(30, 130))


def test_no_text_is_on_disk(file: Path, kept: VectorCache) -> None:
    kept.write("model", {"my private message": vector(1)})
    kept.close()
    assert all(b"private" not in part.read_bytes() for part in file.parent.iterdir())


def test_more_texts_than_a_query_takes_are_found(file: Path) -> None:
    kept = VectorCache(file, most=10_000)
    kept.write("model", {str(number): vector(0) for number in range(2_500)})
    assert len(kept.read("model", [str(number) for number in range(2_500)])) == 2_500
    kept.close()


@pytest.mark.parametrize(
    "content", [b"no database at all" * 500, b"SQLite format 3\x00" + b"x" * 5000]
)
def test_a_damaged_file_is_set_aside(file: Path, content: bytes) -> None:
    file.parent.mkdir()
    file.write_bytes(content)
    kept = VectorCache(file, most=100)
    assert kept.read("model", ["one"]) == {}
    assert file.with_suffix(".damaged").read_bytes() == content
    kept.write("model", {"one": vector(1)})
    assert set(kept.read("model", ["one"])) == {"one"}
    kept.close()


def test_pages_damaged_in_the_middle_are_set_aside(file: Path) -> None:
    kept = VectorCache(file, most=10_000)
    kept.write("model", {str(number): vector(number) for number in range(2_000)})
    kept.close()
    with file.open("r+b") as raw:
        raw.seek(4096)
        raw.write(b"\xff" * (file.stat().st_size - 4096))
    assert kept.read("model", ["1500"]) == {}
    assert file.with_suffix(".damaged").exists()
    kept.write("model", {"one": vector(1)})
    assert set(kept.read("model", ["one"])) == {"one"}
    kept.close()


def test_a_changed_vector_is_not_believed(file: Path, kept: VectorCache) -> None:
    kept.write("model", {"one": vector(1)})
    kept.close()
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("update vectors set vector = ?", (vector(2).tobytes(),))
    assert kept.read("model", ["one"]) == {}


def test_a_locked_file_is_passed_by(
    file: Path, kept: VectorCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.adapters.embedding.vector_cache._WAIT_SECONDS", 0.01)
    kept.write("model", {"one": vector(1)})
    kept.close()
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("begin exclusive")
        kept.write("model", {"two": vector(2)})
        other.execute("rollback")
    assert set(kept.read("model", ["one", "two"])) == {"one"}
    assert not file.with_suffix(".damaged").exists()


def test_a_folder_that_cannot_be_made_costs_time_only(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    kept = VectorCache(tmp_path / "file" / "vectors.sqlite", most=100)
    kept.write("model", {"one": vector(1)})
    assert kept.read("model", ["one"]) == {}
