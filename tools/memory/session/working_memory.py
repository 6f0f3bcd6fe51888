"""The session's working memory: facts of each pack, the pending question, what was shown.

Per pack: stage, facts, lists and last search.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from state.action import PRIMITIVE_SLOT_TYPES, Action
from state.memory import Learnt, Listed, PackMemory, Searched, StageChange
from state.outcome import ActionOutcome
from state.policy import Routing, query_of, search_from
from state.result import DecisionResult
from state.session import OpenQuestion, Session, Shown
from state.stages import Gathered
from tools.nlu.search_query.requests import (
    QUERY_SLOTS,
    is_about_something,
    narrows_by_fields,
    takes_search,
)
from tools.ports import Catalogue

HISTORY_KEPT = 50
"""Steps of a stage: more than a channel is told; the whole stands in the records."""
LISTED_KEPT = 100
"""As many as a list ever shows: `the second one` names one of them."""
LISTED, REMEMBERED = "listed", "remembered"
"""Keys of an action's data: entity type → ids in the order shown; name → value to remember."""


@dataclass(frozen=True)
class PackMemoryUpdate:
    """Applies a decision to the memory of the packs; of what failed only a search is kept."""

    catalogue: Catalogue

    def after(
        self, memory: Mapping[str, PackMemory], gathered: Gathered
    ) -> Mapping[str, PackMemory]:
        """Return the memory after a decision; what it does not concern stays as it is."""
        changed = dict(memory)
        for pack, update in self._updates(changed, gathered):
            changed[pack] = changed.get(pack, PackMemory()).model_copy(update=update)
        return changed

    def _updates(
        self, memory: Mapping[str, PackMemory], gathered: Gathered
    ) -> Iterator[tuple[str, dict[str, Any]]]:  # fields of PackMemory
        for pack, values in (gathered.policy.learnt if gathered.policy else {}).items():
            yield pack, {"facts": _facts(memory, pack, values, "said", gathered)}
        outcome = gathered.outcome
        action = self._done(gathered)
        if action is None or outcome is None:
            return
        if outcome.state == "failed" and takes_search(action) and outcome.arguments:
            # Nobody has to say it all again because no provider answered.
            search = search_from(outcome.arguments)
            last = Searched(action=action.name, search=search, at=_now(gathered))
            yield action.pack, {"searched": last}
        if outcome.state != "succeeded":
            return
        pack = action.pack
        if gathered.advanced is not None:
            yield pack, _stepped(memory, pack, gathered)
        listed = _listed(outcome, keeps_empty=action.effect == "read")
        if listed:
            now = _now(gathered)
            before = memory[pack].listed if pack in memory else {}
            lists = {
                kind: Listed(values=new, at=now)
                if _is_a_new_list(action, new, outcome)
                else _after(before.get(kind), new, now)
                for kind, new in listed.items()
            }
            yield pack, {"listed": {**before, **lists}}
        told = outcome.data.get(REMEMBERED)
        if isinstance(told, Mapping):
            texts = {str(name): str(value or "") for name, value in told.items()}
            yield pack, {"facts": _facts(memory, pack, texts, "action", gathered)}
        if takes_search(action) and outcome.arguments:
            yield from self._searched(memory, action, outcome.arguments, gathered)

    def _searched(
        self,
        memory: Mapping[str, PackMemory],
        action: Action,
        arguments: Mapping[str, Any],  # by slot type
        gathered: Gathered,
    ) -> Iterator[tuple[str, dict[str, Any]]]:  # fields of PackMemory
        search = search_from(arguments)
        pack = action.pack
        yield pack, {"searched": Searched(action=action.name, search=search, at=_now(gathered))}
        facts = memory[pack].facts if pack in memory else {}
        named = {
            name: query_of(search.query_terms)
            for name, rule in self.catalogue.pack(pack).policy.remembers.items()
            if rule.from_search and (name not in facts or facts[name].source == "search")
        }
        if named and search.query_terms:
            yield pack, {"facts": _facts(memory, pack, named, "search", gathered)}

    def _done(self, gathered: Gathered) -> Action | None:
        name = gathered.result.action if gathered.result else None
        return self.catalogue.actions.get(name or "")


def _now(gathered: Gathered) -> float:
    return gathered.arrival.received_at.timestamp()


def _facts(
    memory: Mapping[str, PackMemory],
    pack: str,
    values: Mapping[str, str],
    source: str,
    gathered: Gathered,
) -> dict[str, Learnt]:
    """Lay new values over the facts; the same keeps its source and date, nothing forgets it."""
    facts = dict(memory[pack].facts) if pack in memory else {}
    for name, value in values.items():
        if not value:
            facts.pop(name, None)
        elif name not in facts or facts[name].value != value:
            facts[name] = Learnt.model_validate(
                {
                    "value": value,
                    "source": source,
                    "at": _now(gathered),
                    "decision_id": gathered.arrival.decision_id,
                }
            )
    return facts


