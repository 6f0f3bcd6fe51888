"""Request frames and politeness: what precedes a verb (`can you ...`), and courteous tails.

Covers provisos (`if possible`), requests to report back, thanks, haste and signatures.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from tools.nlu.lexicon.cue_phrases import HARMLESS, any_of_words
from tools.nlu.lexicon.normalization import Normal, word_set

NICE = word_set(
    "great nice good lovely helpful grateful glad happy wonderful obliged thankful delighted kind"
)
"""What it would be if you did it."""
_YOU_TO = "(?:you to|that you(?! not\\b))"
"""Behind a word for asking: `I ask you to …`, and no `I ask that you not …`."""
_HIGH_TIME = "(?:it's |it is )?(?:about |high )?time (?:we|i|you)"
REQUEST = any_of_words(
    "(?:i|we)(?:'d| would)?(?: really| just| kindly| also)* (?:have|need|like|love|want) to"
    f"(?: kindly)? (?:ask|beg|request) {_YOU_TO}",
    "(?:can|could|would|will) (?:you|u|ya)(?: (?:please|kindly|just|also|quickly|maybe|now"
    "|then|possibly|perhaps|simply|by any chance))*"
    "(?: be able to| mind| be so kind as to| be so good as to| go ahead and)?",
    "(?:i'd|i would|we'd|we would) (?:really )?(?:appreciate it|(?:like|love) it"
    "|be (?:much |very |most |so )?(?:grateful|obliged|thankful|glad|happy|delighted))"
    " if you (?:could|would|can)",
    "(?:i'm|i am|we're|we are) (?:going to|gonna) need(?: you)?(?: to)?|gonna need (?:you )?to",
    "(?:i'll|we'll|i will|we will)(?: also| just| probably)? need(?: you)?(?: to)?",
    "(?:can|could|would) (?:somebody|someone|anyone|anybody|one of you)(?: please| kindly| just)*",
    "(?:is there )?any (?:chance|way) (?:that )?(?:you|u) (?:could|can|might)(?: please| just)*",
    "(?:do you think|i wonder if|(?:(?:i|we) (?:was|were|am) |i'm |just )?wondering (?:if|whether))"
    " you could",
    "(?:i|we) (?:really |just |also |still |now )*(?:need|want|would like|would love|wish|gotta"
    "|have)(?: you)?(?: guys)?(?: all)? to",
    "(?:i'd|we'd) (?:really )?(?:like|love|need)(?: you)?(?: to)?",
    "(?:i'm|i am|we're|we are) (?:trying|looking|here|calling) to|i've got to",
    "(?:i|we) (?:really |just )*(?:need|want|require)|i would (?:like|love)",
    "(?:let's|lets|let us)(?: (?:just|now|also))*(?: go ahead and)?|go ahead and|go on and",
    "you (?:can|may)(?: now| also| just| please)*(?! not\\b)|you need to",
    r"(?:(?:do|would) you )?mind(?= [\w'-]+ing\b)",
    "help me(?: to)?|let me|need you to|need to|want to|need|time to",
    "(?:it |that )?would be (?:great|nice|good|lovely|helpful) if you could",
    "would it be possible (?:for you )?to",
    "why don't (?:you|we)|why not",
    "do (?:me|us) (?:the|a) (?:kindness|favou?r|courtesy|service|honou?r|solid|good turn)"
    " (?:of|and|to)",
    "(?:may|might|can|could|must) i(?: please| kindly| just)?"
    " (?:(?:ask|trouble|bother|beg|get) you to|ask that you(?! not\\b))",
    "i(?:'d| would| must)?(?: kindly| also| just)? (?:ask|beg) you to",
    f"(?:(?:i |we )?(?:kindly |hereby ))?(?:request|ask|beg) {_YOU_TO}",
    f"(?:kindly |hereby )?(?:requesting|asking) {_YOU_TO}",
    "(?:i|we)(?:'d| would) (?:really |much )?appreciate (?:you|your)(?= [\\w'-]+ing\\b)",
    "in advance for(?= [\\w'-]+ing\\b)",
    "(?:i'm|i am|we're|we are) (?:counting|relying) on you to",
    "(?:it's|it is)(?: now| about| high)* time to",
    "if you (?:could|would|can)(?: please| just| kindly)*(?= .+ (?:it|that)(?: would|'d) be"
    f" (?:so |very |really |most )?(?:{'|'.join(sorted(NICE))})(?: |$))",
    "(?:it'd|it would) be (?:very |so |really )?(?:nice|kind|good|great|lovely|sweet) of you to",
    r"(?:is there |there's )?any chance of(?= [\w'-]+ing\b)|(?:is there )?any chance you(?:'d)?",
    _HIGH_TIME,
    "(?:what|all) (?:i|we)(?:'d| would)?(?: really| just)? (?:need|want|like|ask)(?: now)? is"
    "(?: for you)? to",
    "(?:i|we) (?:just )?wanted to ask (?:you to|(?:if|whether) you (?:could|would))",
    r"(?:proceed with|(?:start|begin)(?: off)? (?:by|with)|go ahead with)(?= [\w'-]+ing\b)",
    "(?:you(?: had|'d)? )?better(?! not\\b)",
    "(?:i'm|i am|we're|we are|i was|we were)(?: really| just| kindly)? (?:hoping(?: that)? you"
    " (?:could|can|would|will|might)"
    "|(?:asking|begging) you to|requesting that you(?! not\\b))",
    "(?:it is|it's)(?: really| very| absolutely| now)* (?:necessary|important|essential|imperative"
    "|vital|crucial|urgent|required) (?:that (?:you|we)|for you to)"
    "(?= (?!not\\b|don't\\b|never\\b))",
    "(?:i|we) (?:must )?(?:request|insist|demand|ask)(?: that)? you"
    "(?= (?!not\\b|don't\\b))(?: to)?",
    "(?:my|our) (?:request|wish|order|ask|instruction) (?:is|was|would be)"
    " (?:to|that you|for you to)",
    "(?:your|the) (?:task|job|order)(?: now)? (?:is|would be) to",
    "(?:i'm|i am|we're|we are)(?: currently| still| also| now)?"
    r"(?= (?:looking|searching) (?:for|up)\b)",
)
"""Before a verb; as all of these it matches at the start of a clause whose words are joined by
single spaces."""
HIGH_TIME = re.compile(f"{_HIGH_TIME} ")
"""That of REQUEST which, before a past form, asks for it now: `time we closed it`."""
ANNOUNCES = re.compile(
    r"(?:start|begin|proceed|go ahead|go on|(?:about |high )?time|it's|it is|what|all)\b"
)
"""Those of REQUEST that tell what is next; a mark behind them asks whether it is."""
CAUSES = re.compile(
    r"(?:(?P<tells>(?:i|we)(?:'d| would)?(?: really| just| also)* (?:need|want|like|love)"
    r"(?: to (?:have|get|(?P<see>see)))?|have|get|want|need|would like(?: to have)?"
    r"|(?:it's )?time to (?:get|have))"
    r"|(?P<may>(?:can|could|may) (?:i|we) (?:please )?(?:get|have))"
    r"|(?:can|could|would|will) you (?:please |kindly )?(?:get|have)|let's (?:get|have)"
    r"|(?:how|what) about (?:getting|having)) "
)
"""Before a thing and what is to be done to it. A mark behind those that tell asks something else:
`have that closed?`. `See` and `may` ask to be shown what is described, too: `can I have the list of
papers marked to read`."""
ENSURES = re.compile(
    r"(?P<asks>(?:can|could|would|will) you (?:please |kindly )?(?!see that (?!.* gets? )))?"
    r"(?:see to it (?:that )?|see that |make (?:very |quite )?sure (?:that )?|ensure (?:that )?"
    r"|take care (?:that )?|let (?=.+ be ))(?!to\b)"
)
"""Before a sentence that is to become true: `make sure that it is closed`. A mark behind one that
asks us to is polite; `can you see that it is closed` asks whether we see it."""
FRAME_WORDS = word_set(
    "get gets got be been have has need needs want wants make sure ensure see let let's still "
    "really ready waiting due was were hoping asking requesting wondering i'm i'd we'd we're am "
    "like start begin proceed go ahead by"
)
"""What of all these is no value: `get P-3 tagged nlp`, `start by tagging it nlp`."""


_EASY = HARMLESS | word_set(
    "trouble bother hassle chance time sec busy spare free ready late kind good"
)
"""Behind a polite `if` or `when`: `if it's not too much trouble`, `when you get a chance`."""
_FEASIBLE = r"(?:at all |humanly )?(?:possible|feasible|convenient|practical)"
_IT_IS = r"(?:it's|it is|that's|that is)"
_AGREEABLE = (
    rf"{_IT_IS} (?:ok|okay|all right|alright|fine|no (?:trouble|bother|problem|hassle))"
    r"(?: (?:with|for|by) you)?"
)
_NO_TROUBLE = (
    rf"(?:(?:{_IT_IS} )?not|(?:it|that) isn't) (?:too|a|any|much|asking)(?: [\w']+){{0,3}}?"
    r" (?:trouble|bother|problem|hassle|work|ask)"
)
_YOU_ARE_FREE = "(?:you're|you are) free"
_HAVE_TIME = (
    r"(?:(?:have|get|find) (?:a|the|some|any)? ?(?:free |spare )?"
    r"(?:time|chance|moment|minute|second|sec|bit of time)"
    r"|(?:get|come) (?:round|around) to it|get to it)"
)
_END = r"(?: (?:please|pls|thanks|then|now|too))*$"

ASKED_ONCE_MORE = re.compile(
    r"(?:will|would|can|could|won't) you"
    r"(?: please| kindly| do (?:that|it|this)(?: for (?:me|us))?)*$"
)
"""All of a part behind an order that asks for it again: `close it, will you?`."""

POLITE_IF = re.compile(
    r"(?<!\S)(?:(?:if|when|whenever) (?:possible|(?:it's|that's) (?:ok|okay|possible)|not too"
    r"|you (?:can|could|would|may|have|get|don't mind|please|like|want))(?![\w'])"
    rf"|(?:if|when|whenever) (?:{_YOU_ARE_FREE}|{_AGREEABLE}|{_NO_TROUBLE}){_END}"
    rf"|(?:if|when|whenever|as soon as) (?:{_IT_IS} )?{_FEASIBLE}{_END}"
    rf"|as soon as you (?:can|could|may){_END}"
    r"|once and for all(?!\S))"
)
"""Begins one, in the words of its clause. Behind `if you have` and the like other words may still
make it a condition: `if you have the parts`."""

PROVISO = (
    r"(?:[\w'-]+(?: and [\w'-]+)? (?:permitting|allowing)|all (?:being |going )?well"
    r"|(?:god|weather) willing"
    rf"|(?:if|when|whenever|where|as soon as|once) (?:(?:{_IT_IS} )?{_FEASIBLE}|{_YOU_ARE_FREE}"
    rf"|you (?:{_HAVE_TIME}|can|could|may|like|want|please|don't mind|would be so (?:kind|good)))"
    rf"|if (?:{_AGREEABLE}|{_NO_TROUBLE})"
    r"|asap|at your (?:earliest )?(?:convenience|leisure)|if need be|once and for all)"
)
"""All of one: it is no word of a note, and no value."""


class Provisos(NamedTuple):
    """Where the words of a text are polite, and where what only begins so makes a condition."""

    polite: frozenset[int]
    """All words of `if it's not too much trouble` and `will you`."""
    conditions: frozenset[int]
    """The first word of `if you like the order`."""


def provisos_in(words: Sequence[str], clauses: Sequence[range]) -> Provisos:
    """Find the provisos of a text that is cut into `clauses`; each goes to the end of its own."""
    polite: set[int] = set()
    conditions: set[int] = set()
    told = range(max((one.stop for one in clauses), default=0), len(words))
    for part in (*clauses, told):
        said = " ".join(words[part.start : part.stop])
        for found in POLITE_IF.finditer(said):
            first = part.start + said.count(" ", 0, found.start())
            rest = said[found.end() :].split()
            if _EASY.issuperset(rest):
                polite.update(range(first, part.stop))
            else:
                conditions.add(first)
        if ASKED_ONCE_MORE.match(said):
            polite.update(part)
    return Provisos(frozenset(polite), frozenset(conditions))


_ME = "(?:me|us)"
TELLING = (
    f"let {_ME} know|(?:tell|ping|notify|inform|alert|update) {_ME}|keep {_ME} (?:posted|informed"
    f"|updated|in the loop)|(?:get|come) back to {_ME}|give {_ME} a (?:shout|ping|heads up|sign)"
    f"|(?:report|confirm) (?:back(?: to {_ME})?|to {_ME})"
)
"""Words by which somebody asks to be told. A bare `confirm` and `report` are none of them: they may
be what is to be done."""
_STATE = (
    "(?:(?:it|that|this|all|everything)(?:'s| is| has)|you(?:'re| are|'ve| have)"
    "|(?:it|that|this) (?:gets|got))"
)
_REPORTED_DONE = "(?:been )?(?:done|finished|ready|complete|through|sorted|over|[a-z]+ed)"
_WHEN = (
    f"(?:when|once|after|as soon as|that)(?: {_STATE})? {_REPORTED_DONE}"
    "|how (?:it|that) (?:went|goes)"
)
"""No `if`: `and tell me if that's allowed` leaves it open whether."""
_REPORT = re.compile(
    r"(?:(?:(?<![,;.!])[,;.!]+ *| -+ )(?:and |then |also |please |pls )*"
    r"|(?: (?:and|then|also|please|pls))+ )"
    rf"(?:{TELLING})(?: (?:{_WHEN}))?(?:,? (?:please|pls|thanks|thank you|ok|okay))?[ .!]*$"
)
_KEPT = re.compile(
    r"[:\n]|^[^\"]*\"(?:[^\"]*\"[^\"]*\")*[^\"]*$| [-\u2192] ?\S"
    r"|\b(?:that|saying|says|write|reading|note|ask|tell|remind|message|comment|draft)\b"
    r"|\b(?:task|job|reminder|email|mail) to [a-z]"
    r"|^(?:and |then |so )?(?:if|once|when|whenever|after|until|before|unless|as soon as)\b"
)
"""Before it, these let its words be part of what is to be written down, or all that is asked."""


def without_report(normal: Normal) -> tuple[Normal, str | None]:
    """Take such an end off a text.

    Returns:
        The text without it, and the end as it was written; None: the text has none.
    """
    found = _REPORT.search(normal.text)
    if found is None or _KEPT.search(normal.text, 0, found.start()):
        return normal, None
    start = found.start()
    tokens = tuple(one for one in normal.tokens if one.end <= start)
    if not tokens:
        return normal, None
    end = normal.written(normal.tokens[len(tokens)].start, normal.tokens[-1].end)
    origin = normal.origin and normal.origin[: start + 1]
    return replace(normal, text=normal.text[:start], tokens=tokens, origin=origin), end


_CLOSING = (
    r"(?:(?:with )?(?:best|kind|kindest|warm|warmest|many|friendly)?[ ]?(?:regards|wishes|thanks)"
    r"|best|thank you|thx|cheers|yours(?: (?:truly|sincerely|faithfully))?|sincerely|br|rgds|mfg"
    r"|sent from [^\n]{1,40}|get outlook [^\n]{1,40})"
)
_SIGNED = re.compile(
    rf"\n[ \t]*(?:-- ?(?=\n)|_{{3,}}|{_CLOSING}(?: (?:a lot|so much|again|in advance))?[ \t]*"
    r"(?:[,.!-]+[ \t]*(?:[\w'.-]+(?: [\w'.-]+){0,2})?)?[ \t]*(?=\n|$))"
)
"""The line that begins a signature; what stands behind it is of it too."""
_BLANK_LINE = re.compile(r"\n[ \t]*\n\s*")
_MOST_SIGNED = 5
"""Lines of a signature."""
_FIRST = r"[A-Z][\w'.-]*"
_NAME = re.compile(rf"{_FIRST}(?: (?:(?:van|de|der|den|von|da|di|la|el) )*{_FIRST}){{1,2}}")
_LAST_LINE = re.compile(rf"\n[ \t]*(?P<dash>- ?)?{_FIRST}(?: {_FIRST}){{0,2}}[ \t]*$")
_GREETING = re.compile(
    r"\s*(?:hi|hello|hey|dear|ahoy|good (?:morning|afternoon|evening|day))\b[^\n]{0,40}\n",
    re.IGNORECASE,
)
"""Who begins like this signs at the end."""
_TELLS = re.compile(
    r"\b(?:is|was|are|were|has|have|had|the|not|needs?|to|ok|done|new)\b", re.IGNORECASE
)
_DONE = re.compile(r"(?:ed|ing)\b")
"""These tell how something is, where only names and functions stand in a signature."""
_THANKS = (
    r"(?:many |kind )?(?:thanks|thank you)"
    r"(?: (?:you|a (?:lot|million|bunch|ton)|so much|very much|again|in advance))*"
    r"|thx|(?:cheers|ta)(?: mate)?|(?:pretty )?please|pls|bye|over and out"
    r"|much (?:appreciated|obliged)|(?:will|would|can|could) you|mate|boss|folks|guys"
)
_HASTE = (
    r"(?:there's |there is )?no (?:rush|hurry)|take your time|hurry(?: up)?|quick|at once"
    r"|right (?:away|now)|chop chop|pronto|for (?:heaven's|god's|goodness'?|pete's) sake"
)
_BY_THE_WAY = r"by the way|btw|fyi|just so you know|before i forget|that's (?:all|it)|full stop"
_ASIDE = re.compile(rf"(?<!\S)(?:{_THANKS}|{_HASTE}|{_BY_THE_WAY}|{PROVISO})$")
_MARKS = " \t\n,.;!?()-"


def without_signature(normal: Normal, start: int, end: int) -> int:
    """Say where a piece of the normal text ends before the signature that may close it.

    Args:
        start: where it begins, with the white space before it.
    """
    signed = _SIGNED.search(normal.text, start, end)
    if signed is not None:
        return signed.start()
    first, last = normal.span(start, end)
    line = _LAST_LINE.search(normal.original, first, last)
    if line and not _DONE.search(line[0]) and (line["dash"] or _GREETING.match(normal.original)):
        return bisect_left(normal.origin or range(end + 1), line.start(), start, end)
    blanks = list(_BLANK_LINE.finditer(normal.original, first, last))
    if not blanks or not _signs(normal.original[blanks[-1].end() : last].strip().split("\n")):
        return end
    return bisect_left(normal.origin or range(end + 1), blanks[-1].start(), start, end)


def _signs(lines: list[str]) -> bool:
    """Tell whether the last lines are a name, and what its owner is."""
    tells = any(map(_TELLS.search, lines)) or _DONE.search(lines[0])
    is_named = _NAME.fullmatch(lines[0].rstrip(" ,.")) is not None
    return is_named and not tells and len(lines) <= _MOST_SIGNED


def is_aside(text: str) -> bool:
    """Tell whether all of a text is thanks, haste or a proviso."""
    return _ASIDE.fullmatch(text.strip(_MARKS).lower()) is not None


def without_asides(normal: Normal, start: int, end: int) -> int:
    """Say where a piece ends before thanks and provisos: `seal replaced, weather permitting`."""
    text = normal.text[start:end]
    while True:
        said = text.rstrip(_MARKS)
        aside = _ASIDE.search(said)
        before = said[: aside.start()].rstrip(" \t") if aside else ""
        if aside is None or (before and before[-1] not in _MARKS):
            return start + len(said)
        text = before
