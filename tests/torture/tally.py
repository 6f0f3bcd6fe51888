"""How often each thing was tried: counted by the tests, printed when all is done."""

from collections import Counter
from collections.abc import Mapping

import pytest

KEY = "attempts"


class Tally:
    """Counts what one test tried; it travels to the summary with the test's report."""

    def __init__(self, request: pytest.FixtureRequest) -> None:
        self._properties = request.node.user_properties
        self.counts: Counter[str] = Counter()

    def add(self, what: str, number: int = 1) -> None:
        """Count some more of something."""
        self.counts[what] += number

    def close(self) -> None:
        """Hand the counts over."""
        self._properties.extend((KEY, f"{number} {what}") for what, number in self.counts.items())


def summed(reports: Mapping[str, list[pytest.TestReport]]) -> Counter[str]:
    """Add up what all tests tried, whether they passed or not."""
    total: Counter[str] = Counter()
    for report in (report for several in reports.values() for report in several):
        if getattr(report, "when", None) != "teardown":
            continue  # earlier reports of a test carry what it had counted until then
        for key, value in report.user_properties:
            if key == KEY:
                number, _, what = str(value).partition(" ")
                total[what] += int(number)
    return total


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the counts, one a line."""
    total = summed(terminalreporter.stats)
    if total:
        terminalreporter.section("attempts")
        for what, number in sorted(total.items()):
            terminalreporter.write_line(f"{number:>8,} {what}")
