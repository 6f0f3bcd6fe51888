"""Events, messages and decisions, one or many."""

import asyncio
import json

import httpx
import pytest

from api.resources.events import MAX_LIST
from state.event import MAX_TEXT_BYTES
from tests.api.conftest import TENANT, assert_problem
from tests.api.memory_executive import MemoryExecutive

NDJSON = {"Content-Type": "application/x-ndjson"}


def _lines(response: httpx.Response) -> list[dict[str, object]]:
    return [json.loads(line) for line in response.text.splitlines()]


async def test_one_event_is_answered_with_its_record(engineer: httpx.AsyncClient):
    answer = await engineer.post("/v1/events", json={"event_id": "e-1", "text": "hot bearing"})
    assert answer.status_code == 200
    assert answer.json()["event_id"] == "e-1"
    assert answer.json()["outcome"] == "spoke"
    assert answer.headers["location"] == f"/v1/decisions/{answer.json()['decision_id']}"


async def test_a_list_is_answered_in_order(engineer: httpx.AsyncClient):
    sent = [{"event_id": f"e-{n}", "text": "hot"} for n in range(3)]
    answer = await engineer.post("/v1/events", json=sent)
    assert [record["event_id"] for record in answer.json()] == ["e-0", "e-1", "e-2"]


async def test_a_list_of_one_and_of_none_stay_lists(engineer: httpx.AsyncClient):
    assert len((await engineer.post("/v1/events", json=[{"text": "hot"}])).json()) == 1
    assert (await engineer.post("/v1/events", json=[])).json() == []


async def test_an_event_without_id_gets_one(engineer: httpx.AsyncClient):
    answer = await engineer.post("/v1/events", json={"text": "hot bearing"})
    assert answer.json()["event_id"].startswith("evt-")


async def test_an_event_sent_again_returns_the_first_decision(engineer: httpx.AsyncClient):
    same = {"event_id": "e-1", "text": "hot bearing"}
    first = await engineer.post("/v1/events", json=same)
    again = await engineer.post("/v1/events", json=same)
    assert again.json() == first.json() | {"duplicate": True}


async def test_a_list_with_one_bad_event_is_refused_whole(
    engineer: httpx.AsyncClient, executive: MemoryExecutive
):
    answer = await engineer.post("/v1/events", json=[{"text": "hot"}, {"texts": "cold"}])
    body = assert_problem(answer, 422, "invalid")
    assert {fault["field"] for fault in body["errors"]} == {"[1].text", "[1].texts"}
    assert executive.events == {}


async def test_a_list_may_not_be_endless(engineer: httpx.AsyncClient):
    answer = await engineer.post("/v1/events", json=[{"text": "x"}] * (MAX_LIST + 1))
    assert_problem(answer, 413, "too-large")


@pytest.mark.parametrize("sent", [7, "hot", None, True, [7], [[{"text": "hot"}]]])
async def test_what_is_no_object_is_no_event(engineer: httpx.AsyncClient, sent: object):
    answer = await engineer.post(
        "/v1/events", content=json.dumps(sent), headers={"Content-Type": "application/json"}
    )
    assert_problem(answer, 422, "invalid")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("occurred_at", "yesterday"),
        ("occurred_at", "1500-01-01T00:00:00Z"),
        ("occurred_at", 9e12),
        ("salience", {"threat": 1.5}),
        ("salience", {"dread": 0.5}),
        ("kind", "rumour"),
        ("event_id", ""),
        ("event_id", "x" * 201),
        ("expires_in_seconds", -1),
        ("entities", [{"value": "x"}] * 101),
        ("unheard_of", 1),
        ("text", 5),
    ],
)
async def test_a_bad_field_is_named(engineer: httpx.AsyncClient, field: str, value: object):
    answer = await engineer.post("/v1/events", json={"text": "hot", field: value})
    body = assert_problem(answer, 422, "invalid")
    assert all(fault["field"].startswith(field) for fault in body["errors"])


async def test_preferring_later_is_acknowledged_once_on_disk(
    engineer: httpx.AsyncClient, executive: MemoryExecutive
):
    executive.gate = asyncio.Event()
    answer = await engineer.post(
        "/v1/events",
        json={"event_id": "e-1", "text": "hot"},
        headers={"Prefer": 'handling=lenient, Respond-Async; wait="10"'},
    )
    assert answer.status_code == 202
    ack = answer.json()
    assert ack["status"] == "accepted"
    assert ack["duplicate"] is False
    assert answer.headers["preference-applied"] == "respond-async"
    assert ack["decision_id"] in executive.events
    assert_problem(await engineer.get(answer.headers["location"]), 404, "not-found")
    executive.gate.set()
    await executive.until_recorded(1)
    assert (await engineer.get(answer.headers["location"])).status_code == 200


