"""The door for agents over a real server: catalog, proposals, long polls, withdrawals."""

import asyncio
from typing import Any

import pytest

from state.reader import whole
from tests.api.conftest import assert_problem
from tests.api.door import Door, Json, door, told_of, until_quiet
from tests.graph.harbour import KEEPER

__all__ = ["door"]  # a fixture
pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_the_catalog_lists_what_the_key_may_ask_for_with_its_schema(door: Door):
    answer = await door.clients["agent"].get("/v1/catalog")
    listed = {each["name"]: each for each in answer.json()["actions"]}
    assert listed["close_lock"]["arguments"] == {
        "type": "object",
        "properties": {
            "lock": {"type": "string", "maxLength": 200, "description": "Name or id of the lock"},
            "minutes": {"type": "integer"},
        },
        "required": ["lock"],
        "additionalProperties": False,
    }
    said = ("class", "runs", "approver_roles")
    assert [listed["close_lock"][name] for name in said] == ["C", "after_approval", ["master"]]
    assert [listed["ring_bell"][name] for name in said[:2]] == ["B", "after_choice"]
    assert listed["show_lock"]["runs"] == "at_once"
    tag = {"If-None-Match": answer.headers["etag"]}
    assert (await door.clients["agent"].get("/v1/catalog", headers=tag)).status_code == 304
    guest = (await door.clients["guest"].get("/v1/catalog")).json()["actions"]
    assert "close_lock" not in {each["name"] for each in guest}


async def test_a_read_runs_at_once_and_gives_its_result(door: Door):
    done = await door.propose("show_lock", arguments={"lock": "LK-12"}, status=200)
    assert (done["status"], done["class"]) == ("executed", "A")
    assert done["result"] == {"text": "Lock LK-12 is open.", "data": {}, "changed": []}
    assert done["proposed_by"] == "tug-agent"


async def test_a_tainted_read_needs_a_click(door: Door):
    asked = await door.propose("show_lock", arguments={"lock": "LK-13"}, tainted=True, status=202)
    assert (asked["status"], asked["reasons"]) == ("needs_choice", ["tainted"])


async def test_a_write_waits_for_one_click_of_a_person(door: Door):
    asked = await door.propose("note_in_log", arguments={"note": "fog"}, status=202)
    assert asked["status"] == "needs_choice"
    assert asked["choice"]["summary"] == "Write in the log: fog"
    before = door.harbour.effects()
    chosen = await door.choose(asked, "agent")
    assert_problem(chosen, 403, "forbidden")
    assert door.harbour.effects() == before
    waiting = asyncio.create_task(door.read(asked, wait=20))
    await asyncio.sleep(0.2)
    assert (await door.choose(asked)).status_code == 200
    done = await waiting
    assert (done["status"], done["result"]["changed"]) == ("executed", ["log: fog"])
    assert door.harbour.effects() == [*before, "note_in_log fog"]


async def test_a_dangerous_call_runs_once_after_a_yes(door: Door):
    asked = await door.propose(
        "close_lock", arguments={"lock": "LK-20", "minutes": 5}, reason="storm", status=202
    )
    assert (asked["status"], asked["class"]) == ("pending_approval", "C")
    assert asked["approval"]["url"] == f"http://quay/console/approvals/{asked['approval']['id']}"
    words = asked["approval"]["dialog"]["words"]
    assert words == '"close_lock(lock=LK-20, minutes=5) · reason: storm"'
    assert "tug-agent" in asked["approval"]["dialog"]["words_of"]
    waiting = [asyncio.create_task(door.read(asked, wait=20)) for _ in range(3)]
    await asyncio.sleep(0.2)
    await door.answer(asked)
    for done in await asyncio.gather(*waiting):
        assert (done["status"], done["decided_by"]) == ("executed", "ingrid")
    assert door.harbour.effects().count("close_lock LK-20 5") == 1


async def test_a_no_says_why_and_not_to_ask_again(door: Door):
    asked = await door.propose("close_lock", arguments={"lock": "LK-21"})
    await door.answer(asked, "reject", reason="a barge is inside")
    told = await door.read(asked)
    assert told["status"] == "refused"
    assert "a barge is inside" in told["message"]
    assert "Do not propose it again" in told["message"]


