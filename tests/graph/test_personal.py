"""What people tell of themselves: their names, and facts that they ask for later."""

import pytest

from tests.graph.conftest import OpenHarbour
from tests.graph.harbour import MASTER, Harbour
from tools.memory.recall import RecallScope
from tools.platform.texts import t


async def said(harbour: Harbour, *texts: str) -> str:
    """Let the keeper say all of it, and give the last answer."""
    return [(await harbour.says(text)).text or "" for text in texts][-1]


@pytest.mark.parametrize(
    ("told", "name"),
    [
        ("call me Captain", "Captain"),
        ("you can call me Max", "Max"),
        ("my name is Josephine, but Jo is fine", "Jo"),
        ("my name is Henrik", "Henrik"),
        ("please address me as Dr. Lee", "Dr. Lee"),
        ("I go by Kit", "Kit"),
    ],
)
async def test_a_name_is_kept_and_used_in_greetings(harbour: Harbour, told: str, name: str) -> None:
    assert await said(harbour, told) == f"I'll call you {name}."
    assert await said(harbour, "hello") == f"Hello, {name}."
    assert name in await said(harbour, "who am I?")
    assert await said(harbour, "what do you call me?") == f"You asked me to call you {name}."


async def test_a_name_goes_with_its_person_into_other_sessions(open_harbour: OpenHarbour) -> None:
    async with open_harbour() as harbour:
        await harbour.says("call me Captain")
    async with open_harbour() as harbour:
        assert (await harbour.says("hello", session_id="cabin")).text == "Hello, Captain."
        assert (await harbour.says("hello", MASTER, session_id="cabin")).text == "Hello."


async def test_a_name_that_is_not_wanted_is_dropped(harbour: Harbour) -> None:
    await harbour.says("call me sir")
    assert await said(harbour, "don't call me sir") == "I won't call you sir."
    assert await said(harbour, "hello") == "Hello."


@pytest.mark.parametrize(
    "text", ["call me at five", "call me a taxi", "call me when the crane is free", "call me back"]
)
async def test_to_be_rung_up_is_no_name(harbour: Harbour, text: str) -> None:
    await harbour.says(text)
    assert (await harbour.session()).profile.called is None


FACTS = (
    "my favourite block is obsidian",
    "I'm allergic to nuts",
    "the bins go out on Thursday",
    "remember that my car is parked on level 3",
)


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("what is my favourite block?", "Your favourite block is obsidian."),
        ("what am I allergic to?", "You're allergic to nuts."),
        ("when do the bins go out?", "The bins go out on Thursday."),
        ("where is my car?", "Your car is parked on level 3."),
        ("what is my favourite colour?", "I don't know that; you haven't told me."),
    ],
)
async def test_what_was_told_is_answered(harbour: Harbour, asked: str, answer: str) -> None:
    for one in FACTS:
        assert "I'll remember that" in await said(harbour, one)
    assert await said(harbour, asked) == answer
    other = (await harbour.says(asked, MASTER)).text or ""
    assert answer not in other or answer.startswith("I don't know")


async def test_a_correction_replaces_what_was_told(harbour: Harbour) -> None:
    await harbour.says("my favourite block is obsidian")
    now = "Your favourite block is diamonds."
    corrected = await said(harbour, "what is my favourite block?", "no, it's diamonds now")
    assert corrected == "I'll remember: Your favourite block is diamonds."
    assert await said(harbour, "what is my favourite block?") == now


async def test_a_fact_is_forgotten_alone_or_with_its_person(harbour: Harbour) -> None:
    for one in FACTS:
        await harbour.says(one)
    assert await said(harbour, "forget that I am allergic to nuts") == (
        "Forgotten: You're allergic to nuts"
    )
    assert "haven't told" in await said(harbour, "what am I allergic to?")
    assert "obsidian" in await said(harbour, "what is my favourite block?")
    await harbour.says("call me Captain")
    gone = await harbour.executive.recall.forget("amir", "default")
    assert gone.profile
    assert gone.said >= len(FACTS)
    assert "haven't told" in await said(harbour, "what is my favourite block?")
    assert await said(harbour, "hello") == "Hello."


@pytest.mark.parametrize("told", [("I'm allergic to nuts",), ()])
async def test_a_wish_to_forget_is_not_remembered(harbour: Harbour, told: tuple[str, ...]) -> None:
    await said(harbour, *told, "forget that I am allergic to nuts")
    assert await said(harbour, "what did I say about nuts?") == t("answer.recall.nothing")
    assert await harbour.executive.recall.recent(RecallScope("default")) == ()


async def test_nothing_is_kept_of_who_gives_no_name(harbour: Harbour) -> None:
    spoken = await harbour.executive.submit(
        harbour.event("my favourite block is obsidian", kind="message")
    )
    assert spoken.text == "You gave no name, so I can't keep that for you."
