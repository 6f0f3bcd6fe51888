"""How it is: a person's wishes, mood and rapport, across sessions and restarts, and no further."""

from typing import Any

import pytest

from state.errors import Forbidden, NotFound
from state.personality import TRAITS, Personality
from state.talk import TalkRequest
from tests.graph.harbour import Harbour
from tests.packs.companion.conftest import ROBIN, SAM, WATCHER, OpenCompanion

MINED = {"source": "minecraft", "salience": {"goal_relevance": 0.9}}
CREEPER = {"source": "minecraft", "salience": {"threat": 0.95}}


async def standing(companion: Harbour, session: str = "default", **given: Any) -> Personality:
    return await companion.executive.personality.standing("default", session, **given)


async def test_a_wish_in_words_moves_a_trait_and_is_taken_back_by_another(companion: Harbour):
    assert (await companion.says("be a bit less formal", SAM)).text == "I'll be less formal."
    assert (await standing(companion)).effective_traits.formality == pytest.approx(0.25)
    await companion.says("talk more formally", SAM)
    assert (await standing(companion)).effective_traits.formality == pytest.approx(0.45)
    await companion.says("be yourself again", SAM)
    assert (await standing(companion)).effective_traits.formality == pytest.approx(0.35)


async def test_a_character_is_a_persons_own_in_every_session_and_after_a_restart(
    open_companion: OpenCompanion,
):
    async with open_companion() as companion:
        await companion.says("switch to the dry wit personality", SAM)
        await companion.says("be less sarcastic", SAM)
    async with open_companion() as companion:
        mine = await standing(companion, "another", user="sam")
        assert (mine.template, mine.user_overrides.sarcasm) == ("dry_wit", -0.2)
        # Its mood rests a little low, as its enthusiasm does.
        assert mine.effective_traits.sarcasm == pytest.approx(0.6, abs=0.02)
        theirs = await standing(companion, "another", user="robin")
        assert (theirs.template, theirs.effective_traits.sarcasm) == (None, 0.2)


async def test_in_one_session_the_manner_follows_who_spoke_last(companion: Harbour):
    await companion.says("switch to the butler personality", SAM)
    await companion.says("hello", ROBIN)
    assert (await standing(companion)).template is None
    await companion.says("hello", SAM)
    assert (await standing(companion)).template == "butler"


async def test_who_gives_no_name_changes_nobodys_profile(companion: Harbour):
    await companion.says("hello", SAM)
    wish = {"kind": "trait", "trait": "sarcasm", "value": 1.0}
    await companion.signals(talk=wish)
    await companion.says("be much more sarcastic", user=None, kind="message")
    assert (await standing(companion)).user_overrides.sarcasm == 0.0


async def test_one_word_of_a_name_is_enough_and_an_unknown_one_is_told(companion: Harbour):
    assert (await companion.says("use the wit personality", SAM)).text.startswith("I'll talk as")
    unknown = await companion.says("switch to the pirate personality", SAM)
    assert unknown.text.startswith("I know no personality called pirate. I know: butler,")
    wish = TalkRequest(kind="template", topic="pirate")
    with pytest.raises(NotFound, match="no personality 'pirate'"):
        await companion.executive.personality.change(SAM, "default", wish)
    assert (await standing(companion)).template == "dry_wit"


async def test_who_may_change_nothing_changes_no_manner(companion: Harbour):
    refused = await companion.says("be more sarcastic", WATCHER)
    assert "you need a role that permits changes" in refused.text
    wish = TalkRequest(kind="trait", trait="sarcasm", value=1.0)
    with pytest.raises(Forbidden):
        await companion.executive.personality.change(WATCHER, "default", wish)


async def test_praise_is_remembered_of_who_gave_it(open_companion: OpenCompanion):
    async with open_companion() as companion:
        await companion.says("hello", SAM)
        await companion.happens("Iron ore found", **MINED)
        await companion.says("good catch", SAM)
        assert (await standing(companion)).rapport == pytest.approx(0.328)
        await companion.happens("Gold ore found", **MINED)
        taken = await companion.says("that's annoying", SAM)
        assert (taken.outcome, taken.reason) == ("spoke", "nothing_asked")
        assert (await standing(companion)).rapport == pytest.approx(0.328 * 0.92)
    async with open_companion() as companion:
        assert (await standing(companion, "new", user="sam")).rapport < 0.31
        assert (await standing(companion, "new", user="robin")).rapport == 0.3


async def test_bad_luck_lowers_the_mood_and_three_times_of_it_the_sarcasm(companion: Harbour):
    await companion.says("switch to the dry wit personality", SAM)
    for number in range(3):
        companion.pass_seconds(20)  # what comes at once is told together, and counts then
        await companion.happens(f"You died, time {number}", **MINED)
    now = await standing(companion)
    assert now.mood.valence < -0.25
    assert now.circumstances["user_struggling"] == 1.0
    assert now.effective_traits.sarcasm == pytest.approx(0.3 - 0.25 * -now.mood.valence, abs=1e-5)
    companion.pass_seconds(3600)
    later = await standing(companion)
    assert (later.circumstances, later.effective_traits.sarcasm > 0.7) == ({}, True)


@pytest.mark.parametrize("level", [0.0, 0.5, 1.0])
async def test_no_trait_moves_a_class_a_gate_or_an_alert(companion: Harbour, level: float):
    """Personality is bias, never strategy. Source: executive.md §1.6."""
    for trait in TRAITS:
        wish = TalkRequest(kind="trait", trait=trait, value=level)
        await companion.executive.personality.change(SAM, "default", wish)
    traits = (await standing(companion)).effective_traits
    assert traits.humor == traits.verbosity == pytest.approx(level)
    alert = await companion.happens("Creeper behind you", **CREEPER)
    assert (alert.outcome, alert.response_type, alert.timing) == ("spoke", "alert", "immediate")
    assert alert.text == "Creeper! Back off three blocks before it blows."
    offered = await companion.says("note: the village needs beds", SAM)
    assert (offered.outcome, offered.execution_class) == ("offered", "B")
    offer = (await companion.executive.offers.list("default"))[0]
    done = await companion.executive.offers.choose(offer.offer_id, offer.chips[0].chip_id, SAM)
    assert done.outcome == "executed"
    gated = await companion.says("delete note N-1", SAM)
    assert (gated.outcome, gated.execution_class) == ("awaiting_approval", "C")
    assert (await companion.says("show my notes", SAM)).text == "N-1: the village needs beds"