async def test_the_same_call_is_not_asked_again_right_after_a_no(door: Door):
    call: Json = {"arguments": {"lock": "LK-35"}}
    first = await door.propose("close_lock", **call)
    await door.answer(first, "reject", reason="a barge is inside")
    told = await door.propose("close_lock", **call, status=200)
    assert (told["status"], told["reasons"]) == ("refused", ["rejected_lately"])
    said = "ingrid rejected the same call less than a minute ago: a barge is inside."
    assert said in told["message"]
    again = await door.propose("close_lock", **call, again=True, status=202)
    other = await door.propose("close_lock", who="other", **call, status=202)
    for each in (again, other):
        (line,) = [line for line in each["approval"]["dialog"]["duplicates"] if "rejected" in line]
        assert "before this request by ingrid: a barge is inside" in line
    over = "update ledger_entry set at = at - 7200 where event = 'rejected' and action_id = '{}'"
    door.harbour.alter("drop trigger ledger_entry_stays_on_update")
    door.harbour.alter(over.format(first["approval"]["id"]))
    later = await door.propose("close_lock", **call, status=202)
    assert later["duplicate_of"] == again["proposal_id"]


async def test_what_was_withdrawn_may_be_proposed_again_at_once(door: Door):
    call: Json = {"arguments": {"lock": "LK-36"}}
    first = await door.propose("close_lock", **call)
    await door.clients["agent"].delete(f"/v1/proposals/{first['proposal_id']}")
    again = await door.propose("close_lock", **call, status=202)
    assert again["approval"]["dialog"]["duplicates"] == []


async def test_edited_arguments_are_told_and_run(door: Door):
    asked = await door.propose("close_lock", arguments={"lock": "LK-22", "minutes": 50})
    arguments = {"lock": "LK-22", "minutes": 5}
    edited = await door.answer(asked, "edit", arguments=arguments)
    if edited["state"] == "pending":
        again = {"approval": {"digest": edited["digest"], "id": edited["action_id"]}}
        await door.answer(again)
    done = await door.read(asked, wait=5)
    assert (done["status"], done["edited"], done["arguments"]) == ("executed", True, arguments)


async def test_the_same_call_that_waits_is_answered_with_that_one(door: Door):
    call: Json = {"arguments": {"lock": "LK-23"}}
    first = await door.propose("close_lock", **call)
    second = await door.propose("close_lock", session_id="elsewhere", **call)
    assert second["duplicate_of"] == first["proposal_id"] != second["proposal_id"]
    assert second["approval"]["id"] == first["approval"]["id"]
    other = await door.propose("close_lock", who="other", **call)
    assert other["duplicate_of"] is None
    again = await door.propose("close_lock", again=True, **call)
    assert (again["duplicate_of"], "wanted_again" in again["reasons"]) == (None, True)
    await door.answer(first)
    both = [await door.read(each, wait=5) for each in (first, second)]
    assert [each["status"] for each in both] == ["executed", "executed"]
    assert (await door.read(other, who="other"))["status"] == "refused"  # the same ran meanwhile
    await door.answer(again)
    assert (await door.read(again, wait=5))["status"] == "executed"
    assert door.harbour.effects().count("close_lock LK-23 None") == 2


async def test_the_same_write_that_waits_for_a_click_has_one_click(door: Door):
    call: Json = {"action": "note_in_log", "arguments": {"note": "rain"}}
    first, *others = await asyncio.gather(*(door.propose(**call) for _ in range(4)))
    listed = await door.clients["agent"].post("/v1/proposals", json=[call, call])
    told = [first, *others, *listed.json()]
    assert len({each["choice"]["offer_id"] for each in told}) == 1
    owners = {each["duplicate_of"] or each["proposal_id"] for each in told}
    assert len(owners) == 1
    tainted = await door.propose(**call, tainted=True)
    assert (tainted["status"], tainted["class"]) == ("pending_approval", "C")
    again = await door.propose(**call, again=True)
    assert again["choice"]["offer_id"] != first["choice"]["offer_id"]
    before = door.harbour.effects()
    await door.choose(first)
    done = [await door.read(each, wait=5) for each in told]
    assert {each["status"] for each in done} == {"executed"}
    assert door.harbour.effects() == [*before, "note_in_log rain"]


async def test_a_key_of_a_duplicate_is_its_own_after_the_click(door: Door):
    call: Json = {"action": "note_in_log", "arguments": {"note": "sleet"}}
    first = await door.propose(**call)
    second = await door.propose(**call, idempotency_key="sleet-2")
    assert second["duplicate_of"] == first["proposal_id"]
    await door.choose(first)
    retried = await door.propose(**call, idempotency_key="sleet-2")
    assert (retried["proposal_id"], retried["status"]) == (second["proposal_id"], "executed")


