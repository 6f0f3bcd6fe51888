"""Actions that share a verb or an object: what is learnt of one of them is learnt for all."""

from collections.abc import Sequence

import numpy as np

from state.action import Action
from tools.routing.learning.features import Places, Rows
from tools.routing.learning.similarity import Labels, Resemblance, train
from tools.routing.words.verbs import family_of

SHARE = np.float32(0.4)
"""Weight of the scores of an action's verb family, and of its object, beside its own. Learnt from
one author's examples and asked with another's, .25 to .5 found 1 to 2 in 100 more; on 150 intents,
which share no verb, nothing changes."""


def shared_by(actions: Sequence[Action]) -> tuple[Places, ...]:
    """Group the actions by family and by object; each gives (actions + 1,) group numbers.

    The last is `none of these`, a group of its own. What all share, or none, tells nothing apart.
    """
    found = []
    for names in (
        [family_of(action.verb) for action in actions],
        [action.object for action in actions],
    ):
        known = sorted(set(names))
        if 1 < len(known) < len(names):
            groups = [known.index(name) for name in names]
            found.append(np.array([*groups, len(known)], np.int64))
    return tuple(found)


def train_shared(
    rows: Rows,
    labels: Places,
    shared: Sequence[Places],
    *,
    features: int,
    classes: int,
    batches: int,
) -> Resemblance:
    """Train on words, and add to each class what its groups have learnt."""
    of_groups = [Labels(groups[labels], int(groups.max()) + 1) for groups in shared]
    own, *others = train(
        rows, [Labels(labels, classes), *of_groups], features=features, batches=batches
    )
    weights = own.weights
    for groups, learnt in zip(shared, others, strict=True):
        weights += SHARE * learnt.weights[:, groups]
    return Resemblance(weights / whole(shared))


def whole(shared: Sequence[Places]) -> np.float32:
    """Give what all the weights sum to, by which scores are divided: they stay as large."""
    return np.float32(1) + SHARE * np.float32(len(shared))
