"""Ambiguity becomes chips: show what might be meant, and search broadly underneath."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from state.action import Action
from state.channels import State
from state.errors import AgentError
from state.execution import ExecutionTuning
from state.offer import Chip, Offer
from state.policy import Candidate
from state.principal import Principal
from state.proposal import Proposal
from state.stages import Classified
from tools.ports import Catalogue, Ledger, Offers


@dataclass(frozen=True)
class OfferChoices:
    """Offer the primary and its alternates; it never blocks, a choice is an event of its own."""

    catalogue: Catalogue
    ledger: Ledger
    offers: Offers
    tuning: ExecutionTuning

    async def __call__(self, state: Classified) -> State:
        chips = tuple(
            self._chip(state, number, candidate)
            for number, candidate in enumerate(self._candidates(state), start=1)
        )
        offer = Offer(
            offer_id=f"offer-{state.arrival.decision_id}",
            decision_id=state.arrival.decision_id,
            tenant_id=state.event.tenant_id,
            session_id=state.event.session_id,
            chips=chips,
            reason=state.classification.reason,
            found=await self._search(state),
        )
        return {"offer": await self.offers.put(offer, minutes=self.tuning.offer_minutes)}

    def _candidates(self, state: Classified) -> list[Candidate]:
        result = state.result
        ranked = list(state.policy.alternatives)
        if result.action is not None:
            ranked.insert(0, Candidate(action=result.action, confidence=result.confidence))
        permitted = [
            candidate
            for candidate in ranked
            if self.catalogue.may_ask(candidate.action, state.event.roles)
        ]
        # Somebody who may do none of it still sees what was understood; choosing is judged again.
        return (permitted or ranked)[: self.tuning.chips]

    def _chip(self, state: Classified, number: int, candidate: Candidate) -> Chip:
        action = self.catalogue.actions[candidate.action]
        if candidate.action == state.result.action:
            arguments = dict(state.result.arguments)
        else:
            arguments = dict(_fitting(action, state))
        return Chip(
            chip_id=f"chip-{number}",
            action=action.name,
            arguments=arguments,
            missing_slots=self.catalogue.missing(action.name, arguments),
            summary=self.catalogue.summary(action.name, arguments),
            confidence=candidate.confidence,
        )

    async def _search(self, state: Classified) -> str:
        """Run the pack's broad search through the ledger, like any other action."""
        for pack in self.catalogue.packs:
            action = self.catalogue.actions.get(pack.policy.broad_search or "")
            if action is None or action.floor != "A":
                continue
            slot = next((name for name, slot in action.slots.items() if slot.type == "text"), None)
            if slot is None:
                continue
            try:
                frozen = await self.ledger.propose(
                    Proposal(
                        decision_id=state.arrival.decision_id,
                        requester=Principal(
                            user=state.event.user or "anonymous",
                            tenant_id=state.event.tenant_id,
                            roles=state.event.roles,
                        ),
                        action=action.name,
                        arguments={slot: state.event.text[:200]},
                        at_least="A",
                    )
                )
                outcome = await self.ledger.execute(frozen.action_id)
            except AgentError:
                continue  # the chips stand without it
            if outcome.state == "succeeded":
                return outcome.text
        return ""


def _fitting(action: Action, state: Classified) -> Iterator[tuple[str, Any]]:
    """Fill the slots of an alternate with the entities of its types, the first of each."""
    routing = state.policy.routing
    found: Mapping[str, str] = (
        {entity.type: entity.value for entity in reversed(routing.entities)} if routing else {}
    )
    for name, slot in action.slots.items():
        if slot.type in found:
            yield name, found[slot.type]
