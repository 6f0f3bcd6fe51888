"""Answer how often something happened in a session, whether it did before, and when last."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import NamedTuple

from sqlalchemy import Connection, select, text

from state.event import Event
from tools.memory.event_match import excludes
from tools.nlu import matches_topic
from tools.platform.clock import Clock
from tools.platform.text_comparison import keywords_of, shorten
from tools.platform.texts import t
from tools.storage import Database
from tools.storage.tables.decisions import decision

_MOST = 5_000
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
            .order_by(decision.c.recorded_at.desc(), text("decision.rowid DESC"))
            .limit(_MOST)
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
