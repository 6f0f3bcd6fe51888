"""What is learned is kept, and is learned for everybody: so not everybody teaches."""

import pytest

from state.errors import Forbidden, NotFound
from state.principal import Principal
from tests.graph.conftest import OpenHarbour
from tests.graph.harbour import HARBOUR, KEEPER, MASTER
from tests.graph.test_learning import answer, grown, happens, learned, rate
from tests.openai_server import OpenAIServer, Rule

GUEST = Principal(user="gus", tenant_id="default", roles=("guest",))


async def test_what_was_learned_is_still_known_after_a_restart(
    open_harbour: OpenHarbour, openai_server: OpenAIServer
) -> None:
    openai_server.rules.append(Rule(says=answer()))
    settings = {"model": "test", "model_base_url": openai_server.base_url, "embedder": "none"}
    async with open_harbour(**settings) as harbour:
        await grown(harbour)
        response_id = (await happens(harbour)).response_id or ""
        assert (
            await happens(harbour, user="zoe", kind="ambient")
        ).spoke  # it is about her: she was not heard
    async with open_harbour(embedder="none") as again:
        strategy = again.executive._box.strategies.made["heuristic_first"]
        trace = strategy.get_trace(response_id)
        record = await happens(again, session_id="cabin")
    assert (record.path, record.text) == ("heuristic", "Open the inner gate.")
    assert trace is not None
    assert (trace.response, trace.strategy) == (record.text, "heuristic_first")


async def test_what_one_person_taught_is_said_to_others_once_one_of_them_likes_it(
    open_harbour: OpenHarbour, openai_server: OpenAIServer
) -> None:
    openai_server.rules.append(Rule(says=answer()))
    settings = {"model": "test", "model_base_url": openai_server.base_url, "embedder": "none"}
    async with open_harbour(**settings) as harbour:
        await grown(harbour)
        at_home = await happens(harbour, session_id="cabin")
        assert at_home.path == "heuristic"  # nobody else is known here
        await rate(harbour, at_home)
        await harbour.says("show lock LK-12", MASTER)
        harbour.pass_seconds(1_200)
        assert (await happens(harbour, session_id="cabin")).path == "heuristic"
        assert (await happens(harbour)).path == "llm"
    async with open_harbour(**settings) as again:
        every = await again.executive.heuristics.list("default")
        (known,) = [one.confidence for one in every if one.heuristic.origin == "learned"]
        assert (known.taught_by, known.shared) == ((KEEPER.user,), False)
        foreign = await happens(again)
        assert foreign.path == "llm"
        forged = {"feedback": {"response_id": foreign.response_id, "rating": "good"}}
        passed_on = {"kind": "signal", "user": MASTER.user, "role": "master", "relayed": True}
        await again.happens("passed on", payload=forged, **passed_on)
        assert (await happens(again)).path == "llm"
        await rate(again, foreign, who=MASTER)
        assert (await happens(again)).path == "heuristic"


async def test_who_may_change_nothing_here_teaches_nothing(
    open_harbour: OpenHarbour, openai_server: OpenAIServer
) -> None:
    openai_server.rules.append(Rule(says=answer()))
    async with open_harbour(
        packs=(str(HARBOUR.parent / "shelf"),),
        model="test",
        model_base_url=openai_server.base_url,
        embedder="none",
    ) as shelf:
        record = await happens(shelf)
        with pytest.raises(Forbidden):
            await rate(shelf, record, who=GUEST)
        with pytest.raises(NotFound):
            await rate(shelf, record, who=GUEST.model_copy(update={"tenant_id": "elsewhere"}))
        forged = {"feedback": {"response_id": record.response_id, "rating": "good"}}
        await shelf.happens("forged", kind="signal", user="gus", role="guest", payload=forged)
        assert await learned(shelf) == {}
