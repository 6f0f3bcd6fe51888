"""No text of little words, verbs and signs breaks the reading of it, however short or odd."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from tools.nlu.intents.router import Router
from tools.nlu.lexicon import cue_phrases as signs

_OTHERS = (
    "get have close closed WO-1042 been already never let make sure need needs plus unless wait"
    " said Tom lol /s 4 ? ! , : ; - ( )"
)
WORDS = st.sampled_from([*sorted(signs.FUNCTION_WORDS), *_OTHERS.split(), '"'])


@settings(max_examples=300, deadline=None, derandomize=True)
@given(words=st.lists(WORDS, min_size=1, max_size=7))
@example(words=["get"])
@example(words=["have"])
@example(words=["ok,", "get"])
@example(words=["close", "it,", "please", "have"])
@example(words=["close", "WO-1042", "and"])
@example(words=["or", "or"])
def test_it_is_read(router: Router, words: list[str]) -> None:
    text = " ".join(words)

    assert router.route(text).text == text
