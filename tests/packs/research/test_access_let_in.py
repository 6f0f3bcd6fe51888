"""Papers that are not free to read are let in again, by whatever is said wholly of that."""

import pytest

from tests.packs.research.conversation import Talk


@pytest.mark.parametrize(
    "text",
    [
        "closed ones too", "paywalled ones too", "closed as well", "and closed ones",
        "and the closed ones", "non-OA papers too", "also paywalled papers", "closed access too",
        "the paywalled ones as well", "include closed ones", "I don't mind paywalls",
        "subscription papers too", "not only open access",
    ],
)  # fmt: skip
async def test_what_is_not_free_is_let_in_again(talk: Talk, text: str) -> None:
    await talk.says("find open access papers on whale song")

    record = await talk.says(text)

    assert (record.outcome, record.action) == ("executed", "search_papers")
    assert (record.arguments or {})["open_access_only"] is False
    assert "5 papers on whale song:" in record.text
    assert "Not followed" not in record.text


@pytest.mark.parametrize(
    "text", ["we closed ones too many", "the lab closed in 2020", "I closed it"]
)
async def test_what_is_only_told_changes_no_search(talk: Talk, text: str) -> None:
    await talk.says("find open access papers on whale song")

    record = await talk.says(text)

    assert record.action != "search_papers"
