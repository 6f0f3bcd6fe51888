"""A request that waits is taken back, corrected, hedged or asked about, in any words."""

import pytest

from tests.graph.conftest import OpenHarbour
from tests.graph.harbour import KEEPER, MASTER, Harbour
from tests.graph.offering import WRITTEN, offered

ASKS = "close lock LK-12"


async def state_of(harbour: Harbour, action_id: str | None) -> str:
    return (await harbour.executive.approvals.get(action_id or "", "default")).state


@pytest.mark.parametrize(
    ("text", "action", "arguments"),
    [
        ("no, LK-40", "close_lock", {"lock": "LK-40"}),
        ("I meant LK-40", "close_lock", {"lock": "LK-40"}),
        ("not LK-12, LK-40", "close_lock", {"lock": "LK-40"}),
        ("oops, wrong lock, LK-40", "close_lock", {"lock": "LK-40"}),
        ("only for 30 minutes", "close_lock", {"lock": "LK-12", "minutes": 30}),
        ("sorry, drain the basin instead", "drain_basin", {}),
    ],
)
async def test_what_is_corrected_waits_no_more(harbour: Harbour, text, action, arguments) -> None:
    first = await harbour.says(ASKS)
    record = await harbour.says(text)
    assert await state_of(harbour, first.action_id) == "rejected"
    assert (record.outcome, record.action) == ("awaiting_approval", action)
    assert record.arguments == arguments
    assert record.text.startswith("Withdrawn: Close lock LK-12.\nApproval required: ")
    assert harbour.effects() == []


async def test_a_correction_that_cannot_be_read_still_takes_back(harbour: Harbour) -> None:
    first = await harbour.says(ASKS)
    record = await harbour.says("no, the one by the willow")
    assert await state_of(harbour, first.action_id) == "rejected"
    assert record.action is None
    assert "“the one by the willow”" in record.text


async def test_what_is_corrected_is_the_question_and_not_chips_from_before_it(harbour: Harbour):
    offer_id = await offered(harbour)
    first = await harbour.says(ASKS)
    record = await harbour.says("no, LK-40")
    assert await state_of(harbour, first.action_id) == "rejected"
    assert record.arguments == {"lock": "LK-40"}
    assert [one.offer_id for one in await harbour.executive.offers.list("default")] == [offer_id]


async def test_a_corrected_chip_is_gone(harbour: Harbour) -> None:
    offer_id = await offered(harbour)
    assert (await harbour.says("no, ring the bell instead")).action == "ring_bell"
    assert [one.offer_id for one in await harbour.executive.offers.list("default")] != [offer_id]
    assert (await harbour.says("yes")).action == "ring_bell"
    assert harbour.effects() == []  # the bell is out for repair


@pytest.mark.parametrize(
    "text",
    [
        "actually, scrap that",
        "on reflection, leave it",
        "please disregard my order",
        "never mind, leave it open",
        "no need for that any more",
        "don't close LK-12",
    ],
)
async def test_a_refusal_in_other_words_takes_back(harbour: Harbour, text: str) -> None:
    first = await harbour.says(ASKS)
    await harbour.says(text)
    assert await state_of(harbour, first.action_id) == "rejected"


@pytest.mark.parametrize(
    "text",
    [
        "yes, but only for ten minutes",
        "ok, once the ferry is in",
        "is that still open?",
        "who may approve it?",
        "did it go through?",
        "keep it as it is",
    ],
)
async def test_what_is_open_is_told_and_stays_open(harbour: Harbour, text: str) -> None:
    first = await harbour.says(ASKS)
    assert "Approval required: Close lock LK-12" in (await harbour.says(text)).text
    assert await state_of(harbour, first.action_id) == "pending"


@pytest.mark.parametrize("text", ["show lock LK-40", "count the swans", "don't close LK-40", "hi"])
async def test_what_is_about_something_else_leaves_it_open(harbour: Harbour, text: str) -> None:
    first = await harbour.says(ASKS)
    assert "A reply in chat is not enough" not in (await harbour.says(text)).text
    assert await state_of(harbour, first.action_id) == "pending"


