"""Notices of the journal: decisions detected, extracted, stored, superseded and searched."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from state.journal import Decision, DecisionLink
from state.notice import JournalNoticeKind
from tools.ports import NoticeStream


class JournalEvent(NamedTuple):
    """One event, as the stream and webhooks tell it."""

    kind: JournalNoticeKind
    data: Mapping[str, Any]


def events_of(made: Decision) -> Iterator[JournalEvent]:
    """Tell of a new decision; those of a conversation were found in it."""
    which = {"decision_id": made.id}
    if made.origin == "conversation":
        sure = {"confidence": made.confidence}
        yield JournalEvent("context:decision:detected", which | sure)
        summary = {"decision_summary": made.title}
        yield JournalEvent("context:decision:extracted", which | summary)
    yield JournalEvent("context:decision:indexed", which)


def superseded(link: DecisionLink) -> JournalEvent:
    """Tell of a link that holds."""
    return JournalEvent("context:decision:superseded", _of(link))


def link_refused(link: DecisionLink, *, held: bool) -> JournalEvent:
    """Tell of a link that was refused; if it held until then, both ends stand as before it."""
    settled = {"held": held, "refused_by": link.settled_by}
    return JournalEvent("context:decision:link_refused", _of(link) | settled)


def searched(query: str, result_count: int) -> JournalEvent:
    """Tell what was asked, and how much was found."""
    data = {"query": query, "result_count": result_count}
    return JournalEvent("context:decision:searched", data)


def _of(link: DecisionLink) -> dict[str, Any]:
    return {
        "old_decision_id": link.older,
        "new_decision_id": link.newer,
        "scope": link.scope,
        "reason": link.reason,
    }


@dataclass(frozen=True)
class JournalEvents:
    """Tells whoever listens; in a process that serves nobody there is nobody to tell."""

    telling: NoticeStream | None = None

    def kept(self, fresh: Iterable[Decision]) -> None:
        """Tell of new decisions."""
        for one in fresh if self.telling else ():
            for event in events_of(one):
                self.tell(event, one.tenant_id, (one.session_id,))

    def tell(self, event: JournalEvent, tenant_id: str, sessions: Collection[str]) -> None:
        """Tell of one event whoever may read all the sessions that its words are from."""
        if self.telling:
            self.telling.tell(event.kind, tenant_id, event.data, sessions)
