"""The question a person is shown: nothing in it hides, and no two questions look alike."""

import itertools
import random
import unicodedata
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from state.action import Action, Slot
from state.approval import OriginalRequest
from state.dialog import Dialog
from state.offer import Chip, Offer
from state.preview import Change, Fact, Preview
from state.record import DecisionRecord
from tests.stages import TUNING
from tests.tools.gate.approvals.made import NOW, PAY, standing_of
from tests.torture.vault import write_vault
from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import load_pack
from tools.gate.approvals.dialog import MOST_LINES, dialog_as_markdown, dialog_of
from tools.gate.redaction import Redactor
from tools.gate.risk.execution_class import (
    confirmation_phrase,
    external_recipients,
    format_amount,
    measures_of,
    raised_by_risk,
)
from tools.platform.unicode_safety import (
    confusable_prototypes,
    mixed_scripts,
    neutralize_value,
    show_hidden,
    skeleton,
)

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


def test_300_crafted_texts_hide_nothing_and_never_look_alike():
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


def test_a_long_value_stands_whole_and_is_named_as_long():
    note = f"{'x' * 4_000}PAY 9,000 TO SOMEBODY ELSE{'x' * 3_000}"
    changes = tuple(Change(target=f"I-{n}", field="state") for n in range(MOST_LINES + 7))
    preview = Preview(facts=(Fact(label="why", value=note),), changes=changes)
    dialog = shown(supplier="K", note=note, preview=preview)
    assert f'arguments: note: "{note}"' in dialog.lines
    assert f'about: why: "{note}"' in dialog.lines
    assert len(dialog.changes) == MOST_LINES + 7
    assert dialog.long == ("about: why", "changes: 7 more", "arguments: note")
    assert shown(supplier="K", note="short").long == ()


@pytest.mark.parametrize(
    ("given", "words", "words_of"),
    [
        ({}, '"refund half, pin •••"', "sam, 2026-02-07 14:33:00 UTC"),
        ({"relayed": True}, '"refund half, pin •••"', "sam, passed on by desk, 2026"),
        ({"user": None}, '"refund half, pin •••"', "not a person: an event from desk, 2026"),
        ({"words": None}, "", "not shown: they were said in a session you can't read"),
        ({"words": "a\u202eb"}, '"aU+202Eb" (3 characters, sha256 ', "sam"),
    ],
)
def test_it_repeats_the_words_and_says_whose_they_are(given, words, words_of):
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
        assert "a model derived the action from it" in dialog.words_of


def test_no_mark_of_markdown_means_anything():
    for text in crafted(300):
        dialog = shown(supplier="Kongsberg", note=text)
        tokens = MarkdownIt().parse(dialog_as_markdown(dialog))
        assert [token.type for token in tokens] == ["code_block"], repr(text)


def test_count_amount_and_recipients_come_first():
    dialog = shown(
        supplier="Kongsberg",
        amount=1250,
        invoices=["I-1", "I-2"],
        to=["a@b.example", "c@d.example"],
    )
    assert dialog.lines[0] == '2 × invoice · 1,250.00 · to "a@b.example", "c@d.example"'
    assert dialog.lines[1] == "Pay Kongsberg"


def test_of_two_numbers_the_larger_is_shown():
    for told in (3.0, 9_000.0):
        dialog = shown(
            supplier="K", amount=40, preview=Preview(amount=told, currency="EUR", count=7)
        )
        assert dialog.headline == f"7 × invoice · {max(told, 40):,.2f} EUR"


def test_every_argument_stands_in_it_and_a_secret_by_its_length_alone():
    dialog = shown(supplier="Kongsberg", pin="hunter2", urgent=True, invoices=["I-1"])
    assert {line.label: line.value for line in dialog.arguments} == {
        "supplier": '"Kongsberg"',
        "pin": '"••• (7 characters)"',
        "urgent": "yes",
        "invoices": '["I-1"]',
    }
    assert "hunter2" not in str(dialog)


def test_what_changes_stands_before_and_after():
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


def test_it_says_why_who_and_until_when():
    dialog = shown(
        supplier="K",
        raised=("amount", "tainted"),
        quorum=2,
        approvals=1,
        four_eyes=True,
        editor="olav",
    )
    assert dialog.raised == (
        "the amount is above the limit",
        "a model or another person's words shaped it",
    )
    assert dialog.asked_by == "amir (clerk), edited by olav"
    assert dialog.may_answer == ("boss; 1 of 2 have approved; neither the requester nor the editor")
    assert dialog.expires == "2026-02-07 14:33:00 UTC"


def test_a_queued_one_says_so():
    dialog = shown(supplier="K", state="proposed", expires_at=None)
    assert "queued behind other requests by the same person this hour" in dialog.lines


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
def test_large_numbers_have_to_be_typed(given: dict[str, Any], phrase: str | None):
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
def test_a_word_that_mixes_scripts_is_named(text: str, scripts: tuple[str, ...]):
    assert mixed_scripts(text) == scripts
    assert ("(mixes scripts: " in neutralize_value(text)) == bool(scripts)


