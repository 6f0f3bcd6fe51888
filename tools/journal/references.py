"""What records say of each other, by file, number or title, becomes the ids of decisions."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath

from state.journal import Decision

_NUMBER = re.compile(r"(?:adr|record)?[ #-]*0*(\d{1,5})\b", re.IGNORECASE)
_FILE = re.compile(r"[\w./-]+\.(?:md|markdown)\b", re.IGNORECASE)
_OWN_NUMBER = re.compile(r"(?:adr-?)?0*(\d{1,5})\D", re.IGNORECASE)


def linked(decisions: Sequence[Decision], known: Iterable[Decision] = ()) -> list[Decision]:
    """Put ids in place of what records say of each other, on both sides.

    What a record says itself stands before what others say of it, and of those the link that is
    kept: reading any of them again changes nothing. A reference that leads nowhere stays as it was
    written, and so does every status: that a new record names an old one does not tell whether all
    of the old one is over.

    Args:
        decisions: as they were read.
        known: as they are kept, with their links; earlier forms of `decisions` may be among them.

    Returns:
        The decisions, then those of the known whose links are others now.
    """
    kept = {one.id: one for one in known}
    fresh = {one.id: one for one in decisions}
    by_id = kept | fresh
    newer: dict[str, list[str]] = {}
    older: dict[str, list[str]] = {}
    for one in sorted(by_id.values(), key=lambda each: (each.source or "", each.id)):
        if new := _named(one.superseded_by, one, by_id):
            newer.setdefault(one.id, []).append(new)
            older.setdefault(new, []).append(one.id)
        if old := _named(one.supersedes, one, by_id):
            older.setdefault(one.id, []).append(old)
            newer.setdefault(old, []).append(one.id)

    def settled(one: Decision) -> Decision:
        before = kept.get(one.id, one)
        new = _named(one.superseded_by, one, by_id) or _kept(before.superseded_by, newer, one)
        old = _named(one.supersedes, one, by_id) or _kept(before.supersedes, older, one)
        return one.model_copy(
            update={
                "superseded_by": new or one.superseded_by,
                "supersedes": old or one.supersedes,
            }
        )

    others = (one for one in kept.values() if one.id not in fresh)
    moved = [after for before in others if (after := settled(before)) != before]
    return [*map(settled, fresh.values()), *moved]


def number_of(decision: Decision) -> int | None:
    """Read the number a record's file begins with."""
    found = _OWN_NUMBER.match(PurePosixPath(decision.source or "").name)
    return int(found[1]) if found else None


def _kept(before: str | None, said: Mapping[str, Sequence[str]], one: Decision) -> str | None:
    """Choose of what others say of a record: what is kept already, or else the first."""
    ends = said.get(one.id, ())
    return before if before in ends else next(iter(ends), None)


def _named(reference: str | None, by: Decision, known: Mapping[str, Decision]) -> str | None:
    """Find the record a reference means: by its id, its file, its number or its title."""
    if not reference:
        return None
    if reference in known:
        return reference
    folder = PurePosixPath(by.source or "").parent
    near = [
        one
        for one in known.values()
        if one.id != by.id and PurePosixPath(one.source or "").parent == folder
    ]
    names = {PurePosixPath(path).name for path in _FILE.findall(reference)}
    by_file = [one for one in near if PurePosixPath(one.source or "").name in names]
    by_title = [one for one in near if one.title.lower() in reference.lower()]
    number = _NUMBER.match(reference)
    by_number = [one for one in near if number and number_of(one) == int(number[1])]
    return next((one.id for one in (*by_file, *by_title, *by_number)), None)
