from evals.benchmarks.graph_overhead import WAYS
from evals.benchmarks.in_process import SCENARIOS
from evals.benchmarks.measurement import Measurement
from evals.benchmarks.ratios import compare, read_kept


def test_only_a_ratio_a_fifth_above_the_kept_one_is_named() -> None:
    found = [Measurement(name=name, n=1, p50=2.5, unit="×") for name in ("slow", "same", "new")]

    assert compare(found, {"slow": 2.0, "same": 2.1}) == ["slow: 2.50, kept 2.00"]


def test_every_pair_has_a_kept_ratio() -> None:
    names = [f"graph, {one.name}" for one in SCENARIOS] + [way.name for way in WAYS]

    assert [*read_kept()] == names
