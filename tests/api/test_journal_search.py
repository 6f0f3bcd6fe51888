"""The journal over HTTP, on the real Executive: a tenant's own decisions, whatever is asked."""

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from api.app import create_app
from graph.settings import Settings
from graph.wiring.composition import open_executive
from state.principal import Principal
from state.reader import whole
from tests.api.conftest import assert_problem
from tests.graph.harbour import HARBOUR
from tools.adapters.vector_index.indexer import IndexState

# The journal over HTTP, on the real Executive: a tenant's own decisions, whatever is asked.

MESS = {"session_id": "mess"}
TALK = [
    {"message_id": "m1", "speaker": "ann", "content": "Shall we sail at dawn?"} | MESS,
    {"message_id": "m2", "session_id": "mess", "speaker": "bo", "content": "Agreed."},
    {"message_id": "m3", "session_id": "mess", "speaker": "bo", "content": "The soup is good."},
]
RECORD = {
    "path": "0001-ferries.md",
    "text": "# Use ferries\n\n## Decision\n\nFerries, not bridges.",
}


@pytest.fixture
async def callers_journal(data_dir: Path) -> AsyncIterator[dict[str, httpx.AsyncClient]]:
    settings = Settings(data_dir=data_dir, packs=(str(HARBOUR),), embedder="none")
    async with AsyncExitStack() as stack:
        executive = await stack.enter_async_context(open_executive(settings))
        made = {}
        for tenant in ("aurora", "borealis"):
            roles = ("keeper", "admin") if tenant == "borealis" else ("keeper",)
            principal = Principal(user="amir", tenant_id=tenant, roles=roles)
            key = await executive.keys.make(principal)
            client = httpx.AsyncClient(
                transport=httpx.ASGITransport(create_app(executive), raise_app_exceptions=False),
                base_url="http://prefrontal.test",
                headers={"Authorization": f"Bearer {key}"},
            )
            made[tenant] = await stack.enter_async_context(client)
        yield made


