"""Is it asked for, or denied, told, supposed, wondered about? Decided before anything is scored."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from state.policy import Mood
from tools.routing.clauses import Clause, Cut, cut_clauses
from tools.routing.normalise import Normal
from tools.routing.verbs import Verb, VerbLexicon

_LEAD = re.compile(
    r"(?:(?:hey|hi|hello|ok|okay|so|well|now|please|pls|plz|kindly|and|then|also|but|just|yes|yeah"
    r"|yep|sure|alright|right|oh|um|uh|thanks|thank you|actually|quickly|quick|urgent|urgently|asap"
    r"|next|first|finally|instead|important|attention|action|good (?:morning|afternoon|evening)"
    r"|go ahead|go ahead and|be so kind as to|i said|i told you to|i asked you to|don't forget to"
    r"|do not forget to|dont forget to|don't hesitate to|make sure to|make sure you|be sure to"
    r"|feel free to|remember to|try to|try and|prefrontal|assistant|computer|captain|chief)(?: |$))+"
)
_REQUEST = re.compile(
    r"(?:(?:can|could|would|will) (?:you|u|ya)(?: (?:please|kindly|just|also|quickly|maybe))*"
    r"(?: be able to| mind)?"
    r"|(?:i|we) (?:really |just |also )*(?:need|want|would like|would love|wish|gotta|have)"
    r"(?: you)?(?: guys)? to|(?:i'd|we'd) (?:really )?(?:like|love|need)(?: you)?(?: to)?"
    r"|(?:i'm|i am|we're|we are) (?:trying|looking|here|calling) to|i've got to"
    r"|(?:i|we) (?:really |just )*(?:need|want|require)|i would (?:like|love)|let's|let us|help me(?: to)?"
    r"|need you to|need to|want to|need|time to|would be (?:great|nice|good) (?:if you could|to))(?: |$)"
)
_POLITE_IF = re.compile(
    r"(?:if|when|whenever) (?:possible|you (?:can|could|would|may|have|get|don't mind|please|like|want)"
    r"|it's (?:ok|okay|possible|not)|not too|that's (?:ok|okay))"
)
_DENIED = re.compile(
    r"(?:(?:no|please|and|but|or|so) )*(?:(?:you|we|they|he|she|nobody|no one|people|someone)"
    r"(?: really)? )?(?:do not|don't|dont|should not|shouldn't|shouldnt|must not|mustn't|never|cannot"
    r"|can not|may not|shall not|shan't|no need to|need not|needn't|not to|avoid|refrain from"
    r"|let's not|let us not|stop short of|under no circumstances|by no means|no longer)(?: |$)"
)
_UNWANTED = re.compile(
    r"(?:i|we) (?:really )?(?:do not|don't|dont|wouldn't|would not|didn't|did not|won't|will not"
    r"|never) (?:(?:want|need|like|wish|ask|mean|intend|said|asked|told)\b|close|add|order)"
)
_NO_COMMAND = re.compile(r"(?:know|have|see|think|understand|recall|remember|believe|worry|get)\b")
_PASSIVE_DENIED = re.compile(
    r".{0,120}?\b(?:should|must|may|shall|can|is|are)(?: ?not|n't)(?: to)? be \w+(?:ed|en)\b"
)
_FRAGMENT = re.compile(r"(?:(?:no|and|but) )*(?:not|instead of|rather than|without|except)(?: |$)")
_CANCEL = re.compile(
    r"(?:(?:no|oh|wait|sorry|actually|hold on|on second thought) )*(?:no|nope|wait|stop|don't|dont"
    r"|do not|never ?mind|cancel that|cancel it|forget (?:it|that|about it)|scratch that|hold on"
    r"|not yet|not now|leave it|better not|rather not)(?: (?:yet|now|please|thanks|do (?:it|that)))*"
)
_HOW = re.compile(
    r".{0,80}?\b(?:how (?:do|can|could|would|should|does|did|to|is|are)|what happens (?:if|when)"
    r"|whether|steps to|instructions (?:for|to|on)|procedure (?:for|to))\b"
)
_ASKED = re.compile(
    r"(?:(?:and|so|but|ok|hey|hi|please) )*(?:(?:what|which|who|whom|whose|where|why|how)(?:'s|'re)?"
    r"|whats|hows|wheres|whos|when (?:is|are|was|were|did|do|does|will|can|should|has|have)"
    r"|(?:is|are|am|was|were|does|did|has|had|may|might|shall|should|isn't|aren't|wasn't|weren't"
    r"|doesn't|didn't|hasn't|haven't|hadn't|won't|wouldn't|couldn't|shouldn't|can't)"
    r"|(?:do|have|can|could|will|would|must) (?:i|we|you|he|she|it|they|this|that|these|those|there"
    r"|any|all|some|anyone|someone|the|a|my|our))(?: |$)"
)
_SUPPOSED = re.compile(
    r"(?:if|unless|once|suppose|supposing|assuming|imagine|in case|provided|what if|as soon as"
    r"|whenever|when|maybe|perhaps|possibly|thinking (?:of|about)|considering|eventually|someday"
    r"|should you|were (?:i|we) to|(?:i|we|you|they|he|she|someone) (?:might|may|could|should|would|"
    r"was thinking|were thinking)|(?:i'm|i am|we're|we are|i was|we were) (?:thinking|wondering|"
    r"considering|going|planning|about|supposed)|i wonder|i'll|we'll|i will|we will|it (?:might|may))"
    r"(?: |$)"
)
_TOLD = re.compile(
    r"(?!(?:i|you|please) )(?:[\w'-]+ ){1,4}?(?:said|says|told|tells|asked|wants|wanted|mentioned"
    r"|wrote|writes|suggested|suggests|claimed|claims|thought|thinks|texted|emailed|insisted"
    r"|insists|demanded|instructed|requested|recommends|recommended|states|reads|goes)\b"
    r"|(?:i was|i've been|i have been|we were|we've been|we have been) (?:told|asked|instructed)"
    r"|according to|apparently|allegedly|i heard|rumou?r has it"
)
_DONE = re.compile(
    r"(?:(?:i|we|he|she|they|you|it|someone|somebody|who) )?(?:(?:have|has|had|was|were|is|are|been|got|"
    r"being|just|already|also|recently|finally|i've|we've|they've|he's|she's|it's) )*"
)
_PRONOUNS = frozenset("it that this them these those one please yet now".split())


@dataclass(frozen=True)
class Judged:
    """A clause with its mood, the verb that leads it, and where its own words begin."""

    clause: Clause
    mood: Mood
    reason: str
    verb: Verb | None = None
    own_first: int = 0


@dataclass(frozen=True)
class SpeechAct:
    """What kind of utterance a text is, and which of its words count."""

    mood: Mood
    reason: str
    ask: Judged | None
    """The clause that asks, or the first one that counts."""
    kept: tuple[Clause, ...]
    cut: Cut
    asking: tuple[Verb, ...]
    """The verbs of all clauses that ask for something."""


def read_speech_act(normal: Normal, lexicon: VerbLexicon, is_thing: frozenset[int]) -> SpeechAct:
    """Judge every clause, then the whole; `is_thing`: words that name an object, never a verb."""
    cut = cut_clauses(normal, lexicon)
    words = [token.text for token in normal.tokens]
    judged = [_judge(words, clause, lexicon, is_thing | cut.quoted) for clause in cut.clauses]
    judged = _with_scope(judged, words)
    if not judged or all(place in cut.quoted for place in range(len(words))):
        mood: Mood = "reported" if words else "statement"
        return SpeechAct(mood, "quoted" if words else "empty", None, (), cut, ())
    kept = [one for one in judged if one.mood != "negated"]
    asking = [one for one in kept if one.mood in ("command", "request")]
    ask = (asking or _by_weight(kept) or judged)[0]
    if not kept:
        return SpeechAct("negated", judged[0].reason, ask, (), cut, ())
    if asking and _is_cancelled(judged, asking, words):
        return SpeechAct("negated", "cancelled", ask, (), cut, ())
    clauses = tuple(one.clause for one in kept)
    verbs = tuple(one.verb for one in asking if one.verb is not None)
    return SpeechAct(ask.mood, ask.reason, ask, clauses, cut, verbs)


def _by_weight(judged: Sequence[Judged]) -> list[Judged]:
    order = ("reported", "hypothetical", "question", "statement")
    return sorted(judged, key=lambda one: order.index(one.mood))


def _judge(
    words: Sequence[str], clause: Clause, lexicon: VerbLexicon, is_thing: frozenset[int]
) -> Judged:
    own = [word for place, word in enumerate(words[: clause.end]) if place >= clause.first]
    text = " ".join(own)
    lead = _LEAD.match(text)
    skipped = len(lead[0].split()) if lead else 0
    rest = " ".join(own[skipped:])
    start = clause.first + skipped

    def verdict(mood: Mood, reason: str, first: int = start, verb: Verb | None = None) -> Judged:
        return Judged(clause, mood, reason, verb, first)

    if clause.joint == "not" or _FRAGMENT.match(text) or _CANCEL.fullmatch(text):
        return verdict("negated", "denied_part")
    if denied := _is_denied(text, rest, own):
        return verdict("negated", denied)
    request = _REQUEST.match(rest)
    head = lexicon.at(words[: clause.end], start) if start < clause.end else None
    if head is not None and (head.form != "base" or set(range(head.first, head.end)) & is_thing):
        head = None
    if head is None and not request and _TOLD.match(text):
        return verdict("reported", "reported_speech")
    if clause.joint == "if" or (_SUPPOSED.match(rest) and not _POLITE_IF.match(rest)):
        if not (request or head) or clause.joint == "if":
            reason = "polite" if _POLITE_IF.match(text) else "supposed"
            return verdict("statement" if reason == "polite" else "hypothetical", reason)
    if _HOW.match(rest):
        return verdict("question", "how_to")
    if request:
        return _judge_request(words, clause, lexicon, start + len(request[0].split()))
    if _ASKED.match(rest):
        return verdict("question", "question")
    if head is not None:
        mood: Mood = "question" if clause.is_asked else "request" if "please" in own else "command"
        return verdict(mood, "asked_back" if clause.is_asked else "imperative", verb=head)
    return _judge_plain(words, clause, lexicon, start, is_thing)


def _is_denied(text: str, rest: str, own: Sequence[str]) -> str:
    """Say why a clause is denied, nothing when it is not."""
    if own[:2] == ["don't", "forget"] or _LEAD.match(text) and "forget to" in text[:30]:
        return ""
    for begun in (text, rest):
        match = _DENIED.match(begun)
        if match and not _NO_COMMAND.match(begun[match.end() :]):
            return "denied"
    if _UNWANTED.match(rest) or _PASSIVE_DENIED.match(text):
        return "denied"
    request = _REQUEST.match(rest)
    if request and re.match(r"(?:please )?(?:not|never)\b", rest[request.end() :]):
        return "denied"
    return ""


def _judge_request(
    words: Sequence[str], clause: Clause, lexicon: VerbLexicon, first: int
) -> Judged:
    """Judge what follows `can you`, `I need to`, `let's`."""
    while first < clause.end and words[first] in (
        "please",
        "just",
        "also",
        "kindly",
        "quickly",
        "go",
    ):
        first += 1
    verb = lexicon.at(words[: clause.end], first) if first < clause.end else None
    return Judged(clause, "request", "request", verb, first)


def _judge_plain(
    words: Sequence[str],
    clause: Clause,
    lexicon: VerbLexicon,
    start: int,
    is_thing: frozenset[int],
) -> Judged:
    """Judge a clause that begins with none of the signs: done already, a thing first, or plain."""
    own = words[start : clause.end]
    text = " ".join(own)
    done = _DONE.match(text)
    place = start + (len(done[0].split()) if done else 0)
    past = lexicon.forms.get(words[place], ("", "base")) if place < clause.end else ("", "base")
    passive = re.search(r"\b(?:was|were|been|got|is already|already) (\w+)\b", text)
    passive_form = lexicon.forms.get(passive[1], ("", "base"))[1] if passive else "base"
    if (past[1] == "past" and place not in is_thing) or passive_form == "past":
        return Judged(clause, "reported", "already_done", None, start)
    if clause.is_asked:
        return Judged(clause, "question", "question", None, start)
    place = start
    while place < clause.end and place in is_thing:
        place += 1
    if start < place < clause.end:
        verb = lexicon.at(words[: clause.end], place)
        rest = set(words[verb.end : clause.end]) if verb is not None else {"-"}
        if verb is not None and verb.form == "base" and rest <= _PRONOUNS | {"out"}:
            return Judged(clause, "command", "thing_first", verb, start)
    if "please" in own or "pls" in own:
        return Judged(clause, "request", "please", None, start)
    return Judged(clause, "statement", "statement", None, start)


def _with_scope(judged: Sequence[Judged], words: Sequence[str]) -> list[Judged]:
    """Carry denial, telling and supposing over to the clauses that hang on them."""
    result: list[Judged] = []
    for one in judged:
        before = result[-1] if result else None
        if before is not None and one.clause.is_bound:
            own = words[one.clause.first : one.clause.end]
            goes_on = one.clause.joint in ("and", "or") and not {"instead", "just"} & set(own[:3])
            if before.mood == "negated" and before.reason == "denied" and goes_on:
                one = _changed(one, "negated", "denied")
            elif before.mood == "reported" and before.reason == "reported_speech":
                one = _changed(one, "reported", "reported_speech")
            elif before.mood == "hypothetical" and one.mood in ("command", "request", "statement"):
                one = _changed(one, "hypothetical", "supposed")
            elif one.clause.joint == "if" and one.mood == "hypothetical":
                if before.mood in ("command", "request"):
                    result[-1] = _changed(before, "hypothetical", "supposed")
        result.append(one)
    return result


def _changed(judged: Judged, mood: Mood, reason: str) -> Judged:
    return Judged(judged.clause, mood, reason, judged.verb, judged.own_first)


def _is_cancelled(judged: Sequence[Judged], asking: Sequence[Judged], words: Sequence[str]) -> bool:
    """Tell whether a later clause takes the request back, naming nothing new."""
    last = asking[-1].clause
    asked = set(words[asking[0].clause.first : last.end]) | _PRONOUNS
    for one in judged:
        if one.mood != "negated" or one.clause.first < last.end or one.reason == "denied_part":
            own = " ".join(words[one.clause.first : one.clause.end])
            if one.clause.first < last.end or not _CANCEL.fullmatch(own):
                continue
            return True
        named = set(words[one.clause.first : one.clause.end]) - asked
        if not {word for word in named if not _DENIED.match(f"{word} ")} - {
            "do",
            "not",
            "no",
            "wait",
        }:
            return True
    return False
