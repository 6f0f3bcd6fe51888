from pathlib import Path

from evals.benchmarks import graph_overhead as cycles


async def test_a_read_and_a_whole_approval_are_set_against_as_many_nodes(data_dir: Path) -> None:
    measured = [one async for one in cycles.measure_cycles(data_dir, runs=2)]

    assert [one.unit for one in measured] == ["/s", "/s", "×"] * 4
    assert [one.goal for one in measured[::3]] == ["≥ 60"] * 2 + ["≥ 12"] * 2
    nodes = [int(one.name.split()[0]) for one in measured[1::3]]
    assert nodes[0] == nodes[1] < nodes[2] == nodes[3]
