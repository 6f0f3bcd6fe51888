"""Heuristics, modulations, personality, quiet and reminders over a real server."""

import shutil
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio

from api.app import create_app
from graph.settings import Settings
from graph.wiring.composition import build_toolbox, open_executive
from state.approval import ApprovalAnswer, LedgerAction
from state.errors import Forbidden
from state.principal import Principal
from tests.api.conftest import assert_problem
from tests.openai_server import OpenAIServer, Rule
from tests.serving import serving

pytestmark = pytest.mark.asyncio(loop_scope="module")

# `/v1/feedback`, `/v1/responses`, `/v1/heuristics` over a real server: who may, and what comes.

SHELF = Path(__file__).parents[1] / "shelf"
SAYS: dict[str, Any] = {
    "action": None,
    "arguments": [],
    "predicted_success": 0.7,
    "confidence": 0.8,
    "say": "Dry the books.",
}
PEOPLE = {
    "ann": Principal(user="ann", tenant_id="default", roles=("reader",)),
    "bot": Principal(user="bot", tenant_id="default", roles=("reader",), kind="service"),
    "gus": Principal(user="gus", tenant_id="default", roles=("guest",)),
    "olav": Principal(user="olav", tenant_id="elsewhere", roles=("reader",)),
}
Clients = dict[str, httpx.AsyncClient]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def clients(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Clients]:
    async with AsyncExitStack() as stack:
        server = stack.enter_context(OpenAIServer(Rule(says=SAYS)))
        settings = Settings(
            data_dir=tmp_path_factory.mktemp("data"),
            packs=(str(SHELF),),
            model="test",
            model_base_url=server.base_url,
            embedder="none",
        )
        executive = await stack.enter_async_context(open_executive(settings))
        address = await stack.enter_async_context(serving(create_app(executive)))
        made = {}
        for name, principal in PEOPLE.items():
            headers = {"Authorization": f"Bearer {await executive.keys.make(principal)}"}
            client = httpx.AsyncClient(base_url=address, headers=headers, timeout=30)
            made[name] = await stack.enter_async_context(client)
        yield made


async def happens(clients: Clients, text: str) -> dict[str, Any]:
    event = {
        "text": text,
        "session_id": text,
        "salience": {"goal_relevance": 0.9},
        "kind": "ambient",
    }
    answer = await clients["ann"].post("/v1/events?wait=true", json=event)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def rate(clients: Clients, who: str, response: str, **given: Any) -> httpx.Response:
    return await clients[who].post(
        "/v1/feedback", json={"response_id": response, "rating": "good", **given}
    )


async def learned(clients: Clients, who: str = "ann") -> list[dict[str, Any]]:
    found = (await clients[who].get("/v1/heuristics")).json()["heuristics"]
    return [one for one in found if one["heuristic"]["origin"] == "learned"]


async def taught(clients: Clients, text: str) -> str:
    """Have a heuristic learned, and return its id."""
    await rate(clients, "ann", (await happens(clients, text))["response_id"])
    found = [one["heuristic"] for one in await learned(clients)]
    return next(str(one["heuristic_id"]) for one in found if one["condition"] == text)


async def test_a_rated_answer_is_learned_shown_changed_and_unlearned(clients: Clients):
    response = (await happens(clients, "The roof leaks"))["response_id"]
    rated = await rate(clients, "ann", response)
    assert (rated.status_code, rated.json()["explicit"]["sign"]) == (200, "good")
    name = await taught(clients, "The roof leaks")
    traced = (await clients["ann"].get(f"/v1/responses/{response}")).json()
    assert (traced["trace"]["path"], traced["trace"]["context_text"]) == ("llm", "The roof leaks")
    changed = await clients["ann"].patch(f"/v1/heuristics/{name}", json={"says": "Fetch a bucket."})
    assert changed.json()["heuristic"]["says"] == "Fetch a bucket."
    assert (await clients["ann"].get(f"/v1/heuristics/{name}")).json() == changed.json()
    await rate(clients, "ann", response, rating="bad", attribution="wrong_answer")
    after = (await clients["ann"].get(f"/v1/heuristics/{name}")).json()
    assert (after["confidence"]["goods"], after["confidence"]["bads"]) == (0, 1)
    assert after["heuristic"]["disabled"] is not None


