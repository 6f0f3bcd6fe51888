"""Parse a decision record in Markdown into a Decision.

Forms: MADR, Nygard's, Y-statements and common variants.
"""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from state.errors import BadInput
from state.journal import Alternative, Category, Decision, DecisionStatus, TradeOffs
from tools.journal.detection.context_window import content_words
from tools.journal.extraction.attributes import category_of
from tools.journal.records.markdown import Document, bullets, plain_words, read_markdown
from tools.journal.records.references import STATUS, predecessors_in, successor_in
from tools.journal.records.status import least_in_force, read_status

_PART = r"(?P<{name}>[^;]+?)"
_Y = re.compile(
    r"\bin the context of\s+" + _PART.format(name="context")
    + r"(?:[,;]?\s+(?:and\s+)?facing\s+" + _PART.format(name="concern") + ")?"
    + r"[,;]?\s+(?:we|i|the team)\s+(?:have\s+)?(?:decided|chose|opted|agreed)\s+(?:for|to|on)?\s*"
    + _PART.format(name="decision")
    + r"(?:[,;]?\s+(?:and|but)\s+"
    + r"(?:neglected|rejected|discarded|(?:decided\s+)?against|not(?:\s+for)?)\s+"
    + _PART.format(name="neglected") + ")?"
    + r"(?:[,;]?\s+(?:in order\s+)?to\s+(?:achieve|reach|get|ensure)\s+"
    + _PART.format(name="goal") + ")?"
    + r"(?:[,;]?\s+accepting\s+(?:the\s+)?(?:downsides?\s+)?(?:that\s+)?"
    + _PART.format(name="cost") + ")?"
    + r"(?:[,;]?\s+because\s+" + _PART.format(name="reason") + r")?\s*(?:\.(?=\s|$)|\n\s*\n|\Z)",
    re.IGNORECASE | re.DOTALL,
)  # fmt: skip
_READ_CHARACTERS = 4_000
_OR = re.compile(r",\s*(?:and|or)?\s*|\s+(?:and|or)\s+")


@dataclass(frozen=True)
class YStatement:
    """What was decided, and what the same words say of why and instead of what."""

    decision: str
    rationale: str = ""
    context: str = ""
    alternatives: tuple[str, ...] = ()
    cons: tuple[str, ...] = ()


def read_y_statement(text: str) -> YStatement | None:
    """Read a Y-statement; None: the text is none."""
    found = _Y.search(text[:_READ_CHARACTERS])
    if found is None:
        return None
    said = {name: " ".join((part or "").split()) for name, part in found.groupdict().items()}
    return YStatement(
        decision=said["decision"],
        rationale=said["reason"] or (f"to achieve {said['goal']}" if said["goal"] else ""),
        context=", facing ".join(filter(None, (said["context"], said["concern"]))),
        alternatives=tuple(filter(None, _OR.split(said["neglected"]))),
        cons=tuple(filter(None, (said["cost"],))),
    )


RECORDS = "records"
"""The session that every record is of: who may not read it sees none."""
MOST_CHARACTERS = 200_000
_NUMBER = re.compile(r"^\s*(?:ADR[ -]?)?\d+\s*[.:—–-]\s*|^\s*ADR[ -]?\d+\s+", re.IGNORECASE)
_DATE = re.compile(r"(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)")
_ADDRESS = re.compile(r"\[([^\[\]]*)\]\(([^()\s]{1,2000})\)")
_IN_TITLE = re.compile(r"[\[(]([^\[\]()]{3,60})[\])]\W*$")
_DAY = (
    "date",
    "decided",
    "decision date",
    "last modified",
    "last updated",
    "datum",
    "fecha",
    "data",
)
_MAKERS = ("decision maker", "decision makers", "decision-maker", "decision-makers")
_DECISION = (
    "decision outcome", "decision", "decisions", "outcome", "resolution", "chosen option",
    "chosen solution", "solution", "entscheidungsergebnis", "entscheidung", "beschluss",
    "résultat de la décision", "décision", "resultado de la decisión", "decisión",
    "resultado da decisão", "decisão", "decisione", "beslissing", "besluit", "beslut", "decyzja",
)  # fmt: skip
_PARTS_OF_OUTCOME = (
    "consequences", "positive consequences", "negative consequences", "confirmation", "validation",
    "rationale", "justification", "risks", "assumptions", "status", "alternatives",
    "considered options", "pros and cons of the options", "decision drivers",
)  # fmt: skip
"""Read by themselves, or as notes: they do not say what was decided."""
_CONTEXT = (
    "context and problem statement", "context", "problem", "problem statement", "issue",
    "background", "motivation", "kontext und problemstellung", "kontext", "contexte", "contexto",
    "contesto", "kontekst",
)  # fmt: skip
_DRIVERS = ("decision drivers", "drivers", "decision criteria", "forces")
_RATIONALE = (
    "rationale", "justification", "reasons", "reasoning", "argument", "arguments", "begründung",
    "justificación", "justificativa", "motivazione",
)  # fmt: skip
_OPTIONS = (
    "considered options", "options considered", "considered alternatives",
    "alternatives considered", "alternatives", "other options", "options", "positions",
    "betrachtete optionen", "options envisagées", "opciones consideradas", "opções consideradas",
    "opzioni considerate",
)  # fmt: skip
_POSITIVE = ("positive consequences", "positive")
_NEGATIVE = ("negative consequences", "negative")
_CONSEQUENCES = ("consequences", "implications", "konsequenzen", "conséquences", "consecuencias")
_GOOD = re.compile(r"^\W*(?:good\b[^\w]*(?:because)?|\+|pro\b\W|positive\W)\s*", re.IGNORECASE)
_BAD = re.compile(r"^\W*(?:bad\b[^\w]*(?:because)?|con\b\W|negative\W)\s*", re.IGNORECASE)
_DECIDERS = re.compile(
    r"^\W*(?:deciders?|decision[ -]makers?)\W*:?\W*$", re.IGNORECASE | re.MULTILINE
)
_BECAUSE = re.compile(
    r"\A[^\n.!?]*?(?P<lead>,?\s+(?:because|weil|parce que|car|porque|perché|omdat)\s+)"
    r"(?P<why>(?:[^\n.!?]|[.!?](?=\w)|\n(?!\s*(?:\n|[-*#])))+)",
    re.IGNORECASE,
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
    if not content_words(f"{page.title} {page.lead}") and not page.sections:
        raise BadInput(f"{path} holds no words")
    outcome = page.under(*_DECISION, without=_PARTS_OF_OUTCOME)
    chosen = read_y_statement(outcome or page.lead) or YStatement(*_reason_apart(outcome))
    drivers = page.under(*_DRIVERS)
    drivers = "; ".join(bullets(drivers)) or drivers
    rationale = page.under(*_RATIONALE) or chosen.rationale
    context = [page.under(*_CONTEXT) or chosen.context or page.lead]
    context += [f"Decision drivers: {drivers}"] if drivers and rationale else []
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
        decision=plain_words(chosen.decision) or title,
        context=plain_words("\n\n".join(context)),
        rationale=plain_words(rationale or drivers),
        category=_category(title, chosen.decision),
        confidence=1.0,
        alternatives=_alternatives(page, chosen),
        trade_offs=_trade_offs(page, chosen),
        stakeholders=people,
        decision_maker=people[0] if len(people) == 1 else None,
        status=_standing(page, title, has_decision=bool(chosen.decision)),
        superseded_by=successor_in(page),
        supersedes=predecessors_in(page),
        tags=_listed(page.front.get("tags")) or _parted(_labelled(page, "tags")),
        notes=_notes(page),
    )


