"""Lists a page at a time, on the real Executive: nothing twice, nothing left out, in order."""

from pathlib import Path
from typing import Any

import httpx

from tests.api.conftest import assert_problem
from tests.safety.benches import CAPTAIN, STRANGER, sql, yes
from tests.safety.executives import opened_executive
from tests.safety.shared import data_dir, fresh, pack  # noqa: F401 - fixtures
from tests.torture.serving import clients


async def _pages(client: httpx.AsyncClient, path: str, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    cursor = None
    while page := (
        await client.get(path, params={"limit": 2} | ({"cursor": cursor} if cursor else {}))
    ).json():
        assert len(page[name]) <= 2
        found += page[name]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    return found


async def test_what_waits_is_listed_by_what_runs_out_first_page_by_page(
    data_dir: Path,  # noqa: F811
    pack: Path,  # noqa: F811
):
    async with opened_executive(data_dir, pack) as opened:
        asked = [await opened.asked(f"open valve V-{n}", f"e-{n}") for n in range(1, 6)]
        for number in range(3):
            await opened.ask(f"label valve V-{number}", f"o-{number}")
        ids = [one.action_id for one in asked]
        urgent = [ids[3], ids[0], ids[4], ids[1], ids[2]]
        for place, action_id in enumerate(urgent[:-1]):
            seconds = f"(julianday('now') - 2440587.5) * 86400.0 + {100 + place}"
            change = f"update ledger_action set expires_at = {seconds} where action_id = ?"
            sql(data_dir, change, (action_id,))
        async with clients(opened.executive, CAPTAIN, STRANGER) as [captain, stranger]:
            listed = await _pages(captain, "/v1/approvals", "approvals")
            assert [one["action_id"] for one in listed] == urgent
            offers = await _pages(captain, "/v1/offers", "offers")
            assert len({one["offer_id"] for one in offers}) == len(offers) == 3
            actions = await _pages(captain, "/v1/actions", "actions")
            assert {one["action_id"] for one in actions} >= set(ids)
            assert len({one["action_id"] for one in actions}) == len(actions)

            first = await captain.get("/v1/approvals", params={"limit": 2})
            for shown in asked[3], asked[0]:  # the page's last one is answered in between
                await opened.executive.approvals.answer(shown.action_id, yes(shown), CAPTAIN)
            next_page = {"limit": 2, "cursor": first.json()["next_cursor"]}
            after = (await captain.get("/v1/approvals", params=next_page)).json()["approvals"]
            assert [one["action_id"] for one in after] == urgent[2:4]

            for path in ("/v1/approvals", "/v1/actions", "/v1/offers"):
                for client in (captain, stranger):
                    wrong = ids[0] if client is stranger else "none"
                    answer = await client.get(path, params={"cursor": wrong})
                    assert_problem(answer, 422, "invalid")


async def test_lists_of_a_session_and_of_a_tenant_go_on_where_the_page_before_ended(
    data_dir: Path,  # noqa: F811
    pack: Path,  # noqa: F811
):
    async with opened_executive(data_dir, pack) as opened:
        guest = CAPTAIN.model_copy(update={"user": "vic", "roles": ("guest",)})
        async with clients(opened.executive, CAPTAIN, guest) as [captain, other]:
            for number in range(5):
                for path, body in (
                    ("/v1/reminders", {"text": f"look {number}", "in_seconds": 60 + number % 2}),
                    ("/v1/goals", {"text": f"paint deck {number}"}),
                    ("/v1/modulations", {"kind": "heighten", "topic": f"pump {'abcde'[number]}"}),
                    ("/v1/refusals", {"action": "open_valve", "arguments": {}, "reason": "no"}),
                    ("/v1/messages", {"text": f"read gauge G-{number}"}),
                ):
                    answer = await captain.post(path, json=body)
                    assert answer.status_code == 200, answer.text
            for path, name in (
                ("/v1/reminders", "reminders"),
                ("/v1/goals", "goals"),
                ("/v1/modulations", "modulations"),
                ("/v1/refusals", "refusals"),
                ("/v1/memory", "said"),
                ("/v1/heuristics", "heuristics"),
                ("/v1/skills", "skills"),
            ):
                whole = (await captain.get(path, params={"limit": 100})).json()
                assert whole["next_cursor"] is None
                listed = await _pages(captain, path, name)
                assert listed == whole[name], path
                assert len(listed) >= 5 or name in ("heuristics", "skills")
                wrong = await captain.get(path, params={"cursor": "99999"})
                assert_problem(wrong, 422, "invalid")
            assert (await other.get("/v1/refusals")).json()["refusals"] == []
            first = (await captain.get("/v1/refusals", params={"limit": 1})).json()["next_cursor"]
            unseen = await other.get("/v1/refusals", params={"cursor": first})
            assert_problem(unseen, 422, "invalid")
