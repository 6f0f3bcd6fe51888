"""Read a text as statements: its meaningful words, which of them are denied, and who acts on whom.

A rough reading that needs no parser: it serves a comparison that says no in doubt.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

from tools.platform.text_comparison import facts_of
from tools.response.thesaurus import Part, entry_of, phrase_at, with_particle

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
        *("happen", "let", "expect", "say", "report", "tell", "stand", "lie", "sit"),
    }
)
"""They state nothing by themselves: what is expected or said is stated with them or without."""
_CARRIERS = frozenset({*("go", "come", "run", "turn", "grow", "fall", "feel", "hold", "switch")})
"""Verbs that mean little before a word that says what is so: `has gone missing`, `runs low`."""
EMPTY = frozenset(
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
        *("look", "listen", "hello", "hi", "alas", "oops", "hm", "careful", "note", "attention"),
        *("within", "inside", "near", "beside", "around", "across", "despite"),
        *("friend", "friends", "folks", "sir", "madam", "dear", "buddy", "pal"),
    }
)
"""Words that state nothing alone. Those with an opposite are compared apart."""
_PARTICLES = frozenset(
    {*("up", "down", "on", "off", "in", "out", "over", "away", "back", "through")}
)
_FREE_PARTICLES = frozenset({"up", "down", "off", "out", "away", "back"})
"""They belong to their verb; the others may begin `on Monday`, `in the hall`."""
_AFTER_PARTICLE = frozenset(
    {
        *(
            "on",
            "in",
            "at",
            "for",
            "since",
            "by",
            "until",
            "again",
            "now",
            "and",
            "to",
            "from",
            "with",
        )
    }
)
COMPARED = frozenset({*("above", "below", "more", "less", "fewer", "stay", "remain", "keep")})
"""Words that state nothing alone, and may stand for one that does."""
_OPTIONAL = frozenset({"above", "below", "last", "next", "new", "old", "whole", "same", "first"})
"""Adjectives that a shorter sentence may leave out."""


@dataclass(frozen=True)
class Word:
    """A word that means something, in its place."""

    name: str
    """As it stands, or the verb with its particle, or the phrase."""
    denied: bool
    is_state: bool
    """It says what is so or happens: a verb, an adjective, an adverb; else it names a thing."""
    is_needed: bool
    """A sentence that leaves it out does not say the same."""
    place: int


class Statements:
    """A text as far as it is compared."""

    def __init__(self, text: str) -> None:
        lowered = _CAMEL.sub(" ", text).lower().replace("’", "'")
        for form, plain in _CONTRACTED:
            lowered = form.sub(plain, lowered)
        self.tokens = _TOKEN.findall(lowered)

    @cached_property
    def words(self) -> Sequence[Word]:
        """List its meaningful words in their order."""
        return tuple(self._words())

    @cached_property
    def numbers(self) -> Sequence[str]:
        """List its figures in their order."""
        return tuple(token for token in self.tokens if token[0].isdigit())

    def _words(self) -> Iterator[Word]:
        denied, taken = False, set[int]()
        for place, token in enumerate(self.tokens):
            if place in taken or self._is_number(place):
                continue
            if token in _BREAKS or (token in ("and", ",") and self._begins_clause(place + 1)):
                denied = False
            elif token in _NEGATORS or self._denies(place):
                denied = not denied
                if token in _NOBODY and self._ends_clause_soon(place + 1):
                    yield Word(token, False, is_state=True, is_needed=True, place=place)
            elif found := self._phrase(place) or self._with_particle(place):
                name, others = found
                taken.update(others)
                yield Word(name, denied, is_state=True, is_needed=True, place=place)
            elif (word := self._word(place, denied=denied)) is not None:
                yield word

    def _is_number(self, place: int) -> bool:
        token = self.tokens[place]
        return token[0].isdigit() or bool(facts_of(token).numbers)

    def _word(self, place: int, *, denied: bool) -> Word | None:
        """Read a word that stands for itself; None: it states nothing alone."""
        token = self.tokens[place]
        if is_form_of(token, COMPARED):
            return Word(token, denied, is_state=True, is_needed=False, place=place)
        if token in EMPTY or token in _MARKS:
            is_state = token in _PARTICLES and self._is_predicate(place)
            return Word(token, denied, True, True, place) if is_state else None
        if is_form_of(token, _GET) and self._token(place + 1)[:1].isdigit():
            return Word(token, denied, is_state=True, is_needed=True, place=place)
        if self._is_light(place) or self._is_rest(place):
            return None
        is_state = self._is_state(place)
        is_needed = is_state and not _may_be_left_out(token, denied=denied)
        is_state = is_state and token not in _OPTIONAL and not self._is_attribute(place)
        return Word(token, denied, is_state, is_needed, place)

    def around(self, place: int) -> tuple[str, str] | None:
        """Name who does what stands there, and to whom; None: it is not said plainly."""
        before = [token for token in self.tokens[:place] if self._may_act(token)]
        behind = [token for token in self.tokens[place + 1 :] if self._may_act(token)]
        if not before or not behind:
            return None
        is_passive = is_form_of(self._token(place - 1), _BE)
        if is_passive and "by" not in self.tokens[place + 1 :]:
            return None
        return (behind[0], before[-1]) if is_passive else (before[-1], behind[0])

    def _may_act(self, token: str) -> bool:
        if token in _PRONOUNS:
            return True
        if token in EMPTY or not token.isalpha() or is_form_of(token, _LIGHT):
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
        if self.tokens[place] in EMPTY or is_form_of(self.tokens[place], _LIGHT):
            return None
        for other in (place + 1, place + 2, place + 3):
            particle = self._token(other)
            if particle in _MARKS or particle in _NEGATORS or not particle:
                return None
            if is_form_of(particle, _LIGHT):
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
        return any(is_form_of(token, _LIGHT) for token in self.tokens[place : place + 4])

    def _denies(self, place: int) -> bool:
        """Tell whether what follows is said not to be: `failed to`, `out of`, `stopped` `-ing`."""
        here, after = self.tokens[place], self._token(place + 1)
        if here == "out" and after == "of":
            return is_form_of(self._token(place - 1), _LIGHT | {"run"})
        if after.endswith("ing") and "v" in entry_of(after).bases:
            return is_form_of(here, _STOPS)
        return after == "to" and is_form_of(here, _IMPLICIT)

    def _ends_clause(self, place: int) -> bool:
        return self._token(place) in ("", *_MARKS)

    def _ends_clause_soon(self, place: int) -> bool:
        """Tell whether nothing follows in its clause that means something."""
        rest = takewhile(lambda token: token not in _MARKS, self.tokens[place:])
        return all(
            token in EMPTY or token[0].isdigit() or is_form_of(token, _LIGHT) for token in rest
        )

    def _ends_phrase(self, place: int) -> bool:
        """Tell whether no thing follows: what stands before is no preposition."""
        after = self._token(place)
        return self._ends_clause(place) or after in _AFTER_PARTICLE or after[0].isdigit()

    def _is_predicate(self, place: int) -> bool:
        """Tell whether a particle says what is so: `is off`, `is still on`."""
        before, token = self.tokens[max(0, place - 3) : place], self.tokens[place]
        ends = self._ends_phrase if token in _FREE_PARTICLES else self._ends_clause
        return self._ends_clause(place + 1) or (
            ends(place + 1)
            and any(is_form_of(token, _LIGHT | _CARRIERS | {"leave"}) for token in before)
        )

    def _is_light(self, place: int) -> bool:
        token, after = self.tokens[place], self._token(place + 1)
        if is_form_of(token, _LIGHT):
            return token not in _ORDERS
        if after in ("a", "an") and is_form_of(token, _WITH_A_NOUN):
            return True
        if after[:1].isdigit() and is_form_of(token, _VALUED):
            return True
        if not after or not is_form_of(token, _CARRIERS):
            return False
        if after in _PARTICLES:
            return after in _FREE_PARTICLES or self._is_predicate(place + 1)
        if after[0].isdigit():
            return not _ADVERBS.isdisjoint(self.tokens[place + 1 : place + 4])
        known = entry_of(after).bases
        is_like = after not in EMPTY and bool(known.keys() & {"a", "r"})
        return is_like or (after.endswith(("ing", "ed")) and "v" in known)

    def _is_rest(self, place: int) -> bool:
        """Tell whether `left` is what remains: `8 % left`, `no tickets left`."""
        if self.tokens[place] != "left":
            return False
        before = self.tokens[max(0, place - 5) : place]
        is_verb = is_form_of(self._token(place - 1), _LIGHT) or not before
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
        if is_form_of(before, _LIGHT) or before in ("to", "not", "will"):
            return entry.bases.keys() != {"n"}
        if not entry.bases.keys() - {"n"}:
            return False
        if token.endswith(("ing", "ed")):
            return True
        is_named = before not in EMPTY and "n" in entry_of(before).bases
        if (is_named or before in _DETERMINERS) and (
            self._ends_phrase(place + 1) or after in EMPTY
        ):
            return False
        if is_named and is_form_of(after, _LIGHT):
            return False
        return max(entry.count(part) for part in _STATES) > entry.count("n")

    def _is_attribute(self, place: int) -> bool:
        """Tell whether an adjective stands before what it describes: it is no sentence's verb."""
        after = self._token(place + 1)
        is_thing = after not in EMPTY and "n" in entry_of(after).bases and after.isalpha()
        return (
            "a" in entry_of(self.tokens[place]).bases
            and is_thing
            and not is_form_of(self._token(place - 1), _LIGHT)
        )

    def _token(self, place: int) -> str:
        return self.tokens[place] if 0 <= place < len(self.tokens) else ""


