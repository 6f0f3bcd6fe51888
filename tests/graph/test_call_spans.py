"""A tool call as OpenTelemetry sees it, on the SDK's exporter in memory."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from api.app import create_app
from graph.telemetry import Tracing
from state.declared_tool import PermitOutcome
from state.principal import Principal
from tests.graph.conftest import OpenHarbour
from tests.graph.harbour import KEEPER, MASTER, Harbour

AGENT = Principal(user="tug-agent", tenant_id="default", roles=("keeper",), kind="service")
CALLER = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
TRACE, SPAN = int(CALLER[3:35], 16), int(CALLER[36:52], 16)
Json = dict[str, Any]


class Quay:
    """A harbour whose spans are kept in memory, and the agent's client."""

    def __init__(self, harbour: Harbour, client: httpx.AsyncClient, kept: InMemorySpanExporter):
        self.harbour, self.client, self.kept = harbour, client, kept

    async def propose(self, action: str, traceparent: str = CALLER, **given: Any) -> Json:
        sent = {"action": action, **given}
        answer = await self.client.post(
            "/v1/proposals", json=sent, headers={"traceparent": traceparent}
        )
        assert answer.status_code in (200, 202), answer.text
        return dict(answer.json())

    async def calls(self) -> list[ReadableSpan]:
        """Return the spans of calls that have ended."""
        spans = self.harbour.executive._call_spans
        assert spans is not None
        await spans.close()
        return [one for one in self.kept.get_finished_spans() if "execute_tool" in one.name]


@pytest.fixture
def open_quay(open_harbour: OpenHarbour, monkeypatch: pytest.MonkeyPatch) -> Any:
    @asynccontextmanager
    async def opened(**given: Any) -> AsyncIterator[Quay]:
        kept, provider = InMemorySpanExporter(), TracerProvider(shutdown_on_exit=False)
        provider.add_span_processor(SimpleSpanProcessor(kept))
        monkeypatch.setattr(
            "graph.wiring.composition.build_tracing", lambda _settings: Tracing(provider)
        )
        async with open_harbour(embedder="none", **given) as harbour:
            key = await harbour.executive.keys.make(AGENT)
            async with httpx.AsyncClient(
                transport=httpx.ASGITransport(create_app(harbour.executive)),
                base_url="http://quay",
                headers={"Authorization": f"Bearer {key}"},
            ) as client:
                yield Quay(harbour, client, kept)

    return opened


@pytest.fixture
async def quay(open_quay: Any) -> AsyncIterator[Quay]:
    async with open_quay() as opened:
        yield opened


def told(span: ReadableSpan) -> Json:
    return dict(span.attributes or {})


def decision(span: ReadableSpan) -> Json:
    [event] = span.events
    assert event.name == "prefrontal.decision"
    return dict(event.attributes or {})


async def test_a_read_is_a_span_under_the_callers_and_no_value_is_in_it(quay: Quay):
    done = await quay.propose("show_lock", arguments={"lock": "LK-12"})
    [span] = await quay.calls()
    assert span.name == "execute_tool show_lock"
    assert span.status.status_code is StatusCode.OK
    assert span.parent is not None
    assert (span.parent.trace_id, span.parent.span_id) == (TRACE, SPAN)
    said = told(span)
    assert said["gen_ai.operation.name"] == "execute_tool"
    assert said["gen_ai.tool.name"] == "show_lock"
    assert said["gen_ai.tool.call.id"] == done["proposal_id"]
    assert (said["gen_ai.agent.id"], said["gen_ai.agent.name"]) == ("tug-agent", "tug-agent")
    assert decision(span) == {"prefrontal.decision": "allowed", "prefrontal.edited": False}
    runs = [one for one in quay.kept.get_finished_spans() if one.name == "decide"]
    assert [one.parent and one.parent.span_id for one in runs] == [SPAN]
    everything = "".join(one.to_json() for one in quay.kept.get_finished_spans())
    assert "LK-12" not in everything


@pytest.mark.parametrize(
    ("answer", "state", "decided"),
    [("approve", "succeeded", "approved"), ("reject", "rejected", "rejected")],
)
async def test_an_answered_call_is_one_span_that_says_what_was_decided(
    quay: Quay, answer: str, state: str, decided: str
):
    asked = await quay.propose("close_lock", arguments={"lock": "LK-20"})
    assert await quay.calls() == []  # it has not ended
    given = {"reason": "a barge is inside"} if answer == "reject" else {}
    await quay.harbour.answers(asked["approval"]["id"], answer, MASTER, **given)
    [span] = await quay.calls()
    assert told(span)["prefrontal.state"] == state
    assert decision(span)["prefrontal.decision"] == decided
    assert told(span).get("error.type") == (None if state == "succeeded" else "rejected")
    assert (span.status.status_code is StatusCode.ERROR) == (state == "rejected")
    assert span.start_time is not None
    assert span.end_time is not None
    assert span.start_time <= span.events[0].timestamp <= span.end_time
    assert "barge" not in span.to_json()


