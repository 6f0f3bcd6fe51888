"""It remembers what was said, by whom, about what, how taken; and what people are after."""

from sqlalchemy import Connection

from state.memory import Learnt, PackMemory
from state.principal import Principal
from state.remembered import Forgotten
from tests.graph.conftest import OpenHarbour
from tests.graph.harbour import KEEPER, MASTER, Harbour
from tests.stages import NOW
from tools.memory.recall import RecallScope
from tools.storage.reminders import read_due_times
from tools.storage.retention import forget_person
from tools.storage.sessions import save_session

GOAL = {"goal_relevance": 0.9}
OURS = RecallScope("default", said_by="us")


async def aims(harbour: Harbour) -> tuple[str, ...]:
    return (await harbour.session()).aims


async def test_what_did_i_say_is_answered_with_ones_own_words_of_any_session(harbour: Harbour):
    await harbour.says("The furnace leaks a little", session_id="forge")
    await harbour.says("The furnace is fine", MASTER)
    told = await harbour.says("What did I say about the furnace?")
    assert told.text == "16:00 amir: The furnace leaks a little"
    assert (await harbour.says("what did I say about the furnace?")).text == told.text


async def test_what_did_you_say_is_answered_with_ours_of_this_session(harbour: Harbour) -> None:
    await harbour.happens("Fog on the north pier", salience=GOAL)
    await harbour.happens("Fog on the south pier", salience=GOAL, session_id="elsewhere")
    told = await harbour.says("what did you tell me about the fog?")
    assert told.text == "16:00 I: Fog on the north pier"
    assert (await harbour.says("what did you say about eels?")).text.startswith(
        "I remember nothing"
    )


async def test_what_we_said_is_kept_with_what_it_was_and_how_it_was_taken(harbour: Harbour):
    happened = await harbour.happens("Fog on the north pier", salience=GOAL)
    await harbour.says("thanks")
    [_welcome, told] = await harbour.executive.recall.recent(OURS)
    assert (told.decision_id, told.reaction) == (happened.decision_id, "good")
    assert told.action["event_id"] == happened.event_id
    assert told.action["response_type"] == "observation"
    assert 0 <= told.action["effective_traits"]["proactive"] <= 1


async def test_what_nobody_answers_was_ignored(harbour: Harbour) -> None:
    await harbour.happens("Fog on the north pier", salience=GOAL)
    harbour.pass_seconds(300)
    await harbour.happens("A barge drifts", salience=GOAL)
    [_newest, first] = await harbour.executive.recall.recent(OURS)
    assert first.reaction == "ignored"


async def test_it_is_remembered_over_a_restart(open_harbour: OpenHarbour) -> None:
    async with open_harbour() as harbour:
        await harbour.says("The furnace leaks a little")
    async with open_harbour() as harbour:
        harbour.pass_seconds(86_400)
        told = await harbour.says("what did I tell you about furnaces?")
        assert told.text == "2026-06-14 16:00 amir: The furnace leaks a little"


async def test_nobody_hears_what_another_tenant_said(harbour: Harbour) -> None:
    await harbour.says("The furnace leaks a little")
    stranger = Principal(user="amir", tenant_id="other", roles=("keeper",))
    told = await harbour.says("what did I say about the furnace?", stranger, tenant_id="other")
    assert told.text.startswith("I remember nothing")


async def test_a_thing_is_known_by_words_and_decisions(harbour: Harbour) -> None:
    happened = await harbour.happens(
        "Level high", salience=GOAL, entities=[{"type": "lock", "value": "LK-12"}]
    )
    await harbour.says("LK-12 looks odd today")
    known = await harbour.executive.recall.entity("LK-12", "default", "default")
    assert {one.text for one in known.said} >= {"Level high", "LK-12 looks odd today"}
    assert happened.decision_id in {one.decision_id for one in known.said}


async def test_a_goal_is_told_in_passing_moves_on_and_ends(harbour: Harbour) -> None:
    await harbour.says("I want to finish the nether portal tonight")
    assert await aims(harbour) == ("finish the nether portal",)
    await harbour.says("the nether portal is half done")
    listed = await harbour.says("what are my goals?")
    assert listed.text == "finish the nether portal (open, 50 %)"
    ended = await harbour.says("I finished the portal")
    assert ended.text == "Well done: finish the nether portal."
    assert await aims(harbour) == ()


async def test_a_goal_for_tonight_lapses(harbour: Harbour) -> None:
    await harbour.says("I want to finish the nether portal tonight")
    harbour.pass_seconds(9 * 3600)
    await harbour.happens("a bird")
    [goal] = (await harbour.session()).goals
    assert (goal.standing, goal.by) == ("lapsed", "amir")


async def test_what_somebody_works_at_is_asked_about(harbour: Harbour) -> None:
    asked = await harbour.says("I'm working on the lighthouse")
    assert asked.text == "Is this a goal of yours: the lighthouse? Say yes or no."
    assert await aims(harbour) == ()
    await harbour.says("yes")
    assert await aims(harbour) == ("the lighthouse",)
    await harbour.says("forget the lighthouse goal")
    assert await aims(harbour) == ()


async def test_the_end_of_something_else_ends_no_goal(harbour: Harbour) -> None:
    await harbour.says("my goal is to dredge the channel")
    await harbour.says("I finished the sandwich")
    assert await aims(harbour) == ("dredge the channel",)


