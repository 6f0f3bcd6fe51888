"""Read from its clause whether a named thing is asserted, absent, over or only practised.

Doubtful cases stay asserted, so that an alarm too many is raised rather than one too few.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, takewhile
from typing import Literal

from tools.attention import polarity_cues as cues
from tools.platform.text_comparison import KEYWORD, keywords_of

Polarity = Literal["asserted", "absent", "over", "practised"]

_READ = 4_000
_NEAR = 160
"""Characters of a clause that are read on either side of a word."""
_BETWEEN = 8
"""Words between a name and its end in one clause."""
_FEW = 12
"""Clauses on either side of a word that are read; and of each text so many words times five."""


@dataclass(frozen=True)
class _Clause:
    start: int
    end: int
    joint: str
    """What ends it: a mark, a word, or nothing at the end of the text."""


class Polarities:
    """Tells the polarity of any place in one text; the text is taken apart when first asked."""

    def __init__(self, text: str) -> None:
        self._text = text[:_READ].lower().replace("’", "'")  # as it is written

    def at(self, start: int, end: int) -> Polarity:
        """Tell the polarity of what stands at a place of the text."""
        if self._is_practised:
            return "practised"
        place = bisect_right(self._clauses, start, key=lambda one: one.start) - 1
        clause = self._clauses[place]
        before = self._text[max(clause.start, start - _NEAR) : start]
        after = self._text[end : min(clause.end, end + _NEAR)]
        word = self._text[start:end]
        if cues.FALSE.search(before):
            return "over"
        is_tested = (
            cues.TESTED.match(after) or cues.TESTING.search(before) or cues.WAS_A_TEST.match(after)
        )
        if is_tested and not self._is_real and not cues.SYMPTOM.match(word):
            return "practised"
        if self._is_absent(start, end, before, after):
            return "absent"
        if (cues.OF_DEVICE.match(after) or re.match(cues.DEVICE, word)) and cues.FINE.match(after):
            return "absent"
        if cues.OF_DEVICE.match(after) and self._is_denied_elsewhere(word, start):
            return "absent"
        if not self._returns and (self._is_ended(word, before, after) or self._is_closed(place)):
            return "over"
        return "asserted"

    @cached_property
    def reassures(self) -> bool:
        """Tell whether the text says that all is well, or names troubles only to deny them."""
        if any(cues.WELL.match(self._words(one)) for one in self._clauses):
            return True
        found = list(islice(cues.TROUBLE.finditer(self._text), _FEW))
        return bool(found) and all(self.at(*one.span()) != "asserted" for one in found)

    @cached_property
    def _clauses(self) -> Sequence[_Clause]:
        found, start = [], 0
        for joint in cues.JOINT.finditer(self._text):
            found.append(_Clause(start, joint.start(), joint.group().strip() or "\n"))
            start = joint.end()
        return (*found, _Clause(start, len(self._text), ""))

    def _words(self, clause: _Clause) -> str:
        return self._text[clause.start : clause.end].strip()

    @cached_property
    def _is_real(self) -> bool:
        return cues.REAL.search(self._text) is not None

    @cached_property
    def _returns(self) -> bool:
        return cues.RETURNS.search(self._text) is not None

    @cached_property
    def _is_practised(self) -> bool:
        """Tell whether the whole text is of a test: a label at its head or end, or its own word."""
        if self._is_real:
            return False
        said = [one for one in self._clauses if self._words(one)]
        head = list(takewhile(lambda one: cues.PRACTISED.match(self._words(one)), said))
        return bool(head) or any(
            (found := cues.PRACTISED.match(self._words(one)))
            and (found["said"] or one.joint in cues.CLOSERS or one is said[-1])
            for one in said
        )

    def _is_absent(self, start: int, end: int, before: str, after: str) -> bool:
        found = cues.ABSENT.search(before)
        if found and _are_modifiers(found["between"].split()):
            return True
        if cues.NOT.search(before) or cues.NO_SUBJECT.search(before) or cues.MISSED.match(after):
            return True
        whole, rest = self._text[:start], self._text[end : end + 120]
        if cues.LISTED.search(whole[-160:]):
            return True
        return bool(cues.IN_LIST.search(whole[-160:]) and cues.LIST_GOES_ON.match(rest))

    def _is_denied_elsewhere(self, word: str, start: int) -> bool:
        return any(
            self._is_absent(
                one.start(),
                one.end(),
                self._text[max(0, one.start() - 60) : one.start()],
                self._text[one.end() : one.end() + 60],
            )
            for one in re.finditer(rf"\b{re.escape(word)}\b", self._text)
            if one.start() != start
        )

    def _is_ended(self, word: str, before: str, after: str) -> bool:
        if cues.PROVED.match(after):
            return True
        ended = cues.ENDED_IT.search(before)
        if ended and _can_end(ended["end"] or "", word) and not _reserved(before[: ended.start()]):
            return True
        if cues.VICTIM.match(word) and (saved := cues.RESCUED.search(after)):
            return not _reserved(after[: saved.start()])
        return any(_ends(end, word, after[: end.start()]) for end in cues.ENDS.finditer(after))

    def _is_labelled(self, place: int) -> bool:
        """Tell whether a label at the head of the sentence, or `back online after`, ends it."""
        if place and self._clauses[place - 1].joint in ("after", "since"):
            back = self._words(self._clauses[place - 1])
            if (found := cues.BACK_AFTER.search(back)) and not _reserved(back[: found.start()]):
                return True
        for one in reversed(self._clauses[max(0, place - _FEW) : place]):
            if one.joint in cues.ENDS_SENTENCE:
                return False
            if one.joint in cues.LABELS and cues.OVER_LABEL.match(self._words(one)):
                return True
        return False

    def _is_closed(self, place: int) -> bool:
        """Tell whether a label before a clause, or a clause behind it, says that it is over."""
        here = self._clauses[place]
        if self._is_labelled(place):
            return True
        sentence = 0
        for number in range(place, min(place + _FEW, len(self._clauses) - 1)):
            one, follows = self._clauses[number], self._words(self._clauses[number + 1])
            if one.joint in cues.SUBORDINATES:
                break
            sentence += one.joint in cues.ENDS_SENTENCE
            if sentence > 1:
                break
            if number == place and one.joint in (":", "=") and cues.VALUE.match(follows):
                return True
            if follows and (
                cues.CLOSES.match(follows) or (cues.OVER_LABEL.match(follows) and one.joint != ":")
            ):
                return not _reserved(self._text[here.end : self._clauses[number + 1].start])
        return False


def _ends(end: re.Match[str], word: str, between: str) -> bool:
    """Tell whether an end that is found in a clause is that of a word before it there."""
    if end["weak"] and not end["aux"] and not cues.DIRECTLY.match(between):
        return False
    if len(between.split()) > _BETWEEN or not _can_end(end["weak"] or end["strong"], word):
        return False
    return not _reserved(between) and not cues.ATTRIBUTIVE.search(between)


def _can_end(end: str, word: str) -> bool:
    if end == "put out":
        return cues.FLAMES.match(word) is not None
    return not (cues.VICTIM.match(word) and cues.LOST.match(end))


def is_denied(condition: str, text: str, status: str | None = None) -> bool:
    """Tell whether a text denies a word of a condition wherever it says that word.

    A condition that itself says that something is off, over or not there is met as it stands.

    Args:
        status: what the sender said of it, if it is over or a test.
    """
    if cues.SPEAKS_OF_IT.search(condition.lower()):
        return False
    if status in ("over", "test"):
        return True
    polarities, wanted = Polarities(text), keywords_of(condition)
    said: dict[str, bool] = {}
    for found in KEYWORD.finditer(text[:_READ].lower()):
        word = found.group().removesuffix("s")
        if word in wanted and not said.get(word):
            said[word] = polarities.at(*found.span()) == "asserted"
    return not all(said.values())


def _reserved(before: str) -> bool:
    """Tell whether the last words before an end deny it, doubt it, or only ask for it."""
    return cues.RESERVED.search(" ".join(before.split()[-4:])) is not None


def _are_modifiers(words: Sequence[str]) -> bool:
    """Tell whether words between `no` and a name can belong to it: no clause stands in them.

    A plural is a name of its own, and a participle behind another word its verb.
    """
    is_plural = any(w.endswith("s") and not w.endswith(("ss", "us", "is", "gas")) for w in words)
    has_verb = len(words) == 2 and words[1].endswith(("ed", "ing"))
    return not is_plural and not has_verb
