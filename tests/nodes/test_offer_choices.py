"""Ambiguity becomes chips: what they show, who may see them, and what is searched underneath."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from nodes.offer_choices import OfferChoices
from state.event import Event
from state.execution import ExecutionTuning
from state.offer import Offer
from state.policy import Candidate, EntityMention, PolicyDecision
from state.query import Chosen
from state.result import DecisionPath, DecisionResult
from state.stages import Classified
from tests.nodes.conftest import message, routing_of
from tests.stages import TUNING, every_stage
from tools.catalog.action_catalog import Catalogue
from tools.gate.ledger.ledger import Ledger
from tools.storage.database import Database
from tools.storage.offers import SqlOffers

NAMES = ("show_lock", "close_lock", "note_in_log", "ring_bell", "drain_basin", "count_swans")


@pytest.fixture
def node(catalogue: Catalogue, ledger: Ledger, database: Database) -> OfferChoices:
    return OfferChoices(catalogue, ledger, SqlOffers(database), NoQueries(), TUNING.execution)


class NoQueries:
    """A log in which nobody chose anything yet, unless a test says so."""

    def __init__(self, **past: Chosen) -> None:
        self.past = past

    async def chosen_before(self, tenant_id: str, predicted: str) -> Mapping[str, Chosen]:
        return self.past


async def offered(
    node: OfferChoices,
    action: str | None = None,
    arguments: dict[str, Any] | None = None,
    *,
    others: tuple[str, ...] = (),
    event: Event | None = None,
    listed: tuple[Candidate, ...] = (),
    mood: str = "command",
    variants: tuple[dict[str, Any], ...] = (),
) -> Offer:
    given = every_stage()
    lock = EntityMention(type="lock", value="LK-40", confidence=1, span=(0, 5))
    second = lock.model_copy(update={"value": "LK-77"})
    policy = PolicyDecision(
        intent="action",
        routing=routing_of(entities=(lock, second), alternatives=listed, mood=mood),
        variants=variants,
        alternatives=tuple(
            Candidate(action=name, confidence=0.5 - place / 10) for place, name in enumerate(others)
        ),
    )
    result = DecisionResult(
        path=DecisionPath.HEURISTIC, action=action, arguments=arguments or {}, confidence=0.6
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


async def test_an_alternate_takes_the_first_thing_of_its_kind_from_the_text(node: OfferChoices):
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


async def test_who_may_ask_for_none_of_it_still_sees_what_was_understood(node: OfferChoices):
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
    assert await offered(node, "note_in_log", {"note": "sun"}) == first
    assert isinstance(node.offers, SqlOffers)
    assert await node.offers.list("default") == [first]
    assert first.expires_at is not None


async def test_a_chip_runs_nothing(node: OfferChoices, ledger: Ledger) -> None:
    await offered(node, "close_lock", {"lock": "LK-12"}, others=NAMES)
    assert await ledger.actions("default", state=None) == []


def likely(*names: str, confidence: float = 0.1) -> tuple[Candidate, ...]:
    return tuple(Candidate(action=name, confidence=confidence) for name in names)


async def test_places_are_filled_with_the_next_best_of_the_same_kind(node: OfferChoices) -> None:
    listed = likely("search_notices", "show_lock", "drain_basin")
    offer = await offered(node, "close_lock", {"lock": "LK-12"}, listed=listed)
    assert [chip.action for chip in offer.chips] == ["close_lock", "show_lock", "drain_basin"]


async def test_no_place_is_filled_with_junk(node: OfferChoices) -> None:
    primary = ("close_lock", {"lock": "LK-12"})
    for listed, mood in (
        (likely("show_lock", confidence=0.04), "command"),
        (likely("search_notices", "count_swans"), "command"),
        (likely("drain_basin"), "question"),
        (likely("show_lock"), "negated"),
    ):
        offer = await offered(node, *primary, listed=listed, mood=mood, event=message(mood))
        assert [chip.action for chip in offer.chips] == ["close_lock"]


async def test_a_name_that_fits_several_things_gives_a_chip_each(node: OfferChoices) -> None:
    variants = tuple({"lock": f"LK-{number}"} for number in range(10, 16))
    offer = await offered(node, "close_lock", variants=variants)
    assert [chip.arguments for chip in offer.chips] == list(variants[: TUNING.execution.chips])


async def test_nothing_that_is_in_shadow_is_offered_or_searched(node: OfferChoices) -> None:
    shadow = {"phase": "shadow"}
    actions = {"ring_bell": shadow, "search_notices": shadow}
    tuning = ExecutionTuning.model_validate(
        {**TUNING.execution.model_dump(), "packs": {"harbour": {"actions": actions}}}
    )
    offer = await offered(
        replace(node, tuning=tuning), "note_in_log", {"note": "fog"}, others=("ring_bell",)
    )
    assert [chip.action for chip in offer.chips] == ["note_in_log"]
    assert offer.found == ""


async def test_chips_stand_in_the_order_that_people_chose_before(node: OfferChoices) -> None:
    trial = TUNING.execution.model_copy(update={"chip_orderings": {"chosen_before": 1.0}})
    queries = NoQueries(ring_bell=Chosen(shown=40, chosen=38), show_lock=Chosen(40, 1))
    tried = replace(node, queries=queries, tuning=trial)
    offer = await offered(tried, "note_in_log", others=("show_lock", "ring_bell"))
    assert [chip.action for chip in offer.chips] == ["ring_bell", "note_in_log", "show_lock"]
    assert offer.ordering == "chosen_before"


async def test_without_a_trial_chips_stand_by_confidence(node: OfferChoices) -> None:
    offer = await offered(node, "note_in_log", others=("show_lock", "ring_bell"))
    assert [chip.action for chip in offer.chips] == ["note_in_log", "show_lock", "ring_bell"]
    assert offer.ordering == "confidence"
