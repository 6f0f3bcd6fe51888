"""Did somebody just decide something? Rules that know a decision from talk about one."""

import re
from collections.abc import Iterator

from state.note import DetectedDecision

READ_CHARACTERS = 4_000

_STRONG = re.compile(
    r"(?:^|\s)(?:resolved|resolution|decision|decided|agreed|approved)\s*:\s*(?P<what>\S.{3,400})"
    r"|\bminutes (?:are |were )?approved\b",
    re.IGNORECASE,
)
_COMMIT = re.compile(
    r"\b(?:we|i|team|group|everyone|board)(?:'ve| have| has|'ll| will)?"
    r" (?:just |all |finally |now )?"
    r"(?:decided|agreed|chose|chosen|settled|resolved|opted|go(?:ing)? with|approved)"
    r"(?: (?:to|on|for|that|we))? (?P<what>\S.{3,400})"
    r"|\blet's go with (?P<choice>\S.{2,400})|\b(?:we're|we are) going with (?P<going>\S.{2,400})",
    re.IGNORECASE,
)
_NOT_NOW = re.compile(
    r"\b(?:haven't|have not|hasn't|has not|didn't|did not|not yet|never|should we|shall we|could we"
    r"|if we|once we|unless|until|whether|to be decided|what if|suppose|propose|proposal|maybe"
    r"|last (?:week|month|year|time)|yesterday|when we|before we|after we|why (?:did|have))\b",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"\b(?:because|since|as|so that|in order to)\b (?P<why>.{3,300})", re.IGNORECASE
)
_QUOTED = re.compile(r"^\s*>|```")


def detect_decision(text: str) -> DetectedDecision | None:
    """Find a decision in a message; None for talk, questions, proposals, reports and quotes."""
    plain = text[:READ_CHARACTERS].replace("’", "'")
    if _QUOTED.search(plain):
        return None
    strong = _STRONG.search(plain)
    if strong:
        return _detected(strong["what"] or strong.group(), confidence=0.9)
    for sentence in _sentences(plain):
        match = _COMMIT.search(sentence)
        if match is None:
            continue
        if sentence.rstrip().endswith("?") or _NOT_NOW.search(sentence):
            return None
        return _detected(match["what"] or match["choice"] or match["going"], confidence=0.8)
    return None


def _detected(what: str, *, confidence: float) -> DetectedDecision | None:
    what = next(_sentences(what), what)
    reason = _REASON.search(what)
    decision = (what[: reason.start()] if reason and reason.start() > 3 else what).strip(" .,;")
    if not decision:
        return None
    return DetectedDecision(
        decision=decision,
        rationale=reason["why"].strip(" .,;") if reason else "",
        confidence=confidence,
    )


def _sentences(text: str) -> Iterator[str]:
    for part in re.split(r"(?<=[.!?])\s+|\n+", text):
        if part.strip():
            yield part
