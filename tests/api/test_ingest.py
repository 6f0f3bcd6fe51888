"""Webhook bodies over HTTP: each becomes its events, and what is no such body is told why."""

import json
from base64 import b64encode
from pathlib import Path
from threading import get_ident
from typing import Any, cast

import httpx
import pytest
from fastapi import FastAPI

from api.http.admission import Admission
from api.http.bodies import MAX_BODY_BYTES
from api.resources.events import MAX_LIST
from graph.settings import Settings
from graph.wiring.data_folder import open_database
from state.errors import BadInput
from state.event import Event
from state.principal import Principal
from tests.api.alert_bodies import (
    ALERTMANAGER,
    GRAFANA,
    Made,
    Posted,
    alertmanager,
    prometheus_alert,
)
from tests.api.conftest import TENANT, assert_problem
from tests.api.memory_executive import MemoryExecutive
from tests.api.webhook_bodies import BODIES, CLOUDEVENTS
from tests.stages import TUNING
from tests.tables import lay_tables
from tools.attention.alarms import sender_status
from tools.ingest import IngestKinds
from tools.storage import SqlIdempotency

EVERY = pytest.mark.parametrize("posted", BODIES, ids=lambda one: f"{one.kind}: {one.name}")
NAMED = [one for one in BODIES if one.kind != "generic" and "legacy" not in one.name]
"""Bodies whose items have an id of their own; without one each is another event."""
FIRING, RESOLVED = ALERTMANAGER[:2]


async def _post(
    client: httpx.AsyncClient, posted: Posted, kind: str | None = None, **more: Any
) -> httpx.Response:
    headers = {"Content-Type": "application/json", **posted.headers, **more.pop("headers", {})}
    body = more.pop("content", None) or json.dumps(posted.body)
    return await client.post(
        f"/v1/ingest/{kind or posted.kind}", content=body, headers=headers, **more
    )


def _taken(executive: MemoryExecutive) -> list[Event]:
    return list(executive.events.values())


@EVERY
async def test_a_body_becomes_its_events(
    clients: dict[str, httpx.AsyncClient], executive: MemoryExecutive, posted: Posted
):
    answer = await _post(clients["sensor"], posted)
    assert answer.status_code == 200, answer.text
    made = [
        Made(
            one.text,
            one.source,
            cast("str | None", one.payload.get("status")),
            cast("str | None", one.payload.get("severity", one.payload.get("level"))),
        )
        for one in _taken(executive)
    ]
    assert made == list(posted.made)
    assert [record["event_id"] for record in answer.json()] == [
        one.event_id for one in _taken(executive)
    ]


@EVERY
async def test_the_state_is_what_attention_reads_of_it(
    clients: dict[str, httpx.AsyncClient], executive: MemoryExecutive, posted: Posted
):
    await _post(clients["sensor"], posted)
    for event, made in zip(_taken(executive), posted.made, strict=True):
        graded = "urgent" if made.is_critical else "info" if made.severity == "info" else None
        read = {"resolved": "over", "test": "test"}.get(made.status or "", graded)
        assert sender_status(event.payload) == read
        assert event.salience is None, "the judge is not asked"


@pytest.mark.parametrize("posted", NAMED, ids=lambda one: f"{one.kind}: {one.name}")
async def test_a_body_posted_again_is_the_same_events(
    clients: dict[str, httpx.AsyncClient], executive: MemoryExecutive, posted: Posted
):
    await _post(clients["sensor"], posted)
    again = await _post(clients["sensor"], posted)
    assert len(_taken(executive)) == len(posted.made)
    assert all(record["duplicate"] for record in again.json())


async def test_what_fires_and_what_is_resolved_are_two_events_of_their_times(
    clients: dict[str, httpx.AsyncClient], executive: MemoryExecutive
):
    for posted in (FIRING, RESOLVED):
        await _post(clients["sensor"], posted)
    fires, ends = _taken(executive)
    assert fires.event_id != ends.event_id
    assert (str(fires.occurred_at), str(ends.occurred_at)) == (
        "2026-02-07 14:30:12.345000+00:00",
        "2026-02-07 14:41:00.500000+00:00",
    )
    assert fires.entities[0].value == "db-1"
    assert cast("dict[str, Any]", fires.payload["from"])["labels"]["job"] == "node"


