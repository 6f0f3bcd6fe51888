"""Policy decides before any model: a search is forced, refined, limited; what failed moves nothing.

The shelf of tests/shelf is the pack. Source: policy-first plan, phases A to D.
"""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from state.principal import Principal
from state.record import DecisionRecord
from tests.graph.conftest import OpenHarbour
from tests.graph.harbour import Harbour
from tests.openai_server import OpenAIServer

SHELF = Path(__file__).parents[1] / "shelf"
READER = Principal(user="ann", tenant_id="default", roles=("reader",))
GUEST = Principal(user="gus", tenant_id="default", roles=("guest",))
RECENT = "Can you find me recent books on whales?"


@pytest.fixture
async def shelf(open_harbour: OpenHarbour) -> AsyncIterator[Harbour]:
    async with open_harbour(packs=(str(SHELF),)) as opened:
        yield opened


async def said(shelf: Harbour, text: str, who: Principal = READER) -> DecisionRecord:
    return await shelf.says(text, who)


async def policy_of(shelf: Harbour, record: DecisionRecord) -> dict[str, object]:
    trace = await shelf.executive.records.trace(record.decision_id, "default")
    policy: dict[str, object] = trace.stages["policy"]
    return policy


async def test_a_direct_search_runs_at_once_with_its_fields(shelf: Harbour) -> None:
    record = await said(shelf, RECENT)
    assert (record.outcome, record.action, record.intent) == (
        "executed", "find_books", "direct_search",
    )  # fmt: skip
    assert record.arguments is not None
    assert record.arguments["year_from"] == 2021  # the last five years, on the test's clock
    assert "2021" not in record.arguments["query"]
    assert (await policy_of(shelf, record))["force_tool"] == "find_books"


@pytest.mark.parametrize(
    "text",
    [
        "don't find books on whales",
        "he said find me books on whales",
        "good morning everybody",
    ],
)
async def test_what_asks_for_no_search_forces_none(shelf: Harbour, text: str) -> None:
    record = await said(shelf, text)
    assert record.outcome != "executed"
    assert (await policy_of(shelf, record)).get("force_tool") is None


async def test_who_reads_only_searches_and_changes_nothing(shelf: Harbour) -> None:
    assert (await said(shelf, RECENT, GUEST)).outcome == "executed"
    record = await said(shelf, "borrow Moby Dick", GUEST)
    assert (record.outcome, record.reason) == ("refused", "read_only")
    assert record.text == "Your role (guest) can only read, so it can't borrow books."
    nobody = Principal(user="nobody", tenant_id="default", roles=())
    assert (await said(shelf, "borrow Moby Dick", nobody)).reason == "read_only"
    both = Principal(user="bo", tenant_id="default", roles=("guest", "reader"))
    assert (await said(shelf, "borrow Moby Dick", both)).outcome == "offered"


async def test_the_stage_moves_when_a_search_succeeds_and_is_told(shelf: Harbour) -> None:
    record = await said(shelf, RECENT)
    assert record.stage == "finding"
    memory = (await shelf.session()).memory["shelf"]
    assert memory.stage == "finding"
    (step,) = memory.history
    assert (step.from_stage, step.to_stage, step.on_action, step.reason) == (
        "browsing", "finding", "find_books", "books were found",
    )  # fmt: skip
    assert step.decision_id == record.decision_id
    assert (await said(shelf, RECENT)).stage == "finding"
    assert len((await shelf.session()).memory["shelf"].history) == 1


async def test_a_search_that_fails_leaves_the_stage_and_is_kept_to_be_refined(shelf: Harbour):
    folder = shelf.data_dir / "packs" / "default"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "closed").touch()
    record = await said(shelf, RECENT)
    assert (record.outcome, record.stage) == ("failed", None)
    assert (await policy_of(shelf, record))["stage_transition"] is not None
    memory = (await shelf.session()).memory["shelf"]
    assert (memory.stage, memory.history, memory.facts, memory.listed) == (None, (), {}, {})
    assert memory.searched is not None
    assert memory.searched.action == record.action


async def test_a_handler_is_told_its_session_and_its_stage(shelf: Harbour) -> None:
    await said(shelf, RECENT)
    assert (await said(shelf, "tell me the stage")).text == "default: finding browsing>finding"


async def test_a_follow_up_changes_the_last_search_and_keeps_the_rest(shelf: Harbour) -> None:
    await said(shelf, RECENT)
    record = await said(shelf, "only open access")
    assert (record.outcome, record.action) == ("executed", "find_books")
    assert record.arguments is not None
    assert record.arguments["open_access_only"] is True
    assert record.arguments["year_from"] == 2021
    assert "whales" in record.arguments["query"]
    assert "refines:last_search" in str((await policy_of(shelf, record))["reasons"])