# Text that looks like other text: named, in every place of a question, and prose left readable.


def looks_of_ascii() -> list[str]:
    """List every character of Unicode's table that passes for ASCII, and what decomposes to it."""
    listed = [one for one in confusable_prototypes() if not one.isascii()]
    known = [*listed, *map(chr, range(0x80, 0xFFFF))]
    return [
        one
        for one in dict.fromkeys(known)
        if not 0xD800 <= ord(one) < 0xE000 and show_hidden(one) == one and skeleton(one).isascii()
    ]


def test_no_character_of_the_whole_table_passes_for_ascii_unmarked():
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
def test_prose_of_other_scripts_is_marked_once(text: str, remark: str):
    assert neutralize_value(text) == f'"{text}"{remark}'


# Secrets are covered wherever a decision repeats them, and nothing else is touched.

SECRET = "Zq7-4711"
GIVEN = {"door": "D-1", "code": SECRET}


@pytest.fixture
def covering(tmp_path: Path) -> Redactor:
    pack = write_vault(tmp_path / "vault", "http://127.0.0.1:9")
    return Redactor(Catalogue.of([load_pack(pack)]))


def record(action: str, session_id: str = "default") -> DecisionRecord:
    return DecisionRecord(
        event_id="e", decision_id="d", outcome="executed", spoke=True, output="text",
        action=action, arguments=GIVEN, reason="done", text=f"It is {SECRET} now.",
        elapsed_ms=1.0, session_id=session_id, tenant_id="aurora",
        recorded_at=datetime(2026, 1, 1, tzinfo=UTC),
    )  # fmt: skip


def test_a_record_and_its_stages_tell_only_how_long_a_secret_is(covering: Redactor):
    stages = {
        "policy": {"routing": {"slots": GIVEN, "text": f"to {SECRET}"}, "variants": [GIVEN]},
        "classification": {"action": {"action": "set_code", "arguments": GIVEN}},
    }
    told, kept = covering.decision(record("set_code"), stages)
    assert SECRET not in told.model_dump_json() + str(kept)
    assert told.arguments == {"door": "D-1", "code": "••• (8 characters)"}
    assert kept["policy"]["routing"]["text"] == "to •••"
    assert covering.decision(told, kept) == (told, kept)


def test_a_secret_that_is_also_a_session_s_name_leaves_the_session_alone(covering: Redactor):
    told, _kept = covering.decision(record("set_code", session_id=SECRET), {})
    assert told.session_id == SECRET


def test_what_is_no_secret_stays_as_it_is(covering: Redactor):
    whole = record("show_status")
    assert covering.decision(whole, {"a": SECRET}) == (whole, {"a": SECRET})


def test_a_chip_is_shown_without_its_secret(covering: Redactor):
    chip = Chip(chip_id="c", action="set_code", arguments=GIVEN, summary="Set", confidence=1.0)
    offer = Offer(
        offer_id="o", decision_id="d", tenant_id="t", session_id="s", chips=(chip,), reason="r"
    )
    assert SECRET not in covering.offer(offer).model_dump_json()


# What raises a class is what the question says first, and what a yes has to repeat.

RULES = TUNING.execution
OURS = ("aurora.example",)
ACTION = Action(
    name="pay_all",
    pack="bank",
    summary="Pay all",
    verb="update",
    object="payment",
    slots={
        "amounts": Slot(type="number", many=True, risk="amount"),
        "fee": Slot(type="text", risk="amount"),
        "batch": Slot(type="json", risk="amount"),
        "copies": Slot(type="integer", risk="count"),
        "sizes": Slot(type="number", many=True, risk="count"),
        "accounts": Slot(type="account", many=True),
        "ids": Slot(type="list"),
        "rows": Slot(type="json"),
        "payees": Slot(type="list", risk="recipients"),
        "copy": Slot(type="text", risk="recipients"),
        "crew": Slot(type="crew", many=True, risk="recipients"),
    },
    effect="write",
    handler="handlers:pay",
)


@pytest.mark.parametrize(
    ("arguments", "count", "amount"),
    [
        ({"amounts": [4_999.0] * 50}, 50, 249_950.0),
        ({"amounts": [0.1, 0.2]}, 2, 0.3),
        ({"amounts": [-300, 300]}, 2, 600.0),
        ({"fee": "900000"}, None, 900_000.0),
        ({"amounts": [300], "fee": "250.5"}, 1, 550.5),
        ({"batch": [["1", 2], [3]]}, 3, 6.0),
        ({"copies": -40}, 40, None),
        ({"sizes": [20, 20.5]}, 41, None),
        ({"accounts": ["1042", "1043"]}, 2, None),
        ({"ids": ["x"] * 200}, 200, None),
        ({"rows": [{}] * 500}, 500, None),
        ({"rows": {"of": [{"lines": [1, 2, 3]}] * 4}}, 12, None),
        ({"rows": {"of": "none"}}, None, None),
        ({"payees": ["a@b.example"]}, None, None),
        ({"payees": [f"p{n}@b.example" for n in range(5_000)]}, 5_000, None),
        ({"copy": ", ".join(f"p{n}@b.example" for n in range(30))}, 30, None),
    ],
)
def test_everything_is_counted_and_added_up(arguments, count, amount):
    measures = measures_of(ACTION, arguments, None)
    assert (measures.count, measures.amount, measures.unread) == (count, amount, ())


