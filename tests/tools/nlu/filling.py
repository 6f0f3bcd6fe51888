"""Read our own packs' requests without ranking them: nothing is learnt for it."""

from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path

from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import find_pack, load_pack
from tools.nlu.intents.explanation import matched_words_of
from tools.nlu.intents.utterance import UtteranceParser
from tools.nlu.rejection.auto_run_veto import time_without_slot
from tools.nlu.slots.filling import FilledSlots, fill_slots

Filling = Callable[[str, str], FilledSlots]
"""An action and a text."""
Timing = Callable[[str, str], str | None]
"""An action and a text."""
SUNDAY = date(2026, 6, 14)


def filling_of(cache: Path | None, packs: Sequence[Path] = ()) -> Filling:
    """Fill slots on a Sunday, with the words of some packs, else of the vessel and the research."""
    catalogue = Catalogue.of([load_pack(pack) for pack in packs]) if packs else _ours()
    reader = UtteranceParser(catalogue, cache=cache)

    def fill(action: str, text: str) -> FilledSlots:
        return fill_slots(catalogue.action(action), matched_words_of(reader.read(text), SUNDAY))

    return fill


def filling_of_own(folder: Path, actions: str, entities: str, handlers: str) -> Filling:
    """Fill slots with the words of a pack that is written into a new folder, named after it."""
    folder.mkdir()
    files = {"actions.yaml": actions, "entities.yaml": entities, "handlers.py": handlers}
    for name, text in files.items():
        (folder / name).write_text(text)
    return filling_of(None, [folder])


def timing_of(cache: Path) -> Timing:
    """Find the time that an action has no slot for, on that day and with those words."""
    catalogue = _ours()
    reader = UtteranceParser(catalogue, cache=cache)

    def unheld(action: str, text: str) -> str | None:
        time = time_without_slot(reader.read(text), catalogue.action(action), today=SUNDAY)
        return None if time is None else time.text

    return unheld


def _ours() -> Catalogue:
    return Catalogue.of([load_pack(find_pack(name)) for name in ("vessel", "research")])
