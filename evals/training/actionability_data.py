"""Training texts of actionability.

Talk of our packs and of synthetic domains, with features and labels.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np

from evals.runner.datasets import SHIPPED, Case, Dataset, RequestInputs, read_dataset
from state.action import Action
from tools.adapters.embedding.embedder import Embedder
from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import find_pack, load_pack
from tools.nlu.actionability.classifier import actionability_features
from tools.nlu.actionability.decision import is_open
from tools.nlu.intent_classifier.features import Floats
from tools.nlu.intents.utterance import UtteranceParser

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
"""Domains by four authors whose talk is said to packs that are made of it, see made_up.py."""
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


def datasets() -> list[tuple[Dataset, bool]]:
    """Read what is learnt from and measured with, each with whether it is talk."""
    tuned = [(read_dataset(SHIPPED / f"{name}.jsonl"), False) for name in _LEARNT_WHOLE]
    return [*tuned, *((read_dataset(file), True) for file in sorted(TALK.glob("*.jsonl")))]


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
    readers: dict[str, UtteranceParser] = {}
    said = [
        one
        for dataset, is_talk in datasets()
        for one in _said(dataset, _reader(readers, dataset.header.pack), is_talk=is_talk)
    ]
    for pack in OURS:
        said += _examples(pack, _reader(readers, pack))
    return said


def _reader(readers: dict[str, UtteranceParser], pack: str) -> UtteranceParser:
    if pack not in readers:
        readers[pack] = reader_of(pack)
    return readers[pack]


def _said(dataset: Dataset, reader: UtteranceParser, *, is_talk: bool) -> Iterator[TalkText]:
    for case in dataset.cases:
        reading = reader.read(_text(case))
        if is_open(reading.act):
            yield TalkText(
                reading.said,
                actionability_features(reading.normal.text, reading.act).weighed(),
                is_wanted=case.outputs["action"] is not None,
                domain=dataset.header.pack,
                kind=str(case.metadata.get("kind", "")),
                is_kept_out=is_talk and case.metadata.get("split") == "test",
                is_talk=is_talk,
            )


def _examples(pack: str, reader: UtteranceParser) -> Iterator[TalkText]:
    """Take examples of a pack that neither order nor request, evenly: all want something."""
    actions = catalogue_of(pack).actions.values()
    read = [reader.read(text) for action in actions for text in action.examples]
    left_open = [reading for reading in read if is_open(reading.act)]
    for place in np.linspace(0, len(left_open) - 1, min(_EXAMPLES, len(left_open)), dtype=int):
        reading = left_open[place]
        yield TalkText(
            reading.said,
            actionability_features(reading.normal.text, reading.act).weighed(),
            is_wanted=True,
            domain=pack,
            kind="example",
            is_kept_out=False,
            is_talk=False,
        )


def _text(case: Case) -> str:
    return RequestInputs.model_validate(case.inputs).text


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
    talk, wishes = [], []
    for case in read_dataset(TALK / f"{domain}_talk.jsonl").cases:
        text, action = RequestInputs.model_validate(case.inputs).text, case.outputs["action"]
        if action is None:
            talk.append(SyntheticTalk(text, (), is_wanted=False, author=domain))
        else:
            wishes.append((text, str(action)))
    texts = dict(read_texts(SYNTHETIC_DOMAINS / f"{domain}.txt"))
    foreign = [
        SyntheticTalk(text, (), is_wanted=False, author=domain) for text in texts.pop(NONE, [])
    ]
    asked = [
        SyntheticTalk(text, (), is_wanted=True, author=domain)
        for own in texts.values()
        for text in own[::_PARTS]
    ]
    actions = [_labelled(domain, name, _but(own, 0)) for name, own in texts.items()]
    yield _catalogue(f"{domain} of labels", actions), [*asked, *foreign, *talk]
    listed = json.loads((TALK_DOMAINS / f"{domain}.json").read_text(encoding="utf-8"))
    for part in range(_PARTS):
        learnt = _but(wishes, part)
        actions = [
            _action(domain, {**entry, "examples": _of(entry["name"], learnt)}) for entry in listed
        ]
        own = [
            SyntheticTalk(text, (), is_wanted=True, author=domain)
            for text, _ in wishes[part::_PARTS]
        ]
        yield _catalogue(f"{domain} of entries, {part}", actions), [*own, *talk[part::_PARTS]]


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
