"""An action done by another service: what is sent, and what each kind of answer comes to."""

import asyncio
import gzip
import json
from pathlib import Path

import pytest
from pydantic import SecretStr

from state.errors import BadInput, Conflict, Forbidden, Unreachable
from tests.tools.gate.handlers.service import Service, action, call, reply
from tools.catalog.pack import check_pack
from tools.gate.handlers.python_handlers import MAX_DATA_BYTES, MAX_TEXT
from tools.gate.handlers.remote_handlers import NotKnown

TEXT = {"type": "text"}
NEEDED = {"type": "text", "required": True}


async def test_slots_go_where_the_entry_says_and_stay_values(service: Service):
    pay = action(
        service.url("/invoices/{invoice}/pay?by={day}&tag={tags}&note={note}"),
        slots={
            "invoice": NEEDED,
            "day": TEXT,
            "note": TEXT,
            "tags": {"type": "list"},
            "amount": {"type": "number"},
        },
    )
    hostile = "7/../..?x=1&y#z@evil.example"
    with pytest.raises(BadInput, match="invoice cannot stand"):
        await call(service.egress(), pay, invoice=hostile)
    assert service.connects == 0
    await call(service.egress(), pay, invoice="a/b?c#d", day="&x=1", tags=["1", "2&"], amount=5)
    (request,) = service.requests
    assert request.url.raw_path == b"/invoices/a%2Fb%3Fc%23d/pay?by=%26x%3D1&tag=1&tag=2%26"
    assert json.loads(request.content) == {"amount": 5}
    assert request.headers["host"] == service.place


@pytest.mark.parametrize("value", ["..", ".", "../admin", "..\\admin", "x/../y", ""])
async def test_a_value_never_climbs_in_the_path(service: Service, value: str):
    pay = action(service.url("/invoices/{invoice}/pay"), slots={"invoice": NEEDED})
    with pytest.raises(BadInput):
        await call(service.egress(), pay, invoice=value)
    assert service.connects == 0


async def test_a_value_cannot_add_a_header_or_a_request(service: Service):
    pay = action(service.url("/a/{b}"), slots={"b": NEEDED})
    await call(service.egress(), pay, b="x HTTP/1.1\r\nEvil: 1\r\n\r\nGET /b")
    (request,) = service.requests
    assert "evil" not in request.headers
    assert request.url.raw_path.startswith(b"/a/x%20HTTP%2F1.1%0D%0AEvil")


async def test_the_key_of_the_action_goes_along_when_the_service_takes_one(service: Service):
    await call(service.egress(), action(service.url(), idempotency_header="Idempotency-Key"))
    assert service.requests[0].headers["idempotency-key"] == "action-1"


async def test_a_secret_is_sent_and_never_comes_back(service: Service):
    secret = "tok-3f9a77c1"
    egress = service.egress(secrets={"BANK": SecretStr(secret)})
    pay = action(service.url(), headers={"Authorization": "Bearer ${BANK}"})
    service.says(reply(json.dumps({"you": f"Bearer {secret}", secret: [secret]}).encode()))
    result = await call(egress, pay)
    assert service.requests[0].headers["authorization"] == f"Bearer {secret}"
    assert secret not in result.model_dump_json()
    service.says(reply(f"bad {secret}".encode(), "403 No", "text/plain"))
    with pytest.raises(Forbidden) as refused:
        await call(egress, pay)
    assert secret not in str(refused.value)
    assert secret not in repr(egress)


async def test_without_its_secret_nothing_is_sent(service: Service):
    pay = action(service.url(), headers={"Authorization": "Bearer ${BANK}"})
    with pytest.raises(BadInput, match="EXECUTIVE_SECRET_BANK is not set"):
        await call(service.egress(), pay)
    broken = {"BANK": SecretStr("one\r\nEvil: 1")}
    with pytest.raises(BadInput, match="odd characters") as odd:
        await call(service.egress(secrets=broken), pay)
    assert "Evil" not in str(odd.value)
    assert service.connects == 0


