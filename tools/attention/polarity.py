"""Read from its clause whether a named thing is asserted, absent, over or only practised.

Cues are matched before the word (`$`), behind it (`^`), or in the whole clause. Doubtful cases
stay asserted, so that an alarm too many is raised rather than one too few.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, takewhile
from typing import Literal

from tools.platform.text_comparison import KEYWORD, keywords_of

JOINT = re.compile(
    r"[.!?](?=\s|$)|[;\n\]\[()]|:(?!\d)|,(?!\d)|\s[-–—|]+\s"  # as they are written
    r"|\b(?:and|but|however|though|although|while|when|where|which|who|because|since|after|before"
    r"|until|till|unless|if|whether|so|yet(?! to\b)|then)\b"
)
ENDS_SENTENCE = frozenset(".!?\n")
LABELS = frozenset(":]-–—|")  # dashes as they are written
CLOSERS = frozenset(")]")

AUX = (
    r"(?:(?:is|are|was|were|has|have|had|been|be|being|got|gets|now|all|also|fully|completely"
    r"|entirely|just|already|successfully|automatically|manually|finally|since|safely|again"
    r"|quickly|meanwhile|both|it|they|status|state)\s+|(?:'s|'re|'ve)\s+)"
)
STRONG = (
    r"(?:resolved|cleared|recovered|extinguished|quenched|doused|repaired|rectified|remedied"
    r"|sealed|patched|solved|averted|avoided|prevented|dismissed|cancell?ed|withdrawn|lifted"
    r"|disarmed|defused|neutrali[sz]ed|eliminated|stood down|put out|ruled out|repelled"
    r"|called off|went out|back to normal|back online|up again|back up|in order again"
    r"|normal again|(?:returned|restored) to (?:normal|service)|(?:a )?false (?:alarm|positive)"
    r"|no more|any ?more|no longer (?:there|present|active|detected|valid|an issue|a problem)"
    r"|(?:changed|switched|went|turned|returned)(?: from \w+)? to (?:off|clear|ok|normal|closed"
    r"|dry|false|idle|0))"
)
WEAK = (
    r"(?:stopped|ended|over|gone|out(?! (?:in|on|at|there|here)\b)|off|fixed|closed|passed(?=\s*$)"
    r"|clear|normal|ok|okay|done|fine|killed|slain|defeated|vanquished|absent|negative|zero|none"
    r"|nil|finished|subsided|receded|abated|ebbed|died down|dissipated|dry|false|restored|safe"
    r"|inactive|history|fake"
    r"|(?:an? )?(?:hoax|prank|joke|mistake|misunderstanding))"
)
"""These end something only behind an auxiliary, or right behind its name."""
TAIL = (
    r"(?=\s*$|\s+(?:by|at|on|in|for|with|from|under|now|again|already|today|yesterday|since|as"
    r"|completely|fully|successfully|safely|itself|there|here|manually|automatically"
    r"|\d{1,2}[:.]\d\d)\b)"
)
"""What may follow a passive; behind a transitive verb stands its object."""
SPEAKS_OF_IT = re.compile(
    rf"\b(?:{STRONG}|{WEAK}|no|not|none|never|nobody|cannot|without|nothing|zero)\b|n't"
)
RESERVED = re.compile(
    r"n't\b|\b(?:not|no|none|never|nobody|cannot|cant|can|could|should|must|need|needs|to|try"
    r"|tries|trying|tried|fail|fails|failed|failing|unable|will|would|may|might|shall|please|being"
    r"|only|hardly|barely|almost|nearly|partly|partially|half|yet|far|nothing|neither|nor|un)\b"
)
ATTRIBUTIVE = re.compile(
    r"\b(?:the|a|an|our|my|his|her|its|their|that|this|of|in|from|at|by|with|near|to|into|on"
    r"|breaks?|broke|breaking|com(?:es?|ing)|pour(?:s|ing)?|leak(?:s|ing)?)\s+$"
)
ENDS = re.compile(rf"(?<![\w-])(?:(?P<strong>{STRONG})|(?P<aux>{AUX}+)?(?P<weak>{WEAK})){TAIL}")
KIND = r"(?:\s+(?:alarm|alert|warning|error|problem|condition|sensor|call|event)s?)?"
PLACE = r"(?:\s+(?:in|at|on|of|under|behind|near|from)(?:\s+the)?\s+[\w-]+(?:\s+[\w-]+)?)?"
DIRECTLY = re.compile(rf"^{KIND}{PLACE}\s*$")
BARRIER = (
    r"(?:from|to|for|with|by|on|in|at|into|near|over|under|of|than|as|is|are|was|were|be|has"
    r"|have|had|does|do|did|can|could|will|would|may|might|must|should|one|body|longer|matter"
    r"|doubt|warning|way|wonder|idea|sooner|fewer|less|only|just|even|time|but|that|there|left"
    r"|response|answer|reply|contact|access|help|communication|escape|exit|you|we|they|it|i|he|she)\b"
)
ENDED_IT = re.compile(
    r"(?<![\w-])(?:(?P<end>resolved|cleared|extinguished|put out|fixed|repaired|solved|stopped"
    r"|averted|avoided|prevented|defused|neutrali[sz]ed|eliminated|ended|killed|slain|defeated"
    r"|vanquished|recovered from)|(?:you|we|i) (?:have )?(?:evaded|escaped|survived))"
    r"(?:\s+(?:the|a|an|all|that|this|both|every|your|our|their|\d+)"
    rf"(?:\s+(?!{BARRIER})[\w-]+){{0,2}})?\s+$"
)
"""Its object is what is named next: `extinguished the fire`, `you killed the creeper`."""
CLOSES = re.compile(
    rf"\W*(?:(?:it|this|that|these|everything|situation|incident|issue|problem)\s+)?{AUX}*"
    rf"(?:{STRONG}|(?:now |was |is |all |{AUX}+){WEAK}|all clear|none(?: found| left| detected"
    rf"| reported| so far)?|(?:nothing|nobody) (?:found|detected|there)|extinguished|put out|over"
    rf"|ended|gone|stopped|resolved|fixed|closed)(?:{TAIL}.*)?\W*$"
)
VALUE = re.compile(
    r"\W*(?:off|no|none|nil|zero|false|ok|okay|clear|normal|dry|inactive|idle|negative|absent|closed"
    r"|0+(?:\.0+)?(?:\s?(?:%|ppm|mm|l|kg|m|bar|total|of \d+))?)\W*$"
)
STATE = (
    r"(?:resolved|recovered|recovery|cleared|all clear|clear|closed|ok|okay|fixed|restored|solved"
    r"|back to normal|false alarm|false positive|cancell?ed|withdrawn|stand down|rescinded)"
)
OVER_LABEL = re.compile(
    r"\W*(?:(?:problem|incident|alert|alarm|issue|event|warning|error|trigger|status|state|update"
    rf"|info)\s+)?(?:(?:is|was|now|has been)\s+)*{STATE}(?: now)?\W*$"
)
TEST = (
    r"(?:test(?:ing|s)?|drills?|exercises?|rehearsal|simulation|simulated|training|practice"
    r"|dry run|demo|demonstration|mock)"
)
PRACTISED = re.compile(
    r"\W*(?P<said>(?:(?:this|it|that|attention|notice|the following)\s*)?(?:(?:is|was|'s)\s+)?"
    rf"(?:(?:only|just|merely)\s+)?)(?:(?:a|an|the|our)\s+)?(?:(?:fire|alarm|safety|weekly|monthly"
    rf"|routine|planned|scheduled|daily|annual|system|self|alert|emergency)[\s-]+){{0,2}}{TEST}"
    rf"(?:\W+{TEST})*(?:\s+(?:only|alert|alarm|message|notification|event|call|mode|today|now"
    r"|please ignore))*\W*$"
)
REAL = re.compile(
    rf"(?:\b(?:no|not|never)|n't)\s+(?:(?:a|an|just|only)\s+){{0,2}}{TEST}\b|\bfor real\b"
)
RETURNS = re.compile(
    r"\bre-?ignit|\brekindl|\bflar(?:ed|es|ing) up|\brecur|\breappear|\brelaps"
    r"|\b(?:it|alert|alarm|incident|issue|ticket|leak|breach|wound)(?: has| was| is)? re-?opened"
    r"|\breturn(?:ed|s)\b(?! to (?:normal|service))|\bspread(?:s|ing)?\b"
    r"|\b(?:is|are|was|it's|has come|came|comes) back\b(?! to| online| up| in | at | on )"
)
DEVICE = r"(?:alarm|detector|sensor|system|signal|siren|suppression|alert|head|panel|unit|beam)"
TESTED = re.compile(
    rf"(?:[\s-]+{DEVICE}s?){{0,2}}(?:[\s-]+self)?[\s-]+(?:tests?|testing|drills?|exercises?"
    r"|rehearsal|simulation|practice|training)\b(?!\s+(?:bench|lab|rig|room|bed|pump|area|site|tube"
    r"|cell|stand|track|flight|chamber|driver?|tank|car|cent(?:re|er)|ground|school|camp|facility"
    r"|hall|building|plant|station|ship|vehicle|tower|house))"
)
TESTING = re.compile(
    rf"\b(?:(?:{TEST}\s+(?:of|for|with)|testing)(?:\s+(?:the|a|an|our|all|every|each)"
    r"(?:\s+[\w-]+)?)?|(?:simulated|simulating|mock|staged|fake)(?:\s+[\w-]+)?)\s+$"
    r"|^\W*(?:test|practice|exercise|training)\s+$"
)
SYMPTOM = re.compile(r"(?:fail|error|exception|broken|lost|stuck|crash|overheat|exceed|block)")
FINE = re.compile(
    rf"^(?:[\s-]+{DEVICE}s?)*{PLACE}\s+{AUX}*(?:battery\s+{AUX}*)?(?:ok|okay|online|tested"
    r"|replaced|installed|armed|working|functional|serviced|charged|healthy|reset|enabled"
    rf"|connected|normal|inspected|calibrated|passed|commissioned|maintained){TAIL}"
)
OF_DEVICE = re.compile(rf"^[\s-]+{DEVICE}s?\b")

TOKEN = r"[\w-]+"  # noqa: S105  # a word of a text
ABSENT = re.compile(
    rf"(?:(?<![\w.,-])(?:no(?!\.?\s*\d)|without|zero|nil|nor|neither|none of(?: the| these)?"
    rf"|free (?:of|from)|absence of|0+(?:\.0+)?)(?:\s+(?:any|a|an|further|new|other|more|single"
    rf"|known|such|known))*(?:(?:\s+(?!{BARRIER}){TOKEN})?\s+(?:sign|trace|evidence|indication"
    r"|report|hint|smell|risk|danger|threat|chance|case|instance|symptom|suspicion|record"
    r"|mention|detection)s?\s+(?:of|for)(?:\s+(?:any|a|an|the))?)?"
    rf"(?P<between>(?:\s+(?!{BARRIER}){TOKEN}){{0,2}})\s+)$"
)
LISTED = re.compile(
    rf"(?<![\w-])(?:no|without|zero|neither|never any)\s+(?:{TOKEN}(?:\s+{TOKEN})?\s*,\s*){{0,4}}"
    rf"(?:{TOKEN}\s+){{1,2}},?\s*(?:or|nor)\s+(?:any\s+)?(?:{TOKEN}\s+)?$"
)
IN_LIST = re.compile(rf"(?<![\w-])(?:no|without|zero)\s+(?:{TOKEN}(?:\s+{TOKEN})?\s*,\s*){{1,4}}$")
LIST_GOES_ON = re.compile(rf"^(?:\s*,\s*{TOKEN}(?:\s+{TOKEN})?){{0,3}},?\s+(?:or|nor)\s+\w")
NOT = re.compile(
    r"(?:\b(?:not|never|no longer)|n't)(?:\s+(?:a|an|any|the|yet|on|really|actually|currently"
    r"|considered|been|be|have|has|showing?|show|report(?:ed|ing)?|detect(?:ed|ing)?|find|found"
    r"|cause[ds]?|measure[ds]?|at|under)){0,4}\s+$"
)
MISSED = re.compile(
    r"^(?:\s+[\w-]+){0,3}?(?:\s+(?:is|are|was|were|has|have|had|been|does|do|did|can|could))*"
    r"(?:\s+(?:not|never|neither|no longer)|n't)\s+(?:\w+ly\s+)?(?:been\s+|be\s+)?(?:detected"
    r"|present|visible|there|here|active|real|near|nearby|burning|measured|sensed|happening"
    r"|occurring|any ?more|an? (?:problem|danger|threat|concern|fire|issue))\b(?!\s+by\b)"
)
WAS_A_TEST = re.compile(
    rf"\s+{AUX}*(?:(?:is|was)\s+)(?:(?:only|just|merely|part of)\s+)?(?:a|an|the)\s+(?:\w+\s+)?"
    rf"{TEST}(?=\s*$|\W\s|\s+(?:only|run|by|of|for|at|today))"
)
BACK_AFTER = re.compile(r"(?:back (?:online|up|to normal|in service)|(?:up|running) again)$")
PROVED = re.compile(
    r"^(?:\s+[\w-]+){0,5}?\s+(?:(?:turned|turns) out to be|proved to be|(?:was|were|is|are) (?:only"
    r"|merely)(?=(?:\s+(?:a|an|some))?\s+[\w-]+\s*$))\s+(?!\w*(?:ed|ing|er|en)\b|real|true|serious"
    r"|bad|genuine|arson|small|deliberate)"
)
"""What it was instead, where that is no worse."""
NO_SUBJECT = re.compile(
    rf"\b(?:no|none of(?: the| our)?|nobody|no one)(?:\s+(?!{BARRIER}){TOKEN}){{0,3}}"
    r"\s+(?:is|are|was|were|has|have|had)(?:\s+(?:in|now|currently|reported|any|an?))?\s+$"
    rf"|(?<![\w.,])0 of(?: the)? \d+(?:\s+{TOKEN}){{0,2}}\s+$"
)
SUBORDINATES = frozenset(
    {
        *("after", "before", "until", "till", "unless", "if", "whether", "since", "because"),
        *("when", "where", "while", "which", "who"),
    }
)
FALSE = re.compile(r"\bfalse (?:[\w-]+ )?$")
VICTIM = re.compile(r"man overboard|unconscious|not breathing|heart attack|bleeding|mayday")
LOST = re.compile(r"gone|out|off|killed|negative|closed|done|finished|put out")
"""What ends a danger, and does not save who is in one."""
RESCUED = re.compile(
    r"\b(?:rescued|recovered|on board again|back on board|conscious again|breathing again)\b"
)
FLAMES = re.compile(r"fire|smoke|flame|blaze|candle")
"""What is put out; anything else that is was sent."""
TROUBLE = re.compile(
    r"\b(?:(?:problem|issue|threat|malware|intrusion|incident|alert|alarm|finding|defect|conflict"
    r"|outage|infection|violation|difference|complaint|failure|warning|irregularit(?:y|ie)|injur"
    r"(?:y|ie)|anomal(?:y|ie)|vulnerabilit(?:y|ie)|discrepanc(?:y|ie)|casualt(?:y|ie))s?"
    r"|virus(?:es)?|trouble|crack|fault|error)s?\b(?!\s+(?:scan|check|filter|protection|reports?|log"
    r"|list|monitor|detector|code|cent)\b)"
)
"""What goes wrong, in any domain: alone it is no danger, and denied it says that all is well."""
WELL = re.compile(
    r"\W*(?:(?:all|everything|everybody|everyone)(?:\s+[\w-]+){0,2}?(?:\s+(?:is|are|looks?|runs?"
    r"|running))?\s+(?:well|good|fine|ok|okay|normal|quiet|operational|green|safe|healthy|nominal"
    r"|accounted for|normally|as usual|as expected)"
    r"|nothing\s+(?:to report|unusual|suspicious|wrong|abnormal|amiss|out of the ordinary)"
    r"(?:\s+(?:found|detected|seen|reported|noted))?)"
    rf"{PLACE}\W*$"
)


Polarity = Literal["asserted", "absent", "over", "practised"]

_READ = 4_000
_NEAR = 160
"""Characters of a clause that are read on either side of a word."""
_BETWEEN = 8
"""Words between a name and its end in one clause."""
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
        self._text = text[:_READ].lower().replace("’", "'")  # as it is written

    def at(self, start: int, end: int) -> Polarity:
        """Tell the polarity of what stands at a place of the text."""
        if self._is_practised:
            return "practised"
        place = bisect_right(self._clauses, start, key=lambda one: one.start) - 1
        clause = self._clauses[place]
        before = self._text[max(clause.start, start - _NEAR) : start]
        after = self._text[end : min(clause.end, end + _NEAR)]
        word = self._text[start:end]
        if FALSE.search(before):
            return "over"
        is_tested = TESTED.match(after) or TESTING.search(before) or WAS_A_TEST.match(after)
        if is_tested and not self._is_real and not SYMPTOM.match(word):
            return "practised"
        if self._is_absent(start, end, before, after):
            return "absent"
        if (OF_DEVICE.match(after) or re.match(DEVICE, word)) and FINE.match(after):
            return "absent"
        if OF_DEVICE.match(after) and self._is_denied_elsewhere(word, start):
            return "absent"
        if not self._returns and (self._is_ended(word, before, after) or self._is_closed(place)):
            return "over"
        return "asserted"

    @cached_property
    def reassures(self) -> bool:
        """Tell whether the text says that all is well, or names troubles only to deny them."""
        if any(WELL.match(self._words(one)) for one in self._clauses):
            return True
        found = list(islice(TROUBLE.finditer(self._text), _FEW))
        return bool(found) and all(self.at(*one.span()) != "asserted" for one in found)

    @cached_property
    def _clauses(self) -> Sequence[_Clause]:
        found, start = [], 0
        for joint in JOINT.finditer(self._text):
            found.append(_Clause(start, joint.start(), joint.group().strip() or "\n"))
            start = joint.end()
        return (*found, _Clause(start, len(self._text), ""))

    def _words(self, clause: _Clause) -> str:
        return self._text[clause.start : clause.end].strip()

    @cached_property
    def _is_real(self) -> bool:
        return REAL.search(self._text) is not None

    @cached_property
    def _returns(self) -> bool:
        return RETURNS.search(self._text) is not None

    @cached_property
    def _is_practised(self) -> bool:
        """Tell whether the whole text is of a test: a label at its head or end, or its own word."""
        if self._is_real:
            return False
        said = [one for one in self._clauses if self._words(one)]
        head = list(takewhile(lambda one: PRACTISED.match(self._words(one)), said))
        return bool(head) or any(
            (found := PRACTISED.match(self._words(one)))
            and (found["said"] or one.joint in CLOSERS or one is said[-1])
            for one in said
        )

    def _is_absent(self, start: int, end: int, before: str, after: str) -> bool:
        found = ABSENT.search(before)
        if found and _are_modifiers(found["between"].split()):
            return True
        if NOT.search(before) or NO_SUBJECT.search(before) or MISSED.match(after):
            return True
        whole, rest = self._text[:start], self._text[end : end + 120]
        if LISTED.search(whole[-160:]):
            return True
        return bool(IN_LIST.search(whole[-160:]) and LIST_GOES_ON.match(rest))

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

    def _is_ended(self, word: str, before: str, after: str) -> bool:
        if PROVED.match(after):
            return True
        ended = ENDED_IT.search(before)
        if ended and _can_end(ended["end"] or "", word) and not _reserved(before[: ended.start()]):
            return True
        if VICTIM.match(word) and (saved := RESCUED.search(after)):
            return not _reserved(after[: saved.start()])
        return any(_ends(end, word, after[: end.start()]) for end in ENDS.finditer(after))

    def _is_labelled(self, place: int) -> bool:
        """Tell whether a label at the head of the sentence, or `back online after`, ends it."""
        if place and self._clauses[place - 1].joint in ("after", "since"):
            back = self._words(self._clauses[place - 1])
            if (found := BACK_AFTER.search(back)) and not _reserved(back[: found.start()]):
                return True
        for one in reversed(self._clauses[max(0, place - _FEW) : place]):
            if one.joint in ENDS_SENTENCE:
                return False
            if one.joint in LABELS and OVER_LABEL.match(self._words(one)):
                return True
        return False

    def _is_closed(self, place: int) -> bool:
        """Tell whether a label before a clause, or a clause behind it, says that it is over."""
        here = self._clauses[place]
        if self._is_labelled(place):
            return True
        sentence = 0
        for number in range(place, min(place + _FEW, len(self._clauses) - 1)):
            one, follows = self._clauses[number], self._words(self._clauses[number + 1])
            if one.joint in SUBORDINATES:
                break
            sentence += one.joint in ENDS_SENTENCE
            if sentence > 1:
                break
            if number == place and one.joint in (":", "=") and VALUE.match(follows):
                return True
            if follows and (
                CLOSES.match(follows) or (OVER_LABEL.match(follows) and one.joint != ":")
            ):
                return not _reserved(self._text[here.end : self._clauses[number + 1].start])
        return False


def _ends(end: re.Match[str], word: str, between: str) -> bool:
    """Tell whether an end that is found in a clause is that of a word before it there."""
    if end["weak"] and not end["aux"] and not DIRECTLY.match(between):
        return False
    if len(between.split()) > _BETWEEN or not _can_end(end["weak"] or end["strong"], word):
        return False
    return not _reserved(between) and not ATTRIBUTIVE.search(between)


def _can_end(end: str, word: str) -> bool:
    if end == "put out":
        return FLAMES.match(word) is not None
    return not (VICTIM.match(word) and LOST.match(end))


def is_denied(condition: str, text: str, status: str | None = None) -> bool:
    """Tell whether a text denies a word of a condition wherever it says that word.

    A condition that itself says that something is off, over or not there is met as it stands.

    Args:
        status: what the sender said of it, if it is over or a test.
    """
    if SPEAKS_OF_IT.search(condition.lower()):
        return False
    if status in ("over", "test"):
        return True
    polarities, wanted = Polarities(text), keywords_of(condition)
    said: dict[str, bool] = {}
    for found in KEYWORD.finditer(text[:_READ].lower()):
        word = found.group().removesuffix("s")
        if word in wanted and not said.get(word):
            said[word] = polarities.at(*found.span()) == "asserted"
    return not all(said.values())


def _reserved(before: str) -> bool:
    """Tell whether the last words before an end deny it, doubt it, or only ask for it."""
    return RESERVED.search(" ".join(before.split()[-4:])) is not None


def _are_modifiers(words: Sequence[str]) -> bool:
    """Tell whether words between `no` and a name can belong to it: no clause stands in them.

    A plural is a name of its own, and a participle behind another word its verb.
    """
    is_plural = any(w.endswith("s") and not w.endswith(("ss", "us", "is", "gas")) for w in words)
    has_verb = len(words) == 2 and words[1].endswith(("ed", "ing"))
    return not is_plural and not has_verb
