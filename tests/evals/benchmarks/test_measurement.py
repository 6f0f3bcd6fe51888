import pytest

from evals.benchmarks.measurement import Stopwatch, describe_machine, file_name, summarise


def test_the_middle_and_the_slow_end_are_told() -> None:
    measurement = summarise("anything", [float(number) for number in range(1, 101)])

    assert (measurement.n, measurement.p50) == (100, 50.5)
    assert measurement.p95 == pytest.approx(95.05)


@pytest.mark.parametrize("n", [1, 2, 19])
def test_few_samples_have_no_slow_end(n: int) -> None:
    measurement = summarise("anything", [3.0] * n)

    assert (measurement.n, measurement.p50, measurement.p95) == (n, 3.0, None)


def test_a_stopwatch_goes_forward() -> None:
    watch = Stopwatch()

    assert 0 <= watch.ms <= watch.ms


def test_a_result_says_where_it_was_measured() -> None:
    machine = describe_machine()

    assert machine.cores >= 1
    assert machine.processor
    assert machine.versions["langgraph"]
    assert file_name().endswith(".json")
