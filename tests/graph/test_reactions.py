"""Bad reactions make it say less for a while, good ones keep it interested."""

import pytest

from tests.graph.harbour import Harbour

GOAL = {"goal_relevance": 0.9}


async def threshold(harbour: Harbour) -> float:
    return (await harbour.executive.controls.standing("default", "default")).threshold


async def test_annoyance_raises_the_bar_and_fades(harbour: Harbour) -> None:
    await harbour.happens("The ferry is early", salience=GOAL)
    await harbour.says("not now!")
    assert await threshold(harbour) == 0.6
    assert (await harbour.executive.controls.standing("default", "default")).reason == "annoyance"
    harbour.pass_seconds(600)
    assert await threshold(harbour) == pytest.approx(0.55, abs=0.005)  # ten minutes of sitting


async def test_what_is_said_long_after_is_no_reaction(harbour: Harbour) -> None:
    await harbour.happens("The ferry is early", salience=GOAL)
    harbour.pass_seconds(121)
    await harbour.says("not now!")
    assert await threshold(harbour) == pytest.approx(0.5, abs=0.001)


async def test_nobody_is_annoyed_by_silence(harbour: Harbour) -> None:
    await harbour.says("not now!")
    assert await threshold(harbour) == 0.5


async def test_praise_makes_it_less_boring(harbour: Harbour) -> None:
    await harbour.happens("The ferry is early", salience=GOAL)
    before = (await harbour.session()).familiar
    await harbour.says("good to know")
    after = (await harbour.session()).familiar
    (pattern,) = before
    assert after[pattern].level < before[pattern].level / 3 + 1e-9


async def test_the_same_reaction_twice_counts_once(harbour: Harbour) -> None:
    await harbour.happens("The ferry is early", salience=GOAL)
    await harbour.says("not now!")
    once = await threshold(harbour)
    await harbour.says("that's annoying")
    assert await threshold(harbour) == once


async def test_praise_twice_counts_once_and_takes_back_what_was_bad(harbour: Harbour) -> None:
    await harbour.happens("The ferry is early", salience=GOAL)
    await harbour.says("not now!")
    await harbour.says("good to know")
    once = (await harbour.session()).familiar
    assert await threshold(harbour) == 0.5
    await harbour.says("good to know")
    assert (await harbour.session()).familiar == once