def _standing(page: Document, title: str, *, has_decision: bool) -> DecisionStatus:
    """Tell where it stands; one that names a successor is over, whatever its status line says.

    A page that says neither a status nor a decision is not known to be in force.
    """
    places = [*page.facts(*STATUS), page.under(*STATUS)]
    found = [read_status(one) for one in places if one.strip()]
    if aside := _IN_TITLE.search(title):
        said = read_status(aside[1])
        found += [said] if said is not DecisionStatus.UNKNOWN else []
    if successor_in(page):
        found.append(DecisionStatus.SUPERSEDED)
    if not found:
        return DecisionStatus.ACTIVE if has_decision else DecisionStatus.UNKNOWN
    return least_in_force(found)


def _labelled(page: Document, *names: str) -> str:
    return plain_words(next(page.facts(*names), "")).lstrip("* ")


def _first_line(text: str) -> str:
    return next((line.strip() for line in text.splitlines() if line.strip()), "")


def _reason_apart(outcome: str) -> tuple[str, str]:
    """Part what was decided from its "because …", in the sentence that says it first."""
    found = _BECAUSE.match(outcome)
    if found is None or not content_words(outcome[: found.start("lead")]):
        return outcome, ""
    decision = f"{outcome[: found.start('lead')].rstrip(' ,;')}{outcome[found.end() :]}"
    return decision, found["why"].strip()


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
        _labelled(page, *_DAY),
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
            return _people(names)
    said = _labelled(page, "decider", "deciders", "decided by", *_MAKERS)
    if said:
        return _people(_parted(said))
    listed = _DECIDERS.search(page.lead)
    return bullets_after(page.lead, listed.end()) if listed else ()


def _people(names: Iterable[str]) -> tuple[str, ...]:
    """Part "@ann @bo", and take the signs off."""
    every = (one.lstrip("@") for name in names for one in re.split(r"\s+(?=@)", name))
    return tuple(filter(None, every))


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


def _alternatives(page: Document, chosen: YStatement) -> tuple[Alternative, ...]:
    listed = [*bullets(page.under(*_OPTIONS)), *chosen.alternatives]
    named = _CHOSEN.search(plain_words(chosen.decision))
    taken = content_words(named["what"] if named else _first_line(chosen.decision))
    said = _options_said(page)
    return tuple(
        Alternative(option=option[:300], pros=pros, cons=cons)
        for option in listed
        for pros, cons in [said.get(option.lower(), ((), ()))]
        if content_words(option) and not content_words(option) <= taken
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


def _trade_offs(page: Document, chosen: YStatement) -> TradeOffs | None:
    pros = bullets(page.under(*_POSITIVE))
    cons = bullets(page.under(*_NEGATIVE))
    if not pros and not cons:
        pros, cons = _weighed(bullets(page.under(*_CONSEQUENCES)))
    made = TradeOffs(
        pros=pros,
        cons=(*cons, *chosen.cons),
        risks=bullets(page.under("risks")),
        assumptions=bullets(page.under("assumptions")),
    )
    return made if made != TradeOffs() else None


def _notes(page: Document) -> str:
    taken = (*STATUS, "date", *_CONTEXT, *_DECISION, *_DRIVERS)
    return "\n\n".join(
        f"{section.heading}\n{plain_words(section.body)}"
        for section in page.sections
        if section.body.strip() and not section.is_named(*taken)
    )
