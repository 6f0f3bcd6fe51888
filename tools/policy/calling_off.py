"""The words by which people call off what was asked for, as patterns to build on."""

import re

CALLS_OFF = r"undo|withdraw|retract|revoke|rescind|abort|call off|take back"
"""Verbs that are said of what waits, and not only of things: `withdraw my request`."""
CALLING_OFF = r"undoing|withdrawing|retracting|revoking|rescinding|aborting|calling off|taking back"
OWN_REQUEST = r"(?:my|the|this|that) (?:request|question)"
WHAT_WAITS = rf"(?:it|that|this|{OWN_REQUEST})"
PARTED = r"(?:it|that|this|the whole thing)"
"""What may stand inside `call … off`."""
STARTLED = r"oh|oops|sorry|wait|hold on|actually|ah|hm+|damn|please|just"
"""What is said before that by who thinks better of it."""
KEEPS = re.compile(
    r"(?<!why )\b(?:don't|dont|do not|never|not)(?: please| just| ever| you| dare"
    r"| actually| really| even| now| then| yet| oh)*"
    rf" (?:(?:{CALLS_OFF}|cancel|drop|scrap|forget|skip|ignore|reject|decline|refuse|deny)\b"
    r"|(?:call|take) (?:[a-z]+ ){1,3}(?:off|back)\b)"
)
"""Whoever says so wants what waits to go on: `don't withdraw my request`."""
