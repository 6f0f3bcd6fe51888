"""Decision records in Markdown: MADR, Nygard's form, and what teams have made of them."""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from state.errors import BadInput
from state.journal import Alternative, Category, Decision, DecisionStatus, TradeOffs
from tools.journal.detecting.window import words_of
from tools.journal.extracting.category import category_of
from tools.journal.records.markdown import Document, bullets, plain_words, read_markdown

RECORDS = "records"
"""The session that every record is of: who may not read it sees none."""
MOST_CHARACTERS = 200_000
_NUMBER = re.compile(r"^\s*(?:ADR[ -]?)?\d+\s*[.:—–-]\s*|^\s*ADR[ -]?\d+\s+", re.IGNORECASE)
_LABELLED = r"^\W*(?:{names})\W*:\W*(?P<value>\S.*?)\s*$"
_DATE = re.compile(r"(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)")
_STATUSES: tuple[tuple[DecisionStatus, re.Pattern[str]], ...] = tuple(
    (status, re.compile(words, re.IGNORECASE))
    for status, words in (
        (DecisionStatus.SUPERSEDED, r"\bsuper[sc]eded\b(?!\s*$)|^\W*super[sc]eded|\bdeprecated\b"),
        (DecisionStatus.REJECTED, r"\brejected\b|\bdeclined\b|\bwithdrawn\b"),
        (DecisionStatus.PROPOSED, r"\bproposed\b|\bpending\b|\bdraft\b|\bin review\b"),
    )
)
_SETTLED = re.compile(
    r"^\W*(?:accepted|approved|active|decided|adopted|implemented)", re.IGNORECASE
)
_ADDRESS = re.compile(r"\[([^\[\]]*)\]\(([^()\s]{1,2000})\)")
_CHOICES = re.compile(r"\[[^\[\]]*\]")
"""What a template left standing: [Proposed, Accepted, Rejected]."""
_SUCCESSOR = re.compile(r"super[sc]eded by[\s:]*(?P<which>[^\n]+)", re.IGNORECASE)
_PREDECESSOR = re.compile(r"super[sc]edes?\b(?!\s+by)[\s:]*(?P<which>[^\n]+)", re.IGNORECASE)
_GOOD = re.compile(r"^\W*(?:good\b[^\w]*(?:because)?|\+|pro\b\W|positive\W)\s*", re.IGNORECASE)
_BAD = re.compile(r"^\W*(?:bad\b[^\w]*(?:because)?|con\b\W|negative\W)\s*", re.IGNORECASE)
_DECIDERS = re.compile(
    r"^\W*(?:deciders?|decision[ -]makers?)\W*:?\W*$", re.IGNORECASE | re.MULTILINE
)
_CHOSEN = re.compile(
    r"chosen (?:option|alternative)\W*(?P<what>[^\n]*?)(?:,? because\b|\.|$)", re.IGNORECASE
)


def read_record(text: str, path: str, *, tenant_id: str = "default") -> Decision:
    """Read a decision record; its path is its identity, so that reading it again replaces it.

    Raises:
        BadInput: it is longer than a record can be, or holds no words.
    """
    if len(text) > MOST_CHARACTERS:
        raise BadInput(f"{path} is longer than {MOST_CHARACTERS} characters; it is no record")
    page = read_markdown(text.replace("\x00", ""))
    if not words_of(f"{page.title} {page.lead}") and not page.sections:
        raise BadInput(f"{path} holds no words")
    decision = page.under("decision outcome", "decision", "decisions", "outcome", "resolution")
    standing = _labelled(page, "status") or _first_line(page.under("status"))
    title = _NUMBER.sub("", str(page.front.get("title") or page.title)) or _title_of(path)
    people = _names(page)
    return Decision(
        id=f"rec-{sha256(f'{tenant_id}{chr(31)}{path}'.encode()).hexdigest()[:16]}",
        timestamp=_date(page, path),
        session_id=RECORDS,
        tenant_id=tenant_id,
        origin="record",
        source=path,
        title=" ".join(title.split())[:300],
        decision=plain_words(decision) or title,
        context=plain_words(page.under("context", "problem", "background") or page.lead),
        rationale=plain_words(page.under("rationale", "justification", "decision drivers")),
        category=_category(title, decision),
        confidence=1.0,
        alternatives=_alternatives(page, decision),
        trade_offs=_trade_offs(page),
        stakeholders=people,
        decision_maker=people[0] if len(people) == 1 else None,
        status=status_of(standing or str(page.front.get("status") or "")),
        superseded_by=_reference(_SUCCESSOR, page),
        supersedes=_reference(_PREDECESSOR, page),
        tags=_listed(page.front.get("tags")) or _parted(_labelled(page, "tags")),
        notes=_notes(page),
    )


