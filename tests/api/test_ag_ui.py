"""AG-UI over a real server, read with the protocol's own types."""

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
from ag_ui.core import ResumeEntry, RunErrorEvent
from httpx_sse import EventSource

from api.app import create_app
from graph.settings import ROOT, Settings
from graph.wiring.composition import open_executive
from state.principal import Principal
from tests.api.conftest import assert_problem
from tests.api.front_end import EVENT, FrontEnd, hash_of
from tests.graph.harbour import HARBOUR, Harbour
from tests.serving import serving
from tests.tables import lay_tables
from tools.platform.clock import SystemClock, VirtualClock

pytestmark = pytest.mark.asyncio(loop_scope="module")

PEOPLE = {
    "skipper": Principal(user="sanna", tenant_id="default", roles=("keeper", "master")),
    "reader": Principal(
        user="rune", tenant_id="default", roles=("keeper", "master"), scopes=("read", "ask")
    ),
    "amir": Principal(user="amir", tenant_id="default", roles=("keeper",)),
    "ingrid": Principal(user="ingrid", tenant_id="default", roles=("master",)),
    "agent": Principal(
        user="tug-agent", tenant_id="default", roles=("keeper", "master"), kind="service"
    ),
}


@dataclass
class Quay:
    """The service, and a client a principal."""

    harbour: Harbour
    clients: dict[str, httpx.AsyncClient]

    def front_end(self, who: str = "skipper") -> FrontEnd:
        return FrontEnd(self.clients[who])


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def quay(tmp_path_factory: pytest.TempPathFactory, learnt_once: Path) -> AsyncIterator[Quay]:
    data_dir = tmp_path_factory.mktemp("quay")
    (data_dir / "cache").symlink_to(learnt_once)
    lay_tables(data_dir)
    policy = tmp_path_factory.mktemp("policy") / "policy.toml"
    closed = '\n[[sessions]]\nnames = ["board-*"]\nroles = ["admiral"]\n'
    policy.write_text((ROOT / "policy.toml").read_text("utf-8") + closed, "utf-8")
    settings = Settings(data_dir=data_dir, packs=(str(HARBOUR),), policy_file=policy)
    async with AsyncExitStack() as stack:
        executive = await stack.enter_async_context(open_executive(settings))
        address = await stack.enter_async_context(serving(create_app(executive)))
        clients = {}
        for name, principal in PEOPLE.items():
            headers = {"Authorization": f"Bearer {await executive.keys.make(principal)}"}
            client = httpx.AsyncClient(base_url=address, headers=headers, timeout=40)
            clients[name] = await stack.enter_async_context(client)
        yield Quay(Harbour(executive, VirtualClock(SystemClock().now()), data_dir), clients)


async def test_a_read_is_a_tool_call_with_its_result_and_words(quay: Quay):
    one = quay.front_end()
    await one.run("show lock LK-12")
    [(call_id, call)] = one.calls().items()
    assert (call.name, json.loads(call.arguments)) == ("show_lock", {"lock": "LK-12"})
    assert one.results[call_id] == "Lock LK-12 is open."
    assert one.told == ["Lock LK-12 is open."]


async def test_a_dangerous_action_interrupts_and_runs_once_after_the_yes(quay: Quay):
    one = quay.front_end()
    await one.run("close lock LK-31")
    [asked] = one.interrupts
    assert (asked.reason, asked.tool_call_id) == ("tool_call", asked.id)
    assert asked.message is not None
    assert "LK-31" in asked.message
    assert asked.expires_at is not None
    assert one.calls()[asked.id].name == "close_lock"
    before = quay.harbour.effects()
    yes = one.approval(asked)
    await one.run(resume=[yes])
    assert one.interrupts == ()
    ran = [each for each in quay.harbour.effects() if each not in before]
    assert len(ran) == 1
    assert "LK-31" in one.results[asked.id]
    assert one.told == [one.results[asked.id]]
    await one.run(resume=[yes])
    assert "already" in one.told[0]
    assert [each for each in quay.harbour.effects() if each not in before] == ran