_BE = frozenset({"be", "get"})
_PRONOUNS = frozenset({*("i", "you", "he", "she", "they", "we", "me", "him", "them", "us")})
_STATES: Sequence[Part] = ("v", "a", "r")
_WITH_A_NOUN = frozenset({"make"})
"""Verbs that mean little before a noun with its article: `makes a noise`."""
_VALUED = frozenset({"reach", "measure", "read", "show", "total"})
"""Verbs that mean little before a figure: `reached 95 %`."""
_ORDERS = frozenset({"say", "tell", "report"})
"""Forms in which somebody is told what to say, which is not so because of that."""
_GET = frozenset({"get"})
_DETERMINERS = frozenset({*("a", "an", "the", "no", "your", "my", "our", "his", "her", "their")})
_ADVERBS = frozenset({"early", "late"})


def is_form_of(token: str, bases: frozenset[str]) -> bool:
    """Tell whether a word is one of these or, as a verb, a form of one."""
    if token in bases:
        return True
    verbs = entry_of(token).bases.get("v", ()) if token.isalpha() else ()
    return any(base in bases for base in verbs)


def _may_be_left_out(token: str, *, denied: bool) -> bool:
    """Tell whether a shorter sentence states the same without it: `last`, `probably`."""
    known = entry_of(token).bases
    return token in _OPTIONAL or (known.keys() == {"r"} and not denied)
