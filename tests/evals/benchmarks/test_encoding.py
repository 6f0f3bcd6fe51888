from pathlib import Path

from evals.benchmarks import nlu as encoding
from tools.adapters.embedding.minilm import loaded_network
from tools.adapters.embedding.minilm_weights import find_folder


def test_the_encoder_is_set_against_its_bare_products(tmp_path: Path) -> None:
    measured = list(encoding.measure_encoder(tmp_path, runs=1))

    assert [one.unit for one in measured] == ["ms", "ms", "×", "/s", "ms", "ms"]
    assert all(one.p50 > 0 for one in measured)


def test_the_message_has_ten_tokens() -> None:
    assert len(loaded_network(find_folder(), None).tokens(encoding.MESSAGE)) == 10 + 2
