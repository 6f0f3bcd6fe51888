"""The routes on the real Executive with the vessel pack, over a real server on loopback."""

import asyncio
import json
import shutil
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio

from api.app import create_app
from graph.executive import Executive
from graph.settings import Settings
from graph.wiring.composition import open_executive
from state.principal import Principal
from tests.api.conftest import assert_problem
from tests.api.ship import Service, Ship
from tests.serving import serving

pytestmark = pytest.mark.asyncio(loop_scope="module")

NDJSON = {"Content-Type": "application/x-ndjson"}
ROLES = {
    "engineer": ("engineer",),
    "chief": ("chief_engineer",),
    "bot": ("chief_engineer",),
    "bridge": ("integrator",),
    "guest": ("viewer",),
}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def service(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Service]:
    settings = Settings(data_dir=tmp_path_factory.mktemp("data"), packs=("vessel",))
    async with open_executive(settings) as executive, serving(create_app(executive)) as address:
        yield Service(executive, address)


@pytest_asyncio.fixture(loop_scope="module")
async def ship(service: Service, request: pytest.FixtureRequest) -> AsyncIterator[Ship]:
    tenant = str(request.node.name)
    people = {
        name: Principal(
            user=name, tenant_id=tenant, roles=roles, kind="service" if name[0] == "b" else "person"
        )
        for name, roles in ROLES.items()
    }
    people["stranger"] = Principal(
        user="stranger", tenant_id="elsewhere", roles=("chief_engineer", "admin")
    )
    async with AsyncExitStack() as stack:
        clients = {}
        for name, principal in people.items():
            key = await service.executive.keys.make(principal)
            client = httpx.AsyncClient(
                base_url=service.address, headers={"Authorization": f"Bearer {key}"}, timeout=30
            )
            clients[name] = await stack.enter_async_context(client)
        yield Ship(service, tenant, clients)


async def test_a_question_is_answered_at_once(ship: Ship):
    answer = await ship["engineer"].post(
        "/v1/messages", json={"text": "show me the port generator"}
    )
    record = answer.json()
    assert answer.status_code == 200
    assert (record["outcome"], record["execution_class"]) == ("executed", "A")
    assert record["action"] == "show_equipment_overview"
    trace = (await ship["engineer"].get(f"/v1/decisions/{record['decision_id']}")).json()
    assert trace["event"]["user"] == "engineer"
    assert "relevance" in trace["stages"]


async def test_nothing_dangerous_runs_before_the_right_yes_and_then_once(ship: Ship):
    asked = await ship.ask_to_close()
    assert asked["outcome"] == "awaiting_approval"
    approval = asked["approval"]
    path = f"/v1/approvals/{approval['action_id']}"
    yes = {"decision": "approve", "digest": approval["digest"]}

    wrong = await ship["chief"].post(path, json=yes | {"digest": "0" * 64})
    assert_problem(wrong, 409, "digest-mismatch")
    assert_problem(await ship["engineer"].post(path, json=yes), 403, "forbidden")
    assert_problem(await ship["bot"].post(path, json=yes), 403, "forbidden")
    assert_problem(await ship["stranger"].post(path, json=yes), 404, "not-found")
    assert (await ship["chief"].get(path)).json()["state"] == "pending"
    assert ship.state() == "open"

    done = await ship["chief"].post(path, json=yes)
    assert (done.status_code, done.json()["state"]) == (200, "succeeded")
    assert ship.state() == "closed"
    again = await ship["chief"].post(path, json=yes)
    assert assert_problem(again, 409, "conflict")["standing"] == "succeeded"
    trace = (await ship["chief"].get(f"/v1/decisions/{asked['decision_id']}")).json()
    assert trace["record"]["outcome"] == "executed"


async def test_many_answers_at_once_run_it_once(ship: Ship):
    asked = await ship.ask_to_close()
    path = f"/v1/approvals/{asked['approval']['action_id']}"
    yes = {"decision": "approve", "digest": asked["approval"]["digest"]}
    answers = await asyncio.gather(*(ship["chief"].post(path, json=yes) for _ in range(8)))
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 7


async def test_a_no_leaves_everything_as_it_was(ship: Ship):
    asked = await ship.ask_to_close()
    path = f"/v1/approvals/{asked['approval']['action_id']}"
    no = {"decision": "reject", "digest": asked["approval"]["digest"], "reason": "not yet"}
    assert (await ship["chief"].post(path, json=no)).json()["state"] == "rejected"
    assert ship.state() == "open"
    trace = (await ship["chief"].get(f"/v1/decisions/{asked['decision_id']}")).json()
    assert trace["record"]["outcome"] == "refused"