@pytest.mark.parametrize("fee", ["900.000,00", "nan", "inf", "1e400", "twelve", True, {"sum": 1}])
def test_an_amount_that_cannot_be_read_raises_is_said_and_has_to_be_typed(fee: Any):
    arguments = {"fee": fee, "amounts": [20]}
    measures = measures_of(ACTION, arguments, None)
    assert (measures.amount, measures.unread) == (20, ("fee",))
    assert confirmation_phrase(ACTION, measures, RULES) == "unknown fee"
    assert "parse_failure" in raised_by_risk("B", ACTION, arguments, None, RULES, OURS).reasons
    assert "fee cannot be read" in _headline(arguments, None)
    assert not measures.is_within(measures)


def test_what_adds_up_to_endless_money_is_no_number_either():
    measures = measures_of(ACTION, {"batch": ["1e308", 1e308]}, Preview(amount=20))
    assert (measures.amount, measures.unread) == (20, ("amount",))


def test_another_currency_is_not_the_same_money():
    euros, pounds = (
        measures_of(ACTION, {"fee": "20"}, Preview(currency=each)) for each in ("EUR", "GBP")
    )
    assert euros.is_within(euros)
    assert not pounds.is_within(euros)


def test_somebody_outside_is_named_in_front_of_a_hundred_of_our_own():
    ours = [f"p{n}@aurora.example" for n in range(100)]
    headline = _headline({"payees": [*ours, "eve@evil.example"]}, None)
    assert 'to "eve@evil.example", "p0@aurora.example"' in headline
    assert headline.endswith("and 61 more")


MONEY = st.floats(min_value=-1e6, max_value=1e6).map(lambda each: round(each, 2))
NAMES = st.sampled_from(
    ("marta", "ben@aurora.example", "eve@evil.example", "a@x.example, b@aurora.example", "Mallory")
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=30) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=40,
)
ARGUMENTS = st.fixed_dictionaries(
    {},
    optional={
        "amounts": st.lists(MONEY, max_size=30),
        "fee": st.one_of(MONEY.map(str), st.text(max_size=8)),
        "batch": JSON,
        "copies": st.integers(-60, 60),
        "sizes": st.lists(st.integers(0, 9), max_size=30),
        "accounts": st.lists(st.from_regex(r"\d{1,4}", fullmatch=True), max_size=30),
        "ids": st.lists(st.text(max_size=3), max_size=30),
        "rows": JSON,
        "payees": st.lists(NAMES, max_size=60),
        "copy": NAMES,
        "crew": st.lists(st.sampled_from(("marta", "ben", "eve@evil.example")), max_size=30),
    },
)
PREVIEWS = st.none() | st.builds(
    Preview,
    count=st.none() | st.integers(0, 60),
    amount=st.none() | st.floats(0, 1e6),
    currency=st.sampled_from(("", "EUR")),
    recipients=st.lists(NAMES, max_size=60).map(tuple),
)


@given(arguments=ARGUMENTS, preview=PREVIEWS)
def test_what_raises_is_in_the_headline_and_what_is_large_is_typed(
    arguments: dict[str, Any], preview: Preview | None
):
    headline = _headline(arguments, preview)
    measures = measures_of(ACTION, arguments, preview)
    phrase = confirmation_phrase(ACTION, measures, RULES) or ""
    count, amount = measures.count or 0, measures.amount or 0.0
    written = format_amount(amount, measures.currency)
    said = {
        "bulk": count > RULES.bulk_count and f"{count} × payment" in headline,
        "amount": amount > RULES.amount and written in headline,
        "parse_failure": all(f"{name} cannot be read" in headline for name in measures.unread)
        and phrase.count("unknown ") == len(measures.unread) > 0,
        "outside_recipients": any(
            neutralize_value(each) in headline
            for each in external_recipients(ACTION, arguments, preview, OURS)
        ),
    }
    reasons = raised_by_risk("B", ACTION, arguments, preview, RULES, OURS).reasons
    assert [each for each in reasons if not said[each]] == []
    assert (f"{count} payment" in phrase) == (count > RULES.typed_count)
    assert (written in phrase) == (amount > RULES.typed_amount)


@given(arguments=ARGUMENTS)
def test_leaving_one_argument_out_concerns_no_more(arguments: dict[str, Any]):
    names = list(arguments)
    steps = [{name: arguments[name] for name in names[:end]} for end in range(len(names) + 1)]
    for less, more in pairwise(measures_of(ACTION, step, None) for step in steps):
        assert less.unread or less.is_within(more)


def _headline(arguments: dict[str, Any], preview: Preview | None) -> str:
    row = standing_of(supplier="K").model_copy(update={"arguments": arguments, "preview": preview})
    return dialog_of(row, ACTION, RULES, OURS).headline
