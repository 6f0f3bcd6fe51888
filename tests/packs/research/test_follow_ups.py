"""Follow-ups that sound like other requests, or hold words that look like fields."""

import pytest

from packs.research.lookups import coined_names
from state.paper import Paper
from tests.packs.research.conversation import Talk


async def test_a_filter_is_dropped_though_dropping_sounds_like_removing(talk: Talk):
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
async def test_the_second_one_is_a_paper_and_no_year(talk: Talk, text: str, year: int | None):
    await talk.says("find papers on whale song")

    record = await talk.says(text)

    assert record.action == "find_similar_papers"
    assert (record.arguments or {}).get("year_from") == year
    assert record.outcome == "executed", record.text


async def test_make_it_ten_is_ten_though_ten_were_asked_for_before(talk: Talk):
    await talk.says("find papers on whale song")

    record = await talk.says("make it ten")

    assert record.action == "search_papers"
    assert (record.arguments or {})["limit"] == 10


async def test_a_search_that_finds_nothing_ends_the_list_before_it(talk: Talk):
    await talk.says("find papers on whale song")
    await talk.says("find papers on quantum gravity")

    record = await talk.says("add the second one to the library")

    assert (await talk.memory()).listed["paper"].values == ()
    assert "The last list is empty" in record.text, (record.outcome, record.text)
    assert record.offer_id is None


async def test_a_search_that_finds_one_paper_is_a_list_of_one(talk: Talk):
    await talk.says("find papers on whale song")
    await talk.says("find papers on whale song dialects from 2018")

    listed = (await talk.memory()).listed["paper"]
    record = await talk.says("add the second one to the library")

    assert len(listed.values) == 1
    assert "the last list has 1" in record.text


async def test_a_paper_that_is_looked_at_leaves_its_list_on_the_table(talk: Talk):
    await talk.says("find papers on whale song")
    before = (await talk.memory()).listed["paper"].values

    await talk.says("show the second one")

    listed = (await talk.memory()).listed["paper"]
    assert (listed.values, listed.it) == (before, before[1])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "find papers on whale song since 2023 before 2020",
            "I can't do this part: “since 2023” and “before 2020” (no year is both).",
        ),
        (
            "find papers on whale song since 2035",
            "I can't do this part: “since 2035” (in the future).",
        ),
        (
            "find papers on whale song not by Smith",
            "I can't do this part: “not by Smith” (nothing can be left out by that).",
        ),
        (
            "find the top 500 papers on whale song",
            "I can't do this part: “the top 500 papers” (a search gives at most 100).",
        ),
    ],
)
async def test_what_a_search_does_not_follow_is_told(talk: Talk, text: str, sentence: str):
    record = await talk.says(text)

    assert record.outcome == "executed"
    assert record.text.splitlines()[-1] == sentence


async def test_a_search_that_follows_everything_tells_of_nothing(talk: Talk):
    record = await talk.says("find recent papers on whale song since 2018, any access")

    assert "I can't do this part" not in record.text


async def test_a_search_that_nobody_answered_is_told_plainly_and_can_be_refined(talk: Talk):
    talk.are_down()

    failed = await talk.says("find papers on whale song by Castellote")
    record = await talk.says("only open access")

    assert failed.outcome == "failed"
    assert (
        "Nothing was lost: try again in a while; `prefrontal why` tells what each one said."
        in failed.text
    )
    assert "Semantic Scholar" not in failed.text
    outcome = (await talk.harbour.executive.records.trace(failed.decision_id, "default")).stages
    assert "Semantic Scholar: " in outcome["outcome"]["reason"]
    assert record.action == "search_papers"
    assert (record.arguments or {})["open_access_only"] is True
    assert (record.arguments or {})["query"] == "whale song"
    assert (record.arguments or {})["authors"] == ["Castellote"]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("are there any reviews", "whale song reviews"),
        ("any surveys?", "whale song surveys"),
        ("reviews of wasp venom", "reviews wasp venom"),
        ("I meant ants", "ants"),
    ],
)
async def test_a_kind_of_paper_narrows_the_last_search_and_a_topic_replaces_it(
    talk: Talk, text: str, query: str
):
    await talk.says("find papers on whale song")

    record = await talk.says(text)

    assert record.action == "search_papers"
    assert (record.arguments or {})["query"] == query


# Papers that are not free to read are let in again, by whatever is said wholly of that.


