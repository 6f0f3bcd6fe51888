"""A yes is one only when the whole text is nothing else."""

import pytest

from tools.nlu.replies.yes_no import LAST, SOME, PlainAnswer, plain_answer

YES = (
    "yes", "Yes!", "yes please", "ok", "OK, go ahead", "go ahead", "do it", "yes, do it now",
    "sure", "yes yes", "please do", "that one", "go ahead with it", "yes, thanks",
    "y", "Y!", "no issue, go ahead", "no problem, yes",
    "yess", "yesss!", "yeees", "yeah", "okk", "\U0001f44d", "\U0001f44d\U0001f3fd", " \u2705 ",
)  # fmt: skip
NO = (
    "no", "No thanks", "nope", "never mind", "nevermind, thanks", "not that", "not that one",
    "don't", "don\u2019t do it", "no, don't", "none of them", "cancel that", "forget it",
    "n", "skip", "skip it", "\U0001f44e", "call it off", "abort", "never mind, abort", "scrap that",
    "call the whole thing off", "can you call it off?", "could you please scrap that?",
    "no, can you abort it", "would you mind calling it off?", "can we call it off please?",
    "abort the request", "mind aborting it?",
)  # fmt: skip
PLACES = {
    "2": 2, "#2": 2, "chip-2": 2, "option 3": 3, "number 4": 4, "two": 2, "the first one": 1,
    "the third": 3, "yes, the second one": 2, "i mean the 2nd": 2, "the last one": LAST,
    "take the second please": 2, "no. 1": 1, "No.2!": 2, "yes, number one": 1,
    "pick option two": 2, "i mean two": 2, "pick one": SOME, "take one please": SOME,
    "I want one": SOME, "i want 2": SOME,
    "1)": 1, "(2)": 2, "2!": 2, "3.": 3, "both": SOME, "all of them": SOME, "either one": SOME,
}  # fmt: skip
NEITHER = (
    "\U0001f44d?", "\U0001f44d close it", "yes \U0001f44e", "\U0001f44d\U0001f44e", "eyes", "ye",
    "", "yes?", "ok?", '"yes"', "\u201cyes\u201d", "\u2018yes\u2019", "> yes", "yes\n> no",
    "no?", "abort?", "can you still call it off?", "did you cancel it?", "should we abort?",
    '"can you call it off?"', "can you call it off if she agrees?", "don't, let me cancel it",
    "no need to cancel it", "why not call it off?", "can you do it?", "can you say yes?",
    "yes no", "no, yes", "no, the second one", "yes but not now", "yes, but later",
    "yes and close WO-1042", "yes if she agrees", "not yes", "not okay", "yesterday", "y e s",
    "he said yes", "don't say yes", "is it yes", "ok, thanks", "the second paper", "12",
    "no problem", "no worries, thanks", "no problem, ok thanks", "all papers", "any news", "(2",
    "the second one about whales", "yes " * 40, "y\u202ees", "say yes to it", "yes or no",
    "do it, don't", "-- yes", "the one",
    "no one", "noone", "No one!", "no one, thanks", "ok no one", "no 1", "no1", "no two", "no-1",
    "no. one", "y\u200bes", "\u2060yes", "yes\u00ad", "\U0001d432\U0001d41e\U0001d42c", "\uff59es",
    "\u2461", "\uff11", "o\u212a",
)  # fmt: skip


@pytest.mark.parametrize("text", YES)
def test_a_plain_yes_is_read(text: str) -> None:
    assert plain_answer(text) == PlainAnswer("yes")


@pytest.mark.parametrize("text", NO)
def test_a_plain_no_is_read(text: str) -> None:
    assert plain_answer(text) == PlainAnswer("no")


@pytest.mark.parametrize(("text", "place"), PLACES.items())
def test_a_place_is_read(text: str, place: int) -> None:
    assert plain_answer(text) == PlainAnswer("place", place)


@pytest.mark.parametrize("text", NEITHER)
def test_whatever_else_it_holds_it_answers_nothing(text: str) -> None:
    assert plain_answer(text) is None
