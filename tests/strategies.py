"""The strategies of a test, as policy.toml has them but for what the test says."""

from typing import Any

from state.strategy import StrategyName
from tests.stages import TUNING
from tools.catalog.action_catalog import Catalogue
from tools.response.strategies import StrategyAssignment


def strategies_of(
    catalogue: Catalogue | None = None,
    *,
    threshold: float = 0.7,
    chosen: StrategyName | None = None,
    **tuned: Any,
) -> StrategyAssignment:
    """Return every strategy, and the assignment of sessions to them."""
    tuning = TUNING.strategy.model_copy(update=tuned)
    packs = catalogue or Catalogue.of([])
    return StrategyAssignment.of(tuning, packs, chosen, threshold=threshold)
