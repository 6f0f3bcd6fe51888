"""Search the journal within a reader's rights and the question's filters.

Filters are resolved against the stored entries. Also lists the newest decisions.
"""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from functools import partial
from itertools import islice
from typing import Literal

from sqlalchemy import Connection, func, select

from state.errors import EncoderUnavailable
from state.journal import Decision, DecisionFilters, FoundDecision, NotUnderstood
from state.reader import Reader
from tools.adapters import VectorOwner, Vectors
from tools.adapters.vector_index.nearest_neighbours import NearestRows, NearestSearch
from tools.journal.search import retrieval as legs
from tools.journal.search.entity_names import are_names, is_person, spellings
from tools.journal.search.query import (
    STOP_WORDS,
    maker_candidates,
    match_of,
    relative_to,
    technology_candidates,
    terms_of,
)
from tools.journal.search.question import LeftOut, Question, read_question, with_text
from tools.journal.search.retrieval import STEM, boost_titles, fuse_scores, rarest_terms, stems
from tools.journal.store.entry_rows import OF_DECISIONS, parts_of
from tools.journal.store.link_rows import hide_links_of_hidden, read_visible
from tools.journal.store.store import JournalStore
from tools.storage import readable_in
from tools.storage.tables.journal import journal_entry

_MOST_TRIED = 30
"""Readings of a question that are held against the names on record: each is a query."""
_NEVER = datetime.min.replace(tzinfo=UTC)
_A_MOMENT = timedelta(seconds=1)
"""What is asked for after a decision does not find it itself."""


def ground_question(connection: Connection, asked: Question, reader: Reader) -> Question:
    """Turn into filters what only the records that one may read tell to be one."""
    asked = _placed(connection, asked, reader)
    asked = _without(connection, asked, reader)
    return _named(connection, _by_whom(connection, asked, reader), reader)


def _placed(connection: Connection, asked: Question, reader: Reader) -> Question:
    """Put the day of a decision on record in place of its name: "before the migration"."""
    relative = relative_to(asked.text)
    if relative is None or asked.filters.since or asked.filters.until:
        return asked
    terms = terms_of(relative.event)
    at = legs.decided_at(connection, terms, reader) if terms else None
    if at is None:
        unknown = NotUnderstood(field="time", text=asked.text[len(relative.rest) :].strip(" .?!"))
        return asked.model_copy(update={"not_understood": (*asked.not_understood, unknown)})
    day = datetime.fromtimestamp(at, UTC)
    span = {"until": day} if relative.side == "before" else {"since": day + _A_MOMENT}
    filters = asked.filters.model_copy(update=span)
    return asked.model_copy(update={"text": relative.rest, "filters": filters})


def _without(connection: Connection, asked: Question, reader: Reader) -> Question:
    """Leave out those of whom, or about what, a negation names; who is unknown is told."""
    excluded, unknown = [*asked.excluded], [*asked.not_understood]
    for one in asked.left_out:
        for name in one.names:
            if found := _excluded(connection, one, name, reader):
                excluded.append(found)
            else:
                field: Literal["person", "negation"] = "person" if one.by else "negation"
                unknown.append(NotUnderstood(field=field, text=one.said))
    update = {"excluded": tuple(excluded), "not_understood": tuple(unknown)}
    return asked.model_copy(update=update)


def _excluded(
    connection: Connection, left_out: LeftOut, name: str, reader: Reader
) -> DecisionFilters | None:
    if is_person(connection, name, reader):
        return DecisionFilters(people=(name,))
    if left_out.by or name in STOP_WORDS:
        return None
    about = (name,) if " " not in name else terms_of(name)
    return DecisionFilters(technologies=about) if about else None


def _by_whom(connection: Connection, asked: Question, reader: Reader) -> Question:
    """Narrow "what did dora decide?" to hers, where somebody of that name is on record."""
    if asked.filters.people:
        return asked
    unknown = ""
    for names, start, end in islice(maker_candidates(asked.text), _MOST_TRIED):
        if all(is_person(connection, one, reader) for one in names):
            rest = f"{asked.text[:start]} {asked.text[end:]}"
            filters = asked.filters.model_copy(update={"people": names})
            return with_text(asked, rest).model_copy(update={"filters": filters})
        is_named = all(one.istitle() for one in names)
        unknown = unknown or (asked.text[start:end] if is_named else "")
    if unknown:
        told = NotUnderstood(field="person", text=unknown)
        return asked.model_copy(update={"not_understood": (*asked.not_understood, told)})
    return asked


def _named(connection: Connection, asked: Question, reader: Reader) -> Question:
    """Narrow "decisions about Kafka" to those that name it; it stays among the words as well."""
    if asked.filters.technologies:
        return asked
    found: dict[str, None] = {}
    for group in technology_candidates(asked.text):
        others = [name for name in group if not _is_part_of(name, found)]
        if are_names(connection, others, asked.text, reader):
            found |= dict.fromkeys(others)
    if not found:
        return asked
    filters = asked.filters.model_copy(update={"technologies": tuple(found)})
    return asked.model_copy(update={"filters": filters})


