"""All shipped packs at once: who has a role in one of them is understood in that one."""

from typing import Any

import pytest

from state.principal import Principal
from tests.graph.harbour import EVERY
from tests.packs.research.conftest import OpenTalk
from tests.packs.research.conversation import MEMBER, VIEWER

pytestmark = pytest.mark.xdist_group("every-pack")  # one worker learns them, once

ENGINEER = Principal(user="ben", tenant_id="default", roles=("engineer",))
BOTH = Principal(user="bo", tenant_id="default", roles=("engineer", "member"))
BY_WORDS: dict[str, Any] = {"embedder": "none"}
"""Half a minute less than with the encoder."""


@pytest.mark.parametrize(
    ("text", "who", "action"),
    [
        ("check stock of oil filters", ENGINEER, "check_stock"),
        ("search the documents for impeller replacement", ENGINEER, "search_documents"),
        ("add note to WO-1042: no leaks", ENGINEER, "add_note_to_work_order"),
        ("show WO-1042", ENGINEER, "show_work_order"),
        ("find recent papers on whale song", MEMBER, "search_papers"),
        ("search for whale song", VIEWER, "search_papers"),
        ("add P-1 to the library", MEMBER, "add_to_library"),
        ("note on P-1: small sample", MEMBER, "add_research_note"),
        ("analyse P-2", VIEWER, "analyse_paper"),
        ("find recent papers on whale song", BOTH, "search_papers"),
        ("check stock of oil filters", BOTH, "check_stock"),
    ],
)
async def test_each_is_understood_in_their_pack(open_talk: OpenTalk, text, who, action):
    async with open_talk(EVERY, **BY_WORDS) as talk:
        assert (await talk.says(text, who)).action == action


async def test_the_stage_is_the_one_of_its_pack(open_talk: OpenTalk):
    async with open_talk(EVERY, **BY_WORDS) as talk:
        assert (await talk.says("find papers on whale song", BOTH)).stage == "finding_papers"
        assert (await talk.says("check stock of oil filters", BOTH)).stage is None
        assert (await talk.memory()).stage == "finding_papers"


async def test_nothing_is_remembered_for_a_pack_in_which_one_is_nobody(open_talk: OpenTalk):
    async with open_talk(EVERY, **BY_WORDS) as talk:
        told = await talk.says("we are working on the bilge pump alarm panel", ENGINEER)
        assert told.intent != "remember"
        told = await talk.says("we are working on whale song in shallow seas", MEMBER)
        assert told.intent == "remember"


@pytest.mark.parametrize(
    ("text", "action", "place"),
    [
        ("tag the second one as acoustics", "tag_paper", "P-10"),
        ("label the third one as important", "tag_paper", "P-11"),
        ("add the first one to the library", "add_to_library", "P-9"),
    ],
)
async def test_what_points_at_a_paper_names_nobody_on_board(
    open_talk: OpenTalk, text: str, action: str, place: str
):
    async with open_talk(EVERY, **BY_WORDS) as talk:
        await talk.says("find papers on whale song", BOTH)
        said = await talk.says(text, BOTH)
        assert said.action == action
        assert place in said.model_dump_json(include={"arguments"})
