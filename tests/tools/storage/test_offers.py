"""A chip is chosen once, by somebody of the tenant, while it is shown."""

import asyncio
from pathlib import Path

import pytest

from state.errors import Conflict, Forbidden, InvalidArguments, NotFound
from state.event import Event
from state.offer import Chip, Offer
from state.principal import Principal
from tests.safety.benches import ENGINEER, MATE, STRANGER, sql
from tools.storage.credentials import SqlKeys
from tools.storage.database import Database
from tools.storage.decisions import SqlDecisions
from tools.storage.offers import SqlOffers

CHIPS = tuple(
    Chip(
        chip_id=f"chip-{number}",
        action="label_valve",
        arguments={"valve": f"V-{number}"},
        missing_slots=("label",),
        summary=f"Label valve V-{number}",
        confidence=0.5,
    )
    for number in (1, 2)
)
OFFER = Offer(
    offer_id="offer-1",
    decision_id="decision-1",
    tenant_id="aurora",
    session_id="watch",
    chips=CHIPS,
    reason="several_plausible",
)


@pytest.fixture
async def offers(database: Database) -> SqlOffers:
    opened = SqlOffers(database)
    await opened.put(OFFER, minutes=30)
    return opened


async def test_an_offer_put_again_is_the_first(offers: SqlOffers) -> None:
    first = await offers.put(OFFER, minutes=30)
    again = await offers.put(OFFER.model_copy(update={"chips": CHIPS[:1]}), minutes=90)
    assert again == first


async def test_a_click_is_an_accepted_event_of_whoever_clicked(
    offers: SqlOffers, database: Database
) -> None:
    clicked = await offers.choose("offer-1", "chip-2", MATE, {"label": "sea"})
    assert (clicked.kind, clicked.user, clicked.roles) == ("choice", "olav", ("engineer",))
    assert (clicked.tenant_id, clicked.session_id) == ("aurora", "watch")
    left = await SqlDecisions(database).unfinished()
    assert [each.event_id for each, _thread in left] == [clicked.event_id]
    click = await offers.request(clicked.decision_id)
    assert click is not None
    assert (click.chip_id, click.action, click.chosen_by) == ("chip-2", "label_valve", "olav")
    assert click.arguments == {"valve": "V-2", "label": "sea"}


async def test_a_click_that_says_something_else_than_its_chip_is_refused(
    offers: SqlOffers, data_dir: Path
) -> None:
    with pytest.raises(InvalidArguments):
        await offers.choose("offer-1", "chip-1", ENGINEER, {"valve": "V-9"})
    assert (await offers.get("offer-1", "aurora")).chosen is None
    assert sql(data_dir, "select count(*) from decision") == [(0,)]


async def test_what_was_shown_to_somebody_nobody_else_chooses(
    offers: SqlOffers, database: Database
) -> None:
    await offers.put(
        OFFER.model_copy(
            update={"offer_id": "offer-2", "decision_id": "decision-2", "shown_to": "olav"}
        ),
        minutes=30,
    )
    with pytest.raises(Forbidden, match="somebody else"):
        await offers.choose("offer-2", "chip-1", ENGINEER, {"label": "sea"})
    assert (await offers.choose("offer-2", "chip-1", MATE, {"label": "sea"})).user == "olav"


@pytest.mark.parametrize(
    ("event", "asker"),
    [
        (Event(text="a", user="ann", kind="message"), "ann"),
        (Event(text="a", user="ann", kind="ambient"), None),
        (Event(text="a"), None),
        (Event(text="a", user="ann", kind="message", relayed=True), "ann"),
        (Event(text="a", user="agent", kind="message", relayed=True), None),
    ],
)
async def test_chips_are_shown_to_the_person_who_asked(
    offers: SqlOffers, database: Database, event: Event, asker: str | None
) -> None:
    keys = SqlKeys(database)
    await keys.make(Principal(user="ann", tenant_id="default"))
    await keys.make(Principal(user="agent", tenant_id="default", kind="service"))
    assert await offers.asker_of(event) == asker


async def test_of_many_clicks_at_once_one_counts(offers: SqlOffers, data_dir: Path) -> None:
    clicks = await asyncio.gather(
        *(
            offers.choose("offer-1", chip, who, {})
            for chip in ("chip-1", "chip-2")
            for who in (ENGINEER, MATE)
            for _ in range(3)
        ),
        return_exceptions=True,
    )
    assert sum(isinstance(each, Event) for each in clicks) == 1
    assert all(isinstance(each, (Event, Conflict)) for each in clicks)
    assert sql(data_dir, "select count(*) from decision") == [(1,)]


async def test_a_chosen_offer_says_so(offers: SqlOffers) -> None:
    await offers.choose("offer-1", "chip-1", ENGINEER, {})
    with pytest.raises(Conflict) as conflict:
        await offers.choose("offer-1", "chip-2", ENGINEER, {})
    assert conflict.value.standing == "chosen"
    assert await offers.list("aurora") == []
    [shown] = await offers.list("aurora", open_only=False)
    assert (shown.chosen, shown.chosen_by) == ("chip-1", "amir")


async def test_an_expired_offer_takes_no_click(offers: SqlOffers, data_dir: Path) -> None:
    sql(data_dir, "update offer set expires_at = 1.0")
    with pytest.raises(Conflict) as conflict:
        await offers.choose("offer-1", "chip-1", ENGINEER, {})
    assert conflict.value.standing == "expired"
    assert await offers.list("aurora") == []
    assert sql(data_dir, "select count(*) from decision") == [(0,)]


async def test_another_tenant_sees_and_clicks_nothing(offers: SqlOffers) -> None:
    assert await offers.list("borealis", open_only=False) == []
    with pytest.raises(NotFound):
        await offers.choose("offer-1", "chip-1", STRANGER, {})


@pytest.mark.parametrize(("offer", "chip"), [("offer-2", "chip-1"), ("offer-1", "chip-9")])
async def test_what_was_not_shown_cannot_be_chosen(
    offers: SqlOffers, offer: str, chip: str
) -> None:
    with pytest.raises(NotFound):
        await offers.choose(offer, chip, ENGINEER, {})


async def test_an_event_sent_ahead_of_the_click_is_not_taken_for_it(
    offers: SqlOffers, database: Database
) -> None:
    decisions = SqlDecisions(database)
    ahead = Event(
        event_id="choice-offer-1", kind="choice", source="offers", text="V-1", tenant_id="aurora"
    )
    await decisions.accept((ahead,))
    clicked = await offers.choose("offer-1", "chip-1", ENGINEER, {})
    assert clicked.decision_id != ahead.decision_id
    assert await offers.request(ahead.decision_id) is None
    opened = await decisions.open(clicked, clicked.decision_id)
    assert opened.event.user == "amir"


async def test_what_a_service_asks_for_leaves_no_chip_to_click(database: Database) -> None:
    offers = SqlOffers(database)
    service = MATE.model_copy(update={"kind": "service"})
    with pytest.raises(Forbidden):
        await offers.press(CHIPS[0], service, "watch")
    assert await offers.list("aurora", open_only=True, limit=10) == []
