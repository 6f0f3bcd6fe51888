from pathlib import Path

from langchain_core.runnables import RunnableConfig

from evals.benchmarks import graph_overhead as against_empty
from evals.benchmarks.graph_overhead import build_empty_flow
from evals.benchmarks.in_process import SCENARIOS, SPOKEN
from graph.execution.maintenance import open_saver


async def test_empty_nodes_are_walked_one_by_one_and_kept_like_ours(data_dir: Path) -> None:
    config: RunnableConfig = {"configurable": {"thread_id": "one"}}
    async with open_saver(data_dir) as saver:
        flow = build_empty_flow(7, saver)

        walked = [
            name
            async for update in flow.astream(
                {"event": SPOKEN.event()}, config, stream_mode="updates", durability="exit"
            )
            for name in update
        ]
        kept = [checkpoint async for checkpoint in saver.alist(config)]

    assert walked == [f"empty_{number}" for number in range(7)]
    assert len(kept) == 1


async def test_every_occasion_takes_its_way_and_is_set_against_as_many_nodes(data_dir: Path):
    measured = [one async for one in against_empty.measure_against_empty(data_dir, runs=1)]

    assert [one.unit for one in measured] == ["ms", "ms", "×", "×"] * len(SCENARIOS)
    assert [one.n for one in measured] == [1] * len(measured)
    for ours, theirs in zip(measured[::4], measured[1::4], strict=True):
        nodes = ours.name.partition("(")[2].partition(" ")[0]
        assert theirs.name.strip().startswith(f"{nodes} empty nodes")
