"""The one shape every evaluator gives back."""

from typing import Any

Score = dict[str, Any]
"""LangSmith's evaluation result: key, score (None: this case is not judged), comment."""


def scored(key: str, right: bool, comment: str = "") -> Score:
    """Judge a case."""
    return {"key": key, "score": 1.0 if right else 0.0, "comment": comment or None}


def not_judged(key: str) -> Score:
    """Leave a case out: it says nothing about this measure."""
    return {"key": key, "score": None, "comment": "not judged"}
