"""Is what a text names there, or absent, over, or practised? Read from the clause it stands in.

A word alone does not tell an alarm from its end. Every doubt leaves a word asserted: an alarm too
many is told rather than one too few.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from tools.salience.conditions import WORD, words_of

Polarity = Literal["asserted", "absent", "over", "practised"]

_JOINT = re.compile(
    r"[.!?](?=\s|$)|[;\n\]\[()]|:(?!\d)|,(?!\d)|\s[-–—|]+\s"  # noqa: RUF001  # as they are written
    r"|\b(?:and|but|however|though|although|while|when|where|which|who|because|since|after|before"
    r"|until|till|unless|if|whether|so|yet(?! to\b)|then)\b"
)
_ENDS_SENTENCE = frozenset(".!?\n")
_LABELS = frozenset(":]")

_AUX = (
    r"(?:(?:is|are|was|were|has|have|had|been|be|being|got|gets|now|all|also|fully|completely"
    r"|entirely|just|already|successfully|automatically|manually|finally|since|safely|again"
    r"|quickly|meanwhile|both|it|they|status|state)\s+|(?:'s|'re|'ve)\s+)"
)
_STRONG = (
    r"(?:resolved|cleared|recovered|extinguished|quenched|doused|repaired|rectified|remedied|sealed|patched|rescued|solved|averted|avoided"
    r"|prevented|dismissed|cancell?ed|withdrawn|lifted|disarmed|defused|neutrali[sz]ed|eliminated"
    r"|killed|slain|defeated|vanquished|evaded|survived|stood down|put out|ruled out|repelled"
    r"|called off|went out|back to normal|back online|up again|back up|in order again"
    r"|normal again|(?:returned|restored) to (?:normal|service)|(?:a )?false (?:alarm|positive)"
    r"|no more|any ?more|no longer (?:there|present|active|detected|valid|an issue|a problem)"
    r"|(?:changed|switched|went|turned|returned)(?: from \w+)? to (?:off|clear|ok|normal|closed"
    r"|dry|false|idle|0))"
)
_WEAK = (
    r"(?:stopped|ended|over|gone|out|off|fixed|closed|passed|clear|normal|ok|okay|done|dead|fine"
    r"|absent|negative|zero|none|nil|finished|subsided|dissipated|vented|contained|dry|false"
    r"|restored|safe|past|inactive|history|under control)"
)
"""These end something only behind an auxiliary, or right behind its name."""
_TAIL = (
    r"(?=\s*$|\s+(?:by|at|on|in|for|with|from|under|now|again|already|today|yesterday|since|as"
    r"|completely|fully|successfully|safely|itself|there|here|manually|automatically"
    r"|\d[\d:.]*)\b)"
)
"""What may follow a passive; behind a transitive verb stands its object."""
_SPEAKS_OF_IT = re.compile(
    rf"\b(?:{_STRONG}|{_WEAK}|no|not|none|never|nobody|cannot|without|nothing|zero)\b|n't"
)
_RESERVED = re.compile(
    r"n't\b|\b(?:not|no|none|never|nobody|cannot|cant|can|could|should|must|need|needs|to|try"
    r"|tries|trying|tried|fail|fails|failed|failing|unable|will|would|may|might|shall|please|being"
    r"|only|hardly|barely|almost|nearly|partly|partially|half|yet|far|nothing|neither|nor|un)\b"
)
_ATTRIBUTIVE = re.compile(
    r"\b(?:the|a|an|our|my|his|her|its|their|that|this|of|in|from|at|by|with|near|to|into|on"
    r"|breaks?|broke|breaking|com(?:es?|ing)|pour(?:s|ing)?|leak(?:s|ing)?)\s+$"
)
_ENDS = re.compile(
    rf"(?<![\w-])(?:(?P<strong>{_STRONG})|(?P<aux>{_AUX}+)?(?P<weak>{_WEAK})){_TAIL}"
)
_KIND = r"(?:\s+(?:alarm|alert|warning|error|problem|condition|sensor|call|event)s?)?"
_PLACE = r"(?:\s+(?:in|at|on|of|under|behind|near|from)(?:\s+the)?\s+[\w-]+(?:\s+[\w-]+)?)?"
_DIRECTLY = re.compile(rf"^{_KIND}{_PLACE}\s*$")
_ENDED_IT = re.compile(
    r"(?<![\w-])(?P<end>resolved|cleared|extinguished|put out|fixed|repaired|solved|stopped"
    r"|averted|avoided|prevented|dismissed|cancell?ed|disarmed|defused|neutrali[sz]ed|eliminated"
    r"|ended|killed|slain|defeated|vanquished|evaded|escaped|survived|recovered from|got over)"
    r"(?:\s+(?:the|a|an|all|that|this|both|every|your|our|their|\d+)(?:\s+[\w-]+){0,2})?\s+$"
)
"""Its object is what is named next: `extinguished the fire`, `you killed the creeper`."""
_CLOSES = re.compile(
    rf"\W*(?:(?:it|this|that|these|everything|situation|incident|issue|problem)\s+)?{_AUX}*"
    rf"(?:{_STRONG}|(?:now |was |is |all |{_AUX}+){_WEAK}|all clear|none(?: found| left| detected"
    rf"| reported| so far)?|(?:nothing|nobody) (?:found|detected|there)|extinguished|put out|over"
    rf"|ended|gone|stopped|resolved|fixed|closed)(?:{_TAIL}.*)?\W*$"
)
_VALUE = re.compile(
    r"\W*(?:off|no|none|nil|false|ok|okay|clear|normal|dry|inactive|idle|negative|absent|closed"
    r"|0+(?:\.0+)?(?:\s?(?:%|ppm|mm|l|kg|m|bar|total|of \d+))?)\W*$"
)
_STATE = (
    r"(?:resolved|recovered|recovery|cleared|all clear|clear|closed|ok|okay|fixed|restored|solved"
    r"|back to normal|false alarm|false positive|cancell?ed|withdrawn|stand down|rescinded)"
)
_OVER_LABEL = re.compile(
    r"\W*(?:(?:problem|incident|alert|alarm|issue|event|warning|error|trigger|status|state|update"
    rf"|info)\s+)?(?:(?:is|was|now|has been)\s+)*{_STATE}(?: now)?\W*$"
)
_TEST = (
    r"(?:test(?:ing|s)?|drills?|exercises?|rehearsal|simulation|simulated|training|practice"
    r"|dry run|demo|demonstration|mock)"
)
_PRACTISED = re.compile(
    rf"\W*(?:(?:this|it|that|attention|notice|the following)\s*)?(?:(?:is|was|'s)\s+)?"
    rf"(?:(?:only|just|merely)\s+)?(?:(?:a|an|the|our)\s+)?(?:(?:fire|alarm|safety|weekly|monthly"
    rf"|routine|planned|scheduled|daily|annual|system|self|alert|emergency)[\s-]+){{0,2}}{_TEST}"
    rf"(?:\W+{_TEST})*(?:\s+(?:only|alert|alarm|message|notification|event|call|mode|today|now"
    r"|please ignore))*\W*$"
)
_REAL = re.compile(
    rf"(?:\b(?:no|not|never)|n't)\s+(?:(?:a|an|just|only)\s+){{0,2}}{_TEST}\b|\bfor real\b"
)
_RETURNS = re.compile(
    r"\bre-?ignit|\brekindl|\bflar(?:ed|es|ing) up|\bre-?open|\brecur|\breappear|\brelaps"
    r"|\breturn(?:ed|s)\b(?! to (?:normal|service))|\bspread(?:s|ing)?\b"
    r"|\b(?:is|are|was|it's|has come|came|comes) back\b(?! to| online| up| in | at | on )"
)
_DEVICE = r"(?:alarm|detector|sensor|system|signal|siren|suppression|alert|head|panel|unit|beam)"
_TESTED = re.compile(
    rf"(?:[\s-]+{_DEVICE}s?){{0,2}}(?:[\s-]+self)?[\s-]+(?:tests?|testing|drills?|exercises?"
    r"|rehearsal|simulation|practice|training)\b(?!\s+(?:bench|lab|rig|room|bed|pump|area|site|tube|cell"
    r"|stand|track|flight|chamber|driver?|tank|car))"
)
_TESTING = re.compile(
    rf"\b(?:(?:{_TEST})\s+(?:of|for|with)|testing|simulated|simulating|mock|staged|fake)"
    r"(?:\s+(?:the|a|an|our|all|every|each|new))*(?:\s+[\w-]+)?\s+$|\b(?:test|practice|exercise|training)\s+$"
)
_SYMPTOM = re.compile(r"(?:fail|error|exception|broken|lost|stuck|crash|overheat|exceed|block)")
_FINE = re.compile(
    rf"^(?:[\s-]+{_DEVICE}s?)*{_PLACE}\s+{_AUX}*(?:battery\s+{_AUX}*)?(?:ok|okay|online|tested"
    r"|replaced|installed|armed|working|functional|serviced|charged|healthy|reset|enabled"
    rf"|connected|normal|inspected|calibrated|passed|commissioned|maintained){_TAIL}"
)
_OF_DEVICE = re.compile(rf"^[\s-]+{_DEVICE}s?\b")

_BARRIER = (
    r"(?:from|to|for|with|by|on|in|at|into|near|over|under|of|than|as|is|are|was|were|be|has"
    r"|have|had|does|do|did|can|could|will|would|may|might|must|should|one|body|longer|matter"
    r"|doubt|warning|way|wonder|idea|sooner|fewer|less|only|just|even|time|but|that|there|left"
    r"|more than|you|we|they|it|i|he|she)\b"
)
_TOKEN = r"[\w-]+"  # noqa: S105  # a word of a text
_ABSENT = re.compile(
    rf"(?:(?<![\w.,-])(?:no(?!\.?\s*\d)|without|zero|nil|nor|neither|none of(?: the| these)?"
    rf"|free (?:of|from)|absence of|0+(?:\.0+)?)(?:\s+(?:any|a|an|further|new|other|more|single"
    rf"|known|such|known))*(?:(?:\s+(?!{_BARRIER}){_TOKEN})?\s+(?:sign|trace|evidence|indication"
    r"|report|hint|smell|risk|danger|threat|chance|case|instance|symptom|suspicion|record"
    r"|mention|detection)s?\s+(?:of|for)(?:\s+(?:any|a|an|the))?)?"
    rf"(?P<between>(?:\s+(?!{_BARRIER}){_TOKEN}){{0,2}})\s+)$"
)
_LISTED = re.compile(
    rf"(?<![\w-])(?:no|without|zero|neither|never any)\s+(?:{_TOKEN}(?:\s+{_TOKEN})?\s*,\s*){{0,4}}"
    rf"(?:{_TOKEN}\s+){{1,2}},?\s*(?:or|nor)\s+(?:any\s+)?(?:{_TOKEN}\s+)?$"
)
_IN_LIST = re.compile(
    rf"(?<![\w-])(?:no|without|zero)\s+(?:{_TOKEN}(?:\s+{_TOKEN})?\s*,\s*){{1,4}}$"
)
_LIST_GOES_ON = re.compile(rf"^(?:\s*,\s*{_TOKEN}(?:\s+{_TOKEN})?){{0,3}},?\s+(?:or|nor)\s+\w")
_NOT = re.compile(
    r"(?:\b(?:not|never|no longer)|n't)(?:\s+(?:a|an|any|the|yet|on|really|actually|currently"
    r"|considered|been|be|have|has|showing?|show|report(?:ed|ing)?|detect(?:ed|ing)?|see|seen"
    r"|seeing|find|found|cause[ds]?|measure[ds]?|at|under)){0,4}\s+$"
)
_MISSED = re.compile(
    r"^(?:\s+[\w-]+){0,3}?(?:\s+(?:is|are|was|were|has|have|had|been|does|do|did|can|could))*"
    r"(?:\s+(?:not|never|neither|no longer)|n't)\s+(?:\w+ly\s+)?(?:been\s+|be\s+)?(?:detected|found"
    r"|seen|present|visible|observed|there|here|active|real|near|nearby|burning|measured|sensed"
    r"|happening|occurring|any ?more|an? (?:problem|danger|threat|concern|fire|issue)"
    r"|leaking|rising|spreading|critical|dangerous)\b(?!\s+by\b)"
)
_WAS_A_TEST = re.compile(
    rf"\s+{_AUX}*(?:(?:is|was)\s+)(?:(?:only|just|merely|part of)\s+)?(?:a|an|the)\s+(?:\w+\s+)?"
    rf"{_TEST}\b"
)
_BACK_AFTER = re.compile(
    r"(?:back (?:online|up|to normal|in service)|recovered|restored|resumed|(?:up|running) again)$"
)
_PROVED = re.compile(
    r"^(?:\s+[\w-]+){0,5}?\s+(?:(?:turned|turns) out to be|proved to be|(?:was|were|is|are) (?:only"
    r"|merely)(?=(?:\s+(?:a|an|some))?\s+[\w-]+\s*$))\s+(?!\w*(?:ed|ing|er|en)\b|real|true|serious"
    r"|bad|genuine|arson|small|deliberate)"
)
"""What it was instead, where that is no worse."""
_NO_SUBJECT = re.compile(
    rf"\b(?:no|none of(?: the| our)?|nobody|no one)(?:\s+(?!{_BARRIER}){_TOKEN}){{0,3}}\s+(?:is|are|was"
    r"|were)(?:\s+(?:in|now|currently|reported))?\s+$"
)
_SUBORDINATES = frozenset(
    "after before until till unless if whether since because when where while which who".split()
)
_READ = 4_000
_NEAR = 160
"""Characters of a clause that are read on either side of a word."""
_FEW = 12
"""Clauses on either side of a word that are read; and of each text so many words times five."""


@dataclass(frozen=True)
class _Clause:
    start: int
    end: int
    joint: str
    """What ends it: a mark, a word, or nothing at the end of the text."""


class Polarities:
    """Tells the polarity of any place in one text; the text is taken apart when first asked."""

    def __init__(self, text: str) -> None:
        self._text = text[:_READ].lower().replace("’", "'")  # noqa: RUF001  # as it is written

    def at(self, start: int, end: int) -> Polarity:
        """Tell the polarity of what stands at a place of the text."""
        if self._is_practised:
            return "practised"
        place = bisect_right(self._clauses, start, key=lambda one: one.start) - 1
        clause = self._clauses[place]
        before = self._text[max(clause.start, start - _NEAR) : start]
        after = self._text[end : min(clause.end, end + _NEAR)]
        word = self._text[start:end]
        if before.endswith("false "):
            return "over"
        is_tested = _TESTED.match(after) or _TESTING.search(before) or _WAS_A_TEST.match(after)
        if is_tested and not self._is_real and not _SYMPTOM.match(word):
            return "practised"
        if self._is_absent(start, end, before, after):
            return "absent"
        if (_OF_DEVICE.match(after) or re.match(_DEVICE, word)) and _FINE.match(after):
            return "absent"
        if _OF_DEVICE.match(after) and self._is_denied_elsewhere(word, start):
            return "absent"
        if not self._returns and (self._is_ended(before, after) or self._is_closed(place)):
            return "over"
        return "asserted"

    @cached_property
    def _clauses(self) -> Sequence[_Clause]:
        found, start = [], 0
        for joint in _JOINT.finditer(self._text):
            found.append(_Clause(start, joint.start(), joint.group().strip() or "\n"))
            start = joint.end()
        return (*found, _Clause(start, len(self._text), ""))

    def _words(self, clause: _Clause) -> str:
        return self._text[clause.start : clause.end].strip()

    @cached_property
    def _is_real(self) -> bool:
        return _REAL.search(self._text) is not None

    @cached_property
    def _returns(self) -> bool:
        return _RETURNS.search(self._text) is not None

    @cached_property
    def _is_practised(self) -> bool:
        return not self._is_real and any(
            _PRACTISED.match(self._words(one)) for one in self._clauses if self._words(one)
        )

    def _is_absent(self, start: int, end: int, before: str, after: str) -> bool:
        found = _ABSENT.search(before)
        if found and _are_modifiers(found["between"].split()):
            return True
        if _NOT.search(before) or _NO_SUBJECT.search(before) or _MISSED.match(after):
            return True
        whole, rest = self._text[:start], self._text[end : end + 120]
        if _LISTED.search(whole[-160:]):
            return True
        return bool(_IN_LIST.search(whole[-160:]) and _LIST_GOES_ON.match(rest))

    def _is_denied_elsewhere(self, word: str, start: int) -> bool:
        return any(
            self._is_absent(
                one.start(),
                one.end(),
                self._text[max(0, one.start() - 60) : one.start()],
                self._text[one.end() : one.end() + 60],
            )
            for one in re.finditer(rf"\b{re.escape(word)}\b", self._text)
            if one.start() != start
        )

    def _is_ended(self, before: str, after: str) -> bool:
        if _PROVED.match(after):
            return True
        ended = _ENDED_IT.search(before)
        if ended and not _reserved(before[: ended.start()]):
            return True
        for end in _ENDS.finditer(after):
            between = after[: end.start()]
            if end["weak"] and not end["aux"] and not _DIRECTLY.match(between):
                continue
            if (
                len(between.split()) <= 8
                and not _reserved(between)
                and not _ATTRIBUTIVE.search(between)
            ):
                return True
        return False

    def _is_closed(self, place: int) -> bool:
        """Tell whether a label before a clause, or what follows it, says that it is over."""
        here = self._clauses[place]
        if place and self._clauses[place - 1].joint in ("after", "since"):
            back = self._words(self._clauses[place - 1])
            if (found := _BACK_AFTER.search(back)) and not _reserved(back[: found.start()]):
                return True
        for number in range(place - 1, max(-1, place - _FEW), -1):
            one = self._clauses[number]
            if one.joint in _ENDS_SENTENCE:
                break
            if one.joint in _LABELS | {"-", "–", "—", "|"} and _OVER_LABEL.match(self._words(one)):  # noqa: RUF001
                return True
        sentence = 0
        for number in range(place, min(place + _FEW, len(self._clauses) - 1)):
            one, follows = self._clauses[number], self._words(self._clauses[number + 1])
            if one.joint in _SUBORDINATES:
                break
            sentence += one.joint in _ENDS_SENTENCE
            if sentence > 1:
                break
            if number == place and one.joint in (":", "=") and _VALUE.match(follows):
                return True
            if follows and (
                _CLOSES.match(follows) or _OVER_LABEL.match(follows) and one.joint != ":"
            ):
                return not _reserved(self._text[here.end : self._clauses[number + 1].start])
        return False


def is_denied(condition: str, text: str, status: str | None = None) -> bool:
    """Tell whether a text denies a word of a condition wherever it says that word.

    A condition that itself says that something is off, over or not there is met as it stands.

    Args:
        status: what the sender said of it, if it is over or a test.
    """
    if _SPEAKS_OF_IT.search(condition.lower()):
        return False
    if status in ("over", "test"):
        return True
    polarities, wanted = Polarities(text), words_of(condition)
    said: dict[str, bool] = {}
    for found in WORD.finditer(text[:_READ].lower()):
        word = found.group().removesuffix("s")
        if word in wanted and not said.get(word):
            said[word] = polarities.at(*found.span()) == "asserted"
    return not all(said.values())


def _reserved(before: str) -> bool:
    """Tell whether the last words before an end deny it, doubt it, or only ask for it."""
    return _RESERVED.search(" ".join(before.split()[-4:])) is not None


def _are_modifiers(words: Sequence[str]) -> bool:
    """Tell whether words between `no` and a name can belong to it: no clause stands in them.

    A plural is a name of its own, and a participle behind another word its verb.
    """
    is_plural = any(w.endswith("s") and not w.endswith(("ss", "us", "is", "gas")) for w in words)
    has_verb = len(words) == 2 and words[1].endswith(("ed", "ing"))
    return not is_plural and not has_verb
