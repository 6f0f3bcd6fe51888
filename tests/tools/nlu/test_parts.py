"""A part of a name is enough where such a thing has to be meant, and nothing else has that part."""

import json
from pathlib import Path

import pytest

from tools.nlu.intents.router import Router

ORDERS = {
    "WO-1042": ["Renew cooling water hoses of the starboard shaft"],
    "WO-1038": ["Overhaul the Kessler gland after sea trials"],
    "WO-1040": ["Overhaul the steering rams after sea trials"],
}


@pytest.fixture
def with_titles(data_dir: Path) -> Path:
    (data_dir / "orders.json").write_text(json.dumps(ORDERS))
    return data_dir


@pytest.mark.parametrize(
    ("text", "order", "part"),
    [
        ("close cooling water hoses", "WO-1042", "cooling water hoses"),
        ("please close Kessler for me", "WO-1038", "Kessler"),
        ("close steering rams after sea trials", "WO-1040", "steering rams after sea trials"),
    ],
)
def test_it_fills_a_slot_that_needs_it_and_is_listed(
    router: Router, with_titles: Path, text: str, order: str, part: str
) -> None:
    routing = router.route(text, data_dir=with_titles)

    assert routing.action == "close_work_order"
    assert routing.slots["work_order"] == order
    found = [(one.value, text[slice(*one.span)]) for one in routing.entities]
    assert (order, part) in found


@pytest.mark.parametrize(
    "text",
    [
        "close sea trials",  # two have that
        "close the overhaul",  # one word, and plain English
        "close water cooling hoses",  # in another order
    ],
)
def test_what_several_have_or_none_in_this_order_names_nothing(
    router: Router, with_titles: Path, text: str
) -> None:
    assert "work_order" not in router.route(text, data_dir=with_titles).slots


def test_what_is_named_in_full_is_not_outdone_by_a_part(router: Router, with_titles: Path) -> None:
    routing = router.route("close WO-1040, cooling water hoses are next", data_dir=with_titles)

    assert routing.slots["work_order"] == "WO-1040"


@pytest.mark.xdist_group("both-packs")
@pytest.mark.parametrize(
    ("text", "papers"),
    [
        ("compare few-shot learners and P-5", ["P-3", "P-5"]),
        ("compare Vaswani with Devlin", ["P-1", "P-2"]),
        ("add P-3 to the library for my human feedback course", ["P-3"]),
    ],
)
def test_of_several_things_a_part_counts_where_it_is_joined(
    both: Router, data_dir: Path, text: str, papers: list[str]
) -> None:
    assert both.route(text, data_dir=data_dir).slots["papers"] == papers


@pytest.mark.xdist_group("both-packs")
def test_what_is_searched_for_is_no_paper_of_that_name(both: Router, data_dir: Path) -> None:
    routing = both.route("search for papers on graph attention", data_dir=data_dir)

    assert routing.action == "search_papers"
    assert "paper" not in {one.type for one in routing.entities}
