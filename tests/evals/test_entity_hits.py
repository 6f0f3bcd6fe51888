from typing import Any

from evals.evaluators.requests import entity_hits, entity_precision

PUMP = {"type": "equipment", "value": "bilge pump", "span": [4, 14]}
PART = {"type": "part", "value": "impeller", "span": [20, 28]}


def found(*entities: dict[str, Any]) -> dict[str, Any]:
    return {"entities": [{"confidence": 1.0, **one} for one in entities]}


def test_things_are_counted_over_all_texts_and_not_text_by_text() -> None:
    given = [found(PUMP, PART), found(), found(PUMP)]
    wanted = [{"entities": [PUMP, PART]}, {"entities": [PUMP]}, {"entities": [PUMP]}]

    hits, precision = entity_hits(given, wanted), entity_precision(given, wanted)

    assert (hits["score"], hits["metadata"]["n"]) == (3 / 4, 4)
    assert (precision["score"], precision["metadata"]["n"]) == (1.0, 3)
    assert hits["comment"] == "equipment bilge pump at 4-14"


def test_another_type_value_or_span_is_another_thing() -> None:
    nearly = [{**PUMP, "type": "part"}, {**PUMP, "value": "pump"}, {**PUMP, "span": [0, 14]}]
    given = [found(one) for one in nearly]
    wanted = [{"entities": [PUMP]}] * len(nearly)

    assert entity_hits(given, wanted)["score"] == 0
    assert entity_precision(given, wanted)["score"] == 0


def test_an_id_and_a_name_may_be_equally_right() -> None:
    either = {**PART, "value": {"any_of": ["IMP-1", "impeller"]}}

    assert entity_hits([found(PART)], [{"entities": [either]}])["score"] == 1
    assert entity_precision([found(PART)], [{"entities": [either]}])["score"] == 1
    assert entity_hits([found(PUMP)], [{"entities": [either]}])["score"] == 0


def test_a_text_whose_things_are_not_labelled_is_not_judged() -> None:
    hits = entity_hits([found(PUMP), found(PART)], [{"slots": {}}, {"entities": []}])
    precision = entity_precision([found(PUMP), found(PART)], [{"slots": {}}, {"entities": []}])

    assert hits["score"] is None
    assert (precision["score"], precision["metadata"]["n"]) == (0, 1)


def test_an_answer_that_failed_has_found_nothing() -> None:
    assert entity_hits([{"output": None}], [{"entities": [PUMP]}])["score"] == 0
