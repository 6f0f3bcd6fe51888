"""What learns from feedback, put together; and the door for feedback by a response's id."""

from collections.abc import Awaitable, Callable
from uuid import uuid4

from graph.assembly.toolbox import Toolbox
from state.errors import Forbidden
from state.event import Event
from state.heuristic import Feedback
from state.principal import Principal
from state.record import DecisionRecord
from state.tuning import Tuning
from tools.callers.readers import Readers
from tools.catalogue.catalogue import Catalogue
from tools.embedding.encoder import Encoder
from tools.heuristics.learned import Learned
from tools.heuristics.learning import Learning
from tools.heuristics.likeness import Likeness
from tools.heuristics.noting import LearningNotes
from tools.heuristics.store import SqlHeuristics, Traced
from tools.policy.talk_rights import REFUSAL, may_change
from tools.storage.companions import Covers
from tools.storage.database import Database

SOURCE = "feedback"


def build_learning(
    database: Database, catalogue: Catalogue, tuning: Tuning, encoder: Encoder | None
) -> SqlHeuristics:
    """Build what learns; nothing is read yet."""
    likeness = Likeness(tuning.learning, encoder, encoder.recall if encoder else None)
    shipped = {one.id: one for pack in catalogue.packs for one in pack.heuristics}
    return SqlHeuristics(
        database,
        Learning(likeness, shipped),
        Learned(likeness, catalogue, Readers(tuning.sessions)),
    )


def learning_notes(learned: SqlHeuristics, covering: Covers, tuning: Tuning) -> LearningNotes:
    """Build what writes down responses, and what is said of them, beside every decision."""
    return LearningNotes(
        learned.learning,
        learned.learned,
        learned.learned.catalogue,
        covering,
        tuning.personality.answers_within_seconds,
        tuning.proactive.present_seconds,
    )


class Rating:
    """Takes feedback on a response; each time it is an event with its record."""

    def __init__(self, box: Toolbox, submit: Callable[[Event], Awaitable[DecisionRecord]]) -> None:
        self._box = box
        self._submit = submit

    @property
    def heuristics(self) -> SqlHeuristics:
        """Hand out the heuristics, for looking at and changing."""
        return self._box.learned

    async def rate(self, principal: Principal, given: Feedback) -> Traced:
        """Take what a person says of a response; the last word of anybody counts, once.

        Raises:
            NotFound: there is no such response in the tenant.
            Forbidden: these roles change nothing here, and what is learned is learned for all.
        """
        reader = self._box.readers.of(principal)
        traced = await self._box.learned.response(given.response_id, reader)
        if not may_change(self._box.catalogue, principal.roles):
            raise Forbidden(REFUSAL)
        await self._submit(
            Event(
                event_id=f"{SOURCE}-{uuid4().hex}",
                kind="signal",
                source=SOURCE,
                text=f"{given.rating}: {traced.trace.response[:200]}",
                session_id=traced.trace.session_id,
                tenant_id=principal.tenant_id,
                user=principal.user,
                role=",".join(principal.roles) or None,
                payload={"feedback": given.model_dump(mode="json", exclude_none=True)},
            )
        )
        return await self._box.learned.response(given.response_id, principal.tenant_id)