async def test_a_suggestion_that_nobody_chose_expires(door: Door):
    asked = await door.propose("note_in_log", arguments={"note": "thaw"})
    over = f"update offer set expires_at = 1 where offer_id = '{asked['choice']['offer_id']}'"
    door.harbour.alter(over)
    told = await door.read(asked, wait=5)
    assert (told["status"], told["choice"]) == ("expired", None)
    late = await door.clients["agent"].delete(f"/v1/proposals/{asked['proposal_id']}")
    assert assert_problem(late, 409, "conflict")["standing"] == "expired"


async def test_who_withdraws_for_a_person_is_named_and_not_that_person(door: Door):
    asked = await door.propose(
        "close_lock", who="relay", arguments={"lock": "LK-27"}, on_behalf_of="amir", role="keeper"
    )
    path = f"/v1/proposals/{asked['proposal_id']}"
    told = (await door.clients["relay"].delete(path)).json()
    assert (told["status"], told["decided_by"]) == ("withdrawn", "relay")
    refused = await door.propose("close_lock", arguments={"lock": "LK-28"})
    await door.answer(refused, "reject", reason="withdrawn by the requester")
    assert (await door.read(refused))["status"] == "refused"


@pytest.mark.parametrize(
    ("action", "arguments"), [("note_in_log", {"note": "mist"}), ("close_lock", {"lock": "LK-24"})]
)
async def test_what_has_not_begun_can_be_withdrawn_by_who_proposed_it(
    door: Door, action: str, arguments: Json
):
    asked = await door.propose(action, arguments=arguments)
    path = f"/v1/proposals/{asked['proposal_id']}"
    assert_problem(await door.clients["other"].delete(path), 403, "forbidden")
    assert (await door.clients["agent"].delete(path)).json()["status"] == "withdrawn"
    assert (await door.read(asked))["status"] == "withdrawn"
    late = assert_problem(await door.clients["agent"].delete(path), 409, "conflict")
    assert late["standing"] == "withdrawn"
    if asked["choice"]:
        assert (await door.choose(asked)).status_code == 409


BAD: tuple[tuple[Any, int, str, str], ...] = (
    ({"action": "close_locks"}, 422, "invalid", "did you mean close_lock"),
    ({"action": "close_lock", "arguments": {}}, 422, "invalid-arguments", "lock is missing"),
    (
        {"action": "close_lock", "arguments": {"lock": "LK-1"}},
        422,
        "invalid-arguments",
        "lock: there is no lock 'LK-1'",
    ),
    (
        {"action": "close_lock", "arguments": {"lock": "LK-10", "speed": 2}},
        422,
        "invalid-arguments",
        "no argument 'speed'",
    ),
    (
        {"action": "close_lock", "arguments": {"lock": "LK-10", "minutes": "ten"}},
        422,
        "invalid-arguments",
        "minutes must be a whole number",
    ),
    ({"action": "close_lock", "arguments": ["LK-10"]}, 422, "invalid", "arguments"),
    ({"arguments": {}}, 422, "invalid", "action"),
    ({"action": "ring_bell", "wait_seconds": 600}, 422, "invalid", "wait_seconds"),
    ({"action": "ring_bell", "approved": True}, 422, "invalid", "approved"),
    ({"action": "ring_bell", "tenant_id": "elsewhere"}, 403, "forbidden", "tenant"),
    ({"action": "ring_bell", "on_behalf_of": "amir"}, 403, "forbidden", "user"),
    ({"action": "ring_bell", "role": "master"}, 403, "forbidden", "role"),
    ([{"action": "ring_bell"}] * 101, 413, "too-large", "at most 100"),
    (
        [{"action": "ring_bell"}, {"action": "close_lock", "arguments": {}}],
        422,
        "invalid-arguments",
        "lock is missing",
    ),
    ("close lock LK-12", 422, "invalid", ""),
    ([], 422, "invalid", "at least one"),
    (
        {"action": "note_in_log", "arguments": {"note": "x" * 1_100_000}},
        413,
        "too-large",
        "",
    ),
)


@pytest.mark.parametrize(("sent", "status", "slug", "says"), BAD)
async def test_what_cannot_be_proposed_is_named(
    door: Door, sent: Any, status: int, slug: str, says: str
):
    before = door.harbour.effects()
    problem = assert_problem(
        await door.clients["agent"].post("/v1/proposals", json=sent), status, slug
    )
    assert says in str(problem)
    if slug == "invalid-arguments":
        assert problem["schema"]["required"] == ["lock"]
    assert door.harbour.effects() == before


async def test_what_the_key_may_not_ask_for_is_refused_and_recorded(door: Door):
    told = await door.propose("close_lock", who="guest", arguments={"lock": "LK-12"}, status=200)
    assert (told["status"], told["reasons"]) == ("refused", ["role"])
    trace = await door.clients["guest"].get(f"/v1/decisions/{told['decision_id']}")
    assert trace.json()["record"]["outcome"] == "refused"


