"""People are told of approvals by real messages, and answer them through links over HTTP."""

import asyncio
import json
import re
import sqlite3
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio

from api.app import create_app
from graph.executive import Executive
from graph.settings import ROOT, Settings
from graph.wiring.composition import open_executive
from state.attention import QuietHours
from state.principal import Principal
from tests.graph.harbour import HARBOUR, KEEPER
from tests.serving import serving
from tests.tables import FILE, lay_tables
from tools.notifications.approval_links import ApprovalLinks

pytestmark = pytest.mark.asyncio(loop_scope="module")

PEOPLE = {
    "amir": KEEPER,
    "ingrid": Principal(user="ingrid", tenant_id="default", roles=("master",)),
    "olga": Principal(user="olga", tenant_id="default", roles=("master",)),
    "nils": Principal(user="nils", tenant_id="default", roles=("warden",)),
    "bot": Principal(user="bot", tenant_id="default", roles=("master",), kind="service"),
}
CHANNELS = """
[[channel]]
name = "ingrid-mail"
url = "json://127.0.0.1:{port}/ingrid"
people = ["ingrid"]
[[channel]]
name = "nils-mail"
url = "json://127.0.0.1:{port}/nils"
people = ["nils"]
[[channel]]
name = "olga-mail"
url = "json://127.0.0.1:{port}/olga"
people = ["olga"]
[[channel]]
name = "bridge"
url = "json://127.0.0.1:{port}/bridge"
roles = ["master"]
[[person]]
name = "olga"
away = true
deputy = "ingrid"
[[escalation]]
after = 0.75
roles = ["warden"]
"""
STRICT = {'highest_class = "C"': 'highest_class = "B"'}
Json = dict[str, Any]


@dataclass
class Sink:
    """A service on loopback that takes messages as JSON."""

    port: int = 0
    status: int = 200
    taken: list[tuple[str, Json]] = field(default_factory=list)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = re.search(r"(?i)content-length: (\d+)", head)
        body = await reader.readexactly(int(length[1]) if length else 0)
        if self.status < 300:
            self.taken.append((head.split()[1].strip("/"), json.loads(body)))
        writer.write(f"HTTP/1.1 {self.status} X\r\nContent-Length: 0\r\n\r\n".encode())
        await writer.drain()
        writer.close()

    def to(self, name: str) -> list[Json]:
        return [message for path, message in self.taken if path == name]


@dataclass
class Quay:
    """The service, the messages it sent, and a browser without a key."""

    executive: Executive
    sink: Sink
    browser: httpx.AsyncClient
    data_dir: Path
    keys: dict[str, str]

    async def ask(self, lock: str) -> str:
        """Have an approval wait; give its id."""
        headers = {"Authorization": f"Bearer {self.keys['amir']}"}
        said = {"text": f"close lock {lock}", "session_id": lock}
        answer = await self.browser.post("/v1/messages", json=said, headers=headers)
        assert answer.json()["outcome"] == "awaiting_approval", answer.text
        return str(answer.json()["action_id"])

    async def told(self, name: str, action_id: str) -> list[Json]:
        """Send what is due; give the messages about an approval to one recipient."""
        await self.executive.channels.tick()
        standing = await self.executive.approvals.get(action_id)
        return [one for one in self.sink.to(name) if standing.digest in one["message"]]

    async def token(self, action_id: str, person: str = "ingrid", minutes: float = 10) -> str:
        standing = await self.executive.approvals.get(action_id)
        return await ApprovalLinks(self.executive._box.database).make(standing, person, minutes)

    async def post(self, token: str, *, origin: str | None = "own", **sent: str) -> httpx.Response:
        headers = {"Origin": str(self.browser.base_url)} if origin == "own" else {}
        if origin not in (None, "own"):
            headers = {"Origin": origin}
        return await self.browser.post(f"/answer/{token}", data=sent, headers=headers)

    async def state(self, action_id: str) -> str:
        return (await self.executive.approvals.get(action_id)).state

    def sql(self, statement: str, *given: object) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.data_dir / FILE)) as connection, connection:
            return connection.execute(statement, given).fetchall()

    def age(self, action_id: str, seconds: float) -> None:
        """Let an approval be older than it is."""
        moved = "set asked_at = asked_at - ?, expires_at = expires_at - ? where action_id = ?"
        self.sql(f"update ledger_action {moved}", seconds, seconds, action_id)


