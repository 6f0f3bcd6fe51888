"""Decisions, holds, offers, sessions and reminders in their tables."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import Connection

from state.approval import ApprovalAnswer, LedgerAction
from state.errors import Conflict, Forbidden, InvalidArguments, NotFound
from state.event import Event
from state.initiative import Reminder
from state.memory import PackMemory
from state.offer import Chip, Offer
from state.principal import Principal
from state.record import DecisionRecord
from state.salience import SalienceVector
from state.session import Session
from tests.safety.benches import (
    CAPTAIN,
    ENGINEER,
    MATE,
    STRANGER,
    no,
    opened_ledger,
    proposal,
    sql,
    yes,
)
from tests.safety.valves import write_valves
from tests.tools.storage.made import LATER, NOW, event, finish, record
from tools.access.api_keys import SqlKeys
from tools.storage.database import Database
from tools.storage.decisions import SqlDecisions
from tools.storage.holds import SqlHolds
from tools.storage.offers import SqlOffers
from tools.storage.reminders import SqlReminders, put_reminder
from tools.storage.sessions import save_session, stages_of

# A decision is accepted once, moved by its own thread only, and recorded once.

LATER_ON = "2026-06-15T12:00:00Z"
Move = Callable[[SqlDecisions, Event, str], Awaitable[bool]]


async def wait(decisions: SqlDecisions, event: Event, thread_id: str) -> bool:
    return await decisions.wait(record(event, "awaiting_approval"), {}, thread_id=thread_id)


async def hold(decisions: SqlDecisions, event: Event, thread_id: str) -> bool:
    return await decisions.hold(record(event, "held"), {}, LATER, thread_id=thread_id)


async def accepted(decisions: SqlDecisions, *events: Event) -> list[bool]:
    return [is_new for _kept, is_new in await decisions.accept(events)]


@pytest.fixture
def decisions(database: Database) -> SqlDecisions:
    return SqlDecisions(database)


async def test_an_event_is_accepted_once(decisions: SqlDecisions):
    assert await accepted(decisions, event(1), event(2)) == [True, True]
    assert await accepted(decisions, event(2), event(3)) == [False, True]


async def test_delivered_by_many_at_once_it_is_accepted_once(decisions: SqlDecisions):
    fresh = await asyncio.gather(*(accepted(decisions, event(1)) for _ in range(16)))
    assert sum(each == [True] for each in fresh) == 1


FIRST = {"text": "smoke in the galley", "payload": {"status": "firing"}, "sender": "smoke-head"}


@pytest.mark.parametrize(
    "other",
    [
        {"tenant_id": "borealis"},
        {"source": "helm"},
        {"sender": "bridge"},
        {"sender": None},
        {"text": "all normal"},
        {"payload": {"status": "resolved"}},
        {"session_id": "nobody-listens"},
        {"salience": SalienceVector(threat=0.9)},
        {"occurred_at": "2026-06-15T12:00:00Z"},
        {"kind": "signal"},
    ],
)
async def test_what_happened_is_another_event_whatever_used_its_id(decisions: SqlDecisions, other):
    await decisions.accept((event(1, **(FIRST | other)),))
    [(kept, is_new)] = await decisions.accept((event(1, **FIRST),))
    again = await accepted(decisions, event(1, **FIRST), event(1, **(FIRST | other)))
    assert (is_new, again) == (True, [False, False])
    opened = await decisions.open(kept, kept.decision_id)
    assert (opened.standing, opened.event.text) == ("accepted", "smoke in the galley")


async def test_no_alarm_is_lost_under_ids_that_were_used_before(decisions: SqlDecisions):
    taken = [event(n, sender="bridge" if n % 2 else "smoke-head") for n in range(500)]
    await decisions.accept(tuple(taken))
    alarms = tuple(event(n, text="smoke in the galley", sender="smoke-head") for n in range(500))
    kept = await decisions.accept(alarms)
    assert all(is_new for _kept, is_new in kept)
    assert len({each.decision_id for each, _is_new in kept}) == 500
    assert len(await decisions.unfinished()) == 1_000


async def test_a_message_is_no_other_one_under_a_used_id(decisions: SqlDecisions):
    first = {"kind": "message", "user": "ann", "text": "close the valve"}
    assert await accepted(decisions, event(1, **first)) == [True]
    assert await accepted(decisions, event(1, **first | {"occurred_at": LATER_ON})) == [False]
    with pytest.raises(Conflict, match="'e-1' of source 'bridge' was used for other content"):
        await decisions.accept((event(2), event(1, **first | {"text": "open the valve"})))
    assert await accepted(decisions, event(2)) == [True]  # nothing of a refused list is kept


async def test_the_first_thread_has_the_decision(decisions: SqlDecisions):
    assert (await decisions.open(event(1), "mine")).standing == "accepted"
    assert (await decisions.open(event(1), "mine")).standing == "accepted"
    assert (await decisions.open(event(1), "theirs")).standing == "duplicate"


async def test_an_accepted_event_belongs_to_the_thread_of_its_decision(decisions: SqlDecisions):
    await decisions.accept((event(1),))
    assert (await decisions.open(event(1), "theirs")).standing == "duplicate"
    assert (await decisions.open(event(1), event(1).decision_id)).standing == "accepted"


async def test_a_recorded_decision_is_told_to_whoever_comes(decisions: SqlDecisions):
    await decisions.open(event(1), "mine")
    await finish(decisions, event(1), "mine")
    for thread in ("mine", "theirs"):
        opened = await decisions.open(event(1), thread)
        assert (opened.standing, opened.record) == ("duplicate", record(event(1)))


@pytest.mark.parametrize("move", [wait, hold, finish])
async def test_no_thread_moves_the_decision_of_another(
    decisions: SqlDecisions, data_dir: Path, move: Move
):
    await decisions.open(event(1), "mine")
    assert not await move(decisions, event(1), "theirs")
    assert sql(data_dir, "select standing, record from decision") == [("accepted", None)]


@pytest.mark.parametrize(
    ("first", "then", "moves"),
    [
        (wait, wait, True),
        (wait, finish, True),
        (wait, hold, False),
        (hold, wait, False),
        (hold, finish, False),
        (hold, hold, False),
        (finish, wait, False),
        (finish, hold, False),
        (finish, finish, False),
    ],
)
async def test_a_decision_only_moves_forwards(decisions: SqlDecisions, first, then, moves):
    await decisions.open(event(1), "mine")
    assert await first(decisions, event(1), "mine")
    assert await then(decisions, event(1), "mine") is moves


async def test_of_many_records_one_stands(decisions: SqlDecisions):
    await decisions.open(event(1), "mine")
    written = await asyncio.gather(*(finish(decisions, event(1), "mine") for _ in range(8)))
    assert written.count(True) == 1


async def test_the_session_remembers_what_came_in_between(decisions: SqlDecisions):
    for number, bias in ((1, 0.05), (2, 0.10)):
        await decisions.open(event(number), f"thread-{number}")

        def more(known: Session, bias: float = bias) -> Session:
            return known.model_copy(update={"talk_bias": known.talk_bias + bias})

        await decisions.finish(record(event(number)), {}, more, thread_id=f"thread-{number}")
        await decisions.finish(record(event(number)), {}, more, thread_id=f"thread-{number}")
    known = await decisions.session("aurora", "default")
    assert known.talk_bias == pytest.approx(0.15)


@pytest.mark.parametrize("answer", [None, yes, no])
async def test_a_decision_does_not_end_while_its_question_is_open(
    data_dir: Path, tmp_path: Path, answer: Callable[[LedgerAction], ApprovalAnswer] | None
):
    async with opened_ledger(data_dir, write_valves(tmp_path)) as ledger:
        decisions = SqlDecisions(ledger.database)
        await decisions.open(event(1), "mine")
        shown = await ledger.propose(proposal(decision_id=event(1).decision_id))
        await wait(decisions, event(1), "mine")
        if answer is not None:
            await ledger.decide(shown.action_id, answer(shown), CAPTAIN)
        assert await finish(decisions, event(1), "mine") is (answer is no)


async def test_what_has_its_answer_is_listed_until_it_is_recorded(data_dir: Path, tmp_path: Path):
    async with opened_ledger(data_dir, write_valves(tmp_path)) as ledger:
        decisions = SqlDecisions(ledger.database)
        await decisions.open(event(1), "mine")
        shown = await ledger.propose(proposal(decision_id=event(1).decision_id))
        await wait(decisions, event(1), "mine")
        assert await decisions.answered() == ()
        await ledger.decide(shown.action_id, yes(shown), CAPTAIN)
        assert [each for each, _thread in await decisions.answered()] == [event(1)]
        assert await decisions.is_answered(event(1).decision_id)
        await ledger.execute(shown.action_id)
        assert await finish(decisions, event(1), "mine")
        assert await decisions.answered() == ()
        assert not await decisions.is_answered(event(1).decision_id)


async def test_what_is_not_decided_is_listed_oldest_first(decisions: SqlDecisions, data_dir: Path):
    await decisions.accept(tuple(event(number) for number in (3, 1, 2, 4)))
    await finish(decisions, event(4), event(4).decision_id)
    sql(data_dir, "update decision set accepted_at = accepted_at - 90 where event_id = 'e-2'")
    sql(data_dir, "update decision set accepted_at = accepted_at - 60 where event_id = 'e-1'")
    left = [each.event_id for each, _thread in await decisions.unfinished()]
    old = [each.event_id for each, _thread in await decisions.unfinished(older_seconds=75)]
    assert left[:2] == ["e-2", "e-1"]
    assert (set(left), old) == ({"e-1", "e-2", "e-3"}, ["e-2"])


# A hold ends once: by its signal, by a prompt, or by its time.

LONG_AFTER = (NOW + timedelta(days=1)).timestamp()


@pytest.fixture
def holds(database: Database) -> SqlHolds:
    return SqlHolds(database)


async def test_a_hold_ends_by_its_time_once(decisions: SqlDecisions, holds: SqlHolds):
    await _held(decisions, event(1))
    assert await holds.next_due() == NOW.timestamp()
    assert await holds.release_due(NOW.timestamp() - 1) == 0
    assert await holds.release_due(NOW.timestamp()) == 1
    assert await holds.release_due(LONG_AFTER) == 0
    assert await holds.next_due() is None
    opened = await decisions.open(event(1), event(1).decision_id)
    assert (opened.standing, opened.released_by) == ("released", "expiry")


@pytest.mark.parametrize(
    ("signal", "is_released"), [("typing_pause", True), ("combat_ended", False), ("expiry", False)]
)
async def test_a_hold_ends_by_a_signal_it_waits_for(decisions: SqlDecisions, signal, is_released):
    await _held(decisions, event(1))
    await _signalled(decisions, signal)
    opened = await decisions.open(event(1), event(1).decision_id)
    assert (opened.standing == "released") is is_released
    assert opened.released_by == (signal if is_released else None)


async def test_a_signal_of_another_tenant_ends_nothing(decisions: SqlDecisions):
    await _held(decisions, event(1))
    await _signalled(decisions, "typing_pause", tenant_id="borealis")
    assert (await decisions.open(event(1), event(1).decision_id)).standing == "duplicate"


async def test_a_held_decision_is_nobodys_turn(decisions: SqlDecisions):
    await _held(decisions, event(1))
    assert (await decisions.open(event(1), event(1).decision_id)).standing == "duplicate"
    assert await decisions.unfinished() == ()


async def test_a_released_decision_is_work_left_over_until_it_is_recorded(
    decisions: SqlDecisions, holds: SqlHolds
):
    await _held(decisions, event(1))
    await holds.release_due(LONG_AFTER)
    assert [each for each, _thread in await decisions.unfinished(older_seconds=60)] == [event(1)]
    assert await finish(decisions, event(1), event(1).decision_id)
    assert await decisions.unfinished() == ()


async def test_a_hold_without_an_end_is_refused_and_nothing_is_held(decisions: SqlDecisions):
    await decisions.open(event(1), "mine")
    endless = LATER.model_copy(update={"due_at": None})
    with pytest.raises(ValueError, match="without an end"):
        await decisions.hold(record(event(1), "held"), {}, endless, thread_id="mine")
    assert (await decisions.open(event(1), "mine")).standing == "accepted"


async def _held(decisions: SqlDecisions, held: Event) -> None:
    await decisions.accept((held,))
    thread_id = held.decision_id
    assert await decisions.hold(record(held, "held"), {}, LATER, thread_id=thread_id)


async def _signalled(
    decisions: SqlDecisions, name: str, tenant_id: str = "aurora"
) -> DecisionRecord:
    signal = event(9, tenant_id=tenant_id)
    written = record(signal, "silent")
    await decisions.accept((signal,))
    await decisions.finish(
        written, {}, lambda known: known, thread_id=signal.decision_id, signal=name
    )
    return written


# A chip is chosen once, by somebody of the tenant, while it is shown.

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


async def test_an_offer_put_again_is_the_first(offers: SqlOffers):
    first = await offers.put(OFFER, minutes=30)
    assert await offers.put(OFFER.model_copy(update={"chips": CHIPS[:1]}), minutes=90) == first


async def test_a_click_is_an_accepted_event_of_whoever_clicked(
    offers: SqlOffers, database: Database
):
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
):
    with pytest.raises(InvalidArguments):
        await offers.choose("offer-1", "chip-1", ENGINEER, {"valve": "V-9"})
    assert (await offers.get("offer-1", "aurora")).chosen is None
    assert sql(data_dir, "select count(*) from decision") == [(0,)]


async def test_what_was_shown_to_somebody_nobody_else_chooses(
    offers: SqlOffers, database: Database
):
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
):
    keys = SqlKeys(database)
    await keys.make(Principal(user="ann", tenant_id="default"))
    await keys.make(Principal(user="agent", tenant_id="default", kind="service"))
    assert await offers.asker_of(event) == asker


async def test_of_many_clicks_at_once_one_counts(offers: SqlOffers, data_dir: Path):
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


async def test_a_chosen_offer_says_so(offers: SqlOffers):
    await offers.choose("offer-1", "chip-1", ENGINEER, {})
    with pytest.raises(Conflict) as conflict:
        await offers.choose("offer-1", "chip-2", ENGINEER, {})
    assert conflict.value.standing == "chosen"
    assert await offers.list("aurora") == []
    [shown] = await offers.list("aurora", open_only=False)
    assert (shown.chosen, shown.chosen_by) == ("chip-1", "amir")


async def test_an_expired_offer_takes_no_click(offers: SqlOffers, data_dir: Path):
    sql(data_dir, "update offer set expires_at = 1.0")
    with pytest.raises(Conflict) as conflict:
        await offers.choose("offer-1", "chip-1", ENGINEER, {})
    assert conflict.value.standing == "expired"
    assert await offers.list("aurora") == []
    assert sql(data_dir, "select count(*) from decision") == [(0,)]


async def test_another_tenant_sees_and_clicks_nothing(offers: SqlOffers):
    assert await offers.list("borealis", open_only=False) == []
    with pytest.raises(NotFound):
        await offers.choose("offer-1", "chip-1", STRANGER, {})


@pytest.mark.parametrize(("offer", "chip"), [("offer-2", "chip-1"), ("offer-1", "chip-9")])
async def test_what_was_not_shown_cannot_be_chosen(offers: SqlOffers, offer: str, chip: str):
    with pytest.raises(NotFound):
        await offers.choose(offer, chip, ENGINEER, {})


async def test_an_event_sent_ahead_of_the_click_is_not_taken_for_it(
    offers: SqlOffers, database: Database
):
    decisions = SqlDecisions(database)
    ahead = Event(
        event_id="choice-offer-1", kind="choice", source="offers", text="V-1", tenant_id="aurora"
    )
    await decisions.accept((ahead,))
    clicked = await offers.choose("offer-1", "chip-1", ENGINEER, {})
    assert clicked.decision_id != ahead.decision_id
    assert await offers.request(ahead.decision_id) is None
    assert (await decisions.open(clicked, clicked.decision_id)).event.user == "amir"


async def test_what_a_service_asks_for_leaves_no_chip_to_click(database: Database):
    offers = SqlOffers(database)
    service = MATE.model_copy(update={"kind": "service"})
    with pytest.raises(Forbidden):
        await offers.press(CHIPS[0], service, "watch")
    assert await offers.list("aurora", open_only=True, limit=10) == []


# Where conversations stand in a pack, however many there are.


async def test_all_that_have_a_stage_in_the_pack_are_told(database: Database):
    def kept(number: int) -> Session:
        memory = {"research": PackMemory(stage="writing" if number % 3 else None)}
        memory["research_too"] = PackMemory(stage="elsewhere")
        tenant = "aurora" if number % 2 else "borealis"
        return Session(tenant_id=tenant, session_id=f"channel-{number}", memory=memory)

    def keep(connection: Connection) -> None:
        for number in range(600):
            save_session(connection, kept(number), at=number)
        save_session(connection, Session(tenant_id="aurora", session_id="new"), at=1.0)

    await database.write(keep)
    told = await database.read(lambda one: stages_of(one, "aurora", "research"))
    assert told == {f"channel-{n}": "writing" for n in range(600) if n % 2 and n % 3}
    assert len(told) == 200
    assert await database.read(lambda one: stages_of(one, "aurora", "shelf")) == {}


# Reminders of one time are told in the order in which they were asked for.

NOON = datetime(2026, 6, 14, 12, tzinfo=UTC)


async def test_of_two_due_at_once_the_one_asked_for_first_comes_first(database: Database):
    asked = [
        Reminder(reminder_id=name, session_id="s", text=name, due_at=NOON)
        for name in ("z", "m", "a")
    ]
    for one in asked:
        await database.write(partial(put_reminder, tenant_id="default", wanted=one, at_most=9))
    reminders = SqlReminders(database)

    waiting = await reminders.waiting("default", "s")
    due = await reminders.due(NOON.timestamp())

    assert [one.reminder_id for one in waiting] == ["z", "m", "a"]
    assert [one.reminder.reminder_id for one in due] == ["z", "m", "a"]
