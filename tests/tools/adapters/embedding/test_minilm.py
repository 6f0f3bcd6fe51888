"""all-MiniLM-L6-v2: the published vectors, from the published weights, without torch."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnxruntime  # type: ignore[import-untyped]  # ships no types
import pytest
from threadpoolctl import threadpool_limits
from tokenizers import Tokenizer

from state.errors import EncoderUnavailable
from tests.tools.adapters.embedding.reference import NumpyBert
from tests.tools.adapters.embedding.texts import TEXTS
from tools.adapters.embedding.minilm import MiniLM, Network, cached_graph
from tools.adapters.embedding.minilm_weights import (
    MEANING,
    TOKENIZER,
    WEIGHTS,
    find_folder,
    map_weights,
    places_of,
    read_adapter,
)

GOLDEN = Path(__file__).with_name("golden.json")


def test_vectors_are_those_of_the_network_written_in_numpy(minilm: MiniLM) -> None:
    reference = NumpyBert(find_folder())
    tokenizer = Tokenizer.from_file(str(find_folder() / TOKENIZER))
    tokenizer.no_padding()
    read = {text: tokenizer.encode(text).ids for text in TEXTS}
    short = [text for text in TEXTS if len(read[text]) <= 40][::4]  # numpy takes its time
    with threadpool_limits(1):  # several spin for each other on a busy machine
        wanted = [reference.embed(read[text], padding=3) for text in short]
    cosines = (minilm.embed(short) * np.array(wanted)).sum(axis=1)
    assert len(short) > 5
    assert cosines.min() > 0.999999


def test_vectors_are_those_of_the_published_model(minilm: MiniLM) -> None:
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))
    wanted = np.array([row["vector"] for row in golden])
    cosines = (minilm.embed([row["text"] for row in golden]) * wanted).sum(axis=1)
    assert len(golden) >= 5
    assert cosines.min() > 0.9999


def test_what_means_the_same_lies_closer(minilm: MiniLM) -> None:
    asked, same, other = minilm.embed(
        ["how many oil filters are left", "stock of the oil filter", "approve my leave"]
    )
    assert asked @ same > asked @ other + 0.3


def test_nothing_heavy_is_imported_before_the_first_text() -> None:
    code = """
        import sys
        from tools.adapters.embedding.minilm import MiniLM
        encoder = MiniLM()
        heavy = {"onnx", "onnxruntime", "tokenizers"}
        assert not heavy & set(sys.modules), heavy & set(sys.modules)
        encoder.embed(["now"])
        assert not {"torch", "sentence_transformers", "sklearn"} & set(sys.modules)
    """
    lines = [line.strip() for line in code.strip().splitlines()]
    subprocess.run([sys.executable, "-c", "\n".join(lines)], check=True)


def test_a_kept_graph_needs_no_builder(tmp_path: Path) -> None:
    code = f"""
        import sys
        from pathlib import Path
        from tools.adapters.embedding.minilm import MiniLM
        MiniLM(Path({str(tmp_path)!r})).embed(["now"])
        print("onnx" in sys.modules)
    """
    script = "\n".join(line.strip() for line in code.strip().splitlines())
    said = [
        subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
        for _ in range(2)
    ]
    assert [answer.stdout.strip() for answer in said] == ["True", "False"]


def test_a_torn_or_foreign_graph_is_built_anew(tmp_path: Path) -> None:
    places = places_of(map_weights(find_folder()))
    whole = cached_graph(places, tmp_path)
    (kept,) = tmp_path.glob("*.onnx")
    kept.write_bytes(whole[: len(whole) // 2])
    assert cached_graph(places, tmp_path) == whole
    assert kept.read_bytes() == whole


def test_processes_that_start_together_keep_one_graph(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from tools.adapters.embedding.minilm import MiniLM;"
        "print(MiniLM(Path(sys.argv[1])).embed(['now']).tobytes().hex())"
    )
    command = [sys.executable, "-c", script, str(tmp_path)]
    racing = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    said = {process.communicate(timeout=60)[0] for process in racing}
    assert len(said) == 1
    assert len(list(tmp_path.iterdir())) == 1


def test_encoders_on_the_same_files_share_what_is_loaded(minilm: MiniLM, tmp_path: Path) -> None:
    MiniLM(tmp_path).embed(["now"])
    shutil.rmtree(tmp_path)
    assert MiniLM(tmp_path).embed(["now"]).shape == (1, 384)
    assert not tmp_path.exists()


def test_an_unwritable_cache_costs_time_only(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way", encoding="utf-8")
    assert MiniLM(blocked / "encoder").embed(["a"]).shape == (1, 384)


@pytest.mark.parametrize("file", [WEIGHTS, TOKENIZER])
def test_other_weights_are_refused(tmp_path: Path, file: str) -> None:
    for name in (WEIGHTS, TOKENIZER):
        shutil.copyfile(find_folder() / name, tmp_path / name)
    with (tmp_path / file).open("r+b") as raw:
        raw.seek(100_000)
        raw.write(b"\x00\x01\x02\x03\x04")
    with pytest.raises(EncoderUnavailable, match=f"{file} has the sha256 .* install"):
        MiniLM(weights=tmp_path).embed(["a"])


@pytest.mark.parametrize("content", [None, b"", b"short"])
def test_missing_or_empty_weights_are_named(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / WEIGHTS).write_bytes(content)
    with pytest.raises(EncoderUnavailable, match=WEIGHTS):
        MiniLM(weights=tmp_path).embed(["a"])


def test_no_session_copies_the_weights(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    mapped = map_weights(find_folder())
    places = places_of(mapped)
    lies = np.frombuffer(mapped, np.uint8)
    assert all(np.shares_memory(place.within(mapped), lies) for place in places.values())
    shared: list[str] = []

    class Counting(onnxruntime.SessionOptions):  # type: ignore[misc]  # ships no types
        def add_initializer(self, name: str, value: object) -> None:
            shared.append(name)
            super().add_initializer(name, value)

    monkeypatch.setattr(onnxruntime, "SessionOptions", Counting)
    network = Network(find_folder(), tmp_path)
    assert sorted(shared) == sorted(places)
    network.both(network.batches(["now"])[0], read_adapter(MEANING))
    assert sorted(shared) == sorted([*places, *places])
