"""References between decision records, resolved to the ids of decisions.

A page names its successor and predecessors by file, number or title.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from state.journal import Decision, DecisionStatus
from tools.journal.records.markdown import Document, bullets, plain_words

STATUS = ("status", "statut", "estado", "stato", "estatus")
PARTLY = "in part: "
"""Stands before what is only changed by the record that names it."""

_BY = (
    r"(?:by|with|through|in favou?r of|durch|von|par|au profit de|por|pel[oa]|d[ao]|dal?l[ao]|door"
    r"|av|przez)"
)
_OVER = (
    r"(?:super[sc]eded|replaced|obsoleted|deprecated|overruled|overridden|revoked|rescinded|retired"
    r"|subsumed|ersetzt|abgelöst|remplacée?|reemplazad[oa]|sustituid[oa]|substituíd[oa]"
    r"|sostituit[oa]|superat[oa]|vervangen|zastąpion[aeoy]|ersatt)"
)
_SUCCESSOR = re.compile(
    rf"(?P<partly>\b(?:partial(?:ly)?|partly|in part|teilweise|partiellement|parcialmente)\s+)?"
    rf"\b{_OVER}\s+(?:on\s+[\d./-]+\s+)?(?P<is_partly>in part\s+)?{_BY}[\s:]*(?P<which>[^\n]+)",
    re.IGNORECASE,
)
_PREDECESSOR = re.compile(
    r"(?P<partly>\b(?:partial(?:ly)?|partly|in part|teilweise|partiellement|parcialmente)\s+)?"
    r"\b(?:super[sc]edes?|replaces|obsoletes|ersetzt(?!\s+(?:durch|von)\b)|löst|remplace(?!\s+par\b)"
    r"|reemplaza|sustituye|substitui|sostituisce|vervangt|zastępuje|ersätter)\b"
    r"(?!\s+by\b|\W*(?:[,|/\]]|etc\b))(?P<is_partly>\s+in part\b)?[\s:]*(?P<which>[^\n]+)",
    re.IGNORECASE,
)
_CITED = re.compile(r"\[[^\[\]\n]*\]\([^()\s]{0,2000}\.(?:md|markdown)[^()\s]{0,200}\)")
_ADDRESS = re.compile(r"\[([^\[\]]*)\]\(([^()\s]{1,2000})\)")
_NONE = re.compile(
    r"^\W*(?:none|nothing|no|n/?a|nil|null|keine[rs]?|aucun|ninguno|nenhum)?\W*$", re.IGNORECASE
)
_AFTER = (
    "superseded-by",
    "superseded_by",
    "superseded by",
    "replaced-by",
    "replaced_by",
    "replaced by",
)
_BEFORE = ("supersedes", "replaces")


def successor_in(page: Document) -> str | None:
    """Name the record that this one says it was replaced by as a whole; None: it names none."""
    named = (one for name in _AFTER for one in page.facts(name))
    return next(_references(_SUCCESSOR, page, named, partly=False), None)


def predecessors_in(page: Document) -> str | None:
    """Name the records that this one says it replaces, parted by "; "; None: it names none.

    Before one that it replaces in part stands PARTLY.
    """
    named = (one for name in _BEFORE for one in _front(page, name))
    return "; ".join(dict.fromkeys(_references(_PREDECESSOR, page, named, partly=True))) or None


def _front(page: Document, name: str) -> Iterator[str]:
    listed = page.front.get(name)
    yield from (str(one) for one in listed) if isinstance(listed, list) else page.facts(name)


def _references(
    pattern: re.Pattern[str], page: Document, named: Iterator[str], *, partly: bool
) -> Iterator[str]:
    for said in named:
        if which := _plain(said):
            yield which
    for place in _places(page):
        for found in pattern.finditer(place):
            in_part = bool(found["partly"] or found["is_partly"])
            which = _plain(found["which"])
            if which and (partly or not in_part):
                yield f"{PARTLY}{which}" if in_part else which


def _places(page: Document) -> Iterator[str]:
    yield from (page.under(*STATUS), *page.facts(*STATUS), page.lead)
    yield from bullets(page.under("links", "related", "related decisions", "more information"))
    for section in page.sections:
        # In prose, only what cites a file: "replaces nginx" speaks of no record.
        yield from (
            sentence
            for sentence in re.split(r"(?<=[.!?])\s+", section.body)
            if _CITED.search(sentence) and re.match(r"\W*\w+\W+(?:\w+\W+){0,2}\[", sentence)
        )


def _plain(which: str) -> str:
    said = plain_words(_ADDRESS.sub(r"\1 (\2)", which)).strip(" .*~|")
    return "" if _NONE.match(said) else said


_IN_FORCE = (DecisionStatus.ACTIVE, DecisionStatus.REVISITED)
_REPLACE_NOTHING = (DecisionStatus.PROPOSED, DecisionStatus.REJECTED, DecisionStatus.UNKNOWN)
_TOKEN = re.compile(r"\w+")
_NUMBER = re.compile(r"(?:adr|record)?[ #-]*0*(\d{1,5})\b", re.IGNORECASE)
_FILE = re.compile(r"[\w./-]+\.(?:md|markdown)\b", re.IGNORECASE)
_OWN_NUMBER = re.compile(r"(?:adr-?)?0*(\d{1,5})\D", re.IGNORECASE)


def resolve_references(
    decisions: Sequence[Decision], known: Iterable[Decision] = ()
) -> list[Decision]:
    """Put ids in place of what records say of each other, on both sides.

    What a record says itself stands before what others say of it, and of those the link that is
    kept: reading any of them again changes nothing. A reference that leads nowhere stays as it was
    written. Whatever its status line says, what a record that is or was in force replaces is over,
    and what it replaces in part is revisited; a proposal replaces nothing yet.

    Args:
        decisions: as they were read.
        known: as they are kept, with their links; earlier forms of `decisions` may be among them.

    Returns:
        The decisions, then those of the known whose links are others now.
    """
    kept = {one.id: one for one in known}
    fresh = {one.id: one for one in decisions}
    by_id = kept | fresh
    names = _Names(by_id)
    newer: defaultdict[str, list[str]] = defaultdict(list)
    older: defaultdict[str, list[str]] = defaultdict(list)
    revised: set[str] = set()
    unread = kept.keys() - fresh.keys()
    for one in sorted(by_id.values(), key=lambda each: (each.source or "", each.id)):
        if new := names.meant(one.superseded_by, one):
            newer[one.id].append(new)
            older[new].append(one.id)
        for old, is_partly in names.replaced(one):
            older[one.id].append(old)
            # Of one that was linked before, the other end tells whether all of it was replaced.
            is_linked = one.id not in fresh and one.supersedes == old and old in kept
            if one.status in _REPLACE_NOTHING:
                continue
            if is_partly or (is_linked and kept[old].superseded_by != one.id):
                revised.add(old)
            else:
                newer[old].append(one.id)

    def settled(one: Decision) -> Decision:
        before = kept.get(one.id, one)
        new = names.meant(one.superseded_by, one)
        if new is None and before.superseded_by in unread:
            new = before.superseded_by
        new = new or _kept(before.superseded_by, newer, one)
        own = next((each for each, _is_partly in names.replaced(one)), None)
        old = own or _kept(before.supersedes, older, one)
        status = one.status
        if status in _IN_FORCE and (new or one.id in revised):
            status = DecisionStatus.SUPERSEDED if new else DecisionStatus.REVISITED
        return one.model_copy(
            update={
                "superseded_by": new or one.superseded_by,
                "supersedes": old or one.supersedes,
                "status": status,
            }
        )

    others = (one for one in kept.values() if one.id not in fresh)
    moved = [after for before in others if (after := settled(before)) != before]
    return [*map(settled, fresh.values()), *moved]


def record_number(decision: Decision) -> int | None:
    """Read the number a record's file begins with."""
    found = _OWN_NUMBER.match(PurePosixPath(decision.source or "").name)
    return int(found[1]) if found else None