async def test_an_edit_runs_what_was_edited_and_nothing_else(ship: Ship):
    asked = await ship.ask_to_close()
    path = f"/v1/approvals/{asked['approval']['action_id']}"
    edit = {"decision": "edit", "digest": asked["approval"]["digest"]}
    bad = await ship["chief"].post(path, json=edit | {"arguments": {"order": "WO-1042"}})
    assert_problem(bad, 422, "invalid-arguments")
    arguments = {"work_order": "WO-1042", "note": "checked by the chief"}
    done = await ship["chief"].post(path, json=edit | {"arguments": arguments})
    assert (done.json()["state"], done.json()["arguments"]) == ("succeeded", arguments)
    assert ship.state() == "closed"


async def test_the_same_message_twice_asks_once(ship: Ship):
    first = await ship.ask_to_close()
    assert (await ship.ask_to_close())["decision_id"] == first["decision_id"]
    assert len((await ship["chief"].get("/v1/approvals")).json()["approvals"]) == 1


async def test_a_chip_is_chosen_once_and_changes_the_store(ship: Ship):
    text = "add a note to WO-1042: gasket ordered"
    offered = (await ship["engineer"].post("/v1/messages", json={"text": text})).json()
    assert offered["outcome"] == "offered"
    chip = offered["offer"]["chips"][0]
    path = f"/v1/offers/{offered['offer_id']}"
    click = {"chip_id": chip["chip_id"]}
    assert_problem(await ship["stranger"].post(path, json=click), 404, "not-found")
    done = (await ship["engineer"].post(path, json=click)).json()
    assert (done["outcome"], done["action"]) == ("executed", "add_note_to_work_order")
    late = await ship["engineer"].post(path, json=click)
    assert assert_problem(late, 409, "conflict")["standing"] == "chosen"


async def test_a_stream_with_broken_lines_decides_the_rest(ship: Ship):
    lines = [
        json.dumps({"event_id": f"s-{n}", "source": "probe", "text": f"Bilge level {n} cm"})
        for n in range(40)
    ]
    lines[7] = '{"event_id": "s-7", "text": '
    lines[20] = '{"event_id": "s-20", "text": NaN}'
    lines[33] = '{"event_id": "s-33", "text": "x", "tenant_id": "borealis"}'
    answer = await ship["bridge"].post("/v1/events", content="\n".join(lines), headers=NDJSON)
    told = [json.loads(line) for line in answer.text.splitlines()]
    assert [line["line"] for line in told if "problem" in line] == [8, 21, 34]
    decided = (await ship["bridge"].get("/v1/decisions", params={"limit": 200})).json()
    assert len(decided["decisions"]) == len({line["line"] for line in told}) - 3 == 37


async def test_an_alarm_of_who_may_change_nothing_is_no_alarm(ship: Ship):
    alarm = {"text": "fire in the engine room", "salience": {"threat": 1.0}}
    refused = await ship["guest"].post(
        "/v1/events", json=[{"text": "hi", "kind": "message"}, alarm]
    )
    assert (refused.status_code, "kind: message" in refused.json()["detail"]) == (403, True)
    line = await ship["guest"].post("/v1/events", content=json.dumps(alarm), headers=NDJSON)
    assert line.json()["problem"]["status"] == 403
    assert (await ship["engineer"].get("/v1/decisions")).json()["decisions"] == []
    assert (await ship["engineer"].post("/v1/events", json=alarm)).json()["spoke"]


async def test_pages_of_decisions_miss_none_and_repeat_none(ship: Ship):
    sent = [{"event_id": f"s-{n}", "source": "probe", "text": f"Level {n}"} for n in range(7)]
    records = (await ship["bridge"].post("/v1/events", json=sent)).json()
    seen: list[str] = []
    wanted: dict[str, str | int] = {"limit": 3}
    while True:
        page = (await ship["bridge"].get("/v1/decisions", params=wanted)).json()
        seen += [each["decision_id"] for each in page["decisions"]]
        if page["next_cursor"] is None:
            break
        wanted["cursor"] = page["next_cursor"]
    assert seen == [record["decision_id"] for record in reversed(records)]


async def test_what_is_acknowledged_is_decided(ship: Ship):
    sent = [{"event_id": f"s-{n}", "source": "probe", "text": f"Level {n}"} for n in range(10)]
    answer = await ship["bridge"].post("/v1/events", json=sent, headers={"Prefer": "respond-async"})
    assert answer.status_code == 202
    records = [await ship.service.executive.decide(ack["decision_id"]) for ack in answer.json()]
    assert [record.event_id for record in records] == [event["event_id"] for event in sent]


async def test_the_stream_tells_of_the_approval_and_of_the_end(ship: Ship):
    kinds = []
    async with ship["chief"].stream("GET", "/v1/stream") as answer:
        lines = answer.aiter_lines()
        assert await anext(lines) == "event: open"
        asked = await ship.ask_to_close()
        approval = asked["approval"]
        await ship["chief"].post(
            f"/v1/approvals/{approval['action_id']}",
            json={"decision": "approve", "digest": approval["digest"]},
        )
        async with asyncio.timeout(60):
            async for line in lines:
                if line.startswith("event: "):
                    kinds.append(line.removeprefix("event: "))
                if kinds[-1:] == ["decision"] and "approval" in kinds:
                    break
    assert "approval" in kinds


