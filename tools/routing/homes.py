"""Whose packs are meant: who has a role in some of them is understood in those."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from state.action import Action
from tools.catalogue.catalogue import Catalogue
from tools.routing.learning.features import Floats

_ABROAD = 1e-3
"""What the share of an action is worth in a pack that knows none of somebody's roles."""


@dataclass(frozen=True)
class Homes:
    """Weighs the actions of a catalogue by who asks."""

    catalogue: Catalogue
    actions: Sequence[Action]

    def weighed(self, shares: Floats, roles: Sequence[str]) -> Floats:
        """Weigh down what is abroad; `shares`: (actions + 1,), the last is none of them."""
        if len(self.catalogue.packs) == 1:
            return shares
        home = self.catalogue.at_home(roles)
        if len(home) == len(self.catalogue.packs):
            return shares
        weights = [1.0 if action.pack in home else _ABROAD for action in self.actions]
        left: Floats = shares * np.asarray([*weights, 1.0], shares.dtype)
        weighed: Floats = left / left.sum()
        return weighed