async def test_a_second_delivery_is_acknowledged_as_one(engineer: httpx.AsyncClient):
    later = {"Prefer": "respond-async"}
    sent = [{"event_id": "e-1", "text": "hot"}] * 2
    acks = (await engineer.post("/v1/events", json=sent, headers=later)).json()
    assert [ack["duplicate"] for ack in acks] == [False, True]
    assert acks[0]["decision_id"] == acks[1]["decision_id"]


async def test_another_preference_is_not_taken_for_it(engineer: httpx.AsyncClient):
    answer = await engineer.post(
        "/v1/events", json={"text": "hot"}, headers={"Prefer": "respond-async-never"}
    )
    assert answer.status_code == 200


async def test_events_of_a_session_are_decided_in_order_in_the_background(
    engineer: httpx.AsyncClient, executive: MemoryExecutive
):
    sent = [{"event_id": f"e-{n}", "text": "hot", "session_id": "s"} for n in range(300)]
    answer = await engineer.post("/v1/events", json=sent, headers={"Prefer": "respond-async"})
    await executive.until_recorded(300)
    assert answer.status_code == 202
    assert [each.event_id for each in executive.decided.values()] == [e["event_id"] for e in sent]


async def test_a_decision_that_breaks_in_the_background_leaves_the_rest(
    engineer: httpx.AsyncClient, executive: MemoryExecutive
):
    sent = [{"event_id": "bad", "text": "boom"}, {"event_id": "good", "text": "hot"}]
    await engineer.post("/v1/events", json=sent, headers={"Prefer": "respond-async"})
    await executive.until_recorded(1)
    assert [each.event_id for each in executive.decided.values()] == ["good"]


async def test_lines_are_answered_by_number_and_broken_ones_are_named(
    engineer: httpx.AsyncClient, executive: MemoryExecutive
):
    body = b"\n".join(
        [
            b'{"event_id": "e-1", "text": "hot"}',
            b'{"event_id": "e-2", "text": "cut of',
            b"",
            b'{"event_id": "e-4", "text": "hot", "text": "cold"}',
            b'{"event_id": "e-5", "text": NaN}',
            b'{"event_id": "e-6", "text": "\\ud800"}',
            b'{"event_id": "e-7", "text": "\xff"}',
            b'{"event_id": "e-8", "txt": "hot"}',
            b'{"event_id": "e-9", "text": "hot", "tenant_id": "mv-borealis"}',
            b'{"event_id": "e-10", "text": "boom"}',
            b"[1]",
            b'{"event_id": "e-12", "text": "cold"}\r',
        ]
    )
    answer = await engineer.post("/v1/events", content=body, headers=NDJSON)
    assert answer.headers["content-type"] == "application/x-ndjson"
    found = {line["line"]: line.get("problem") for line in _lines(answer)}
    statuses = {n: p["status"] if isinstance(p, dict) else 200 for n, p in found.items()}
    assert statuses == {
        1: 200,
        2: 400,
        4: 400,
        5: 400,
        6: 400,
        7: 400,
        8: 422,
        9: 403,
        10: 500,
        11: 422,
        12: 200,
    }
    assert [each.event_id for each in executive.decided.values()] == ["e-1", "e-12"]
    assert "secret words" not in answer.text


async def test_a_thousand_lines_give_a_thousand_decisions(engineer: httpx.AsyncClient):
    lines = [json.dumps({"event_id": f"e-{n}", "text": f"reading {n}"}) for n in range(1_000)]
    answer = await engineer.post("/v1/events", content="\n".join(lines), headers=NDJSON)
    decisions = [line["decision"] for line in _lines(answer)]
    assert [d["event_id"] for d in decisions if isinstance(d, dict)] == [
        f"e-{n}" for n in range(1_000)
    ]


async def test_lines_can_be_acknowledged_too(
    engineer: httpx.AsyncClient, executive: MemoryExecutive
):
    answer = await engineer.post(
        "/v1/events",
        content='{"event_id": "e-1", "text": "hot"}\n',
        headers=NDJSON | {"Prefer": "respond-async"},
    )
    assert answer.status_code == 202
    (line,) = _lines(answer)
    assert isinstance(line["accepted"], dict)
    assert line["accepted"]["event_id"] == "e-1"
    await executive.until_recorded(1)


async def test_an_answer_stays_one_line_for_every_reader(engineer: httpx.AsyncClient):
    text = "a\u2028b\u2029c\u0085d\r\ne"
    sent = json.dumps({"event_id": "e\u2028", "text": text}, ensure_ascii=False)
    (line,) = _lines(await engineer.post("/v1/events", content=sent, headers=NDJSON))
    assert isinstance(line["decision"], dict)
    assert line["decision"]["text"] == text


