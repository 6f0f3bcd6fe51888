"""A closed session is its readers' alone, and what belongs to a person in a shared one."""

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio

from api.app import create_app
from graph.executive import Executive
from graph.journal_context import DecisionJournalContext
from graph.settings import Settings
from graph.wiring.composition import open_executive
from state.event import Event
from state.journal_config import JournalConfig
from state.principal import Principal
from tests.api.conftest import assert_problem
from tests.architecture.source import ROOT
from tests.graph.harbour import HARBOUR

# A session with readers is theirs alone, whichever way its words might come out.

CLOSED = """
[[sessions]]
names = ["board", "board-*"]
roles = ["owner"]
users = ["bo"]
"""
PEOPLE = {
    "amir": Principal(user="amir", tenant_id="default", roles=("keeper", "admin")),
    "olga": Principal(user="olga", tenant_id="default", roles=("keeper", "owner")),
    "ingrid": Principal(user="ingrid", tenant_id="default", roles=("master",)),
    "bo": Principal(user="bo", tenant_id="default", roles=("keeper",)),
}


@dataclass(frozen=True)
class Port:
    """The Executive of a deployment with a closed session, and a client for each person."""

    executive: Executive
    clients: dict[str, httpx.AsyncClient]

    async def get(self, who: str, path: str, **params: str) -> Any:  # what JSON may be
        answer = await self.clients[who].get(path, params=params)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def said(self, who: str, *said: str, session: str) -> list[str]:
        messages = [
            {
                "message_id": f"m{n}",
                "session_id": session,
                "content": text,
                "speaker": f"zoe {session}",
            }
            for n, text in enumerate(said)
        ]
        body = {"messages": messages}
        answer = await self.clients[who].post("/v1/journal/import", json=body)
        assert answer.status_code == 200, answer.text
        return [one["decision_id"] for one in answer.json()["messages"]]

    async def found(self, who: str, q: str) -> list[str]:
        hits = (await self.get(who, "/v1/journal/search", q=q))["decisions"]
        return [one["decision"]["id"] for one in hits]


@pytest.fixture
async def port(data_dir: Path, tmp_path: Path) -> AsyncIterator[Port]:
    policy = tmp_path / "closing.toml"
    policy.write_text((ROOT / "policy.toml").read_text("utf-8") + CLOSED, "utf-8")
    settings = Settings(
        data_dir=data_dir, packs=(str(HARBOUR),), embedder="none", policy_file=policy
    )
    async with AsyncExitStack() as stack:
        executive = await stack.enter_async_context(open_executive(settings))
        transport = httpx.ASGITransport(create_app(executive), raise_app_exceptions=False)
        made = {}
        for name, principal in PEOPLE.items():
            key = await executive.keys.make(principal)
            client = httpx.AsyncClient(
                transport=transport,
                base_url="http://prefrontal.test",
                headers={"Authorization": f"Bearer {key}"},
            )
            made[name] = await stack.enter_async_context(client)
        yield Port(executive, made)


async def test_the_journal_of_a_closed_session_is_its_readers_alone(port: Port):
    words = "We decided to sell the ferry Kolumbus."
    (secret,) = await port.said("olga", words, session="board")
    (shared,) = await port.said("amir", words, session="deck")  # the same words, in the open
    assert secret != shared
    for reader in ("olga", "bo"):
        assert set(await port.found(reader, "why sell the ferry?")) == {secret, shared}
    for question in ("sell the ferry Kolumbus", "@zoe", "current decisions", "tech:Kolumbus"):
        assert await port.found("amir", question) == [shared]
    amir = port.clients["amir"]
    exported = (await amir.get("/v1/journal/export")).text.splitlines()
    assert [json.loads(one)["id"] for one in exported] == [shared]
    for path in ("", "/chain"):
        hidden = await amir.get(f"/v1/journal/decisions/{secret}{path}")
        unknown = await amir.get(f"/v1/journal/decisions/dec-0{path}")
        assert_problem(hidden, 404, "not-found")
        assert (
            hidden.text.replace(secret, "dec-0").split("request_id")[0]
            == (unknown.text.split("request_id")[0])
        )
    # Whether it is there cannot be asked by saying it again, nor can it be worded anew.
    said = {"message_id": "m0", "session_id": "board", "content": words}
    refused = await amir.post("/v1/journal/import", json={"messages": [said]})
    assert_problem(refused, 403, "forbidden")


