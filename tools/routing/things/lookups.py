"""Ask the packs' stores for the names of what exists now, and remember until a file changes."""

import os
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from state.errors import LookupFailed
from tools.catalogue.catalogue import Catalogue
from tools.catalogue.looking_up import look_up, reason_of

MOST_FOLDERS = 64
_NOT_CONTENT = ("-shm", "-journal", ".lock")
"""Files that change when a store is only read."""

NamesOfType = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class LookedUp:
    """What the stores answered; a lookup that failed is named and the rest goes on."""

    by_type: Mapping[tuple[str, str], NamesOfType] = field(default_factory=dict)
    """(pack, entity type) → canonical id → names."""
    failed: tuple[str, ...] = ()


_NOTHING = LookedUp()


class Lookups:
    """The lookup functions of all packs."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._lookups = [
            (pack, name)
            for pack in catalogue.packs
            for name, entity in pack.entities.items()
            if entity.lookup is not None
        ]
        self._remembered: OrderedDict[Path, tuple[object, LookedUp]] = OrderedDict()

    def names(self, data_dir: Path | None) -> LookedUp:
        """Give the names in one data folder; the same object as long as nothing has changed."""
        if data_dir is None or not self._lookups:
            return _NOTHING
        standing = _standing(data_dir)
        before = self._remembered.get(data_dir)
        if before is not None and before[0] == standing and not before[1].failed:
            return before[1]
        found = self._ask(data_dir, before[1] if before is not None else _NOTHING)
        if before is not None and before[1] == found:
            found = before[1]
        self._remembered[data_dir] = (standing, found)
        while len(self._remembered) > MOST_FOLDERS:
            self._remembered.popitem(last=False)
        return found

    def _ask(self, data_dir: Path, before: LookedUp) -> LookedUp:
        """Ask again; names of a type that are what they were are the same object as before."""
        by_type: dict[tuple[str, str], NamesOfType] = {}
        failed = []
        for pack, name in self._lookups:
            try:
                answer = look_up(pack, name, data_dir)
                old = before.by_type.get((pack.name, name))
                by_type[pack.name, name] = old if old is not None and old == answer else answer
            except LookupFailed as error:  # it must not stop the routing
                failed.append(reason_of(error))
        return LookedUp(by_type, tuple(failed))


def _standing(data_dir: Path) -> object:
    """Describe a folder's files: when one is written, this changes."""
    found: list[tuple[str, int, int]] = []
    pending = [str(data_dir)]
    while pending and len(found) < 1_000:
        try:
            with os.scandir(pending.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(entry.path)
                    elif not entry.name.endswith(_NOT_CONTENT):
                        status = entry.stat(follow_symlinks=False)
                        found.append((entry.path, status.st_mtime_ns, status.st_size))
        except FileNotFoundError:
            continue
    return tuple(sorted(found))
