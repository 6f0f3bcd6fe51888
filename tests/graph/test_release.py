"""Release phases through the whole graph: nothing runs in shadow, some reads run in canary."""

from pathlib import Path

import pytest

from state.errors import BadInput
from state.query import Observation, Query
from tests.graph.conftest import OpenHarbour
from tests.graph.harbour import KEEPER, Harbour
from tools.platform.experiments import is_canary

SHOW = "show lock LK-12"
NOTE = "write in the log: barge moored"
CLOSE = "close lock LK-12"
SHIPPED = Path(__file__).parents[2] / "policy.toml"


async def queries(harbour: Harbour) -> list[Query]:
    return [one async for one in harbour.executive.queries.all("default")]


async def test_in_shadow_what_would_have_been_shown_is_logged_and_nothing_runs(
    open_harbour: OpenHarbour,
) -> None:
    async with open_harbour(release_phase="shadow") as harbour:
        said = [await harbour.says(text) for text in (SHOW, NOTE, CLOSE, "close the lock")]
        assert {(one.outcome, one.reason, one.spoke, one.text) for one in said} == {
            ("silent", "shadow", False, "")
        }
        rows = await queries(harbour)
        assert [row.routing.execution_class for row in rows] == [
            "auto", "suggest", "confirm", "ask",
        ]  # fmt: skip
        assert rows[1].outcome.chips_shown[0] == "note_in_log"
        assert {row.routing.phase for row in rows} == {"shadow"}
        assert harbour.effects() == []
        assert await harbour.executive.offers.list("default") == []
        assert await harbour.executive.approvals.list("default", state=None) == []


async def test_what_a_person_then_did_is_compared_with_the_prediction(open_harbour: OpenHarbour):
    async with open_harbour(release_phase="shadow") as harbour:
        first = await harbour.says(SHOW)
        second = await harbour.says(CLOSE)
        await harbour.signals("user_did", action="note_in_log")
        log = harbour.executive.queries
        told = Observation(action="show_lock")
        agreed = await log.observed(first.decision_id, KEEPER, told)
        assert (agreed.outcome.action_observed, agreed.outcome.collision_observed) == (
            "show_lock",
            "none",
        )
        assert await log.observed(first.decision_id, KEEPER, told) == agreed
        apart = (await queries(harbour))[1]
        assert (apart.decision_id, apart.outcome.action_observed) == (
            second.decision_id,
            "note_in_log",
        )
        assert apart.outcome.collision_observed == "routing_bug"
        gaps = await log.gaps("default")
        assert (gaps.known, gaps.agreed) == (2, 1)
        (gap,) = gaps.gaps
        assert (gap.predicted, gap.done, gap.by, gap.count) == (
            "close_lock",
            "note_in_log",
            "observed",
            1,
        )
        assert (gap.share, gap.examples) == (0.5, (CLOSE,))


async def test_a_chip_from_before_does_nothing_once_its_action_is_in_shadow(
    open_harbour: OpenHarbour,
) -> None:
    async with open_harbour() as harbour:
        offer_id = (await harbour.says(NOTE)).offer_id
        waiting = await harbour.says(CLOSE)
    assert offer_id is not None
    async with open_harbour(release_phase="shadow") as harbour:
        clicked = await harbour.executive.offers.choose(offer_id, "chip-1", KEEPER)
        assert (clicked.outcome, clicked.reason) == ("silent", "shadow")
        await harbour.answers(waiting.action_id, "approve")
        assert harbour.effects() == []
        assert (await harbour.executive.queries.count_harm()) == 0


async def test_in_canary_a_share_of_the_sessions_gets_reads_done(
    open_harbour: OpenHarbour, tmp_path: Path
) -> None:
    policy = tmp_path / "policy.toml"
    shipped = SHIPPED.read_text("utf-8")
    policy.write_text(shipped.replace("canary_share = 0.10", "canary_share = 0.5"), "utf-8")
    async with open_harbour(release_phase="canary", policy_file=policy) as harbour:
        for number in range(8):
            session = f"session-{number}"
            record = await harbour.says(SHOW, session_id=session)
            expected = "executed" if is_canary("default", session, 0.5) else "offered"
            assert record.outcome == expected
        assert {row.routing.phase for row in await queries(harbour)} == {"canary"}
        assert (await harbour.says(CLOSE)).outcome == "awaiting_approval"


async def test_the_most_careful_phase_counts_down_to_one_action(
    open_harbour: OpenHarbour, tmp_path: Path
) -> None:
    policy = tmp_path / "policy.toml"
    rule = '\n[execution.packs.harbour.actions.close_lock]\nphase = "shadow"\n'
    policy.write_text(SHIPPED.read_text("utf-8").replace("\n[journal]", f"{rule}\n[journal]"))
    async with open_harbour(release_phase="general", policy_file=policy) as harbour:
        assert (await harbour.says(CLOSE)).reason == "shadow"
        assert (await harbour.says(SHOW)).outcome == "executed"


async def test_a_rule_for_an_action_that_no_pack_has_is_an_error_at_the_start(
    open_harbour: OpenHarbour, tmp_path: Path
) -> None:
    policy = tmp_path / "policy.toml"
    rule = "\n[execution.packs.harbour.actions.close_lok]\namount = 1.0\n"
    policy.write_text(SHIPPED.read_text("utf-8").replace("\n[journal]", f"{rule}\n[journal]"))
    with pytest.raises(BadInput, match="close_lok"):
        async with open_harbour(policy_file=policy):
            pass
