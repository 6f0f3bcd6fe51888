"""From packs and thresholds to what weighs events."""

from state.tuning import Tuning
from tools.catalogue.catalogue import Catalogue
from tools.ports import Heuristics
from tools.relevance.causes import Causes
from tools.relevance.weighing import Weighing


def build_weighing(catalogue: Catalogue, heuristics: Heuristics, tuning: Tuning) -> Weighing:
    """Build what weighs events by what the packs say of their domains."""
    rules = tuple(
        rule.model_copy(update={"id": f"{pack.name}.{rule.id}"})
        for pack in catalogue.packs
        for rule in pack.attention.inhibits
    )
    return Weighing(
        heuristics, tuning.salience, tuning.habituation, catalogue.context, Causes(rules)
    )
