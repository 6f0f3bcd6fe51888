"""Does a text turn on a word that nothing says for the action it seems to ask for?"""

import pytest

from tools.nlu.intents.router import Router

pytestmark = pytest.mark.xdist_group("both-packs")  # one worker learns them, once


@pytest.mark.parametrize(
    "text",
    [
        "bless the alarms",
        "frame all the channels on screen",
        "sing about the exports",
        "x-ray the alarms",
        "x-ray-2 the alarms",
        "how long are the alarms?",
        "are the alarms expired?",
        "how much do the alarms weigh?",
        "name a star after the alarms",
        "could you vaccinate the exports?",
        "tell me a joke about the alarms",
    ],
)
def test_a_read_that_turns_on_a_strange_word_does_not_run_by_itself(
    both: Router, text: str
) -> None:
    routing = both.route(text)
    assert routing.action is None or routing.held is not None


@pytest.mark.parametrize(
    "text",
    [
        "show the alarms",
        "which exports are there?",
        "is WO-1042 overdue?",
        "could you list the exports?",
        "how much oil is left?",
        "give me a list of the alarms",
        "turn the page",
        "put P-2 and P-3 side by side",
    ],
)
def test_a_read_in_the_words_of_its_examples_runs(both: Router, text: str) -> None:
    assert both.route(text).held is None


def test_a_read_that_knows_the_verb_of_a_change_from_one_odd_example_is_offered(
    both: Router,
) -> None:
    routing = both.route("tag all unread papers as later")
    assert (routing.action, routing.held) == ("show_library", "verb")


def test_a_change_that_takes_nothing_is_offered_when_the_order_ends_strangely(both: Router) -> None:
    plain = both.route("empty the library", roles=("owner",))
    strange = both.route("flush my collection down the toilet", roles=("owner",))

    assert (plain.action, plain.confidence > 0.5) == ("clear_library", True)
    assert strange.confidence < 0.5


@pytest.mark.parametrize("text", ["get the open work orders named", "name", "can you name"])
def test_a_light_verb_may_end_a_text(router: Router, text: str) -> None:
    assert router.route(text).text == text
