"""What people told of themselves, and what happened: found by questions in other words.

A fact is a marked utterance; what happened is read from the decisions on it.
"""

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import Connection, delete, literal_column, select, update

from state.errors import EncoderUnavailable
from state.event import Event
from state.session import Session
from state.talk import TalkRequest
from tools.adapters import Embedder
from tools.memory.event_match import excludes
from tools.nlu import matches_topic
from tools.nlu.control.personal import TOLD, fact_of, in_second_person, with_value
from tools.nlu.lexicon.normalization import word_set
from tools.platform.clock import Clock
from tools.platform.text_comparison import keywords_of, shorten
from tools.platform.texts import t
from tools.storage import Database
from tools.storage.record_hooks import SettledDecision
from tools.storage.tables.decisions import decision
from tools.storage.tables.memory import memory_entry as entry
from tools.storage.tables.memory import memory_vector

_MOST = 300
"""Newest facts of a person among which the answer is looked for."""
_NOT_CALLED = 20
"""Names that one person does not want."""
_LAST = 10
"""Messages of a session among which the speaker's last one is looked for."""
# Measured on 30 facts and 65 questions, 28 of them about what nobody told, in
# tests/tools/memory/fact_questions.tsv.
_SAME_WORDS = 0.6
"""Score of a fact that has all words of the question; a cosine, and a fifth for the words."""
_OTHER_WORDS = 0.72
"""The same where a word is missing."""
_OF_WORDS = 0.2
_NEAR = 0.05
"""Below the best by so much, the newer fact is the answer: it was told since."""
_FUNCTION = word_set(
    "what which who whose where when how why is are was were am do does did the a an my our i we me"
    " us s it its to of in on at can have has had be called name day like best you your that this"
    " and for with much many often"
)
_TOKEN = re.compile(r"[^\W_]+")


class Fact(NamedTuple):
    """A marked utterance."""

    entry_id: int
    text: str
    at: float
    vector: bytes | None


@dataclass(frozen=True)
class SqlFacts:
    """Facts of people in the memory; without an encoder they are found by their words."""

    database: Database
    embedder: Embedder | None
    clock: Clock
    correctable_seconds: float
    """So long after it was told or asked a fact is what a correction is of."""
    zone: tzinfo = UTC

    async def answer(self, event: Event) -> str | None:
        """Tell what the speaker told that answers their question; None: they told nothing."""
        found = await self.about(event, event.text)
        if found is None:
            return None
        here = datetime.fromtimestamp(found.at, self.zone)
        is_today = here.date() == self.clock.now().astimezone(self.zone).date()
        day = "" if is_today else f"{here:%Y-%m-%d}"
        return t("answer.fact.told", fact=in_second_person(found.text), day=day)

    async def about(self, event: Event, asked: str) -> Fact | None:
        """Find the fact of a speaker that some words are about; None: they told none."""
        if event.user is None:
            return None
        known = await self.database.read(lambda one: self._known(one, event))
        return await asyncio.to_thread(best_fact, self.embedder, asked, known) if known else None

    async def corrected(self, event: Event, value: str) -> TalkRequest | None:
        """Make the change that a correction is, of what its speaker told or asked just before."""
        asked = await self.database.read(lambda one: self._before(one, event))
        found = await self.about(event, asked) if asked else None
        if found is None:
            return None
        fact = with_value(found.text, value)
        return TalkRequest(kind="fact", topic=fact, instead=found.text)

    def _before(self, connection: Connection, event: Event) -> str | None:
        query = (
            select(decision.c.event, decision.c.decision_id)
            .where(
                decision.c.tenant_id == event.tenant_id,
                decision.c.session_id == event.session_id,
                decision.c.kind == "message",
                decision.c.recorded_at >= self.clock.now().timestamp() - self.correctable_seconds,
                decision.c.decision_id != event.decision_id,
            )
            .order_by(decision.c.recorded_at.desc())
            .limit(_LAST)
        )
        before = (Event.model_validate(row.event) for row in connection.execute(query))
        return next((one.text for one in before if one.user == event.user), None)

    def _known(self, connection: Connection, event: Event) -> list[Fact]:
        name = self.embedder.name if self.embedder is not None else ""
        has = (memory_vector.c.entry_id == entry.c.entry_id) & (memory_vector.c.encoder == name)
        query = (
            select(entry.c.entry_id, entry.c.text, entry.c.at, memory_vector.c.vector)
            .outerjoin(memory_vector, has)
            .where(*_of(event.tenant_id, event.user))
            .order_by(entry.c.at.desc())
            .limit(_MOST)
        )
        return [Fact(*row) for row in connection.execute(query)]


