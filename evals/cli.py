"""`prefrontal evals`: every command that measures the system, in the order of its help."""

from importlib import import_module

from evals.options import app

__all__ = ["app"]

for _module in (
    "runner.run",
    "runner.report_page",
    "runner.replay",
    "robustness.external_labels",
    "training.commands",
    "runner.journal",
    "robustness.mutations",
    "robustness.frames",
    "simulation.streams",
    "simulation.simulate",
    "runner.promotion",
    "langsmith",
    "runner.strategies",
):
    import_module(f"evals.{_module}")
