from typing import Any

import pytest

from evals.evaluators.attention import (
    false_alarms_per_100,
    speaking_accuracy,
    speaking_auc,
    speaking_balanced_accuracy,
    told_twice,
)
from evals.evaluators.requests import reason_agreement


def heard(*, spoke: bool, reason: str = "dull", verdict: str = "relevant") -> dict[str, Any]:
    return {"outcome": "passed", "spoke": spoke, "reason": reason, "verdict": verdict, "ran": []}


def due(*, speak: bool, reasons: tuple[str, ...] = ("dull",)) -> dict[str, Any]:
    return {"speak": speak, "reasons": list(reasons), "read_only": []}


def in_streams(wanted: list[dict[str, Any]], *, each: int) -> list[dict[str, Any]]:
    return [{**one, "unit": str(number // each)} for number, one in enumerate(wanted)]


@pytest.mark.parametrize("spoke", [True, False])
@pytest.mark.parametrize("speak", [True, False])
def test_speech_is_judged_case_by_case(*, spoke: bool, speak: bool) -> None:
    assert speaking_accuracy(heard(spoke=spoke), due(speak=speak))["score"] == (spoke is speak)


def test_silence_weighs_as_much_as_speech_however_often_it_is_due() -> None:
    given = [heard(spoke=False)] * 10
    wanted = [due(speak=True)] + [due(speak=False)] * 9

    balanced = speaking_balanced_accuracy(given, wanted)

    assert balanced["score"] == 0.5
    assert balanced["metadata"]["low"] < 0.5 < balanced["metadata"]["high"]


def test_an_answer_that_failed_is_wrong_both_ways() -> None:
    failed = {"output": None}

    wanted = [due(speak=True), due(speak=False)]
    assert speaking_balanced_accuracy([failed, failed], wanted)["score"] == 0


def test_events_of_one_stream_widen_the_interval() -> None:
    given = [heard(spoke=number < 20) for number in range(40)]
    wanted = [due(speak=number % 2 == 0) for number in range(40)]

    apart = false_alarms_per_100(given, wanted)
    in_two = false_alarms_per_100(given, in_streams(wanted, each=20))

    assert apart["score"] == in_two["score"] == 25
    assert 0 < apart["metadata"]["low"] < 25 < apart["metadata"]["high"] < 50
    assert (in_two["metadata"]["low"], in_two["metadata"]["high"]) == (0, 50)


def test_ranking_counts_how_far_above_the_threshold_an_event_was() -> None:
    given = [heard(spoke=False) | {"margin": margin} for margin in (0.2, -0.1, -0.3, -0.2)]
    wanted = [due(speak=speak) for speak in (True, True, False, False)]

    assert speaking_auc(given, wanted)["score"] == 1
    assert speaking_auc(given, wanted[::-1])["score"] == 0
    assert speaking_auc(given[:2], wanted[:2])["score"] is None
    gated = [due(speak=True, reasons=("asked",)), due(speak=False, reasons=("muted",))]
    told = speaking_auc([*given, *given[2::-2]], [*wanted, *gated])
    assert (told["score"], told["metadata"]["n"]) == (1, 4)


@pytest.mark.parametrize(
    ("given", "wanted", "score"),
    [
        (heard(spoke=False, reason="below_threshold"), due(speak=False), 0),
        (heard(spoke=False, reason="dull"), due(speak=False), 1),
        (heard(spoke=False, reason="expired"), due(speak=False, reasons=("stale",)), 1),
        (heard(spoke=False, reason="busy:call"), due(speak=False, reasons=("busy",)), 1),
        (heard(spoke=True, verdict="addressed"), due(speak=True, reasons=("asked",)), 1),
        (heard(spoke=True, verdict="relevant"), due(speak=True, reasons=("threat",)), 0),
        (heard(spoke=True), due(speak=False), None),
    ],
)
def test_a_reason_is_judged_where_the_decision_was_right(given, wanted, score) -> None:
    assert reason_agreement(given, wanted)["score"] == score


def test_what_was_delivered_again_and_told_again_is_counted() -> None:
    given = [heard(spoke=True), heard(spoke=True), heard(spoke=False)]
    wanted = [due(speak=True)] + [due(speak=False, reasons=("duplicate",))] * 2

    judged = told_twice(given, wanted)

    assert (judged["score"], judged["metadata"]["n"]) == (1, 2)
