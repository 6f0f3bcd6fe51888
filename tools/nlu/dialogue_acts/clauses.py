"""Segment a text into clauses, and set quoted, forwarded or labelled words apart."""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import NamedTuple

from rapidfuzz import process
from rapidfuzz.distance import OSA

from state.policy import Mood
from tools.nlu.dialogue_acts.connectives import Verbs, begins_order, joint_at
from tools.nlu.dialogue_acts.negation import negator_in
from tools.nlu.lexicon import cue_phrases as signs
from tools.nlu.lexicon.cue_phrases import DO_THIS
from tools.nlu.lexicon.normalization import Normal, word_set
from tools.nlu.lexicon.verbs import Form, Verb, VerbLexicon, bases

_QUOTED = re.compile(
    r"'''.{1,1900}?(?:'''|$)"  # a code fence: back ticks are apostrophes in the normal form
    r"|\"[^\"]{1,1000}\"|(?<![\w'])'(?:[^'\n]|'(?=\w)){1,1000}'(?!\w)"
    r"|>{2,}[^<>]{1,1000}(?:<{2,}|$)"
    r"|<([a-z][\w-]{0,20})[^<>]{0,80}>.{0,1900}?(?:</\1>|$)"
    r"|~~[^~]{1,1000}~~",  # struck out
    re.DOTALL,
)
_QUOTED_LINE = re.compile(
    r"^[ \t]*(?:>|\||//|#{1,6}[ \t](?!\d)|\$[ \t](?!\d)|[a-z][\w.@:-]{0,30}[>$%][ \t])[^\n]*",
    re.MULTILINE,
)
"""Quoted, or a comment, a heading, what is typed behind a prompt: `$ …`, `// …`, `ben> …`."""
_SHELL = re.compile(
    r"[ \t]*(?:sudo[ \t]+)?(?:git|grep|echo|curl|wget|npm|pip|docker|kubectl|ssh|chmod|ls|cd|rm|mv"
    r"|python3?)[ \t]+(?:-{1,2}\w|[\"'./~$]|(?:status|log|diff|add|commit|push|pull|checkout|branch"
    r"|rebase|merge|stash|clone|fetch|install|run|exec|get|apply|build|show|reset)\b)"
)
_PASTED_FROM_HERE = re.compile(
    r"^[ \t]*[-_=*]{2,}[ \t]*(?:[a-z]+[ \t]+){0,3}(?:message|forwarded|original|quote|mail|text)"
    r"[^\n]*$"
    r"|^[ \t]*(?:agenda|minutes|protocol|transcript)\b[^\n:]*:?[ \t]*$"
    r"|(?<=:)[ \t]*\n(?=[a-z .]{1,20}:[ \t][^\n]+\n[a-z .]{1,20}:[ \t])"
    r"|^[ \t]*begin (?:forwarded|quoted?|original)[^\n]*$"
    r"|^[ \t]*(?:from|to|sent|date|subject|cc|fwd?|fw|re|aw|wg)[ \t]*:"
    r"|^[ \t]*[a-z][a-z .]{0,20}[ ,(\[]+\d{1,2}[:.]\d\d(?:[ ]?[ap]m)?[)\]]?:?[ \t]*\n",
    re.MULTILINE,
)
_LABEL = re.compile(r"^\W{0,10}(?:\[([^\]\n]{1,60})\]|@([\w.-]{1,60}))")
_OUR_LABELS = word_set(
    "urgent important asap action attention please request task todo prefrontal assistant bot "
    "computer all here channel everyone"
)
"""Labels and names under which a text still speaks to us."""


_ENTERED = re.compile(
    r"(?:.+ )?let .+ (?:say|read|be) \".*"
    r"|.+ (?:should|must|shall|to|has to|may|now|henceforth) (?:say|read|be|become) \".*"
    r"|(?:.+ )?(?:i|we|i'd|we'd)(?: would)? (?:want|need|like|go with) \" (?:as|for|in|on|at|to) .+"
    r"|(?:[\w'-]+ ){0,3}\" as (?:an?|the|our|my|its|one|what|point|item|topic|question)\b.*"
    r"|(?:.+ )?(?:our|my|the)(?: (?!last|final|first|note|sign|mail|message|ticket)"
    r"[\w'-]+){1,3} (?:is|is now|now|becomes|reads) \""
    r"|(?:[\w'-]+ ){1,3}(?:now|needs|need|gets) \""
)
"""Around quotes (`\"`) these say where what is quoted is to be entered: `let note 6 say "…"`."""
_ENTERING = re.compile(r"^[^\"\n]{1,80}(?:\+|=|->|→)(?: ?item)? ?[\"“]")
"""So does a sign: `departure list + "close all portholes"`, `rq = "…"`."""


