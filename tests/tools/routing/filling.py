"""Fill the slots of our own packs' actions from a text: nothing is ranked, so nothing is learnt."""

from collections.abc import Callable
from datetime import date
from pathlib import Path

from tools.catalogue.catalogue import Catalogue
from tools.catalogue.pack import find_pack, load_pack
from tools.routing.described import heard_of
from tools.routing.reading import Reader
from tools.routing.slots.filling import Filled, fill_slots

Filling = Callable[[str, str], Filled]
"""An action and a text."""
SUNDAY = date(2026, 6, 14)


def filling_of(cache: Path, today: date = SUNDAY) -> Filling:
    """Read with the words of the vessel and the research pack, on that day."""
    catalogue = Catalogue.of([load_pack(find_pack(name)) for name in ("vessel", "research")])
    reader = Reader(catalogue, cache=cache)

    def fill(action: str, text: str) -> Filled:
        return fill_slots(catalogue.action(action), heard_of(reader.read(text), today))

    return fill
