"""Packs that nobody made by hand, and what people say to them: how a stranger's pack may be.

Ours have hundreds of examples an action, nearly all of which sound like wishes. These have a
handful, and one sort takes reports and chat for wishes too.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from evals.dataset import read_dataset
from evals.inputs import RequestInputs
from evals.invented.texts import DOMAINS as TEXTS
from evals.invented.texts import NONE, read_texts
from evals.wishes.domains import DOMAINS as LISTS
from evals.wishes.rows import TALK
from state.action import Action
from tools.catalogue.catalogue import Catalogue

_PARTS = 3
"""A third of what is wanted is asked with, the rest are the examples."""

One = TypeVar("One")


@dataclass(frozen=True)
class Told:
    """What is said to a pack that has learnt nothing of it."""

    text: str
    roles: Sequence[str]
    is_wanted: bool
    """One of the pack's actions is."""
    author: str


def made_up(domain: str) -> Iterator[tuple[Catalogue, Sequence[Told]]]:
    """Make the packs of one domain, each with what is said to it.

    The first is made of labelled texts alone, of all that an assistant may be told: its actions
    have a name and examples, as `evals labelled` makes them. The others have entries (verb, object,
    effect) and the wishes of one author as examples, each a third of them not.
    """
    talk, wishes = [], []
    for case in read_dataset(TALK / f"{domain}_talk.jsonl").cases:
        text, action = RequestInputs.model_validate(case.inputs).text, case.outputs["action"]
        if action is None:
            talk.append(Told(text, (), is_wanted=False, author=domain))
        else:
            wishes.append((text, str(action)))
    texts = dict(read_texts(TEXTS / f"{domain}.txt"))
    foreign = [Told(text, (), is_wanted=False, author=domain) for text in texts.pop(NONE, [])]
    asked = [
        Told(text, (), is_wanted=True, author=domain)
        for own in texts.values()
        for text in own[::_PARTS]
    ]
    actions = [_labelled(domain, name, _but(own, 0)) for name, own in texts.items()]
    yield _catalogue(f"{domain} of labels", actions), [*asked, *foreign, *talk]
    listed = json.loads((LISTS / f"{domain}.json").read_text(encoding="utf-8"))
    for part in range(_PARTS):
        learnt = _but(wishes, part)
        actions = [
            _action(domain, {**entry, "examples": _of(entry["name"], learnt)}) for entry in listed
        ]
        own = [Told(text, (), is_wanted=True, author=domain) for text, _ in wishes[part::_PARTS]]
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
