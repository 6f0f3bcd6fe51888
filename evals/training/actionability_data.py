"""Training texts of actionability.

Talk of our packs and of synthetic domains, with features and labels.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeVar

import numpy as np

from evals.dataset import RequestInputs, find_datasets
from state.action import Action
from tools.adapters import Embedder
from tools.catalog import Catalogue, find_pack, load_pack
from tools.nlu import UtteranceParser
from tools.nlu.actionability.classifier import actionability_features
from tools.nlu.actionability.decision import is_open
from tools.nlu.intent_classifier.features import Floats

SYNTHETIC_DOMAINS = Path(__file__).with_name("synthetic_domains")
NONE = "none"
"""Heads the texts of a domain that none of its intents covers."""


def read_texts(file: Path) -> Mapping[str, list[str]]:
    """Read `## intent` and the texts under it, one a line."""
    found: dict[str, list[str]] = defaultdict(list)
    intent = ""
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            intent = line.removeprefix("## ").strip()
        elif line.strip():
            found[intent].append(line.strip())
    return found


TALK_DOMAINS = Path(__file__).with_name("domains")


def catalogue_of(pack: str) -> Catalogue:
    """Read the actions of a pack.

    Raises:
        PackNotFound: there is none.
    """
    return Catalogue.of([load_pack(find_pack(pack))])


def reader_of(pack: str) -> UtteranceParser:
    """Make the reader of a pack, or of `domains/<pack>.json`: actions that nothing can run.

    Raises:
        PackNotFound: there is neither.
    """
    file = TALK_DOMAINS / f"{pack}.json"
    if not file.exists():
        return UtteranceParser(catalogue_of(pack))
    listed = json.loads(file.read_text(encoding="utf-8"))
    actions = {
        entry["name"]: Action.model_validate({**entry, "pack": pack, "handler": "none:none"})
        for entry in listed
    }
    return UtteranceParser(Catalogue(packs=(), actions=actions, entities={}, version=pack))


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
"""Domains by four authors whose talk is said to packs that are made of it."""
LEFT_OUT = (*OURS, *MADE_UP)
"""What is said to these is kept from the adapter that they are judged with, MANNER_UNSEEN."""
MANNER_UNSEEN = Path(__file__).with_name("manner_unseen.npz")
"""The adapter for how a text is said, learnt from all domains but these."""
_EXAMPLES = 850
"""Of each, of those that the grammar leaves open: with them half of all rows want something."""


@dataclass(frozen=True)
class TalkText:
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
class EncodedText(TalkText):
    """The same with the vectors of how it is said."""

    vector: Floats
    """(dimensions,), by the adapter that ships."""
    unseen: Floats
    """(dimensions,), by MANNER_UNSEEN."""


@dataclass(frozen=True)
class Said:
    """A labelled text, and who wrote it to which pack."""

    pack: str
    role: str
    text: str
    is_wanted: bool
    action: str
    """Empty: none is wanted."""
    kind: str
    author: str
    is_kept_out: bool = False
    is_talk: bool = False


def all_said() -> Iterator[Said]:
    """Read what is learnt from and measured with."""
    for dataset in find_datasets(_LEARNT_WHOLE):
        author = dataset.name.partition("_")[2]
        for case in dataset.cases:
            inputs = RequestInputs.model_validate(case.inputs)
            action, kind = case.outputs["action"], str(case.metadata.get("kind", ""))
            yield Said(
                dataset.header.pack,
                inputs.role,
                inputs.text,
                action is not None,
                str(action or ""),
                kind,
                author,
            )
    for file in sorted(TALK.glob("*.tsv")):
        yield from read_talk(file)


def read_talk(file: Path) -> Iterator[Said]:
    """Read talk: a line of its pack, role and origin, the names of the columns, and the rows."""
    first, _columns, *rows = file.read_text("utf-8").splitlines()
    pack, role, _made = first.removeprefix("# ").split("\t")
    for row in rows:
        split, kind, author, action, text = row.split("\t")
        yield Said(
            pack, role, text, bool(action), action, kind, author, split == "test", is_talk=True
        )


def encoded_rows(shipped: Embedder, unseen: Embedder) -> list[EncodedText]:
    """Read every text that is learnt from or measured with, as both adapters hear it."""
    said = talk_texts()
    texts = [one.text for one in said]
    heard = zip(said, shipped.embed(texts), unseen.embed(texts), strict=True)
    return [
        EncodedText(**vars(one), vector=vector, unseen=without) for one, vector, without in heard
    ]


def talk_texts() -> list[TalkText]:
    """Read the same as texts.

    What the grammar takes for an order or a request leaves nothing open, and is not among them.
    """
    read = cache(reader_of)
    said = [_left_open(one, read(one.pack)) for one in all_said()]
    examples = [one for pack in OURS for one in _examples(pack, read(pack))]
    return [one for one in (*said, *examples) if one is not None]


def _left_open(one: Said, reader: UtteranceParser) -> TalkText | None:
    reading = reader.read(one.text)
    if not is_open(reading.act):
        return None
    return TalkText(
        reading.said,
        actionability_features(reading.normal.text, reading.act).weighed(),
        is_wanted=one.is_wanted,
        domain=one.pack,
        kind=one.kind,
        is_kept_out=one.is_kept_out,
        is_talk=one.is_talk,
    )


def _examples(pack: str, reader: UtteranceParser) -> Iterator[TalkText]:
    """Take examples of a pack that neither order nor request, evenly: all want something."""
    said = [
        _left_open(Said(pack, "", text, True, name, "example", ""), reader)
        for name, action in catalogue_of(pack).actions.items()
        for text in action.examples
    ]
    left_open = [one for one in said if one is not None]
    places = np.linspace(0, len(left_open) - 1, min(_EXAMPLES, len(left_open)), dtype=int)
    return (left_open[place] for place in places)


_PARTS = 3
"""A third of what is wanted is asked with, the rest are the examples."""

One = TypeVar("One")


@dataclass(frozen=True)
class SyntheticTalk:
    """What is said to a pack that has learnt nothing of it."""

    text: str
    roles: Sequence[str]
    is_wanted: bool
    """One of the pack's actions is."""
    author: str


