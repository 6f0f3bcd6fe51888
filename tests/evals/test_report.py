from io import StringIO

from rich.console import Console

from evals.measures import Measure, Miss
from evals.runner.experiment import Experiment
from evals.runner.report import Threshold, failures, row_of, table_of

EXPERIMENT = Experiment(
    dataset="words",
    pack="vessel",
    n=4,
    measures=(
        Measure(name="accuracy", value=0.75, n=4, low=0.3006, high=0.9544),
        Measure(name="harm", value=0, n=4),
        Measure(name="unmeasured"),
    ),
    misses=(Miss(case="one", text="close it", wrong={"accuracy": "nothing, wanted close"}),),
    errors=(),
)


def drawn(gates: dict[str, Threshold]) -> str:
    paper = StringIO()
    Console(file=paper, width=100).print(table_of(EXPERIMENT, gates))
    return paper.getvalue()


def test_the_table_shows_n_the_interval_and_what_was_judged_wrong() -> None:
    table = drawn({"accuracy": Threshold(at_least=0.7), "harm": Threshold(at_most=0)})

    assert "0.301 – 0.954" in table
    assert "≥ 0.7" in table
    assert "FAILS" not in table
    assert "nothing, wanted close" in table


def test_what_falls_below_its_floor_fails_and_so_does_what_nobody_measured() -> None:
    gates = {"accuracy": Threshold(at_least=0.8), "unmeasured": Threshold(at_least=0)}

    assert drawn(gates).count("FAILS") == 2
    assert failures(EXPERIMENT, gates) == [
        "accuracy is 0.750, must be ≥ 0.8",
        "unmeasured is not measured, must be ≥ 0",
    ]
    assert row_of(EXPERIMENT, gates)["passed"] is False


def test_a_case_without_an_answer_fails_whatever_the_gates_say() -> None:
    broken = EXPERIMENT.model_copy(update={"errors": ("one: ValueError",)})

    assert failures(broken, {}) == ["no answer to one: ValueError"]
