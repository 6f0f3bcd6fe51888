import json
from pathlib import Path
from typing import Any

import pytest

from evals.dataset import find_datasets, read_dataset, read_datasets
from state.errors import BadInput, NotFound
from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import find_pack, load_pack

HEADER: dict[str, Any] = {
    "dataset": "two",
    "pack": "vessel",
    "target": "streams",
    "starts_at": "2026-06-14T18:00:00Z",
    "read_only": [],
    "made": "for a test",
}


def timed(name: str, at_seconds: float, stream: str = "one") -> dict[str, Any]:
    return {
        "id": name,
        "inputs": {"stream": stream, "at_seconds": at_seconds, "event": {"text": name}},
        "outputs": {"speak": False, "reasons": ["dull"]},
        "metadata": {"split": "dev", "why": "a test"},
    }


def write(folder: Path, *lines: object) -> Path:
    path = folder / "cases.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "cases"), [("vessel_requests", 60), ("speak_or_not", 235), ("search_fields", 914)]
)
def test_the_shipped_datasets_can_be_read(name: str, cases: int) -> None:
    (dataset,) = find_datasets([name])

    assert dataset.name == name
    assert len(dataset.cases) == cases
    assert len({example.id for example in dataset.examples()}) == cases


def test_no_name_means_every_shipped_dataset() -> None:
    names = [dataset.name for dataset in find_datasets([])]

    assert len(set(names)) == len(names) == 44
    assert not [one for one in find_datasets([]) if one.is_blind and one.header.seen]


def test_a_file_of_several_datasets_is_read_whole_or_by_name(tmp_path: Path) -> None:
    other = {**HEADER, "dataset": "three"}
    path = write(tmp_path, HEADER, timed("a", 0), other, timed("a", 0), timed("b", 5))

    assert [(one.name, len(one.cases)) for one in read_datasets(path)] == [("two", 1), ("three", 2)]
    assert [one.name for one in read_datasets(path, "three")] == ["three"]
    with pytest.raises(BadInput, match="2 datasets"):
        read_dataset(path)


def test_labels_name_actions_and_slots_that_there_are() -> None:
    (dataset,) = find_datasets(["vessel_requests"])
    actions = Catalogue.of([load_pack(find_pack(dataset.header.pack))]).actions

    for case in dataset.cases:
        label: Any = case.outputs
        named = [label["action"], *(other["action"] for other in label["acceptable"])]
        assert {name for name in named if name} <= set(actions), case.id
        if label["action"]:
            assert set(label["slots"] or {}) <= set(actions[label["action"]].slots), case.id


def test_what_people_call_harmless_is_what_the_catalogue_reads() -> None:
    (header,) = (one.header for one in find_datasets(["vessel_requests"]))
    actions = Catalogue.of([load_pack(find_pack(header.pack))]).actions

    assert set(header.read_only) == {n for n, action in actions.items() if action.floor == "A"}


def test_an_event_carries_what_came_before_it_in_its_own_stream(tmp_path: Path) -> None:
    path = write(tmp_path, HEADER, timed("a", 0), timed("b", 5), timed("c", 0, "other"))

    first, second, other = (case.inputs for case in read_dataset(path).cases)

    assert first["before"] == other["before"] == []
    assert second["before"] == [{"at_seconds": 0, "event": {"text": "a"}}]


def test_the_version_changes_with_a_label(tmp_path: Path) -> None:
    before = read_dataset(write(tmp_path, HEADER, timed("a", 0))).version
    changed = {**timed("a", 0), "outputs": {"speak": True, "reasons": ["threat"]}}

    assert read_dataset(write(tmp_path, HEADER, changed)).version != before


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([HEADER], "at least one case"),
        ([HEADER, {**timed("a", 0), "label": 1}], ":2: label"),
        ([HEADER, timed("a", 0), timed("a", 1)], "the same id"),
        ([HEADER, timed("a", -1)], ":2: at_seconds"),
        ([HEADER, {**timed("a", 0), "metadata": {"split": "train"}}], ":2: metadata: .*dev, test"),
        ([{**HEADER, "target": "guesses"}, timed("a", 0)], ":1: target"),
    ],
)
def test_a_faulty_line_is_named(tmp_path: Path, lines: list[object], said: str) -> None:
    path = write(tmp_path, *lines)

    with pytest.raises(BadInput, match=said):
        read_dataset(path)


def test_a_line_that_is_no_json_is_named(tmp_path: Path) -> None:
    path = write(tmp_path, HEADER)
    path.write_text(path.read_text("utf-8") + "{oops\n", encoding="utf-8")

    with pytest.raises(BadInput, match=":2: not JSON"):
        read_dataset(path)


def test_an_unknown_dataset_is_not_found() -> None:
    with pytest.raises(NotFound, match="'guesses'"):
        find_datasets(["guesses"])


def test_a_mark_that_an_editor_puts_first_is_no_part_of_the_text(tmp_path: Path) -> None:
    path = write(tmp_path, HEADER, timed("a", 0))
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())

    assert [case.id for case in read_dataset(path).cases] == ["a"]
