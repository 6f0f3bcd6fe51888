"""Weights learnt from texts that want something and texts that do not."""

from evals.wishes.learning import chances, learn
from evals.wishes.rows import Row


def row(signs: dict[str, float], *, is_wanted: bool, domain: str) -> Row:
    return Row(signs, is_wanted=is_wanted, domain=domain, is_kept_out=False, is_talk=True)


ROWS = [
    row({"can ~": 1.0, "=cable": 1.0, "mood:question": 1.0}, is_wanted=True, domain="ship")
    if place % 2
    else row({"~ed": 1.0, "=thanks": 1.0, "mood:reported": 1.0}, is_wanted=False, domain=domain)
    for place in range(20)
    for domain in ("ship", "shelf")
]


def test_signs_are_weighed_by_what_they_went_with() -> None:
    judge = learn(ROWS)
    assert judge.weights["can ~"] > 0 > judge.weights["~ed"]
    assert judge.weights["=thanks"] < 0
    found = chances(judge, ROWS)
    assert all((chance > 0.5) == one.is_wanted for chance, one in zip(found, ROWS, strict=True))


def test_a_word_of_one_domain_alone_is_what_that_is_about() -> None:
    assert "=cable" not in learn(ROWS).weights


def test_the_same_rows_give_the_same_weights() -> None:
    assert learn(ROWS) == learn(ROWS)
