"""Does a message decide something by itself? What the Executive hears, without what came before."""

from state.journal import JournalMessage
from state.note import DetectedDecision
from tools.journal.detecting.detector import Detector
from tools.journal.detecting.window import READ_CHARACTERS, Said
from tools.journal.extracting.citing import sentences
from tools.journal.extracting.roles import reason_in
from tools.journal.extracting.wording import says_what, worded


def detect_decision(text: str, threshold: float) -> DetectedDecision | None:
    """Find a decision in a message; None for talk, questions, proposals, reports and quotes.

    Args:
        text: as it was said, without NUL and half surrogate pairs.
        threshold: confidence from which it counts.
    """
    plain = text[:READ_CHARACTERS].replace("’", "'")
    found = Detector(threshold).confirm(Said("", plain), ())
    if not found.is_decision:
        return None
    message = JournalMessage(message_id="heard", content=plain)
    decision = worded([message], 0).decision.text
    reasons = [reason for one in sentences(message) if (reason := reason_in(one)) is not None]
    if not says_what(decision):
        return None
    return DetectedDecision(
        decision=decision,
        rationale=reasons[0].text if reasons else "",
        confidence=found.confidence,
    )