async def test_the_session_stands_in_the_query_and_a_key_of_one_source_speaks_as_it(
    clients: dict[str, httpx.AsyncClient], executive: MemoryExecutive
):
    executive.keys.principals["sensor-key"] = Principal(
        user="prom", tenant_id=TENANT, kind="service", sources=("monitoring",)
    )
    await _post(clients["sensor"], FIRING, params={"session_id": "server-room"})
    (event,) = _taken(executive)
    assert (event.session_id, event.source, event.sender) == ("server-room", "monitoring", "prom")


@pytest.mark.parametrize(
    "asks", [{"params": {"prefer": "respond-async"}}, {"headers": {"Prefer": "respond-async"}}]
)
async def test_a_body_is_acknowledged_before_it_is_decided(
    clients: dict[str, httpx.AsyncClient], asks: dict[str, Any]
):
    answer = await _post(clients["sensor"], FIRING, **asks)
    assert answer.status_code == 202
    assert [ack["status"] for ack in answer.json()] == ["accepted"]


async def test_an_idempotency_key_counts_for_cloud_events_too(
    clients: dict[str, httpx.AsyncClient], executive: MemoryExecutive, tmp_path: Path
):
    lay_tables(tmp_path)
    database = open_database(Settings(data_dir=tmp_path))
    cast("Any", executive).idempotency = SqlIdempotency(database)
    headers = {"Idempotency-Key": "once"}
    first = await _post(clients["sensor"], CLOUDEVENTS[0], headers=headers)
    again = await _post(clients["sensor"], CLOUDEVENTS[0], headers=headers)
    other = await _post(clients["sensor"], CLOUDEVENTS[1], headers=headers)
    await database.close()
    assert (first.status_code, again.headers["idempotent-replayed"]) == (200, "true")
    assert_problem(other, 422, "key-reused")


def _basic(password: str) -> dict[str, str]:
    return {"Authorization": f"Basic {b64encode(f'hook:{password}'.encode()).decode()}"}


async def test_a_key_may_come_as_a_password_here_and_nowhere_else(
    clients: dict[str, httpx.AsyncClient],
):
    nobody = clients["nobody"]
    assert (await _post(nobody, FIRING, headers=_basic("sensor-key"))).status_code == 200
    assert_problem(await _post(nobody, FIRING), 401, "unauthenticated")
    assert_problem(await _post(nobody, FIRING, headers=_basic("wrong")), 401, "unauthenticated")
    odd = {"Authorization": "Basic %%"}
    assert_problem(await _post(nobody, FIRING, headers=odd), 401, "unauthenticated")
    elsewhere = await nobody.post("/v1/events", json={"text": "x"}, headers=_basic("sensor-key"))
    assert_problem(elsewhere, 401, "unauthenticated")


async def test_a_source_that_another_key_declares_is_kept_from_a_body(
    clients: dict[str, httpx.AsyncClient], executive: MemoryExecutive
):
    own = Principal(user="prom", tenant_id=TENANT, kind="service", kept_sources=("alertmanager*",))
    executive.keys.principals["sensor-key"] = own
    assert_problem(await _post(clients["sensor"], FIRING), 403, "forbidden")


