"""Notify the session in which a decision was taken when another decision supersedes it."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from functools import partial

from pydantic import JsonValue

from graph.toolbox import Toolbox
from state.errors import NotFound
from state.event import Event
from state.journal import Decision, DecisionLink
from state.reader import whole
from state.record import DecisionRecord
from state.salience import SalienceVector
from tools.journal.extraction.attributes import fold_name
from tools.platform.text_comparison import shorten
from tools.platform.texts import t

SOURCE = "journal"
LOOKS_BACK = timedelta(days=1)
"""What was linked while nobody ticked is told up to a day later; a link is told once."""
_MATTERS = SalienceVector(goal_relevance=0.75, social=0.5)
_cut = partial(shorten, longest=160)


class SupersessionNotifier:
    """Submits an event for each decision that people took and that something else has replaced."""

    def __init__(self, box: Toolbox, submit: Callable[[Event], Awaitable[DecisionRecord]]) -> None:
        self._box = box
        self._submit = submit
        self._seen: set[int] = set()

    async def inform(self) -> int:
        """Tell of links that hold since the last call; tell how many that was."""
        since = self._box.clock.now() - LOOKS_BACK
        told = after = 0
        held: set[int] = set()
        while links := await self._box.journal.succession.holding(since, after=after):
            for tenant_id, link in links:
                if link.link_id not in self._seen:
                    told += await self._tell(tenant_id, link)
                held.add(link.link_id)
            after = links[-1][1].link_id
        self._seen &= held  # what is older than we look back is forgotten
        return told

    async def _tell(self, tenant_id: str, link: DecisionLink) -> bool:
        event = await self._event(tenant_id, link)
        if event is not None:
            await self._submit(event)
        self._seen.add(link.link_id)
        return event is not None

    async def _event(self, tenant_id: str, link: DecisionLink) -> Event | None:
        store = self._box.journal.store
        try:
            older = await store.get(link.older, whole(tenant_id))
            newer = await store.get(link.newer, whole(tenant_id))
        except NotFound:
            return None
        if not self._box.readers.may_tell(tenant_id, newer.session_id, older.session_id):
            return None  # the newer one's title would be heard by who may not read it
        people = _concerned(older, link, newer)
        if older.origin != "conversation" or not people:
            return None
        name = "replaced" if link.scope == "full" else "revised"
        return Event(
            event_id=f"superseded-{link.link_id}",
            source=SOURCE,
            text=t(
                f"answer.superseded.{name}",
                people=", ".join(people),
                older=_cut(older.title),
                newer=_cut(newer.title),
                reason=_cut(link.reason) if link.source == "person" else "",
            ),
            session_id=older.session_id,
            tenant_id=tenant_id,
            occurred_at=self._box.clock.now(),
            salience=_MATTERS,
            payload={
                "decision_id": older.id,
                "superseded_by": newer.id,
                "stakeholders": list[JsonValue](people),
            },
        )


def _concerned(older: Decision, link: DecisionLink, newer: Decision) -> list[str]:
    """Name who took part in the older decision, without who has just replaced it."""
    known = {fold_name(link.made_by or ""), fold_name(link.settled_by or "")}
    known |= {fold_name(newer.decision_maker or "")}
    names = (*older.stakeholders, older.decision_maker or "")
    return [name for name in dict.fromkeys(names) if name and fold_name(name) not in known]