async def test_a_relay_proposes_for_a_person_who_is_named(door: Door):
    asked = await door.propose(
        "close_lock", who="relay", arguments={"lock": "LK-25"}, on_behalf_of="amir", role="keeper"
    )
    assert (asked["proposed_by"], asked["on_behalf_of"]) == ("relay", "amir")
    dialog = asked["approval"]["dialog"]
    assert "amir" in dialog["asked_by"]
    assert "relay" in dialog["words_of"]


async def test_a_call_comes_in_by_one_door(door: Door):
    sent = {"kind": "proposal", "text": "show lock LK-12", "call": {"action": "drain_basin"}}
    answer = await door.clients["agent"].post("/v1/events", json=sent)
    assert "POST /v1/proposals" in assert_problem(answer, 422, "invalid")["detail"]


async def test_another_tenant_finds_nothing(door: Door):
    asked = await door.propose("close_lock", arguments={"lock": "LK-26"})
    path = f"/v1/proposals/{asked['proposal_id']}"
    assert_problem(await door.clients["olav"].get(path), 404, "not-found")
    assert_problem(await door.clients["olav"].delete(path), 404, "not-found")
    message = await door.harbour.says("show lock LK-12")
    not_a_call = f"/v1/proposals/{message.decision_id}"
    assert_problem(await door.clients["agent"].get(not_a_call), 404, "not-found")


async def test_an_idempotency_key_is_one_call(door: Door):
    agent = door.clients["agent"]
    sent = {"action": "note_in_log", "arguments": {"note": "snow"}, "idempotency_key": "snow-1"}
    first, second = [(await agent.post("/v1/proposals", json=sent)).json() for _ in range(2)]
    assert first["proposal_id"] == second["proposal_id"]
    changed = {**sent, "arguments": {"note": "hail"}}
    taken = assert_problem(await agent.post("/v1/proposals", json=changed), 409, "conflict")
    assert "idempotency_key" in taken["detail"]
    key = {"Idempotency-Key": "one-call"}
    await agent.post("/v1/proposals", json={"action": "ring_bell"}, headers=key)
    other = await agent.post("/v1/proposals", json={"action": "count_swans"}, headers=key)
    assert_problem(other, 422, "key-reused")


async def test_proposals_are_listed_by_status_and_agent_page_by_page(door: Door):
    made = [
        await door.propose("note_in_log", who="bridge", arguments={"note": f"list {n}"})
        for n in range(5)
    ]
    await door.choose(made[1])
    await door.propose(
        "close_lock", who="bridge", session_id="board-2", arguments={"lock": "LK-39"}
    )

    async def listed(who: str = "amir", **wanted: Any) -> list[str]:
        found, cursor = [], None
        while True:
            query = {"agent": "bridge-agent", "limit": 2, **wanted}
            given = query | ({"cursor": cursor} if cursor else {})
            page = (await door.clients[who].get("/v1/proposals", params=given)).json()
            found += [each["proposal_id"] for each in page["proposals"]]
            if (cursor := page["next_cursor"]) is None:
                return found

    ids = [each["proposal_id"] for each in reversed(made)]
    everything = await listed()
    assert everything[:5] == ids  # the closed session is not among them
    waiting = [each for each in ids if each != made[1]["proposal_id"]]
    assert (await listed(status="needs_choice"))[:4] == waiting
    assert await listed(status="executed") == [made[1]["proposal_id"]]
    assert len(await listed(who="ingrid")) == len(everything) + 1
    assert await listed(who="olav") == []
    for bad in ({"status": "lost"}, {"limit": 500}, {"cursor": "no-such"}):
        answer = await door.clients["amir"].get("/v1/proposals", params=bad)
        assert answer.status_code in (400, 422), answer.text


async def test_a_list_is_decided_call_by_call(door: Door):
    sent = [
        {"action": "show_lock", "arguments": {"lock": "LK-30"}},
        {"action": "close_lock", "arguments": {"lock": "LK-31"}},
        {"action": "close_lock", "arguments": {"lock": "LK-32"}},
        {"action": "count_swans"},
    ]
    answer = await door.clients["agent"].post("/v1/proposals", json=sent)
    assert answer.status_code == 202
    made = answer.json()
    assert [each["status"] for each in made] == [
        *("executed", "pending_approval", "pending_approval", "failed")
    ]
    await door.answer(made[1], "reject", reason="no")
    await door.answer(made[2])
    assert (await door.read(made[2], wait=5))["status"] == "executed"
    assert (await door.read(made[1]))["status"] == "refused"


