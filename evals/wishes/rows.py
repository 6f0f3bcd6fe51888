"""Texts as the grammar and the encoder see them, and whether they want something."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from evals.dataset import SHIPPED, Case, Dataset, read_dataset
from evals.inputs import RequestInputs
from evals.wishes.domains import reader_of
from tools.catalogue.catalogue import Catalogue
from tools.catalogue.pack import find_pack, load_pack
from tools.embedding.embedder import Embedder
from tools.routing.learning.features import Floats
from tools.routing.reading import Reader
from tools.routing.wishes.deciding import is_open
from tools.routing.wishes.signs import signs_of

TALK = Path(__file__).with_name("talk")
_LEARNT_WHOLE = (
    "vessel_phrasings", "vessel_indirect", "vessel_requests", "vessel_dev",
    "research_phrasings", "research_indirect", "research_requests",
)  # fmt: skip
"""Datasets that others tune on already. The blind ones are never among them."""
_WITH_EXAMPLES = ("vessel", "research")
_EXAMPLES = 850
"""Of each, of those that the grammar leaves open: with them half of all rows want something."""


@dataclass(frozen=True)
class Row:
    """What is seen of a text, and what is true of it."""

    signs: Mapping[str, float]
    vector: Floats
    """(dimensions,), of the text as it was said."""
    is_wanted: bool
    domain: str
    """The pack it speaks to."""
    is_kept_out: bool
    """It measures, and nothing is learnt from it."""
    is_talk: bool


def datasets() -> list[tuple[Dataset, bool]]:
    """Read what is learnt from and measured with, each with whether it is talk."""
    tuned = [(read_dataset(SHIPPED / f"{name}.jsonl"), False) for name in _LEARNT_WHOLE]
    return [*tuned, *((read_dataset(file), True) for file in sorted(TALK.glob("*.jsonl")))]


def rows_of_ours(embedder: Embedder) -> list[Row]:
    """Read every text that is learnt from or measured with.

    What the grammar takes for an order or a request leaves nothing open, and gives no row.
    """
    readers: dict[str, Reader] = {}
    said = [
        row
        for dataset, is_talk in datasets()
        for row in _rows(dataset, _reader(readers, dataset.header.pack), embedder, is_talk=is_talk)
    ]
    for pack in _WITH_EXAMPLES:
        said += _examples(pack, _reader(readers, pack), embedder)
    return said


def _reader(readers: dict[str, Reader], pack: str) -> Reader:
    if pack not in readers:
        readers[pack] = reader_of(pack)
    return readers[pack]


def _rows(dataset: Dataset, reader: Reader, embedder: Embedder, *, is_talk: bool) -> Iterator[Row]:
    read = [(case, reader.read(_text(case))) for case in dataset.cases]
    left_open = [(case, reading) for case, reading in read if is_open(reading.act)]
    vectors = embedder.embed([reading.said for _case, reading in left_open])
    for (case, reading), vector in zip(left_open, vectors, strict=True):
        yield Row(
            signs_of(reading.normal.text, reading.act),
            vector,
            is_wanted=case.outputs["action"] is not None,
            domain=dataset.header.pack,
            is_kept_out=is_talk and case.metadata.get("split") == "test",
            is_talk=is_talk,
        )


def _examples(pack: str, reader: Reader, embedder: Embedder) -> Iterator[Row]:
    """Take examples of a pack that neither order nor request, evenly: all want something."""
    actions = Catalogue.of([load_pack(find_pack(pack))]).actions.values()
    read = [reader.read(text) for action in actions for text in action.examples]
    left_open = [reading for reading in read if is_open(reading.act)]
    taken = left_open[:: max(1, len(left_open) // _EXAMPLES)][:_EXAMPLES]
    vectors = embedder.embed([reading.said for reading in taken])
    for reading, vector in zip(taken, vectors, strict=True):
        signs = signs_of(reading.normal.text, reading.act)
        yield Row(signs, vector, is_wanted=True, domain=pack, is_kept_out=False, is_talk=False)


def _text(case: Case) -> str:
    return RequestInputs.model_validate(case.inputs).text