def _is_part_of(name: str, found: Iterable[str]) -> bool:
    """Tell whether a name is some of the words of a longer one: Hat of Red Hat, not Java of JS."""
    return any(name != one and f" {name} " in f" {one} " for one in found)


MOST_RESULTS = 50
MOST_CHARACTERS = 1_000
_FEWEST_RANKED = 20
"""Of the best, how many are looked at once more, by their titles."""


_BESIDE = 0.6
"""Of the nearest that is about the question, or of the floor: what is so near stays beside it."""


@dataclass(frozen=True)
class JournalAnswer:
    """What a question found, best first, and what of it could not be followed."""

    found: list[FoundDecision]
    not_understood: tuple[NotUnderstood, ...] = ()


@dataclass(frozen=True)
class JournalSearch:
    """Answers questions from the journal; without an encoder by words alone."""

    store: JournalStore
    floor: float
    """Cosine from which a decision is about the question though no word of it fits."""
    zone: tzinfo = UTC
    """Whose days a question means."""

    async def search(
        self,
        question: str,
        reader: Reader,
        *,
        now: datetime,
        filters: DecisionFilters | None = None,
        limit: int = 10,
    ) -> list[FoundDecision]:
        """Find decisions as `answer` does, without what was not understood."""
        return (await self.answer(question, reader, now=now, filters=filters, limit=limit)).found

    async def answer(
        self,
        question: str,
        reader: Reader,
        *,
        now: datetime,
        filters: DecisionFilters | None = None,
        limit: int = 10,
    ) -> JournalAnswer:
        """Find decisions, best first; an empty list is the honest answer when none is about it.

        Args:
            question: in plain words; times, "@name", statuses, negations, and technologies that
                the records name become filters; `the latest three` an order and a limit.
            reader: whose tenant's journal, without what is closed to them.
            now: what "last spring" is meant by.
            filters: given apart from the words, and before them.
            limit: at most this many.
        """
        asked = read_question(question[:MOST_CHARACTERS], now, filters, self.zone)
        meaning = await asyncio.to_thread(self._meaning, asked.text)
        return await self.store.database.read(
            lambda connection: self._answered(
                connection, asked, meaning, reader, max(1, min(limit, MOST_RESULTS))
            )
        )

    async def near(self, decision: Decision, reader: Reader, *, limit: int) -> list[FoundDecision]:
        """Find what a decision on record is most like; nothing in its words is a filter."""
        asked = Question(text=parts_of(decision)[0][:MOST_CHARACTERS], filters=DecisionFilters())
        meaning = await asyncio.to_thread(self._meaning, asked.text)
        found = await self.store.database.read(
            lambda connection: self._found(
                connection, asked, meaning, reader, limit + 1, judged=False
            )
        )
        return [one for one in found if one.decision.id != decision.id][:limit]

    def _meaning(self, text: str) -> Vectors | None:
        if self.store.encoder is None or not terms_of(text):
            return None
        try:
            vectors = self.store.encoder.embed([text])
        except EncoderUnavailable:
            return None
        return vectors[:1]

    def _answered(
        self,
        connection: Connection,
        asked: Question,
        meaning: Vectors | None,
        reader: Reader,
        limit: int,
    ) -> JournalAnswer:
        asked = ground_question(connection, asked, reader)
        limit = min(limit, asked.most or limit)
        if asked.order == "best":
            found = self._found(connection, asked, meaning, reader, limit)
        else:
            found = self._found(connection, asked, meaning, reader, MOST_RESULTS)
            found = _in_order(found, newest=asked.order == "newest")[:limit]
        return JournalAnswer(found, asked.not_understood)

    def _found(
        self,
        connection: Connection,
        asked: Question,
        meaning: Vectors | None,
        reader: Reader,
        limit: int,
        *,
        judged: bool = True,
    ) -> list[FoundDecision]:
        allowed = legs.SearchScope(connection, reader, asked.filters, asked.excluded)
        terms = terms_of(asked.text)
        names = " ".join(asked.filters.technologies)
        judged = judged and not set(terms) <= set(terms_of(names))
        if not terms:
            return self._listed(connection, asked, reader, limit)
        asking = self._asking(allowed, meaning)  # the index looks while the words are ranked
        ranked = match_of(rarest_terms(connection, _sought(asked)))
        words = legs.score_by_words(ranked, allowed)
        near = NearestRows({}, {})
        if asking is not None:
            near = asking.nearest(allowed, most=legs.MOST_HITS, also=words)
        scores = fuse_scores(words, near.first)
        best = [*scores][: max(2 * limit, _FEWEST_RANKED)]
        read = legs.read_bodies(connection, best, allowed.where)
        made = [Decision.model_validate(body) for body in read.values()]
        decisions = dict(zip(read, hide_links_of_hidden(connection, made, reader), strict=True))
        titles = {entry: one.title for entry, one in decisions.items()}
        scores = boost_titles(scores, titles, terms)
        top = max(words.values(), default=0.0)
        hits = self._about(asked, scores, decisions, near) if judged else [*scores]
        hits = hits[:limit]
        snippets = legs.snippets(connection, ranked, hits)
        return [
            FoundDecision(
                decision=decisions[entry],
                score=round(min(1.0, max(0.0, scores[entry])), 6),
                lexical=round(words.get(entry, 0.0) / top, 6) if top else 0.0,
                similarity=round(near.known.get(entry, 0.0), 6),
                snippet=snippets.get(entry) or decisions[entry].decision[:200],
            )
            for entry in hits
        ]

    def _listed(
        self, connection: Connection, asked: Question, reader: Reader, limit: int
    ) -> list[FoundDecision]:
        """List what filters alone ask for, or decisions of any kind, newest first; else nothing."""
        if not (asked.lists or asked.excluded or legs.is_narrowed(asked.filters)):
            return []
        at = func.coalesce(journal_entry.c.decided_at, 0.0).desc()
        if asked.order == "oldest":
            at = journal_entry.c.decided_at.asc().nulls_last()
        query = (
            select(journal_entry.c.body)
            .where(legs.scope_condition(reader, asked.filters, asked.excluded, by_index=True))
            .order_by(at, journal_entry.c.entry_id.desc())
            .limit(limit)
        )
        decisions = [Decision.model_validate(body) for body in connection.scalars(query)]
        return [
            FoundDecision(decision=one, score=1.0, snippet=one.decision[:200])
            for one in hide_links_of_hidden(connection, decisions, reader)
        ]

    def _asking(self, allowed: legs.SearchScope, meaning: Vectors | None) -> NearestSearch | None:
        if meaning is None or self.store.encoder is None:
            return None
        near = NearestSearch(
            allowed.connection,
            OF_DECISIONS,
            VectorOwner(allowed.reader.tenant_id, self.store.encoder.name),
            meaning[0],
            self.store.indexing,
        )
        return near.ask_ahead(allowed, most=legs.MOST_HITS)

    def _about(
        self,
        asked: Question,
        scores: Mapping[int, float],
        decisions: Mapping[int, Decision],
        near: NearestRows,
    ) -> list[int]:
        """Leave out what is about something else; where one is about it, the nearly near stay."""
        cosines = {entry: near.known.get(entry) for entry in scores}
        topics = asked.topics
        about = {
            one
            for one in scores
            if any(self._is_about(terms, decisions[one], cosines[one]) for terms in topics)
        }
        nearest = max((cosines[one] or 0.0 for one in about), default=0.0)
        beside = max(self.floor, nearest) * _BESIDE
        return [
            one for one in scores if about and (one in about or (cosines[one] or 0.0) >= beside)
        ]

    def _is_about(self, terms: tuple[str, ...], decision: Decision, cosine: float | None) -> bool:
        """Tell whether it means what is asked, or says most of it without meaning quite another."""
        if cosine is not None and (cosine >= self.floor or cosine < self.floor / 2):
            return cosine >= self.floor
        what, why = decision.decision, decision.rationale
        options = " ".join(one.option for one in decision.alternatives)
        text = f"{decision.title} {what} {decision.context} {why} {options}"
        words = stems(text)
        covered = sum(term[:STEM] in words for term in terms)
        return covered >= min(2, len(terms)) and covered > len(terms) / 2


def _in_order(found: list[FoundDecision], *, newest: bool) -> list[FoundDecision]:
    """Order by the day they were taken; of unknown date come last."""
    dated = [one for one in found if one.decision.timestamp is not None]
    dated.sort(key=lambda one: one.decision.timestamp or _NEVER, reverse=newest)
    return dated + [one for one in found if one.decision.timestamp is None]


def _sought(asked: Question) -> tuple[str, ...]:
    """List the words to look for: those of the question, and other spellings of what it names."""
    names = asked.filters.technologies
    spelt = " ".join(way for name in names for way in spellings(name))
    return tuple(dict.fromkeys((*terms_of(asked.text), *terms_of(spelt))))


async def newest_decisions(
    store: JournalStore, reader: Reader, *, limit: int, skipped: int = 0
) -> list[Decision]:
    """List the decisions one may read, the newest first; those of unknown date come last."""
    query = (
        select(journal_entry.c.body)
        .where(readable_in(journal_entry, reader))
        .order_by(
            func.coalesce(journal_entry.c.decided_at, 0.0).desc(), journal_entry.c.entry_id.desc()
        )
        .limit(limit)
        .offset(skipped)
    )
    return await store.database.read(partial(read_visible, query=query, reader=reader))
