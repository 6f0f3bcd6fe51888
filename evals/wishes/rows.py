"""Texts as the grammar and the encoder see them, and whether they want something."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evals.dataset import SHIPPED, Case, Dataset, read_dataset
from evals.inputs import RequestInputs
from evals.wishes.domains import catalogue_of, reader_of
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
OURS = ("vessel", "research")
"""Packs made by hand, with hundreds of examples an action."""
MADE_UP = (
    "calendar", "farm", "gym", "law_office", "media", "pharmacy", "property", "public_library",
)  # fmt: skip
"""Domains by four authors whose talk is said to packs that are made of it, see made_up.py."""
LEFT_OUT = (*OURS, *MADE_UP)
"""What is said to these is kept from the adapter that they are judged with, MANNER_UNSEEN."""
MANNER_UNSEEN = Path(__file__).with_name("manner_unseen.npz")
"""The adapter for how a text is said, learnt from all domains but these."""
_EXAMPLES = 850
"""Of each, of those that the grammar leaves open: with them half of all rows want something."""


@dataclass(frozen=True)
class Said:
    """A text that the grammar leaves open, and what is true of it."""

    text: str
    """As the encoder hears it."""
    signs: Mapping[str, float]
    is_wanted: bool
    domain: str
    """The pack it speaks to."""
    kind: str
    """Of what sort its author wrote it."""
    is_kept_out: bool
    """It measures, and nothing is learnt from it."""
    is_talk: bool


@dataclass(frozen=True)
class Row(Said):
    """The same with the vectors of how it is said."""

    vector: Floats
    """(dimensions,), by the adapter that ships."""
    unseen: Floats
    """(dimensions,), by MANNER_UNSEEN."""


def datasets() -> list[tuple[Dataset, bool]]:
    """Read what is learnt from and measured with, each with whether it is talk."""
    tuned = [(read_dataset(SHIPPED / f"{name}.jsonl"), False) for name in _LEARNT_WHOLE]
    return [*tuned, *((read_dataset(file), True) for file in sorted(TALK.glob("*.jsonl")))]


def rows_of_ours(shipped: Embedder, unseen: Embedder) -> list[Row]:
    """Read every text that is learnt from or measured with, as both adapters hear it."""
    said = said_to_us()
    texts = [one.text for one in said]
    heard = zip(said, shipped.embed(texts), unseen.embed(texts), strict=True)
    return [Row(**vars(one), vector=vector, unseen=without) for one, vector, without in heard]


def said_to_us() -> list[Said]:
    """Read the same as texts.

    What the grammar takes for an order or a request leaves nothing open, and is not among them.
    """
    readers: dict[str, Reader] = {}
    said = [
        one
        for dataset, is_talk in datasets()
        for one in _said(dataset, _reader(readers, dataset.header.pack), is_talk=is_talk)
    ]
    for pack in OURS:
        said += _examples(pack, _reader(readers, pack))
    return said


def _reader(readers: dict[str, Reader], pack: str) -> Reader:
    if pack not in readers:
        readers[pack] = reader_of(pack)
    return readers[pack]


def _said(dataset: Dataset, reader: Reader, *, is_talk: bool) -> Iterator[Said]:
    for case in dataset.cases:
        reading = reader.read(_text(case))
        if is_open(reading.act):
            yield Said(
                reading.said,
                signs_of(reading.normal.text, reading.act).weighed(),
                is_wanted=case.outputs["action"] is not None,
                domain=dataset.header.pack,
                kind=str(case.metadata.get("kind", "")),
                is_kept_out=is_talk and case.metadata.get("split") == "test",
                is_talk=is_talk,
            )


def _examples(pack: str, reader: Reader) -> Iterator[Said]:
    """Take examples of a pack that neither order nor request, evenly: all want something."""
    actions = catalogue_of(pack).actions.values()
    read = [reader.read(text) for action in actions for text in action.examples]
    left_open = [reading for reading in read if is_open(reading.act)]
    for place in np.linspace(0, len(left_open) - 1, min(_EXAMPLES, len(left_open)), dtype=int):
        reading = left_open[place]
        yield Said(
            reading.said,
            signs_of(reading.normal.text, reading.act).weighed(),
            is_wanted=True,
            domain=pack,
            kind="example",
            is_kept_out=False,
            is_talk=False,
        )


def _text(case: Case) -> str:
    return RequestInputs.model_validate(case.inputs).text