def _stepped(
    memory: Mapping[str, PackMemory], pack: str, gathered: Gathered
) -> dict[str, Any]:  # fields of PackMemory
    step = gathered.advanced
    if step is None:
        return {}
    entry = StageChange(
        from_stage=step.from_stage,
        to_stage=step.to_stage,
        at=_now(gathered),
        on_action=step.on_action,
        reason=step.reason,
        decision_id=gathered.arrival.decision_id,
    )
    before = memory[pack].history if pack in memory else ()
    return {"stage": step.to_stage, "history": (*before, entry)[-HISTORY_KEPT:]}


def _after(before: Listed | None, values: tuple[str, ...], now: float) -> Listed:
    """Keep the list that is on the table when one thing of it is looked at: that one is `it`."""
    if len(values) == 1:
        kept = before.values if before is not None and before.values else values
        return Listed(values=kept, it=values[0], at=now)
    return Listed(values=values, at=now)


def _is_a_new_list(action: Action, values: tuple[str, ...], outcome: ActionOutcome) -> bool:
    """Tell a list of one thing, which a search found, from one thing that was looked at."""
    if takes_search(action) or narrows_by_fields(action):
        return True
    return action.effect == "read" and not any(
        value in (outcome.arguments or {}).values() for value in values
    )


def _listed(outcome: ActionOutcome, *, keeps_empty: bool) -> Mapping[str, tuple[str, ...]]:
    """Read what an answer lists; that a read found nothing ends the list before it."""
    told = outcome.data.get(LISTED)
    if not isinstance(told, Mapping):
        return {}
    return {
        str(kind): tuple(map(str, values))[:LISTED_KEPT]
        for kind, values in told.items()
        if isinstance(values, (list, tuple)) and (values or keeps_empty)
    }


QUESTIONS_KEPT = 20
"""One a person, the newest people: more do not talk in one session at a time."""
ONE_OF_SEVERAL = "several_things"
QUESTIONS_ABOUT_SLOTS = ("missing_slot", "unclear", ONE_OF_SEVERAL)


def apply_question(session: Session, gathered: Gathered, now: float) -> dict[str, Any]:
    """Remember what a person was asked; whatever else they say lets it go."""
    user = gathered.event.user
    if gathered.event.kind != "message" or user is None:
        return {}
    # What ends late, as it waited for a yes, lets no question go that was asked meanwhile.
    questions = {
        who: known for who, known in session.questions.items() if who != user or known.at > now
    }
    if user in questions:
        return {}
    question = _question(gathered, now)
    if question is not None:
        newest = sorted(questions.items(), key=lambda item: item[1].at)
        questions = {**dict(newest[1 - QUESTIONS_KEPT :]), user: question}
    return {"questions": questions}


def _question(gathered: Gathered, now: float) -> OpenQuestion | None:
    classification, result, policy = gathered.classification, gathered.result, gathered.policy
    if classification is None or result is None or policy is None or result.action is None:
        return None
    if classification.verdict != "ask" or classification.reason not in QUESTIONS_ABOUT_SLOTS:
        return None
    if result.tainted or classification.tainted or policy.routing is None:
        return None  # an answer must not make others' words one's own
    routing = policy.routing
    open_words = () if policy.search is None or is_about_something(policy.search) else QUERY_SLOTS
    named = (*routing.missing_slots, *routing.not_found, *routing.choices, *open_words)
    named = (*named, *policy.asks)
    several = _named_twice(routing, result) if classification.reason == ONE_OF_SEVERAL else ()
    if classification.reason == ONE_OF_SEVERAL and not several:
        return None  # it was asked about words that no answer can name
    known = {name: value for name, value in result.arguments.items() if name not in several}
    slots = tuple(dict.fromkeys(name for name in (*several, *named) if name not in known))
    return OpenQuestion(
        action=result.action,
        arguments=known,
        slots=slots,
        confidence=result.confidence,
        held=policy.held,
        at=now,
        decision_id=gathered.arrival.decision_id,
    )


def _named_twice(routing: Routing, result: DecisionResult) -> tuple[str, ...]:
    """Name the slots of one thing for which a text names several: `cancel WO-1 and WO-2`."""
    kinds: dict[str, set[str]] = {}
    for one in routing.entities:
        kinds.setdefault(one.type, set()).add(one.value)
    rivals = set().union(*(values for values in kinds.values() if len(values) > 1))
    return tuple(
        name
        for name, value in result.arguments.items()
        if isinstance(value, str) and value in rivals
    )


PEOPLE_KEPT = 20
"""One a person, the newest people, as of open questions."""


def apply_shown(
    session: Session, gathered: Gathered, now: float, catalogue: Catalogue
) -> dict[str, Any]:  # fields of Session
    """Remember the one thing that an answer was about; an answer about none leaves it."""
    user, outcome = gathered.event.user, gathered.outcome
    action = catalogue.actions.get(gathered.result.action or "") if gathered.result else None
    if user is None or action is None or outcome is None or outcome.state != "succeeded":
        return {}
    given = outcome.arguments or {}
    things = [
        given[name]
        for name, slot in action.slots.items()
        if name in given and slot.type not in PRIMITIVE_SLOT_TYPES and isinstance(given[name], str)
    ]
    if not things:
        return {}
    others = {who: one for who, one in session.shown.items() if who != user}
    newest = sorted(others.items(), key=lambda item: item[1].at)[1 - PEOPLE_KEPT :]
    return {"shown": {**dict(newest), user: Shown(at=now, thing=things[0])}}
