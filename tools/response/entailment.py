"""Check that a sentence of a model says no more and nothing else than the event it is about.

Every word of it that means something must stand in the event, as itself, as a synonym, or as a
denied opposite; what the event states may not be left out. In doubt the answer is no: then the
event's own sentence is said, which costs nothing but variety.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, takewhile

from tools.platform.text_comparison import changed_facts, facts_of, opening_name, swapped_names
from tools.response.thesaurus import Part, Relation, entry_of, phrase_at, relation, with_particle

READ_CHARACTERS = 2_000
"""Of either text; what a model says is shorter, and nothing longer is worth its cost."""

_TOKEN = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*|\d+(?:[.,:/]\d+)*|[.,;:!?…–—]")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_CONTRACTED = (
    (re.compile(r"\bcan(?:'t|not)\b"), "can not"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"\bshan't\b"), "shall not"),
    (re.compile(r"(\w)n't\b"), r"\1 not"),
    (re.compile(r"(\w)'(?:s|re|ve|ll|d|m)\b"), r"\1"),
    (re.compile(r"\bno longer\b"), "not"),
    (re.compile(r"\bno one\b"), "nobody"),
    (re.compile(r"\bany ?more\b|\bright now\b|\bat the moment\b|\baccording to\b"), " "),
    (re.compile(r"\bonce more\b"), "again"),
)
"""Applied in this order to a text in lower case."""
_NEGATORS = frozenset(
    {
        *("not", "no", "never", "none", "nobody", "nothing", "nowhere", "neither", "nor"),
        *("without", "hardly", "barely", "scarcely", "unable"),
    }
)
_NOBODY = frozenset({"nobody", "nothing", "none", "nowhere"})
_IMPLICIT = frozenset({"fail", "refuse", "forget", "neglect", "decline", "omit"})
"""Before `to` and a verb they deny it: it did not happen."""
_STOPS = frozenset({"stop", "cease", "quit"})
"""Before a verb in -ing they deny it: it does not happen any more."""
_MARKS = frozenset(".;:!?…–—,")
_BREAKS = frozenset({*".;:!?…–—", *("but", "because", "while", "although", "though", "which")})
_LIGHT = frozenset(
    {
        *("be", "have", "do", "get", "become", "remain", "stay", "keep", "seem", "look", "appear"),
        *("happen", "let", "expect", "say", "report", "tell"),
    }
)
"""They state nothing by themselves: what is expected or said is stated with them or without."""
_CARRIERS = frozenset(
    {*("go", "come", "run", "turn", "grow", "stand", "lie", "sit", "fall", "feel", "hold", "switch")}
)
"""Verbs that mean little before a word that says what is so: `has gone missing`, `runs low`."""
_EMPTY = frozenset(
    {
        *("a", "an", "the", "this", "that", "these", "those", "there", "here", "it", "its"),
        *("i", "you", "we", "he", "she", "they", "me", "him", "them", "us", "your", "my", "our"),
        *("his", "her", "their", "hers", "ours", "yours", "theirs", "whose", "itself"),
        *("some", "any", "both", "each", "what", "when", "where", "who", "how", "if", "as"),
        *("since", "in", "on", "at", "by", "to", "for", "from", "with", "about", "of", "and"),
        *("or", "so", "then", "now", "just", "only", "also", "yet", "than", "into", "onto"),
        *("over", "under", "through", "between", "until", "till", "during", "towards", "toward"),
        *("would", "will", "shall", "can", "could", "may", "might", "must", "should", "very"),
        *("quite", "rather", "someone", "somebody", "something", "anyone", "anybody", "anything"),
        *("please", "oh", "ok", "okay", "yes", "hey", "currently", "moment", "actually", "already"),
        *("really", "apparently", "heads-up", "fyi", "ah", "such", "still", "again", "once", "own"),
        *("against", "per", "up", "down", "off", "out", "away", "more", "less", "even", "too"),
        *("before", "after", "above", "below", "back", "along", "because", "lot", "lots", "one"),
        *("but", "while", "although", "though", "which", "much", "many", "bit"),
    }
)
"""Words that state nothing alone. Those with an opposite are compared apart."""
_PARTICLES = frozenset({*("up", "down", "on", "off", "in", "out", "over", "away", "back", "through")})
_FREE_PARTICLES = frozenset({"up", "down", "off", "out", "away", "back"})
"""They belong to their verb; the others may begin `on Monday`, `in the hall`."""
_AFTER_PARTICLE = frozenset(
    {*("on", "in", "at", "for", "since", "by", "until", "again", "now", "and", "to", "from", "with")}
)
_COMPARED = frozenset({*("above", "below", "more", "less", "fewer", "stay", "remain", "keep")})
"""Words that state nothing alone, and may stand for one that does."""
_POLES = (("above", "below"), ("before", "after"), ("towards", "away"), ("into", "out"))
_BESIDE_A_NAME = (("on", "off"), ("in", "out"), ("from", "to"), ("up", "down"))
"""Contrary only beside the same word: `on watch`, `off watch`; `lamp on`, `lamp off`."""
_OPPOSITE_POLES = tuple({pair for one, two in _POLES for pair in ((one, two), (two, one))})
_POLAR = frozenset({pole for pair in _POLES for pole in pair})
_ABSENCE = frozenset(
    {
        *("out", "exhausted", "sell_out", "sold_out", "run_out", "empty", "gone", "missing", "lack"),
        *("stopped", "ended", "over", "ceased"),
    }
)
"""That a thing is so is that there is none of it."""
_OPTIONAL = frozenset({"above", "below", "last", "next", "new", "old", "whole", "same", "first", "left"})
"""Adjectives that a shorter sentence may leave out."""


@dataclass(frozen=True)
class _Word:
    """A word that means something, in its place."""

    name: str
    """As it stands, or the verb with its particle, or the phrase."""
    denied: bool
    is_state: bool
    """It says what is so or happens: a verb, an adjective, an adverb; else it names a thing."""
    is_needed: bool
    """A sentence that leaves it out does not say the same."""
    place: int


def unfaithful(
    event: str, said: str, names: Sequence[str] = (), beside: Sequence[str] = ()
) -> tuple[str, ...]:
    """Say why a sentence does not follow from an event; nothing: it may be said instead of it.

    Args:
        names: things that the event names.
        beside: texts that may be drawn upon for words, such as the person's goals; never for what
            is so.
    """
    event, said = event[:READ_CHARACTERS], said[:READ_CHARACTERS]
    if not said.strip():
        return ("said nothing",)
    facts = changed_facts(event, said, names)
    found = [one for one in facts if not one.endswith("a negation")]
    found += swapped_names(event, said)
    compared = _Comparison(_Text(event), _Text(said), tuple(map(_Text, beside)))
    opening = opening_name(event)
    is_name = opening and opening not in _EMPTY and entry_of(opening).count("n") < 1
    if is_name and not compared.mentions(opening):
        found.append(f"lost {opening}")
    return tuple(dict.fromkeys((*found, *compared.differences)))


class _Text:
    """A text as far as it is compared."""

    def __init__(self, text: str) -> None:
        lowered = _CAMEL.sub(" ", text).lower().replace("’", "'")
        for form, plain in _CONTRACTED:
            lowered = form.sub(plain, lowered)
        self.tokens = _TOKEN.findall(lowered)

    @cached_property
    def words(self) -> Sequence[_Word]:
        """List its meaningful words in their order."""
        return tuple(self._words())

    @cached_property
    def poles(self) -> frozenset[str]:
        """List the small words with an opposite that stand in it."""
        return frozenset(self.tokens) & _POLAR

    @cached_property
    def numbers(self) -> Sequence[str]:
        """List its figures in their order."""
        return tuple(token for token in self.tokens if token[0].isdigit())

    def _words(self) -> Iterator[_Word]:
        denied, taken = False, set[int]()
        for place, token in enumerate(self.tokens):
            if place in taken:
                continue
            if token in _BREAKS or (token in ("and", ",") and self._begins_clause(place + 1)):
                denied = False
            elif token in _NEGATORS or self._denies(place):
                denied = not denied
                if token in _NOBODY and self._ends_clause_soon(place + 1):
                    yield _Word(token, False, is_state=True, is_needed=True, place=place)
            elif token in _MARKS or token[0].isdigit() or facts_of(token).numbers:
                continue
            elif found := self._phrase(place) or self._with_particle(place):
                name, others = found
                taken.update(others)
                yield _Word(name, denied, is_state=True, is_needed=True, place=place)
            elif token in _EMPTY or _is_form_of(token, _COMPARED):
                if _is_form_of(token, _COMPARED) or (token in _PARTICLES and self._is_predicate(place)):
                    is_needed = not _is_form_of(token, _COMPARED)
                    yield _Word(token, denied, is_state=True, is_needed=is_needed, place=place)
            elif not self._is_light(place) and not self._is_rest(place):
                is_state = self._is_state(place)
                is_needed = is_state and not _may_be_left_out(token, denied=denied)
                is_state = is_state and token not in _OPTIONAL and not self._is_attribute(place)
                yield _Word(token, denied, is_state, is_needed, place)

    def around(self, place: int) -> tuple[str, str] | None:
        """Name who does what stands there, and to whom; None: it is not said plainly."""
        before = [token for token in self.tokens[:place] if self._may_act(token)]
        behind = [token for token in self.tokens[place + 1 :] if self._may_act(token)]
        if not before or not behind:
            return None
        is_passive = _is_form_of(self._token(place - 1), _BE) and "by" in self.tokens[place + 1 :]
        return (behind[0], before[-1]) if is_passive else (before[-1], behind[0])

    def _may_act(self, token: str) -> bool:
        if token in _PRONOUNS:
            return True
        if token in _EMPTY or not token.isalpha() or _is_form_of(token, _LIGHT):
            return False
        bases = entry_of(token).bases
        return not bases or "n" in bases

    def _phrase(self, place: int) -> tuple[str, range] | None:
        found = phrase_at(self.tokens[place : place + 4])
        if found is None:
            return None
        name, length = found
        if self._token(place + length) == "by":  # who does it stands behind: `was beaten by Hull`
            return None
        return name, range(place, place + length)

    def _with_particle(self, place: int) -> tuple[str, tuple[int, int]] | None:
        """Find a verb with its particle, which may stand behind its object, and where both are."""
        if self.tokens[place] in _EMPTY or _is_form_of(self.tokens[place], _LIGHT):
            return None
        for other in (place + 1, place + 2, place + 3):
            particle = self._token(other)
            if particle in _MARKS or particle in _NEGATORS or not particle:
                return None
            if _is_form_of(particle, _LIGHT):
                return None
            if particle not in _PARTICLES or self._token(other + 1) == "of":
                continue
            is_near = other == place + 1 and particle in _FREE_PARTICLES
            if is_near or self._ends_clause(other + 1) or self._token(other + 1) in ("to", "again"):
                found = with_particle(self.tokens[place], particle)
                return (found, (place, other)) if found else None
        return None

    def _begins_clause(self, place: int) -> bool:
        """Tell whether a clause of its own begins there: a subject and, soon, an auxiliary."""
        return any(_is_form_of(token, _LIGHT) for token in self.tokens[place : place + 4])

    def _denies(self, place: int) -> bool:
        """Tell whether what follows is said not to be: `failed to`, `out of`, `stopped` `-ing`."""
        token, after = self.tokens[place], self._token(place + 1)
        if token == "out" and after == "of":
            return _is_form_of(self._token(place - 1), _LIGHT | {"run"})
        if after.endswith("ing") and "v" in entry_of(after).bases:
            return _is_form_of(token, _STOPS)
        return after == "to" and _is_form_of(token, _IMPLICIT)

    def _ends_clause(self, place: int) -> bool:
        return self._token(place) in ("", *_MARKS)

    def _ends_clause_soon(self, place: int) -> bool:
        """Tell whether nothing follows in its clause that means something."""
        rest = takewhile(lambda token: token not in _MARKS, self.tokens[place:])
        return all(token in _EMPTY or token[0].isdigit() or _is_form_of(token, _LIGHT) for token in rest)

    def _ends_phrase(self, place: int) -> bool:
        """Tell whether no thing follows: what stands before is no preposition."""
        after = self._token(place)
        return self._ends_clause(place) or after in _AFTER_PARTICLE or after[0].isdigit()

    def _is_predicate(self, place: int) -> bool:
        """Tell whether a particle says what is so: `is off`, `is still on`."""
        before, token = self.tokens[max(0, place - 3) : place], self.tokens[place]
        ends = self._ends_phrase if token in _FREE_PARTICLES else self._ends_clause
        return self._ends_clause(place + 1) or ends(place + 1) and any(
            _is_form_of(token, _LIGHT | _CARRIERS | {"leave"}) for token in before
        )

    def _is_light(self, place: int) -> bool:
        token, after = self.tokens[place], self._token(place + 1)
        if _is_form_of(token, _LIGHT):
            return True
        if not after or not _is_form_of(token, _CARRIERS):
            return False
        if after in _PARTICLES:
            return after in _FREE_PARTICLES or self._is_predicate(place + 1)
        if after[0].isdigit():
            return not _ADVERBS.isdisjoint(self.tokens[place + 1 : place + 4])
        known = entry_of(after).bases
        is_like = after not in _EMPTY and bool(known.keys() & {"a", "r"})
        return is_like or (after.endswith(("ing", "ed")) and "v" in known)

    def _is_rest(self, place: int) -> bool:
        """Tell whether `left` is what remains: `8 % left`, `no tickets left`."""
        if self.tokens[place] != "left":
            return False
        before = self.tokens[max(0, place - 5) : place]
        is_verb = _is_form_of(self._token(place - 1), _LIGHT) or not before
        return not is_verb and any(
            token[0].isdigit() or token in _NEGATORS or token in ("there", "only", "have", "has")
            for token in before
        )

    def _is_state(self, place: int) -> bool:
        """Guess whether a word says what is so, rather than names a thing."""
        token, before, after = self.tokens[place], self._token(place - 1), self._token(place + 1)
        entry = entry_of(token)
        if token in _ADVERBS or (entry.bases and "n" not in entry.bases):
            return True
        if entry.bases and not entry.bases.keys() - {"n", "r"}:
            return False
        if _is_form_of(before, _LIGHT) or before in ("to", "not", "will"):
            return entry.bases.keys() != {"n"}
        if not entry.bases.keys() - {"n"}:
            return False
        if token.endswith(("ing", "ed")):
            return True
        is_named = before not in _EMPTY and "n" in entry_of(before).bases
        if (is_named or before in _DETERMINERS) and (self._ends_phrase(place + 1) or after in _EMPTY):
            return False
        if is_named and _is_form_of(after, _LIGHT):
            return False
        return max(entry.count(part) for part in _STATES) > entry.count("n")

    def _is_attribute(self, place: int) -> bool:
        """Tell whether an adjective stands before what it describes: it is no sentence's verb."""
        after = self._token(place + 1)
        is_thing = after not in _EMPTY and "n" in entry_of(after).bases and after.isalpha()
        return "a" in entry_of(self.tokens[place]).bases and is_thing and not _is_form_of(self._token(place - 1), _LIGHT)

    def _token(self, place: int) -> str:
        return self.tokens[place] if 0 <= place < len(self.tokens) else ""


