"""Twenty secrets go through everything that can go wrong, and are nowhere to be read afterwards."""

import asyncio
import itertools
import json
import logging
import re
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from itertools import product
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
import structlog

from api.cli.terminal import configure_logs
from graph.executive import Executive
from graph.replay.log_entries import write_log
from graph.replay.log_export import export_log
from graph.settings import Settings
from graph.wiring.composition import open_executive
from state.errors import AgentError
from state.event import Event
from state.principal import Principal
from tests.graph.test_observing import Collector
from tests.openai_server import OpenAIServer, Rule
from tests.safety.benches import CAPTAIN, edited
from tests.safety.executives import opened_executive
from tests.tools.gate.handlers.service import Service, reply, running
from tests.torture.disk import on_disk
from tests.torture.routes import operations, with_ids
from tests.torture.serving import clients, served
from tests.torture.tally import Tally
from tests.torture.vault import write_vault
from tests.torture.worlds import hang_up

THREADS = "checkpoints.sqlite"
"""What a thread goes on from keeps what people gave it, until it is pruned:
docs/explanation/gate.md."""

SLOTS = [f"canary-slot-{number:02}-Zq7" for number in range(12)]
DEPLOYMENT = {
    "EXECUTIVE_SECRET_BANK_TOKEN": "canary-bank-token-Zq7",
    "EXECUTIVE_SECRET_STATUS_KEY": "canary-status-key-Zq7",
    "OPENAI_API_KEY": "canary-openai-key-Zq7",
    "EXECUTIVE_SECRET_DOOR_HOOK": "canary-webhook-secret-Zq7-",
}
MISSENT = {
    name: f"canary-sent-in-{name}-Zq7"
    for name in ("query", "X-Api-Key", "Cookie", "Proxy-Authorization", "User-Agent")
}
"""What people put where no secret belongs."""
HOOK = """[[webhook]]
name = "doors"
url = "URL"
secret = "${DOOR_HOOK}"
events = ["*"]
"""
WRONG_KEYS = [f"pf_canary-wrong-key-{number}-Zq7" for number in range(3)]
PAGES = tuple(
    f"/console{path}"
    for path in (
        "",
        "/approvals?state=all",
        "/approvals/queue",
        "/approvals/{action_id}",
        "/approvals/{action_id}/standing",
        "/decisions/{decision_id}",
        "/journal?q=door",
        "/journal/export",
        "/journal/{decision_id}",
        "/live",
        "/measures",
        "/offers",
        "/personality",
        "/quiet",
        "/refusals",
        "/grants",
        "/session",
        "/talk",
        "/talk/turns/{decision_id}",
    )
)
ADA = Principal(user="ada", tenant_id="aurora", roles=("keeper",))


@pytest.fixture
def logged() -> Iterator[None]:
    """Log everything to stderr, as the service does."""
    before, level = logging.getLogger().handlers, logging.getLogger().level
    configure_logs("info")
    yield
    logging.getLogger().handlers = before
    logging.getLogger().setLevel(level)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))


