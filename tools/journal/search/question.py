"""Read a question to the journal: what limits it, what it leaves out, its order, and its topic.

What is said and cannot be followed is kept as such, so that the answer can tell it.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import yaml

from state.journal import DecisionFilters, DecisionStatus, NotUnderstood
from state.noun import Noun
from tools.journal.search.query import (
    STOP_WORDS,
    NamedPeriod,
    Period,
    labelled_technologies,
    named_periods,
    terms_of,
)
from tools.nlu.values import ANY_DAY, Kind, extract_kinds

Field = Literal["time", "status", "negation"]
Order = Literal["best", "newest", "oldest"]


class LeftOut(Noun):
    """What decisions are asked for without: people, or what they are about."""

    names: tuple[str, ...]
    by: bool
    """They are people; False: the records tell whether they are."""
    said: str


class Question(Noun):
    """What is asked, without what only narrows it."""

    text: str
    filters: DecisionFilters
    excluded: tuple[DecisionFilters, ...] = ()
    """Decisions that pass one of these are left out."""
    left_out: tuple[LeftOut, ...] = ()
    order: Order = "best"
    most: int | None = None
    """So many are asked for: one by `the latest decision`."""
    lists: bool = False
    """It asks for decisions of any kind where no topic is left."""
    not_understood: tuple[NotUnderstood, ...] = ()

    @property
    def topics(self) -> tuple[tuple[str, ...], ...]:
        """List the terms of each topic that one `or` the other is asked for."""
        parts = re.split(r"\bor\b", self.text, flags=re.IGNORECASE)
        return tuple(terms for part in parts if (terms := terms_of(part)))


@lru_cache
def _words() -> Any:  # what words.yaml holds
    return yaml.load((Path(__file__).parent / "words.yaml").read_bytes(), yaml.CSafeLoader)


def _any(words: Iterable[str]) -> str:
    """Write an alternation in which the longest fits first."""
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))


_ONE, _MANY = _words()["nouns"]["one"], _words()["nouns"]["many"]
_NOUN = rf"(?:{_any([*_ONE, *_MANY])})"
_STATUSES = _words()["statuses"]
_STANDS = _any(_STATUSES)
_NOT = r"(?:not|never|no longer|\w+n[’']t)"
_BE = rf"(?:{_any(_words()['being'])})"
_PERSON = re.compile(r"(?<![\w@])@([A-Za-z][\w.-]{0,38})")
_GIVEN_STATUS = re.compile(r"\bstatus[:=]\s*(?P<status>[\w-]+)", re.IGNORECASE)
_STATUS = re.compile(
    rf"(?<![\w-])(?P<before>(?:{_NOT} |non-)?)(?P<one>{_STANDS})(?= (?:{_NOUN}|ones|proposals)\b)"
    rf"|(?<![\w-])(?P<noun>{_NOUN}|ones)(?P<behind>(?: {_BE}| {_NOT})+)"
    rf" (?P<said>{_STANDS})(?![\w-])"
    r"|\b(?:(?:still|now|currently) )?(?P<force>in force|in effect|currently active)\b",
    re.IGNORECASE,
)
_LEFT_OUT = re.compile(
    rf"\b(?:but |and )?(?:{_NOT}|except(?: for)?|excluding|other than|apart from|outside(?: of)?"
    r"|without)(?: (?:those|ones|the|made|taken|decided|agreed|been|any))*\s*$",
    re.IGNORECASE,
)
_ONES = re.compile(rf" (?:ones|{_NOUN})\b", re.IGNORECASE)
_ABOUT, _BY = _any(_words()["about"]), _any(_words()["by"])
_SAID = r"(?:those|the ones|ones|what|anything|made|taken|decided|agreed|settled|been|have|be)"
_FILLER = rf"(?:{_any(_words()['filler'])})"
_VERBS = ("decide", "decided", "agree", "agreed", "settle", "settled")
_LEAVES_OUT = re.compile(
    rf"(?:\b(?:but |and |(?P<pre>by ))?(?P<cue>{_any(_words()['except'])})\b"
    rf"|\b(?P<noun>{_NOUN}|decided?|agreed?|settled?)(?:,? {_FILLER})*,? {_NOT}\b"
    r"(?! to (?!do with)))"
    rf"(?: {_SAID})*(?: (?:(?P<about>{_ABOUT})|(?P<by>{_BY})))? (?P<object>[^?!;:()\"“”]+)",
    re.IGNORECASE,
)
_NOUN_BEFORE = re.compile(rf"\b{_NOUN}(?: (?:we|they|made|took|taken))* $", re.IGNORECASE)
_OBJECT_ENDS = re.compile(
    r",? but\b|\.(?=\s|$)|\s(?:in|since|until|before|after|during|that|which|where|who|when|while"
    r"|because|instead|and (?:that|which|about|by|are|not|made|taken|is|were)|about|by|at all)\b",
    re.IGNORECASE,
)
_AND = re.compile(r"\s*,\s*(?:and |or |nor )?|\s+(?:and|or|nor|&)\s+", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:the|a|an|our|any|those|what|of|by|about|from)\s+", re.IGNORECASE)
_DID = re.compile(r"\s+(?:decided|chose|made|took|agreed|settled|did|wanted)$", re.IGNORECASE)
_NEWEST, _OLDEST = _words()["newest"], _words()["oldest"]
_IN_ORDER = re.compile(
    rf"(?<![\w-])(?:(?P<count>[\w-]+) )?(?P<order>{_any([*_NEWEST, *_OLDEST])})"
    rf"(?: (?P<more>[\w-]+))? (?P<noun>{_NOUN})\b",
    re.IGNORECASE,
)
_LATELY = re.compile(rf"(?<![\w-])(?:{_any(_words()['lately'])})(?![\w-])", re.IGNORECASE)
_VAGUE = re.compile(rf"(?<![\w-])(?:{_any(_words()['vague'])})(?![\w-])", re.IGNORECASE)
_ASKS_FOR_ANY = re.compile(
    rf"\b(?:{_NOUN}|what (?:\w+ ){{0,3}}?(?:decided?|agreed?|settled?|chosen?|chose))\b",
    re.IGNORECASE,
)
_FRAME = frozenset(_words()["frame"]) | {*_ONE, *_MANY}
_MOST_ASKED = 1_000


class _Reading:
    """A question while it is read: what was understood is taken out of its words."""

    def __init__(self, text: str, given: DecisionFilters) -> None:
        self.text = text
        self.given = given
        self.excluded: list[DecisionFilters] = []
        self.left_out: list[LeftOut] = []
        self.unread: list[NotUnderstood] = []
        self.order: Order = "best"
        self.most: int | None = None

    def take(self, start: int, end: int, put: str = " ") -> None:
        self.text = f"{self.text[:start]}{put}{self.text[end:]}"

    def miss(self, field: Field, start: int, end: int) -> None:
        said = " ".join(self.text[start:end].split())
        self.unread.append(NotUnderstood(field=field, text=said))
        self.take(start, end)

    def people(self) -> tuple[str, ...]:
        found = tuple(name.rstrip(".-") for name in _PERSON.findall(self.text))
        self.text = _PERSON.sub(" ", self.text)
        return found

    def status(self) -> DecisionStatus | None:
        while found := _GIVEN_STATUS.search(self.text):
            given = found["status"].lower()
            given = "active" if given == "current" else given
            if given in list(DecisionStatus):
                self.take(*found.span())
                return DecisionStatus(given)
            self.miss("status", *found.span())
        status, start = None, 0
        while found := _STATUS.search(self.text, start):
            word = found["one"] or found["said"] or found["force"]
            one = DecisionStatus(_STATUSES[word.lower()])
            start = found.end("noun") if found["noun"] else found.start()
            left_out = _LEFT_OUT.search(self.text, 0, start)
            if left_out or found["before"] or re.search(_NOT, found["behind"] or ""):
                self.excluded.append(DecisionFilters(status=one))
                start = left_out.start() if left_out else start
            elif status is None:
                status = one
            else:
                start = found.end()
                continue
            end = found.end()
            if ones := _ONES.match(self.text, end) if left_out else None:
                end = ones.end()
            self.take(start, end)
        return status

    def period(self, now: datetime, zone: tzinfo) -> Period:
        whole = Period(None, None)
        for found in reversed([*self._joined(named_periods(self.text, now, zone))]):
            denied = _LEFT_OUT.search(self.text, 0, found.start)
            both = None if found.period is None else whole.within(found.period)
            if found.period is not None and denied:
                span = {"since": found.period.since, "until": found.period.until}
                self.excluded.append(DecisionFilters.model_validate(span))
                self.take(denied.start(), found.end)
            elif both is None:
                self.miss("time", found.start, found.end)
            else:
                whole = both
                self.take(found.start, found.end)
        while vague := _VAGUE.search(self.text):
            self.miss("time", *vague.span())
        return whole

    def _joined(self, named: Iterable[NamedPeriod]) -> Iterator[NamedPeriod]:
        """Read `in 2024 or 2025` as one time; with time between them nobody can ask for both."""
        last: NamedPeriod | None = None
        for one in named:
            if last is not None and _AND.fullmatch(self.text, last.end, one.start):
                both = last.period and one.period and last.period.joined(one.period)
                last = NamedPeriod(both or None, last.start, one.end)
                continue
            if last is not None:
                yield last
            last = one
        if last is not None:
            yield last

    def negations(self) -> None:
        self.text, start = " ".join(self.text.split()), 0
        while found := _LEAVES_OUT.search(self.text, start):
            begin, end = found.end("noun") if found["noun"] else found.start(), found.end()
            if cut := _OBJECT_ENDS.search(self.text, found.start("object"), end):
                end = cut.start()
            names = _objects(self.text[found.start("object") : end])
            start = found.start("object")
            has_link = bool(found["about"] or found["by"])
            if not (has_link if found["noun"] in _VERBS else self._asks_without(found)):
                continue
            if not names or (found["noun"] and not has_link):
                self.miss("negation", begin, end)
            else:
                said = " ".join(self.text[begin:end].split())
                is_by = bool(found["pre"]) or (found["by"] or "").lower() == "by"
                self.left_out.append(LeftOut(names=names, by=is_by, said=said))
                self.take(begin, end)
            start = begin

    def _asks_without(self, found: re.Match[str]) -> bool:
        """Tell whether decisions are asked for without something, not why we do without it."""
        if (found["cue"] or "").lower() == "without":
            return _NOUN_BEFORE.search(self.text, 0, found.start()) is not None
        return _ASKS_FOR_ANY.search(self.text) is not None

    def ordering(self) -> None:
        self.text = " ".join(self.text.split())
        if found := _IN_ORDER.search(self.text):
            before, behind = _number(found["count"]), _number(found["more"])
            topic = "" if behind else found["more"] or ""
            order, noun = found["order"].lower(), found["noun"]
            if not topic or order not in ("last", "first", "final"):  # the first aid records
                self.order = "newest" if order in _NEWEST else "oldest"
                self.most = before or behind or (None if noun.lower() in _MANY else 1)
                start = found.start("count") if before else found.start("order")
                self.take(start, found.end(), put=f"{topic} {noun}")
        if _LATELY.search(self.text):
            self.order = "newest"
            self.text = _LATELY.sub(" ", self.text)


def _number(word: str | None) -> int | None:
    for found in extract_kinds(word or "", ANY_DAY, frozenset({Kind.NUMBER})):
        value: float = found.payload.value
        if found.end == len(word or "") and value.is_integer() and 0 < value <= _MOST_ASKED:
            return int(value)
    return None


def _objects(said: str) -> tuple[str, ...]:
    found = []
    for part in _AND.split(said):
        name = _DID.sub("", part.strip(" .,'’"))
        while (shorter := _ARTICLE.sub("", name)) != name:
            name = shorter
        if name:
            found.append(name)
    return tuple(found)


def read_question(
    said: str, now: datetime, given: DecisionFilters | None = None, zone: tzinfo = UTC
) -> Question:
    """Take times, people with an at sign, statuses, negations and an order out of a question.

    What the caller gives stands before what the words say. Technologies without "tech:" and whom
    or what a negation names need what is on record: see entity_names.py.

    Args:
        zone: whose days are meant.

    Raises:
        BadInput: the two together end before they begin.
    """
    given = given or DecisionFilters()
    technologies, text = labelled_technologies(said)
    read = _Reading(text, given)
    people = read.people()
    status = read.status()
    since, until = read.period(now, zone)
    read.negations()
    read.ordering()
    filters = DecisionFilters(
        since=given.since or since,
        until=given.until or until,
        people=given.people or people,
        technologies=given.technologies or technologies,
        status=given.status or status,
        session_id=given.session_id,
    )
    asked = " ".join(read.text.split())
    for_any = bool(_ASKS_FOR_ANY.search(asked)) or read.order != "best"
    whole = Question(
        text=asked,
        filters=filters,
        excluded=tuple(read.excluded),
        left_out=tuple(read.left_out),
        order=read.order,
        most=read.most,
        lists=for_any,
        not_understood=tuple(read.unread),
    )
    return whole if technologies else with_text(whole, asked)


def with_text(asked: Question, text: str) -> Question:
    """Give a question other words, less those that only ask for decisions."""
    topic = without_frame(" ".join(text.split()))
    return asked.model_copy(update={"text": topic})


def without_frame(asked: str) -> str:
    """Leave the words that only ask for decisions out: all of them, or those before the noun."""
    words = asked.split()
    plain = [re.sub(r"\W", "", word.lower()) for word in words]
    noun = next((place for place, word in enumerate(plain) if word in (*_ONE, *_MANY)), None)
    if all(map(_is_frame, plain)) and _ASKS_FOR_ANY.search(asked):
        return " ".join(word for word in words if not terms_of(word)) or " "
    if noun and all(map(_is_frame, plain[:noun])):
        return " ".join(words[noun:])
    return asked


def _is_frame(word: str) -> bool:
    return not word or word in _FRAME or word in STOP_WORDS
