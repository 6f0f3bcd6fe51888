"""Words that deny elsewhere, in questions, corrections and topics, deny no field."""

from datetime import date

import pytest

from tools.nlu.search_query.parser import read_search_fields

TODAY = date(2026, 11, 26)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("papers on bees from 2021 rather than 2020", 2021, 2021),
        ("papers on bees from 2021 instead of 2020", 2021, 2021),
        ("papers on bees, not 2020 but 2021", 2021, 2021),
        ("papers on bees from 2015 to 2022 except 2020", 2015, 2022),
        ("papers on bees since 2015 (2020 excluded)", 2015, None),
        ("papers on bees but only from 2020", 2020, 2020),
        ("papers on bees but from 2020", 2020, 2020),
        ("papers on bees limited to 2020", 2020, 2020),
        ("papers on bees, not by Hinton, from 2020", 2020, 2020),
        ("papers on bees not in Nature and since 2020", 2020, None),
        ("no, papers on bees from 2020", 2020, 2020),
        ("papers on bees no since 2020", 2020, None),
        ("not sure, papers on bees since 2015", 2015, None),
        ("isn't there a paper on bees from 2020", 2020, 2020),
        ("aren't there any papers on bees from 2020?", 2020, 2020),
        ("are there no papers on bees from 2020?", 2020, 2020),
        ("can't you find papers on bees from 2020", 2020, 2020),
        ("don't you have papers on bees from 2020", 2020, 2020),
        ("why not papers on bees from 2020", 2020, 2020),
        ("papers on learning without labels since 2019", 2019, None),
        ("papers on cells not dividing since 2019", 2019, None),
        ("papers on why bees do not fly since 2019", 2019, None),
        ("papers on work outside Europe since 2019", 2019, None),
        ("papers on outside options since 2019", 2019, None),
        ("papers on life without the internet from 2020", 2020, 2020),
        ("papers on save the bees campaigns from 2020", 2020, 2020),
        ("papers on bar charts from 2020", 2020, 2020),
        ("papers on rejected papers from 2020", 2020, 2020),
        ("papers on what to do besides work since 2015", 2015, None),
        ("papers on the none of the above option since 2015", 2015, None),
        ("papers on nothing since 2015", 2015, None),
        ("papers on never events since 2015", 2015, None),
        ("papers on no-till farming since 2015", 2015, None),
        ("papers on avoiding collisions since 2015", 2015, None),
        ("papers on children not in school since 2015", 2015, None),
        ("papers on flight no 2020 since 2015", 2015, None),
    ],
)
def test_what_is_not_denied_is_searched_for(text: str, first: int | None, last: int | None) -> None:
    search = read_search_fields(text, TODAY).search

    assert (search.year_from, search.year_to) == (first, last)