async def test_no_lines_are_no_answers(engineer: httpx.AsyncClient):
    answer = await engineer.post("/v1/events", content=b"\n\n", headers=NDJSON)
    assert answer.status_code == 200
    assert answer.text == ""


async def test_a_line_too_long_is_refused_and_the_rest_goes_on(engineer: httpx.AsyncClient):
    body = b'{"text": "' + b"x" * 600_000 + b'"}\n{"event_id": "e-2", "text": "hot"}\n'
    first, second = _lines(await engineer.post("/v1/events", content=body, headers=NDJSON))
    assert isinstance(first["problem"], dict)
    assert first["problem"]["status"] == 413
    assert isinstance(second["decision"], dict)


async def test_a_message_is_from_the_key_s_owner(
    engineer: httpx.AsyncClient, executive: MemoryExecutive
):
    answer = await engineer.post("/v1/messages", json={"text": "how are the filters?"})
    assert answer.status_code == 200
    (event,) = executive.events.values()
    assert (event.kind, event.user, event.role) == ("message", "amir", "engineer,watchkeeper")


async def test_a_dangerous_request_comes_back_with_its_approval(engineer: httpx.AsyncClient):
    answer = await engineer.post("/v1/messages", json={"text": "close WO-1042"})
    assert answer.json()["outcome"] == "awaiting_approval"
    assert answer.json()["approval"]["digest"] == "d" * 64
    assert answer.json()["approval"]["action_id"] == answer.json()["action_id"]
    assert answer.json()["offer"] is None


async def test_an_unclear_request_comes_back_with_chips(engineer: httpx.AsyncClient):
    answer = await engineer.post("/v1/messages", json={"text": "note that"})
    assert answer.json()["offer"]["chips"][0]["chip_id"] == "chip-1"
    assert answer.json()["approval"] is None


async def test_the_same_message_id_is_one_decision(engineer: httpx.AsyncClient):
    sent = {"text": "close WO-1042", "event_id": "m-1"}
    first = await engineer.post("/v1/messages", json=sent)
    again = await engineer.post("/v1/messages", json=sent)
    assert again.json() == first.json() | {"duplicate": True}


@pytest.mark.parametrize("text", ["", "  \n"])
async def test_an_empty_message_is_not_a_message(
    engineer: httpx.AsyncClient, executive: MemoryExecutive, text: str
):
    assert_problem(await engineer.post("/v1/messages", json={"text": text}), 422, "invalid")
    assert not executive.events


async def test_a_bridge_may_name_who_speaks(
    clients: dict[str, httpx.AsyncClient], executive: MemoryExecutive
):
    sent = {"text": "hello", "user": "amir", "role": "engineer", "session_id": "bridge"}
    assert (await clients["bridge"].post("/v1/messages", json=sent)).status_code == 200
    (event,) = executive.events.values()
    assert (event.user, event.role, event.session_id) == ("amir", "engineer", "bridge")


async def test_a_bridge_that_names_nobody_speaks_itself(
    clients: dict[str, httpx.AsyncClient], executive: MemoryExecutive
):
    await clients["bridge"].post("/v1/messages", json={"text": "hello"})
    (event,) = executive.events.values()
    assert (event.user, event.role) == ("slack", "integrator,captain")


@pytest.mark.parametrize("claim", [{"user": "ingrid"}, {"role": "captain"}, {"tenant_id": "t"}])
async def test_nobody_else_may(engineer: httpx.AsyncClient, claim: dict[str, str]):
    answer = await engineer.post("/v1/messages", json={"text": "hello"} | claim)
    assert_problem(answer, 403, "forbidden")


@pytest.mark.parametrize("field", ["kind", "salience", "approved", "action_id"])
async def test_a_message_carries_nothing_but_a_message(engineer: httpx.AsyncClient, field: str):
    answer = await engineer.post("/v1/messages", json={"text": "hello", field: "choice"})
    assert assert_problem(answer, 422, "invalid")["errors"][0]["field"] == field


async def test_a_text_at_the_limit_passes_and_one_byte_more_does_not(engineer: httpx.AsyncClient):
    fits = await engineer.post("/v1/messages", json={"text": "x" * MAX_TEXT_BYTES})
    assert fits.status_code == 200
    over = await engineer.post("/v1/messages", json={"text": "x" * (MAX_TEXT_BYTES - 1) + "é"})
    assert_problem(over, 413, "too-large")


async def test_what_breaks_inside_tells_nothing_of_itself(engineer: httpx.AsyncClient):
    answer = await engineer.post("/v1/messages", json={"text": "boom"})
    body = assert_problem(answer, 500, "internal")
    assert "secret words" not in answer.text
    assert "RuntimeError" not in answer.text
    assert body["request_id"]


async def _decide(client: httpx.AsyncClient, text: str = "hot", session: str = "s") -> str:
    answer = await client.post("/v1/events", json={"text": text, "session_id": session})
    decision_id: str = answer.json()["decision_id"]
    return decision_id