@pytest.mark.parametrize(
    "text",
    [
        *("never", "nein", "naw", "nvm", "pass", "❌", "yeah no", "yes... no", "thx no"),
        *("oh no sorry", "ok, never mind", "sure, forget it", "sorry, wrong lock", "👎"),
        *("over my dead body", "absolutely not"),
    ],
)
async def test_a_refusal_of_any_shape_takes_back(harbour: Harbour, text: str) -> None:
    first = await harbour.says(ASKS)
    record = await harbour.says(text)
    assert record.text.startswith("Withdrawn, and nothing was changed: Close lock LK-12.")
    assert await state_of(harbour, first.action_id) == "rejected"


@pytest.mark.parametrize(
    "text",
    [
        *("not now", "leave it open", "keep it shut", "thanks", "ok no problem", "no, yes", "hm"),
        *("fine", "great", "lol", "it rained all night", "if only", "⛵", "he said no", "wrong"),
        *(
            "yes, no worries",
            "that one, not this",
            "the pass is snowed in",
            "nein?",
            "oh no, do it",
        ),
    ],
)
async def test_nobody_is_told_that_nothing_is_done_while_it_waits(harbour: Harbour, text) -> None:
    first = await harbour.says(ASKS)
    record = await harbour.says(text)
    assert await state_of(harbour, first.action_id) == "pending"
    assert "Close lock LK-12" in record.text
    assert "Say no to withdraw it." in record.text
    for false in ("do nothing", "changed nothing", "nothing was changed", "leave it", "nothing is"):
        assert false not in record.text.lower()


@pytest.mark.parametrize("text", ["never mind", "nein", "yeah no", "sorry, wrong lock"])
async def test_a_no_where_it_was_asked_first_is_sent_where_it_waits(harbour: Harbour, text) -> None:
    await harbour.says(ASKS, session_id="mv1")
    again = await harbour.says(ASKS, session_id="mv2")
    record = await harbour.says(text, session_id="mv1")
    assert "in another session, where it is waiting for approval" in record.text
    assert await state_of(harbour, again.action_id) == "pending"
    assert (await harbour.says(text, session_id="mv2")).text.startswith("Withdrawn")


@pytest.mark.parametrize("text", ["nein", "yeah no", "❌", "thx no", "sorry, wrong note"])
async def test_a_refusal_of_any_shape_leaves_no_chip(harbour: Harbour, text: str) -> None:
    await offered(harbour)
    await harbour.says(text)
    assert await harbour.executive.offers.list("default") == []
    assert harbour.effects() == []


async def test_nobody_else_takes_it_back(harbour: Harbour) -> None:
    first = await harbour.says(ASKS)
    for who, fields in ((MASTER, {}), (KEEPER, {"relayed": True})):
        await harbour.says("no, LK-40", who, **fields)
        await harbour.says("please disregard that order", who, **fields)
    assert await state_of(harbour, first.action_id) == "pending"


async def test_a_yes_with_a_condition_takes_no_chip(harbour: Harbour) -> None:
    await offered(harbour)
    record = await harbour.says("yes, but only if the tide allows")
    assert "I can't check “but only if the tide allows”" in record.text
    assert harbour.effects() == []
    await harbour.says("yes")
    assert harbour.effects() == WRITTEN


async def test_whoever_may_approve_it_gets_the_link(open_harbour: OpenHarbour) -> None:
    async with open_harbour(public_url="http://harbour:8765/") as harbour:
        first = await harbour.says(ASKS)
        page = f"http://harbour:8765/console/approvals/{first.action_id}"
        told = {who.user: (await harbour.says("approve", who)).text for who in (MASTER, KEEPER)}
        assert page in told["ingrid"]
        assert "console" not in told["amir"]
        assert "prefrontal approvals" not in "".join(told.values())
        assert await state_of(harbour, first.action_id) == "pending"


@pytest.mark.parametrize("text", ["LK-40 too", "same for LK-40", "and LK-40 as well"])
async def test_the_same_for_another_waits_beside_it(harbour: Harbour, text: str) -> None:
    first = await harbour.says(ASKS)
    record = await harbour.says(text)
    assert (record.outcome, record.arguments) == ("awaiting_approval", {"lock": "LK-40"})
    assert await state_of(harbour, first.action_id) == "pending"
