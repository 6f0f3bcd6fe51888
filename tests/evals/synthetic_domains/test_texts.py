"""What is said to invented domains."""

from pathlib import Path

import pytest

from evals.training.actionability_data import NONE, SYNTHETIC_DOMAINS, read_texts


@pytest.mark.parametrize(
    "file", sorted(SYNTHETIC_DOMAINS.glob("*.txt")), ids=lambda file: file.stem
)
def test_a_domain_has_intents_enough_and_says_nothing_twice(file: Path) -> None:
    texts = read_texts(file)
    said = [text.casefold() for own in texts.values() for text in own]

    assert len(texts) - 1 >= 40
    assert len(texts[NONE]) >= 40
    assert all(len(own) >= 15 for own in texts.values())
    assert len(said) == len(set(said))


def test_a_text_belongs_to_the_intent_above_it(tmp_path: Path) -> None:
    file = tmp_path / "shop.txt"
    file.write_text("## return_it\nit does not fit\n\n## track_it\n where is it \n", "utf-8")

    assert read_texts(file) == {"return_it": ["it does not fit"], "track_it": ["where is it"]}
