"""A wish for quiet beside something else is looked for in short messages alone."""

from typing import Any

from tests.stages import event_of
from tools.dialogue.quiet_requests import decide_with_quiet
from tools.nlu.lexicon.normalization import MAX_READ


def test_a_message_longer_than_is_read_is_not_taken_apart() -> None:
    read: list[str] = []

    def decides(event: Any) -> Any:
        read.append(event.text)
        raise LookupError

    long = "close the lock and be quiet" + " and be quiet" * MAX_READ
    assert decide_with_quiet(event_of(long, kind="message"), None, decides) is None  # type: ignore[arg-type]  # nothing asks it
    assert read == []
