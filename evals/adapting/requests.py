"""What people say to assistants of many domains: texts by the intent that they have."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from evals.invented.texts import DOMAINS, NONE, read_texts
from tools.catalogue.catalogue import Catalogue
from tools.catalogue.pack import find_pack, load_pack
from tools.routing.reading import Reader

PACKS = ("vessel", "research")
"""With examples enough; what they say of things they name is learnt by name and by kind."""

Forms = tuple[str, str]
"""A text with each thing as its kind, and with things by their names."""


@dataclass(frozen=True)
class Domain:
    """The texts of one domain; those of one intent mean the same to its assistant."""

    name: str
    intents: Sequence[Sequence[Forms]]
    foreign: Sequence[Forms] = ()
    """What none of them covers: it is to lie apart from all."""

    @property
    def texts(self) -> int:
        """Count them."""
        return sum(map(len, self.intents))


def domains() -> list[Domain]:
    """Read all that is learnt from."""
    files = sorted(DOMAINS.glob("*.txt"))
    return [*(_plain(file.stem, read_texts(file)) for file in files), *map(_of_pack, PACKS)]


def _plain(name: str, texts: Mapping[str, Sequence[str]]) -> Domain:
    forms = {intent: [(text, text) for text in own] for intent, own in texts.items()}
    foreign = forms.pop(NONE, [])
    return Domain(name, list(forms.values()), foreign)


def _of_pack(name: str) -> Domain:
    catalogue = Catalogue.of([load_pack(find_pack(name))])
    reader = Reader(catalogue)
    intents = [list(_read(reader, action.examples)) for action in catalogue.actions.values()]
    return Domain(name, [texts for texts in intents if texts])


def _read(reader: Reader, texts: Sequence[str]) -> Iterator[Forms]:
    for text in texts:
        learnt = reader.example(text)
        yield learnt.said, learnt.plain