def is_entered(normal: Normal, quoted: frozenset[int]) -> bool:
    """Tell `our question is "…"` and `"…" as a point on the list` from what another said."""
    said: list[str] = []
    for place, token in enumerate(normal.tokens):
        if place not in quoted:
            said.append(token.text)
        elif said[-1:] != ['"']:
            said.append('"')
    by_words = _ENTERED.fullmatch(" ".join(said))
    return by_words is not None or _ENTERING.match(normal.text) is not None


def foreign_words(normal: Normal) -> frozenset[int]:
    """Name the words of a text that its writer does not say to us himself."""
    spans = list(_foreign_spans(normal.text))
    if not spans:
        return frozenset()
    return frozenset(
        place
        for place, token in enumerate(normal.tokens)
        if any(first <= token.start and token.end <= end for first, end in spans)
    )


def is_for_shell(normal: Normal) -> bool:
    """Tell a command for another program, such as `git status of the pump`."""
    return _SHELL.match(normal.text) is not None


def _foreign_spans(text: str) -> Iterator[tuple[int, int]]:
    if any(mark in text for mark in "\"'<~"):
        yield from (match.span() for match in _QUOTED.finditer(text))
    if any(mark in text for mark in ">|/#$%"):
        yield from (match.span() for match in _QUOTED_LINE.finditer(text))
    pasted = _PASTED_FROM_HERE.search(text) if ":" in text or "\n" in text else None
    if pasted is not None:
        yield pasted.start(), len(text)
    label = _LABEL.match(text) if "[" in text or "@" in text else None
    if label is not None and not _OUR_LABELS.issuperset((label[1] or label[2]).split()):
        yield label.start(), len(text)


_HARD = re.compile(r"[;!?:\n]|\.(?=\s|$)|\.\.")
_STOP = re.compile(r"[,;!?:.\n]")
_LABELS = re.compile(r":|^\s+(?:=|:=|->|=>|→)(?=\s|$)")
"""What parts a label from what is told, `question: …` and `question = …`; before an order an arrow
says what is to be done with a thing: `the brochure -> archive`."""
_QUOTED_STOP = re.compile(r"^[?!.]+(?=[\"'”’»])")
"""The stop of a quoted sentence, which does not end the one it stands in."""
_ALSO = re.compile(r"\s[&+]\s")
_SOFT = re.compile(r",|\s-+\s|\(|\)")
TELLING = word_set(
    "say says saying said tell note noting mention mentioning log logging write writing record "
    "recording remark comment report reporting remember remind"
)
"""Words after which `that` begins what is told."""
_MAY_TELL = word_set("put add adding is over down know message handover order it watch")
"""Words right before such a `that`."""
_AMENDS = word_set("edit update correction ps nb addendum sorry")
"""Before a colon, behind a first sentence, these bring what changes it."""
_THE = word_set("the a old this that")
_NO_TOPIC = word_set(
    "urgent important asap attention hey hi hello ok okay please action question request quick "
    "task todo help"
)


class Clause(NamedTuple):
    """Words `first` to `end` of a text, end exclusive, and how they hang on what went before."""

    first: int
    end: int
    is_bound: bool
    """A comma, a conjunction or nothing parts it from the clause before; no full stop does."""
    joint: str
    """The word that binds it: `and`, `but`, `not`, `if`, or nothing."""
    is_asked: bool
    """A question mark follows."""


class Cut(NamedTuple):
    """A text in clauses; `content_first` is where told words begin, after a colon or `that`."""

    clauses: tuple[Clause, ...]
    quoted: frozenset[int]
    content_first: int | None


def cut_clauses(
    normal: Normal, lexicon: VerbLexicon, openings: Mapping[str, Form] | None = None
) -> Cut:
    """Cut at stops, commas, conjunctions before a verb, and before a denied or conditional part.

    Args:
        openings: verbs that only the catalogue's examples show.
    """
    verbs = Verbs(lexicon, openings or {})
    words = normal.words
    quoted = foreign_words(normal)
    if is_for_shell(normal) and lexicon.at(words, 0) is None and words[0] not in verbs.openings:
        quoted = frozenset(range(len(words)))
    content = _content_first(normal, words, verbs)
    end = len(words) if content is None else content
    clauses: list[Clause] = []
    first, is_bound, joint = 0, False, ""
    has_address = "@" in normal.text or "//" in normal.text
    for place in range(1, end):
        gap = normal.text[normal.tokens[place - 1].end : normal.tokens[place].start]
        if place - 1 in quoted:
            gap = _QUOTED_STOP.sub("", gap)
        if gap.startswith(".") and _is_number(normal, place):
            gap = " "
        if has_address and _is_in_address(normal.text, normal.tokens[place].start):
            continue
        is_plain = gap == " "
        hard = None if is_plain else _HARD.search(gap)
        soft = not is_plain and _SOFT.search(gap) is not None
        word_joint = joint_at(words, place, end, verbs, is_soft=soft) if not hard else ""
        is_joined = not is_plain and not word_joint and _ALSO.search(gap) is not None
        if is_joined and begins_order(words, place, end, verbs):
            word_joint = "and"
        if not hard and not soft and not word_joint:
            continue
        clauses.append(Clause(first, place, is_bound, joint, "?" in gap))
        first, is_bound = place, hard is None
        joint = word_joint if hard is None else ""
    if first < end:
        tail = normal.text[normal.tokens[end - 1].end :]
        if end - 1 in quoted and first not in quoted:
            tail = _QUOTED_STOP.sub("", tail)
        is_asked = content is None and "?" in tail[:10]
        clauses.append(Clause(first, end, is_bound, joint, is_asked))
    return Cut(tuple(clauses), quoted, content)


