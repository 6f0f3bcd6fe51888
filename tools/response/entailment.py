"""Check that a sentence of a model says no more and nothing else than the event it is about.

Every word of it that means something must stand in the event, as itself, as a synonym, or as a
denied opposite; what the event states may not be left out. In doubt the answer is no: then the
event's own sentence is said, which costs nothing but variety.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Protocol

from tools.platform.text_comparison import changed_facts, opening_name, swapped_names
from tools.response.statements import COMPARED, EMPTY, Statements, Word, is_form_of
from tools.response.thesaurus import Relation, entry_of, relation, warm_up

_SENTENCES = re.compile(r"[^.!?;]+[.!?;]*\s*")
_OBJECT_BEGINS = frozenset({*("the", "a", "an", "your", "my", "our", "it", "them", "him", "her")})
READ_CHARACTERS = 1_000
"""Of an event; what a model says of the rest is not known to be so."""
_POSSESSIVE = re.compile(r"(?<=\d)['’]s\b")
LONGEST = 500
"""Characters of a sentence of a model; two short ones were asked for."""
_ABSENCE = frozenset(
    {
        *(
            "out",
            "exhausted",
            "sell_out",
            "sold_out",
            "run_out",
            "empty",
            "gone",
            "missing",
            "lack",
        ),
        *("stopped", "ended", "over", "ceased"),
    }
)
"""That a thing is so is that there is none of it."""
_POLES = (("above", "below"), ("before", "after"), ("towards", "away"), ("into", "out"))
_BESIDE_A_NAME = (("on", "off"), ("in", "out"), ("from", "to"), ("up", "down"))
"""Contrary only beside the same word: `on watch`, `off watch`; `lamp on`, `lamp off`."""
_OPPOSITE_POLES = tuple({pair for one, two in _POLES for pair in ((one, two), (two, one))})
_OURS = frozenset({*("your", "yours", "our", "ours", "my", "mine")})
_THEIRS = frozenset({*("their", "theirs", "his", "her", "hers")})
_POLAR = frozenset({pole for pair in _POLES for pole in pair})


def unfaithful(
    event: str, said: str, names: Sequence[str] = (), beside: Sequence[str] = ()
) -> tuple[str, ...]:
    """Say why a sentence does not follow from an event; nothing: it may be said instead of it.

    Args:
        names: things that the event names.
        beside: texts that may be drawn upon for words, such as the person's goals; never for what
            is so.
    """
    event = event[:READ_CHARACTERS]
    if not said.strip():
        return ("said nothing",)
    if len(said) > LONGEST and said != event:
        return ("said too much",)
    if (stated := without_advice(said)) != said:
        foreign = [one for one in changed_facts(event, said, names) if one.startswith("added")]
        return tuple(foreign) if foreign or not stated else unfaithful(event, stated, names, beside)
    facts = changed_facts(_POSSESSIVE.sub("", event), _POSSESSIVE.sub("", said), names)
    found = [one for one in facts if not one.endswith("a negation")]
    found += swapped_names(event, said)
    compared = _Comparison(Statements(event), Statements(said), tuple(map(Statements, beside)))
    opening = opening_name(event)
    if opening and opening not in EMPTY and entry_of(opening).count("n") < 1:
        found += [] if compared.mentions(opening) else [f"lost {opening}"]
    return tuple(dict.fromkeys((*found, *compared.differences)))


def without_advice(said: str) -> str:
    """Leave out the sentences that tell somebody to do something: they state nothing.

    Such a sentence begins with the plain form of a verb, and its object stands behind it.
    """
    parts = _SENTENCES.findall(said)
    return "".join(one for one in parts if not _is_advice(one)).strip()


def _is_advice(sentence: str) -> bool:
    first, *rest = re.findall(r"[^\W\d_]+", sentence.casefold())[:2] or [""]
    return bool(rest) and rest[0] in _OBJECT_BEGINS and first in entry_of(first).bases.get("v", ())


_CONVERSES = (
    *(("owe", "get"), ("owe", "receive"), ("give", "get"), ("give", "receive"), ("buy", "sell")),
    *(("lend", "borrow"), ("teach", "learn"), ("send", "receive")),
)
"""Verbs for one thing, seen from its two sides: who does the one does not do the other."""


def _are_converse(one: Word, other: Word) -> bool:
    names, others = entry_of(one.name).names, entry_of(other.name).names
    return any(
        (first in names and last in others) or (last in names and first in others)
        for first, last in _CONVERSES
    )


def _kin(one: Word, other: Word) -> Relation | None:
    return "synonym" if _are_converse(one, other) else relation(one.name, other.name)


def _are_same(one: str, other: str) -> bool:
    return one == other or bool(entry_of(one).names & entry_of(other).names)


_CLOSENESS: Sequence[Relation] = ("same", "synonym", "opposite", "close")
"""From the surest kin of two words to the least sure."""
_Pair = tuple[Word, tuple[Word, Relation] | None]


@dataclass(frozen=True)
class _Comparison:
    event: Statements
    said: Statements
    beside: Sequence[Statements]

    def mentions(self, name: str) -> bool:
        """Tell whether the sentence has a word of the event, or one that stands for it."""
        return name in self.said.tokens or any(
            relation(name, word.name) in ("same", "synonym", "close") for word in self.said.words
        )

    @property
    def differences(self) -> Iterator[str]:
        """Say what differs between an event and a sentence."""
        yield from self._turned_numbers()
        yield from self._contrary_poles()
        yield from self._turned_persons()
        pairs: list[_Pair] = [(word, self._closest(word)) for word in self.said.words]
        reached = {kin[0].place for _word, kin in pairs if kin}
        absent = self._is_absence_denied(pairs)
        for word, kin in pairs:
            if kin is None:
                is_free = is_form_of(word.name, COMPARED) or (absent and word.name in _ABSENCE)
                if not is_free and not self._is_beside(word):
                    yield f"added {word.name}"
            elif self._contradicts(word, *kin, absent=absent):
                yield f"said {word.name} against {kin[0].name}"
        for word in self.event.words:
            is_free = word.place in reached or (absent and word.name in _ABSENCE)
            if word.is_needed and not is_free:
                yield f"lost {word.name}"
        yield from self._turned_roles(pairs)
        if not reached and not set(self.event.numbers) & set(self.said.numbers):
            yield "lost what it is about"

    def _closest(self, word: Word) -> tuple[Word, Relation] | None:
        found = [
            (other, kin)
            for other in self.event.words
            if (kin := _kin(other, word)) is not None
            and (kin != "opposite" or other.is_state == word.is_state)
        ]
        return min(
            found,
            key=lambda pair: (_CLOSENESS.index(pair[1]), pair[0].is_state != word.is_state),
            default=None,
        )

    def _contradicts(self, word: Word, other: Word, kin: Relation, *, absent: bool) -> bool:
        """Tell whether of one thing contraries are said.

        What names a thing may stand before or behind a denial; it is denied itself where nothing
        else is.
        """
        if not (word.is_state and other.is_state):
            if kin == "opposite":
                return True
            return not absent and not self._is_denial_shared and word.denied != other.denied
        return (word.denied != other.denied) != (kin == "opposite")

    @cached_property
    def _is_denial_shared(self) -> bool:
        """Tell whether what is denied in one text is so in the other, or its contrary is said."""
        pairs = [(word, kin) for word in self.said.words if (kin := self._closest(word))]
        return any(
            (word.denied and other.denied and kin != "opposite")
            or (word.denied != other.denied and kin == "opposite")
            for word, (other, kin) in pairs
        )

    def _is_absence_denied(self, pairs: Sequence[_Pair]) -> bool:
        """Tell whether one says that a thing is out, and the other that there is none."""
        turned = any(kin and word.denied != kin[0].denied for word, kin in pairs)
        mine = any(word.name in _ABSENCE and not word.denied for word in self.event.words)
        its = any(word.name in _ABSENCE and not word.denied for word in self.said.words)
        return turned and mine != its

    def _is_beside(self, word: Word) -> bool:
        """Tell whether a thing is named in what is known beside the event."""
        return not word.is_state and any(
            relation(other.name, word.name) in ("same", "synonym")
            for text in self.beside
            for other in text.words
        )

    def _contrary_poles(self) -> Iterator[str]:
        mine, its = (_POLAR.intersection(text.tokens) for text in (self.event, self.said))
        for one, other in sorted(_OPPOSITE_POLES):
            if one in mine - its and other in its - mine:
                yield f"said {other} for {one}"
        before, after = (set(pairwise(text.tokens)) for text in (self.event, self.said))
        for one, other in (pair for pole in _BESIDE_A_NAME for pair in (pole, pole[::-1])):
            for first, last in sorted(before - after):
                beside = (other, last) if first == one else (first, other)
                name = last if first == one else first
                if one in (first, last) and name not in EMPTY and beside in after - before:
                    yield f"said {other} for {one} beside {name}"

    def _turned_persons(self) -> Iterator[str]:
        """Find `yours` where the event says `theirs`."""
        ours, theirs = (
            [not text.isdisjoint(group) for text in (set(self.event.tokens), set(self.said.tokens))]
            for group in (_OURS, _THEIRS)
        )
        if (ours[0] and not ours[1] and theirs[1]) or (theirs[0] and not ours[0] and ours[1]):
            yield "said whose it is otherwise"

    def _turned_roles(self, pairs: Sequence[_Pair]) -> Iterator[str]:
        """Find who does it and to whom turned about: both stand around one verb in both texts."""
        for word, kin in pairs:
            if kin is None or kin[1] == "opposite" or not (word.is_state and kin[0].is_state):
                continue
            old, new = self.event.around(kin[0].place), self.said.around(word.place)
            if _are_converse(kin[0], word):
                if not (old and new) or _are_same(old[0], new[0]):
                    yield f"turned {kin[0].name} and {word.name}"
            elif old and new and _are_same(old[0], new[1]) and _are_same(old[1], new[0]):
                yield f"turned {old[0]} and {old[1]}"

    def _turned_numbers(self) -> Iterator[str]:
        one, other = self.event.numbers, self.said.numbers
        if one != other and sorted(one) == sorted(other):
            yield f"turned {' and '.join(one)}"


class Judged(Protocol):
    """How a text stands: whether the matter is raised or over, and real or only a test."""

    @property
    def state(self) -> str:
        """Name how the matter stands: raised, worsening, steady, improving, resolved."""
        ...

    @property
    def reality(self) -> str:
        """Name what it is to the listener: real, test, fiction, elsewhere, handled, denied."""
        ...


class Judge(Protocol):
    """The judge of events."""

    def judge(self, source: str, text: str) -> Judged | None:
        """Judge a text of a source; None: nothing is to be said of it. It blocks."""
        ...


_CONTRARY_STATES = frozenset(
    {("raised", "resolved"), ("worsening", "resolved"), ("worsening", "improving")}
)
_UNREAL = ("test", "fiction", "elsewhere")


@dataclass(frozen=True)
class WordingCheck:
    """Compares a model's words with an event: by words, and as the judge takes both."""

    judge: Judge | None = None

    def warm_up(self) -> None:
        """Read the thesaurus, so that the first comparison is not late. It blocks."""
        warm_up()

    def __call__(
        self,
        source: str,
        event: str,
        said: str,
        names: Sequence[str] = (),
        beside: Sequence[str] = (),
    ) -> tuple[str, ...]:
        """Say why words may not stand for an event; none: they may. See unfaithful. It blocks."""
        if found := unfaithful(event, said, names, beside):
            return found
        if self.judge is None or event.casefold() == said.casefold():
            return ()
        mine, its = self.judge.judge(source, event), self.judge.judge(source, said)
        if mine is None or its is None:
            return ()
        states = (mine.state, its.state)
        if states in _CONTRARY_STATES or states[::-1] in _CONTRARY_STATES:
            return (f"sounds {its.state}, not {mine.state}",)
        if mine.reality in _UNREAL and its.reality == "real":
            return (f"lost {mine.reality}",)
        return ()