@pytest.mark.parametrize(
    "payload",
    [
        {"approved": True},
        {"approved": True, "payload_hash": "0" * 64},
        {"approved": "yes"},
        {"approved": True, "editedArgs": {"lock": "LK-99"}},
        "yes",
        None,
    ],
    ids=["no hash", "another hash", "no boolean", "an edit without the hash", "a word", "nothing"],
)
async def test_an_answer_that_does_not_count_is_told_and_asked_again(quay: Quay, payload: Any):
    one = quay.front_end()
    await one.run("close lock LK-32")
    [asked] = one.interrupts
    before = quay.harbour.effects()
    await one.run(resume=[ResumeEntry(interrupt_id=asked.id, status="resolved", payload=payload)])
    assert one.told
    assert [each.id for each in one.interrupts] == [asked.id]
    assert quay.harbour.effects() == before
    await one.run(resume=[ResumeEntry(interrupt_id=asked.id, status="cancelled")])
    assert one.interrupts == ()
    assert one.results[asked.id].startswith("Rejected: Close lock LK-32")


async def test_edited_arguments_are_those_that_run(quay: Quay):
    one = quay.front_end()
    await one.run("close lock LK-33")
    [asked] = one.interrupts
    await one.run(resume=[one.approval(asked, editedArgs={"lock": "LK-33", "minutes": 5})])
    assert one.results[asked.id].startswith("Replaced by an edit")
    while one.interrupts:
        [again] = one.interrupts
        assert json.loads(one.calls()[again.id].arguments) == {"lock": "LK-33", "minutes": 5}
        await one.run(resume=[one.approval(again)])
    ran = [each for each in quay.harbour.effects() if "LK-33" in each]
    assert ran == ["close_lock LK-33 5"]


async def test_a_no_is_told_with_its_reason(quay: Quay):
    one = quay.front_end()
    await one.run("close lock LK-34")
    [asked] = one.interrupts
    before = quay.harbour.effects()
    await one.run(resume=[one.answer(asked, approved=False, reason="a barge is inside")])
    assert one.results[asked.id].startswith("Rejected: Close lock LK-34")
    assert "(a barge is inside)" in one.results[asked.id]
    assert quay.harbour.effects() == before


async def test_who_may_not_approve_is_not_asked_and_cannot(quay: Quay):
    one = quay.front_end("amir")
    await one.run("close lock LK-35")
    assert one.interrupts == ()
    [(action_id, said)] = one.results.items()
    assert said.startswith("Waiting for approval by master")
    shown = (await quay.clients["ingrid"].get(f"/v1/approvals/{action_id}")).json()
    payload = {"approved": True, "payload_hash": shown["digest"]}
    before = quay.harbour.effects()
    yes = ResumeEntry(interrupt_id=action_id, status="resolved", payload=payload)
    await one.run(resume=[yes])
    assert "master" in one.told[0]
    reader = quay.front_end("reader")
    await reader.run(resume=[yes])
    assert reader.told[0] == "this key has no right to answer approvals"
    assert quay.harbour.effects() == before
    shown = (await quay.clients["ingrid"].get(f"/v1/approvals/{action_id}")).json()
    assert shown["state"] == "pending"


async def test_an_agents_key_is_never_asked_and_answers_nothing(quay: Quay):
    one = quay.front_end("agent")
    await one.run("close lock LK-36")
    assert one.interrupts == ()
    person = quay.front_end()
    await person.run("close lock LK-37")
    [asked] = person.interrupts
    before = quay.harbour.effects()
    refused = await one.post(one.input(resume=[person.approval(asked)]))
    assert_problem(refused, 403, "forbidden")
    assert quay.harbour.effects() == before