async def test_decisions_come_newest_first(engineer: httpx.AsyncClient):
    ids = [await _decide(engineer) for _ in range(3)]
    page = (await engineer.get("/v1/decisions")).json()
    assert [each["decision_id"] for each in page["decisions"]] == ids[::-1]
    assert page["next_cursor"] is None


async def test_pages_follow_each_other_to_the_end(engineer: httpx.AsyncClient):
    ids = [await _decide(engineer) for _ in range(5)]
    seen: list[str] = []
    wanted: dict[str, str | int] = {"limit": 2}
    for _ in range(4):
        page = (await engineer.get("/v1/decisions", params=wanted)).json()
        seen += [each["decision_id"] for each in page["decisions"]]
        if page["next_cursor"] is None:
            break
        wanted["cursor"] = page["next_cursor"]
    assert seen == ids[::-1]


async def test_filters_narrow(engineer: httpx.AsyncClient):
    await _decide(engineer, session="a")
    wanted = await _decide(engineer, "close WO-1042", session="b")
    for params in ({"session_id": "b"}, {"outcome": "awaiting_approval"}):
        page = (await engineer.get("/v1/decisions", params=params)).json()
        assert [each["decision_id"] for each in page["decisions"]] == [wanted]


@pytest.mark.parametrize(
    "params",
    [
        {"limit": "0"},
        {"limit": "201"},
        {"limit": "many"},
        {"limit": "9" * 5_000},
        {"outcome": "exploded"},
        {"session_id": "a\x00b"},
        {"session_id": ""},
        {"cursor": "x" * 201},
        {"cursor": "not a cursor"},
        {"cursor": "2026-02-07T14:32:00+00:00/\x00"},
        {"cursor": "9999-99-99/0f3b1c9e-7a55-5c0a-9d0e-51f1a3a7c001"},
        {"sesion_id": "b"},
    ],
)
async def test_a_filter_that_means_nothing_is_refused(engineer: httpx.AsyncClient, params):
    assert_problem(await engineer.get("/v1/decisions", params=params), 422, "invalid")


async def test_a_trace_holds_record_and_event(engineer: httpx.AsyncClient):
    decision_id = await _decide(engineer)
    trace = (await engineer.get(f"/v1/decisions/{decision_id}")).json()
    assert trace["record"]["decision_id"] == decision_id
    assert trace["event"]["text"] == "hot"
    assert trace["thread_id"]


@pytest.mark.parametrize("name", ["nope", "%00", "..%2F..%2Fetc", "a" * 201, "%ED%A0%80", "'--"])
async def test_an_id_of_nothing_is_not_found(engineer: httpx.AsyncClient, name: str):
    for resource in ("decisions", "approvals"):
        assert_problem(await engineer.get(f"/v1/{resource}/{name}"), 404, "not-found")


async def test_a_sensor_stays_ambient_and_carries_its_own_user(
    clients: dict[str, httpx.AsyncClient], executive: MemoryExecutive
):
    await clients["sensor"].post("/v1/events", json={"text": "level 3 cm"})
    (event,) = executive.events.values()
    assert (event.kind, event.user, event.role) == ("ambient", "bilge-probe", None)
    assert event.tenant_id == TENANT


async def test_a_person_speaks_for_themselves(
    engineer: httpx.AsyncClient, executive: MemoryExecutive
):
    sent = {"text": "hello", "user": "amir", "role": "watchkeeper", "tenant_id": TENANT}
    await engineer.post("/v1/events", json=sent)
    (event,) = executive.events.values()
    assert (event.kind, event.user, event.role) == ("message", "amir", "watchkeeper")


@pytest.mark.parametrize(
    "claim",
    [{"user": "ingrid"}, {"role": "captain"}, {"tenant_id": "mv-borealis"}, {"tenant_id": "x"}],
)
async def test_nobody_speaks_as_somebody_else(
    engineer: httpx.AsyncClient, executive: MemoryExecutive, claim: dict[str, str]
):
    answer = await engineer.post("/v1/events", json={"text": "hello"} | claim)
    assert_problem(answer, 403, "forbidden")
    assert executive.events == {}


async def test_a_bridge_speaks_for_others_in_its_own_tenant_only(
    clients: dict[str, httpx.AsyncClient], executive: MemoryExecutive
):
    sent = {"text": "hello", "user": "ingrid", "role": "captain"}
    assert (await clients["bridge"].post("/v1/events", json=sent)).status_code == 200
    (event,) = executive.events.values()
    assert (event.user, event.role, event.tenant_id) == ("ingrid", "captain", TENANT)
    foreign = await clients["bridge"].post("/v1/events", json=sent | {"tenant_id": "mv-borealis"})
    assert_problem(foreign, 403, "forbidden")
