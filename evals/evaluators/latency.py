"""How long did a decision take, by the wall clock, one case after the other?"""

from collections.abc import Sequence

import numpy as np

from evals.evaluators.scoring import Score
from evals.references import Outputs


def latency_median_ms(outputs: Sequence[Outputs]) -> Score:
    """Take the middle of all cases, in milliseconds."""
    return _quantile("latency_median_ms", outputs, 0.5)


def latency_p95_ms(outputs: Sequence[Outputs]) -> Score:
    """Take what 95 of 100 cases stay below, in milliseconds."""
    return _quantile("latency_p95_ms", outputs, 0.95)


def _quantile(key: str, outputs: Sequence[Outputs], share: float) -> Score:
    taken = [1_000 * given["seconds"] for given in outputs if given.get("seconds") is not None]
    return {
        "key": key,
        "score": float(np.quantile(taken, share)) if taken else None,
        "metadata": {"n": len(taken), "kind": "milliseconds"},
    }