async def imported(client: httpx.AsyncClient) -> dict[str, Any]:
    body = {"messages": TALK, "records": [RECORD]}
    answer = await client.post("/v1/journal/import", json=body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def ask(client: httpx.AsyncClient, q: str, **more: str) -> list[dict[str, Any]]:
    answer = await client.get("/v1/journal/search", params={"q": q} | more)
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["decisions"]
    return found


async def test_what_is_imported_is_found_read_and_exported(
    callers_journal: dict[str, httpx.AsyncClient],
):
    client = callers_journal["aurora"]
    told = await imported(client)
    assert [one["is_decision"] for one in told["messages"]] == [False, True, False]
    assert (told["added"], len(told["records"])) == (2, 1)
    assert (await imported(client))["same"] == 2
    (hit,) = await ask(client, "why sail at dawn?")
    assert hit["decision"]["decision"] == "sail at dawn"
    assert hit["decision"]["imported_by"] == "amir"  # ann did not say so here: amir says she did
    late = {"messages": [TALK[1] | {"timestamp": "9999-12-31T23:59:59-12:00"}]}
    ahead = {"path": "9.md", "text": "---\ndate: 2999-01-01\n---\n# Fly\n\n## Decision\n\nFly."}
    for body in (late, {"records": [ahead]}):
        assert_problem(await client.post("/v1/journal/import", json=body), 422, "invalid")
    answer = await client.get(f"/v1/journal/decisions/{hit['decision']['id']}")
    assert answer.json() == hit["decision"]
    lines = (await client.get("/v1/journal/export")).text.splitlines()
    assert {json.loads(line)["title"] for line in lines} == {"sail at dawn", "Use ferries"}
    said = {"text": "We decided to paint the pier", "user": "amir", "role": "keeper"}
    await client.post("/v1/events?wait=true", json=said | {"occurred_at": "2199-01-01T00:00:00Z"})
    (heard,) = await ask(client, "why paint the pier?")
    assert heard["decision"]["timestamp"] < "2190"


async def test_times_with_and_without_a_zone_stand_side_by_side(
    callers_journal: dict[str, httpx.AsyncClient],
):
    client = callers_journal["aurora"]
    for number, told in enumerate(("2026-01-01T00:00:00", "2026-02-01T00:00:00Z", None)):
        said = f"We decided to sail at dawn on route {number}, because of the tide."
        message = {"message_id": f"m{number}", "session_id": f"day-{number}", "content": said}
        body = {"messages": [message | {"timestamp": told}]}
        answer = await client.post("/v1/journal/import", json=body)
        assert (answer.status_code, answer.json().get("added")) == (200, 1), answer.text
    found = await ask(client, "sail at dawn", since="2026-01-01T00:00:00", until="2026-01-15")
    assert [one["decision"]["timestamp"] for one in found] == ["2026-01-01T00:00:00Z"]


async def test_another_tenant_sees_nothing_of_it(callers_journal: dict[str, httpx.AsyncClient]):
    await imported(callers_journal["aurora"])
    (hit,) = await ask(callers_journal["aurora"], "sail at dawn")
    stranger = callers_journal["borealis"]
    for question in ("sail at dawn", "@ann", '"', "current decisions", "* OR sail"):
        assert await ask(stranger, question) == []
    assert (await stranger.get("/v1/journal/export")).text == ""
    answer = await stranger.get(f"/v1/journal/decisions/{hit['decision']['id']}")
    assert_problem(answer, 404, "not-found")


async def test_a_question_that_is_none_is_refused(callers_journal: dict[str, httpx.AsyncClient]):
    client = callers_journal["aurora"]
    assert_problem(await client.get("/v1/journal/search"), 422, "invalid")
    times = {"q": "x", "since": "2026-01-02", "until": "2026-01-01"}
    backwards = await client.get("/v1/journal/search", params=times)
    assert backwards.status_code in (400, 422)
    times = {"q": "use b before 2020", "since": "2022-01-01"}
    against_words = await client.get("/v1/journal/search", params=times)
    assert against_words.status_code == backwards.status_code
    empty = {"messages": [], "records": [{"path": "a.md", "text": "---\n---\n"}]}
    assert (await client.post("/v1/journal/import", json=empty)).status_code in (400, 422)


async def test_what_people_decide_in_a_message_answers_why_later(
    callers_journal: dict[str, httpx.AsyncClient],
):
    client = callers_journal["aurora"]
    said = "We decided to paint the lighthouse red because white fades."
    await client.post("/v1/messages", json={"text": said})
    answer = await client.post(
        "/v1/messages", json={"text": "why did we paint the lighthouse red?"}
    )
    assert "paint the lighthouse red" in answer.text
    (hit,) = await ask(client, "lighthouse red")
    assert hit["decision"]["rationale"] == "white fades"


async def test_an_admin_alone_may_reindex(callers_journal: dict[str, httpx.AsyncClient]):
    await imported(callers_journal["aurora"])
    assert_problem(await callers_journal["aurora"].post("/v1/journal/reindex"), 403, "forbidden")
    answer = await callers_journal["borealis"].post("/v1/journal/reindex")
    whole_index = {"entries": 2, "without_vectors": 0, "text_is_whole": True}
    index = IndexState().model_dump()
    assert answer.json() == whole_index | {"dated_ahead": 0, "dates_mended": 0, "index": index}


async def test_a_chain_is_read_from_either_end(callers_journal: dict[str, httpx.AsyncClient]):
    old = {"path": "1.md", "text": "# Ferries\n\n## Status\n\nSuperseded by ADR-2\n"}
    new = {"path": "2.md", "text": "# Bridges\n\n## Status\n\nAccepted\n"}
    body = {"records": [old, new]}
    told = (await callers_journal["aurora"].post("/v1/journal/import", json=body)).json()
    chains = [
        (await callers_journal["aurora"].get(f"/v1/journal/decisions/{name}/chain")).json()
        for name in told["records"]
    ]
    assert chains[0] == chains[1]
    assert chains[0]["current"]["title"] == "Bridges"


async def test_a_link_is_made_listed_taken_back_and_belongs_to_its_tenant(
    callers_journal: dict[str, httpx.AsyncClient],
):
    aurora, borealis = callers_journal["aurora"], callers_journal["borealis"]
    said = [{**TALK[1], "message_id": f"x{n}", "content": f"We decided to {what}."} for n, what in
            enumerate(("sail at dawn", "walk home"))]  # fmt: skip
    taken = (await aurora.post("/v1/journal/import", json={"messages": said})).json()
    older, newer = (one["decision_id"] for one in taken["messages"])
    wish = {"newer": newer, "older": older, "reason": "no wind"}
    assert_problem(await borealis.post("/v1/journal/links", json=wish), 404, "not-found")
    made = (await aurora.post("/v1/journal/links", json=wish)).json()
    assert (made["standing"], made["made_by"]) == ("accepted", "amir")
    assert_problem(await aurora.get("/v1/journal/links", params={"cursor": 10**30}), 422, "invalid")
    circle = {"newer": older, "older": newer}
    assert_problem(await aurora.post("/v1/journal/links", json=circle), 409, "conflict")
    chain = (await aurora.get(f"/v1/journal/decisions/{older}/chain")).json()
    assert (chain["original"]["status"], chain["current"]["id"]) == ("superseded", newer)
    path = f"/v1/journal/links/{made['link_id']}"
    assert_problem(await borealis.post(path, json={"accept": False}), 404, "not-found")
    assert (await borealis.get("/v1/journal/links")).json()["links"] == []
    assert (await aurora.post(path, json={"accept": False})).json()["standing"] == "refused"
    assert (await aurora.get(f"/v1/journal/decisions/{older}")).json()["status"] == "active"


async def test_who_may_change_nothing_here_writes_nothing_of_it(data_dir: Path):
    shelf = str(HARBOUR.parent / "shelf")
    settings = Settings(data_dir=data_dir, packs=(shelf,), embedder="none")
    async with open_executive(settings) as executive:
        app = create_app(executive)

        async def post(path: str, body: object, roles: tuple[str, ...], **who: Any) -> int:
            principal = Principal(user="vic", tenant_id="default", roles=roles, **who)
            key = await executive.keys.make(principal)
            transport = httpx.ASGITransport(app, raise_app_exceptions=False)
            async with httpx.AsyncClient(
                transport=transport, base_url="http://prefrontal.test"
            ) as client:
                headers = {"Authorization": f"Bearer {key}"}
                return (await client.post(path, json=body, headers=headers)).status_code

        writes: list[tuple[str, object]] = [
            ("/v1/journal/import", {"messages": TALK}),
            ("/v1/journal/links", {"newer": "dec-1", "older": "dec-2"}),
            ("/v1/journal/links/1", {"accept": False}),
        ]
        for roles in (("guest",), ()):
            assert [await post(path, body, roles) for path, body in writes] == [403, 403, 403]
        assert await executive.journal.store.all(whole("default")) == []
        assert await post(*writes[0], ("keeper",)) == 200
        assert await post(*writes[0], ("integrator",), kind="service") == 200


async def test_two_hundred_hostile_questions_see_no_foreign_row_and_break_nothing(
    callers_journal: dict[str, httpx.AsyncClient],
):
    aurora, borealis = callers_journal["aurora"], callers_journal["borealis"]
    ids = {name: await _planted(client, name) for name, client in callers_journal.items()}
    marks = (*"\"'*@(-^%?", "NEAR(", "a AND", "title:", "; DROP TABLE", "{}")
    questions = [
        f"{mark} {('borealis', 'OR 1=1')[number % 2]} {mark}{number} status:{mark} in Q{number % 6}"
        for number in range(100)
        for mark in (marks[number % len(marks)], marks[-1 - number % len(marks)])
    ]
    assert len(questions) == 200
    for question in questions:
        answer = await aurora.get("/v1/journal/search", params={"q": question})
        assert answer.status_code in (200, 422), (question, answer.text)
        if answer.status_code == 200:
            found = answer.json()["decisions"]
            assert {one["decision"]["tenant_id"] for one in found} <= {"aurora"}
    for foreign in ids["borealis"]:
        for path in ("", "/chain"):
            answer = await aurora.get(f"/v1/journal/decisions/{foreign}{path}")
            assert_problem(answer, 404, "not-found")
    assert "borealis" not in (await aurora.get("/v1/journal/export")).text
    assert len((await borealis.get("/v1/journal/export")).text.splitlines()) == 3


async def _planted(client: httpx.AsyncClient, tenant: str) -> list[str]:
    said = [
        {"message_id": f"{tenant}-{n}", "session_id": f"{tenant}-{n}", "speaker": tenant,
         "content": f"We decided to paint {tenant} door {n}."} for n in range(3)]  # fmt: skip
    taken = (await client.post("/v1/journal/import", json={"messages": said})).json()
    return [one["decision_id"] for one in taken["messages"]]
