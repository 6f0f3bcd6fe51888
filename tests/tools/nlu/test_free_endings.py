"""What ends an order is no note: provisos, thanks, a signature, what other slots have."""

import pytest

from tests.tools.nlu.filling import Filling
from tools.nlu.slots.free_text import text_parts_of


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("close it: WO-1042", None),
        ("close it. WO-1042", None),
        ("close this one: work order WO-1042", None),
        ("close WO-1042 (time and weather permitting)", None),
        ("close WO-1042, pretty please", None),
        ("close it: WO-1042, the seal is new", "the seal is new"),
        ("close WO-1042, weather permitting", None),
        ("close WO-1042. Weather permitting.", None),
        ("close WO-1042, if possible", None),
        ("close WO-1042, right away please", None),
        ("close WO-1042, yeah?", None),
        ("close WO-1042 if it's not too much trouble", None),
        ("close WO-1042, seal replaced, thanks a million", "seal replaced"),
        ("close WO-1042, no rush, mate", None),
        ("close WO-1042, at once, will you", None),
        ("close WO-1042 - when you can, thanks!", None),
        ("close WO-1042, seal replaced, time permitting", "seal replaced"),
        ("close WO-1042, seal replaced. Thanks", "seal replaced"),
        ("close WO-1042. seal replaced", "seal replaced"),
        ("close WO-1042: seal replaced", "seal replaced"),
        ("close WO-1042\n\nSeal replaced", "Seal replaced"),
        ("close WO-1042\n\nSeal replaced\nPump tested", "Seal replaced\nPump tested"),
        ("see below\n\nplease close WO-1042\n\nTom Becker\nDeckhand", None),
        ("please close WO-1042\n\nBest regards\nTom", None),
        ("please close WO-1042\n\nThanks,\nTom", None),
        ("please close WO-1042\nSent from my phone", None),
        ("please close WO-1042\n\n-Tom", None),
        ("Hi,\nplease close WO-1042.\nTom Becker", None),
        ("please close WO-1042\n--\nTom Becker | Deckhand\n+31 6 12", None),
        ("close WO-1042: seal new\n\nKind regards,\nTom Becker", "seal new"),
        ("close WO-1042: “seal new” – ok\n\nJan van Dijk\nChief Engineer", "seal new"),
    ],
)
def test_what_ends_an_order_is_no_note(fill: Filling, text: str, note: str | None) -> None:
    values = fill("close_work_order", text).values
    assert values.get("note") == note
    assert values["work_order"] == "WO-1042"


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("add a note to WO-1042: we sail at six, weather permitting", "six, weather permitting"),
        ("add a note to WO-1042: the first one leaks", "the first one leaks"),
        ("add a note to WO-1042: Tom said thanks", "Tom said thanks"),
    ],
)
def test_what_is_told_stays_whole(fill: Filling, text: str, note: str) -> None:
    assert fill("add_note_to_work_order", text).values["note"].endswith(note)


def test_what_ends_an_order_is_no_part_of_a_list() -> None:
    assert text_parts_of("must-cite, core, if that's alright, thanks") == ["must-cite", "core"]
    assert text_parts_of('"thanks" and core, please') == ["thanks", "core"]
