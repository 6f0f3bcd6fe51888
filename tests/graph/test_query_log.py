"""Every message leaves one row of the query log, and what people then do adds to it."""

from pathlib import Path

import pytest

from state.errors import Conflict, NotFound
from state.event import Event
from state.principal import Principal
from state.query import Observation, Query
from state.reader import whole
from tests.graph.conftest import OpenHarbour
from tests.graph.harbour import KEEPER, MASTER, Harbour
from tests.stages import TUNING
from tools.journal.action_decisions import action_entry_id

STRANGER = KEEPER.model_copy(update={"tenant_id": "borealis"})
SHOW = "show lock LK-12"
NOTE = "write in the log: barge moored"
CLOSE = "close lock LK-12"


async def queries(harbour: Harbour) -> list[Query]:
    return [one async for one in harbour.executive.queries.all("default")]


async def only(harbour: Harbour) -> Query:
    (one,) = await queries(harbour)
    return one


async def take(harbour: Harbour, offer_id: str | None, chip_id: str = "chip-1") -> str:
    assert offer_id is not None
    return (await harbour.executive.offers.choose(offer_id, chip_id, KEEPER)).decision_id


async def test_a_read_is_one_row_with_every_field(harbour: Harbour) -> None:
    record = await harbour.says(SHOW)
    assert record.outcome == "executed"
    row = await only(harbour)
    assert (row.decision_id, row.yacht_id, row.session_id) == (
        record.decision_id,
        "default",
        "default",
    )
    assert (row.user, row.user_role) == ("amir", "keeper")
    assert row.query.raw_text == SHOW
    assert row.query.tokens == ("show", "lock", "lk-12")
    assert (row.routing.verb_family, row.routing.predicted_action) == ("show", "show_lock")
    assert (row.routing.execution_class, row.routing.phase) == ("auto", "general")
    assert row.routing.confidence == record.confidence
    (lock,) = row.entities
    assert (lock.type, lock.value, SHOW[slice(*lock.span)]) == ("lock", "LK-12", "LK-12")
    assert (row.outcome.action_executed, row.outcome.execution_method) == ("show_lock", "auto")
    assert row.outcome.time_to_action_ms is not None
    assert 0 <= row.outcome.time_to_action_ms < 60_000
    assert row.outcome.chips_shown == ()
    assert not row.outcome.undo_triggered


async def test_the_keys_are_those_of_the_contract(harbour: Harbour) -> None:
    await harbour.says(SHOW)
    line = (await only(harbour)).model_dump(mode="json")
    assert list(line)[:8] == [
        "timestamp", "session_id", "yacht_id", "user_role", "query", "routing", "entities",
        "outcome",
    ]  # fmt: skip
    assert list(line["query"]) == ["raw_text", "normalized", "tokens"]
    assert list(line["routing"])[:5] == [
        "verb_family", "predicted_action", "confidence", "alternatives", "execution_class",
    ]  # fmt: skip
    assert list(line["entities"][0]) == ["type", "value", "confidence", "span"]
    assert list(line["outcome"])[:5] == [
        "chips_shown", "action_executed", "execution_method", "time_to_action_ms",
        "undo_triggered",
    ]  # fmt: skip
    assert line["timestamp"].endswith("Z")


@pytest.mark.parametrize(
    "text", ["", "?!", "nice weather today", "be quiet", "why did we close it?", "close the lock"]
)
async def test_a_message_that_leads_to_nothing_is_logged_too(harbour: Harbour, text: str) -> None:
    await harbour.says(text)
    row = await only(harbour)
    assert row.query.raw_text == text
    assert row.outcome.action_executed is None


async def test_what_happens_near_us_is_no_query(harbour: Harbour) -> None:
    await harbour.happens("high water")
    await harbour.signals("prompt")
    assert await queries(harbour) == []


async def test_a_delivery_twice_is_one_row(harbour: Harbour) -> None:
    event = harbour.event(SHOW, user="amir", role="keeper")
    await harbour.executive.submit(event)
    await harbour.executive.submit(event)
    assert len(await queries(harbour)) == 1


