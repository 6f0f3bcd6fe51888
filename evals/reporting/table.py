"""Show an experiment: a table for people, one object for programs, and what failed."""

from pydantic import JsonValue
from rich.console import Group
from rich.table import Table
from rich.text import Text

from evals.experiments import Experiment
from evals.gates import Gates
from evals.intervals import seen_from
from evals.measures import Measure


def table_of(experiment: Experiment, gates: Gates) -> Group:
    """Draw the table, and below it every case that was judged wrong."""
    table = Table(
        title=f"{experiment.dataset} ({experiment.n} cases, pack {experiment.pack})",
        title_justify="left",
    )
    table.add_column(
        "measure", no_wrap=True, min_width=max(len(one.name) for one in experiment.measures)
    )
    for column in ("value", "n", "95 % interval", "seen from", "gate"):
        table.add_column(column, justify="right")
    table.add_column("")
    for measure in experiment.measures:
        gate = gates.get(measure.name)
        holds = "" if gate is None else "holds" if gate.holds(measure) else "FAILS"
        table.add_row(
            measure.name,
            value_of(measure),
            str(measure.n),
            interval_of(measure),
            seen_of(measure),
            str(gate or ""),
            Text(holds, style="red" if holds == "FAILS" else "green"),
        )
    return Group(table, *_wrong(experiment))


def row_of(experiment: Experiment, gates: Gates) -> dict[str, JsonValue]:
    """Make the one object that `--json` prints."""
    return {
        **experiment.model_dump(mode="json", exclude={"measures"}),
        "measures": [
            {
                **measure.model_dump(mode="json"),
                "gate": gates[measure.name].model_dump(exclude_none=True)
                if measure.name in gates
                else None,
                "holds": gates[measure.name].holds(measure) if measure.name in gates else None,
            }
            for measure in experiment.measures
        ],
        "passed": not failures(experiment, gates),
    }


def failures(experiment: Experiment, gates: Gates) -> list[str]:
    """Say what failed: a floor, or a case that could not be answered at all."""
    measures = {measure.name: measure for measure in experiment.measures}
    return [
        *(
            f"{name} is {value_of(measures[name])}, must be {gate}"
            for name, gate in gates.items()
            if not gate.holds(measures[name])
        ),
        *(f"no answer to {error}" for error in experiment.errors),
    ]


def value_of(measure: Measure) -> str:
    """Write a figure as its kind is read."""
    if measure.value is None:
        return "not measured"
    if measure.kind in ("milliseconds", "number"):
        return f"{measure.value:.1f}"
    is_rate = measure.kind == "rate" and measure.low is not None
    return f"{measure.value:.3f}" if is_rate else f"{measure.value:g}"


def interval_of(measure: Measure) -> str:
    """Write its interval, if it has one."""
    if measure.low is None or measure.high is None:
        return ""
    form = {"rate": ".3f", "cost": "g"}.get(measure.kind, ".1f")
    return f"{measure.low:{form}} – {measure.high:{form}}"


def seen_of(measure: Measure) -> str:
    """Write how much a rate has to change so that a comparison on these cases shows it."""
    if measure.kind != "rate" or measure.value is None:
        return ""
    points = seen_from(measure.n)
    return "" if points is None else f"± {points:.3f}"


def _wrong(experiment: Experiment) -> list[Text]:
    lines = []
    for miss in experiment.misses:
        lines.append(Text(f"{miss.case}  {miss.text}", style="bold"))
        lines += [Text(f"    {name}: {comment}") for name, comment in miss.wrong.items()]
    return [Text(""), Text("Judged wrong:"), *lines] if lines else []
