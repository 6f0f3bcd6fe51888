"""Which models and strategies this deployment has."""

from graph.settings import Settings
from state.model_use import Slot
from state.tuning import Tuning
from tools.catalogue.catalogue import Catalogue
from tools.heuristics.store import recorded_trace
from tools.models.chat import OpenAIChat
from tools.models.slots import Models
from tools.storage.database import Database
from tools.strategy.assigning import Strategies
from tools.strategy.creating import create_all


def build_models(settings: Settings, tuning: Tuning) -> Models:
    """Build the chat models; without any set there are none."""
    fast = _model(settings, tuning, "fast", settings.model, settings.model_base_url)
    where = settings.strong_model_base_url or settings.model_base_url
    return Models(fast, _model(settings, tuning, "strong", settings.strong_model, where))


def build_model(settings: Settings, tuning: Tuning) -> OpenAIChat | None:
    """Build the fast model alone; None: none is set."""
    return _model(settings, tuning, "fast", settings.model, settings.model_base_url)


def _model(
    settings: Settings, tuning: Tuning, slot: Slot, name: str | None, base_url: str | None
) -> OpenAIChat | None:
    if name is None:
        return None
    strategy = tuning.strategy
    return OpenAIChat(
        name,
        base_url=base_url,
        api_key=settings.openai_api_key,
        seconds=strategy.model_seconds,
        slot=slot,
        price=strategy.prices[slot],
        failures_in_a_row=strategy.failures_in_a_row,
        rest_seconds=strategy.rest_seconds,
    )


def build_strategies(
    settings: Settings, tuning: Tuning, catalogue: Catalogue, database: Database
) -> Strategies:
    """Build every strategy, and what assigns them."""
    given = settings.heuristic_threshold
    threshold = tuning.strategy.heuristic_threshold if given is None else given
    return Strategies.of(
        create_all(tuning.strategy, threshold, lambda name: recorded_trace(database, name)),
        tuning.strategy,
        catalogue,
        settings.decision_strategy,
    )
