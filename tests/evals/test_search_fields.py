import pytest

from evals.evaluators.requests import search_fields_exactness
from state.policy import SearchPolicy


@pytest.mark.parametrize(
    ("given", "wanted", "score"),
    [
        ({"year_from": 2020, "limit": 10}, {"year_from": 2020}, 1.0),
        ({"year_from": 2020, "limit": 5}, {"year_from": 2020}, 0.0),
        ({"year_from": 2020}, {"year_from": 2020, "year_to": 2021}, 0.0),
        ({"query_terms": ["bees"]}, {}, 1.0),
        ({"query_terms": ["bees"]}, {"query_terms": ["tides"]}, 0.0),
        (None, None, 1.0),
        (None, {"year_from": 2020}, 0.0),
        ({"year_from": 2020}, None, 0.0),
    ],
)
def test_every_search_field_counts_the_unnamed_ones_too(given, wanted, score) -> None:
    absent = {**SearchPolicy().model_dump(mode="json"), **(given or {})}

    judged = search_fields_exactness(
        {"search": absent if given is not None else None}, {"search": wanted}
    )

    assert judged["score"] == score


def test_search_fields_that_were_never_read_are_wrong() -> None:
    assert search_fields_exactness({}, {"search": None})["score"] == 0.0
