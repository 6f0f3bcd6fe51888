"""Is it asked for, or denied, told, supposed, wondered about? Decided before anything is scored."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from state.policy import Mood
from tools.routing import signs
from tools.routing.clauses import Clause, Cut, cut_clauses
from tools.routing.normalise import Normal
from tools.routing.verbs import Verb, VerbLexicon


@dataclass(frozen=True)
class Judged:
    """A clause with its mood, the reason for it, and the verb that asks."""

    clause: Clause
    mood: Mood
    reason: str
    verb: Verb | None = None


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
    """Judge one clause by the first sign that shows; the order of the signs is the rule."""
    own = _Own.of(words, clause, lexicon, is_thing)
    for judge in (_as_denied, _as_told, _as_supposed, _as_question_how, _as_request, _as_asked):
        judged = judge(own, lexicon)
        if judged is not None:
            return judged
    if own.head is not None:
        if clause.is_asked:
            return own.judged("question", "asked_back", own.head)
        mood: Mood = "request" if signs.POLITE_WORDS & set(own.words) else "command"
        return own.judged(mood, "imperative", own.head)
    return _as_plain(own, lexicon, is_thing)


@dataclass(frozen=True)
class _Own:
    """A clause's own words, with and without what leads up to them."""

    clause: Clause
    all_words: Sequence[str]
    words: Sequence[str]
    text: str
    rest: str
    """`text` without greetings, politeness and the like."""
    start: int
    """Where `rest` begins."""
    head: Verb | None
    """The verb in its base form that `rest` begins with."""

    @classmethod
    def of(
        cls,
        words: Sequence[str],
        clause: Clause,
        lexicon: VerbLexicon,
        is_thing: frozenset[int],
    ) -> "_Own":
        own = words[clause.first : clause.end]
        text = " ".join(own)
        lead = signs.LEAD.match(text)
        skipped = len(lead[0].split()) if lead else 0
        start = clause.first + skipped
        head = lexicon.at(words[: clause.end], start)
        if head is not None and (
            head.form != "base" or is_thing.intersection(range(head.first, head.end))
        ):
            head = None
        return cls(clause, words, own, text, " ".join(own[skipped:]), start, head)

    def judged(self, mood: Mood, reason: str, verb: Verb | None = None) -> Judged:
        return Judged(self.clause, mood, reason, verb)


def _as_denied(own: _Own, lexicon: VerbLexicon) -> Judged | None:
    part = signs.FRAGMENT.match(own.text) or signs.CANCEL.fullmatch(own.text)
    if part or own.clause.joint == "not":
        return own.judged("negated", "denied_part")
    if signs.FORGET_NOT.match(own.text):
        return None
    for begun in (own.text, own.rest):
        denial = signs.DENIED.match(begun)
        if denial and not signs.NO_COMMAND.match(begun[denial.end() :]):
            return own.judged("negated", "denied")
    request = signs.REQUEST.match(own.rest)
    is_denied = (
        signs.UNWANTED.match(own.rest)
        or signs.PASSIVE_DENIED.match(own.text)
        or (request is not None and signs.NOT_TO.match(own.rest[request.end() :]))
    )
    return own.judged("negated", "denied") if is_denied else None


def _as_told(own: _Own, lexicon: VerbLexicon) -> Judged | None:
    is_asking = own.head is not None or signs.REQUEST.match(own.rest)
    if not is_asking and signs.TOLD.match(own.text):
        return own.judged("reported", "reported_speech")
    return None


def _as_supposed(own: _Own, lexicon: VerbLexicon) -> Judged | None:
    if signs.POLITE_IF.match(own.rest):
        return own.judged("statement", "polite") if own.clause.joint == "if" else None
    if own.clause.joint == "if":
        return own.judged("hypothetical", "supposed")
    if own.head is not None or signs.REQUEST.match(own.rest):
        return None
    return own.judged("hypothetical", "supposed") if signs.SUPPOSED.match(own.rest) else None


def _as_question_how(own: _Own, lexicon: VerbLexicon) -> Judged | None:
    return own.judged("question", "how_to") if signs.HOW.match(own.rest) else None