MISFITS: list[tuple[str, Any, int, str]] = [
    ("nagios", {}, 404, "alertmanager, cloudevents, generic, github"),
    ("alertmanager", GRAFANA[0].body, 422, "/v1/ingest/grafana"),
    ("grafana", FIRING.body, 422, "/v1/ingest/alertmanager"),
    ("pagerduty", FIRING.body, 422, "/v1/ingest/alertmanager"),
    ("generic", FIRING.body, 422, "/v1/ingest/alertmanager"),
    ("github", CLOUDEVENTS[0].body, 422, "/v1/ingest/cloudevents"),
    ("home_assistant", {"text": "x"}, 422, "`event_type` is state_changed"),
    ("alertmanager", FIRING.body | {"version": "5"}, 422, "`version` is 4"),
    ("alertmanager", {"alerts": "none"}, 422, "`alerts` is a list"),
    ("alertmanager", alertmanager([[1], [2]]), 422, "alerts[0] is no JSON object"),
    ("alertmanager", alertmanager(None), 422, "alerts[0] is no JSON object"),
    ("cloudevents", CLOUDEVENTS[0].body | {"specversion": "0.3"}, 422, "`specversion` is 1.0"),
    ("pagerduty", {"messages": [{"event": "incident.trigger"}]}, 422, "v3"),
    ("generic", "a text", 422, "a JSON object"),
    ("generic", 7, 422, "a JSON object"),
    ("generic", [["a"]], 422, "[0] is no JSON object"),
    ("generic", [{"text": "x"}] * (MAX_LIST + 1), 413, "at most"),
]


@pytest.mark.parametrize(("kind", "body", "status", "told"), MISFITS)
async def test_what_is_no_such_body_is_told_what_to_do(
    clients: dict[str, httpx.AsyncClient],
    executive: MemoryExecutive,
    kind: str,
    body: Any,
    status: int,
    told: str,
):
    answer = await _post(clients["sensor"], Posted(kind, "", body, ()))
    slug = {404: "not-found", 413: "too-large", 422: "invalid"}[status]
    assert told in assert_problem(answer, status, slug)["detail"]
    assert executive.events == {}


@pytest.mark.parametrize(
    ("content", "content_type", "status"),
    [
        (b'{"text": "' + b"x" * MAX_BODY_BYTES + b'"}', "application/json", 413),
        (b"[" * 100_000, "application/json", 400),
        (b'{"text": "\\u0000"}', "application/json", 400),
        (b"\xff", "application/json", 400),
        (b"", "application/json", 400),
        (b"payload=%7B%7D", "application/x-www-form-urlencoded", 415),
        (b"{}", "text/plain", 415),
        (b"{}", "application/xml", 415),
    ],
)
async def test_what_cannot_be_read_is_refused(
    clients: dict[str, httpx.AsyncClient], content: bytes, content_type: str, status: int
):
    answer = await clients["sensor"].post(
        "/v1/ingest/generic", content=content, headers={"Content-Type": content_type}
    )
    assert answer.status_code == status, answer.text


ODD: list[Any] = [None, 7, True, "", "x" * 70_000, [], [[["deep"]]], {}, {"a": {"b": [1]}}, 1e300]


@EVERY
async def test_a_field_of_another_type_breaks_nothing(
    clients: dict[str, httpx.AsyncClient], posted: Posted
):
    """Put each odd value in the place of each field, two levels deep: an event or a refusal."""
    refused = 0
    for number, body in enumerate(_altered(posted.body)):
        answer = await _post(clients["sensor"], posted._replace(body=body))
        assert answer.status_code in (200, 422), (number, answer.text)
        refused += answer.status_code == 422
    assert refused < number


def _altered(body: Any) -> list[Any]:
    """Give bodies with one field changed or left out."""
    inner: Any = body
    while isinstance(inner, dict) and isinstance(next(iter(inner.values())), dict):
        inner = next(iter(inner.values()))
    if isinstance(inner, dict) and inner.get("alerts"):
        inner = inner["alerts"][0]
    if isinstance(inner, list):
        inner = inner[0]
    made: list[Any] = []
    for name in list(inner):
        kept = inner[name]
        for odd in ODD[len(made) % 3 :: 3]:
            inner[name] = odd
            made.append(json.loads(json.dumps(body)))
        del inner[name]
        made.append(json.loads(json.dumps(body)))
        inner[name] = kept
    return made


