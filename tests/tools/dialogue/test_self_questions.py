"""What asks for our own reasons, and what asks for people's."""

import pytest

from tools.nlu.control.meta_questions import SelfQuestion, self_question


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("why are you silent?", SelfQuestion("silence")),
        ("So why are you still so quiet", SelfQuestion("silence")),
        ("why did you do that?", SelfQuestion("done")),
        ("Wait, why did you tell me that?", SelfQuestion("done")),
        ("what made you say that", SelfQuestion("done")),
        ("why did you not do that?", SelfQuestion("not_done")),
        ("why didn’t you warn me?", SelfQuestion("not_done")),
        ("why didn't you tell me about the bilge pump?", SelfQuestion("not_done", "bilge pump")),
        ("why haven't you said anything", SelfQuestion("not_done")),
        ("why did we dredge the channel?", None),
        ("why did you order 4 oil filters for the generator", None),
        ("why is the engine room silent", None),
        ("why did Tom do that?", None),
        ("find papers on why you do that", None),
        ("he asked why did you do that", None),
    ],
)
def test_a_question_about_ourselves_is_known(text: str, question: SelfQuestion | None) -> None:
    assert self_question(text) == question
