"""What a pack's own examples tell about what is said to it."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from state.action import Action
from tools.adapters.embedding.embedder import Vectors
from tools.catalog.action_catalog import Catalogue
from tools.nlu.actionability.classifier import load_classifier
from tools.nlu.actionability.evidence import PackExampleReader, PackExampleStats
from tools.nlu.intents.utterance import UtteranceParser

ASKS = ["could we have the teak oiled?", "any chance of more rope", "is there oil left?"]
TELLS = ["my name is Jason", "I lost my keys yesterday", "we had a great trip, thanks"]


class Manner:
    """Hears what no judge has learnt to hear, so that the words alone tell."""

    name, dimensions = "another", 2
    asked = 0

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.asked += len(texts)
        return np.zeros((len(texts), 2), np.float32)


def heard(
    *, cache: Path | None = None, manner: Manner | None = None, **packs: Sequence[Sequence[str]]
) -> dict[str, PackExampleStats]:
    actions = [
        Action(
            name=f"{pack}_{place}",
            pack=pack,
            summary="Do it",
            verb="show",
            object="thing",
            effect="read",
            handler="none:none",
            examples=tuple(examples),
        )
        for pack, listed in packs.items()
        for place, examples in enumerate(listed)
    ]
    catalogue = Catalogue(
        packs=(), actions={one.name: one for one in actions}, entities={}, version="x"
    )
    own = PackExampleReader(catalogue, UtteranceParser(catalogue), cache)
    return dict(own.heard(load_classifier(), manner or Manner()))


def test_a_pack_that_is_told_things_sounds_less_like_wishes() -> None:
    found = heard(ship=[ASKS * 20], chat=[TELLS * 20])
    assert found["ship"].odds > PackExampleStats().odds > found["chat"].odds + 1


def test_examples_are_counted_an_action() -> None:
    found = heard(ship=[ASKS, ASKS[:1]], bare=[[], []])
    assert found["ship"].each == 2
    assert found["bare"] == PackExampleStats()


def test_a_few_examples_tell_little() -> None:
    found = heard(few=[TELLS], many=[TELLS * 30])
    assert found["many"].odds < found["few"].odds < PackExampleStats().odds
    assert found["many"].odds == pytest.approx(heard(other=[TELLS * 40])["other"].odds, abs=0.1)


def test_what_was_heard_is_kept_for_the_next_start(tmp_path: Path) -> None:
    first = heard(cache=tmp_path, ship=[ASKS])
    again = Manner()

    assert heard(cache=tmp_path, manner=again, ship=[ASKS]) == first
    assert again.asked == 0


def test_other_examples_or_another_encoder_are_heard_anew(tmp_path: Path) -> None:
    heard(cache=tmp_path, ship=[ASKS])
    other, another = Manner(), Manner()
    another.name = "yet another"

    heard(cache=tmp_path, manner=other, ship=[TELLS])
    heard(cache=tmp_path, manner=another, ship=[ASKS])

    assert (other.asked, another.asked) == (len(TELLS), len(ASKS))


def test_a_damaged_file_is_heard_anew(tmp_path: Path) -> None:
    first = heard(cache=tmp_path, ship=[ASKS])
    for file in tmp_path.iterdir():
        file.write_text("{", "utf-8")

    assert heard(cache=tmp_path, ship=[ASKS]) == first