def _as_request(own: _Own, lexicon: VerbLexicon) -> Judged | None:
    """Judge `can you …`, `I need to …`, `let's …`, and find the verb behind it."""
    request = signs.REQUEST.match(own.rest)
    if not request:
        return None
    first = own.start + len(request[0].split())
    while first < own.clause.end and own.all_words[first] in signs.HEDGES:
        first += 1
    return own.judged("request", "request", lexicon.at(own.all_words[: own.clause.end], first))


def _as_asked(own: _Own, lexicon: VerbLexicon) -> Judged | None:
    return own.judged("question", "question") if signs.ASKED.match(own.rest) else None


def _as_plain(own: _Own, lexicon: VerbLexicon, is_thing: frozenset[int]) -> Judged:
    """Judge a clause that no sign begins: done already, a thing first, or plain."""
    if _is_done(own, lexicon, is_thing):
        return own.judged("reported", "already_done")
    if own.clause.is_asked:
        return own.judged("question", "question")
    end, place = own.clause.end, own.start
    while place < end and place in is_thing:
        place += 1
    verb = lexicon.at(own.all_words[:end], place) if place > own.start else None
    if verb is not None and verb.form == "base":
        behind = set(own.all_words[verb.end : end])
        if behind <= signs.PRONOUNS | {"out"}:
            return own.judged("command", "thing_first", verb)
    if signs.POLITE_WORDS & set(own.words):
        return own.judged("request", "please")
    return own.judged("statement", "statement")


def _is_done(own: _Own, lexicon: VerbLexicon, is_thing: frozenset[int]) -> bool:
    """Tell `I closed it` and `it was closed` from a request."""
    lead = signs.DONE_LEAD.match(own.rest)
    said = lead[0].split() if lead else []
    place = own.start + len(said)
    if signs.HAVING & set(said) and lexicon.at(own.all_words, place):
        return True
    passive = signs.PASSIVE_DONE.search(own.rest)
    forms = [passive[1]] if passive else []
    if place < own.clause.end and place not in is_thing:
        forms.append(own.all_words[place])
    return any(lexicon.forms.get(form, ("", "base"))[1] == "past" for form in forms)


def _with_scope(judged: Sequence[Judged], words: Sequence[str]) -> list[Judged]:
    """Carry denial, telling and supposing over to the clauses that hang on them."""
    result: list[Judged] = []
    for one in judged:
        before = result[-1] if result else None
        if before is None or not one.clause.is_bound:
            result.append(one)
            continue
        is_condition = one.clause.joint == "if" and one.mood == "hypothetical"
        if is_condition and before.mood in ("command", "request"):
            result[-1] = replace(before, mood="hypothetical", reason="supposed")
        result.append(_hung(one, before, words))
    return result


def _hung(one: Judged, before: Judged, words: Sequence[str]) -> Judged:
    """Judge a clause again in the light of the one it is bound to."""
    opening = set(words[one.clause.first : one.clause.first + 3])
    goes_on = one.clause.joint in ("and", "or") and not {"instead", "just"} & opening
    if before.mood == "negated" and before.reason == "denied" and goes_on:
        return replace(one, mood="negated", reason="denied")
    if before.mood == "reported" and before.reason == "reported_speech":
        return replace(one, mood="reported", reason="reported_speech")
    is_plain = one.mood in ("command", "request", "statement")
    if before.mood == "hypothetical" and is_plain and one.reason != "polite":
        return replace(one, mood="hypothetical", reason="supposed")
    return one


def _is_cancelled(judged: Sequence[Judged], asking: Sequence[Judged], words: Sequence[str]) -> bool:
    """Tell whether a later clause takes the request back: `no`, or the same denied again."""
    asked_end = asking[-1].clause.end
    asked = set(words[asking[0].clause.first : asked_end])
    for one in judged:
        if one.mood != "negated" or one.clause.first < asked_end:
            continue
        own = words[one.clause.first : one.clause.end]
        if signs.CANCEL.fullmatch(" ".join(own)):
            return True
        named = set(own) - asked - signs.PRONOUNS - signs.DENYING
        if one.reason == "denied" and not named:
            return True
    return False