def best_fact(encoder: Embedder | None, asked: str, known: Sequence[Fact]) -> Fact | None:
    """Find the fact that answers a question; None: none does. It blocks for milliseconds."""
    cosines, wanted = _cosines(encoder, asked, known), _content(asked)
    ranked = []
    for place, one in enumerate(known):
        share = len(wanted & _content(one.text)) / len(wanted) if wanted else 0.0
        if cosines is None:
            score, floor = share, 1.0
        else:
            score = cosines[place] + _OF_WORDS * share
            floor = _SAME_WORDS if share == 1 else _OTHER_WORDS
        if score >= floor:
            ranked.append((score, one))
    best = max((score for score, _one in ranked), default=0.0)
    near = [one for score, one in ranked if score >= best - _NEAR]
    return max(near, key=lambda one: one.at, default=None)


def _cosines(encoder: Embedder | None, asked: str, known: Sequence[Fact]) -> Sequence[float] | None:
    """Compare a question with facts; None: there is no encoder, or it does not answer."""
    if encoder is None:
        return None
    lacking = [one.text for one in known if one.vector is None]
    try:
        vectors = encoder.embed([asked, *lacking])
    except EncoderUnavailable:
        return None
    fresh = iter(vectors[1:])
    rows = [
        next(fresh) if one.vector is None else np.frombuffer(one.vector, np.float32)
        for one in known
    ]
    return [float(row @ vectors[0]) for row in rows]


def _of(tenant_id: str, user: str | None) -> tuple[Any, ...]:
    return (
        entry.c.tenant_id == tenant_id,
        entry.c.said_by == "person",
        entry.c.user == user,
        entry.c.body["fact"].as_boolean().is_(True),
    )


def _content(text: str) -> frozenset[str]:
    words = (_stem(word) for word in _TOKEN.findall(text.lower()) if word not in _FUNCTION)
    return frozenset(words)


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "s"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            word = word.removesuffix(ending)
            break
    return word.removesuffix("e")


@dataclass(frozen=True)
class FactRecorder:
    """Marks what was told to be remembered, and removes what is to be forgotten or replaced.

    It runs behind the recorder of utterances: a fact is one of those, with a mark.
    """

    def note(self, settled: SettledDecision) -> Callable[[], None] | None:
        """Note what a recorded decision says of facts."""
        policy = settled.stages.get("policy") or {}
        talk = policy.get("talk") or {}
        kind, is_told = talk.get("kind"), TOLD in (policy.get("reasons") or ())
        if settled.standing != "recorded" or not (kind in ("fact", "no_fact") or is_told):
            return None
        record, connection = settled.record, settled.connection
        user = settled.event.user
        if user is None:
            return None
        gone = talk.get("topic") if kind == "no_fact" else talk.get("instead")
        if gone:
            _remove(connection, record.tenant_id, user, gone)
        if kind == "no_fact":
            return None
        # Secrets were covered in the utterance; a text that is not as it was said stays covered.
        row = select(entry.c.entry_id, entry.c.text).where(
            entry.c.decision_id == record.decision_id, entry.c.said_by == "person"
        )
        said = connection.execute(row).first()
        if said is not None:
            is_whole = said.text == settled.event.text
            text = (talk.get("topic") if is_whole else None) or fact_of(said.text)
            _mark(connection, said.entry_id, text)
        return None


