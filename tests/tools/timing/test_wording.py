"""The words for several things told at once."""

from tests.kept import WAITED
from tools.timing.wording import SHOWN, lines_of, told_together

(WAITING,) = WAITED["beside"]
TOLD = WAITING.model_copy(update={"ending": "told"})


def test_what_waits_on_is_not_told() -> None:
    assert told_together("Fog", (WAITING,), after_quiet=False) == "Fog"


def test_others_are_told_below_the_one_that_called_for_it() -> None:
    assert told_together("Fog", (TOLD,), after_quiet=False) == "Fog\nAlso:\n- The ferry is early"


def test_a_digest_counts_what_it_tells() -> None:
    digest = told_together("Fog", (TOLD,), after_quiet=True)
    assert digest == "While it was quiet, 2 things:\n- Fog\n- The ferry is early"
    assert told_together("Fog", (), after_quiet=True) == "While it was quiet: Fog"


def test_the_same_words_are_told_once_and_many_are_counted() -> None:
    assert lines_of(["a", "a", "b  c"]) == "- a\n- b c"
    many = lines_of([str(number) for number in range(SHOWN + 3)])
    assert many.endswith(f"- {SHOWN - 1}\n- and 3 more")