async def test_an_event_about_a_goal_matters_more_and_is_counted(harbour: Harbour) -> None:
    plain = await harbour.happens("The obsidian for the portal arrived", salience={"novelty": 0.4})
    await harbour.says("I want to finish the portal")
    near = await harbour.happens("Obsidian to finish the portal came", salience={"novelty": 0.4})
    assert (near.relevance or 0) > (plain.relevance or 0)
    [goal] = (await harbour.session()).goals
    assert goal.touched == 1


async def test_that_means_what_was_told_last(harbour: Harbour) -> None:
    crane = [{"value": "crane"}]
    await harbour.happens("The crane squeaks", salience=GOAL, entities=crane)
    await harbour.says("remind me about that in 10 minutes")
    assert await harbour.executive.initiative.next_due() is not None
    assert (await harbour.says("what are my reminders?")).text == "at 16:10: The crane squeaks"
    left = await harbour.says("stop telling me about that")
    assert left.text.startswith("I won't mention crane.")


async def test_that_means_what_was_shown_since(harbour: Harbour) -> None:
    await harbour.happens("The crane squeaks", salience=GOAL, entities=[{"value": "crane"}])
    harbour.pass_seconds(5)
    await harbour.says("show lock LK-12")
    left = await harbour.says("stop telling me about that")
    assert left.text.startswith("I won't mention lk-12.")
    others = await harbour.says("stop telling me about that", MASTER)
    assert others.text.startswith("I won't mention crane.")


async def test_a_goal_that_nobody_has_is_not_let_go(harbour: Harbour) -> None:
    said = await harbour.says("forget the portal goal")
    assert said.text == "You have no goal here about portal, so nothing was changed."
    await harbour.says("my goal is to finish the nether portal")
    assert (await harbour.says("forget the portal goal", MASTER)).text == said.text
    assert (await harbour.says("forget the portal goal")).text == "Your goal is removed: portal."


async def test_that_means_nothing_when_nothing_was_told(harbour: Harbour) -> None:
    assert (await harbour.says("stop telling me about that")).text.startswith("Nothing changed")
    assert harbour.clock.now() == NOW


async def test_one_person_s_goals_are_not_anothers_to_list_move_or_drop(harbour: Harbour) -> None:
    await harbour.says("my goal is to finish the nether portal")
    await harbour.says("my goal is to finish the nether portal", MASTER)
    for said in ("forget my goals", "the nether portal is half done", "I finished the portal"):
        await harbour.says(said, MASTER)
    goals = {(one.by, one.standing, one.progress) for one in (await harbour.session()).goals}
    assert goals == {("amir", "open", None), ("ingrid", "dropped", None)}
    listed = await harbour.says("what are my goals?", MASTER)
    assert listed.text == "finish the nether portal (dropped)"
    assert (await harbour.says("what are my goals?")).text == "finish the nether portal (open)"


async def test_what_is_known_of_oneself_is_told_to_nobody_else(harbour: Harbour) -> None:
    await harbour.says("my goal is to mend the sluice")
    await harbour.says("watch for eels")
    mine = (await harbour.says("What do you know about me?")).text
    assert mine.startswith("You are amir; ")
    assert "Goal: mend the sluice (open)" in mine
    assert "I watch for anything about eels here." in mine
    theirs = (await harbour.says("what do you know about me?", MASTER)).text
    assert theirs.startswith("You are ingrid; ")
    assert "sluice" not in theirs


async def test_a_person_is_forgotten_everywhere_and_nobody_else(harbour: Harbour) -> None:
    for who in (KEEPER, MASTER):
        # Five each, and none is pushed out.
        for place in ("north", "south", "east", "west", "inner"):
            await harbour.says(f"My goal is to finish the {place} pier", who, session_id="pier")
        await harbour.says("remind me in 20 minutes to call home", who)
        await harbour.says("be less sarcastic", who)
    said = await harbour.says("The furnace leaks a little")
    box = harbour.executive._box
    theirs = await harbour.says("The sluice is cold", MASTER)
    facts = {
        name: Learnt.model_validate(
            {"value": "leaks", "source": source, "at": 1.0, "decision_id": one.decision_id}
        )
        for name, source, one in (
            ("told", "said", said), ("sought", "search", said), ("done", "action", said),
            ("hers", "said", theirs),
        )
    }  # fmt: skip
    known = (await harbour.session()).model_copy(update={"memory": {"p": PackMemory(facts=facts)}})
    await box.database.write(lambda one: save_session(one, known, NOW.timestamp()))
    before = await read_due_times(box.database, 0.0, {})

    def counted(connection: Connection) -> Forgotten:
        return forget_person(connection, "default", "amir", is_trial=True)

    would = await box.database.read(counted)
    gone = await harbour.executive.recall.forget("amir", "default")
    assert gone == would
    assert (gone.said >= 4, gone.reminders, gone.goals, gone.profile) == (True, 1, 5, True)
    assert await box.database.read(counted) == Forgotten(user="amir")
    assert set((await harbour.session()).memory["p"].facts) == {"done", "hers"}
    # Who had read the sessions reads them anew, and nobody counts as having been there.
    ahead = await read_due_times(box.database, 0.0, before.active)
    assert all(goal.by != "amir" for one in ahead.active.values() for goal in one.session.goals)
    assert ahead.active["default", "pier"].updated_at < NOW.timestamp() + 0.001
    assert await harbour.executive.recall.recent(RecallScope("default", user="amir")) == ()
    assert await harbour.executive.recall.about("furnace", RecallScope("default")) == ()
    pier = await box.decisions.session("default", "pier", speaker="ingrid")
    assert [goal.by for goal in pier.goals] == ["ingrid"] * 5
    assert pier.profile.overrides.sarcasm < 0
    assert (await harbour.record(said.decision_id)).outcome == said.outcome  # what was done stays
