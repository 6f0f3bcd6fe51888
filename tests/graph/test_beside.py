"""A wish for quiet beside a request: the quiet begins at once, the rest waits for a person."""

import pytest

from graph.presenters.explanation import explain
from tests.graph.harbour import Harbour

QUIET = "Quiet for 10 minutes. Threats of 0.8 or more still get through."


@pytest.mark.parametrize(
    "text",
    [
        "be quiet for 10 minutes then close lock LK-12",
        "close lock LK-12, be quiet for 10 minutes",
        "show lock LK-12 and please be quiet for 10 minutes",
    ],
)
async def test_both_are_heeded_and_nothing_runs(harbour: Harbour, text: str) -> None:
    said = await harbour.says(text)

    assert (said.outcome, said.offer_id is not None) == ("offered", True)
    assert said.text.startswith(f"{QUIET}\nDid you mean:")
    assert (await harbour.session()).muted_until is not None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("be quiet for 10 minutes, the guests are asleep", QUIET),
        ("be quiet for 10 minutes and paint the fence", f"{QUIET} I can't do this: “paint"),
    ],
)
async def test_what_no_action_covers_is_told(harbour: Harbour, text: str, told: str) -> None:
    assert (await harbour.says(text)).text.startswith(told)
    assert (await harbour.session()).muted_until is not None


@pytest.mark.parametrize(
    ("text", "told", "topics"),
    [
        ("be quiet for 10 minutes, and why did you do that?", "About “show lock LK-12”", ()),
        ("why did you do that and be quiet for 10 minutes", "About “show lock LK-12”", ()),
        ("what did I miss? then be quiet for 10 minutes, thanks", "You missed nothing", ()),
        ("be quiet for 10 minutes and undo that", "You have nothing here", ()),
        ("be quiet for 10 minutes and be less sarcastic", "I'll be less sarcastic.", ()),
        ("watch for swans and be quiet for 10 minutes", "Got it: I'll watch", ("swans",)),
        ("stop telling me about buoys and be quiet for 10 minutes", "I won't mention", ("buoys",)),
        ("we decided to paint the gate, be quiet for 10 minutes", "Noted: paint the gate.", ()),
        ("remind me in 2 hours to eat, and be quiet for 10 minutes", "I'll remind you at", ()),
        ("be quiet for 10 minutes, then you can talk again", "", ()),
    ],
)
async def test_what_else_was_said_is_answered_with_it(harbour: Harbour, text, told, topics) -> None:
    await harbour.says("show lock LK-12")
    said = await harbour.says(text)
    session = await harbour.session()

    assert said.text.startswith(f"{QUIET}\n{told}" if told else QUIET)
    assert session.muted_until is not None
    assert tuple(rule.topic for rule in session.topics) == topics


async def test_free_words_keep_what_may_be_theirs(harbour: Harbour) -> None:
    said = await harbour.says("remind me in 2 hours to eat and be quiet for 10 minutes")

    assert "eat and be quiet for 10 minutes" in said.text
    assert (await harbour.session()).muted_until is None


async def test_why_tells_of_both(harbour: Harbour) -> None:
    said = await harbour.says("be quiet for 10 minutes, and why did you do that?")
    trace = await harbour.executive.records.trace(said.decision_id, "default")
    told = "\n".join(line for part in explain(trace) for line in part.lines)

    assert "Also heard: a control request (mute)" in told
    assert "the rest was read as “why did you do that?”" in told


@pytest.mark.parametrize(
    "text",
    [
        "don't close lock LK-12 and be quiet for 10 minutes",
        "write in the log: they were asked, be quiet for 10 minutes",
        "note in the log that the buoy drifted and be quiet for 10 minutes",
        "he said close it and be quiet for 10 minutes",
    ],
)
async def test_what_is_denied_told_or_written_down_hushes_nobody(harbour: Harbour, text) -> None:
    await harbour.says(text)

    assert (await harbour.session()).muted_until is None
