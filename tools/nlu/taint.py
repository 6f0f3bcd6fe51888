"""Taint of arguments: which come from quoted.

Forwarded or attached text instead of the speaker's own words.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import JsonValue

from state.action import Action
from state.event import Event
from state.policy import Routing
from state.result import DecisionResult
from tools.ports import Router, RoutingEnvironment

REQUEST = "request"
"""Stands among the tainted slots when the asking itself is not the person's."""
LONG_QUOTATION_WORDS = 6
"""Beyond so many words a text in quotation marks is somebody's speech, not a name."""

Span = tuple[int, int]

_QUOTED_LINE = re.compile(r"^[ \t]*(?:>|\|>).*$", re.MULTILINE)
_FENCE = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_BLOCK = re.compile(r"<blockquote\b.*?(?:</blockquote\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_FORWARDED = re.compile(
    r"^[ \t]*(?:[-_*=]{2,}[ \t]*(?:original|forwarded|weitergeleitete|ursprüngliche)[^\n]*"
    r"|begin forwarded message:[^\n]*"
    r"|(?:on|am|le)\b[^\n]{3,200}\b(?:wrote|schrieb|a écrit)[ \t]*:[ \t]*$"
    r"|from:[^\n]+\n[ \t]*(?:sent|date|to|subject|cc):)",
    re.IGNORECASE | re.MULTILINE,
)
_OPENS = re.compile('["“«„]')
_CLOSES = {mark: re.compile(end) for mark, end in ('""', "“”", "«»", ("„", "[“”]"))}


@dataclass(frozen=True)
class Taint:
    """Find what of an action a person did not say in their own words.

    The text is read a second time without its foreign parts: what is not found again was theirs.
    """

    router: Router
    here: RoutingEnvironment

    def of(
        self, event: Event, routing: Routing | None, result: DecisionResult, action: Action
    ) -> tuple[str, ...]:
        """Name the tainted slots, and REQUEST when the asking is tainted itself."""
        is_asked = event.is_addressed and event.user is not None
        if result.tainted or not is_asked or (event.call is not None and event.call.tainted):
            return (REQUEST, *result.arguments)
        if event.kind != "message":  # every argument stood on the chip, or came typed in a call
            return ()
        found = {*self._quoted(event, result, action), *_attached(event, routing, result)}
        return tuple(name for name in (REQUEST, *result.arguments) if name in found)

    def _quoted(self, event: Event, result: DecisionResult, action: Action) -> Iterator[str]:
        blocks = foreign_blocks(event.text)
        if blocks:
            own = self._read(event, blank_spans(event.text, blocks))
            if own is None or own.action != result.action:
                yield REQUEST
            yield from _not_again(result.arguments, own)
        quotations = long_quotations(event.text)
        if quotations:
            own = self._read(event, blank_spans(event.text, (*blocks, *quotations)))
            for name in _not_again(result.arguments, own):
                # A free text is what people put into quotation marks; a name or number is not.
                if name in action.slots and action.slots[name].type not in ("text", "list"):
                    yield name

    def _read(self, event: Event, text: str) -> Routing | None:
        if not text.strip():
            return None
        return self.router.route(text, **self.here.looks_in(event), roles=event.roles)


def foreign_blocks(text: str) -> tuple[Span, ...]:
    """Find quoted lines, fenced text, and all that follows the head of a forwarded message."""
    if not text:
        return ()
    spans = [
        match.span() for form in (_QUOTED_LINE, _FENCE, _BLOCK) for match in form.finditer(text)
    ]
    forwarded = _FORWARDED.search(text)
    if forwarded:
        spans.append((forwarded.start(), len(text)))
    return tuple(sorted(spans))


def long_quotations(text: str) -> tuple[Span, ...]:
    """Find what stands in quotation marks and is too long to be a name."""
    return tuple(
        (first, end)
        for first, end in _quotations(text)
        if len(text[first:end].split()) > LONG_QUOTATION_WORDS
    )


def _quotations(text: str) -> Iterator[Span]:
    """Find what is opened and closed, in one pass: a mark that nothing closes is looked for once.

    As one expression it looked to the end of the text from each of 20,000 open marks, for 3 s.
    """
    unclosed: set[str] = set()
    start = 0
    while opened := _OPENS.search(text, start):
        mark, start = opened.group(), opened.end()
        closed = None if mark in unclosed else _CLOSES[mark].search(text, start)
        if closed is not None:
            yield opened.start(), closed.end()
            start = closed.end()
        else:
            unclosed.add(mark)


def blank_spans(text: str, spans: tuple[Span, ...]) -> str:
    """Blank out spans; every other character keeps its place."""
    kept = list(text)
    for first, end in spans:
        kept[first:end] = ["\n" if character == "\n" else " " for character in kept[first:end]]
    return "".join(kept)


def is_own_words(text: str) -> bool:
    """Tell whether nothing in a text is somebody else's."""
    return not foreign_blocks(text) and not long_quotations(text)


def _not_again(arguments: Mapping[str, Any], own: Routing | None) -> Iterator[str]:  # by slot type
    slots = own.slots if own is not None else {}
    for name, value in arguments.items():
        if name not in slots or slots[name] != value:
            yield name


def _attached(event: Event, routing: Routing | None, result: DecisionResult) -> Iterator[str]:
    """Name the arguments that stand beside the text and not in it."""
    beside = {entity.value.casefold() for entity in event.entities}
    beside.update(_texts(dict(event.payload)))
    if not beside:
        return
    read = {one.value.casefold() for one in routing.entities} if routing is not None else set()
    said = event.text.casefold()
    for name, value in result.arguments.items():
        for part in value if isinstance(value, (list, tuple)) else (value,):
            told = str(part).casefold()
            if told in beside and told not in said and told not in read:
                yield name


def _texts(value: JsonValue) -> Iterator[str]:
    pending: list[JsonValue] = [value]
    while pending:
        one = pending.pop()
        if isinstance(one, dict):
            pending.extend(one.values())
        elif isinstance(one, list):
            pending.extend(one)
        elif one is not None:
            yield str(one).casefold()