@asynccontextmanager
async def opened(
    data_dir: Path, learnt: Path, policy: Mapping[str, str] | None = None
) -> AsyncIterator[Quay]:
    (data_dir / "cache").symlink_to(learnt)
    lay_tables(data_dir)
    sink = Sink()
    server = await asyncio.start_server(sink.serve, "127.0.0.1", 0)
    sink.port = server.sockets[0].getsockname()[1]
    given = (ROOT / "policy.toml").read_text("utf-8")
    changes = {"\nasks_per_hour = 30": "\nasks_per_hour = 900", **(policy or {})}
    for before, after in changes.items():
        assert before in given
        given = given.replace(before, after)
    (data_dir / "policy.toml").write_text(given, "utf-8")
    (data_dir / "channels.toml").write_text(CHANNELS.format(port=sink.port), "utf-8")
    async with AsyncExitStack() as stack:
        stack.callback(server.close)
        settings = Settings(
            data_dir=data_dir,
            packs=(str(HARBOUR),),
            policy_file=data_dir / "policy.toml",
            public_url="http://quay",
        )
        executive = await stack.enter_async_context(open_executive(settings))
        address = await stack.enter_async_context(serving(create_app(executive)))
        keys = {name: await executive.keys.make(one) for name, one in PEOPLE.items()}
        browser = httpx.AsyncClient(base_url=address, timeout=30)
        await stack.enter_async_context(browser)
        yield Quay(executive, sink, browser, data_dir, keys)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def quay(tmp_path_factory: pytest.TempPathFactory, learnt_once: Path) -> AsyncIterator[Quay]:
    async with opened(tmp_path_factory.mktemp("quay"), learnt_once) as given:
        yield given


async def test_who_may_answer_is_told_once_and_answers_through_the_link(quay: Quay):
    action_id = await quay.ask("LK-12")
    [told] = await quay.told("ingrid", action_id)
    assert told["title"].startswith("Approval required: Close lock LK-12")
    assert "amir (keeper)" in told["message"]
    [url] = re.findall(r"http://quay(/answer/\S+)", told["message"])
    assert await quay.told("ingrid", action_id) == [told]
    for _scan in range(3):
        page = await quay.browser.get(url)
        assert page.status_code == 200
        assert "Close lock LK-12" in page.text
        assert page.headers["cache-control"] == "no-store"
    assert await quay.state(action_id) == "pending"
    done = await quay.post(url.removeprefix("/answer/"), decision="approve")
    assert (done.status_code, await quay.state(action_id)) == (200, "succeeded"), done.text
    [row] = quay.sql("select approver, method from ledger_approval where action_id = ?", action_id)
    assert row == ("ingrid", "link")
    again = await quay.post(url.removeprefix("/answer/"), decision="approve")
    assert again.status_code == 409
    assert "works once" in again.text
    assert (await quay.browser.get(url)).status_code == 409


async def test_a_room_is_told_without_a_link_that_anybody_in_it_could_use(quay: Quay):
    action_id = await quay.ask("LK-40")
    [told] = await quay.told("bridge", action_id)
    assert "/answer/" not in told["message"]
    assert f"http://quay/console/approvals/{action_id}" in told["message"]


async def test_a_deputy_is_told_for_who_is_away_and_once(quay: Quay):
    action_id = await quay.ask("LK-41")
    assert await quay.told("olga", action_id) == []
    assert len(await quay.told("ingrid", action_id)) == 1


async def test_quiet_hours_put_a_message_off_and_lose_none(quay: Quay):
    action_id = await quay.ask("LK-47")
    outbox = quay.executive._box.channels
    heard, recipient = outbox.channels, outbox.channels.recipient("default", "ingrid")
    all_day = recipient.model_copy(update={"quiet_hours": QuietHours(starts="00:00", ends="23:59")})
    object.__setattr__(heard, "person", (*heard.person, all_day))
    assert await quay.told("ingrid", action_id) == []
    object.__setattr__(heard, "person", heard.person[:-1])
    assert await quay.told("ingrid", action_id) == []  # it waits for their end
    quay.sql("update channel_message set next_at = 0 where action_id = ?", action_id)
    assert len(await quay.told("ingrid", action_id)) == 1


async def test_people_are_reminded_at_half_time_and_others_told_later(quay: Quay):
    action_id = await quay.ask("LK-42")
    assert len(await quay.told("ingrid", action_id)) == 1
    quay.age(action_id, 460)
    titles = [one["title"] for one in await quay.told("ingrid", action_id)]
    assert titles[1:] == [titles[0].replace("Approval required", "Still waiting for approval")]
    assert await quay.told("nils", action_id) == []
    quay.age(action_id, 230)
    [told] = await quay.told("nils", action_id)
    assert told["title"].startswith("Nobody has answered")
    assert "You can't answer this yourself; these can: master" in told["message"]
    assert "/answer/" not in told["message"]
    assert len(await quay.told("ingrid", action_id)) == 2


async def test_what_was_answered_meanwhile_is_not_sent(quay: Quay):
    action_id = await quay.ask("LK-43")
    quay.sink.status = 500
    assert await quay.told("ingrid", action_id) == []
    rejected = await quay.post(await quay.token(action_id), decision="reject", reason="fog")
    assert (rejected.status_code, await quay.state(action_id)) == (200, "rejected")
    quay.sink.status = 200
    quay.sql("update channel_message set next_at = 0 where action_id = ?", action_id)
    assert await quay.told("ingrid", action_id) == []
    rows = quay.sql("select distinct standing from channel_message where action_id = ?", action_id)
    assert rows == [("dead",)]