async def test_who_changes_nothing_here_teaches_and_changes_nothing(clients: Clients):
    response = (await happens(clients, "The window is broken"))["response_id"]
    name = await taught(clients, "The door squeaks")
    before = await learned(clients)
    assert_problem(await rate(clients, "gus", response), 403, "forbidden")
    for who in ("gus", "bot"):
        hushed = await clients[who].patch(f"/v1/heuristics/{name}", json={"disabled": "mine"})
        assert_problem(hushed, 403, "forbidden")
    assert await learned(clients, "gus") == before  # to look at it is open to all of the tenant


async def test_another_tenant_finds_nothing(clients: Clients):
    name = await taught(clients, "The lamp is out")
    response = (await happens(clients, "The lamp is broken"))["response_id"]
    olav = clients["olav"]
    assert await learned(clients, "olav") == []
    assert_problem(await rate(clients, "olav", response), 404, "not-found")
    assert_problem(await olav.get(f"/v1/responses/{response}"), 404, "not-found")
    assert_problem(await olav.get(f"/v1/heuristics/{name}"), 404, "not-found")
    changed = await olav.patch(f"/v1/heuristics/{name}", json={"says": "Mine."})
    assert_problem(changed, 404, "not-found")


@pytest.mark.parametrize(
    "change",
    [
        {"floor": 0.9, "ceiling": 0.1},
        {"floor": 2},
        {"weight": -1},
        {"says": ""},
        {"confidence": 1.0},
        {"origin": "pack"},
    ],
)
async def test_a_change_that_makes_no_sense_is_422(clients: Clients, change: dict[str, Any]):
    name = await taught(clients, "The shelf is dusty")
    before = await learned(clients)
    refused = await clients["ann"].patch(f"/v1/heuristics/{name}", json=change)
    assert refused.status_code == 422, refused.text
    assert await learned(clients) == before


@pytest.mark.parametrize(
    "given", [{}, {"response_id": "x"}, {"response_id": "x", "rating": "great"}, {"rating": "good"}]
)
async def test_feedback_that_is_none_is_422(clients: Clients, given: dict[str, Any]):
    assert (await clients["ann"].post("/v1/feedback", json=given)).status_code == 422


async def test_a_locked_one_is_not_unlearned_by_a_rating_and_waits_for_an_approval(
    clients: Clients,
):
    name = await taught(clients, "The gutter is full")
    ann = clients["ann"]
    assert (await ann.patch(f"/v1/heuristics/{name}", json={"locked": True})).status_code == 200
    made = (await ann.get(f"/v1/heuristics/{name}")).json()["heuristic"]
    await rate(clients, "ann", made["made_from"], rating="bad", attribution="wrong_answer")
    assert (await ann.get(f"/v1/heuristics/{name}")).json()["heuristic"] == made
    for change in ({"says": "Leave it."}, {"locked": False}, {"disabled": "it is full"}):
        assert (await ann.patch(f"/v1/heuristics/{name}", json=change)).status_code == 202
    assert (await ann.get(f"/v1/heuristics/{name}")).json()["heuristic"] == made


# What ships or is locked is changed by an approved action of the ledger, and in no other way.

SHIPPED = """\
heuristics:
  - id: roof
    condition: the roof leaks
    say: "{text}. Fetch a bucket."
    confidence: 0.95
    locked: true
  - id: lamp
    condition: the lamp is broken
    say: "{text}. Change the bulb."
    confidence: 0.95
  - id: mould
    condition: mould on the books
    say: "{text}. Dry them."
    confidence: 0.95
    locked: true
"""
PEOPLE_PROTECTED_HEURISTICS = {
    "ann": Principal(user="ann", tenant_id="default", roles=("reader", "admin")),
    "sam": Principal(user="sam", tenant_id="default", roles=("reader",)),
    "ida": Principal(user="ida", tenant_id="default", roles=("admin",)),
    "bot": Principal(user="bot", tenant_id="default", roles=("admin",), kind="service"),
    "olav": Principal(user="olav", tenant_id="elsewhere", roles=("reader", "admin")),
}


class EndedError(Exception):
    """Stands for the end of the process."""


