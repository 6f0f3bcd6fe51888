"""People are told of approvals by real messages, and answer them through links over HTTP."""

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from state.attention import QuietHours
from tests.api.quay import PEOPLE, Quay, opened

pytestmark = pytest.mark.asyncio(loop_scope="module")

STRICT = {'highest_class = "C"': 'highest_class = "B"'}


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
    heard = outbox.channels
    recipient = heard.recipient("default", "ingrid")
    all_day = recipient.model_copy(update={"quiet_hours": QuietHours(starts="00:00", ends="23:59")})
    others = tuple(one for one in heard.person if one.name != "ingrid")
    usual = heard.person
    object.__setattr__(heard, "person", (*others, all_day))
    assert await quay.told("ingrid", action_id) == []
    object.__setattr__(heard, "person", usual)
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
