"""Which strategy a session gets: stable, by name or by share."""

from collections import Counter
from pathlib import Path

import pytest

from state.strategy import StrategyName
from tests.stages import event_of
from tests.strategies import strategies_of
from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import load_pack

HALVES = {"heuristic_first": 0.5, "hybrid": 0.5}


@pytest.fixture(scope="module")
def harbour() -> Catalogue:
    return Catalogue.of([load_pack(Path(__file__).parents[3] / "harbour")])


def test_shares_of_the_sessions_are_kept_and_stay() -> None:
    strategies = strategies_of(shares=HALVES)
    assigned = [strategies.assigned(event_of(session_id=f"s-{n}")) for n in range(1_000)]
    again = [
        strategies_of(shares=HALVES).assigned(event_of("other", session_id=f"s-{n}"))
        for n in range(1_000)
    ]
    assert assigned == again
    assert {one.by for one in assigned} == {"share"}
    assert 440 <= Counter(one.strategy for one in assigned)["hybrid"] <= 560


def test_a_greater_share_takes_no_session_back() -> None:
    def hybrids(share: float) -> set[int]:
        strategies = strategies_of(shares={"always_llm": share, "hybrid": 1 - share})
        return {
            n
            for n in range(300)
            if strategies.assigned(event_of(session_id=f"s-{n}")).strategy == "always_llm"
        }

    assert hybrids(0.1) < hybrids(0.3)


@pytest.mark.parametrize(
    ("session", "role", "strategy", "by"),
    [
        ("bridge", None, "always_llm", "session"),
        ("bridge", "keeper", "always_llm", "session"),
        ("deck", "keeper", "hybrid", "pack"),
        ("deck", None, "hybrid", "pack"),
    ],
)
def test_a_session_goes_before_a_pack_and_a_pack_before_all(
    harbour: Catalogue, session: str, role: str | None, strategy: StrategyName, by: str
) -> None:
    strategies = strategies_of(
        harbour,
        chosen="heuristic_first",
        sessions={"bridge": "always_llm"},
        packs={"harbour": "hybrid"},
    )
    assigned = strategies.assigned(event_of(session_id=session, role=role))
    assert (assigned.strategy, assigned.by) == (strategy, by)


def test_a_setting_goes_before_shares() -> None:
    strategies = strategies_of(chosen="always_llm", shares={"hybrid": 1.0})
    assigned = strategies.assigned(event_of())
    assert (assigned.strategy, assigned.by) == ("always_llm", "settings")
    assert strategies.for_event(event_of()).name == "always_llm"


def test_a_session_of_another_tenant_is_named_with_it() -> None:
    strategies = strategies_of(sessions={"bridge": "always_llm", "aurora/bridge": "hybrid"})
    assigned = {
        tenant: strategies.assigned(event_of(session_id="bridge", tenant_id=tenant)).strategy
        for tenant in ("default", "aurora", "borealis")
    }
    assert assigned == {
        "default": "always_llm",
        "aurora": "hybrid",
        "borealis": "heuristic_first",
    }
