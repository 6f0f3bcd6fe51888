"""What the stream is told of the journal: decisions found, read, kept, superseded and asked for."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from state.journal import Decision, DecisionLink
from state.notice import JournalNoticeKind
from tools.ports import Telling


@dataclass(frozen=True)
class JournalEvents:
    """Tells whoever listens; in a process that serves nobody there is nobody to tell."""

    telling: Telling | None = None

    def kept(self, fresh: Iterable[Decision]) -> None:
        """Tell of new decisions; those of a conversation were found in it."""
        for one in fresh if self.telling else ():
            if one.origin == "conversation":
                self._tell("context:decision:detected", one, {"confidence": one.confidence})
                self._tell("context:decision:extracted", one, {"decision_summary": one.title})
            self._tell("context:decision:indexed", one, {})

    def superseded(self, links: Sequence[DecisionLink], tenant_id: str) -> None:
        """Tell of links that hold; what is only proposed replaces nothing yet."""
        for link in links if self.telling else ():
            if link.standing == "accepted" and self.telling:
                data = {
                    "old_decision_id": link.older,
                    "new_decision_id": link.newer,
                    "scope": link.scope,
                    "reason": link.reason,
                }
                self.telling.tell("context:decision:superseded", tenant_id, data)

    def searched(self, query: str, result_count: int, tenant_id: str) -> None:
        """Tell what was asked, and how much was found."""
        if self.telling:
            data = {"query": query, "result_count": result_count}
            self.telling.tell("context:decision:searched", tenant_id, data)

    def _tell(self, kind: JournalNoticeKind, one: Decision, data: dict[str, object]) -> None:
        if self.telling:
            self.telling.tell(kind, one.tenant_id, {"decision_id": one.id, **data})
