"""Which strategy decides: per session, per pack, for all, or by shares of the sessions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from state.event import Event
from state.strategy import Assigned, StrategyName
from state.strategy_tuning import StrategyTuning
from tools.assignment import by_share, place_of
from tools.ports import Catalogue
from tools.strategy.protocol import DecisionStrategy

_TRIAL = "strategy"
_DEFAULT_TENANT = "default"


@dataclass(frozen=True)
class Strategies:
    """The strategies of a deployment; a session keeps its own as long as the shares stay."""

    made: Mapping[StrategyName, DecisionStrategy]
    tuning: StrategyTuning
    catalogue: Catalogue
    chosen: StrategyName | None = None
    """EXECUTIVE_DECISION_STRATEGY: for all but sessions and packs that policy.toml names."""

    @classmethod
    def of(
        cls,
        made: Sequence[DecisionStrategy],
        tuning: StrategyTuning,
        catalogue: Catalogue,
        chosen: StrategyName | None = None,
    ) -> "Strategies":
        """Put strategies together by their names."""
        return cls({each.name: each for each in made}, tuning, catalogue, chosen)

    def assigned(self, event: Event) -> Assigned:
        """Tell which strategy an event is decided by, and what put it there."""
        if (own := self.tuning.sessions.get(_named(event))) is not None:
            return Assigned(strategy=own, by="session")
        for pack in self._home(event):
            if (own := self.tuning.packs.get(pack)) is not None:
                return Assigned(strategy=own, by="pack")
        if self.chosen is not None:
            return Assigned(strategy=self.chosen, by="settings")
        place = place_of(_TRIAL, event.tenant_id, event.session_id)
        return Assigned(strategy=by_share(place, self.tuning.shares), by="share")

    def for_event(self, event: Event) -> DecisionStrategy:
        """Find the strategy an event is decided by."""
        return self.made[self.assigned(event).strategy]

    def _home(self, event: Event) -> Sequence[str]:
        """Name the packs it belongs to: where its speaker is understood, else all there are."""
        loaded = [pack.name for pack in self.catalogue.packs]
        home = self.catalogue.at_home(event.roles) if event.roles else frozenset()
        return [name for name in loaded if name in home] or loaded


def _named(event: Event) -> str:
    """Name a session as policy.toml does: with its tenant, but for the default one."""
    of_default = event.tenant_id == _DEFAULT_TENANT
    return event.session_id if of_default else f"{event.tenant_id}/{event.session_id}"