@pytest.mark.parametrize(
    "text",
    [
        "closed ones too", "paywalled ones too", "closed as well", "and closed ones",
        "and the closed ones", "non-OA papers too", "also paywalled papers", "closed access too",
        "the paywalled ones as well", "include closed ones", "I don't mind paywalls",
        "subscription papers too", "not only open access",
    ],
)  # fmt: skip
async def test_what_is_not_free_is_let_in_again(talk: Talk, text: str):
    await talk.says("find open access papers on whale song")

    record = await talk.says(text)

    assert (record.outcome, record.action) == ("executed", "search_papers")
    assert (record.arguments or {})["open_access_only"] is False
    assert "5 papers on whale song:" in record.text
    assert "I can't do this part" not in record.text


@pytest.mark.parametrize(
    "text", ["we closed ones too many", "the lab closed in 2020", "I closed it"]
)
async def test_what_is_only_told_changes_no_search(talk: Talk, text: str):
    await talk.says("find open access papers on whale song")

    assert (await talk.says(text)).action != "search_papers"


def paper(title: str, abstract: str = "") -> Paper:
    return Paper(paper_id=title, ids={}, title=title, authors=(), abstract=abstract)


@pytest.mark.parametrize(
    ("title", "abstract", "names"),
    [
        ("BERT: Pre-training of transformers", "", ["BERT"]),
        ("A network for images", "We introduce a new U-Net for cells.", ["U-Net"]),
        ("Graphs", "We present graph attention networks (GATs), which weigh.", ["GAT"]),
        ("Few examples", "We train a model called GPT-3 on text.", ["GPT-3"]),
        ("Layers", "We present Layers and propose Methods.", []),
        ("Residuals", "Networks of 152 layers are trained on ImageNet.", []),
        ("A study of COVID in Kenya", "", []),
    ],
)
def test_what_a_paper_coins_names_it(title: str, abstract: str, names: list[str]):
    assert coined_names({"P-1": paper(title, abstract)}) == {"P-1": names}


def test_a_name_that_two_papers_coin_names_neither():
    first = paper("BERT: one", "We present ViT.")
    second = paper("Another", "We propose BERT.")

    assert coined_names({"P-1": first, "P-2": second}) == {"P-1": ["ViT"], "P-2": []}


# Talk that holds the words of an intent forces no read; a request still does.

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


async def test_talk_of_papers_runs_no_search(talk: Talk):
    for number, text in enumerate(TALK):
        record = await talk.says(text, session=f"s{number}")

        assert record.outcome != "executed", text
        assert (await talk.policy(record)).get("force_tool") is None, text


async def test_what_is_elsewhere_is_not_forced(talk: Talk):
    for number, text in enumerate(ELSEWHERE):
        record = await talk.says(text, session=f"s{number}")

        assert (await talk.policy(record)).get("force_tool") is None, text


@pytest.mark.parametrize(("text", "action"), list(ASKED.items()))
async def test_a_whole_request_is_forced(talk: Talk, text: str, action: str):
    record = await talk.says(text)

    assert (record.outcome, record.action) == ("executed", action)
    assert (await talk.policy(record))["force_tool"] == action


# What a channel keeps of what is said in passing reads as a topic or question of research.

CHAT = (
    "our project is a mess", "our topic is a complete mess", "our project is about to fail",
    "my thesis is on hold", "the project is late", "the topic is off limits",
    "the topic is lunch at noon", "my project is coral bleaching in warm seas",
    "I am interested in buying a boat", "I am interested in papers on bees",
    "we are studying for the exam", "we're studying at the library", "I'm working on my tan",
    "we are working on the slides", "we are researching flights to Rome",
    "I want to understand why the coffee is cold", "I want to find out who ate my lunch",
    "my question is why the coffee is cold",
)  # fmt: skip


async def test_chat_sets_no_topic_and_no_question(talk: Talk):
    for text in CHAT:
        assert (await talk.says(text)).intent != "remember", text
        assert not (await talk.memory()).facts, text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("we work on whale song in shallow seas", "topic: whale song in shallow seas"),
        ("we are working on the effect of noise", "topic: the effect of noise"),
        ("our project is about whale song", "topic: whale song"),
        ("my thesis is on coral bleaching", "topic: coral bleaching"),
        ("I am writing a paper on coral reefs", "topic: coral reefs"),
        ("I'm studying coral bleaching", "topic: coral bleaching"),
        ("my topic is graph neural networks", "topic: graph neural networks"),
        ("our question is why bees decline", "question: why bees decline"),
        ("our research question is how noise changes song", "question: how noise changes song"),
        ("we are investigating whether grazing pays", "question: whether grazing pays"),
    ],
)
async def test_what_is_noted_is_told(talk: Talk, text: str, told: str):
    record = await talk.says(text)

    assert (record.intent, record.text) == ("remember", f"Noted. Research {told}")
