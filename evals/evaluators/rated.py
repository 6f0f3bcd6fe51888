"""Is what was answered what people call good, and did the right one answer?"""

from collections.abc import Sequence

from evals.evaluators.scoring import Score, counted, scored
from evals.references import Outputs, Reference


def answer_rating(outputs: Outputs, reference_outputs: Reference) -> Score:
    """Look up how people rated this answer, from 0 to 1; one that nobody rated is worth nothing."""
    said, rated = str(outputs.get("said", "")), reference_outputs["rated"]
    score = float(rated.get(said, 0.0))
    best = max(rated, key=lambda answer: float(rated[answer]))
    return {"key": "answer_rating", "score": score, "comment": f"{said!r}, best {best!r}"}


def path_accuracy(outputs: Outputs, reference_outputs: Reference) -> Score:
    """Judge who answered: a heuristic, a model, code alone, or nobody."""
    given, right = outputs.get("path") or "none", reference_outputs["paths"]
    return scored("path_accuracy", given in right, f"{given}, wanted {' or '.join(right)}")


def needless_calls(outputs: Sequence[Outputs], reference_outputs: Sequence[Reference]) -> Score:
    """Count the calls of a model in cases where a heuristic that was earned should answer alone."""
    judged = [
        (int(given.get("calls", 0)), label)
        for given, label in zip(outputs, reference_outputs, strict=True)
        if label["paths"] == ["heuristic"]
    ]
    calls, labels = [one for one, _label in judged], [label for _one, label in judged]
    return counted("needless_calls", calls, labels)
