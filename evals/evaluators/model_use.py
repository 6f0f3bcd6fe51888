"""What did a model have to do with it: how often was it called, and what did that cost?"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evals.evaluators.scoring import Score
from evals.references import Outputs


def model_calls(outputs: Sequence[Outputs]) -> Score:
    """Count the calls; a model that rests after failures is not called."""
    calls = sum(use["end"] != "resting" for use in _uses(outputs))
    return _told("model_calls", calls, len(outputs), "count")


def model_cost(outputs: Sequence[Outputs]) -> Score:
    """Add up what the calls cost, by `prices` in policy.toml."""
    return _told("model_cost", sum(use["cost"] for use in _uses(outputs)), len(outputs), "cost")


def _uses(outputs: Sequence[Outputs]) -> Iterator[Mapping[str, Any]]:  # a ModelUse as JSON
    for given in outputs:
        yield from given.get("models") or ()


def _told(key: str, amount: float, n: int, kind: str) -> Score:
    return {"key": key, "score": float(amount), "metadata": {"n": n, "kind": kind}}
