"""Fill the slots of an action from a text, whatever the text is routed to."""

from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from tools.catalogue.catalogue import Catalogue
from tools.catalogue.pack import load_pack
from tools.routing.described import heard_of
from tools.routing.reading import Reader
from tools.routing.slots.filling import fill_slots

Filling = Callable[[str, str], dict[str, Any]]


def filling_of(packs: Sequence[Path], cache: Path | None = None) -> Filling:
    """Read with the words of some packs; nothing is learnt for it."""
    catalogue = Catalogue.of([load_pack(pack) for pack in packs])
    reader = Reader(catalogue, cache=cache)

    def filled(action: str, text: str) -> dict[str, Any]:
        heard = heard_of(reader.read(text), date(2026, 2, 7))
        return fill_slots(catalogue.actions[action], heard).values

    return filled
