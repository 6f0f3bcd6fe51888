"""Judge from their texts whether a decision replaces an earlier one, wholly or in part."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from state.journal import Decision, Scope
from tools.journal.detection.context_window import content_words
from tools.journal.detection.cue_phrases import NAMES_ISSUE

SURE = 0.9
"""Says in so many words what takes the place of exactly what the other one chose."""
LIKELY = 0.6
"""Only speaks against the other one's choice, or is about the same matter; a person has to say
whether it replaces it. Who writes "move away from X" may have written down a question, or what was
turned down in the end."""
NEAR, VERY_NEAR = 0.7, 0.9
"""Cosines (all-MiniLM-L6-v2) from which a person is asked: with a word of both titles in common,
and without. Source: measured, docs/explanation/journal.md; true pairs have .59 at the median,
so that meaning alone never tells enough to link anything."""

_CHOOSES = re.compile(
    r"^\W*(?:(?:we|the team|i)\b[^.]{0,30}?\b(?:will|shall|to|decided to|agreed to|going to)\s+)?"
    r"(?:use|using|adopt|choose|pick|go with|going with|stick with|keep|take|buy|rent|hire|run"
    r"|switch to|move to|migrate to|standardi[sz]e on|deploy (?:to|on)|host (?:with|on|at)|book)\s+"
    r"(?P<what>.+?)"
    r"(?:\s+(?P<link>for|to|as|in order to|on|in|at|by)\s+(?P<purpose>.+))?$",
    re.IGNORECASE,
)
_OBJECT = r"(?P<{name}>(?:[^.;:!?\n]|[.:](?=\w)){{2,80}})"
"""Up to the end of the sentence; a dot inside a name is none: index.html, 17.2."""
DROPS = re.compile(
    r"\b(?:remov(?:e|ing)|drop(?:ping)?|scrap(?:ping)?|ditch(?:ing)?|retir(?:e|ing)"
    r"|abandon(?:ing)?|deprecat(?:e|ing)|delet(?:e|ing)"
    r"|disabl(?:e|ing)|stop(?:ping)? (?:using|to use)|no longer (?:use|using|need|keep)"
    r"|(?:mov|migrat|switch)(?:e|ing)? (?:away )?(?:from|off(?: of)?)"
    r"|get(?:ting)? rid of|give up|giving up"
    r"|replac(?:e|ing)|revert(?:ing)?|undo(?:ing)?|cancel(?:ling)?|revisit(?:ing)?"
    r"|reconsider(?:ing)?)\s+(?:the |our |unused |of )*" + _OBJECT.format(name="dropped"),
    re.IGNORECASE,
)
"""Speaks against something: "move away from X", "stop using X"."""
_INSTEAD = re.compile(
    r"\b(?:instead of|rather than|in place of|replaces|supersedes"
    r"|(?:cho(?:o)?sen?|prefer(?:red)?|picked) [^.]{2,60} over)\s+"
    r"(?:the |our |using )*" + _OBJECT.format(name="dropped"),
    re.IGNORECASE,
)
_SUCCEEDS = re.compile(
    r"\b(?:replac(?:e|es|ing)|supersed(?:e|es|ing)"
    r"|(?:mov|migrat|switch)(?:e|ing)? from(?=[^.;!?\n]{2,80}? to \w))\s+(?:the |our |unused )*"
    + _OBJECT.format(name="dropped"),
    re.IGNORECASE,
)
"""Sets something in its place; all other words of DROPS and _INSTEAD only speak against it."""
_UP_TO = re.compile(
    r"\b(?:with|by|to|in favou?r of|and|but|because|since|for|from|during|until|so)\b|,|\(",
    re.IGNORECASE,
)
_KEEPS = re.compile(
    r"\b(?:keep|keeping|stay with|staying with|stick(?:ing)? (?:with|to)|remain(?:ing)? with)\s+"
    r"(?:the |our |using )*" + _OBJECT.format(name="kept"),
    re.IGNORECASE,
)
_PARTLY = re.compile(
    r"\b(?:also|in addition|additionally|amend|extend|except|only for|partial(?:ly)?|for now"
    r"|disabl(?:e|ing)|on top of|add)\b",
    re.IGNORECASE,
)
_POSSESSIVE = re.compile(r"['’]s\b")
_GENERAL_WORDS = """
app application gem tool tools library service services system new old existing unused code project
team way thing use using requirement requirements data"""
_GENERAL = frozenset(_GENERAL_WORDS.split())


@dataclass(frozen=True)
class Replacement:
    """What tells that one decision replaces another."""

    confidence: float
    scope: Scope
    reason: str

    @property
    def is_sure(self) -> bool:
        """Tell whether nobody has to be asked."""
        return self.confidence >= SURE


def judge_replacement(newer: Decision, older: Decision, cosine: float | None) -> Replacement | None:
    """Judge two decisions by their words; None: they are about different things.

    Args:
        newer: taken after the other one.
        older: what stands.
        cosine: of their meanings; None: there is no encoder.
    """
    chosen = _chosen(older)
    scope: Scope = "partial" if _is_partial(newer, chosen) else "full"
    for said in (_title(newer), _first_line(newer.decision)):
        for confidence, patterns in ((SURE, (_SUCCEEDS,)), (LIKELY, (DROPS, _INSTEAD))):
            if dropped := _dropped(said, chosen, patterns):
                return Replacement(confidence, scope, f"says of the other's choice: {dropped}")
    if scope == "partial" and _KEEPS.search(_said(newer)):
        return Replacement(SURE, scope, "keeps the other's choice and goes on from it")
    if purpose := _same_purpose(newer, older):
        return Replacement(SURE, scope, f"another choice for: {purpose}")
    if _is_said_again(newer, older) or _names_another_issue(newer, older):
        return None
    if cosine is not None and cosine >= (NEAR if _shared(newer, older) else VERY_NEAR):
        return Replacement(LIKELY, scope, f"about the same matter (cosine {cosine:.2f})")
    return None


def choice_in_title(title: str) -> str:
    """Give what a title chooses, in lower case: of "use tailwind for the styles" tailwind."""
    found = _CHOOSES.match(title)
    return found["what"].strip().lower() if found else ""


def _is_said_again(newer: Decision, older: Decision) -> bool:
    """Tell whether both are the same words: then one repeats the other and replaces nothing."""
    return newer.decision.lower().split() == older.decision.lower().split()


def _names_another_issue(newer: Decision, older: Decision) -> bool:
    """Tell whether each is about issues of its own: "close #12", "close #14"."""
    one, two = (frozenset(_issues(decision.decision)) for decision in (newer, older))
    return bool(one and two) and not one & two


def _issues(text: str) -> Iterator[str]:
    for found in NAMES_ISSUE.finditer(text):
        yield from re.findall(r"\d+", found.group())


def _chosen(decision: Decision) -> frozenset[str]:
    """List the words of what was chosen: `Use bullet to catch …` chose bullet."""
    for said in (_title(decision), _first_line(decision.decision)):
        if found := _CHOOSES.match(said):
            return _rare(found["what"])
    return frozenset()


def _dropped(said: str, chosen: frozenset[str], patterns: tuple[re.Pattern[str], ...]) -> str:
    for pattern in patterns:
        for found in pattern.finditer(said[:2_000]):
            named = _POSSESSIVE.split(_UP_TO.split(found["dropped"], maxsplit=1)[0])[0]
            if _is_choice(_rare(named), chosen):
                return " ".join(found.group()[: found.group().find(named) + len(named)].split())
    return ""


def _is_choice(named: frozenset[str], chosen: frozenset[str]) -> bool:
    shared = len(named & chosen)
    return shared > 0 and 2 * shared > len(chosen) and 2 * shared >= len(named)


def _same_purpose(newer: Decision, older: Decision) -> str:
    """Name what both choose something for; "to …" and "as …" tell what is done with it."""
    one, two = _CHOOSES.match(_title(newer)), _CHOOSES.match(_title(older))
    if not (one and two and one["link"] == two["link"] == "for"):
        return ""
    what, other = _rare(one["what"]), _rare(two["what"])
    if not what or not other or what & other:
        return ""
    wanted, had = _rare(one["purpose"]), _rare(two["purpose"])
    shared = wanted & had
    if not shared or 2 * len(shared) < len(wanted | had):
        return ""
    return " ".join(word for word in one["purpose"].split() if _rare(word) & shared)


def _is_partial(newer: Decision, chosen: frozenset[str]) -> bool:
    kept = [_UP_TO.split(found["kept"], maxsplit=1)[0] for found in _KEEPS.finditer(_said(newer))]
    if any(_is_choice(_rare(one), chosen) for one in kept):
        return True
    return bool(_PARTLY.search(_title(newer)) and _rare(_title(newer)) & chosen)


def _shared(newer: Decision, older: Decision) -> frozenset[str]:
    return _rare(_title(newer)) & _rare(_title(older))


def _rare(text: str) -> frozenset[str]:
    words = content_words(_POSSESSIVE.sub("", text))
    return frozenset(word.rstrip("s") for word in words if word not in _GENERAL and len(word) > 1)


def _said(decision: Decision) -> str:
    return f"{_title(decision)}. {_first_line(decision.decision)}"


def _title(decision: Decision) -> str:
    """Give the title in words, where it is the name of a file too."""
    title = decision.title
    return title if " " in title else title.replace("-", " ").replace("_", " ")


def _first_line(text: str) -> str:
    return next((line for line in text.splitlines() if line.strip()), "")[:400]
