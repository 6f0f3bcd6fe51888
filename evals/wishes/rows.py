"""Texts as the grammar sees them, and whether they want something."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evals.dataset import SHIPPED, Dataset, RequestInputs, read_dataset
from tools.catalogue.catalogue import Catalogue
from tools.catalogue.pack import find_pack, load_pack
from tools.routing.reading import Reader
from tools.routing.wishes.deciding import is_open
from tools.routing.wishes.signs import signs_of

TALK = Path(__file__).with_name("talk")
_LEARNT_WHOLE = (
    "vessel_phrasings", "vessel_indirect", "vessel_requests", "vessel_dev",
    "research_phrasings", "research_indirect", "research_requests",
)  # fmt: skip
"""Datasets that others tune on already. The blind ones are never among them."""


@dataclass(frozen=True)
class Row:
    """What is seen of a text, and what is true of it."""

    signs: Mapping[str, float]
    is_wanted: bool
    domain: str
    """The pack it speaks to."""
    is_kept_out: bool
    """It measures, and nothing is learnt from it."""
    is_talk: bool


def rows_of_ours() -> list[Row]:
    """Read every text that is learnt from or measured with.

    What the grammar takes for an order or a request leaves nothing open, and gives no row.
    """
    tuned = [(read_dataset(SHIPPED / f"{name}.jsonl"), False) for name in _LEARNT_WHOLE]
    talk = [(read_dataset(file), True) for file in sorted(TALK.glob("*.jsonl"))]
    return list(_rows([*tuned, *talk]))


def _rows(datasets: Sequence[tuple[Dataset, bool]]) -> Iterator[Row]:
    readers: dict[str, Reader] = {}
    for dataset, is_talk in datasets:
        pack = dataset.header.pack
        if pack not in readers:
            readers[pack] = Reader(Catalogue.of([load_pack(find_pack(pack))]))
        for case in dataset.cases:
            text = RequestInputs.model_validate(case.inputs).text
            reading = readers[pack].read(text)
            if is_open(reading.act):
                yield Row(
                    signs_of(reading.normal.text, reading.act),
                    is_wanted=case.outputs["action"] is not None,
                    domain=pack,
                    is_kept_out=is_talk and case.metadata["split"] == "test",
                    is_talk=is_talk,
                )
