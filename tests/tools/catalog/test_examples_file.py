from collections.abc import Callable
from pathlib import Path

from tests.tools.catalog.conftest import shown
from tools.catalog.pack import check_pack, load_pack

PackWriter = Callable[..., Path]


def test_examples_of_their_own_file_follow_those_of_the_entry(write_pack: PackWriter) -> None:
    written = "examples:\n  close_work_order: [tick off the filter job, 'yes']\n"
    before = load_pack(write_pack()).actions["close_work_order"].examples

    pack = load_pack(write_pack(examples__yaml=written))

    told = pack.actions["close_work_order"].examples
    assert told == (*before, "tick off the filter job", "yes")


def test_examples_of_no_action_are_a_fault_at_their_line(write_pack: PackWriter) -> None:
    written = "examples:\n  measure: [how deep is it]\n  close_work_ordr: [close it]\n"

    assert shown(check_pack(write_pack(examples__yaml=written))) == [
        (
            "examples.yaml:3: examples.close_work_ordr: actions.yaml has no such action;"
            " did you mean close_work_order?"
        )
    ]


def test_an_example_without_a_word_is_a_fault_where_it_stands(write_pack: PackWriter) -> None:
    written = "examples:\n  close_work_order: [tick off the filter job, ' ?! ']\n"

    (told,) = shown(check_pack(write_pack(examples__yaml=written)))
    assert told.startswith("examples.yaml:2: examples.close_work_order[1]: says nothing")
