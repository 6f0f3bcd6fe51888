"""The words of one clause, and what is known about them."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import NamedTuple

from rapidfuzz import process
from rapidfuzz.distance import OSA

from state.policy import Mood
from tools.routing.speech_acts.clauses import Clause
from tools.routing.words import signs
from tools.routing.words.phrases import word_set
from tools.routing.words.verb_forms import Form, bases
from tools.routing.words.verbs import Verb, VerbLexicon

_FINITE = word_set(
    "is are was were has had isn't wasn't stays stayed remains can could may might must should "
    "will would needs gets got goes went looks"
)
"""Behind a word and a number these make both the subject: `note 2 is a good one`."""
MAY_BE = "may_be"
"""Reason of a clause that says of a thing what can be done to it now."""
_LEAST_SLIP = 5
"""Shorter words are one letter away from too many others."""


class Judged(NamedTuple):
    """A clause with its mood, the reason for it, and the verb that asks."""

    clause: Clause
    mood: Mood
    reason: str
    verb: Verb | None = None
    opening: str = ""
    """The verb of an order that only some examples of the catalogue show."""

    @property
    def is_asking(self) -> bool:
        """Tell whether it orders or requests something."""
        return self.mood in ("command", "request")

    def own(self, words: Sequence[str]) -> Sequence[str]:
        """Take its own words from all of the text."""
        return words[self.clause.first : self.clause.end]


@dataclass(frozen=True)
class Text:
    """The words of a text, and what is known about them."""

    words: Sequence[str]
    lexicon: VerbLexicon
    is_thing: Set[int]
    """Words that name an object, or are quoted: never a verb."""
    known: Set[str] | None = None
    """Every word that the catalogue uses; None: nothing is unknown."""
    openings: Mapping[str, Form] = field(default_factory=dict)
    """Verbs that only the examples of the catalogue show, in each form."""

    def is_known(self, word: str) -> bool:
        """Tell whether the catalogue or the grammar has a word; numbers are known."""
        return (
            self.known is None
            or word in self.known
            or word in self.lexicon.forms
            or word in signs.FUNCTION_WORDS
            or any(map(str.isdigit, word))
            or self.is_slip(word)
        )

    def verbs_in(self, places: range) -> Iterator[Verb]:
        """Find the verbs that begin at some words, in any form and naming no thing."""
        for place in places:
            verb = self.lexicon.at(self.words, place) if place not in self.is_thing else None
            if verb is not None:
                yield verb

    def is_slip(self, word: str) -> bool:
        """Tell whether a letter too many, missing or swapped parts it from a verb: `serach`."""
        if len(word) < _LEAST_SLIP:
            return False
        verbs = [
            *self.lexicon.by_letter.get(word[0], ()),
            *(opening for opening in self.openings if opening[0] == word[0]),
        ]
        return any(
            len(verb) != len(word) or sorted(verb) == sorted(word)
            for verb, _distance, _place in process.extract(
                word, verbs, scorer=OSA.distance, score_cutoff=1, limit=None
            )
        )


class Own(NamedTuple):
    """A clause's own words, with and without what leads up to them."""

    text: Text
    clause: Clause
    words: Sequence[str]
    whole: str
    rest: str
    """`whole` without greetings, politeness and the like."""
    start: int
    """Where `rest` begins."""
    head: Verb | None
    """The verb in its base form that `rest` begins with."""

    @classmethod
    def of(cls, text: Text, clause: Clause) -> "Own":
        """Take a clause apart."""
        own = text.words[clause.first : clause.end]
        whole = " ".join(own)
        lead = signs.LEAD.match(whole)
        skipped = len(lead[0].split()) if lead else 0
        start = clause.first + skipped
        bare = cls(text, clause, own, whole, " ".join(own[skipped:]), start, None)
        if bare.rest.startswith("do ") and not clause.is_asked:  # `do close it`
            verb = bare.verb_at(start + 1)
            is_order = text.words[start + 1] not in signs.DETERMINERS | signs.SUBJECTS
            if verb is not None and verb.form == "base" and is_order:
                start += 1
                bare = bare._replace(start=start, rest=" ".join(own[skipped + 1 :]))
        head = bare.verb_at(start)
        if head is None or head.form != "base" or text.is_thing & set(range(start, head.end)):
            return bare
        behind = text.words[head.end : min(head.end + 2, clause.end)]
        is_numbered = len(behind) == 2 and behind[0].isdigit() and behind[1] in _FINITE
        if head.end == start + 1 and (behind[:1] == ["of"] or is_numbered):  # a noun
            return bare
        return bare._replace(head=head)

    def judged(self, mood: Mood, reason: str, verb: Verb | None = None) -> Judged:
        """Give the clause a mood."""
        if verb is None or verb.families:
            return Judged(self.clause, mood, reason, verb)
        places = self.text.words[verb.end : verb.end + 1]
        is_for_us = places in (["me"], ["us"])  # `bring me …`, whatever is brought
        return Judged(self.clause, mood, reason, None, "" if is_for_us else verb.base)

    def verb_at(self, place: int) -> Verb | None:
        """Find a verb, in any form, that begins at a word and names no thing."""
        text, end = self.text, self.clause.end
        if place >= end or place in text.is_thing:
            return None
        word, lexicon, verb = text.words[place], text.lexicon, None
        if word in lexicon.openings:  # few words are, and a rule may ask of each
            verb = lexicon.at(text.words, place)
            if verb is not None and verb.end > end:
                verb = lexicon.at(text.words[:end], place)
        if verb is not None or word not in text.openings:
            return verb
        base = next((one for one in bases(word) if text.openings.get(one) == "base"), word)
        nothing: frozenset[str] = frozenset()
        form = text.openings[word]
        return Verb(place, place + 1, word, (), nothing, nothing, "either", form, base)

    def verb_after(self, first: int, *forms: str) -> Verb | None:
        """Find the next verb in one of some forms."""
        for place in range(first, self.clause.end):
            verb = self.verb_at(place)
            if verb is not None and verb.form in forms:
                return verb
        return None

    def words_of(self, matched: str) -> int:
        """Say which word comes after what was matched at the start of `rest`."""
        return self.start + len(matched.split())

    def is_named(self, place: int) -> bool:
        """Tell whether a thing or a number stands at a word."""
        return place in self.text.is_thing or any(map(str.isdigit, self.text.words[place]))

    def names_thing(self, place: int) -> bool:
        """Tell whether one stands at a word, or right behind it: `card 12`."""
        return any(map(self.is_named, range(place, min(place + 2, self.clause.end))))

    def may_be_noun(self, place: int) -> bool:
        """Tell whether an unknown word is followed by a bare name, as in `past exports`."""
        following = self.text.words[place + 1]
        return following not in signs.DETERMINERS | signs.PARTICLES | signs.NUMBERS

    def is_unknown_verb(self, place: int) -> bool:
        """Tell whether a word stands where a verb would, before a thing, and is none we know."""
        words, following = self.text.words, place + 1
        if self.text.known is None or following >= self.clause.end or place in self.text.is_thing:
            return False
        if words[place] in signs.FUNCTION_WORDS:
            return False
        if words[place].endswith("ing"):  # `would you mind telling me`
            return False
        if self.verb_at(place) is not None or self.text.is_slip(words[place]):
            return False
        if words[following] == "of":  # `snapshot of …` names something
            return False
        if not self.text.is_known(words[place]) and words[following + 1 : following + 2] == ["the"]:
            return words[following] not in signs.FUNCTION_WORDS  # `x-ray the list`
        is_particle = words[following] in signs.PARTICLES and following + 1 < self.clause.end
        following += is_particle
        if following in self.text.is_thing or words[following] in signs.DETERMINERS:
            return True
        return not self.text.is_known(words[place])
