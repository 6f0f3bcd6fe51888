"""A message is cut into its requests at its verbs, and what narrows a request stays with it."""

from pathlib import Path

import pytest

from tools.adapters.embedding.reader import MiniLMReader
from tools.nlu.lexicon.normalization import normalise
from tools.nlu.reader.reading import Reader, requests_in, sentences_in, text_of

pytestmark = pytest.mark.xdist_group("hearing")

CUTS = (
    ("cancel order 4411 and ship order 4500", ["cancel order 4411", "ship order 4500"]),
    (
        "water the roses, then lock the shed at nine",
        ["water the roses", "lock the shed at nine"],
    ),
    ("print the label and at six close the shop", ["print the label", "at six close the shop"]),
    ("show me the bills for March", ["show me the bills for March"]),
    ("ask Ben to call the yard", ["ask Ben to call the yard"]),
    (
        "stop telling me about fire, not even alarms",
        ["stop telling me about fire, not even alarms"],
    ),
)


@pytest.fixture(scope="module")
def reader(learnt_once: Path) -> Reader:
    return Reader(MiniLMReader(learnt_once))


@pytest.mark.parametrize(("text", "parts"), CUTS)
def test_a_message_is_cut_before_each_verb_that_asks(reader: Reader, text: str, parts: list[str]):
    normal = normalise(text)
    found = requests_in(normal, reader.read(normal))
    assert [text_of(normal, one) for one in found] == parts


def test_a_question_keeps_its_mark_where_it_is_parted(reader: Reader) -> None:
    normal = normalise("The lock sticks. Who mends it?")
    found = [text_of(normal, one) for one in sentences_in(normal)]
    assert found == ["The lock sticks", "Who mends it?"]
