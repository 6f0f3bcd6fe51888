"""Talk of papers is told from a request for them, whatever the topic says."""

from itertools import product
from time import process_time

import pytest

from tools.nlu.search_query.actionability import only_talks_of_papers, tells_or_asks_what_was

SUBJECTS = ("papers on bees", "the articles on bees", "these papers", "most studies of wild bees")
PREDICATES = (
    "bore me to death", "are overrated", "are so boring", "make me sleepy", "never get old",
    "suck", "were written by my neighbour", "don't interest me", "always confuse everyone",
)  # fmt: skip


@pytest.mark.parametrize(("subject", "predicate"), list(product(SUBJECTS, PREDICATES)))
def test_a_sentence_about_papers_is_talk(subject: str, predicate: str) -> None:
    assert only_talks_of_papers(f"{subject} {predicate}")
    assert only_talks_of_papers(f"Honestly, {subject} {predicate}!")


@pytest.mark.parametrize(
    "text",
    [
        "how do I find papers on bees",
        "how would one search for papers on bees?",
        "what happens if I search for papers on bees",
        "what would happen when we look for papers on bees?",
        "what do I get if I search for papers on bees",
        "should I search for papers on bees?",
        "why would I want papers on bees",
        "find papers on bees? hard pass",
        "find papers on bees - nah",
        "papers on bees, no thanks",
        "search for papers on bees! forget it",
        "papers on bees? why bother",
    ],
)
def test_what_asks_how_or_what_if_and_what_is_refused_is_talk(text: str) -> None:
    assert only_talks_of_papers(text)


@pytest.mark.parametrize(
    "text",
    [
        "Tom wants papers on bees",
        "she wants papers on bees",
        "everyone loves papers on bees",
        "Anna is looking for papers on bees",
        "did you find papers on bees",
        "have you read papers on bees?",
        "thank you for finding papers on bees",
        "I really appreciate you finding those papers on bees",
    ],
)
def test_what_others_want_and_what_was_done_asks_for_nothing(text: str) -> None:
    assert tells_or_asks_what_was(text)


@pytest.mark.parametrize(
    "text",
    [
        "papers on bees",
        "papers on bees please give me five",
        "thanks for finding those papers, now find papers on wasps",
        "Thanks for sending papers on bees. Now show me papers on wasps.",
        "papers on how bees are pollinating crops",
        "papers on why people are overweight",
        "papers on plants which are edible",
        "papers on children and what makes us human",
        "papers on the 2020 US election and misinformation",
        "papers on recent us elections",
        "papers on coral reefs I can read for free",
        "papers on AI to help me teach",
        "papers that are open access",
        "papers on bees are what I need",
        "papers on bees are there any?",
        "papers on bees would be great",
        "are there any papers on bees",
        "do you have any papers on bees",
        "have you got papers on bees",
        "where can I find papers on bees?",
        "my supervisor wants papers on bees",
        "did anyone publish papers on bees",
        "what has been written on bees",
        "find papers on bees, thanks",
        "papers on the will to live",
        "the pump is broken",
        "Tom wants the oil filters",
    ],
)
def test_a_request_is_no_talk(text: str) -> None:
    assert not only_talks_of_papers(text)
    assert not tells_or_asks_what_was(text)


@pytest.mark.parametrize("piece", ["papers on", "papers", "oh well", "on a", "never", "if", "me"])
def test_no_text_makes_it_think_long(piece: str) -> None:
    text = f"papers on {f'{piece} ' * 400}"
    started = process_time()

    only_talks_of_papers(text)
    tells_or_asks_what_was(text)

    assert process_time() - started < 0.2