async def test_a_chip_that_was_taken_is_noted_on_the_query_it_came_from(harbour: Harbour) -> None:
    record = await harbour.says(NOTE)
    offered = await only(harbour)
    assert (offered.routing.execution_class, offered.offer_id) == ("suggest", record.offer_id)
    assert offered.outcome.chips_shown[0] == "note_in_log"
    assert offered.outcome.chip_ordering == "confidence"
    assert offered.outcome.chip_chosen is None
    await take(harbour, record.offer_id)
    taken = await only(harbour)
    assert (taken.outcome.chip_chosen, taken.outcome.chip_position) == ("note_in_log", 1)
    assert taken.outcome.action_executed == "note_in_log"
    assert taken.outcome.execution_method == "chip_click"
    assert taken.outcome.collision_observed == "none"
    assert harbour.effects() == ["note_in_log barge moored"]


async def test_an_approval_is_a_confirmation_and_a_no_is_not(harbour: Harbour) -> None:
    record = await harbour.says(CLOSE)
    waiting = await only(harbour)
    assert (waiting.routing.execution_class, waiting.outcome.decision) == (
        "confirm",
        "awaiting_approval",
    )
    await harbour.answers(record.action_id, "approve")
    done = await only(harbour)
    assert (done.outcome.action_executed, done.outcome.execution_method) == (
        "close_lock",
        "confirmation",
    )
    assert (done.outcome.decision, done.action_id) == ("executed", record.action_id)
    await harbour.answers((await harbour.says(CLOSE)).action_id, "reject")
    refused = (await queries(harbour))[1]
    assert (refused.outcome.decision, refused.outcome.action_executed) == ("refused", None)


async def test_what_is_held_has_its_row_and_keeps_it(harbour: Harbour) -> None:
    await harbour.signals(busy="call")
    record = await harbour.says("the buoy drifts, high water", kind="message")
    rows = await queries(harbour)
    assert [row.decision_id for row in rows] == [record.decision_id]


async def test_the_first_observation_stands(harbour: Harbour) -> None:
    record = await harbour.says(SHOW)
    log = harbour.executive.queries
    await log.observed(record.decision_id, KEEPER, Observation(action="close_lock"))
    with pytest.raises(Conflict, match="close_lock"):
        await log.observed(record.decision_id, KEEPER, Observation(action="ring_bell"))
    await harbour.signals("user_did", action="ring_bell")
    assert (await only(harbour)).outcome.action_observed == "close_lock"


@pytest.mark.parametrize(("who", "counts"), [("amir", True), ("olav", False), (None, True)])
async def test_a_person_s_signal_is_about_their_own_query(harbour: Harbour, who, counts) -> None:
    await harbour.says(SHOW)
    told = {"signal": "user_did", "action": "ring_bell"}
    await harbour.happens("signal", kind="signal", payload=told, user=who)
    assert (await only(harbour)).outcome.action_observed == ("ring_bell" if counts else None)


async def test_another_tenant_s_query_is_not_there(harbour: Harbour) -> None:
    record = await harbour.says(SHOW)
    with pytest.raises(NotFound):
        await harbour.executive.queries.observed(
            record.decision_id, STRANGER, Observation(action="ring_bell")
        )
    assert [one async for one in harbour.executive.queries.all("borealis")] == []


@pytest.mark.parametrize(
    "payload",
    [
        {},
        {"action": "no_such"},
        {"action": 3},
        {"action": ""},
        {"action": None},
        {"action": ["a"]},
        {"action": {"a": 1}},
    ],
)
async def test_a_signal_that_names_no_action_observes_nothing(harbour: Harbour, payload) -> None:
    await harbour.says(SHOW)
    assert (await harbour.signals("user_did", **payload)).outcome == "silent"
    assert (await only(harbour)).outcome.action_observed is None


async def test_a_signal_joins_no_query_of_long_ago_or_of_another_session(harbour: Harbour):
    await harbour.says(SHOW, session_id="bridge")
    await harbour.signals("user_did", action="ring_bell")
    assert (await only(harbour)).outcome.action_observed is None
    await harbour.says(SHOW)
    harbour.alter(f"UPDATE query_log SET at = at - {TUNING.policy.observed_seconds + 5}")
    await harbour.signals("user_did", action="ring_bell")
    assert {row.outcome.action_observed for row in await queries(harbour)} == {None}


