"""The encoder in use, its vectors on disk, and those that come with a pack."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
import structlog

from state.errors import EncoderUnavailable
from tools.adapters.embedding.embedder import Vectors, unit
from tools.adapters.embedding.encoder import Encoder
from tools.adapters.embedding.minilm import AdaptedMiniLM
from tools.adapters.embedding.vector_cache import FILE, ShippedVectors, VectorCache, write_shipped
from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import find_pack, load_pack
from tools.nlu.intents.router import texts_to_encode
from tools.platform.process_resources import progress_listener

# The encoder in use: asked once for a text, left alone after a failure, and said so once.


class Letters:
    """Counts letters, when it works; remembers what it was asked."""

    name = "letters@1"

    def __init__(self, dimensions: int = 4) -> None:
        self.dimensions = dimensions
        self.asked: list[list[str]] = []
        self.fails = False

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.asked.append(list(texts))
        if self.fails:
            raise EncoderUnavailable("the letters are out")
        rows = np.eye(self.dimensions, dtype=np.float32)
        return rows[[len(text) % self.dimensions for text in texts]]

    def close(self) -> None:
        """There is nothing to close."""


class Seconds:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def letters() -> Letters:
    return Letters()


@pytest.fixture
def seconds() -> Seconds:
    return Seconds()


@pytest.fixture
def encoder(letters: Letters, seconds: Seconds) -> Encoder:
    return Encoder(letters, rest_seconds=30, seconds=seconds)


def test_a_text_is_asked_for_once(letters: Letters, tmp_path: Path):
    file = tmp_path / "vectors.sqlite"
    encoder = Encoder(letters, VectorCache(file, most=9), rest_seconds=30)
    encoder.embed(["a", "bb", "a"])
    encoder.embed(["bb", "ccc"])
    encoder.close()
    again = Encoder(letters, VectorCache(file, most=9), rest_seconds=30)
    again.embed(["a", "bb", "ccc"])
    again.close()
    assert letters.asked == [["a", "bb"], ["ccc"]]


def test_what_is_kept_needs_no_model(letters: Letters, tmp_path: Path):
    encoder = Encoder(letters, VectorCache(tmp_path / "v.sqlite", most=9), rest_seconds=30)
    before = encoder.embed(["a"])
    letters.fails = True
    with pytest.raises(EncoderUnavailable):
        encoder.embed(["new"])
    assert (encoder.embed(["a"]) == before).all()
    encoder.close()


def test_vectors_of_another_length_are_asked_for_again(letters: Letters, tmp_path: Path):
    file = tmp_path / "vectors.sqlite"
    first = Encoder(letters, VectorCache(file, most=9), rest_seconds=30)
    first.embed(["a"])
    first.close()
    longer = Letters(dimensions=6)
    encoder = Encoder(longer, VectorCache(file, most=9), rest_seconds=30)
    assert encoder.embed(["a", "bb"]).shape == (2, 6)
    assert longer.asked == [["bb"], ["a", "bb"]]
    encoder.close()


def test_after_a_failure_it_is_left_alone_for_a_while(
    encoder: Encoder, letters: Letters, seconds: Seconds
):
    letters.fails = True
    for _attempt in range(3):
        with pytest.raises(EncoderUnavailable, match="the letters are out"):
            encoder.embed(["a"])
    assert len(letters.asked) == 1
    letters.fails = False
    seconds.now += 30
    assert encoder.embed(["a"]).shape == (1, 4)
    assert encoder.embed(["b"]).shape == (1, 4)


@pytest.mark.usefixtures("every_line")
def test_a_failure_is_said_once_and_its_end_too(
    encoder: Encoder, letters: Letters, seconds: Seconds
):
    with structlog.testing.capture_logs() as lines:
        for fails in (True, True, False, False):
            letters.fails = fails
            encoder.warm_up()
            seconds.now += 60
    assert [line["event"] for line in lines] == ["encoder_unavailable", "encoder_back"]


def test_it_tells_why_it_does_not_work(encoder: Encoder, letters: Letters):
    assert encoder.problem is None
    letters.fails = True
    encoder.warm_up()
    assert encoder.problem == "the letters are out"


def test_who_embeds_a_catalogue_beside_another_finds_it_kept(tmp_path: Path):
    file, texts = tmp_path / "vectors.sqlite", [f"text {number}" for number in range(600)]
    both = [Letters(), Letters()]
    encoders = [Encoder(one, VectorCache(file, most=1_000), rest_seconds=60) for one in both]
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(lambda encoder: encoder.embed(texts), encoders)
    for encoder in encoders:
        encoder.close()
    assert (first == second).all()
    assert sum(len(asked) for one in both for asked in one.asked) == len(texts)


def test_a_folder_that_cannot_be_written_stops_nothing(tmp_path: Path):
    (tmp_path / "file").write_text("no folder")
    kept = VectorCache(tmp_path / "file" / "vectors.sqlite", most=1_000)
    vectors = Encoder(Letters(), kept, rest_seconds=60).embed([f"{n}" for n in range(600)])
    assert len(vectors) == 600


# Vectors on disk: what was kept is found, and whatever happens to the file is no failure.


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


def test_what_was_kept_is_found_bit_by_bit(kept: VectorCache):
    kept.write("model", {"one": vector(1), "two": vector(2)})
    found = kept.read("model", ["two", "one", "three"])
    assert set(found) == {"one", "two"}
    assert (found["one"] == vector(1)).all()
    assert (found["two"] == vector(2)).all()


def test_another_model_has_other_vectors(kept: VectorCache):
    kept.write("model", {"one": vector(1)})
    assert kept.read("model-2", ["one"]) == {}


def test_it_is_found_by_another_process(file: Path, kept: VectorCache):
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


def test_processes_that_write_at_once_lose_nothing(file: Path):
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


def test_the_oldest_go_first(kept: VectorCache):
    for number in range(130):
        kept.write("model", {str(number): vector(number)})
    found = kept.read("model", [str(number) for number in range(130)])
    assert sorted(map(int, found)) == list(range(30, 130))


def test_no_text_is_on_disk(file: Path, kept: VectorCache):
    kept.write("model", {"my private message": vector(1)})
    kept.close()
    assert all(b"private" not in part.read_bytes() for part in file.parent.iterdir())


def test_more_texts_than_a_query_takes_are_found(file: Path):
    kept = VectorCache(file, most=10_000)
    kept.write("model", {str(number): vector(0) for number in range(2_500)})
    assert len(kept.read("model", [str(number) for number in range(2_500)])) == 2_500
    kept.close()


@pytest.mark.parametrize(
    "content", [b"no database at all" * 500, b"SQLite format 3\x00" + b"x" * 5000]
)
def test_a_damaged_file_is_set_aside(file: Path, content: bytes):
    file.parent.mkdir()
    file.write_bytes(content)
    kept = VectorCache(file, most=100)
    assert kept.read("model", ["one"]) == {}
    assert file.with_suffix(".damaged").read_bytes() == content
    kept.write("model", {"one": vector(1)})
    assert set(kept.read("model", ["one"])) == {"one"}
    kept.close()


def test_pages_damaged_in_the_middle_are_set_aside(file: Path):
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


def test_a_changed_vector_is_not_believed(file: Path, kept: VectorCache):
    kept.write("model", {"one": vector(1)})
    kept.close()
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("update vectors set vector = ?", (vector(2).tobytes(),))
    assert kept.read("model", ["one"]) == {}


def test_a_locked_file_is_passed_by(file: Path, kept: VectorCache, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tools.adapters.embedding.vector_cache._WAIT_SECONDS", 0.01)
    kept.write("model", {"one": vector(1)})
    kept.close()
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("begin exclusive")
        kept.write("model", {"two": vector(2)})
        other.execute("rollback")
    assert set(kept.read("model", ["one", "two"])) == {"one"}
    assert not file.with_suffix(".damaged").exists()


def test_a_folder_that_cannot_be_made_costs_time_only(tmp_path: Path):
    (tmp_path / "file").touch()
    kept = VectorCache(tmp_path / "file" / "vectors.sqlite", most=100)
    kept.write("model", {"one": vector(1)})
    assert kept.read("model", ["one"]) == {}


# Vectors that come with a pack: near what is encoded, and never a reason to fail.

TEXTS = [f"text {number}" for number in range(600)]


class Drawn:
    """Draws a vector for each text, and remembers what it was asked."""

    name, dimensions = "drawn@1", 24

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        return unit(np.stack([_drawn(text) for text in texts]))

    def close(self) -> None:
        """There is nothing to close."""


def _drawn(text: str) -> Vectors:
    return np.random.default_rng(sum(text.encode())).normal(size=24).astype(np.float32)


@pytest.fixture
def file_shipped_vectors(tmp_path: Path) -> Path:
    file = tmp_path / FILE
    write_shipped(file, Drawn.name, TEXTS[:500], Drawn().embed(TEXTS[:500]))
    return file


def _encoder(drawn: Drawn, file: Path) -> Encoder:
    kept = VectorCache(file.with_name("kept.sqlite"), most=10_000)
    return Encoder(drawn, kept, rest_seconds=1.0, shipped=[ShippedVectors(file)])


def test_only_what_did_not_ship_is_encoded(file_shipped_vectors: Path):
    drawn = Drawn()
    encoder = _encoder(drawn, file_shipped_vectors)
    told: list[tuple[str, int, int]] = []
    with progress_listener(lambda *report: told.append(report)):
        vectors = encoder.embed(TEXTS)
    assert drawn.asked == TEXTS[500:]
    assert told == [("encoding sentences", 0, 100)]
    assert (vectors * Drawn().embed(TEXTS)).sum(axis=1).min() > 0.95
    encoder.embed(TEXTS[:1])  # a few texts are encoded to the last bit
    assert drawn.asked[100:] == TEXTS[:1]
    encoder.close()


@pytest.mark.parametrize("content", [None, b"", b"no archive", "another encoder"])
def test_a_file_that_cannot_be_used_is_done_without(file_shipped_vectors: Path, content):
    if content is None:
        file_shipped_vectors.unlink()
    elif isinstance(content, str):
        write_shipped(file_shipped_vectors, content, TEXTS, Drawn().embed(TEXTS))
    elif isinstance(content, bytes):
        file_shipped_vectors.write_bytes(content)
    drawn = Drawn()
    encoder = _encoder(drawn, file_shipped_vectors)
    encoder.embed(TEXTS)
    assert drawn.asked == TEXTS
    encoder.close()


@pytest.mark.parametrize("pack", ["vessel", "research"])
def test_the_vectors_of_a_shipped_pack_are_of_its_examples(pack: str):
    """When this fails: `prefrontal pack encode PACK` writes them anew."""
    texts = texts_to_encode(Catalogue.of([load_pack(find_pack(pack))]))
    embedder = AdaptedMiniLM()
    found = ShippedVectors(find_pack(pack) / FILE).read(embedder.name, texts)
    assert len(found) >= 0.9 * len(texts)
    some = list(found)[::400]
    cosines = (np.stack([found[text] for text in some]) * embedder.embed(some)).sum(axis=1)
    assert cosines.min() > 0.95