async def test_a_question_that_is_passed_over_stays_open(quay: Quay):
    one = quay.front_end()
    await one.run("close lock LK-38")
    [asked] = one.interrupts
    await one.run("show lock LK-12")
    assert one.told == ["Lock LK-12 is open."]
    assert [each.id for each in one.interrupts] == [asked.id]
    await one.run("show lock LK-13", resume=[one.approval(asked)])
    assert "Lock LK-13 is open." in one.told
    assert one.interrupts == ()
    assert "LK-38" in one.results[asked.id]


async def test_what_was_answered_elsewhere_is_told_in_the_next_run(quay: Quay):
    one = quay.front_end()
    await one.run("close lock LK-39")
    [asked] = one.interrupts
    answer = {"decision": "reject", "digest": hash_of(asked), "reason": "the tide is too low"}
    said = await quay.clients["ingrid"].post(f"/v1/approvals/{asked.id}", json=answer)
    assert said.status_code == 200, said.text
    await one.run("show lock LK-12")
    assert "the tide is too low" in one.results[asked.id]
    assert one.interrupts == ()


async def test_an_answer_to_what_nobody_asked_changes_nothing(quay: Quay):
    one = quay.front_end()
    await one.run(resume=[ResumeEntry(interrupt_id="int-1", status="resolved", payload=True)])
    assert len(one.told) == 1
    assert one.calls() == {}


async def test_a_suggestion_comes_with_its_chips(quay: Quay):
    one = quay.front_end()
    await one.run("write in the log: barge moored")
    [custom] = one.custom
    assert (custom.name, custom.value["reason"]) == ("prefrontal.offer", "class_B")
    assert [each["action"] for each in custom.value["chips"]] == ["note_in_log"]
    assert "Write in the log: barge moored" in one.told[0]
    before = quay.harbour.effects()
    await one.run("yes")
    assert quay.harbour.effects() == [*before, "note_in_log barge moored"]


async def test_a_run_that_is_sent_again_is_done_once(quay: Quay):
    one = quay.front_end()
    given = one.input("close lock LK-40")
    first = await one.post(given)
    again = await one.post(given.model_copy(update={"run_id": "another"}))
    interrupts = [
        EVENT.validate_json(list(EventSource(each).iter_sse())[-1].data).outcome.interrupts
        for each in (first, again)
    ]
    assert [each.id for each in interrupts[0]] == [each.id for each in interrupts[1]]
    named = {"Idempotency-Key": "run-of-LK-40"}
    kept = [(await one.post(given, **named)).text for _ in range(2)]
    assert kept[0] == kept[1]


async def test_words_in_parts_are_read_together(quay: Quay):
    one = quay.front_end()
    given = one.input().model_dump(by_alias=True, mode="json")
    picture = {"type": "image", "source": {"type": "url", "value": "https://quay.example/p.png"}}
    parts = [{"type": "text", "text": "show lock LK-12"}, picture]
    given["messages"] = [{"id": "m", "role": "user", "content": parts}]
    answer = await one.client.post("/v1/ag-ui", json=given)
    assert "Lock LK-12 is open." in answer.text


async def test_what_is_wrong_before_the_run_is_a_problem(quay: Quay):
    one = quay.front_end()
    assert_problem(await one.client.post("/v1/ag-ui", json={"threadId": "a"}), 422, "invalid")
    assert_problem(await one.post(one.input(" ")), 422, "invalid")
    closed = FrontEnd(one.client, thread_id="board-1")
    assert_problem(await closed.post(closed.input("show lock LK-12")), 403, "forbidden")
    unknown = {"Authorization": "Bearer pf_wrong"}
    assert_problem(await one.post(one.input(), **unknown), 401, "unauthenticated")


async def test_a_message_that_fails_after_an_answer_ends_the_run_with_an_error(quay: Quay):
    one = quay.front_end()
    await one.run("close lock LK-41")
    [asked] = one.interrupts
    events = await one.run(" ", resume=[one.approval(asked)])
    assert isinstance(events[-1], RunErrorEvent)
    assert events[-1].code == "invalid"
    assert "LK-41" in one.results[asked.id]
