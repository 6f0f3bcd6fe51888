"""Collect entity names from the packs' lists and stores.

Stores are read anew when a file changes.
"""

import os
import re
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from state.errors import LookupFailed
from tools.catalog import Catalogue
from tools.catalog.entity_values import look_up, lookup_reason
from tools.catalog.pack_schema import EntityType
from tools.nlu.entities.names import NamesOfEntityType, Nouns, PackEntityType, nouns_of

MOST_FOLDERS = 64
_NOT_CONTENT = ("-shm", "-journal", ".lock")
"""Files that change when a store is only read."""

NamesOfType = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class LookupResult:
    """What the stores answered; a lookup that failed is named and the rest goes on."""

    by_type: Mapping[tuple[str, str], NamesOfType] = field(default_factory=dict)
    """(pack, entity type) → canonical id → names."""
    failed: tuple[str, ...] = ()


_NOTHING = LookupResult()


class EntityLookups:
    """The lookup functions of all packs."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._lookups = [
            (pack, name)
            for pack in catalogue.packs
            for name, entity in pack.entities.items()
            if entity.lookup is not None
        ]
        self._remembered: OrderedDict[Path, tuple[object, LookupResult]] = OrderedDict()

    def names(self, data_dir: Path | None) -> LookupResult:
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

    def _ask(self, data_dir: Path, before: LookupResult) -> LookupResult:
        """Ask again; names of a type that are what they were are the same object as before."""
        by_type: dict[tuple[str, str], NamesOfType] = {}
        failed = []
        for pack, name in self._lookups:
            try:
                answer = look_up(pack, name, data_dir)
                old = before.by_type.get((pack.name, name))
                by_type[pack.name, name] = old if old is not None and old == answer else answer
            except LookupFailed as error:  # it must not stop the routing
                failed.append(lookup_reason(error))
        return LookupResult(by_type, tuple(failed))


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


@dataclass(frozen=True)
class EntityIndex:
    """The kinds of things, what they are called, and the names that are listed."""

    types: Mapping[PackEntityType, EntityType]
    patterns: Sequence[tuple[PackEntityType, re.Pattern[str], re.Pattern[str]]]
    """How ids look: to be found in a text, and by themselves."""
    nouns: Mapping[PackEntityType, Nouns]
    called: frozenset[tuple[str, ...]]
    """The phrases of all nouns."""
    names: Mapping[PackEntityType, NamesOfEntityType]

    @classmethod
    def of(cls, catalogue: Catalogue) -> Self:
        """Collect what the packs of a catalogue list."""
        types = {
            PackEntityType(pack.name, name): entity
            for pack in catalogue.packs
            for name, entity in pack.entities.items()
        }
        nouns = {kind: nouns_of(kind, entity.words) for kind, entity in types.items()}
        return cls(
            types=types,
            patterns=[
                (
                    kind,
                    re.compile(rf"(?<!\w)(?:{pattern})(?!\w)", re.IGNORECASE),
                    re.compile(pattern),
                )
                for kind, entity in types.items()
                for pattern in entity.patterns
            ],
            nouns=nouns,
            called=frozenset(name for one in nouns.values() for name in one.phrases),
            names={kind: names_of(kind, entity, None) for kind, entity in types.items()},
        )


def names_of(
    kind: PackEntityType, entity: EntityType, looked_up: NamesOfType | None
) -> NamesOfEntityType:
    """Collect the names of a kind: those listed, and those a store was asked for."""
    names = NamesOfEntityType(kind)
    for canonical, others in (*entity.names.items(), *(looked_up or {}).items()):
        names.add(canonical, others)
    if looked_up is not None:
        ids = (*entity.names, *looked_up)
        names.canonical = {canonical.casefold(): canonical for canonical in ids}
    return names
