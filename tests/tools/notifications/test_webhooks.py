"""Events reach who wants them: signed, at least once, and never lost without being shown."""

import asyncio
import json
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import SecretStr

from state.errors import BadInput, NotFound
from state.journal import JournalMessage
from state.principal import Principal
from state.reader import ClosedSessions
from tests.tools.gate.handlers.service import Service, running
from tests.tools.journal.importing import Hashed, Standing
from tests.tools.notifications.receiving import SECRET, endpoint, sending, sent
from tools.access.permissions import SessionReaders
from tools.journal.detection.detector import Detector
from tools.journal.journal import Journal
from tools.journal.search.search import JournalSearch
from tools.journal.store.store import JournalStore
from tools.notifications.webhooks import (
    TOLERANCE_SECONDS,
    Outbox,
    is_genuine,
    read_endpoints,
    signature_headers,
)
from tools.storage.database import Database

OK = b"HTTP/1.1 204 No Content\r\n\r\n"
BROKEN = b"HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n"
GONE = b"HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n"
ANN = Principal(user="ann", tenant_id="default")


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 4_000_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
async def database(data_dir: Path) -> AsyncIterator[Database]:
    opened = Database(f"sqlite:///{data_dir / 'prefrontal.sqlite'}")
    yield opened
    await opened.close()


@pytest.fixture
async def service() -> AsyncIterator[Service]:
    async with running() as one:
        yield one


async def told(outbox: Outbox, count: int = 1) -> None:
    for number in range(count):
        made = {"decision_id": f"dec-{number}"}
        await outbox.keep("context:decision:indexed", "default", made, ())


async def standings(outbox: Outbox) -> dict[str, int]:
    return {one.standing: one.count for one in await outbox.backlog()}


async def test_what_the_journal_takes_is_told_signed_and_in_order(
    database: Database, service: Service, caplog: pytest.LogCaptureFixture
):
    service.says(OK)
    outbox = Outbox(database, (endpoint(service.port),))
    store = JournalStore(database, Hashed(), outbox=outbox)
    journal = Journal(JournalSearch(store, 0.4), Detector(0.7), Standing())
    for number, words in enumerate(("use Redis for sessions", "replace Redis with Valkey")):
        said = JournalMessage(
            message_id=f"m{number}", speaker="ann", content=f"We decided to {words}."
        )
        await journal.take([said], [], "default")
        await journal.take([said], [], "default")  # again: nothing new to tell
    for _twice in range(2):
        await journal.settle(1, ANN, accept=False)
    clock = Clock()
    with caplog.at_level("INFO"):
        assert await sent(sending(outbox, service.port, seconds=clock)) == 8
    assert "127.0.0.1" in caplog.text
    assert "/hook" not in caplog.text  # the path of a hook is often its secret
    assert {one.url.path for one in service.requests} == {"/hook"}
    bodies = [json.loads(one.content) for one in service.requests]
    kinds = [one["type"].rpartition(":")[2] for one in bodies]
    assert kinds == ["detected", "extracted", "indexed"] * 2 + ["superseded", "link_refused"]
    assert bodies[-2]["data"]["new_decision_id"] == bodies[3]["data"]["decision_id"]
    refused = {"held": True, "refused_by": "ann"}
    assert bodies[-1]["data"] == bodies[-2]["data"] | refused
    assert all(is_genuine(SECRET, r.headers, r.content, now=clock.now) for r in service.requests)
    assert len({one.headers["webhook-id"] for one in service.requests}) == 8
    assert await standings(outbox) == {"delivered": 8}