def _mark(connection: Connection, entry_id: int, text: str) -> None:
    """Write a fact over its utterance: as a new row, since the text of one never changes."""
    old = connection.execute(select(entry).where(entry.c.entry_id == entry_id)).mappings().one()
    body = {**old["body"], "fact": True}
    if text == old["text"]:
        statement = update(entry).where(entry.c.entry_id == entry_id)
        connection.execute(statement.values(body=body))
        return
    connection.execute(delete(entry).where(entry.c.entry_id == entry_id))
    new = {name: value for name, value in old.items() if name != "entry_id"}
    connection.execute(entry.insert().values({**new, "text": text, "body": body}))


def _remove(connection: Connection, tenant_id: str, user: str, text: str) -> None:
    """Remove a fact with what was answered when it was told."""
    known = (*_of(tenant_id, user), entry.c.text == text)
    told = connection.scalars(select(entry.c.decision_id).where(*known)).all()
    connection.execute(delete(entry).where(entry.c.decision_id.in_(told)))


def called(session: Session, request: TalkRequest) -> dict[str, Any]:  # fields of Session
    """Return what a wish about one's name changes of a session's person."""
    name, profile = (request.topic or "")[:80], session.profile
    if session.person is None or not name or request.kind not in ("called", "not_called"):
        return {}
    others = tuple(one for one in profile.not_called if one.casefold() != name.casefold())
    if request.kind == "called":
        changed: dict[str, Any] = {"called": name, "not_called": others}
    else:
        is_now = (profile.called or "").casefold() == name.casefold()
        kept = None if is_now else profile.called
        changed = {"called": kept, "not_called": (*others, name)[-_NOT_CALLED:]}
    return {"profile": profile.model_copy(update=changed)}


_MOST_EVENTS = 5_000
"""Newest events of a session that are looked at."""
_SHOWN = 160
"""Characters of the last one that are told."""


class PastEvent(NamedTuple):
    """Something that happened; seconds since 1970."""

    text: str
    at: float


@dataclass(frozen=True)
class SqlPastEvents:
    """The events of a session, as their decisions keep them."""

    database: Database
    clock: Clock
    zone: tzinfo = UTC

    async def answer(self, event: Event, things: str, words: str) -> str:
        """Say how often it happened and when last, or that nothing like it is on record.

        Args:
            things: what it happened to; empty: the newest event is meant, and those like it.
            words: the question, which may tell a state: an event in another one does not count.
        """
        known = await self.database.read(lambda one: self._known(one, event))
        found = _meant(things, words, known)
        if not found:
            return t("answer.past.none")
        last = found[0]
        here, now = datetime.fromtimestamp(last.at, self.zone), self.clock.now()
        is_today = here.date() == now.astimezone(self.zone).date()
        return t(
            "answer.past.once" if len(found) == 1 else "answer.past.often",
            count=len(found),
            when=f"{here:%H:%M}" if is_today else f"{here:%Y-%m-%d %H:%M}",
            text=shorten(last.text, _SHOWN),
        )

    def _known(self, connection: Connection, event: Event) -> list[PastEvent]:
        query = (
            select(decision.c.event["text"].as_string(), decision.c.recorded_at)
            .where(
                decision.c.tenant_id == event.tenant_id,
                decision.c.session_id == event.session_id,
                decision.c.kind == "ambient",
                decision.c.recorded_at.is_not(None),
            )
            .order_by(decision.c.recorded_at.desc(), literal_column("decision.rowid").desc())
            .limit(_MOST_EVENTS)
        )
        return [PastEvent(said or "", at) for said, at in connection.execute(query)]


def _meant(things: str, words: str, known: Sequence[PastEvent]) -> list[PastEvent]:
    """List the events that a question is about, the newest first; of `this` those before it."""
    if things:
        return [
            one
            for one in known
            if matches_topic(things, one.text) and not excludes(words, one.text)
        ]
    if not known:
        return []
    last = _without_numbers(known[0].text)
    return [one for one in known[1:] if last and _without_numbers(one.text) == last]


def _without_numbers(text: str) -> frozenset[str]:
    return frozenset(word for word in keywords_of(text) if not word.isdigit())
