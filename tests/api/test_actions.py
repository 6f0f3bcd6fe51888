"""Undo, bad input and several things, over a real server, on a pack from a foreign folder."""

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
from tests.serving import serving

pytestmark = pytest.mark.asyncio(loop_scope="module")

BANK = Path(__file__).parents[1] / "bank"
ROLES = {"tina": ("teller",), "ada": ("advisor",), "max": ("manager",), "cleo": ("compliance",)}
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
async def service(
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[tuple[Executive, str]]:
    folder = tmp_path_factory.mktemp("foreign") / "bank"
    shutil.copytree(BANK, folder, ignore=shutil.ignore_patterns("__pycache__"))
    settings = Settings(data_dir=tmp_path_factory.mktemp("data"), packs=(str(folder),))
    async with open_executive(settings) as executive, serving(create_app(executive)) as address:
        yield executive, address


@pytest_asyncio.fixture(loop_scope="module")
async def counter(
    service: tuple[Executive, str], request: pytest.FixtureRequest
) -> AsyncIterator[Counter]:
    executive, address = service
    tenant = "".join(filter(str.isalnum, request.node.name))[:60]
    people = {
        name: Principal(user=name, tenant_id=tenant, roles=roles) for name, roles in ROLES.items()
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
    completed = await counter.says("ada", "AC-2005")
    assert completed["approval"]["arguments"] == {"account": "AC-2005"}


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