async def test_an_answer_becomes_text_and_data(service: Service):
    service.says(reply(b'{"balance": 12, "note": "a\\u202eb"}'))
    result = await call(service.egress(), action(service.url()))
    assert result.data == {"balance": 12, "note": "a\u202eb"}
    service.says(reply("paid\x1b[2J \u202e!\nnext".encode(), kind="text/plain"))
    result = await call(service.egress(), action(service.url()))
    assert result.text == "paidU+001B[2J U+202E!\nnext"
    service.says(reply(b"", "204 No Content"))
    assert "204" in (await call(service.egress(), action(service.url()))).text


@pytest.mark.parametrize(
    ("status", "error"),
    [("400 Bad", BadInput), ("404 None", BadInput), ("401 Who", Forbidden), ("409 Late", Conflict)],
)
async def test_a_refusal_says_why_and_that_nothing_was_done(service: Service, status, error):
    service.says(reply(b"no\x00 money\n\n here", status, "text/plain"))
    with pytest.raises(error, match=r"refused it .*noU\+0000 money here"):
        await call(service.egress(), action(service.url()))


@pytest.mark.parametrize("status", ["500 Oops", "503 Later", "302 Found", "303 See", "199 Odd"])
async def test_any_other_answer_leaves_a_write_unknown_and_a_read_failed(service: Service, status):
    service.says(reply(b"", status, headers=f"Location: {service.url('/else')}\r\n"))
    with pytest.raises((NotKnown, Unreachable)) as change:
        await call(service.egress(), action(service.url(), seconds=1))
    assert isinstance(change.value, NotKnown)
    with pytest.raises(Unreachable):
        await call(service.egress(), action(service.url(), method="GET", effect="read", seconds=1))
    assert [request.url.path for request in service.requests] == ["/things", "/things"]


async def test_a_redirect_is_not_followed(service: Service):
    for status in ("301 A", "302 B", "303 C", "307 D", "308 E"):
        service.says(reply(b"", status, headers=f"Location: {service.url('/internal')}\r\n"))
        with pytest.raises(NotKnown):
            await call(service.egress(), action(service.url()))
    assert {request.url.path for request in service.requests} == {"/things"}