async def test_an_edit_is_logged_as_what_it_became(harbour: Harbour) -> None:
    record = await harbour.says(CLOSE)
    await harbour.answers(
        record.action_id, "edit", MASTER, arguments={"lock": "LK-12", "minutes": 5}
    )
    row = await only(harbour)
    standing = await harbour.executive.approvals.get(record.action_id or "", "default")
    assert row.action_id == standing.replaced_by
    assert row.outcome.action_executed == "close_lock"


async def test_the_log_reads_the_same_in_pages(harbour: Harbour) -> None:
    for number in range(7):
        await harbour.executive.submit(
            Event(text=f"show lock LK-1{number}", user="amir", role="keeper", source="buoy")
        )
    log = harbour.executive.queries
    whole = await queries(harbour)

    paged: list[Query] = []
    while page := await log.page("default", after=paged[-1].cursor if paged else None, limit=3):
        paged += page
    assert paged == whole
    assert len({row.decision_id for row in paged}) == 7


# An undo is noted on the query whose action it takes back, and in the journal.


ACTIONS = """
actions:
  hoist_flag:
    summary: "Hoist flag {flag}"
    verb: add
    words: [hoist, raise]
    object: flag
    slots: {flag: {type: flag, required: true}}
    effect: write
    undo: lower_flag
    handler: "handlers:move"
    examples: ["hoist flag Q", "raise flag N", "hoist the Q flag"]
  lower_flag:
    summary: "Lower flag {flag}"
    verb: update
    words: [lower]
    object: flag
    slots: {flag: {type: flag, required: true}}
    effect: write
    handler: "handlers:move"
    examples: ["lower flag Q", "lower flag N"]
"""
HANDLERS = """
from state.action import ActionResult


def move(context, *, flag):
    return ActionResult(text=f"Flag {flag} moved.")
"""
MATE = Principal(user="olav", tenant_id="default", roles=())


async def test_a_query_whose_action_was_taken_back_says_so(
    open_harbour: OpenHarbour, tmp_path: Path
) -> None:
    async with open_harbour(packs=(flags_in(tmp_path),)) as harbour:
        first, second = await hoisted(harbour, "Q"), await hoisted(harbour, "N")
        assert not first.outcome.undo_triggered
        assert first.action_id is not None
        undone = await harbour.executive.actions.undo(first.action_id, MATE)
        assert (undone.outcome, undone.action) == ("executed", "lower_flag")
        after = [row async for row in harbour.executive.queries.all("default")]
        assert [row.outcome.undo_triggered for row in after] == [True, False]
        assert [row.decision_id for row in after] == [first.decision_id, second.decision_id]
        metrics = await harbour.executive.queries.metrics("default")
        assert (metrics.undone["hoist_flag"].value, metrics.undone["hoist_flag"].n) == (0.5, 2)
        assert metrics.hard_false_positives == 0


async def test_a_change_that_was_taken_back_is_superseded_in_the_journal(
    open_harbour: OpenHarbour, tmp_path: Path
) -> None:
    async with open_harbour(packs=(flags_in(tmp_path),)) as harbour:
        first = await hoisted(harbour, "Q")
        assert first.action_id is not None
        await harbour.executive.actions.undo(first.action_id, MATE)
        journal = harbour.executive.journal
        chain = await journal.chain(action_entry_id(first.action_id), whole("default"))
        assert (chain.original.status, chain.original.decision) == ("superseded", "Hoist flag Q")
        assert (chain.current.status, chain.current.decision) == ("active", "Lower flag Q")


def flags_in(folder: Path) -> str:
    pack = folder / "flags"
    pack.mkdir()
    (pack / "actions.yaml").write_text(ACTIONS, "utf-8")
    (pack / "entities.yaml").write_text('entities: {flag: {patterns: ["[QN]"]}}\n', "utf-8")
    (pack / "handlers.py").write_text(HANDLERS, "utf-8")
    return str(pack)


async def hoisted(harbour: Harbour, flag: str) -> Query:
    record = await harbour.says(f"hoist flag {flag}", MATE)
    assert record.offer_id is not None
    await harbour.executive.offers.choose(record.offer_id, "chip-1", MATE)
    rows = [row async for row in harbour.executive.queries.all("default")]
    return rows[-1]
