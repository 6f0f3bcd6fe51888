"""Ambiguity becomes chips: what they show, who may see them, and what is searched underneath."""

from dataclasses import replace
from typing import Any

import pytest

from nodes.offer_choices import OfferChoices
from state.event import Event
from state.offer import Offer
from state.policy import Candidate, EntityMention, PolicyDecision
from state.result import DecisionResult
from state.stages import Classified
from tests.nodes.conftest import message, routing_of
from tests.stages import TUNING, every_stage
from tools.catalogue.catalogue import Catalogue
from tools.ledger.ledger import Ledger
from tools.storage.database import Database
from tools.storage.offers import SqlOffers

NAMES = ("show_lock", "close_lock", "note_in_log", "ring_bell", "drain_basin", "count_swans")


@pytest.fixture
def node(catalogue: Catalogue, ledger: Ledger, database: Database) -> OfferChoices:
    return OfferChoices(catalogue, ledger, SqlOffers(database), TUNING.execution)


async def offered(
    node: OfferChoices,
    action: str | None = None,
    arguments: dict[str, Any] | None = None,
    *,
    others: tuple[str, ...] = (),
    event: Event | None = None,
) -> Offer:
    given = every_stage()
    lock = EntityMention(type="lock", value="LK-40", confidence=1, span=(0, 5))
    second = lock.model_copy(update={"value": "LK-77"})
    policy = PolicyDecision(
        intent="action",
        routing=routing_of(entities=(lock, second)),
        alternatives=tuple(
            Candidate(action=name, confidence=0.5 - place / 10) for place, name in enumerate(others)
        ),
    )
    result = DecisionResult(
        path="heuristic", action=action, arguments=arguments or {}, confidence=0.6
    )
    state = Classified.model_validate(
        {**given, "event": event or message(), "policy": policy, "result": result}
    )
    return (await node(state))["offer"]


async def test_the_primary_comes_first_with_its_arguments(node: OfferChoices) -> None:
    offer = await offered(node, "note_in_log", {"note": "fog"}, others=("show_lock",))
    first, second = offer.chips
    assert (first.chip_id, first.action, first.arguments, first.summary, first.confidence) == (
        "chip-1",
        "note_in_log",
        {"note": "fog"},
        "Write in the log: fog",
        0.6,
    )
    assert (second.chip_id, second.action, second.confidence) == ("chip-2", "show_lock", 0.5)


async def test_an_alternate_takes_the_first_thing_of_its_kind_from_the_text(
    node: OfferChoices,
) -> None:
    (chip,) = (await offered(node, others=("show_lock",))).chips
    assert (chip.arguments, chip.missing_slots) == ({"lock": "LK-40"}, ())


async def test_a_chip_says_what_it_still_lacks(node: OfferChoices) -> None:
    (chip,) = (await offered(node, "note_in_log")).chips
    assert chip.missing_slots == ("note",)


async def test_no_more_chips_than_policy_says(node: OfferChoices) -> None:
    offer = await offered(node, others=NAMES)
    assert [chip.action for chip in offer.chips] == list(NAMES[: TUNING.execution.chips])


async def test_only_what_the_role_may_ask_for_is_offered(node: OfferChoices) -> None:
    passenger = message(role="passenger")
    offer = await offered(node, others=NAMES, event=passenger)
    assert [chip.action for chip in offer.chips] == ["show_lock", "ring_bell", "count_swans"]


async def test_who_may_ask_for_none_of_it_still_sees_what_was_understood(
    node: OfferChoices,
) -> None:
    offer = await offered(node, "close_lock", {"lock": "LK-12"}, event=message(role="passenger"))
    assert [chip.action for chip in offer.chips] == ["close_lock"]


async def test_a_broad_search_runs_underneath(node: OfferChoices, ledger: Ledger) -> None:
    offer = await offered(node, "note_in_log", event=message("something about tides"))
    assert offer.found == "Notices on something about tides: none."


async def test_a_search_that_cannot_run_costs_only_its_results(node: OfferChoices) -> None:
    assert (await offered(node, "note_in_log", event=message("   "))).found == ""
    pack = node.catalogue.packs[0]
    silent = replace(pack, policy=pack.policy.model_copy(update={"broad_search": None}))
    alone = replace(node, catalogue=Catalogue.of([silent]))
    assert (await offered(alone, "note_in_log")).found == ""


async def test_offering_again_shows_the_first_offer(node: OfferChoices) -> None:
    first = await offered(node, "note_in_log", {"note": "fog"})
    again = await offered(node, "note_in_log", {"note": "sun"})
    assert again == first
    assert isinstance(node.offers, SqlOffers)
    assert await node.offers.list("default") == [first]
    assert first.expires_at is not None


async def test_a_chip_runs_nothing(node: OfferChoices, ledger: Ledger) -> None:
    await offered(node, "close_lock", {"lock": "LK-12"}, others=NAMES)
    assert await ledger.actions("default", state=None) == []
