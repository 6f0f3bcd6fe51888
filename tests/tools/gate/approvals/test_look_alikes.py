"""Text that looks like other text: named, in every place of a question, and prose left readable."""

import unicodedata
from typing import Any

import pytest

from state.approval import OriginalRequest
from state.preview import Change, Fact, Preview
from tests.stages import TUNING
from tests.tools.gate.approvals.made import NOW, PAY, standing_of
from tools.gate.approvals.dialog import dialog_of
from tools.platform.unicode_safety import (
    confusable_prototypes,
    neutralize_value,
    show_hidden,
    skeleton,
)


def looks_of_ascii() -> list[str]:
    """List every character of Unicode's table that passes for ASCII, and what decomposes to it."""
    listed = [one for one in confusable_prototypes() if not one.isascii()]
    known = [*listed, *map(chr, range(0x80, 0xFFFF))]
    return [
        one
        for one in dict.fromkeys(known)
        if not 0xD800 <= ord(one) < 0xE000 and show_hidden(one) == one and skeleton(one).isascii()
    ]


def test_no_character_of_the_whole_table_passes_for_ascii_unmarked() -> None:
    characters = looks_of_ascii()
    assert len(characters) > 1_700
    for one in characters:
        word, point = f"pay{one}al", f"U+{ord(one):04X}"
        given: dict[str, Any] = {
            "supplier": word,
            "note": f"to {one}{one} now",
            "invoices": [f"A-{one}1"],
        }
        preview = Preview(
            facts=(Fact(label=word, value=one),),
            changes=(Change(target=word, field=word, before=one, after=word),),
            recipients=(f"{one}@bank.example",),
            amount=3,
            currency=one,
        )
        standing = standing_of(
            **given, to=[one], preview=preview, requester=word, editor=one, requester_roles=(word,)
        )
        request = OriginalRequest(
            decision_id="d", words=word, user=one, source=word, relayed=True, received_at=NOW
        )
        standing = standing.model_copy(update={"request": request})
        dialog = dialog_of(standing, PAY, TUNING.execution)
        unmarked = [line for line in dialog.lines if one in line and point not in line]
        assert unmarked == [], point
        if unicodedata.is_normalized("NFC", one):  # arguments are read in that form
            assert sum(one in line for line in dialog.lines) == 11, point


@pytest.mark.parametrize(
    ("text", "remark"),
    [
        ("Müller, Søren and François", " (not ASCII: ø U+00F8)"),
        ("Зоя принесла кофе", " (in Cyrillic)"),
        ("Ελένη и Зоя", " (in Greek and Cyrillic)"),
        ("日本で3本買う", ""),
        ("кот.бел", " (not ASCII: к U+043A, о U+043E, т U+0442, б U+0431, е U+0435, л U+043B)"),
        ("זה 5", " (in Hebrew)"),
        ("сосо", ' (not ASCII: с U+0441, о U+043E; looks like "coco")'),
    ],
)
def test_prose_of_other_scripts_is_marked_once(text: str, remark: str) -> None:
    assert neutralize_value(text) == f'"{text}"{remark}'
