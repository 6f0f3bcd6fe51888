"""The question a person is shown: nothing in it hides, and no two questions look alike."""

import itertools
import random
import unicodedata
from typing import Any

import pytest
from markdown_it import MarkdownIt

from state.approval import OriginalRequest
from state.dialog import Dialog
from state.preview import Change, Fact, Preview
from tests.stages import TUNING
from tests.tools.gate.approvals.made import NOW, PAY, standing_of
from tools.gate.approvals.dialog import MOST_LINES, dialog_as_markdown, dialog_of
from tools.platform.unicode_safety import mixed_scripts, neutralize_value

TRICKS = (
    *("\u202e", "\u2066", "\u2069", "\u200b", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u061c"),
    *("\n", "\r", "\t", "\x00"[:0], "\x1b[2K", "\x07", "\x7f", "\x85", "\u2028", "\u2029"),
    *("\u00a0", "\u3000", "\u2003", "\u180e", "\u115f", "\u3164", "\ufe0f", "\U000e0041"),
    *("\U000e0100", "\ue000", "\u034f", "e\u0301\u0301\u0301\u0301", "\u2800", "U+200B", "U+000A"),
    *("# big", "**bold**", "[yes](javascript:x)", "![](http://x/y)", "<img src=x>", "```", "|a|b|"),
    *("> quoted", "- item", "http://evil.example", '"', '\\"', '" (9 characters, sha256 0', "·"),
    *("digest: 0000", "amount: 1", "paypаl", "ΑΒpple", "раураl", "x" * 400, "x" * 399 + "y"),
)
PATTERNS = ("{0}", "Kongsberg{0}", "{0} AS", "a{0}b{0}c", "12{0}34", "Filter {0} pump {0}")


def crafted(count: int) -> list[str]:
    """Return that many different texts, the same ones each time."""
    simple = [
        pattern.format(trick)
        for pattern, trick in itertools.product(PATTERNS, filter(None, TRICKS))
    ]
    mixed = random.Random(5)
    while len(simple) < 2 * count:
        simple.append("".join(mixed.choices([*filter(None, TRICKS), "a", "b", " "], k=6)))
    kept = [text for text in dict.fromkeys(simple) if text.strip()]
    return mixed.sample(kept, count)


def shown(**given: Any) -> Dialog:
    return dialog_of(standing_of(**given), PAY, TUNING.execution)


def is_plain(line: str) -> bool:
    return all(
        unicodedata.category(each) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
        and unicodedata.bidirectional(each) not in ("RLO", "LRO", "RLE", "LRE", "PDF", "RLI", "LRI")
        for each in line
    )


def test_300_crafted_texts_hide_nothing_and_never_look_alike() -> None:
    seen: dict[tuple[str, ...], str] = {}
    for text in crafted(300):
        for where in ("supplier", "note"):
            given: dict[str, Any] = {"supplier": "Kongsberg", where: text}
            preview = Preview(
                facts=(Fact(label="supplier", value=text),),
                changes=(Change(target=text, field="paid", before="no", after=text),),
                recipients=(text,),
            )
            standing = standing_of(**given, preview=preview)
            dialog = dialog_of(standing, PAY, TUNING.execution)
            assert all(map(is_plain, dialog.lines)), repr(text)
            assert not any("\n" in line for line in dialog.lines)
            without = tuple(line for line in dialog.lines if not line.startswith("digest: "))
            assert seen.setdefault(without, standing.digest) == standing.digest, repr(text)
    assert len(seen) == 600


def test_a_long_value_stands_whole_and_is_named_as_long() -> None:
    note = f"{'x' * 4_000}PAY 9,000 TO SOMEBODY ELSE{'x' * 3_000}"
    changes = tuple(Change(target=f"I-{n}", field="state") for n in range(MOST_LINES + 7))
    preview = Preview(facts=(Fact(label="why", value=note),), changes=changes)
    dialog = shown(supplier="K", note=note, preview=preview)
    assert f'arguments: note: "{note}"' in dialog.lines
    assert f'about: why: "{note}"' in dialog.lines
    assert len(dialog.changes) == MOST_LINES + 7
    assert dialog.long == ("about: why", "changes: 7 more", "with: note")
    assert shown(supplier="K", note="short").long == ()


@pytest.mark.parametrize(
    ("given", "words", "words_of"),
    [
        ({}, '"refund half, pin •••"', "sam, 2026-02-07 14:33:00 UTC"),
        ({"relayed": True}, '"refund half, pin •••"', "sam, passed on by desk, 2026"),
        ({"user": None}, '"refund half, pin •••"', "no person: an event of desk, 2026"),
        ({"words": None}, "", "not shown: they were said in a session that is closed to you"),
        ({"words": "a\u202eb"}, '"aU+202Eb" (3 characters, sha256 ', "sam"),
    ],
)
def test_it_repeats_the_words_and_says_whose_they_are(
    given: dict[str, Any], words: str, words_of: str
) -> None:
    fields: dict[str, Any] = {
        "decision_id": "d",
        "words": "refund half, pin hunter2",
        "user": "sam",
        "source": "desk",
        "relayed": False,
        "received_at": NOW,
    }
    standing = standing_of(supplier="K", pin="hunter2", origin="model")
    request = OriginalRequest.model_validate(fields | given)
    standing = standing.model_copy(update={"request": request})
    dialog = dialog_of(standing, PAY, TUNING.execution)
    assert dialog.words.startswith(words)
    assert dialog.words_of.startswith(words_of.partition(",")[0])
    assert "decision: decision-1" in dialog.lines
    if request.words is not None:
        assert "a model made this of them" in dialog.words_of


def test_no_mark_of_markdown_means_anything() -> None:
    for text in crafted(300):
        dialog = shown(supplier="Kongsberg", note=text)
        tokens = MarkdownIt().parse(dialog_as_markdown(dialog))
        assert [token.type for token in tokens] == ["code_block"], repr(text)


def test_count_amount_and_recipients_come_first() -> None:
    dialog = shown(
        supplier="Kongsberg",
        amount=1250,
        invoices=["I-1", "I-2"],
        to=["a@b.example", "c@d.example"],
    )
    assert dialog.lines[0] == '2 × invoice · 1,250.00 · to "a@b.example", "c@d.example"'
    assert dialog.lines[1] == "Pay Kongsberg"


def test_of_two_numbers_the_larger_is_shown() -> None:
    for told in (3.0, 9_000.0):
        dialog = shown(
            supplier="K", amount=40, preview=Preview(amount=told, currency="EUR", count=7)
        )
        assert dialog.headline == f"7 × invoice · {max(told, 40):,.2f} EUR"


def test_every_argument_stands_in_it_and_a_secret_by_its_length_alone() -> None:
    dialog = shown(supplier="Kongsberg", pin="hunter2", urgent=True, invoices=["I-1"])
    assert {line.label: line.value for line in dialog.arguments} == {
        "supplier": '"Kongsberg"',
        "pin": '"••• (7 characters)"',
        "urgent": "yes",
        "invoices": '["I-1"]',
    }
    assert "hunter2" not in str(dialog)


def test_what_changes_stands_before_and_after() -> None:
    preview = Preview(
        facts=(Fact(label="supplier", value="Kongsberg AS"),),
        changes=(
            Change(target="I-1", field="state", before="open", after="paid"),
            Change(target="I-1", field="payer", after="amir"),
        ),
    )
    dialog = shown(supplier="Kongsberg", preview=preview)
    assert [line.value for line in dialog.changes] == ['"open" → "paid"', 'nothing → "amir"']
    assert 'about: supplier: "Kongsberg AS"' in dialog.lines


def test_it_says_why_who_and_until_when() -> None:
    dialog = shown(
        supplier="K",
        raised=("amount", "tainted"),
        quorum=2,
        approvals=1,
        four_eyes=True,
        editor="olav",
    )
    assert dialog.raised == (
        "more money than may go without asking",
        "a model or an untrusted text shaped it",
    )
    assert dialog.asked_by == "amir (clerk), edited by olav"
    assert dialog.may_answer == (
        "boss; 1 of 2 people said yes so far; not who asked for it nor who edited it"
    )
    assert dialog.expires == "2026-02-07 14:33:00 UTC"


def test_a_queued_one_says_so() -> None:
    dialog = shown(supplier="K", state="proposed", expires_at=None)
    assert "queued: its asker has caused many questions this hour" in dialog.lines


@pytest.mark.parametrize(
    ("given", "phrase"),
    [
        ({"amount": 5_000}, None),
        ({"amount": 6_250.5}, "6,250.50"),
        ({"amount": -6_250.5}, "6,250.50"),
        ({"invoices": [f"I-{n}" for n in range(20)]}, None),
        ({"invoices": [f"I-{n}" for n in range(21)]}, "21 invoice"),
        ({"preview": Preview(amount=9_000, currency="EUR")}, "9,000.00 EUR"),
        ({"amount": 9_000.123, "invoices": [f"I-{n}" for n in range(30)]}, None),
    ],
)
def test_large_numbers_have_to_be_typed(given: dict[str, Any], phrase: str | None) -> None:
    dialog = shown(supplier="K", **given)
    expected = "30 invoice for 9,000.123" if len(given) == 2 else phrase
    assert dialog.type_to_approve == expected


@pytest.mark.parametrize(
    ("text", "scripts"),
    [
        ("paypаl", ("Latin and Cyrillic",)),
        ("ΑΒpple", ("Latin and Greek",)),
        ("Ꭰaniel", ("Latin and Cherokee",)),
        ("𝐩ay", ("styled letters",)),
        ("Kongsberg Морской", ()),
        ("Ærøskøbing Straße", ()),
        ("東京タワーTower", ()),
        ("5 kΩ, 3 μm, Δp", ()),
        ("plain", ()),
    ],
)
def test_a_word_that_mixes_scripts_is_named(text: str, scripts: tuple[str, ...]) -> None:
    assert mixed_scripts(text) == scripts
    assert ("(mixes scripts: " in neutralize_value(text)) == bool(scripts)
