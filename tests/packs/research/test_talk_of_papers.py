"""Talk that holds the words of an intent forces no read; a request still does."""

import pytest

from tests.packs.research.conversation import Talk

TALK = (
    "papers on bees bore me to death", "Tom wants papers on bees", "how do I find papers on bees",
    "what happens if I search for papers on bees", "did you find papers on bees",
    "find papers on bees? hard pass", "papers on bees are overrated",
    "most papers on bees never get cited",
)  # fmt: skip
ELSEWHERE = (
    "who has access to the fridge", "who has seen my keys", "what channels are on TV",
    "show me what channels you watch", "where do we stand on pizza", "where are we going for lunch",
    "what tags are on my shirt", "what notes did he sing", "what's our topic for dinner",
    "show me the results of the match again", "more wine please",
)  # fmt: skip
ASKED = {
    "who has access to our library": "show_shares",
    "who can see this": "show_shares",
    "what channels are there": "list_channels",
    "which channels are in analysis right now?": "list_channels",
    "where do we stand": "show_research_state",
    "so where are we with all this?": "show_research_state",
    "what tags do we have": "list_tags",
    "show me the notes on P-1": "show_notes",
    "my supervisor wants papers on bees": "search_papers",
    "papers on how bees are pollinating crops": "search_papers",
    "are there any papers on bees": "search_papers",
}


async def test_talk_of_papers_runs_no_search(talk: Talk) -> None:
    for number, text in enumerate(TALK):
        record = await talk.says(text, session=f"s{number}")

        assert record.outcome != "executed", text
        assert (await talk.policy(record)).get("force_tool") is None, text


async def test_what_is_elsewhere_is_not_forced(talk: Talk) -> None:
    for number, text in enumerate(ELSEWHERE):
        record = await talk.says(text, session=f"s{number}")

        assert (await talk.policy(record)).get("force_tool") is None, text


@pytest.mark.parametrize(("text", "action"), list(ASKED.items()))
async def test_a_whole_request_is_forced(talk: Talk, text: str, action: str) -> None:
    record = await talk.says(text)

    assert (record.outcome, record.action) == ("executed", action)
    assert (await talk.policy(record))["force_tool"] == action
