"""Who reads the talk of a domain: a pack, or the list of actions that its author made up."""

import json
from pathlib import Path

from state.action import Action
from tools.catalogue.catalogue import Catalogue
from tools.catalogue.pack import find_pack, load_pack
from tools.routing.reading import Reader

DOMAINS = Path(__file__).with_name("domains")


def catalogue_of(pack: str) -> Catalogue:
    """Read the actions of a pack.

    Raises:
        PackNotFound: there is none.
    """
    return Catalogue.of([load_pack(find_pack(pack))])


def reader_of(pack: str) -> Reader:
    """Make the reader of a pack, or of `domains/<pack>.json`: actions that nothing can run.

    Raises:
        PackNotFound: there is neither.
    """
    file = DOMAINS / f"{pack}.json"
    if not file.exists():
        return Reader(catalogue_of(pack))
    listed = json.loads(file.read_text(encoding="utf-8"))
    actions = {
        entry["name"]: Action.model_validate({**entry, "pack": pack, "handler": "none:none"})
        for entry in listed
    }
    return Reader(Catalogue(packs=(), actions=actions, entities={}, version=pack))
