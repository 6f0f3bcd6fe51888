"""What the value extractor reads, phrase by phrase, in each language that has a lexicon."""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from itertools import pairwise
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tools.nlu.lexicon.closed_classes import read_lexicon
from tools.nlu.lexicon.normalization import normalise
from tools.nlu.values.engine import extract, extract_kinds
from tools.nlu.values.model import PRODUCTIONS, Kind
from tools.nlu.values.numbers import numbers_in

_LEXICON = Path(__file__).parents[3] / "tools/nlu/lexicon"
LANGUAGES = sorted(folder.parent.name for folder in _LEXICON.glob("*/values.yaml"))
NOW = datetime(2026, 6, 14, 10, tzinfo=UTC)


def phrases_of(language: str) -> Iterator[tuple[str, str, str]]:
    corpus = yaml.safe_load((_LEXICON / language / "corpus.yaml").read_text())
    assert corpus["now"].replace(tzinfo=UTC) == NOW
    for phrases in corpus["phrases"].values():
        for phrase, values in phrases.items():
            yield language, str(phrase), values


CORPUS = [line for language in LANGUAGES for line in phrases_of(language)]


@pytest.mark.parametrize(("language", "phrase", "values"), CORPUS)
def test_each_phrase_holds_its_values(language: str, phrase: str, values: str):
    found = extract(phrase, NOW, (language,))

    assert "; ".join(map(str, found)) == values


def test_the_corpus_is_large_enough_to_judge_by():
    sizes = {language: sum(line[0] == language for line in CORPUS) for language in LANGUAGES}

    assert sizes["en"] >= 500
    assert sizes["de"] >= 150


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_of_a_lexicon_has_a_production(language: str):
    rules = {rule.partition(" -> ")[0] for rule in read_lexicon(language)["rules"]}

    assert rules - set(PRODUCTIONS) == set()


@pytest.mark.parametrize(
    ("before", "phrase", "behind"),
    [
        ("please ", "in a fortnight", " remind me to call Ben"),
        ("papers on bees ", "until 31 March", ", open access only"),
        ("what did we decide ", "last week", "?"),
        ("water the beans ", "every other Friday", " please"),
        ("close ", "all but two", " of them"),
        ("move it ", "from 3 to 5", ""),
    ],
)
def test_a_value_is_the_same_wherever_it_stands(before: str, phrase: str, behind: str):
    alone = extract(phrase, NOW)
    (inside,) = (one for one in extract(f"{before}{phrase}{behind}", NOW) if one.kind != "number")

    assert str(inside) == str(alone[0])
    assert (inside.start, inside.end) == (len(before), len(before) + len(phrase))


def test_of_two_languages_the_longer_reading_counts():
    found = extract("remind me übermorgen at 9", NOW, ("en", "de"))

    assert [str(one) for one in found] == ["date 2026-06-16", "clock 09:00/21:00"]


_PIECES = (
    *("the", "a", "in", "to", "from", "of", "every", "other", "and", "half", "at", "due", "-", ","),
    *(
        "two",
        "weeks",
        "day",
        "after",
        "before",
        "tomorrow",
        "friday",
        "next",
        "last",
        "week",
        "may",
    ),
    *("2026-12-01", "9999-12-31", "0000-00-00", "5.12.", "12/05/2026", "31st", "99999", "24:00"),
    *(
        "0",
        "13",
        "q3",
        "'19",
        "½",
        "1/0",
        "$",
        "%",
        "am",
        "century",
        "first",
        "2020",
        "(",
        "\n",
        "'",
    ),
)


@given(
    pieces=st.lists(st.sampled_from(_PIECES), max_size=14),
    between=st.sampled_from([" ", ""]),
    today=st.dates(date(1, 1, 1), date(9999, 12, 31)),
)
def test_whatever_is_said_no_two_values_share_a_character(pieces, between: str, today: date):
    text = between.join(pieces)
    for kinds in (frozenset(Kind), frozenset({Kind.NUMBER}), frozenset({Kind.DATE, Kind.PERIOD})):
        found = extract_kinds(text, today, kinds)

        assert all(one.end <= after.start for one, after in pairwise(found))
        assert all(0 <= one.start < one.end <= len(text) for one in found)


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str):
    for one in extract(text, NOW, ("en", "de")):
        assert str(one)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("set it to twenty-nine fifty", 29.5),
        ("four seventy-five", 4.75),
        ("two ninety-nine please", 2.99),
        ("a hundred and five twenty", 105.2),
        ("one hundred and five", 105),
        ("fifty", 50),
    ],
)
def test_a_price_may_be_said_as_two_numbers(text: str, value: float):
    (number,) = numbers_in(normalise(text), of_money=True)

    assert (number.value, number.is_sure) == (value, True)


@pytest.mark.parametrize(
    "text",
    [
        "4 weeks at 2.50 a week",
        "12 hours at 20 euros an hour",
        "2 euros for each of the 6 days",
        "4 bags of 25 kg",
        "twenty-nine fifty",
        "half of what it costs",
        "half of O-1003",
    ],
)
def test_what_has_to_be_reckoned_first_is_no_number(text: str):
    assert not any(one.is_sure for one in numbers_in(normalise(text)))


def test_numbers_of_days_and_times_are_no_amounts():
    said = "book 4 seats at 6 pm between 1 and 15 November 2026, on 5 May"

    assert [one.value for one in numbers_in(normalise(said))] == [4]