async def test_a_broken_service_is_tried_again_later_then_given_up_and_revived(
    database: Database, service: Service
):
    service.says(BROKEN)
    outbox, clock = Outbox(database, (endpoint(service.port),)), Clock()
    tries = sending(outbox, service.port, seconds=clock)
    await told(outbox)
    assert await sent(tries) == 0
    assert await sent(tries) == 0
    assert len(service.requests) == 1  # not before its time
    for _attempt in range(2):
        clock.now += 16
        await sent(tries)
    [dead] = await outbox.list("dead")
    assert (dead.attempts, dead.problem) == (3, "it answered 500")
    clock.now += 1_000
    assert await sent(tries) == 0
    with pytest.raises(NotFound):
        await outbox.revive([dead.delivery_id, 99])
    service.says(OK)
    assert await outbox.revive([dead.delivery_id]) == 1
    assert await sent(tries) == 1
    assert len({one.headers["webhook-id"] for one in service.requests}) == 1


async def test_a_service_that_is_down_is_left_alone_in_a_turn(database: Database, service: Service):
    service.says(BROKEN)
    outbox = Outbox(database, (endpoint(service.port),))
    await told(outbox, 9)
    await sent(sending(outbox, service.port, seconds=Clock()))
    assert len(service.requests) == 3


async def test_gone_is_final(database: Database, service: Service):
    service.says(GONE)
    outbox = Outbox(database, (endpoint(service.port),))
    await told(outbox)
    await sent(sending(outbox, service.port, seconds=Clock()))
    assert await standings(outbox) == {"dead": 1}


async def test_no_answer_and_no_permission_are_problems_that_are_kept(
    database: Database, service: Service
):
    async def never(_writer: asyncio.StreamWriter) -> None:
        await service.ended.wait()

    service.answer = never
    outbox = Outbox(database, (endpoint(service.port),))
    await told(outbox)
    slow = sending(outbox, service.port, seconds=Clock())
    quick = slow.tuning.model_copy(update={"request_seconds": 0.05})
    await sent(type(slow)(outbox, slow.egress, quick, slow.seconds))
    [waiting] = await outbox.list("pending")
    assert waiting.problem is not None
    assert "0.05 s" in waiting.problem or "Timeout" in waiting.problem
    came = len(service.requests)  # 0 where the time was up before it was connected
    clock = Clock()
    clock.now += 1_000
    elsewhere = sending(outbox, service.port + 1, seconds=clock)  # allows another port alone
    await sent(elsewhere)
    [waiting] = await outbox.list("pending")
    assert waiting.problem is not None
    assert "EXECUTIVE_ALLOWED_HOSTS" in waiting.problem
    assert len(service.requests) == came


async def test_a_kill_between_sending_and_writing_it_down_sends_it_again(
    data_dir: Path, service: Service
):
    service.says(OK)
    command = [sys.executable, "-m", "tests.tools.notifications.receiving"]
    died = await asyncio.to_thread(
        subprocess.run, [*command, str(data_dir), str(service.port)], check=False
    )
    assert died.returncode == -signal.SIGKILL
    database = Database(f"sqlite:///{data_dir / 'prefrontal.sqlite'}")
    outbox = Outbox(database, (endpoint(service.port),))
    assert await sent(sending(outbox, service.port)) == 1
    assert await sent(sending(outbox, service.port)) == 0
    first, second = service.requests
    assert first.headers["webhook-id"] == second.headers["webhook-id"]
    await database.close()


