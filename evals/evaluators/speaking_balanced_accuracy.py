"""Does it speak when it should and hold its tongue when it should not, both counting the same?"""

from collections.abc import Sequence

from evals.evaluators.scoring import Score
from evals.intervals import wilson
from evals.references import Outputs, Reference


def speaking_balanced_accuracy(
    outputs: Sequence[Outputs], reference_outputs: Sequence[Reference]
) -> Score:
    """Average the share of speech that was due and was heard and that of silence that was kept.

    The interval is the mean of the two Wilson intervals, so rather too wide than too narrow.
    """
    spoken: list[bool] = []
    silent: list[bool] = []
    for given, reference in zip(outputs, reference_outputs, strict=True):
        right = given.get("spoke") is reference["speak"]
        (spoken if reference["speak"] else silent).append(right)
    rates = [sum(part) / len(part) if part else 0.0 for part in (spoken, silent)]
    intervals = [wilson(sum(part), len(part)) for part in (spoken, silent)]
    return {
        "key": "speaking_balanced_accuracy",
        "score": sum(rates) / 2,
        "comment": f"spoke {sum(spoken)} of {len(spoken)}, silent {sum(silent)} of {len(silent)}",
        "metadata": {
            "n": len(outputs),
            "low": sum(one.low for one in intervals) / 2,
            "high": sum(one.high for one in intervals) / 2,
        },
    }