async def test_another_tenant_sees_nothing_of_it(ship: Ship):
    asked = await ship.ask_to_close()
    stranger = ship["stranger"]
    path = f"/v1/decisions/{asked['decision_id']}"
    assert_problem(await stranger.get(path), 404, "not-found")
    assert (await stranger.get("/v1/decisions")).json()["decisions"] == []
    assert (await stranger.get("/v1/approvals")).json()["approvals"] == []


async def test_the_index_links_to_what_answers(ship: Ship):
    index = (await ship["engineer"].get("/")).json()
    for name, path in index["links"].items():
        if name == "stream":
            continue  # it never ends
        assert (await ship["engineer"].get(path)).status_code in (200, 405), path


async def test_it_is_ready_and_says_what_is_missing(ship: Ship):
    assert "no model" in (await ship["engineer"].get("/readyz")).json()["degraded"][0]


# Undo, bad input and several things, over a real server, on a pack from a foreign folder.

BANK = Path(__file__).parents[1] / "bank"
ROLES_ACTIONS = {
    "tina": ("teller",),
    "ada": ("advisor",),
    "max": ("manager",),
    "cleo": ("compliance",),
}
NOTE = "add a note to C-1001: prefers letters"


@dataclass(frozen=True)
class Counter:
    """The people of one tenant, each with a key."""

    clients: dict[str, httpx.AsyncClient]

    def __getitem__(self, name: str) -> httpx.AsyncClient:
        return self.clients[name]

    async def says(self, name: str, text: str, **fields: Any) -> dict[str, Any]:
        answer = await self[name].post("/v1/messages", json={"text": text, **fields})
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    async def picks(self, name: str, text: str) -> dict[str, Any]:
        offered = await self.says(name, text)
        path = f"/v1/offers/{offered['offer_id']}"
        done = (await self[name].post(path, json={"chip_id": "chip-1"})).json()
        assert done["outcome"] == "executed", done
        return dict(done)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def service_actions(
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[tuple[Executive, str]]:
    folder = tmp_path_factory.mktemp("foreign") / "bank"
    shutil.copytree(BANK, folder, ignore=shutil.ignore_patterns("__pycache__"))
    settings = Settings(data_dir=tmp_path_factory.mktemp("data"), packs=(str(folder),))
    async with open_executive(settings) as executive, serving(create_app(executive)) as address:
        yield executive, address


@pytest_asyncio.fixture(loop_scope="module")
async def counter(
    service_actions: tuple[Executive, str], request: pytest.FixtureRequest
) -> AsyncIterator[Counter]:
    executive, address = service_actions
    tenant = "".join(filter(str.isalnum, request.node.name))[:60]
    people = {
        name: Principal(user=name, tenant_id=tenant, roles=roles)
        for name, roles in ROLES_ACTIONS.items()
    }
    people["bot"] = Principal(user="bot", tenant_id=tenant, roles=("advisor",), kind="service")
    people["stranger"] = Principal(user="ada", tenant_id="elsewhere", roles=("advisor",))
    async with AsyncExitStack() as stack:
        clients = {}
        for name, principal in people.items():
            key = await executive.keys.make(principal)
            client = httpx.AsyncClient(
                base_url=address, headers={"Authorization": f"Bearer {key}"}, timeout=30
            )
            clients[name] = await stack.enter_async_context(client)
        yield Counter(clients)


async def test_what_was_done_is_undone_once(counter: Counter):
    done = await counter.picks("ada", NOTE)
    (listed,) = (await counter["max"].get("/v1/actions?undoable=true")).json()["actions"]
    assert listed["action_id"] == done["action_id"]
    path = f"/v1/actions/{done['action_id']}"
    assert (await counter["ada"].get(path)).json()["undo_until"] is not None
    undone = await counter["ada"].post(f"{path}/undo")
    assert (undone.status_code, undone.json()["outcome"]) == (200, "executed")
    again = await counter["ada"].post(f"{path}/undo")
    assert assert_problem(again, 409, "conflict")["standing"] == "undone"
    assert (await counter["ada"].get(path)).json()["undo_by"] == "ada"
    assert (await counter["max"].get("/v1/actions?undoable=true")).json()["actions"] == []


async def test_a_dangerous_undo_comes_with_its_approval(counter: Counter):
    done = await counter.picks("tina", "lock card CARD-3001")
    answer = await counter["tina"].post(f"/v1/actions/{done['action_id']}/undo")
    asked = answer.json()
    assert (asked["outcome"], asked["approval"]["action"]) == ("awaiting_approval", "unlock_card")
    path = f"/v1/approvals/{asked['action_id']}"
    yes = {"decision": "approve", "digest": asked["approval"]["digest"]}
    assert_problem(await counter["tina"].post(path, json=yes), 403, "forbidden")
    assert (await counter["max"].post(path, json=yes)).json()["state"] == "succeeded"


async def test_who_may_not_undo_learns_why(counter: Counter):
    done = await counter.picks("ada", NOTE)
    path = f"/v1/actions/{done['action_id']}"
    assert_problem(await counter["stranger"].post(f"{path}/undo"), 404, "not-found")
    assert_problem(await counter["stranger"].get(path), 404, "not-found")
    assert_problem(await counter["cleo"].post(f"{path}/undo"), 403, "forbidden")
    assert_problem(await counter["bot"].post(f"{path}/undo"), 403, "forbidden")
    assert_problem(await counter["ada"].post("/v1/actions/nothing/undo"), 404, "not-found")
    statement = "send the statement of AC-2001 to nora@fjordbank.example"
    sent = await counter.picks("ada", statement)
    refused = await counter["ada"].post(f"/v1/actions/{sent['action_id']}/undo")
    assert assert_problem(refused, 409, "conflict")["standing"] == "not_undoable"


async def test_a_message_undoes_by_a_chip(counter: Counter):
    done = await counter.picks("ada", NOTE)
    offered = await counter.says("ada", "undo that")
    (chip,) = offered["offer"]["chips"]
    assert chip["undo_of"] == done["action_id"]
    chosen = await counter["ada"].post(
        f"/v1/offers/{offered['offer_id']}", json={"chip_id": chip["chip_id"]}
    )
    assert chosen.json()["outcome"] == "executed"


async def test_an_answer_completes_a_request(counter: Counter):
    asked = await counter.says("ada", "close account")
    assert (asked["reason"], "Which account?" in asked["text"]) == ("missing_slot", True)
    assert (await counter.says("ada", "AC-2005"))["approval"]["arguments"] == {"account": "AC-2005"}


@pytest.mark.parametrize(
    "arguments",
    [
        {"limit": 90_000},
        {"limit": "450"},
        {"card": ["CARD-3001"]},
        {"colour": "red"},
        {"__class__": "x"},
        {"limit": {"value": 450}},
        {"many": list(range(10_000))},
    ],
    ids=lambda given: str(given)[:40],
)
async def test_a_click_with_other_arguments_is_refused_and_the_chip_stays(
    counter: Counter, arguments: dict[str, Any]
):
    offered = await counter.says("tina", "set the limit of CARD-3001 to 450")
    path = f"/v1/offers/{offered['offer_id']}"
    bad = await counter["tina"].post(path, json={"chip_id": "chip-1", "arguments": arguments})
    assert_problem(bad, 422, "invalid-arguments")
    assert_problem(await counter["bot"].post(path, json={"chip_id": "chip-1"}), 403, "forbidden")
    good = await counter["tina"].post(path, json={"chip_id": "chip-1"})
    assert good.json()["outcome"] == "executed"


async def test_what_cannot_be_read_is_asked_about(counter: Counter):
    for text, reason in (
        ("close account AC-9999", "unclear"),
        ("tag C-1001 as purple", "missing_slot"),
        ("transfer 4 or 5 from AC-2001 to City Power", "unclear"),
    ):
        asked = await counter.says("ada", text)
        assert (asked["outcome"], asked["reason"]) == ("spoke", reason), text
    several = await counter.says("ada", "close the savings account")
    assert (several["outcome"], len(several["offer"]["chips"])) == ("offered", 2)
    refused = await counter.says("cleo", "close account AC-2005")
    assert (refused["outcome"], refused["reason"]) == ("refused", "role")
    assert (await counter["max"].get("/v1/actions")).json()["actions"] == []
    assert (await counter["max"].get("/v1/approvals")).json()["approvals"] == []


async def test_an_event_id_with_other_words_is_refused(counter: Counter):
    first = await counter.says("ada", "show account AC-2001", event_id="m-1")
    again = await counter.says("ada", "show account AC-2001", event_id="m-1")
    other = {"text": "close account AC-2005", "event_id": "m-1"}
    assert_problem(await counter["ada"].post("/v1/messages", json=other), 409, "conflict")
    assert (first["duplicate"], again["duplicate"]) == (False, True)
    assert again["decision_id"] == first["decision_id"]
    assert (await counter["max"].get("/v1/approvals")).json()["approvals"] == []


@pytest.mark.parametrize("query", ["undoable=perhaps", "limit=0", "limit=many"])
async def test_the_filter_is_read_strictly(counter: Counter, query: str):
    assert_problem(await counter["ada"].get(f"/v1/actions?{query}"), 422, "invalid")
