"""The files that the reader is learnt from are in form, and what is held out teaches nothing."""

import re
from pathlib import Path

import pytest

from evals.training.reader_data import (
    FOLDER,
    parse_line,
    read_domain,
    read_parts,
    read_talk,
    tags_at,
)
from tools.nlu.reader.reading import ACTS, CONTROLS, TAGS, WANTS

FILES = sorted(FOLDER.glob("*.tsv"))
GUIDE = FOLDER / "GUIDE.md"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_line_has_known_labels_and_whole_marks(file: Path) -> None:
    rows = list(read_domain(file))

    assert file.read_text("utf-8").startswith("#")
    assert len(rows) >= 80
    for row in rows:
        assert row.text.strip()
        assert row.spans is not None
        assert all(row.text[start:end].strip() for start, end, _tag in row.spans)


def test_at_least_sixty_domains_use_every_label() -> None:
    rows = [row for file in FILES for row in read_domain(file)]

    assert len({row.domain for row in rows}) >= 60
    assert {row.act for row in rows} == set(ACTS)
    assert {row.want for row in rows} == set(WANTS)
    assert {row.control for row in rows} == set(CONTROLS)
    assert {tag for row in rows for *_, tag in row.spans or ()} == set(TAGS) - {"-"}


def test_the_guide_names_every_label() -> None:
    guide = GUIDE.read_text("utf-8")

    assert all(f"`{label}`" in guide for label in (*ACTS, *WANTS, *CONTROLS))
    assert all(re.search(rf"(?m)(^|[;(] ?|  ){tag} \w", guide) for tag in TAGS if tag != "-")


@pytest.mark.parametrize(
    "line",
    [
        "shout\tnone\t-\thello",
        "command\tall\t-\tstop it",
        "command\tchange\tloud\tstop it",
        "command\tchange\t-\t{y stop} it",
        "command\tchange\t-\t{v stop it",
        "command\tchange\tstop it",
    ],
)
def test_a_line_out_of_form_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"unknown|stray|values to unpack"):
        parse_line(line, "shop")


def test_a_mark_covers_its_words_and_nothing_beside_them() -> None:
    row = parse_line("command\tchange\t-\t{v turn} {o the lamp} {v off} {t at 9}", "home")

    assert row.text == "turn the lamp off at 9"
    places = [(0, 4), (5, 8), (9, 13), (14, 17), (18, 20), (0, 0)]
    letters = list(TAGS)
    assert [letters[one] if one >= 0 else None for one in tags_at(row, places)] == [
        "v", "o", "o", "v", "t", None
    ]  # fmt: skip


def test_nothing_is_learnt_of_a_domain_that_measures() -> None:
    parts = read_parts()
    measures = {row.domain for row in (*parts.held_out, *parts.held_out_talk)}

    assert len({row.domain for row in parts.held_out}) >= len(FILES) // 8
    assert {row.domain for row in parts.held_out_talk} == {"gym", "hotel", "law_office", "oncall"}
    own = {row.domain for row in parts.learnt if row.spans is not None}
    assert own.isdisjoint(measures)
    assert len(parts.all) == len(parts.learnt) + len(parts.held_out) + len(parts.held_out_talk)


def test_talk_has_the_want_of_the_action_that_it_asks_for() -> None:
    rows = list(read_talk(FOLDER.with_name("talk") / "gym.tsv"))

    assert {row.want for row in rows} == {"none", "info", "change"}
    assert all(row.act is None for row in rows if row.want == "change")