_BE = frozenset({"be", "get"})
_OURS = frozenset({*("your", "yours", "our", "ours", "my", "mine")})
_THEIRS = frozenset({*("their", "theirs", "his", "her", "hers")})
_PRONOUNS = frozenset({*("i", "you", "he", "she", "they", "we", "me", "him", "them", "us")})
_STATES: Sequence[Part] = ("v", "a", "r")
_DETERMINERS = frozenset({*("a", "an", "the", "no", "your", "my", "our", "his", "her", "their")})
_ADVERBS = frozenset({"early", "late"})


def _is_form_of(token: str, bases: frozenset[str]) -> bool:
    if token in bases:
        return True
    verbs = entry_of(token).bases.get("v", ()) if token.isalpha() else ()
    return any(base in bases for base in verbs)


def _are_same(one: str, other: str) -> bool:
    return one == other or bool(entry_of(one).names & entry_of(other).names)


_CLOSENESS: Sequence[Relation] = ("same", "synonym", "opposite", "close")
"""From the surest kin of two words to the least sure."""
_Pair = tuple[_Word, tuple[_Word, Relation] | None]


@dataclass(frozen=True)
class _Comparison:
    event: _Text
    said: _Text
    beside: Sequence[_Text]

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
                is_free = _is_form_of(word.name, _COMPARED) or (absent and word.name in _ABSENCE)
                if not is_free and not self._is_beside(word):
                    yield f"added {word.name}"
            elif self._contradicts(word, *kin, absent=absent):
                yield f"said {word.name} against {kin[0].name}"
        for word in self.event.words:
            if word.is_needed and word.place not in reached:
                if not (absent and word.name in _ABSENCE):
                    yield f"lost {word.name}"
        yield from self._turned_roles(pairs)
        if not reached and not set(self.event.numbers) & set(self.said.numbers):
            yield "lost what it is about"

    def _closest(self, word: _Word) -> tuple[_Word, Relation] | None:
        found = [
            (other, kin)
            for other in self.event.words
            if (kin := relation(other.name, word.name)) is not None
            and (kin != "opposite" or other.is_state == word.is_state)
        ]
        return min(
            found,
            key=lambda pair: (_CLOSENESS.index(pair[1]), pair[0].is_state != word.is_state),
            default=None,
        )

    def _contradicts(self, word: _Word, other: _Word, kin: Relation, *, absent: bool) -> bool:
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

    def _is_beside(self, word: _Word) -> bool:
        """Tell whether a thing is named in what is known beside the event."""
        return not word.is_state and any(
            relation(other.name, word.name) in ("same", "synonym")
            for text in self.beside
            for other in text.words
        )

    def _contrary_poles(self) -> Iterator[str]:
        mine, its = self.event.poles, self.said.poles
        for one, other in sorted(_OPPOSITE_POLES):
            if one in mine - its and other in its - mine:
                yield f"said {other} for {one}"
        before, after = (set(pairwise(text.tokens)) for text in (self.event, self.said))
        for one, other in (pair for pole in _BESIDE_A_NAME for pair in (pole, pole[::-1])):
            for first, last in sorted(before - after):
                beside = (other, last) if first == one else (first, other)
                name = last if first == one else first
                if one in (first, last) and name not in _EMPTY and beside in after - before:
                    yield f"said {other} for {one} beside {name}"

    def _turned_persons(self) -> Iterator[str]:
        """Find `yours` where the event says `theirs`."""
        ours, theirs = ([not text.isdisjoint(group) for text in (set(self.event.tokens), set(self.said.tokens))] for group in (_OURS, _THEIRS))
        if (ours[0] and not ours[1] and theirs[1]) or (theirs[0] and not ours[0] and ours[1]):
            yield "said whose it is otherwise"

    def _turned_roles(self, pairs: Sequence[_Pair]) -> Iterator[str]:
        """Find who does it and to whom turned about: both stand around one verb in both texts."""
        for word, kin in pairs:
            if kin is None or kin[1] == "opposite" or not (word.is_state and kin[0].is_state):
                continue
            old, new = self.event.around(kin[0].place), self.said.around(word.place)
            if old and new and _are_same(old[0], new[1]) and _are_same(old[1], new[0]):
                yield f"turned {old[0]} and {old[1]}"

    def _turned_numbers(self) -> Iterator[str]:
        one, other = self.event.numbers, self.said.numbers
        if one != other and sorted(one) == sorted(other):
            yield f"turned {' and '.join(one)}"


def _may_be_left_out(token: str, *, denied: bool) -> bool:
    """Tell whether a shorter sentence states the same without it: `last`, `probably`."""
    known = entry_of(token).bases
    return token in _OPTIONAL or (known.keys() == {"r"} and not denied)