async def test_an_expired_call_is_visible_also_after_a_restart(open_quay: Any):
    async with open_quay() as quay:
        asked = await quay.propose("close_lock", arguments={"lock": "LK-21"})
    async with open_quay() as quay:
        quay.harbour.alter("UPDATE ledger_action SET expires_at = 1")
        await quay.harbour.executive.approvals.settle_answered()
        [span] = await quay.calls()
    assert told(span)["gen_ai.tool.call.id"] == asked["proposal_id"]
    assert (told(span)["error.type"], decision(span)["prefrontal.decision"]) == (
        "expired",
        "expired",
    )
    assert span.status.status_code is StatusCode.ERROR
    assert span.parent is not None
    assert span.parent.span_id == SPAN


async def test_a_chosen_write_and_a_withdrawn_one_are_told_apart(quay: Quay):
    asked = await quay.propose("note_in_log", arguments={"note": "fog"})
    choice = asked["choice"]
    executive = quay.harbour.executive
    await executive.offers.choose(choice["offer_id"], choice["chip_id"], KEEPER)
    [chosen] = await quay.calls()
    assert told(chosen)["gen_ai.tool.call.id"] == asked["proposal_id"]
    assert decision(chosen)["prefrontal.decision"] == "chosen"
    quay.kept.clear()
    for action in ("note_in_log", "close_lock"):
        given = {"note": "rain"} if action == "note_in_log" else {"lock": "LK-22"}
        other = await quay.propose(action, arguments=given)
        assert (
            await quay.client.delete(f"/v1/proposals/{other['proposal_id']}")
        ).status_code == 200
    spans = await quay.calls()
    assert [told(one)["prefrontal.state"] for one in spans] == ["withdrawn", "withdrawn"]
    assert [one.status.status_code for one in spans] == [StatusCode.UNSET, StatusCode.UNSET]


async def test_a_failed_call_and_one_of_the_agents_own_tool(quay: Quay):
    tool = {"name": "send_invoice", "effect": "financial", "arguments": {"type": "object"}}
    declared = await quay.client.put("/v1/catalog/tools", json={"tools": [tool]})
    assert declared.status_code == 200, declared.text
    asked = await quay.propose("send_invoice", arguments={})
    await quay.harbour.answers(asked["approval"]["id"], "approve", MASTER)
    assert await quay.calls() == []  # the permit is not taken
    permits, proposal = quay.harbour.executive.permits, asked["proposal_id"]
    permit = await permits.take(proposal, asked["approval"]["digest"], AGENT)
    said = PermitOutcome(permit=permit.permit, outcome="failed", text="the server refused it")
    await permits.report(proposal, said, AGENT)
    [span] = await quay.calls()
    assert (span.name, told(span)["error.type"]) == ("execute_tool send_invoice", "failed")
    assert decision(span)["prefrontal.decision"] == "approved"


async def test_what_a_person_asks_in_words_is_a_call_too_and_no_agents(quay: Quay):
    record = await quay.harbour.says("show lock LK-12")
    [span] = await quay.calls()
    assert "gen_ai.agent.id" not in told(span)
    [run] = [one for one in quay.kept.get_finished_spans() if one.name == "decide"]
    assert span.parent is not None
    assert run.context is not None
    assert span.parent.span_id == run.context.span_id
    assert told(span)["prefrontal.decision_id"] == record.decision_id


async def test_content_is_told_where_the_setting_says_so(open_quay: Any):
    async with open_quay(otlp_content=True) as quay:
        await quay.propose("show_lock", arguments={"lock": "LK-12"})
        [span] = await quay.calls()
    said = told(span)
    assert json.loads(said["gen_ai.tool.call.arguments"]) == {"lock": "LK-12"}
    assert said["gen_ai.tool.call.result"] == "Lock LK-12 is open."


async def test_a_header_that_is_no_trace_context_is_ignored(quay: Quay):
    await quay.propose("show_lock", "00-zz", arguments={"lock": "LK-13"})
    [span] = await quay.calls()
    assert span.parent is None or span.parent.trace_id != TRACE
