"""The stream hears of the journal, and people whose decision was superseded are told."""

import asyncio
from typing import Any

from state.principal import Principal
from state.reader import whole
from tests.graph.harbour import MASTER, Harbour
from tools.journal.action_decisions import action_entry_id

OLAV = Principal(user="olav", tenant_id="default", roles=("keeper",))


async def heard(harbour: Harbour, count: int, start: Any) -> list[tuple[str, dict[str, Any]]]:
    notices = harbour.executive.notices.listen(whole("default"))
    coming = asyncio.ensure_future(_journal_notices(notices, count))
    await asyncio.sleep(0)
    await start
    return await asyncio.wait_for(coming, 60)


async def _journal_notices(notices: Any, count: int) -> list[tuple[str, dict[str, Any]]]:
    found: list[tuple[str, dict[str, Any]]] = []
    async for notice in notices:
        if notice.kind.startswith("context:decision:"):
            found.append((notice.kind.rpartition(":")[2], dict(notice.data)))
        if len(found) == count:
            break
    return found


async def test_a_decision_heard_and_one_that_replaces_it_are_told_step_by_step(harbour: Harbour):
    first = await heard(harbour, 3, harbour.says("We decided to use oak for the pier.", MASTER))
    assert [kind for kind, _data in first] == ["detected", "extracted", "indexed"]
    old = first[0][1]["decision_id"]
    assert first[1][1] == {"decision_id": old, "decision_summary": "use oak for the pier"}
    second = await heard(harbour, 4, harbour.says("We decided to replace oak with steel.", OLAV))
    kind, data = second[-1]
    assert (kind, data["old_decision_id"], data["new_decision_id"]) == (
        "superseded",
        old,
        second[0][1]["decision_id"],
    )
    taken_back = harbour.executive.journal.settle(1, MASTER, accept=False)
    [(kind, data)] = await heard(harbour, 1, taken_back)
    assert (kind, data["old_decision_id"], data["held"]) == ("link_refused", old, True)
    [(kind, data)] = await heard(harbour, 1, harbour.says("why did we decide to use oak?"))
    assert (kind, data["result_count"] > 0) == ("searched", True)


async def test_a_change_of_ours_is_told_when_it_is_in_the_journal(harbour: Harbour) -> None:
    asked = await harbour.says("close lock LK-12")
    [(kind, data)] = await heard(harbour, 1, harbour.answers(asked.action_id))
    assert (kind, data["decision_id"]) == ("indexed", action_entry_id(asked.action_id or ""))


async def test_who_took_the_older_decision_is_told_once(harbour: Harbour) -> None:
    await harbour.says("We decided to use oak for the pier.", MASTER)
    await harbour.says("We decided to replace oak with steel.", OLAV)
    assert await harbour.executive.supersession.inform() == 1
    # Of one instant by the clock of the tests, records stand in the order of their ids.
    told = [record.text for record in await harbour.records()]
    wanted = "ingrid: your decision “use oak for the pier” was superseded by"
    assert sum(wanted in text for text in told) == 1
    assert await harbour.executive.supersession.inform() == 0


async def test_who_replaces_their_own_decision_is_not_told_of_it(harbour: Harbour) -> None:
    await harbour.says("We decided to use oak for the pier.", MASTER)
    await harbour.says("We decided to replace oak with steel.", MASTER)
    assert await harbour.executive.supersession.inform() == 0