async def test_a_link_across_tells_nobody_what_is_closed(port: Port):
    (plan,) = await port.said("amir", "We decided to use Redis for the queue.", session="deck")
    # Rules would link these in one session; across, how a decision stands tells nobody of it.
    (change,) = await port.said("olga", "We decided to replace Redis with Valkey.", session="board")
    read = f"/v1/journal/decisions/{plan}"
    assert (await port.get("amir", read))["status"] == "active"
    wish = {"newer": change, "older": plan, "reason": "Valkey is free"}
    amir, olga = port.clients["amir"], port.clients["olga"]
    assert_problem(await amir.post("/v1/journal/links", json=wish), 404, "not-found")
    link = (await olga.post("/v1/journal/links", json=wish)).json()
    settle = f"/v1/journal/links/{link['link_id']}"
    assert_problem(await amir.post(settle, json={"accept": False}), 404, "not-found")
    assert await port.executive.supersession.inform() == 0  # it would name the new one to them
    (after,) = await port.said("olga", "We decided to rent a broker.", session="deck")
    again = {"newer": after, "older": change, "reason": "less to run"}
    assert (await olga.post("/v1/journal/links", json=again)).status_code == 200
    assert (await port.get("olga", f"{read}/chain"))["current"]["id"] == after
    told = [
        await port.get("amir", read),
        await port.get("amir", f"{read}/chain"),
        await port.get("amir", "/v1/journal/search", q="Redis for the queue"),
        await port.get("amir", "/v1/journal/links"),
    ]
    assert change not in str(told)
    assert after not in str(told[1:2])
    assert "Valkey" not in str(told)
    assert await port.executive.supersession.inform() == 1  # to the board: it may read the newest
    assert (told[0]["status"], told[1]["left_out"], told[3]["links"]) == ("superseded", 0, [])


async def test_an_answer_in_the_open_draws_on_nothing_closed_whoever_asks(port: Port):
    await port.said("olga", "We decided to sell the ferry Kolumbus.", session="board")

    async def answered(who: str, session: str) -> str:
        text = "Why did we decide to sell the ferry?"
        sent = {"text": text, "session_id": session}
        return str((await port.clients[who].post("/v1/messages", json=sent)).json()["text"])

    assert "Kolumbus" in await answered("olga", "board")
    assert "Kolumbus" in await answered("bo", "board-2")  # the same readers
    for who in ("olga", "amir"):
        assert "Kolumbus" not in await answered(who, "deck")


async def test_the_stream_tells_of_a_closed_session_its_readers_alone(port: Port):
    executive = port.executive
    hearing = {
        name: executive.notices.listen(executive.readers.of(PEOPLE[name])) for name in PEOPLE
    }
    with closing(hearing["amir"]) as amir, closing(hearing["bo"]) as bo:
        await port.said("olga", "We decided to sell the ferry Kolumbus.", session="board")
        await port.found("bo", "why sell the ferry?")  # how much was found tells that it is there
        await executive.submit(Event(text="the pump hums", session_id="board", source="pump"))
        await port.found("bo", "who wants to sell her?")  # a question of who reads more than amir
        await port.found("amir", "why paint the pier?")
        kinds = []
        while (notice := await anext(bo)).data.get("query") != "why paint the pier?":
            kinds.append(notice.kind.rpartition(":")[2])
        assert kinds == ["detected", "extracted", "indexed", "searched", "decision", "searched"]
        only = await anext(amir)
    assert (only.data, amir.queue.empty()) == (notice.data, True)


async def test_the_context_manager_reads_as_the_principal_it_is_given(port: Port):
    (secret,) = await port.said("olga", "We decided to sell the ferry.", session="board")
    journal, config = port.executive.journal, JournalConfig()
    found = {}
    for name, principal in PEOPLE.items():
        context = DecisionJournalContext(journal, config, "default", principal)
        search, _chain = context.as_tools()
        found[name] = [one["id"] for one in await search.ainvoke({"query": "why sell the ferry?"})]
    assert found == {"amir": [], "ingrid": [], "olga": [secret], "bo": [secret]}


