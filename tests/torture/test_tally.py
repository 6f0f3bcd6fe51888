"""What is printed is what was tried: once a test, whatever its phases report."""

import pytest

from tests.torture.tally import KEY, Tally, summed


def _report(when: str, *properties: tuple[str, object]) -> pytest.TestReport:
    return pytest.TestReport(
        nodeid="a test",
        location=("a file", 1, "a test"),
        keywords={},
        outcome="passed",
        longrepr=None,
        when=when,  # type: ignore[arg-type]  # one of three words
        user_properties=list(properties),
    )


def test_counts_of_several_tests_are_added_and_those_of_earlier_phases_are_not():
    told = (KEY, "7 bodies")
    reports = {
        "": [_report("setup", told), _report("teardown", told, ("other", "9 bodies"))],
        "passed": [_report("call", told), _report("teardown", (KEY, "1000 bodies"))],
    }
    assert summed(reports) == {"bodies": 1_007}


def test_a_tally_hands_over_what_it_counted(request: pytest.FixtureRequest):
    tally = Tally(request)
    tally.add("blows")
    tally.add("blows", 41)
    tally.close()
    assert (KEY, "42 blows") in request.node.user_properties
    request.node.user_properties.clear()