async def test_an_agents_call_leaves_the_conversation_of_people_alone(door: Door):
    before = await door.harbour.session()
    asked = await door.propose("note_in_log", arguments={"note": "squall"})
    assert await door.harbour.session() == before
    effects = door.harbour.effects()
    said = await door.clients["amir"].post("/v1/messages", json={"text": "yes"})
    assert said.status_code == 200
    assert door.harbour.effects() == effects
    assert (await door.read(asked))["status"] == "needs_choice"


async def test_a_wait_ends_in_time_and_says_that_it_is_open(door: Door):
    asked = await door.propose("note_in_log", arguments={"note": "calm"}, wait_seconds=0.2)
    assert asked["status"] == "needs_choice"
    assert (await door.read(asked, wait=0.2))["status"] == "needs_choice"


async def test_the_stream_tells_where_a_call_stands(door: Door):
    listener = door.harbour.executive.notices.listen(whole("default"))
    asked = await door.propose("note_in_log", arguments={"note": "swell"})
    await door.choose(asked)
    said = await door.harbour.says("write in the log: foam")
    await door.harbour.executive.offers.choose(said.offer_id or "", "chip-1", KEEPER)
    told = [each async for each in until_quiet(listener) if each.kind == "proposal"]
    assert [(each.data["proposal_id"], each.data["status"]) for each in told] == [
        (asked["proposal_id"], "needs_choice"),
        (asked["proposal_id"], "executed"),
    ]


@pytest.mark.parametrize(
    ("action", "arguments", "first"),
    [
        ("note_in_log", {"note": "sludge"}, "needs_choice"),
        ("close_lock", {"lock": "LK-33"}, "pending_approval"),
    ],
)
async def test_the_stream_tells_once_that_a_call_is_withdrawn(
    door: Door, action: str, arguments: Json, first: str
):
    listener = door.harbour.executive.notices.listen(whole("default"))
    asked = await door.propose(action, arguments=arguments)
    await door.clients["agent"].delete(f"/v1/proposals/{asked['proposal_id']}")
    assert await told_of(listener, asked) == [first, "withdrawn"]


async def test_the_stream_tells_once_that_a_suggestion_has_expired(door: Door):
    listener = door.harbour.executive.notices.listen(whole("default"))
    asked = await door.propose("note_in_log", arguments={"note": "glaze"})
    over = "update offer set expires_at = unixepoch() - 5 where offer_id = '{}'"
    door.harbour.alter(over.format(asked["choice"]["offer_id"]))
    waiting = asyncio.create_task(door.read(asked, wait=20))
    for _ in range(2):
        await door.harbour.executive.proposals.reconcile()
    assert (await waiting)["status"] == "expired"
    assert await told_of(listener, asked) == ["needs_choice", "expired"]


async def test_the_stream_tells_that_nobody_answered(door: Door):
    listener = door.harbour.executive.notices.listen(whole("default"))
    asked = await door.propose("close_lock", arguments={"lock": "LK-34"})
    over = "update ledger_action set expires_at = unixepoch() - 5 where action_id = '{}'"
    door.harbour.alter(over.format(asked["approval"]["id"]))
    await door.harbour.executive.approvals.settle_answered()
    assert await told_of(listener, asked) == ["pending_approval", "expired"]


async def test_a_duplicate_tells_nothing_of_a_closed_session(door: Door):
    call: Json = {"action": "close_lock", "arguments": {"lock": "LK-29"}, "who": "bridge"}
    first = await door.propose(**call, session_id="board-1", reason="SECRETBOARD")
    second = await door.propose(**call)
    assert second["duplicate_of"] == first["proposal_id"]
    told = await door.read(second, who="amir")
    assert (told["status"], told["approval"]) == ("pending_approval", None)
    assert "SECRETBOARD" not in str(told)
    assert first["proposal_id"] not in str(told)
    path = f"/v1/proposals/{first['proposal_id']}"
    assert_problem(await door.clients["amir"].get(path), 404, "not-found")


async def test_whoever_hangs_up_is_not_waited_for(door: Door):
    asked = await door.propose("note_in_log", arguments={"note": "drizzle"})
    waiters = door.harbour.executive.proposals.waiters
    polls = [asyncio.create_task(door.read(asked, wait=20)) for _ in range(5)]
    await asyncio.sleep(0.3)
    assert waiters.is_awaited(asked["proposal_id"])
    for poll in polls:
        poll.cancel()
    await asyncio.gather(*polls, return_exceptions=True)
    async with asyncio.timeout(5):
        while waiters.is_awaited(asked["proposal_id"]):  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0.05)
