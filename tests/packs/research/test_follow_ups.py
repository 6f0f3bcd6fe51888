"""Follow-ups that sound like other requests, or hold words that look like fields."""

import pytest

from tests.packs.research.conversation import Talk


async def test_a_filter_is_dropped_though_dropping_sounds_like_removing(talk: Talk) -> None:
    await talk.says("find papers on whale song since 2022, open access only")

    record = await talk.says("drop the year limit")

    assert (record.outcome, record.action) == ("executed", "search_papers")
    assert record.arguments is not None
    assert "year_from" not in record.arguments
    assert record.arguments["open_access_only"] is True


@pytest.mark.parametrize(
    ("text", "year"),
    [("more like the second one", None), ("more like the second one since 2021", 2021)],
)
async def test_the_second_one_is_a_paper_and_no_year(
    talk: Talk, text: str, year: int | None
) -> None:
    await talk.says("find papers on whale song")

    record = await talk.says(text)

    assert record.action == "find_similar_papers"
    assert (record.arguments or {}).get("year_from") == year
    assert record.outcome == "executed", record.text