def _kept(before: str | None, said: Mapping[str, Sequence[str]], one: Decision) -> str | None:
    """Choose of what others say of a record: what is kept already, or else the first."""
    ends = said.get(one.id, ())
    return before if before in ends else next(iter(ends), None)


class _Names:
    """Finds the record that a reference means: by its id, its file, its number or its title.

    All but ids count within a folder; of several that fit the one that is named first is meant.
    """

    def __init__(self, records: Mapping[str, Decision]) -> None:
        self._ids = records.keys()
        self._folders: defaultdict[PurePosixPath, _Folder] = defaultdict(_Folder)
        for one in records.values():
            path = PurePosixPath(one.source or "")
            folder = self._folders[path.parent]
            folder.files[path.name].append(one.id)
            folder.numbers[record_number(one)].append(one.id)
            title = one.title.lower()
            if first := _TOKEN.search(title):
                folder.titles[first.group()].append((title, one.id))

    def meant(self, reference: str | None, by: Decision) -> str | None:
        """Find what a record refers to; it never means itself."""
        if not reference or reference in self._ids:
            return reference or None
        folder = self._folders[PurePosixPath(by.source or "").parent]
        return next((one for one in folder.fitting(reference) if one != by.id), None)

    def replaced(self, by: Decision) -> Iterator[tuple[str, bool]]:
        """Find the records that one replaces, and whether only in part."""
        for said in (by.supersedes or "").split("; "):
            if one := self.meant(said.removeprefix(PARTLY), by):
                yield one, said.startswith(PARTLY)


@dataclass(frozen=True)
class _Folder:
    files: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    numbers: defaultdict[int | None, list[str]] = field(default_factory=lambda: defaultdict(list))
    titles: defaultdict[str, list[tuple[str, str]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    """By their first word: else each reference would be held against every title."""

    def fitting(self, reference: str) -> Iterator[str]:
        for path in _FILE.findall(reference):
            yield from self.files.get(PurePosixPath(path).name, ())
        said = reference.lower()
        for word in dict.fromkeys(_TOKEN.findall(said)):
            yield from (one for title, one in self.titles.get(word, ()) if title in said)
        if number := _NUMBER.match(reference):
            yield from self.numbers.get(int(number[1]), ())