async def test_a_message_that_fails_is_sent_again_later(quay: Quay):
    action_id = await quay.ask("LK-44")
    quay.sink.status = 500
    assert await quay.told("ingrid", action_id) == []
    [(attempts, problem)] = quay.sql(
        "select attempts, problem from channel_message where action_id = ? and recipient = ?",
        action_id,
        "ingrid",
    )
    assert (attempts, problem) == (1, "ingrid-mail did not take it")
    quay.sink.status = 200
    assert await quay.told("ingrid", action_id) == []
    quay.sql("update channel_message set next_at = 0 where action_id = ?", action_id)
    assert len(await quay.told("ingrid", action_id)) == 1


async def test_a_request_for_changes_closes_the_question(quay: Quay):
    action_id = await quay.ask("LK-45")
    told = await quay.post(await quay.token(action_id), decision="respond", reason="close LK-46")
    assert (told.status_code, await quay.state(action_id)) == (200, "rejected"), told.text


@pytest.mark.parametrize(
    ("case", "status", "words"),
    [
        ("forged", 404, ""),
        ("no token", 404, ""),
        ("another person in the row", 404, ""),
        ("another digest in the row", 404, ""),
        ("another action in the row", 404, ""),
        ("a longer life in the row", 404, ""),
        ("after its time", 409, "expired on"),
        ("of somebody without the role", 403, "master"),
        ("of a program", 403, "no valid key"),
        ("of nobody", 403, "no valid key"),
        ("from another site", 403, ""),
        ("from no page", 403, ""),
        ("answered elsewhere", 409, "nothing left to answer"),
        ("no decision", 422, ""),
    ],
)
async def test_a_bad_use_of_a_link_runs_nothing(quay: Quay, case: str, status: int, words: str):
    action_id = await quay.ask("LK-77")
    people = {
        "of somebody without the role": "nils",
        "of a program": "bot",
        "of nobody": "zoe",
    }
    minutes = 0.0001 if case == "after its time" else 10
    token = await quay.token(action_id, people.get(case, "ingrid"), minutes)
    other = await quay.ask("LK-78")
    link_id = token.partition(".")[0]
    origin = {"from another site": "http://evil.example", "from no page": None}.get(case, "own")
    changed = {
        "another person in the row": ("person", "olga"),
        "another digest in the row": ("digest", "0" * 64),
        "another action in the row": ("action_id", other),
        "a longer life in the row": ("expires_at", 4e9),
    }
    match case:
        case "forged":
            token = token[:-4] + ("beef" if token[-4:] != "beef" else "dead")
        case "no token":
            token = "é" * 300
        case "answered elsewhere":
            await quay.post(await quay.token(action_id), decision="reject")
        case _ if case in changed:
            name, value = changed[case]
            statement = f"update approval_link set {name} = ? where link_id = ?"
            quay.sql(statement, value, link_id)
    decision = "edit" if case == "no decision" else "approve"
    answer = await quay.post(token, origin=origin, decision=decision)
    assert answer.status_code == status, answer.text
    assert words in answer.text
    expected = "rejected" if case == "answered elsewhere" else "pending"
    assert await quay.state(action_id) == expected
    for each in (action_id, other):  # the next case asks anew
        await quay.post(await quay.token(each), decision="reject")


async def test_a_revoked_key_ends_the_links_of_its_holder(quay: Quay):
    action_id = await quay.ask("LK-79")
    executive, eva = quay.executive, PEOPLE["ingrid"].model_copy(update={"user": "eva"})
    await executive.keys.make(eva)
    token = await quay.token(action_id, "eva")
    assert (await quay.browser.get(f"/answer/{token}")).status_code == 200
    [key] = [one for one in await executive.keys.list() if one.principal.user == "eva"]
    await executive.keys.revoke(key.key_id)
    refused = await quay.post(token, decision="approve")
    assert (refused.status_code, await quay.state(action_id)) == (403, "pending")


async def test_one_link_sent_by_eight_at_once_runs_once(quay: Quay):
    action_id = await quay.ask("LK-80")
    token = await quay.token(action_id)
    answers = await asyncio.gather(*(quay.post(token, decision="approve") for _ in range(8)))
    assert sorted(one.status_code for one in answers) == [200, *[409] * 7]
    book = next(quay.data_dir.rglob("harbour.jsonl")).read_text("utf-8")
    assert book.count("LK-80") == 1


async def test_above_the_policys_limit_a_yes_needs_a_sign_in_and_a_no_does_not(
    tmp_path: Path, learnt_once: Path
):
    async with opened(tmp_path, learnt_once, STRICT) as strict:
        action_id = await strict.ask("LK-12")
        token = await strict.token(action_id)
        page = await strict.browser.get(f"/answer/{token}")
        assert "To approve this, sign in" in page.text
        assert 'value="approve"' not in page.text
        refused = await strict.post(token, decision="approve")
        assert (refused.status_code, await strict.state(action_id)) == (403, "pending")
        rejected = await strict.post(token, decision="reject")
        assert (rejected.status_code, await strict.state(action_id)) == (200, "rejected")
