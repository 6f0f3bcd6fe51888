"""Which records a page names as its successor or predecessors, in its author's words."""

import re
from collections.abc import Iterator

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
