"""What shapes its words: where it is, who it is, what was asked for; the facts stay."""

from pathlib import Path

from graph.settings import ROOT
from state.session import Session
from tests.graph.harbour import Harbour
from tests.openai_server import OpenAIServer, Rule
from tests.packs.companion.conftest import SAM, OpenCompanion

PARCEL = {"goal_relevance": 0.9, "opportunity": 0.9}


async def loaded(companion: Harbour) -> set[str]:
    skills = await companion.executive.personality.skills("default", "default")
    return {skill.name for skill in skills if skill.is_loaded}


async def spoke(companion: Harbour, decision_id: str) -> tuple[str, ...]:
    trace = await companion.executive.records.trace(decision_id, "default")
    return tuple(trace.stages["response"]["skills_used"])


async def test_a_domain_comes_with_its_source_and_goes_with_the_context(companion: Harbour):
    assert await loaded(companion) == set()
    found = await companion.happens(
        "Diamond ore in the wall", source="minecraft", salience=PARCEL, payload={"y": -54}
    )
    assert found.text.startswith("Diamonds! At y -54; an iron pickaxe or better takes them.")
    assert await spoke(companion, found.decision_id) == ("minecraft_expertise", "personality")
    assert await loaded(companion) == {"minecraft_expertise"}
    await companion.signals(context="work.desktop")
    assert await loaded(companion) == {"desktop_sense"}
    await companion.signals(context="")
    assert await loaded(companion) == set()


async def test_where_it_is_decides_what_speaking_costs(companion: Harbour):
    async def threshold() -> float:
        attention = companion.executive.controls
        return round((await attention.standing("default", "default")).threshold, 2)

    assert await threshold() == 0.45
    await companion.signals(context="work.desktop")
    assert await threshold() == 0.60
    await companion.signals(context="gaming.minecraft")
    assert await threshold() == 0.45


async def test_styles_follow_the_traits(companion: Harbour):
    await companion.says("switch to the butler personality", SAM)
    assert await loaded(companion) == {"courtesy"}
    # Drawn by the decision's id, which follows from the event's: as formal as a butler is, one of
    # twenty stays plain.
    parcel = await companion.happens(
        "A parcel's at the door", event_id="parcel", source="doorbell", salience=PARCEL
    )
    assert "courtesy" in await spoke(companion, parcel.decision_id)
    await companion.says("switch to the dry wit personality", SAM)
    assert await loaded(companion) == {"sarcasm"}
    await companion.says("no sarcasm", SAM)
    assert await loaded(companion) == set()


async def test_what_is_asked_for_is_loaded_and_left_by_name(companion: Harbour):
    asked = await companion.says("load the narration skill", SAM)
    assert asked.text == "I'll use the skill stream narration."
    assert await loaded(companion) == {"stream_narration"}
    told = await companion.happens(
        "Portal lit", source="camera", salience=PARCEL, payload={"biome": "plains"}
    )
    assert told.text.startswith("Portal lit. This is in the plains.")
    await companion.says("stop using the stream narration skill", SAM)
    assert await loaded(companion) == set()
    unknown = await companion.says("load the cooking skill", SAM)
    assert unknown.text.startswith("I know no skill called cooking. I know: cheering, courtesy,")


async def test_a_skill_that_was_left_stays_silent_after_a_restart(open_companion: OpenCompanion):
    async with open_companion() as companion:
        await companion.signals(context="gaming.minecraft")
        await companion.says("unload the minecraft skill", SAM)
    async with open_companion() as companion:
        assert await loaded(companion) == set()
        session: Session = await companion.session()
        assert session.skills == {"minecraft_expertise": "unloaded"}


async def test_a_model_may_phrase_it_and_lose_nothing(
    open_companion: OpenCompanion, openai_server: OpenAIServer, tmp_path: Path
):
    openai_server.rules.append(
        Rule(when="door", says={"say": "There is parcel 7 at the door, my friend."})
    )
    patient = tmp_path / "policy.toml"  # the first call imports the client, which takes seconds
    text = (ROOT / "policy.toml").read_text("utf-8")
    patient.write_text(text.replace("phrase_seconds = 2.0", "phrase_seconds = 60.0"), "utf-8")
    given = {
        "model": "test",
        "model_base_url": openai_server.base_url,
        "model_phrases": True,
        "policy_file": patient,
    }
    async with open_companion(**given) as companion:
        worded = await companion.happens(
            "Parcel 7 is at the door", source="doorbell", salience=PARCEL
        )
        assert worded.text == "There is parcel 7 at the door, my friend."
        assert await spoke(companion, worded.decision_id) == ("model", "personality")
        companion.pass_seconds(60)
        wrong = await companion.happens(
            "Parcel 8 is at the door, do not open it", source="doorbell", salience=PARCEL
        )
        assert wrong.text.startswith("Parcel 8 is at the door, do not open it.")
        trace = await companion.executive.records.trace(wrong.decision_id, "default")
        assert trace.stages["response"]["kept_plain"] == ["model: lost 8, added 7, lost open"]
