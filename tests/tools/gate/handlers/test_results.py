"""What a pack's function says has an end, and says that it was cut."""

import pytest

from state.action import ActionResult
from tools.gate.handlers.python_handlers import MAX_OWN_TEXT, as_result

LINES = "\n".join(f"{number}. a paper on bees" for number in range(1, 5_001))
RUN_ON = "bees " * 20_000
ONE_LINE_FIRST = "A heading\n" + RUN_ON


@pytest.mark.parametrize("text", [LINES, RUN_ON, ONE_LINE_FIRST])
@pytest.mark.parametrize("is_bare", [True, False])
def test_a_long_text_is_cut_and_says_so(text: str, *, is_bare: bool) -> None:
    result = as_result("handlers:do", text if is_bare else ActionResult(text=text, changed=("x",)))

    *kept, told = result.text.split("\n")
    assert MAX_OWN_TEXT // 2 < len(result.text) <= MAX_OWN_TEXT
    assert told == f"… (cut here: {len(text):,} characters in all; ask for less of it)"
    assert text.startswith("\n".join(kept))
    assert result.changed == (() if is_bare else ("x",))


def test_a_list_is_cut_between_two_lines() -> None:
    *kept, _told = as_result("handlers:do", LINES).text.split("\n")
    assert kept == LINES.split("\n")[: len(kept)]


@pytest.mark.parametrize("text", ["Done.", "b" * MAX_OWN_TEXT])
def test_a_text_that_fits_stays_as_it_is(text: str) -> None:
    assert as_result("handlers:do", ActionResult(text=text)).text == text
