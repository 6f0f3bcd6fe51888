"""Verbs parted from their particle by what they are about."""

import pytest

from tools.nlu.intents.router import Router

pytestmark = pytest.mark.xdist_group("both-packs")  # one worker learns them, once


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("take the oil filter off WO-1042", "remove_part_from_work_order"),
        ("put the running hours of the port generator back", "revert_running_hours"),
        ("put the registry certificate on the screen", "show_certificates"),
        ("please put the class certificate up", "show_certificates"),
        ("take me to the class certificate", "show_certificates"),
        ("would you mind pulling up the class certificate?", "show_certificates"),
    ],
)
def test_a_particle_behind_the_object_belongs_to_the_verb(
    both: Router, text: str, action: str
) -> None:
    assert both.route(text).action == action


@pytest.mark.parametrize(
    "text",
    [
        "put the class certificate on WO-1042",
        "put a note on the screen door of WO-1042",
        "take the filter to the off-loading",
        "print the back page",
    ],
)
def test_another_word_that_looks_like_one_does_not(both: Router, text: str) -> None:
    verb = both.settling.reader.read(text).verb

    assert verb is not None
    assert verb.base == text.split(maxsplit=1)[0]
