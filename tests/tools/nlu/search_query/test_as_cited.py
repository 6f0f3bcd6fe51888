"""Fields as they stand in citations and in notes: `Hinton et al 2018`, `LeCun, Y.`, `year 2019`."""

from datetime import date
from typing import Any

import pytest

from tools.nlu.search_query.parser import read_search_fields

TODAY = date(2026, 5, 20)


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("Hinton et al 2018", {"authors": ("Hinton",), "year_from": 2018, "year_to": 2018}),
        ("papers by Yann LeCun 2015", {"authors": ("Yann LeCun",), "year_from": 2015}),
        ("papers by LeCun, Y.", {"authors": ("Y. LeCun",)}),
        ("papers by LeCun, Y. and Hinton, G.", {"authors": ("Y. LeCun", "G. Hinton")}),
        ("papers on infection by E. coli", {"authors": (), "topic": "infection by E. coli"}),
        ("author Hinton papers on nets", {"authors": ("Hinton",), "topic": "nets"}),
        ("papers on author identification", {"authors": ()}),
        ("papers on sleep, year 2019", {"topic": "sleep", "year_from": 2019, "year_to": 2019}),
        ("year 2019 papers on sleep", {"topic": "sleep", "year_from": 2019, "year_to": 2019}),
        ("papers on the year 2000 problem", {"year_from": None}),
        ("papers on mice btw 2019 and 2021", {"topic": "mice", "year_from": 2019, "year_to": 2021}),
        ("papers on mice since Nov '25", {"topic": "mice", "date_from": date(2025, 11, 1)}),
        ("papers on mice, venue Nature", {"topic": "mice", "venue": "Nature"}),
        (
            "papers in IEEE Transactions on Neural Networks",
            {"venue": "IEEE Transactions on Neural Networks", "topic": None},
        ),
        ("closed access papers on mice", {"topic": "mice", "open_access_only": None}),
        ("papers on health? cheers, Tom", {"topic": "health"}),
        ("papers on best practices", {"topic": "best practices"}),
        ("mice, NeurIPS 2021", {"topic": "mice", "venue": "NeurIPS", "year_from": 2021}),
        ("papers on mice (ICML'19)", {"topic": "mice", "venue": "ICML", "year_to": 2019}),
        ("what did ICLR 2020 have on mice", {"topic": "mice", "venue": "ICLR", "year_from": 2020}),
        ("papers about NeurIPS 2021", {"topic": "NeurIPS 2021", "venue": None}),
        ("compare ICML 2019 to ICML 2020", {"venue": None}),
        ("papers on mice w/o paywalls", {"topic": "mice", "open_access_only": True}),
        ("papers on mice since 2020ish", {"topic": "mice", "year_from": 2020, "year_to": None}),
        ("max. 7 papers on mice", {"topic": "mice", "limit": 7}),
        ("papers on mice with over 50 cites", {"topic": "mice", "min_citations": 51}),
        ("gimme three papers on mice", {"topic": "mice", "limit": 3}),
        ("lemme see papers on mice", {"topic": "mice"}),
        ("whats new in coffee research", {"topic": "coffee research", "year_from": 2021}),
    ],
)
def test_what_is_said_is_a_field_and_no_word_of_the_topic(
    text: str, fields: dict[str, Any]
) -> None:
    search = read_search_fields(text, TODAY).search

    assert {name: getattr(search, name) for name in fields} == fields
