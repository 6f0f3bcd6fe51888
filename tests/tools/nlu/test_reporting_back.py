"""Who ends an order with a wish to hear of it orders the same as who does not."""

from pathlib import Path

import pytest

from tests.tools.nlu.conftest import ORDERS
from tools.nlu.intents.router import Router
from tools.nlu.lexicon.normalization import normalise
from tools.nlu.lexicon.politeness import without_report

ENDS = [
    "and let me know",
    "and let us know when it's done",
    ", tell me once done",
    ". Let me know when you're finished, please.",
    "; then report back to me",
    "and keep me posted, thanks!",
    "and please notify me as soon as it is closed",
    ", and let me know how it went",
    "and confirm back",
]
KEPT = [
    "close WO-1042 and let him know",
    "close WO-1042 and let me know who had it",
    "close WO-1042 and let me know if that's allowed",
    "close WO-1042 and tell me if it's ok",
    "close WO-1042 and confirm",
    "close WO-1042 and report",
    "close WO-1042 and tell me the stock of the pump",
    "close WO-1042 and alert everyone",
    "close WO-1042 and tell me if it was reopened by Ana",
    "note on WO-1042: call the yard and let me know",
    'add the note "fixed it, tell me" to WO-1042',
    'write "fixed it and let me know',
    "add a note that he was here and let me know",
    "WO-1042 - call Ana and let me know",
    "once WO-1042 is closed, tell me",
    "send Luca a message to check the stock and let us know",
    "add a comment on WO-1042 to check the seal and let me know",
    "ask Luca to check the pump and confirm to me",
    "tell Luca to fix the pump and let me know when it's fixed",
    "create a task to check the pump and let me know",
    "remind me tomorrow and notify me",
    "let me know",
    "and let me know when it's done",
    ", tell me",
]


@pytest.mark.parametrize("end", ENDS)
def test_an_end_that_asks_to_hear_of_it_changes_nothing_of_an_order(
    hearing: Router, data_dir: Path, end: str
) -> None:
    (data_dir / "orders.json").write_text(ORDERS)
    joint = "" if end[0] in ",.;" else " "
    text = f"close WO-1042{joint}{end}"
    plain = hearing.route("close WO-1042", data_dir=data_dir)
    routing = hearing.route(text, data_dir=data_dir)

    assert plain.action == "close_work_order"
    assert routing.text == text
    assert (routing.action, routing.slots, routing.held) == (plain.action, plain.slots, plain.held)
    assert routing.confidence == plain.confidence
    assert [one for one in routing.reasons if one.startswith("reports:")]


@pytest.mark.parametrize("text", KEPT)
def test_what_is_more_than_that_or_all_of_a_text_or_to_be_written_is_kept(text: str) -> None:
    normal = normalise(text)
    assert without_report(normal) == (normal, None)


def test_what_is_left_keeps_its_places_in_the_original() -> None:
    short, _ = without_report(normalise("Close ﬁle A now, and tell me"))
    assert short.written(*short.tokens[1][1:]) == "ﬁle"
    normal, end = without_report(normalise("CLOSE WO-1042 — AND TELL ME WHEN DONE!"))
    assert (normal.text, end) == ("close wo-1042", "AND TELL ME WHEN DONE")
    assert normal.written(0, len(normal.text)) == "CLOSE WO-1042"
