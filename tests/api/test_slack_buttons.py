"""Buttons in Slack: real messages and clicks over HTTP, signed as Slack signs them."""

import asyncio
import hmac
import json
import time
from collections.abc import AsyncIterator
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest
import pytest_asyncio

from tests.api.quay import Quay, opened

pytestmark = pytest.mark.asyncio(loop_scope="module")

SECRET = "not-a-real-signing-secret"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def quay(tmp_path_factory: pytest.TempPathFactory, learnt_once: Path) -> AsyncIterator[Quay]:
    async with opened(tmp_path_factory.mktemp("deck"), learnt_once) as given:
        yield given


def payload(quay: Quay, value: str, **changed: Any) -> dict[str, Any]:
    click = {"block_id": "prefrontal", "action_id": changed.pop("decision", "approve")}
    return {
        "type": "block_actions",
        "team": {"id": "T1"},
        "user": {"id": "U1", "username": "ingrid.h"},
        "response_url": f"http://127.0.0.1:{quay.sink.port}/reply",
        "actions": [click | {"value": value}],
        **changed,
    }


async def click(
    quay: Quay, sent: object, *, secret: str = SECRET, age: float = 0, **headers: str
) -> httpx.Response:
    body = urlencode({"payload": json.dumps(sent)}).encode()
    at = str(int(time.time() - age))
    signature = hmac.digest(secret.encode(), b"v0:%b:%b" % (at.encode(), body), sha256).hex()
    given = {
        "Content-Type": "application/x-www-form-urlencoded",
        "X-Slack-Request-Timestamp": at,
        "X-Slack-Signature": f"v0={signature}",
    }
    return await quay.browser.post(
        "/v1/channels/slack/actions", content=body, headers=given | headers
    )


async def reply(quay: Quay, before: int) -> dict[str, Any]:
    async with asyncio.timeout(20):
        while len(quay.sink.to("reply")) <= before:  # noqa: ASYNC110 - the sink has no event
            await asyncio.sleep(0.02)
    return quay.sink.to("reply")[before]


async def button(quay: Quay, action_id: str) -> str:
    """Read what the button in the message about an approval would send."""
    await quay.executive.channels.tick()
    blocks = [block for message in quay.sink.to("deck") for block in message["blocks"]]
    values = [one["value"] for block in blocks for one in block.get("elements", ())]
    return str(next(value for value in values if value.startswith(action_id)))


async def test_a_click_answers_as_the_person_and_the_message_says_so(quay: Quay):
    action_id = await quay.ask("LK-12")
    value = await button(quay, action_id)
    before = len(quay.sink.to("reply"))
    assert (await click(quay, payload(quay, value))).status_code == 200
    said = await reply(quay, before)
    assert said["replace_original"] is True
    assert "Close lock LK-12" in said["text"]
    assert "ingrid.h" in said["text"]
    assert await quay.state(action_id) == "succeeded"
    query = "select approver, method from ledger_approval where action_id = ?"
    assert quay.sql(query, action_id) == [("ingrid", "slack")]


async def test_a_no_by_button_closes_the_question(quay: Quay):
    action_id = await quay.ask("LK-40")
    before = len(quay.sink.to("reply"))
    await click(quay, payload(quay, await button(quay, action_id), decision="reject"))
    await reply(quay, before)
    assert await quay.state(action_id) == "rejected"


@pytest.mark.parametrize(
    ("case", "given"),
    [
        ("another secret", {"secret": "guessed"}),
        ("too old", {"age": 301}),
        ("from the future", {"age": -301}),
        ("no signature", {"X-Slack-Signature": ""}),
        ("another version", {"X-Slack-Signature": "v1=00"}),
        ("no time", {"X-Slack-Request-Timestamp": ""}),
        ("an odd time", {"X-Slack-Request-Timestamp": "9" * 40}),
        ("another time", {"X-Slack-Request-Timestamp": "4000000000"}),
    ],
)
async def test_a_forged_or_stale_click_is_refused(quay: Quay, case: str, given: dict[str, Any]):
    action_id = await quay.ask("LK-41")
    standing = await quay.executive.approvals.get(action_id)
    answer = await click(quay, payload(quay, f"{action_id} {standing.digest}"), **given)
    assert answer.status_code == 401, (case, answer.text)
    assert await quay.state(action_id) == "pending"
    await quay.post(await quay.token(action_id), decision="reject")


@pytest.mark.parametrize(
    ("case", "changed", "words"),
    [
        ("of a member nobody named", {"user": {"id": "U9", "username": "eve"}}, "eve is not known"),
        ("of another workspace", {"team": {"id": "T2"}}, "not known"),
        ("of a person without the role", {"user": {"id": "U2"}}, "master"),
        ("with another digest", {"digest": "0" * 64}, ""),
    ],
)
async def test_a_signed_click_that_may_not_answer_is_told_why(
    quay: Quay, case: str, changed: dict[str, Any], words: str
):
    action_id = await quay.ask("LK-42")
    standing = await quay.executive.approvals.get(action_id)
    digest = changed.pop("digest", standing.digest)
    before = len(quay.sink.to("reply"))
    sent = payload(quay, f"{action_id} {digest}", **changed)
    assert (await click(quay, sent)).status_code == 200
    said = await reply(quay, before)
    assert (said["response_type"], said["replace_original"]) == ("ephemeral", False), case
    assert words in said["text"]
    assert await quay.state(action_id) == "pending"
    await quay.post(await quay.token(action_id), decision="reject")


@pytest.mark.parametrize(
    "sent", [{}, [], "x", None, {"type": "view_submission"}, {"actions": [{}]}]
)
async def test_what_is_no_click_of_ours_is_taken_and_does_nothing(quay: Quay, sent: object):
    assert (await click(quay, sent)).status_code == 200


async def test_a_long_body_is_refused_before_it_is_read_whole(quay: Quay):
    assert (await click(quay, {"x": "y" * 400_000})).status_code == 413


async def test_a_link_and_eight_clicks_at_once_run_it_once(quay: Quay):
    action_id = await quay.ask("LK-43")
    value, token = await button(quay, action_id), await quay.token(action_id)
    before = len(quay.sink.to("reply"))
    clicks = (click(quay, payload(quay, value)) for _ in range(8))
    await asyncio.gather(quay.post(token, decision="approve"), *clicks)
    for more in range(8):
        await reply(quay, before + more)
    book = next(quay.data_dir.rglob("harbour.jsonl")).read_text("utf-8")
    assert book.count("LK-43") == 1
