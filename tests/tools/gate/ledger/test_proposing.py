"""What may be proposed, what a proposal becomes, and what is asked about it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from state.action import ExecutionClass
from state.approval import ApprovalAnswer, LedgerAction
from state.errors import (
    AlreadyAsked,
    BadInput,
    Conflict,
    Forbidden,
    InvalidArguments,
    NotFound,
    Unreachable,
)
from state.principal import Principal
from state.proposal import Origin
from state.reader import Reader
from state.refusal import RefusalWish
from tests.safety.benches import (
    CAPTAIN,
    COOK,
    ENGINEER,
    MATE,
    PERMISSIVE,
    STRANGER,
    TUNING,
    edited,
    no,
    opened_ledger,
    proposal,
    sql,
    yes,
)
from tests.safety.valves import effects
from tests.tools.gate.ledger.helpers import click
from tests.tools.gate.ledger.till import BOSS, CLERK, MANY, asked, invoices, opened_till, rows
from tools.gate.approvals.dialog import approval_view
from tools.gate.ledger.ledger import Ledger

# What a proposal may become, and what it can never be talked into.

GATED = tuple(PERMISSIVE)


async def test_a_read_may_run_at_once(ledger: Ledger, data_dir: Path):
    frozen = await ledger.propose(proposal("read_gauge", gauge="G-1"))
    assert (frozen.execution_class, frozen.state) == ("A", "approved")
    assert (await ledger.execute(frozen.action_id)).state == "succeeded"
    assert len(effects(data_dir)) == 1


@pytest.mark.parametrize("action", GATED)
@pytest.mark.parametrize("at_least", ["A", "B", "C"])
async def test_a_gated_action_waits_however_low_it_is_asked_for(
    ledger: Ledger, data_dir: Path, action: str, at_least: ExecutionClass
):
    frozen = await ledger.propose(proposal(action, requester=CAPTAIN, at_least=at_least))
    outcome = await ledger.execute(frozen.action_id)
    assert (frozen.execution_class, frozen.state) == ("C", "pending")
    assert (outcome.state, outcome.executed_now) == ("pending", False)
    assert effects(data_dir) == []


async def test_a_read_can_be_raised_to_wait_for_a_yes(ledger: Ledger, data_dir: Path):
    frozen = await ledger.propose(proposal("read_gauge", gauge="G-1", at_least="C"))
    await ledger.execute(frozen.action_id)
    assert (frozen.execution_class, frozen.state) == ("C", "pending")
    assert effects(data_dir) == []


async def test_proposing_again_meets_the_first_row(ledger: Ledger, data_dir: Path):
    first = await ledger.propose(proposal())
    assert await ledger.propose(proposal()) == first
    assert sql(data_dir, "select event from ledger_entry") == [("proposed pending",)]


async def test_what_is_the_same_has_one_digest_and_what_differs_another(ledger: Ledger):
    other_tenant = Principal(user="amir", tenant_id="borealis", roles=("engineer",))
    asked = [
        proposal("shift_ballast", tonnes=20, decision_id="1"),
        proposal("shift_ballast", tonnes=20.0, requester=MATE, decision_id="2"),
        proposal("shift_ballast", tonnes=20.5, decision_id="3"),
        proposal("shift_ballast", tonnes=20, requester=other_tenant, decision_id="4"),
    ]
    digests = [(await ledger.propose(each)).digest for each in asked]
    assert digests[0] == digests[1]
    assert len(set(digests)) == 3


@pytest.mark.parametrize("answer", [None, yes, no])
async def test_a_decision_asks_for_one_gated_action_and_no_other(
    ledger: Ledger, data_dir: Path, answer: Callable[[LedgerAction], ApprovalAnswer] | None
):
    first = await ledger.propose(proposal(valve="V-1"))
    if answer is not None:
        first = await ledger.decide(first.action_id, answer(first), CAPTAIN)
    assert await ledger.propose(proposal(valve="V-2")) == first
    assert await ledger.propose(proposal("buy_pump", count=9)) == first
    assert sql(data_dir, "select count(*) from ledger_action") == [(1,)]


async def test_after_an_edit_the_decision_still_asks_for_its_first_action(ledger: Ledger):
    first = await ledger.propose(proposal(valve="V-1"))
    other = await ledger.decide(first.action_id, edited(first, valve="V-2"), CAPTAIN)
    again = await ledger.propose(proposal(valve="V-1"))
    assert (again.action_id, again.replaced_by) == (first.action_id, other.action_id)


async def test_a_decision_of_its_own_has_an_action_of_its_own(ledger: Ledger):
    first = await ledger.propose(proposal())
    second = await ledger.propose(proposal(decision_id="decision-2", requester=MATE))
    assert first.digest == second.digest
    assert first.action_id != second.action_id


async def test_a_role_that_may_not_ask_is_refused(ledger: Ledger, data_dir: Path):
    with pytest.raises(Forbidden, match="engineer"):
        await ledger.propose(proposal(requester=COOK))
    assert sql(data_dir, "select count(*) from ledger_action") == [(0,)]


async def test_an_action_outside_the_catalogue_is_not_found(ledger: Ledger):
    with pytest.raises(NotFound):
        await ledger.propose(proposal("scuttle_ship", valve="V-1"))


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"valve": ""},
        {"valve": 7},
        {"valve": "V-1", "turns": "3"},
        {"valve": "V-1", "turns": True},
        {"valve": "V-1", "__class__": "x"},
        {"valve": "V-1", "approved": True},
        {"valve": {"$ne": 1}},
        {"valve": ["V-1"]},
        {"valve": "V-1\x00"},
        {"valve": "V-1", "note": "n" * 100_000},
    ],
)
async def test_arguments_that_do_not_fit_are_refused_and_leave_nothing(
    ledger: Ledger, data_dir: Path, arguments: dict[str, Any]
):
    asked = proposal().model_copy(update={"arguments": arguments})
    with pytest.raises(InvalidArguments):
        await ledger.propose(asked)
    assert sql(data_dir, "select count(*) from ledger_action") == [(0,)]


async def test_another_tenant_does_not_see_the_action(ledger: Ledger):
    frozen = await ledger.propose(proposal())
    with pytest.raises(NotFound):
        await ledger.action(frozen.action_id, STRANGER.tenant_id)
    assert await ledger.actions(STRANGER.tenant_id, state=None) == []


_ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=40),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4)
    ),
    max_leaves=8,
)
_NAMES = st.sampled_from((*GATED, "label_valve", "read_gauge")) | st.text(max_size=30)
_SLOTS = st.sampled_from(("valve", "turns", "note", "hold", "tonnes", "count", "tanks", "gauge"))


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    action=_NAMES,
    arguments=st.dictionaries(_SLOTS | st.text(max_size=12), _ANYTHING, max_size=5),
    at_least=st.sampled_from(("A", "B", "C")),
)
async def test_no_malformed_proposal_of_a_model_does_anything(
    data_dir: Path, pack: Path, action: str, arguments: dict[str, Any], at_least: ExecutionClass
):
    async with opened_ledger(data_dir, pack) as ledger:
        before = len(effects(data_dir))
        try:
            asked = proposal(at_least=at_least).model_copy(
                update={"action": action, "arguments": arguments}
            )
            await ledger.execute((await ledger.propose(asked)).action_id)
        except (BadInput, Forbidden, NotFound):
            pass
        done = effects(data_dir)[before:]
        assert {each["action"] for each in done} <= {"read_gauge"}


# The same deed twice: one question a person, named to whoever answers, void once one has run.


async def _ask(
    ledger: Ledger,
    decision: str,
    who: Principal = ENGINEER,
    origin: Origin = "routed",
    **arguments: Any,
) -> LedgerAction:
    asked = proposal(decision_id=decision, requester=who, **{"valve": "V-1", **arguments})
    return await ledger.propose(asked.model_copy(update={"origin": origin}))


async def _done(ledger: Ledger, asked: LedgerAction, who: Principal = CAPTAIN) -> str:
    await ledger.decide(asked.action_id, yes(asked), who)
    return (await ledger.execute(asked.action_id)).state


def _named(ledger: Ledger, standing: LedgerAction) -> str:
    dialog = approval_view(standing, ledger.proposing.catalogue, TUNING).dialog
    assert dialog is not None
    assert set(dialog.duplicates) <= set(dialog.lines)
    return " | ".join(dialog.duplicates)


async def test_the_same_person_is_told_of_the_question_that_is_open(ledger: Ledger, data_dir: Path):
    first = await _ask(ledger, "d-1", turns=2)
    for number in range(34):
        with pytest.raises(AlreadyAsked, match="already requested less than a minute ago") as told:
            await _ask(ledger, f"again-{number}", turns=2)
        assert told.value.action_id == first.action_id
    sql(data_dir, "update ledger_action set expires_at = 1.0")  # nobody has closed it yet
    assert (await _ask(ledger, "d-2", turns=2)).state == "pending"


@pytest.mark.parametrize(
    ("first", "second", "is_merged"),
    [
        ("routed", "routed", True),
        ("routed", "choice", True),
        ("routed", "model", True),  # it adds nothing to what the person has asked
        ("model", "untrusted", True),
        ("model", "routed", False),  # a person never waits behind what was put in their name
        ("untrusted", "choice", False),
    ],
)
async def test_nobodys_own_request_waits_behind_a_foreign_one(
    ledger: Ledger, first: Origin, second: Origin, *, is_merged: bool
):
    await _ask(ledger, "d-1", origin=first)
    if is_merged:
        with pytest.raises(AlreadyAsked):
            await _ask(ledger, "d-2", origin=second)
    else:
        assert "requested elsewhere, too" in _named(
            ledger, await _ask(ledger, "d-2", origin=second)
        )


@pytest.mark.parametrize("origin", ["model", "untrusted"])
async def test_what_is_slipped_in_takes_nothing_of_a_persons_budget(
    ledger: Ledger, data_dir: Path, origin: Origin
):
    most = TUNING.untrusted_asks_per_hour
    slipped = [
        await _ask(ledger, f"s-{number}", origin=origin, valve=f"V-{number}")
        for number in range(most + 40)
    ]
    assert [one.state for one in slipped] == ["pending"] * most + ["proposed"] * 40
    own = [
        await _ask(ledger, f"o-{number}", valve=f"V-{number + 100}")
        for number in range(TUNING.asks_per_hour + 1)
    ]
    assert [one.state for one in own] == ["pending"] * TUNING.asks_per_hour + ["proposed"]
    assert await ledger.asking.ask_next() == ()
    sql(data_dir, "update ledger_action set asked_at = asked_at - 3601")
    moved = [one.action_id for one in await ledger.asking.ask_next()]
    assert moved == [own[-1].action_id, *(one.action_id for one in slipped[most : 2 * most])]


async def test_each_asker_keeps_a_question_and_the_second_is_void_once_one_has_run(
    ledger: Ledger, data_dir: Path
):
    mine, theirs = await _ask(ledger, "d-1"), await _ask(ledger, "d-2", MATE)
    queued = await _ask(ledger, "d-3", CAPTAIN)
    sql(data_dir, "update ledger_action set state = 'proposed' where requester = 'ingrid'")
    for one in await ledger.actions("aurora", state="pending"):
        assert len(one.duplicates) == 2
        assert "once one has run, the other is void" in _named(ledger, one)
    assert await _done(ledger, mine) == "succeeded"
    for other in (theirs, queued):
        standing = await ledger.action(other.action_id)
        assert standing.state == "stale"
        assert mine.action_id in (standing.reason or "")
    with pytest.raises(
        Conflict, match="the same action ran in the meantime, requested by amir"
    ) as told:
        await ledger.decide(theirs.action_id, yes(theirs), CAPTAIN)
    assert told.value.standing == "stale"
    assert (await ledger.execute(theirs.action_id)).state == "stale"
    assert len(effects(data_dir)) == 1


async def test_what_is_closed_to_a_reader_is_told_without_a_name(ledger: Ledger, data_dir: Path):
    sql(
        data_dir,
        "insert into decision (decision_id, tenant_id, session_id, kind, source, event_id, event,"
        " thread_id, standing, accepted_at) values"
        " ('d-1', 'aurora', 'board', 'message', 's', 'e', ?, 'd-1', 'waiting', 1.0)",
        ('{"text": "open it"}',),
    )
    await _ask(ledger, "d-1")
    theirs = await _ask(ledger, "d-2", MATE)
    barred = Reader(tenant_id="aurora", closed=("board",))
    told = await ledger.told(theirs.action_id, barred)
    assert [(one.requester, one.action_id) for one in told.duplicates] == [(None, None)]
    assert "requested in a session you can't read" in _named(ledger, told)
    assert (await ledger.action(theirs.action_id)).duplicates[0].requester == "amir"


async def test_a_number_written_otherwise_is_the_same(ledger: Ledger):
    one = proposal("shift_ballast", tonnes=20, decision_id="d-1")
    other = proposal("shift_ballast", tonnes=20.0, requester=MATE, decision_id="d-2")
    first, second = await ledger.propose(one), await ledger.propose(other)
    assert [each.action_id for each in second.duplicates] == [first.action_id]


@pytest.mark.parametrize(
    ("became", "minutes_ago", "says"),
    [
        ("succeeded", 3, "the same action ran 3 minutes before this request (requested by amir, "),
        ("unknown", 59, "started 59 minutes before this request; its outcome is unknown"),
        ("succeeded", 61, ""),
        ("failed", 3, ""),
        ("undone", 3, ""),
        ("of another valve", 3, ""),
    ],
)
async def test_what_ran_lately_is_named_and_needs_a_yes_of_its_own(
    ledger: Ledger, data_dir: Path, became: str, minutes_ago: int, says: str
):
    note: dict[str, Any] = {"unknown": {"note": "break"}, "failed": {"note": "refuse"}}.get(
        became, {}
    )
    await _done(ledger, await _ask(ledger, "d-1", **note))
    sql(data_dir, f"update ledger_action set started_at = started_at - {minutes_ago * 60}")
    if became == "undone":
        sql(data_dir, "update ledger_action set undo_at = finished_at")
    again: dict[str, Any] = {"valve": "V-2"} if became == "of another valve" else note
    second = await _ask(ledger, "d-2", MATE, **again)
    told = _named(ledger, second)
    assert says in told
    assert bool(told) == bool(says)
    assert (await ledger.execute(second.action_id)).state == "pending"
    ran = len(effects(data_dir))
    await _done(ledger, second)
    assert len(effects(data_dir)) == ran + (became != "failed")


async def test_of_two_identical_questions_in_a_race_one_runs(ledger: Ledger, data_dir: Path):
    for number in range(20):
        both = [
            await _ask(ledger, f"{who.user}-{number}", who, valve=f"V-{number}")
            for who in (ENGINEER, MATE)
        ]
        await asyncio.gather(*(ledger.decide(one.action_id, yes(one), CAPTAIN) for one in both))
        ended = await asyncio.gather(*(ledger.execute(one.action_id) for one in both))
        assert sorted(one.state for one in ended) == ["stale", "succeeded"]
    assert len(effects(data_dir)) == 20


async def test_left_started_by_a_crash_the_other_does_not_begin(ledger: Ledger, data_dir: Path):
    mine, theirs = await _ask(ledger, "d-1"), await _ask(ledger, "d-2", MATE)
    await ledger.decide(theirs.action_id, yes(theirs), CAPTAIN)
    left = "update ledger_action set state = 'started', fence = 1, started_at = proposed_at"
    sql(data_dir, f"{left} where action_id = ?", (mine.action_id,))
    outcome = await ledger.execute(theirs.action_id)
    assert outcome.state == "stale"
    assert mine.action_id in (outcome.reason or "")
    assert "is running now" in _named(ledger, await _ask(ledger, "d-3", CAPTAIN))
    assert effects(data_dir) == []


async def test_an_edit_into_what_has_just_run_is_asked_anew(ledger: Ledger):
    await _done(ledger, await _ask(ledger, "d-1", turns=1))
    other = await _ask(ledger, "d-2", turns=2)
    into = edited(other, valve="V-1", turns=1)
    asked = await ledger.decide(other.action_id, into, CAPTAIN)
    assert (asked.state, asked.arguments) == ("pending", {"valve": "V-1", "turns": 1})
    assert "the same action ran" in _named(ledger, await ledger.action(asked.action_id))


# A write runs when its chip was clicked, and only as that chip showed it.


@pytest.mark.parametrize("at_least", ["A", "B"])
async def test_a_write_nobody_clicked_is_refused(ledger: Ledger, data_dir: Path, at_least):
    with pytest.raises(Forbidden, match="suggestion"):
        await ledger.propose(proposal("label_valve", valve="V-1", at_least=at_least))
    assert sql(data_dir, "select count(*) from ledger_action") == [(0,)]


async def test_a_read_raised_to_a_suggestion_needs_its_click(ledger: Ledger):
    with pytest.raises(Forbidden, match="suggestion"):
        await ledger.propose(proposal("read_gauge", gauge="G-1", at_least="B"))


async def test_a_clicked_write_runs_once(ledger: Ledger, data_dir: Path):
    decision_id = (await click(ledger, valve="V-7", label="sea")).decision_id
    asked = proposal("label_valve", decision_id=decision_id, valve="V-7", label="sea")
    frozen = await ledger.propose(asked)
    await ledger.execute(frozen.action_id)
    await ledger.execute((await ledger.propose(asked)).action_id)
    assert (frozen.execution_class, frozen.approvals) == ("B", 1)
    assert len(effects(data_dir)) == 1


@pytest.mark.parametrize(
    ("action", "arguments"),
    [
        ("label_valve", {"valve": "V-8", "label": "sea"}),
        ("label_valve", {"valve": "V-7"}),
        ("label_valve", {"valve": "V-7", "label": "sea "}),
        ("read_gauge", {"gauge": "G-1"}),
    ],
)
async def test_a_click_is_for_exactly_its_chip(ledger: Ledger, action, arguments):
    decision_id = (await click(ledger, valve="V-7", label="sea")).decision_id
    with pytest.raises(Forbidden):
        await ledger.propose(proposal(action, decision_id=decision_id, at_least="B", **arguments))


async def test_a_click_of_another_decision_is_no_click(ledger: Ledger):
    await click(ledger, valve="V-7")
    with pytest.raises(Forbidden):
        await ledger.propose(proposal("label_valve", decision_id="another", valve="V-7"))


async def test_arguments_sent_with_a_click_never_replace_what_the_chip_shows(ledger: Ledger):
    with pytest.raises(InvalidArguments):
        await click(ledger, valve="V-7", sent={"valve": "V-8", "label": "sea"})
    clicked = await click(ledger, valve="V-7", sent={"label": "sea"})
    with pytest.raises(Forbidden):
        await ledger.propose(
            proposal("label_valve", decision_id=clicked.decision_id, valve="V-8", label="sea")
        )
    frozen = await ledger.propose(
        proposal("label_valve", decision_id=clicked.decision_id, valve="V-7", label="sea")
    )
    assert frozen.arguments == {"valve": "V-7", "label": "sea"}


# Before anybody is asked: previews, risk, the queue, warnings.


@pytest.fixture
async def till(data_dir: Path, tmp_path: Path) -> AsyncIterator[Ledger]:
    async with opened_till(data_dir, tmp_path, MANY, handler_seconds=0.2) as opened:
        yield opened


async def test_what_it_would_do_is_frozen_with_the_versions_it_was_seen_in(till: Ledger):
    shown = await asked(till)
    assert shown.preview is not None
    assert (shown.preview.amount, shown.preview.changes[0].after) == (40.0, "paid")
    assert shown.target_versions == {"I-1": '{"owed": 40.0, "state": "open"}'}
    assert shown.asked_at is not None
    invoices(till, I_2={"state": "late", "owed": 41.0})
    assert (await asked(till, number=2)).digest != shown.digest


async def test_a_changed_target_is_another_question(till: Ledger):
    first = proposal("pay", decision_id="d-1", requester=CLERK, invoice="I-7")
    second = proposal("pay", decision_id="d-2", requester=CLERK, invoice="I-7")
    one = await till.propose(first)
    invoices(till, I_7={"state": "late", "owed": 40.0})
    assert one.digest != (await till.propose(second)).digest


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ({"number": 999}, NotFound, "I-999"),
        ({"number": 1}, Conflict, "paid already"),
        ({"number": 1, "action": "break_preview"}, Unreachable, "cannot be shown"),
        ({"number": 2, "action": "break_preview"}, Unreachable, "in time"),
        ({"number": 3, "action": "break_preview"}, Unreachable, "cannot be shown"),
        ({"number": 4, "amount": "much"}, InvalidArguments, "amount"),
    ],
)
async def test_what_cannot_be_done_is_said_and_nobody_is_asked(
    till: Ledger, data_dir: Path, arguments: dict[str, Any], error: type[Exception], says: str
):
    invoices(till, I_1={"state": "paid", "owed": 40.0})
    with pytest.raises(error, match=says) as refused:
        await asked(till, **arguments)
    assert "secret inner words" not in str(refused.value)
    assert await rows(data_dir) == 0


async def test_proposing_again_after_it_ran_meets_the_first_and_reads_nothing_anew(till: Ledger):
    shown = await asked(till)
    await till.decide(shown.action_id, yes(shown), BOSS)
    await till.execute(shown.action_id)
    assert (await asked(till)).state == "succeeded"


async def test_a_write_to_somebody_outside_is_asked_about(till: Ledger):
    inside = proposal("remind", requester=CLERK, invoice="I-1", payee="ann@till.example")
    with pytest.raises(Forbidden, match="when its suggestion is chosen"):
        await till.propose(inside)
    shown = await asked(till, "remind", payee="ann@elsewhere.example")
    assert (shown.execution_class, shown.state) == ("C", "pending")
    assert "outside_recipients" in shown.raised


async def test_what_is_queued_is_taken_back_by_who_asked_and_by_nobody_else(till: Ledger):
    everything = [await asked(till, number=number) for number in range(1, 34)]
    queued, next_one = [each for each in everything if each.state == "proposed"][:2]
    lasting = no(queued).model_copy(update={"standing": RefusalWish(same="action")})
    for answer, who in ((no(queued), BOSS), (yes(queued), CLERK), (lasting, CLERK)):
        with pytest.raises((Conflict, Forbidden)):
            await till.decide(queued.action_id, answer, who)
    taken = await till.decide(queued.action_id, no(queued), CLERK)
    assert (taken.state, taken.decided_by) == ("rejected", CLERK.user)
    with pytest.raises(Conflict):
        await till.take_back(queued, CLERK)
    assert (await till.execute(queued.action_id)).state == "rejected"
    assert (await till.action(next_one.action_id)).state == "proposed"


async def test_what_one_person_causes_beyond_the_cap_is_queued_and_asked_later(
    till: Ledger, data_dir: Path
):
    most = till.asking.tuning.asks_per_hour
    everything = [await asked(till, number=number) for number in range(1, 101)]
    states = [each.state for each in everything]
    assert states == ["pending"] * most + ["proposed"] * (100 - most)
    assert (await asked(till, who=BOSS, number=150)).state == "pending"
    queued = everything[most]
    assert (queued.asked_at, queued.expires_at) == (None, None)
    for answer in (yes(queued), no(queued)):
        with pytest.raises(Conflict, match="queued") as told:
            await till.decide(queued.action_id, answer, BOSS)
        assert told.value.standing == "proposed"
    assert (await till.execute(queued.action_id)).state == "proposed"
    assert await till.asking.ask_next() == ()
    sql(data_dir, "update ledger_action set asked_at = asked_at - 3601 where requester = 'cleo'")
    moved = await till.asking.ask_next()
    assert [each.action_id for each in moved] == [
        each.action_id for each in everything[most : 2 * most]
    ]
    assert {each.state for each in moved} == {"pending"}
    assert moved[0].expires_at is not None
    assert moved[0].asked_at is not None
    assert (moved[0].expires_at - moved[0].asked_at).total_seconds() == pytest.approx(600, abs=1)
    assert len(await till.actions("aurora", state="proposed", limit=200)) == 100 - 2 * most


async def test_a_newcomer_does_not_overtake_the_queue(till: Ledger, data_dir: Path):
    tuning = till.asking.tuning.model_copy(update={"asks_per_hour": 30})
    till = replace(till, asking=replace(till.asking, tuning=tuning))
    for number in range(1, 32):
        await asked(till, number=number)
    sql(data_dir, "update ledger_action set asked_at = asked_at - 3601 where requester = 'cleo'")
    assert (await asked(till, number=40)).state == "proposed"
    moved = await till.asking.ask_next()
    assert [dict(each.arguments)["invoice"] for each in moved] == ["I-31", "I-40"]


async def test_people_are_warned_once_and_then_it_expires(till: Ledger, data_dir: Path):
    shown = await asked(till)
    assert await till.asking.warn_due() == ()
    sql(
        data_dir,
        "update ledger_action set asked_at = asked_at - 485, expires_at = expires_at - 485",
    )
    (warned,) = await till.asking.warn_due()
    assert (warned.action_id, warned.state) == (shown.action_id, "pending")
    assert warned.warned_at is not None
    assert await till.asking.warn_due() == ()
    assert await till.asking.expire_due() == ()
    sql(data_dir, "update ledger_action set expires_at = 1.0")
    (expired,) = await till.asking.expire_due()
    assert expired.state == "expired"