def status_of(words: str) -> DecisionStatus:
    """Read a status, whatever else stands beside it; unknown words count as active."""
    plain = _CHOICES.sub("", plain_words(words))
    if _SETTLED.search(plain):
        return DecisionStatus.ACTIVE
    return next((s for s, pattern in _STATUSES if pattern.search(plain)), DecisionStatus.ACTIVE)


def _labelled(page: Document, *names: str) -> str:
    pattern = re.compile(_LABELLED.format(names="|".join(names)), re.IGNORECASE | re.MULTILINE)
    found = pattern.search(page.lead)
    return plain_words(found["value"]).lstrip("* ") if found else ""


def _first_line(text: str) -> str:
    return next((line.strip() for line in text.splitlines() if line.strip()), "")


def _title_of(path: str) -> str:
    name = path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    return re.sub(r"^[\d-]+", "", name).replace("-", " ").replace("_", " ").strip() or name


def _date(page: Document, path: str) -> datetime | None:
    given = page.front.get("date")
    with suppress(ValueError):
        at = datetime.fromisoformat(str(given))
        return at if at.tzinfo else at.replace(tzinfo=UTC)
    places = (
        str(given or ""),
        _labelled(page, "date", "decided", "decision date", "last modified", "last updated"),
        _first_line(page.under("date")),
        path.rsplit("/", 1)[-1],
    )
    for place in places:
        for year, month, day in _DATE.findall(place):
            try:
                return datetime(int(year), int(month), int(day), tzinfo=UTC)
            except ValueError:
                continue
    return None


def _names(page: Document) -> tuple[str, ...]:
    for key in ("decision-makers", "deciders", "decision_makers", "decided-by", "authors"):
        if names := _listed(page.front.get(key)):
            return names
    said = _labelled(page, "deciders?", "decision[ -]makers?", "decided by")
    if said:
        return _parted(said)
    listed = _DECIDERS.search(page.lead)
    return bullets_after(page.lead, listed.end()) if listed else ()


def bullets_after(text: str, start: int) -> tuple[str, ...]:
    """List the indented bullets that follow a place."""
    found = []
    for line in text[start:].splitlines()[1:]:
        if not re.match(r"^\s+[-*+]\s", line):
            break
        found.append(plain_words(line.strip().lstrip("-*+ ")).replace("&#x20;", "").strip())
    return tuple(name for name in found if name)


def _listed(value: Any) -> tuple[str, ...]:  # YAML
    if isinstance(value, str):
        return _parted(value)
    if isinstance(value, list):
        return tuple(str(one).strip() for one in value if str(one).strip())
    return ()


def _parted(text: str) -> tuple[str, ...]:
    return tuple(one.strip() for one in re.split(r"[,;]|\band\b|&", text) if one.strip())


def _category(title: str, decision: str) -> Category | None:
    return category_of(f"{title} {decision[:400]}", names_code=False)


def _alternatives(page: Document, decision: str) -> tuple[Alternative, ...]:
    listed = bullets(
        page.under("considered options", "options considered", "considered alternatives",
                   "alternatives", "other options", "options")
    )  # fmt: skip
    chosen = _CHOSEN.search(plain_words(decision))
    taken = words_of(chosen["what"] if chosen else _first_line(decision))
    said = _options_said(page)
    return tuple(
        Alternative(option=option[:300], pros=pros, cons=cons)
        for option in listed
        for pros, cons in [said.get(option.lower(), ((), ()))]
        if words_of(option) and not words_of(option) <= taken
    )


def _options_said(page: Document) -> Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    return {section.heading.lower(): _weighed(bullets(section.body)) for section in page.sections}


def _weighed(said: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    good, bad = [], []
    for one in said:
        if _GOOD.match(one):
            good.append(_GOOD.sub("", one))
        elif _BAD.match(one):
            bad.append(_BAD.sub("", one))
    return tuple(good), tuple(bad)


def _trade_offs(page: Document) -> TradeOffs | None:
    pros = bullets(page.under("positive consequences", "positive"))
    cons = bullets(page.under("negative consequences", "negative"))
    if not pros and not cons:
        pros, cons = _weighed(bullets(page.under("consequences")))
    risks = bullets(page.under("risks"))
    return TradeOffs(pros=pros, cons=cons, risks=risks) if pros or cons or risks else None


def _reference(pattern: re.Pattern[str], page: Document) -> str | None:
    """Name the record a status points at, as its author wrote it."""
    for place in (page.under("status"), page.lead, str(page.front.get("status") or "")):
        if found := pattern.search(place):
            said = _ADDRESS.sub(r"\1 (\2)", found["which"])
            return plain_words(said).strip(" .*") or None
    return None


def _notes(page: Document) -> str:
    taken = ("status", "date", "context", "decision", "background", "problem")
    return "\n\n".join(
        f"{section.heading}\n{plain_words(section.body)}"
        for section in page.sections
        if section.body.strip() and not section.heading.lower().startswith(taken)
    )