async def test_our_own_records_of_a_closed_session_are_its_readers_alone(port: Port):
    close = {"text": "close lock LK-12", "session_id": "board"}
    asked = (await port.clients["olga"].post("/v1/messages", json=close)).json()
    await port.clients["amir"].post("/v1/messages", json={"text": "hello", "session_id": "deck"})
    await port.clients["bo"].post("/v1/messages", json=close | {"text": "The furnace leaks"})
    assert len((await port.get("bo", "/v1/decisions"))["decisions"]) == 3
    [own] = (await port.get("amir", "/v1/decisions", limit="1"))["decisions"]
    assert own["session_id"] == "deck"
    [asked_for] = (await port.get("amir", "/v1/queries"))["queries"]
    assert "hello" in str(asked_for)
    amir = port.clients["amir"]
    for path in ("/v1/decisions?session_id=board", "/v1/state?session_id=board-9"):
        assert_problem(await amir.get(path), 403, "forbidden")  # whether there is one or not
    for body in (close, [close], {"text": "it hums", "session_id": "board", "kind": "ambient"}):
        path = "/v1/events" if isinstance(body, list) or "kind" in body else "/v1/messages"
        assert_problem(await amir.post(path, json=body), 403, "forbidden")
    named = {"event_id": "e-1", "source": "bridge"}
    kept = await port.clients["bo"].post("/v1/messages", json=close | named)
    again = await amir.post("/v1/messages", json={"text": "hm", "session_id": "deck"} | named)
    assert (kept.status_code, again.status_code) == (200, 200)
    assert again.json()["decision_id"] != kept.json()["decision_id"]
    after = {"cursor": asked["action_id"] or asked["offer_id"]}
    listed = "/v1/approvals" if asked["action_id"] else "/v1/offers"
    unknown = await amir.get(listed, params={"cursor": "none-such"})
    hidden = await amir.get(listed, params=after)
    assert (hidden.status_code, hidden.json()["detail"]) == (
        (unknown.status_code, unknown.json()["detail"])
    )
    # What one said oneself is told where those hear it who may: not to the deck.
    text = {"text": "what did I say about the furnace?", "session_id": "deck"}
    assert "leaks" not in (await port.clients["bo"].post("/v1/messages", json=text)).json()["text"]
    there = await port.clients["bo"].post("/v1/messages", json=text | {"session_id": "board"})
    assert "leaks" in there.json()["text"]


async def test_who_decides_sees_the_question_and_nothing_around_it(port: Port):
    sent = {"text": "close lock LK-12 because of the Kolumbus", "session_id": "ＢOARD-7"}
    asked = (await port.clients["olga"].post("/v1/messages", json=sent)).json()
    [shown] = (await port.get("ingrid", "/v1/approvals"))["approvals"]
    assert shown["action_id"] == asked["action_id"]
    assert "Kolumbus" not in str(shown)
    assert "can't read" in shown["dialog"]["words_of"]
    [own] = (await port.get("bo", "/v1/approvals"))["approvals"]
    assert own["dialog"]["words"] == '"close lock LK-12 because of the Kolumbus"'
    assert own["dialog"]["words_of"].startswith("olga, ")
    ingrid = port.clients["ingrid"]
    for path in ("", f"/{asked['decision_id']}"):
        answer = await ingrid.get(f"/v1/decisions{path}")
        assert "Kolumbus" not in answer.text
    assert (await port.get("amir", "/v1/approvals"))["approvals"] == []
    yes = {"decision": "approve", "digest": shown["digest"]}
    path = f"/v1/approvals/{shown['action_id']}"
    assert_problem(await port.clients["amir"].post(path, json=yes), 404, "not-found")
    done = await ingrid.post(path, json=yes)
    assert (done.json()["state"], "Kolumbus" in done.text) == ("succeeded", False)
    # The change is an entry of the journal, with the session's words, and of its readers.
    assert await port.found("ingrid", "why was LK-12 closed?") == []
    assert await port.found("bo", "why was LK-12 closed?") != []


# What belongs to a person in a session that they share: reminders, goals, words.

QUARRY = Path(__file__).parents[1] / "quarry"


