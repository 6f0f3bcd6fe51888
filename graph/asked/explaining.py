"""Answer "why did you do that?" in words from the records, as the commands `why` tell it."""

from collections.abc import Iterator

from graph.assembly.toolbox import Toolbox
from graph.words.explain import in_short
from graph.words.quiet import standing_words
from state.event import Event
from state.record import DecisionRecord, DecisionTrace
from tools.policy.self_questions import SelfQuestion, self_question
from tools.relevance.quietness import Standing
from tools.salience.requests import matches_topic

LOOKED_AT = 50
EXPLAINS = "explain"
"""The intent of such questions; none of them is about another one."""
_NOT_DONE = (
    *("passed", "held", "merged", "silent", "refused", "rejected", "failed"),
    *("offered", "awaiting_approval"),
)
_DONE = ("executed", "spoke", "offered", "awaiting_approval", "refused", "rejected", "failed")
_NOTHING = "I have no decision of this session on record that this could be about."


class Explaining:
    """Finds the decision that is meant and says why; it looks in the session alone."""

    def __init__(self, box: Toolbox) -> None:
        self._box = box

    async def __call__(self, event: Event) -> str:
        """Answer a question about our own doing."""
        asked = self_question(event.text)
        if asked is not None and asked.about == "silence":
            return "\n".join(await self._standing(event))
        trace = None if asked is None else await self._meant(event, asked)
        return _NOTHING if trace is None else "\n".join(_lines(trace))

    async def _standing(self, event: Event) -> Iterator[str]:
        box = self._box
        session = await box.decisions.session(event.tenant_id, event.session_id)
        waiting = await box.holds.waiting(event.tenant_id, event.session_id)
        standing = Standing(box.tuning, box.context, box.settings.zone)
        return standing_words(standing.of(session, waiting, box.clock.now()))

    async def _meant(self, event: Event, asked: SelfQuestion) -> DecisionTrace | None:
        """Find the newest decision of that kind on what happened, or on the person's own words."""
        outcomes = _DONE if asked.about == "done" else _NOT_DONE
        newest = await self._box.records.newest(
            event.tenant_id, session_id=event.session_id, limit=LOOKED_AT
        )
        for record in newest:
            if record.outcome not in outcomes or not _may_be_meant(record, event):
                continue
            trace = await self._box.records.trace(record.decision_id, event.tenant_id)
            is_own = trace.event.get("user") in (None, event.user)
            if is_own and (not asked.topic or _is_about(trace, asked.topic)):
                return trace
        return None


def _may_be_meant(record: DecisionRecord, event: Event) -> bool:
    return (
        record.decision_id != event.decision_id
        and record.intent != EXPLAINS
        and record.reason != "signal_noted"
    )


def _is_about(trace: DecisionTrace, topic: str) -> bool:
    return matches_topic(topic, str(trace.event.get("text", "")), trace.record.text)


def _lines(trace: DecisionTrace) -> Iterator[str]:
    yield f'About "{" ".join(str(trace.event.get("text", "")).split())[:120]}":'
    yield from in_short(trace)
    yield f"All of it: prefrontal why {trace.record.decision_id[:8]}"
