"""A model reads a message for a decision; only what the messages bear out counts."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from pydantic import BaseModel, Field

from state.journal import Alternative, Decision, JournalMessage, Span, TradeOffs
from tools.journal.extracting.citing import Cited, in_a_row
from tools.journal.extracting.extract import title_of
from tools.journal.extracting.people import folded, speakers_of

READ_MESSAGES = 5
"""How many messages before the one in question a model is shown."""
_SHOWN_CHARACTERS = 4_000
_MOST = 8


class Quotation(BaseModel):
    """A part of a message, as the model repeats it."""

    message: int = Field(description="number of the message")
    words: str = Field(max_length=2_000)


class ModelReading(BaseModel):
    """The form a model answers in."""

    score: float = Field(ge=0, le=1)
    explanation: str = Field(max_length=500)
    decision: Quotation | None
    rationale: list[Quotation] = Field(max_length=_MOST)
    pros: list[Quotation] = Field(max_length=_MOST)
    cons: list[Quotation] = Field(max_length=_MOST)
    risks: list[Quotation] = Field(max_length=_MOST)
    assumptions: list[Quotation] = Field(max_length=_MOST)
    alternatives: list[Quotation] = Field(max_length=_MOST)
    decision_maker: str | None


@cache
def instructions() -> str:
    """Read the instructions, once."""
    return Path(__file__).with_suffix(".md").read_text("utf-8")


def prompt_of(shown: Sequence[JournalMessage]) -> str:
    """Number the messages; the last one is in question."""
    lines = (
        f"[{number}] {one.speaker or 'unknown'}: {one.content[:_SHOWN_CHARACTERS]}"
        for number, one in enumerate(shown, 1)
    )
    body = "\n".join(lines)
    return f"<<<\n{body}\n>>>\nDoes message {len(shown)} take a decision?"


def borne_out(
    decision: Decision, reading: ModelReading, shown: Sequence[JournalMessage]
) -> Decision:
    """Put what a model read in place of what rules found, where it is said word for word.

    What is not in the messages is left out, whoever says it is; then the rules' reading stays.
    """
    taken = _cited(reading.decision, shown)
    update: dict[str, object] = {}
    evidence = dict(decision.evidence)
    if taken is not None:
        update |= {"decision": taken.text, "title": title_of(taken.text)}
        evidence["decision"] = (taken.span,)
    if rationale := _all(reading.rationale, shown):
        update["rationale"] = in_a_row(rationale)
        evidence["rationale"] = _spans(rationale)
    sides = {
        name: _all(quoted, shown)
        for name, quoted in (
            ("pros", reading.pros),
            ("cons", reading.cons),
            ("risks", reading.risks),
            ("assumptions", reading.assumptions),
        )
    }
    if any(sides.values()):
        said = {name: tuple(one.text for one in found) for name, found in sides.items()}
        update["trade_offs"] = TradeOffs(**said)
        evidence["trade_offs"] = _spans(one for found in sides.values() for one in found)
    if options := _all(reading.alternatives, shown):
        update["alternatives"] = tuple(Alternative(option=one.text) for one in options)
        evidence["alternatives"] = _spans(options)
    if maker := _spoke(reading.decision_maker, shown):
        update["decision_maker"] = maker
    return decision.model_copy(update=update | {"evidence": evidence})


def _cited(quoted: Quotation | None, shown: Sequence[JournalMessage]) -> Cited | None:
    if quoted is None or not 1 <= quoted.message <= len(shown) or not quoted.words.strip():
        return None
    message = shown[quoted.message - 1]
    start = message.content.find(quoted.words.strip())
    if start < 0:
        return None
    cited = Cited(message, start, start + len(quoted.words.strip())).trimmed()
    return cited if cited.text else None


def _all(quoted: Iterable[Quotation], shown: Sequence[JournalMessage]) -> list[Cited]:
    found = (_cited(one, shown) for one in quoted)
    return list({one.span: one for one in found if one is not None}.values())


def _spans(cited: Iterable[Cited]) -> tuple[Span, ...]:
    return tuple(one.span for one in cited)


def _spoke(name: str | None, shown: Sequence[JournalMessage]) -> str | None:
    """Find a person among those who spoke or were spoken to."""
    wanted = folded(name or "")
    return next((one for one in _people(shown) if wanted and folded(one) == wanted), None)


def _people(shown: Sequence[JournalMessage]) -> Iterator[str]:
    yield from speakers_of(shown)