@pytest_asyncio.fixture
async def people(data_dir: Path) -> AsyncIterator[tuple[httpx.AsyncClient, httpx.AsyncClient]]:
    settings = Settings(data_dir=data_dir, packs=(str(QUARRY),), embedder="none")
    async with AsyncExitStack() as stack:
        executive = await stack.enter_async_context(open_executive(settings))
        transport = httpx.ASGITransport(create_app(executive), raise_app_exceptions=False)
        made = []
        for user in ("ann", "ben"):
            key = await executive.keys.make(Principal(user=user, tenant_id="default"))
            client = httpx.AsyncClient(
                transport=transport,
                base_url="http://prefrontal.test",
                headers={"Authorization": f"Bearer {key}"},
            )
            made.append(await stack.enter_async_context(client))
        ann, ben = made
        yield ann, ben


async def test_a_reminder_is_called_off_by_who_asked_for_it(
    people: tuple[httpx.AsyncClient, httpx.AsyncClient],
):
    ann, ben = people
    wish = {"session_id": "a", "text": "check the furnace", "in_seconds": 1200}
    made = (await ann.post("/v1/reminders", json=wish)).json()
    path, of_session = f"/v1/reminders/{made['reminder_id']}", {"session_id": "a"}
    assert_problem(await ben.delete(path, params=of_session), 403, "forbidden")
    [waits] = (await ben.get("/v1/reminders", params=of_session)).json()["reminders"]
    assert waits["user"] == "ann"
    assert (await ann.delete(path, params=of_session)).json()["reminders"] == []


async def test_a_goal_is_moved_and_dropped_by_who_declared_it(
    people: tuple[httpx.AsyncClient, httpx.AsyncClient],
):
    ann, ben = people
    wish = {"session_id": "a", "text": "finish the portal"}
    [goal] = (await ann.post("/v1/goals", json=wish)).json()["goals"]
    path = f"/v1/goals/{goal['goal_id']}"
    for step in ({"ends": "dropped"}, {"progress": 0.5}):
        assert_problem(await ben.post(path, json={"session_id": "a", **step}), 403, "forbidden")
    as_signal = {"kind": "no_goal", "topic": goal["goal_id"], "by": "ann"}
    signal = {"kind": "signal", "text": "x", "session_id": "a", "payload": {"talk": as_signal}}
    assert (await ben.post("/v1/events", json=signal)).status_code == 200
    [still] = (await ben.get("/v1/goals", params={"session_id": "a"})).json()["goals"]
    assert (still["standing"], still["by"], still["progress"]) == ("open", "ann", None)
    step = {"session_id": "a", "ends": "reached"}
    [ended] = (await ann.post(path, json=step)).json()["goals"]
    assert ended["standing"] == "reached"


async def test_without_a_session_one_reads_what_one_said_oneself(
    people: tuple[httpx.AsyncClient, httpx.AsyncClient],
):
    ann, ben = people
    for client, words in ((ann, "The furnace leaks"), (ben, "The furnace is fine")):
        await client.post("/v1/messages", json={"text": words, "session_id": "a"})

    async def said(client: httpx.AsyncClient, **wanted: str) -> set[str]:
        answer = await client.get("/v1/memory", params={"said_by": "person", **wanted})
        return {one["text"] for one in answer.json()["said"]}

    assert await said(ben, about="furnace") == await said(ben) == {"The furnace is fine"}
    assert await said(ben, about="furnace", session_id="a") == {
        "The furnace leaks",
        "The furnace is fine",
    }
    # Somebody else is meant, or might be: nothing is forgotten, and least of all of ben.
    assert_problem(await ben.delete("/v1/memory", params={"user": "ann"}), 403, "forbidden")
    assert (await ben.delete("/v1/memory", params={"who": "ann"})).status_code == 422
    assert (await ben.request("DELETE", "/v1/memory", json={"user": "ann"})).status_code == 422
    gone = (await ann.delete("/v1/memory")).json()
    assert (gone["user"], gone["said"] > 0) == ("ann", True)
    assert await said(ann) == set()
    assert await said(ben) == {"The furnace is fine"}
    of_ann = await ben.get("/v1/memory", params={"about": "furnace", "user": "ann"})
    assert_problem(of_ann, 403, "forbidden")