async def test_a_follow_up_without_a_search_before_it_is_none(shelf: Harbour) -> None:
    assert (await said(shelf, "only open access")).action is None


async def test_a_follow_up_after_an_hour_is_none(shelf: Harbour) -> None:
    await said(shelf, RECENT)
    shelf.clock.move_to(shelf.clock.now().replace(hour=20))
    assert (await said(shelf, "only open access")).action is None


async def test_the_second_one_is_the_second_that_was_listed(shelf: Harbour) -> None:
    await said(shelf, RECENT)
    record = await said(shelf, "weigh the second one")
    assert (record.outcome, record.intent) == ("executed", "analysis")
    assert record.arguments == {"book": "B-2"}
    offered = await said(shelf, "borrow number 3")
    assert (offered.outcome, offered.action) == ("offered", "borrow_book")
    assert offered.arguments == {"book": "B-3"}


async def test_a_place_that_the_list_does_not_have_is_asked_about(shelf: Harbour) -> None:
    await said(shelf, RECENT)
    record = await said(shelf, "weigh number 9")
    assert (record.outcome, record.reason) == ("spoke", "unclear")
    assert "There is no number 9: the last list has 3." in record.text


async def test_this_topic_is_what_the_session_is_about(shelf: Harbour) -> None:
    noted = await said(shelf, "our theme is whaling in the Pacific")
    assert noted.intent == "remember"
    assert noted.text == "Noted. Theme: whaling in the Pacific"
    record = await said(shelf, "find recent books on this topic")
    assert record.arguments is not None
    assert "whaling" in record.arguments["query"]
    memory = (await shelf.session()).memory["shelf"]
    assert memory.facts["theme"].value == "whaling in the Pacific"
    assert memory.facts["theme"].source == "said"


async def test_a_topic_of_a_search_stays_through_follow_ups(shelf: Harbour) -> None:
    await said(shelf, "find books on whales")
    first = (await shelf.session()).memory["shelf"].facts["theme"]
    for text in ("only open access", "weigh the second one", "thanks"):
        await said(shelf, text)
    assert (await shelf.session()).memory["shelf"].facts["theme"] == first
    assert first.source == "search"


async def test_who_reads_only_teaches_nothing(shelf: Harbour) -> None:
    await said(shelf, "our theme is whaling in the Pacific", GUEST)
    assert "shelf" not in (await shelf.session()).memory


async def test_an_action_may_tell_what_to_remember(shelf: Harbour) -> None:
    offered = await said(shelf, "set the theme to the open sea")
    assert offered.offer_id is not None
    done = await shelf.executive.offers.choose(offered.offer_id, "chip-1", READER)
    assert done.outcome == "executed"
    fact = (await shelf.session()).memory["shelf"].facts["theme"]
    assert (fact.value, fact.source) == ("open sea", "action")


async def test_a_chosen_chip_takes_its_step_too(shelf: Harbour) -> None:
    offered = await said(shelf, "borrow Moby Dick")
    assert offered.offer_id is not None
    done = await shelf.executive.offers.choose(offered.offer_id, "chip-1", READER)
    assert (done.outcome, done.stage) == ("executed", "reading")


async def test_without_policy_first_a_text_is_the_query_of_its_search(open_harbour: OpenHarbour):
    async with open_harbour(packs=(str(SHELF),), policy_first=False) as shelf:
        text = "find books on whales since 2019"
        record = await said(shelf, text)
        policy = await policy_of(shelf, record)
        assert policy.get("force_tool") is None
        assert policy.get("search") is None
        assert policy["arguments"] == {"query": text}
        assert "policy_first_off" in str(policy["reasons"])
        assert record.intent == "action"


async def test_a_direct_search_asks_no_model(
    open_harbour: OpenHarbour, openai_server: OpenAIServer
) -> None:
    async with open_harbour(
        packs=(str(SHELF),), model="test", model_base_url=openai_server.base_url
    ) as shelf:
        assert (await said(shelf, RECENT)).outcome == "executed"
    assert openai_server.asked == []


async def test_a_search_that_is_denied_is_not_forced(shelf: Harbour) -> None:
    denied = await said(shelf, "don't find books on whales, just tell me what you think")
    assert denied.outcome != "executed"
    assert (await policy_of(shelf, denied)).get("force_tool") is None
    asked = await said(shelf, "find books on whales, don't weigh the first one")
    assert (asked.outcome, asked.action) == ("executed", "find_books")