def _settings(folder: Path, policy: tuple[str, str] | None = None) -> Settings:
    pack = folder / "shelf"
    if not pack.exists():
        shutil.copytree(SHELF, pack)
        (pack / "heuristics.yaml").write_text(SHIPPED, "utf-8")
    settings = Settings(data_dir=folder / "data", packs=(str(pack),), embedder="none")
    if policy is None:
        return settings
    text = settings.policy_file.read_text("utf-8")
    assert policy[0] in text
    (folder / "policy.toml").write_text(text.replace(*policy), "utf-8")
    return settings.model_copy(update={"policy_file": folder / "policy.toml"})


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def clients_protected_heuristics(
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[Clients]:
    async with AsyncExitStack() as stack:
        settings = _settings(tmp_path_factory.mktemp("protected"))
        executive = await stack.enter_async_context(open_executive(settings))
        address = await stack.enter_async_context(serving(create_app(executive)))
        made = {}
        for name, principal in PEOPLE_PROTECTED_HEURISTICS.items():
            headers = {"Authorization": f"Bearer {await executive.keys.make(principal)}"}
            client = httpx.AsyncClient(base_url=address, headers=headers, timeout=30)
            made[name] = await stack.enter_async_context(client)
        yield made


async def change(clients: Clients, name: str, who: str = "sam", **fields: Any) -> dict[str, Any]:
    asked = await clients[who].patch(f"/v1/heuristics/{name}", json=fields)
    assert asked.status_code == 202, asked.text
    return dict(asked.json())


async def answer(
    clients: Clients, who: str, shown: dict[str, Any], decision: str = "approve", **more: Any
) -> httpx.Response:
    sent = {"decision": decision, "digest": shown["digest"], **more}
    return await clients[who].post(f"/v1/approvals/{shown['action_id']}", json=sent)


async def known(clients: Clients, name: str) -> dict[str, Any]:
    found = (await clients["sam"].get(f"/v1/heuristics/{name}")).json()
    return dict(found["heuristic"])


async def said(clients: Clients, text: str, session: str) -> str:
    told = {"text": text, "session_id": session, "salience": {"goal_relevance": 0.9}}
    told["kind"] = "ambient"
    return str((await clients["sam"].post("/v1/events?wait=true", json=told)).json()["text"])


@pytest.mark.parametrize(
    ("name", "fields", "line"),
    [
        (
            "roof",
            {"says": "All is well."},
            'roof, says: "{text}. Fetch a bucket." → "All is well."',
        ),
        ("roof", {"locked": False}, 'roof, locked: "yes" → "no"'),
        ("roof", {"disabled": "it is noisy"}, "roof, disabled: "),
        ("lamp", {"ceiling": 0.1, "floor": 0.05}, 'lamp, ceiling: "0.95" → "0.1"'),
        ("lamp", {"weight": 10.0}, 'lamp, weight: "1.0" → "10.0"'),
    ],
)
async def test_it_waits_for_others_who_are_shown_before_and_after(
    clients_protected_heuristics: Clients, name: str, fields: dict[str, Any], line: str
):
    before = await known(clients_protected_heuristics, name)
    shown = await change(clients_protected_heuristics, name, **fields)
    assert (shown["state"], shown["execution_class"]) == ("pending", "C")
    assert any(line in each for each in shown["dialog"]["lines"]), shown["dialog"]["lines"]
    assert (await change(clients_protected_heuristics, name, **fields))["action_id"] == shown[
        "action_id"
    ]
    for who in ("sam", "bot", "olav"):
        refused = await answer(clients_protected_heuristics, who, shown)
        assert refused.status_code in (403, 404), refused.text
    assert await known(clients_protected_heuristics, name) == before
    assert (await answer(clients_protected_heuristics, "ida", shown, "reject")).json()[
        "state"
    ] == "rejected"
    assert await known(clients_protected_heuristics, name) == before


async def test_who_asks_does_not_approve_it(clients_protected_heuristics: Clients):
    shown = await change(clients_protected_heuristics, "lamp", who="ann", says="Sit in the dark.")
    assert_problem(await answer(clients_protected_heuristics, "ann", shown), 403, "forbidden")
    assert (await answer(clients_protected_heuristics, "ida", shown, "reject")).status_code == 200


async def test_approved_it_counts_for_the_next_event_and_stands_in_the_ledger(
    clients_protected_heuristics: Clients,
):
    assert "Fetch a bucket." in await said(clients_protected_heuristics, "the roof leaks", "before")
    shown = await change(
        clients_protected_heuristics, "roof", says="Call the roofer.", disabled=None
    )
    done = (await answer(clients_protected_heuristics, "ida", shown)).json()
    assert (done["state"], done["decided_by"], done["requester"]) == ("succeeded", "ida", "sam")
    now = await known(clients_protected_heuristics, "roof")
    assert (now["says"], now["reworded"], now["locked"]) == ("Call the roofer.", True, True)
    assert "Call the roofer." in await said(clients_protected_heuristics, "the roof leaks", "after")
    record = (
        await clients_protected_heuristics["sam"].get(f"/v1/decisions/{done['decision_id']}")
    ).json()
    assert record["record"]["outcome"] == "executed", record


async def test_of_two_changes_the_second_is_stale_once_the_first_is_done(
    clients_protected_heuristics: Clients,
):
    one, other = [
        await change(clients_protected_heuristics, "mould", says=words)
        for words in ("Air them.", "Burn.")
    ]
    assert (await answer(clients_protected_heuristics, "ida", one)).json()["state"] == "succeeded"
    assert (await answer(clients_protected_heuristics, "ida", other)).json()["state"] == "stale"
    assert (await known(clients_protected_heuristics, "mould"))["says"] == "Air them."


async def test_what_makes_no_sense_asks_nobody(clients_protected_heuristics: Clients):
    before = (await clients_protected_heuristics["ida"].get("/v1/approvals")).json()["approvals"]
    for fields, status in (({"floor": 0.9, "ceiling": 0.1}, 422), ({"locked": True}, 409)):
        refused = await clients_protected_heuristics["sam"].patch(
            "/v1/heuristics/mould", json=fields
        )
        assert refused.status_code == status, refused.text
    assert_problem(
        await clients_protected_heuristics["bot"].patch(
            "/v1/heuristics/mould", json={"locked": False}
        ),
        403,
        "forbidden",
    )
    assert (await clients_protected_heuristics["ida"].get("/v1/approvals")).json()[
        "approvals"
    ] == before


@pytest.mark.parametrize(
    "text", ["change_heuristic roof", "change the heuristic roof says nothing"]
)
async def test_no_words_lead_to_it(clients_protected_heuristics: Clients, text: str):
    sent = await clients_protected_heuristics["ann"].post(
        "/v1/messages", json={"text": text, "session_id": text}
    )
    assert "change_heuristic" not in (sent.json()["action"] or "")
    assert "change_heuristic" not in sent.text.replace(text, "")


@pytest.mark.parametrize("dies_at", ["after_claim", "in_effect", "after_effect", "after_record"])
async def test_ended_in_between_it_is_done_with_its_record_or_not_at_all(tmp_path: Path, dies_at):
    def step(name: str) -> None:
        if name == dies_at:
            raise EndedError(name)

    settings = _settings(tmp_path)
    async with open_executive(settings) as executive:
        asked = await executive.heuristic_changes.change(
            "roof", PEOPLE_PROTECTED_HEURISTICS["sam"], {"says": "Call somebody."}
        )
    assert isinstance(asked, LedgerAction)
    box = build_toolbox(settings, step=step)
    yes = ApprovalAnswer(decision="approve", digest=asked.digest)
    await box.ledger.decide(asked.action_id, yes, PEOPLE_PROTECTED_HEURISTICS["ida"])
    with suppress(EndedError):
        await box.ledger.execute(asked.action_id)
    await box.database.close()
    async with open_executive(settings) as executive:
        standing = await executive.approvals.get(asked.action_id, "default")
        says = (await executive.heuristics.get("roof", "default")).heuristic.says
    is_done = dies_at == "after_record"
    assert standing.state == ("succeeded" if is_done else "failed")
    assert says == ("Call somebody." if is_done else "{text}. Fetch a bucket.")


@pytest.mark.parametrize(
    ("written", "changed", "who", "is_enough"),
    [
        ("four_eyes = true", "four_eyes = false", "ann", True),
        ('approvers = ["admin"]', 'approvers = ["owner"]', "ida", False),
    ],
)
async def test_policy_says_whose_yes_it_takes(
    tmp_path: Path, written: str, changed: str, who: str, *, is_enough: bool
):
    async with open_executive(_settings(tmp_path, (written, changed))) as executive:
        asked = await executive.heuristic_changes.change(
            "lamp", PEOPLE_PROTECTED_HEURISTICS["ann"], {"says": "Wait."}
        )
        assert isinstance(asked, LedgerAction)
        yes = ApprovalAnswer(decision="approve", digest=asked.digest)
        if not is_enough:
            with pytest.raises(Forbidden, match="owner"):
                await executive.approvals.answer(
                    asked.action_id, yes, PEOPLE_PROTECTED_HEURISTICS[who]
                )
            return
        assert (
            await executive.approvals.answer(asked.action_id, yes, PEOPLE_PROTECTED_HEURISTICS[who])
        ).state == "succeeded"