async def test_what_broke_off_after_the_request_is_unknown(service: Service):
    async def hang_up(writer: asyncio.StreamWriter) -> None:
        writer.close()

    service.answer = hang_up
    with pytest.raises(NotKnown, match="outcome is unknown"):
        await call(service.egress(), action(service.url()))
    service.says(b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\nhalf of it")
    with pytest.raises(NotKnown):
        await call(service.egress(), action(service.url()))
    service.says(b"\x00\xff garbage, no HTTP at all\r\n\r\n")
    with pytest.raises(NotKnown):
        await call(service.egress(), action(service.url()))
    with pytest.raises(Unreachable):
        await call(service.egress(), action(service.url(), effect="read"))
    assert len(service.requests) == 4, "each was sent once"


async def test_nobody_there_means_that_nothing_was_sent(service: Service):
    server = await asyncio.start_server(service.serve, "127.0.0.1", 0)
    service.port = server.sockets[0].getsockname()[1]
    server.close()
    await server.wait_closed()
    with pytest.raises(Unreachable, match="nothing was sent"):
        await call(service.egress(), action(service.url()))


async def test_a_slow_drip_ends_at_the_limit(service: Service):
    async def drip(writer: asyncio.StreamWriter) -> None:
        while not service.ended.is_set():
            writer.write(b"x")
            await writer.drain()
            await asyncio.wait([asyncio.ensure_future(service.ended.wait())], timeout=0.02)

    service.says(b"HTTP/1.1 200 OK\r\nContent-Length: 999999\r\n\r\n", after=drip)
    with pytest.raises(NotKnown, match="in time"):
        await call(service.egress(), action(service.url(), seconds=0.2))
    with pytest.raises(Unreachable, match="in time"):
        await call(service.egress(), action(service.url(), seconds=0.2, effect="read"))


async def test_ten_megabytes_are_cut_and_the_change_is_still_done(service: Service):
    service.says(reply(b"[" + b'"x",' * 2_500_000 + b'"x"]'))
    result = await call(service.egress(), action(service.url()))
    assert len(result.text) < MAX_TEXT
    assert result.data == {}


async def test_packed_answers_are_not_unpacked(service: Service):
    service.says(reply(gzip.compress(b"0" * 20_000_000), headers="Content-Encoding: gzip\r\n"))
    result = await call(service.egress(), action(service.url()))
    assert result.text.endswith("answered 200.")
    assert service.requests[0].headers["accept-encoding"] == "identity"


@pytest.mark.parametrize(
    "body",
    [
        b"{" * 5_000,
        b"[" * 100_000 + b"]" * 100_000,
        b'{"a": NaN}',
        b'{"a": "\\ud800"}',
        b'{"a": "\\u0000"}',
        b'{"a": 1, "a": 2}',
        b'{"a": 1e999}',
        b"{\xff}",
        b'{"a": "' + b"x" * MAX_DATA_BYTES + b'"}',
    ],
)
async def test_odd_json_is_only_text(service: Service, body: bytes):
    service.says(reply(body))
    result = await call(service.egress(), action(service.url()))
    assert result.data == {}
    assert result.text


# What a pack says about calls over HTTP is checked before any is made.

PACK = """\
actions:
  pay_invoice:
    summary: "Pay {invoice}"
    verb: update
    object: invoice
    slots:
      invoice: {type: text, required: true}
      day: {type: date}
      code: {type: text, secret: true}
      lines: {type: json}
    effect: financial
    http:
      method: POST
      url: "https://bank.example/invoices/{invoice}?by={day}"
      headers: {Authorization: "Bearer ${BANK_TOKEN}"}
      body: [code, lines]
      idempotency_header: Idempotency-Key
"""


def faults_with(folder: Path, old: str, new: str) -> list[str]:
    assert old in PACK
    pack = folder / "bank"
    pack.mkdir()
    (pack / "actions.yaml").write_text(PACK.replace(old, new), encoding="utf-8")
    return [str(fault) for fault in check_pack(pack)]


def test_a_call_that_goes_where_it_says_is_sound(tmp_path: Path):
    assert faults_with(tmp_path, "bank.example", "bank.example:8443") == []


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("bank.example", "{invoice}", "must begin with"),
        ("bank.example", "bank.example:{day}", "must begin with"),
        ("https:", "ftp:", "must begin with"),
        ("bank.example", "2130706433", "no plain host"),
        ("bank.example", "127.1", "no plain host"),
        ("{invoice}?", "{invoyce}?", "is no slot"),
        ("{invoice}?", "{day}?", "make the slot required"),
        ("by={day}", "by={code}", "is secret"),
        ("by={day}", "by={lines}", "is JSON"),
        ("by={day}", "{day}=1", "name of a query parameter"),
        ("method: POST", "method: GET", "cannot be sent with GET"),
        ("[code, lines]", "[code, line]", "line is no slot"),
        ("[code, lines]", "[code, code]", "twice"),
        ("Authorization:", "Content-Length:", "no header that you may set"),
        ("Authorization:", '"X Y":', "no header that you may set"),
        ("${BANK_TOKEN}", "${bank}", "CAPITAL_LETTERS"),
        ("idempotency_header: Idempotency-Key", "idempotency_header: Host", "no header"),
        ("      idempotency_header: Idempotency-Key\n", "    idempotent: true\n", "needs http"),
        ("    http:\n", '    handler: "handlers:pay"\n    http:\n', "one of handler"),
        ("    http:\n", "    transactional: true\n    http:\n", "only a Python handler"),
    ],
)
def test_a_call_that_could_go_elsewhere_is_a_fault(tmp_path: Path, old, new, problem):
    assert problem in "\n".join(faults_with(tmp_path, old, new))