def synthetic_talk(domain: str) -> Iterator[tuple[Catalogue, Sequence[SyntheticTalk]]]:
    """Make the packs of one domain, each with what is said to it.

    The first is made of labelled texts alone, of all that an assistant may be told: its actions
    have a name and examples, as `evals labelled` makes them. The others have entries (verb, object,
    effect) and the wishes of one author as examples, each a third of them not.
    """
    told = list(read_talk(TALK / f"{domain}.tsv"))
    talk = [_synthetic(one.text, domain) for one in told if not one.is_wanted]
    wishes = [(one.text, one.action) for one in told if one.is_wanted]
    texts = dict(read_texts(SYNTHETIC_DOMAINS / f"{domain}.txt"))
    foreign = [_synthetic(text, domain) for text in texts.pop(NONE, [])]
    asked = [
        _synthetic(text, domain, is_wanted=True) for own in texts.values() for text in own[::_PARTS]
    ]
    actions = [_labelled(domain, name, _but(own, 0)) for name, own in texts.items()]
    yield _catalogue(f"{domain} of labels", actions), [*asked, *foreign, *talk]
    listed = json.loads((TALK_DOMAINS / f"{domain}.json").read_text(encoding="utf-8"))
    for part in range(_PARTS):
        learnt = _but(wishes, part)
        actions = [
            _action(domain, {**entry, "examples": _of(entry["name"], learnt)}) for entry in listed
        ]
        own = [_synthetic(text, domain, is_wanted=True) for text, _ in wishes[part::_PARTS]]
        yield _catalogue(f"{domain} of entries, {part}", actions), [*own, *talk[part::_PARTS]]


def _synthetic(text: str, domain: str, *, is_wanted: bool = False) -> SyntheticTalk:
    return SyntheticTalk(text, (), is_wanted, domain)


def _labelled(domain: str, name: str, examples: Sequence[str]) -> Action:
    summary = f"Answer about {name.replace('_', ' ')}"
    entry = {"name": name, "summary": summary, "verb": "show", "object": name, "effect": "read"}
    return _action(domain, {**entry, "examples": examples})


def _action(domain: str, entry: dict[str, object]) -> Action:  # as JSON gives it
    return Action.model_validate({**entry, "pack": domain, "handler": "none:none"})


def _catalogue(name: str, actions: Sequence[Action]) -> Catalogue:
    return Catalogue(
        packs=(), actions={one.name: one for one in actions}, entities={}, version=name
    )


def _of(name: str, wishes: Sequence[tuple[str, str]]) -> list[str]:
    return [text for text, action in wishes if action == name]


def _but(listed: Sequence[One], part: int) -> list[One]:
    return [one for place, one in enumerate(listed) if place % _PARTS != part]


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
    files = sorted(SYNTHETIC_DOMAINS.glob("*.txt"))
    return [*(_plain(file.stem, read_texts(file)) for file in files), *map(_of_pack, OURS)]


def _plain(name: str, texts: Mapping[str, Sequence[str]]) -> Domain:
    forms = {intent: [(text, text) for text in own] for intent, own in texts.items()}
    foreign = forms.pop(NONE, [])
    return Domain(name, list(forms.values()), foreign)


def _of_pack(name: str) -> Domain:
    catalogue = catalogue_of(name)
    reader = UtteranceParser(catalogue)
    intents = [list(_forms(reader, action.examples)) for action in catalogue.actions.values()]
    return Domain(name, [texts for texts in intents if texts])


def _forms(reader: UtteranceParser, texts: Sequence[str]) -> Iterator[Forms]:
    for text in texts:
        learnt = reader.example(text)
        yield learnt.said, learnt.plain