async def test_only_events_an_endpoint_wants_of_its_tenant_are_kept(database: Database):
    outbox = Outbox(database, (endpoint(1, events=("approval*",)), endpoint(1, name="other")))
    await outbox.keep("context:decision:indexed", "another", {}, ())
    await outbox.keep("approval", "default", {}, ())
    await outbox.keep("decision", "default", {}, ())
    assert [(x.endpoint, x.kind) for x in await outbox.list("pending")] == [("wiki", "approval")]
    board = ClosedSessions(names=("board",), users=("webhook:other",))
    closed = replace(outbox, readers=SessionReaders((board,)))
    for sessions in (("deck",), ("board",), ("deck", "board")):
        await closed.keep("context:decision:indexed", "default", {}, sessions)
        await closed.keep("approval", "default", {}, sessions)
    told = [one.endpoint for one in await outbox.list("pending")]
    assert told == ["wiki", "other", "wiki", "other", "other"]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ('[[webhook]]\nname = "a"\nurl = "ftp://x"\nsecret = "${S}"', "url"),
        ('[[webhook]]\nname = "a"\nurl = "http://x/"\nsecret = "short"', "24 characters"),
        ('[[webhook]]\nname = "a"\nurl = "http://x:https/"\nsecret = "${S}"', "the url of a"),
        (f'[[webhook]]\nname = "a"\nurl = "http://x/"\nsecret = "whsec_{"?" * 24}"', "whsec_"),
        ('[[webhook]]\nname = "a"\nurl = "http://x/"\nsecret = "${T}"', "EXECUTIVE_SECRET_T"),
        ('[[webhook]]\nname = "a"\nurl = "http://x/"\nsecret = "${S}"\ncolour = 1', "colour"),
        ('[[hook]]\nname = "a"\nurl = "http://x/"\nsecret = "${S}"', "unknown hook"),
        ("[[webhook", "hooks.toml"),
    ],
)
def test_a_wrong_file_is_refused_with_its_place(tmp_path: Path, written: str, said: str):
    file = tmp_path / "hooks.toml"
    file.write_text(written, "utf-8")
    with pytest.raises(BadInput, match=said):
        read_endpoints(file, {"S": SecretStr(SECRET)})


def test_a_file_of_endpoints_is_read_with_its_secret(tmp_path: Path):
    file = tmp_path / "hooks.toml"
    file.write_text('[[webhook]]\nname = "a"\nurl = "http://x/"\nsecret = "${S}"', "utf-8")
    [one] = read_endpoints(file, {"S": SecretStr(SECRET)})
    assert one.secret.get_secret_value() == SECRET
    assert (one.wants("context:decision:superseded", "default"), SECRET in repr(one)) == (
        True,
        False,
    )


async def test_an_address_that_is_none_holds_up_no_other(database: Database, service: Service):
    service.says(OK)
    bad = endpoint(service.port).model_copy(
        update={"name": "bad", "url": "http://wiki.example.org:https/x"}
    )
    outbox = Outbox(database, (bad, endpoint(service.port)))
    await told(outbox)
    assert await sent(sending(outbox, service.port, seconds=Clock())) == 1
    assert len(service.requests) == 1
    assert await standings(outbox) == {"delivered": 1, "pending": 1}
    [waiting] = await outbox.list("pending")
    assert waiting.attempts == 1
    assert "InvalidURL" in (waiting.problem or "")


# A receiver knows who sent a body, and when.


def test_a_signature_is_bound_to_words_time_and_secret():
    headers = signature_headers(SECRET, "evt_1", b"{}", at=1_000)
    assert is_genuine(SECRET, headers, b"{}", now=1_000 + TOLERANCE_SECONDS)
    assert not is_genuine(SECRET, headers, b"{}", now=1_001 + TOLERANCE_SECONDS)
    assert not is_genuine(SECRET, headers, b"{ }", now=1_000)
    assert not is_genuine(SECRET + "x", headers, b"{}", now=1_000)
    assert not is_genuine(SECRET, headers | {"webhook-timestamp": "1001"}, b"{}", now=1_000)
    assert not is_genuine(SECRET, headers | {"webhook-id": "evt_2"}, b"{}", now=1_000)
    assert not is_genuine(SECRET, {}, b"{}", now=1_000)


def test_a_time_that_no_clock_shows_is_no_signature():
    headers = signature_headers(SECRET, "evt-1", b"{}", at=4_000_000_000)
    for digits in ("9" * 400, "9" * 5_000):
        forged = {**headers, "webhook-timestamp": digits}
        assert not is_genuine(SECRET, forged, b"{}", now=4_000_000_000)


def test_a_secret_of_the_standard_signs_as_its_libraries_do():
    # The example of the standard's own libraries.
    headers = signature_headers(
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
        b'{"test": 2432232314}',
        at=1_614_265_330,
    )
    assert headers["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
