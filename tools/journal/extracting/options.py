"""What else was considered: the options of a choice, and what was said for and against each."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

from state.journal import Alternative, JournalMessage, Span
from tools.journal.detecting.window import shared, words_of
from tools.journal.extracting.citing import Cited, plain, sentences
from tools.journal.extracting.roles import role_of

MOST = 6
_LONGEST_OPTION = 60
_MOST_WORDS = 6
_MOST_NAMED = 2
"""Words of a decision that only names what was chosen: "Postgres", "GitHub Actions"."""
_TAKEN = 0.5
_ABOUT = 0.3
_TAIL = (
    r"(?=\s+(?:because|since|as|so that|in order|for|to|on|at|when|if|but|and|is|was|would)\b"
    r"|[,;?!)]|[.:](?!\w)|$)"
)
_OPTION = r"(?P<{name}>[\w#+./'\"` -]{{2,60}}?)"
_INSTEAD = re.compile(
    r"\b(?:instead of|rather than|in favou?r over|in preference to|as opposed to)\s+"
    rf"{_OPTION.format(name='one')}{_TAIL}",
    re.IGNORECASE,
)
_EITHER = re.compile(
    r"\b(?:use|using|take|choose|choosing|between|with|on|pick|prefer|have|keep|either"
    r"|whether to)\s+"
    rf"{_OPTION.format(name='one')}\s+(?:or|vs\.?|versus|and)\s+{_OPTION.format(name='two')}{_TAIL}",
    re.IGNORECASE,
)
_RIVAL = re.compile(
    r"\b(?:i(?:'d| would)(?: rather)? (?:take|go with|use|pick|choose|prefer|vote for)"
    r"|(?:how|what) about(?: using| taking)?"
    r"|(?:why not|let's|(?:we|i) (?:could|should|suggest|propose)(?: we)?"
    r"|(?:can|could|should|shall) we)"
    r" (?:use|take|go with|try|pick|choose|adopt))\s+"
    rf"{_OPTION.format(name='one')}{_TAIL}",
    re.IGNORECASE,
)
_CHOOSES = re.compile(
    r"^\W*(?:use|take|go with|going with|choose|pick|adopt|stick with|keep|stay with)\b",
    re.IGNORECASE,
)
_RIVALS_REACH = 12
"""Messages before a decision among which other options were proposed for the same thing."""
_NOT_CHOSEN = re.compile(r"\b(?:over|instead of|rather than|not|as opposed to)\b", re.IGNORECASE)
_NO_NAME = re.compile(
    r"^(?:\w+ing\b|(?:it|this|that|them|these|those|us|me|you|one|both)$)", re.IGNORECASE
)


@dataclass(frozen=True)
class _Chosen:
    """What was taken, read once: a decision may be long, and every sentence is held against it."""

    words: frozenset[str]
    is_a_choice: bool
    """It says "use …", or only names what was chosen."""

    @classmethod
    def of(cls, decision: str) -> Self:
        text = chosen_part(decision)
        words = words_of(text)
        return cls(words, _CHOOSES.match(text) is not None or len(words) <= _MOST_NAMED)


def find_alternatives(
    messages: Sequence[JournalMessage], decision: str, earlier: int = 0
) -> tuple[tuple[Alternative, ...], tuple[Span, ...]]:
    """Find options that were weighed and not taken, with the places of everything cited.

    Args:
        earlier: how many of the messages led to another decision before.
    """
    chosen = _Chosen.of(decision)
    options: dict[str, Cited] = {}
    since = max(earlier, len(messages) - 1 - _RIVALS_REACH)
    for place, message in enumerate(messages):
        for sentence in sentences(message):
            rivals = _rivals(sentence, chosen) if place >= since else ()
            for option in (*_not_taken(sentence, chosen), *rivals):
                if _is_name(option.text):
                    options.setdefault(option.text.lower(), option)
    found = [_weighed(option, messages, chosen) for option in list(options.values())[:MOST]]
    return (
        tuple(alternative for alternative, _spans in found),
        tuple(span for _alternative, spans in found for span in spans),
    )


def _not_taken(sentence: Cited, chosen: _Chosen) -> Iterator[Cited]:
    """Name the other one of two between which the decision chose, or what it came instead of."""
    text = plain(sentence.text)
    if "?" in text or "between" in text.lower():
        for found in _EITHER.finditer(text):
            pair = [sentence.part(*found.span(name)).trimmed() for name in ("one", "two")]
            taken = [shared(words_of(one.text), chosen.words) >= _TAKEN for one in pair]
            if taken.count(True) == 1:
                yield pair[taken.index(False)]
    for found in _INSTEAD.finditer(text):
        option = sentence.part(*found.span("one")).trimmed()
        about = shared(words_of(text[: found.start()]), chosen.words) >= _ABOUT
        if about and shared(words_of(option.text), chosen.words) <= _TAKEN:
            yield option


def _rivals(sentence: Cited, chosen: _Chosen) -> Iterator[Cited]:
    """Name what somebody proposed to take, where in the end something else was taken."""
    if not chosen.is_a_choice:
        return
    for found in _RIVAL.finditer(plain(sentence.text)):
        option = sentence.part(*found.span("one")).trimmed()
        if not words_of(option.text) & chosen.words:
            yield option


def _is_name(option: str) -> bool:
    words = words_of(option)
    is_short = len(option) <= _LONGEST_OPTION and len(option.split()) <= _MOST_WORDS
    return bool(words) and is_short and not _NO_NAME.search(option)


def chosen_part(decision: str) -> str:
    """Cut off what it was chosen instead of."""
    found = _NOT_CHOSEN.search(decision)
    return decision[: found.start()] if found else decision


def _weighed(
    option: Cited, messages: Sequence[JournalMessage], chosen: _Chosen
) -> tuple[Alternative, tuple[Span, ...]]:
    pros: list[Cited] = []
    cons: list[Cited] = []
    for message in messages:
        for sentence in sentences(message):
            text = plain(sentence.text)
            if "?" in text or not _is_about(text, option.text, chosen):
                continue
            role = role_of(text)
            if role == "pro":
                pros.append(sentence)
            elif role in ("con", "risk"):
                cons.append(sentence)
    alternative = Alternative(
        option=option.text,
        pros=tuple(one.text for one in pros),
        cons=tuple(one.text for one in cons),
        why_not_chosen=cons[0].text if cons else None,
    )
    return alternative, (option.span, *(one.span for one in (*pros, *cons)))


def _is_about(text: str, option: str, chosen: _Chosen) -> bool:
    """Tell whether a sentence speaks of an option, and not first of what was chosen."""
    words = words_of(option)
    if not words <= words_of(text):
        return False
    lowered = text.lower()
    own = min(lowered.find(word) for word in words)
    rival = [at for word in chosen.words - words if (at := lowered.find(word)) >= 0]
    return all(own < at for at in rival)
