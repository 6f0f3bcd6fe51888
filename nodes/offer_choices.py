"""Ambiguity becomes chips: show what might be meant, and search broadly underneath.

A change that is clear is a chip as well, and needs no search.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from state.action import Action
from state.channels import State
from state.errors import AgentError
from state.execution import ChipOrdering, ExecutionTuning
from state.offer import Chip, Offer
from state.policy import Candidate
from state.principal import Principal
from state.proposal import Proposal
from state.query import Chosen
from state.stages import Classified
from tools.catalog import Pack
from tools.gate.risk.offer_candidates import chip_for_yes, order_candidates, select_candidates
from tools.platform.experiments import assigned_ordering
from tools.ports import Catalogue, Ledger, Offers, Queries

ANONYMOUS = "anonymous"

Arguments = Mapping[str, Any]  # by slot type
Choice = tuple[Candidate, Arguments]


@dataclass(frozen=True)
class OfferChoices:
    """Offer the primary and its alternates; it never blocks, a choice is an event of its own."""

    catalogue: Catalogue
    ledger: Ledger
    offers: Offers
    queries: Queries
    tuning: ExecutionTuning

    async def __call__(self, state: Classified) -> State:
        catalogue = self.catalogue.of_tenant(state.event.tenant_id)
        if catalogue is not self.catalogue:
            return await replace(self, catalogue=catalogue)(state)
        user = state.event.user or ANONYMOUS
        ordering = assigned_ordering(state.event.tenant_id, user, self.tuning.chip_orderings)
        chips = tuple(
            self._chip(state, number, candidate, arguments)
            for number, (candidate, arguments) in enumerate(
                await self._choices(state, ordering), start=1
            )
        )
        offer = Offer(
            offer_id=f"offer-{state.arrival.decision_id}",
            decision_id=state.arrival.decision_id,
            tenant_id=state.event.tenant_id,
            session_id=state.event.session_id,
            chips=chips,
            yes_means=chip_for_yes(state, chips, self._rules(state)),
            reason=state.classification.reason,
            ordering=ordering,
            shown_to=await self._shown_to(state, chips),
        )
        if not offer.is_clear:
            offer = offer.model_copy(update={"found": await self._search(state)})
        call, agent = state.event.call, state.event.sender or state.event.user
        if call is not None:
            offer = offer.model_copy(update={"proposed_by": agent})
        called = state.event if call and not call.again else None
        minutes = self.tuning.offer_minutes
        return {"offer": await self.offers.put(offer, minutes=minutes, call=called)}

    async def _shown_to(self, state: Classified, chips: tuple[Chip, ...]) -> str | None:
        rules = (self.tuning.of(self.catalogue.actions[chip.action]) for chip in chips)
        is_askers = any(each.chosen_by == "asker" for each in rules)
        return await self.offers.asker_of(state.event) if is_askers else None

    async def _choices(self, state: Classified, ordering: ChipOrdering) -> list[Choice]:
        """Pair what to offer with arguments; a name that fits several things gives a chip each."""
        result, variants = state.result, state.policy.variants
        if state.event.call is not None and result.action is not None:
            called = Candidate(action=result.action, confidence=result.confidence)
            return [(called, result.arguments)]
        if variants and result.action is not None:
            same = Candidate(action=result.action, confidence=result.confidence)
            return [(same, arguments) for arguments in variants[: self.tuning.chips]]
        found = select_candidates(
            state.policy, result, state.event.roles, self.catalogue, self.tuning
        )
        past: Mapping[str, Chosen] = {}
        if ordering != "confidence" and found:
            past = await self.queries.chosen_before(state.event.tenant_id, found[0].action)
        return [
            (one, dict(self._arguments(one, state)))
            for one in order_candidates(found, ordering, past)
        ]

    def _arguments(self, candidate: Candidate, state: Classified) -> Arguments:
        if candidate.action == state.result.action:
            return state.result.arguments
        if candidate.slots is not None:
            return candidate.slots
        return dict(_fitting(self.catalogue.actions[candidate.action], state))

    def _chip(
        self, state: Classified, number: int, candidate: Candidate, arguments: Arguments
    ) -> Chip:
        is_meant = candidate.action == state.result.action
        return Chip(
            chip_id=f"chip-{number}",
            action=candidate.action,
            arguments=arguments,
            missing_slots=self.catalogue.missing(candidate.action, arguments),
            summary=self.catalogue.summary(candidate.action, arguments),
            confidence=candidate.confidence,
            undo_of=state.policy.undo_of if is_meant else None,
        )

    def _rules(self, state: Classified) -> ExecutionTuning:
        action = self.catalogue.actions.get(state.result.action or "")
        return self.tuning.of(action) if action is not None else self.tuning

    def _is_in_shadow(self, action: Action) -> bool:
        return self.tuning.of(action).phase == "shadow"

    def _packs(self, state: Classified) -> list[Pack]:
        """Put the pack first that the likeliest choice is of: its things are spoken of."""
        named = [one.action for one in state.policy.alternatives[:1]]
        likeliest = self.catalogue.actions.get(state.result.action or "".join(named))
        own = likeliest.pack if likeliest is not None else None
        return sorted(self.catalogue.packs, key=lambda pack: pack.name != own)

    async def _search(self, state: Classified) -> str:
        """Run the pack's broad search through the ledger, like any other action."""
        if state.policy.undo_of is not None or state.event.call is not None:
            return ""  # `undo that` and a typed call name nothing to search for
        for pack in self._packs(state):
            action = self.catalogue.actions.get(pack.policy.broad_search or "")
            if action is None or action.floor != "A" or self._is_in_shadow(action):
                continue
            slot = next((name for name, slot in action.slots.items() if slot.type == "text"), None)
            if slot is None:
                continue
            try:
                frozen = await self.ledger.propose(
                    Proposal(
                        decision_id=state.arrival.decision_id,
                        requester=Principal(
                            user=state.event.user or ANONYMOUS,
                            tenant_id=state.event.tenant_id,
                            roles=state.event.roles,
                        ),
                        action=action.name,
                        arguments={slot: _sought(state)[:200]},
                        at_least="A",
                        origin="search",
                    )
                )
                outcome = await self.ledger.execute(frozen.action_id)
            except AgentError:
                continue  # the chips stand without it
            if outcome.state == "succeeded":
                return outcome.text
        return ""


def _sought(state: Classified) -> str:
    aside = state.policy.beside
    return state.event.text if aside is None else aside.rest


def _fitting(action: Action, state: Classified) -> Iterator[tuple[str, Any]]:
    """Fill the slots of an alternate with the entities of its types, the first of each."""
    routing = state.policy.routing
    found: Mapping[str, str] = (
        {entity.type: entity.value for entity in reversed(routing.entities)} if routing else {}
    )
    for name, slot in action.slots.items():
        if slot.type in found:
            yield name, [found[slot.type]] if slot.many else found[slot.type]