OWN = """
takes: what our lift sends
known_by:
  - {at: lift, type: text}
forms:
  - name: lift
    text: "Lift {lift} {what:words}"
    source: "lift/{lift}"
    severity: {of: "{what}", table: {stuck: critical}, else: info}
"""


async def test_an_operator_adds_a_kind_and_replaces_one(
    clients: dict[str, httpx.AsyncClient], executive: MemoryExecutive, tmp_path: Path
):
    for name in ("lift", "github"):
        (tmp_path / f"{name}.yaml").write_text(OWN)
    executive.ingest = IngestKinds.open(tmp_path)
    for kind in ("lift", "github"):
        posted = Posted(kind, "", {"lift": "B", "what": "stuck", "kind": kind}, ())
        assert (await _post(clients["sensor"], posted)).status_code == 200
    assert {(one.text, one.payload["severity"]) for one in _taken(executive)} == {
        ("Lift B Stuck", "critical")
    }
    assert (await _post(clients["sensor"], FIRING)).status_code == 200


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("takes: x\n", "own.yaml:1: forms: is missing"),
        (OWN.replace('"{lift}"', '"{lift"').replace("lift/{lift}", "lift/{lift"), "does not match"),
        (OWN.replace("text: ", "texts: "), "own.yaml:7: forms[0].texts: is not known here"),
        (OWN.replace(":words", ":wordy"), "own.yaml:7: forms[0].text: no filter 'wordy'"),
        (OWN.replace("type: text", "type: texts"), "own.yaml:4: known_by[0].type"),
        (OWN.replace("else: info", "otherwise: info"), "own.yaml:9: forms[0].severity.otherwise"),
        ("forms: [", "is not YAML"),
        ("[]", "own.yaml"),
    ],
)
def test_a_mapping_file_that_is_wrong_is_told_by_its_line(tmp_path: Path, wrong: str, told: str):
    (tmp_path / "own.yaml").write_text(wrong)
    with pytest.raises(BadInput, match="a mapping file cannot be used") as refused:
        IngestKinds.open(tmp_path)
    assert told in str(refused.value)


def test_a_folder_that_is_named_must_be_there(tmp_path: Path):
    assert IngestKinds.open(tmp_path / "none").own == {}
    with pytest.raises(BadInput, match="EXECUTIVE_INGEST_DIR"):
        IngestKinds.open(tmp_path / "none", is_named=True)


async def test_a_body_over_a_socket(address: str):
    async with httpx.AsyncClient(
        base_url=address, headers={"Authorization": "Bearer sensor-key"}
    ) as client:
        answer = await _post(client, FIRING)
    assert [record["outcome"] for record in answer.json()] == ["spoke"]


@pytest.mark.parametrize(("length", "is_beside"), [(100, False), (20_000, True)])
async def test_a_long_body_is_read_beside_the_event_loop(
    clients: dict[str, httpx.AsyncClient],
    executive: MemoryExecutive,
    length: int,
    is_beside: bool,
    monkeypatch: pytest.MonkeyPatch,
):
    threads: list[int] = []
    read = IngestKinds.events

    def seen(*given: Any) -> Any:
        threads.append(get_ident())
        return read(*given)

    monkeypatch.setattr(IngestKinds, "events", seen)
    body = {"labels": {"deep": {"text": "x" * length}}}
    assert (await _post(clients["sensor"], Posted("generic", "", body, ()))).status_code == 200
    assert (threads != [get_ident()]) == is_beside


async def test_events_of_one_body_are_charged_as_many(
    app: FastAPI, clients: dict[str, httpx.AsyncClient]
):
    app.state.admission = Admission(TUNING.service, seconds=lambda: 0.0)
    alerts = [
        prometheus_alert("A", {}, {"summary": f"thing {n}"}, print_=f"{n:04}") for n in range(900)
    ]
    posted = Posted("alertmanager", "", alertmanager(*alerts), ())
    fit = TUNING.service.tenant_burst // len(alerts)
    statuses = [(await _post(clients["sensor"], posted)).status_code for _ in range(fit + 1)]
    assert statuses == [*[200] * fit, 429]
