"""How bad it is that one action was predicted and another one meant."""

from collections.abc import Mapping
from typing import Self

from state.action import Action, Effect
from state.noun import Noun
from state.query import Collision
from tools.ports import Catalogue
from tools.routing.words.verbs import family_of


class Kind(Noun):
    """What of an action says how far it is from another one."""

    name: str
    pack: str
    verb: str
    effect: Effect

    @classmethod
    def of(cls, action: Action) -> Self:
        """Take it from a catalogue entry."""
        return cls(name=action.name, pack=action.pack, verb=action.verb, effect=action.effect)


def collision_of(predicted: Action | Kind | None, other: Action | Kind | None) -> Collision:
    """Compare a prediction with a rival, a label, or what a person did.

    Args:
        other: None: nothing of the catalogue, or a plain search (`none_search_only`).

    Source: action execution contract §3.
    """
    if predicted is None or (other is not None and predicted.name == other.name):
        return "none"
    if other is None:
        return "acceptable_soft_route" if predicted.effect == "read" else "suggestion_worthy"
    same_domain = predicted.pack == other.pack
    if same_domain and family_of(predicted.verb) == family_of(other.verb):
        return "suggestion_worthy"
    return "routing_bug"


def collision_named(predicted: str | None, other: str | None, catalogue: Catalogue) -> Collision:
    """Compare by name; an action that no pack has is nothing of the catalogue."""
    if predicted == other:
        return "none"
    known: Mapping[str, Action] = catalogue.actions
    meant = known.get(other or "")
    searches = {pack.policy.broad_search for pack in catalogue.packs}
    if meant is not None and meant.name in searches:
        meant = None
    return collision_of(known.get(predicted or ""), meant)