def _is_number(normal: Normal, place: int) -> bool:
    """Tell `item no. 2` and `close it, no. 2` from `close it, no. 2 stays as it is`."""
    before, own = normal.tokens[max(0, place - 2)], normal.tokens[place - 1]
    if own.text != "no" or not normal.tokens[place].text.isdigit():
        return False
    behind = normal.text[normal.tokens[place].end :].lstrip()
    is_apart = place > 1 and _STOP.search(normal.text[before.end : own.start]) is not None
    return not is_apart or not behind or _STOP.match(behind) is not None


def _is_in_address(text: str, place: int) -> bool:
    """Tell whether a word goes on with an address: the last of `kim@example.org`."""
    chunk = text[:place].rsplit(maxsplit=1)[-1] if place and not text[place - 1].isspace() else ""
    return chunk.endswith((".", ":", "/")) and ("@" in chunk[1:] or "//" in chunk)


def _content_first(normal: Normal, words: Sequence[str], verbs: Verbs) -> int | None:
    """Find the first told word: after a colon, or after `that` behind a word of telling."""
    sentence = 0
    for place in range(1, len(words)):
        gap = normal.text[normal.tokens[place - 1].end : normal.tokens[place].start]
        label = _LABELS.search(gap) if gap != " " else None
        is_label = label is not None and (
            label[0] == ":" or not begins_order(words, place, len(words), verbs)
        )
        if not is_label and gap != " " and _HARD.search(gap):
            sentence = place
        if is_label and sentence == place - 1 > 0 and words[sentence] in _AMENDS:
            continue  # `EDIT: no longer needed`
        if is_label and not _points_on(words[:place]):
            if negator_in(words, 0, place) is None:
                return place
            continue  # `you need not close it: add a note` explains itself
        if words[place] == "that" and place + 1 < len(words) and (_tells(words, sentence, place)):
            return place + 1
        if words[place] == "saying" and words[place - 1] not in _THE and place + 1 < len(words):
            return place + 1
    return None


def _points_on(before: Sequence[str]) -> bool:
    """Tell `urgent:` and `please do the following:`, behind which we are still spoken to."""
    does = "do" in before and (_NO_TOPIC | DO_THIS).issuperset(before)
    return does or _NO_TOPIC.issuperset(before)


def _tells(words: Sequence[str], sentence: int, place: int) -> bool:
    """Tell `note on WO-1038 that …` from `show the pump that …`."""
    if words[max(0, place - 3) : place] == ["see", "to", "it"] or words[place - 1] == "so":
        return False
    return not TELLING.isdisjoint(words[sentence:place]) or words[place - 1] in _MAY_TELL


_FINITE = word_set(
    "is are was were has had isn't wasn't stays stayed remains can could may might must should "
    "will would needs gets got goes went looks"
)
"""Behind a word and a number these make both the subject: `note 2 is a good one`."""
MAY_BE = "may_be"
"""Reason of a clause that says of a thing what can be done to it now."""
_LEAST_SLIP = 5
"""Shorter words are one letter away from too many others."""


class ClauseMood(NamedTuple):
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
class ClauseContext:
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


class ClauseWords(NamedTuple):
    """A clause's own words, with and without what leads up to them."""

    text: ClauseContext
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
    def of(cls, text: ClauseContext, clause: Clause) -> "ClauseWords":
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

    def judged(self, mood: Mood, reason: str, verb: Verb | None = None) -> ClauseMood:
        """Give the clause a mood."""
        if verb is None or verb.families:
            return ClauseMood(self.clause, mood, reason, verb)
        places = self.text.words[verb.end : verb.end + 1]
        is_for_us = places in (["me"], ["us"])  # `bring me …`, whatever is brought
        return ClauseMood(self.clause, mood, reason, None, "" if is_for_us else verb.base)

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
