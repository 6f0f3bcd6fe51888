"""What operators see: spans without words, a line a decision, and figures that dashboards name."""

import asyncio
import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx
import pytest
import structlog
import yaml
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult

from api.app import create_app
from api.cli.doctor.service_checks import check_traces
from api.http.admission import RefusalCounter
from graph import telemetry as tracing
from graph.settings import ROOT
from tests.graph.conftest import OpenHarbour
from tests.graph.harbour import KEEPER, Harbour
from tools.observability.metrics_export import _families, _of_packs, _waiting, backlog

READ = (
    *("receive", "filter_salience", "assess_relevance", "choose_timing", "decide_policy"),
    *("apply_policy", "classify_action", "act", "advance_stage", "compose", "deliver"),
    *("note_decisions", "write_record"),
)


class Collector:
    """A collector of traces on loopback."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        bodies = self.bodies

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_arguments: Any) -> None:
                return

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()
        self.endpoint = f"http://127.0.0.1:{self._server.server_port}/v1/traces"

    @property
    def spans(self) -> list[Any]:
        """List every span that came."""
        found = [ExportTraceServiceRequest.FromString(body) for body in self.bodies]
        return [
            span
            for request in found
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def collector() -> Iterator[Collector]:
    made = Collector()
    yield made
    made.close()


def told(span: Any) -> dict[str, str]:
    return {one.key: one.value.string_value for one in span.attributes}


async def test_each_node_is_a_span_and_none_has_a_word_of_anybody(
    open_harbour: OpenHarbour, collector: Collector
) -> None:
    async with open_harbour(otlp_endpoint=collector.endpoint, embedder="none") as harbour:
        read = await harbour.says("show lock LK-12")
        asked = await harbour.says("close lock LK-77")
        passed = await harbour.happens("a gull named Canary-7261", salience={"novelty": 0.1})
        assert (await check_traces(harbour.executive.settings, 5.0)).state == "ok"

    whole = {
        told(span)["prefrontal.decision_id"]: span
        for span in collector.spans
        if span.name == "decide" and "prefrontal.decision_id" in told(span)
    }
    assert told(whole[read.decision_id])["prefrontal.outcome"] == "executed"
    assert told(whole[passed.decision_id])["prefrontal.outcome"] == "passed"
    inside = [
        one for one in collector.spans if one.parent_span_id == whole[read.decision_id].span_id
    ]
    by_time = sorted(inside, key=lambda span: span.start_time_unix_nano)
    assert tuple(one.name for one in by_time if one.name in READ) == READ
    assert {one.name for one in inside} - {*READ} == {"execute_tool show_lock"}
    confirming = [span for span in collector.spans if span.name == "confirm"]
    assert [span.status.code for span in confirming] == [0]
    assert asked.outcome == "awaiting_approval"
    sent = b"".join(collector.bodies).lower()
    # Words with letters that no hexadecimal id has: `7261` stands in one of them now and then.
    assert not [word for word in (b"lk-12", b"amir", b"canary", b"keeper") if word in sent]


async def test_an_end_waits_for_no_collector_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    hangs, asked = threading.Event(), threading.Event()

    class Hanging(SpanExporter):
        def export(self, spans: Any) -> SpanExportResult:  # the library's own interface
            asked.set()
            hangs.wait()
            return SpanExportResult.FAILURE

    monkeypatch.setattr(tracing, "ENDS_WITHIN_SECONDS", 0.05)
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(Hanging()))
    provider.get_tracer("harbour").start_span("decide").end()
    try:
        async with asyncio.timeout(20):  # the library's own patience is 30 seconds
            await tracing.Tracing(provider).close()
        assert asked.wait(20)
    finally:
        hangs.set()


@pytest.mark.usefixtures("every_line")
async def test_a_decision_is_one_line_that_names_the_request(harbour: Harbour) -> None:
    key = await harbour.executive.keys.make(KEEPER)
    named = {"Authorization": f"Bearer {key}", "X-Request-ID": "req-7"}
    merged = [structlog.contextvars.merge_contextvars]
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(create_app(harbour.executive)), base_url="http://harbour"
    ) as client:
        with structlog.testing.capture_logs(processors=merged) as lines:
            answer = await client.post(
                "/v1/messages", json={"text": "show lock LK-12"}, headers=named
            )
        scraped = (await client.get("/metrics", headers=named)).text

        await harbour.answers((await harbour.says("close lock LK-40")).action_id)
        later = (await client.get("/metrics", headers=named)).text

    (line,) = [line for line in lines if line["event"] == "decided"]
    assert (line["request_id"], line["outcome"]) == ("req-7", "executed")
    assert line["decision_id"] == answer.json()["decision_id"]
    assert "LK-12" not in json.dumps(lines)
    assert 'prefrontal_decisions_total{tenant="default",outcome="executed"} 1\n' in scraped
    assert 'prefrontal_decision_seconds_bucket{tenant="default",le="+Inf"} 1\n' in scraped
    assert 'prefrontal_decisions_total{tenant="default",outcome="executed"} 2\n' in later
    assert 'prefrontal_decisions_total{tenant="default",outcome="awaiting_approval"} 1\n' in later
    assert 'prefrontal_ledger_frozen{tenant="default"} 0\n' in scraped


async def test_dashboard_and_alerts_name_figures_that_there_are(harbour: Harbour) -> None:
    executive = harbour.executive
    waiting = await backlog(executive._box.database, "default")
    families = [
        *_families(await executive.queries.metrics("default", since=0.0)),
        *_of_packs(await executive.quality.all_metrics("default")),
        *_waiting(waiting),
    ]
    operating = await executive.operating("default")
    known = {f"prefrontal_{name}" for name, *_rest in families}
    known |= {line.split("{")[0].split(" ")[0] for line in operating.splitlines() if line[0] != "#"}
    refused = RefusalCounter().exposition("default")
    known |= set(re.findall(r"^# TYPE (\S+)", operating + refused, re.MULTILINE))

    folder = ROOT / "docs" / "grafana"
    dashboard = (folder / "prefrontal.json").read_text("utf-8")
    alerts = (folder / "alerts.yaml").read_text("utf-8")
    panels = json.loads(dashboard)["panels"]
    rules = yaml.safe_load(alerts)["groups"][0]["rules"]
    named = set(re.findall(r"prefrontal_[a-z_]+", dashboard + alerts))
    assert (len(panels), len(rules)) == (15, 8)
    assert named - known == set()
    page = (ROOT / "docs" / "how-to" / "troubleshoot.md").read_text("utf-8")
    assert [rule["alert"] for rule in rules if rule["alert"] not in page] == []