@pytest.mark.usefixtures("logged")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
async def test_no_secret_is_logged_recorded_checkpointed_or_told(
    tmp_path: Path, tally: Tally, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    for name, value in DEPLOYMENT.items():
        monkeypatch.setenv(name, value)
    folder = tmp_path / "data"
    with OpenAIServer(Rule(fault="server_error")) as model, closing(Collector()) as collector:
        async with running() as service:
            hooks = tmp_path / "hooks.toml"
            hooks.write_text(HOOK.replace("URL", service.url("/hook")), "utf-8")
            settings = Settings(
                _env_file=None,  # type: ignore[call-arg]  # of pydantic-settings, unknown to mypy
                data_dir=folder,
                packs=(str(write_vault(tmp_path / "vault", service.url(""))),),
                allowed_private_hosts=(service.place,),
                model="faulty",
                model_base_url=model.base_url,
                webhooks_file=hooks,
                otlp_endpoint=collector.endpoint,
            )
            async with open_executive(settings) as executive:
                keys = [await executive.keys.make(ADA) for _key in range(2)]
                await _use_everything(executive, service)
                told = await _read_everything(executive, keys, tally)
            await hang_up(executive._box)
            write_log(await export_log(settings, tenant_id="aurora"), tmp_path / "decisions.jsonl")
        asked = [each.headers["authorization"] for each in model.asked]
    sent = [str(dict(request.headers)) for request in service.requests]
    assert any("canary-bank-token-Zq7" in each for each in sent), "it was not even used"
    assert any("canary-status-key-Zq7" in each for each in sent)
    assert asked == ["Bearer canary-openai-key-Zq7"] * len(asked) != []
    others = [*DEPLOYMENT.values(), *WRONG_KEYS, *keys, *MISSENT.values()]
    assert len(SLOTS) + len(others) == 26
    out, err = capfd.readouterr()
    places = {"logs": out + err, "answers": told, **on_disk(folder)}
    places["traces"] = b"".join(collector.bodies).decode("latin-1")
    places["decision log"] = (tmp_path / "decisions.jsonl").read_text("utf-8")
    told_to = [each for each in service.requests if each.url.path == "/hook"]
    places["webhooks"] = "".join(f"{dict(each.headers)} {each.content!r}" for each in told_to)
    assert all(places[each] for each in ("traces", "decision log")), "nothing was searched"
    assert _hits(places, others, tally) == []
    besides = {where: text for where, text in places.items() if not where.startswith(THREADS)}
    assert _hits(besides, SLOTS, tally) == []


def _hits(places: Mapping[str, str], secrets: Sequence[str], tally: Tally) -> list[tuple[str, str]]:
    tally.add("secrets looked for", len(secrets) * len(places))
    return [
        (where, secret) for where, text in places.items() for secret in secrets if secret in text
    ]


async def _use_everything(executive: Executive, service: Service) -> None:
    """Set codes, tell codes, pay and look, with a service that repeats what it was sent."""
    statuses = itertools.cycle(("200 OK", "500 Oh", "403 No"))

    async def repeat(writer: asyncio.StreamWriter) -> None:
        sent = service.requests[-1].headers
        told = f"you sent {sent.get('authorization')} and {sent.get('x-api-key')}"
        writer.write(reply(json.dumps({"told": told}).encode(), next(statuses)))
        await writer.drain()

    service.answer = repeat
    for number, secret in enumerate(SLOTS):
        door = f"D-{1 + number % 4}"
        texts = [f"set the code of door {door}", f"tell the code at door {door}"]
        if number < 4:
            texts += [f"pay the fee of door {door}", f"show the status of door {door}"]
            texts += ["what a lovely evening it is, is it not?"]
        for place, text in enumerate(texts):
            await _say(executive, f"e-{number}-{place}", text, secret)


async def _say(executive: Executive, name: str, text: str, secret: str) -> None:
    event = Event(
        event_id=name, kind="message", source="desk", text=text, tenant_id="aurora",
        user=f"{ADA.user}-{name}", role="keeper", session_id=name,
    )  # fmt: skip
    record = await executive.submit(event)
    with suppress(AgentError):
        if record.outcome == "awaiting_approval":
            shown = await executive.approvals.get(record.action_id or "", "aurora")
            more = {"code": secret} if shown.action == "set_code" else {}
            wrong = edited(shown, **{**shown.arguments, "code": secret, "door": 7})
            with suppress(AgentError):
                await executive.approvals.answer(shown.action_id, wrong, ADA)
            await executive.approvals.answer(
                shown.action_id, edited(shown, **{**shown.arguments, **more}), ADA
            )
        if record.offer_id is not None:
            who = ADA.model_copy(update={"user": event.user})
            with suppress(AgentError):
                await executive.offers.choose(record.offer_id, "chip-1", who, {"code": [secret]})
            await executive.offers.choose(record.offer_id, "chip-1", who, {"code": secret})


async def _read_everything(executive: Executive, keys: list[str], tally: Tally) -> str:
    """Ask every route for everything; give back all that was told."""
    told: list[str] = []
    decisions = await executive.records.newest("aurora", limit=200)
    actions = await executive.approvals.list("aurora", state=None, limit=200)
    offers = await executive.offers.list("aurora", open_only=False)
    ids = {each.decision_id: each.decision_id for each in decisions[:8]}
    ids |= {each.action_id: each.action_id for each in actions[:8]}
    ids |= {each.offer_id: each.offer_id for each in offers[:8]}
    async with served(executive) as address, httpx.AsyncClient(base_url=address) as client:
        for secret in WRONG_KEYS:
            answer = await client.get("/v1/approvals", headers=_bearer(secret))
            told.append(answer.text)
        in_headers = {name: value for name, value in MISSENT.items() if name != "query"}
        for path in ("/v1/decisions", "/v1/nowhere", "/livez", "/console/sign-in"):
            answer = await client.get(
                path, params={"access_token": MISSENT["query"]}, headers=in_headers
            )
            told.append(f"{answer.headers} {answer.text}")
        for method, path in operations():
            if method != "GET":
                continue
            for each in with_ids(method, path, ids) if "{" in path else (path, f"{path}?limit=200"):
                answer = await client.get(each, headers=_bearer(keys[0]))
                told.append(f"{answer.headers} {answer.text}")
                tally.add("answers searched for secrets")
        async for page in _pages(client, keys[0], ids):
            told.append(page)
            tally.add("pages searched for secrets")
    await asyncio.sleep(0)
    return "\n".join(told)


async def _pages(client: httpx.AsyncClient, key: str, ids: Mapping[str, str]) -> AsyncIterator[str]:
    """Sign in to the console and open every page of it, of every decision and action."""
    door = (await client.get("/console/sign-in")).text
    [ticket] = re.findall(r'name="ticket" value="([^"]+)"', door)
    form = {"ticket": ticket, "key": key, "then": "/console"}
    headers = {"Origin": str(client.base_url).rstrip("/")}
    signed_in = await client.post("/console/sign-in", data=form, headers=headers)
    assert signed_in.status_code == 303, signed_in.text
    opened = 0
    for path in PAGES:
        for each in with_ids("", path, ids) if "{" in path else (path,):
            answer = await client.get(each)
            opened += answer.status_code == 200
            yield f"{answer.headers} {answer.text}"
    assert opened >= len(PAGES)


def _bearer(key: str) -> Mapping[str, str]:
    return {"Authorization": f"Bearer {key}"}


# Whatever is sent, a line of the log is one JSON object: nobody writes a line of his own.

CANARY = "canary-3391"
FORGED = '{"event": "request", "status": 200, "user": "nobody", "forged": true}'
BREAKS = ("\n", "\r\n", "\r", "\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1b[2J\n", "\x00\n")
PLACES = ("text", "session", "source", "path", "query", "agent", "request id", "body", "boom")
FIELDS = {
    *("event", "level", "timestamp", "method", "route", "status", "elapsed_ms", "request_id"),
    *("tenant", "user", "error", "at", "decision_id", "action", "action_id"),
    *("event_id", "outcome", "reason", "path", "execution_class"),
}
"""What a line may tell; of what was said, nothing."""


@pytest.mark.usefixtures("logged")
async def test_nothing_that_is_sent_makes_a_line_of_its_own(
    data_dir: Path, pack: Path, tally: Tally, capfd: pytest.CaptureFixture[str]
):
    sent = 0
    async with (
        opened_executive(data_dir, pack) as opened,
        clients(opened.executive, CAPTAIN) as [captain],
    ):
        for broken, place in product(BREAKS, PLACES):
            said = f"{CANARY}{broken}{FORGED}"
            answer = await _send(captain, place, said)
            assert answer.status_code < 500, answer.text
            sent += 1
            tally.add("attempts to write a line of the log")
    lines = capfd.readouterr().err.split("\n")
    told = [json.loads(line) for line in lines if line]
    assert len([each for each in told if each["event"] == "request"]) >= sent
    assert not [each for each in told if "forged" in each]
    for each in told:
        each.pop("request_id", None)  # the caller's own name for it, cleaned
        assert CANARY not in json.dumps(each), each
    assert not [line for line in lines if not line.isprintable()]
    assert {name for each in told for name in each} <= FIELDS, told[-1]


async def _send(client: httpx.AsyncClient, place: str, said: str) -> httpx.Response:
    # No client sends these in a header, and no server takes them.
    header = "".join(each for each in said if each >= " " and each != "\x7f").encode()
    match place:
        case "path":
            return await client.get(f"/v1/decisions/{quote(said)}")
        case "query":
            return await client.get("/v1/decisions", params={"session_id": said})
        case "agent":
            return await client.get("/v1/decisions", headers={b"User-Agent": header})
        case "request id":
            return await client.get("/v1/decisions", headers={b"X-Request-ID": header})
        case "body":
            return await client.post("/v1/events", content=said.encode("utf-8", "ignore"))
        case "boom":
            return await client.post("/v1/offers/x", json={said: said, "chip_id": [said]})
    body = {"text": "read gauge G-1", "session_id": "s", "source": "log"}
    named = {"text": "text", "session": "session_id", "source": "source"}[place]
    return await client.post("/v1/events", json=body | {named: said})
