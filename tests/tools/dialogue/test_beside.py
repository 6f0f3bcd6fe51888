"""A wish for quiet beside something else is looked for in short messages alone."""

from types import SimpleNamespace
from typing import cast

from tests.stages import event_of
from tools.dialogue.interpreter import Interpreter, Message
from tools.dialogue.quiet_requests import decide_with_quiet
from tools.nlu.lexicon.normalization import MAX_READ


def test_a_message_longer_than_is_read_is_not_taken_apart() -> None:
    long = "close the lock and be quiet" + " and be quiet" * MAX_READ
    nothing_asks_it = cast(Interpreter, SimpleNamespace(catalogue=None))
    assert decide_with_quiet(Message(event_of(long, kind="message"), None, nothing_asks_it)) is None
