"""Weights learnt from texts that want something and texts that do not."""

from dataclasses import replace

import numpy as np
import pytest

from evals.training.actionability_data import OURS, TALK, TALK_DOMAINS, EncodedText, reader_of
from evals.training.actionability_stages import (
    Shares,
    WholeRow,
    chances,
    learn,
    learn_all,
    learn_both,
    learn_left_out,
    odds_by_both,
    odds_of,
    odds_of_others,
    shipped,
    unseen,
)
from tools.adapters.embedding.minilm import MannerMiniLM
from tools.nlu.actionability.classifier import load_classifier

UP, ASIDE = np.array([1.0, 0.0]), np.array([0.0, 1.0])


def row(
    signs: dict[str, float],
    *,
    is_wanted: bool,
    domain: str,
    vector: np.ndarray = ASIDE,
    unseen: np.ndarray | None = None,
    is_kept_out: bool = False,
) -> EncodedText:
    return EncodedText(
        text="",
        signs=signs,
        is_wanted=is_wanted,
        domain=domain,
        kind="talk",
        is_kept_out=is_kept_out,
        is_talk=True,
        vector=vector,
        unseen=vector if unseen is None else unseen,
    )


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
    found = chances(odds_of(judge, ROWS))
    assert all((chance > 0.5) == one.is_wanted for chance, one in zip(found, ROWS, strict=True))


def test_a_word_of_one_domain_alone_is_what_that_is_about() -> None:
    assert "=cable" not in learn(ROWS).weights


def test_the_same_rows_give_the_same_weights() -> None:
    assert learn(ROWS) == learn(ROWS)


def test_an_author_is_judged_by_what_the_others_showed() -> None:
    rows = [
        WholeRow({"sure": 1.0 if wanted else -1.0}, wanted, author, is_open=True, odds=0.0)
        for author in ("ann", "ben")
        for wanted in (True, False)
        for _each in range(30)
    ]
    stubborn = [WholeRow({"sure": -1.0}, True, "cleo", is_open=True, odds=0.0)] * 9
    wanted = np.array([one.is_wanted for one in rows])
    assert learn_all(rows).weights["sure"] > 0
    odds = odds_of_others([*rows, *stubborn])
    assert ((odds[: len(rows)] > 0) == wanted).all()
    assert (odds[len(rows) :] < 0).all()  # nobody but Cleo says it so


def test_the_vector_tells_what_no_sign_does() -> None:
    rows = [
        row(
            {"mood:question": 1.0},
            is_wanted=wanted,
            domain=domain,
            vector=UP if wanted else ASIDE,
            is_kept_out=kept_out,
        )
        for wanted in (True, False)
        for domain in ("ship", "shelf", *OURS)
        for kept_out in (True, False) * 5
    ]
    wanted = np.array([one.is_wanted for one in rows])
    left_out, shares = learn_left_out(rows, "an encoder")
    for judge, heard in (
        (learn_both(rows, shares, "an encoder"), shipped),
        (left_out["vessel"], unseen),
    ):
        assert ((odds_by_both(judge, rows, heard) > 0) == wanted).all()
        assert odds_of(judge.by_signs, rows) == pytest.approx(0, abs=0.2)


def test_what_was_kept_out_says_where_it_is_even() -> None:
    rows = [
        row({}, is_wanted=wanted, domain="ship", vector=vector, is_kept_out=kept_out)
        for wanted, vector in ((True, UP), (False, ASIDE))
        for kept_out, count in ((False, 30), (True, 10 if wanted else 40))
        for _each in range(count)
    ]
    heard_alike = [replace(one, vector=UP) if one.is_kept_out else one for one in rows]
    judge = learn_both(heard_alike, Shares(1.0, 1.0), "an encoder")
    kept_out = [one for one in heard_alike if one.is_kept_out]
    found = chances(odds_by_both(judge, kept_out, shipped))
    # Ten of fifty that sound so wanted something, and of the others as many: it tells nothing.
    assert found == pytest.approx(0.5, abs=0.02)


def test_a_vector_that_knows_its_own_texts_alone_is_not_trusted() -> None:
    def knows(*, wanted: bool, place: int) -> np.ndarray:
        return UP if (place % 2 == 0) == wanted else ASIDE  # right of every second text

    rows = [
        row(
            {"can ~": 1.0} if wanted == (place % 5 > 0) else {},
            is_wanted=wanted,
            domain=domain,
            vector=UP if wanted else ASIDE,
            unseen=knows(wanted=wanted, place=place) if domain in OURS else UP if wanted else ASIDE,
        )
        for wanted in (True, False)
        for domain in ("ship", "shelf", *OURS)
        for place in range(20)
    ]
    _judges, shares = learn_left_out(rows, "an encoder")
    assert abs(shares.of_vector) < 0.1 < shares.of_signs


def test_every_talk_has_somebody_who_reads_it() -> None:
    listed = {file.stem for file in TALK_DOMAINS.glob("*.json")}
    assert listed > {"home", "hotel", "oncall", "ward"}
    assert listed < {file.stem for file in TALK.glob("*.tsv")}
    assert reader_of("hotel").read("could 12 be cleaned?").act.mood in ("question", "request")


def test_vectors_of_another_encoder_mean_nothing_to_it() -> None:
    reading = reader_of("hotel").read("any chance of towels for 107")
    judge, vector = load_classifier(), np.full(MannerMiniLM.dimensions, 0.05, np.float32)
    text, act = reading.normal.text, reading.act
    assert judge.by_both is not None
    assert judge.odds(text, act, vector, "another") == judge.odds(text, act)
    assert judge.odds(text, act, vector, judge.by_both.encoder) != judge.odds(text, act)