_STATIVE = frozenset(
    {
        *(
            "be",
            "know",
            "think",
            "see",
            "hear",
            "understand",
            "mean",
            "like",
            "love",
            "hope",
            "feel",
        ),
        *(
            "guess",
            "wish",
            "remember",
            "believe",
            "need",
            "want",
            "find",
            "have",
            "get",
            "can",
            "say",
        ),
        *(
            "do",
            "suppose",
            "expect",
            "notice",
            "prefer",
            "agree",
            "doubt",
            "wonder",
            "fear",
            "trust",
        ),
    }
)
_OF_DOING = frozenset({"am", "have", "will", "just", "already", "now", "shall"})
_AT_ONCE = ("done", "on it", "right away", "will do", "consider it done", "all set", "at once")


def claims_an_act(words: str) -> bool:
    """Tell whether an answer tells of something that we did, do or will do, as `Launching.` does.

    Where no action was taken that is not so, whatever was asked.
    """
    expanded = words.replace("'m ", " am ").replace("'ll ", " will ")
    tokens = [".", *Statements(expanded).tokens]
    for place, token in enumerate(tokens):
        begins = not tokens[place - 1].isalnum() or tokens[place - 1] in (
            "ok",
            "okay",
            "yes",
            "sure",
        )
        rest = tokens[place : place + 5]
        if begins and (" ".join(rest).startswith(_AT_ONCE) or _is_act(token, bare=True)):
            return True
        if token in ("i", "we") and "not" not in rest:
            verbs = [each for each in rest[1:] if each not in _OF_DOING]
            if verbs and _is_act(verbs[0], bare=len(verbs) == len(rest) - 1):
                return True
    return False


def _is_act(token: str, *, bare: bool) -> bool:
    """Tell whether a word is a verb of doing; `bare`: by its form, for no auxiliary says so."""
    entry = entry_of(token)
    verbs = entry.bases.get("v", ())
    if not verbs or any(verb in _STATIVE for verb in verbs):
        return False
    is_verb = entry.count("v") >= max(entry.count("n"), entry.count("a"))
    return is_verb and (not bare or token not in verbs) and not token.endswith("s")
