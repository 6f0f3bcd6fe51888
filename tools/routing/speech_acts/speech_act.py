"""Is it asked for, or denied, told, supposed, wondered about? Decided before anything is scored."""

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import zip_longest

from state.policy import Mood
from tools.routing.speech_acts import denials, taken_back
from tools.routing.speech_acts.clause_words import Judged, Text
from tools.routing.speech_acts.clauses import Clause, Cut, cut_clauses
from tools.routing.speech_acts.doubts import doubt_of
from tools.routing.speech_acts.moods import judge
from tools.routing.words import signs
from tools.routing.words.normalise import Normal
from tools.routing.words.verbs import Form, Verb, VerbLexicon

_WHAT = frozenset({"how", "what", "which", "who", "whose"})
_TELLING_ENDS = frozenset({"said", "wrote", "says", "writes", "told", "me", "got", "sent"})
_OF_ANOTHER = frozenset({"quote", "translation", "excerpt", "transcript", "headline", "template"})
_WRITTEN = re.compile(
    r"(?:the |this )?(?:text|wording|body|contents?|words) of .+"
    r"|.+ (?:contains|says|reads|states|holds) (?:this|the|the following)"
    r" (?:line|text|words|sentence|message|passage|instruction)s?"
)
"""The label of what stands written somewhere: `the document contains this line: …`."""
_SLASH = re.compile(r"\s*/[a-z]")
"""What a chat program takes for a command of its own, or of another bot."""


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
    asks: tuple[tuple[Clause, Verb | None], ...] = ()
    """Every clause that asks for something, with the verb it asks by."""
    doubt: str = ""
    """Why what is asked may not be wanted after all; nothing when it is clear."""
    denied: tuple[str, ...] = ()
    """Verb families that a clause beside the request denies, and nothing asks for."""


def read_speech_act(
    normal: Normal,
    lexicon: VerbLexicon,
    is_thing: frozenset[int],
    known: Set[str] | None = None,
    openings: Mapping[str, Form] | None = None,
) -> SpeechAct:
    """Judge every clause, then the whole.

    Args:
        is_thing: words that name an object, never a verb.
        known: every word that the catalogue uses; None: nothing is unknown.
        openings: verbs that only its examples show, in each form.
    """
    cut = cut_clauses(normal, lexicon, openings or {})
    words = [token.text for token in normal.tokens]
    text = Text(words, lexicon, is_thing | cut.quoted, known, openings or {})
    judged = [
        judge(text, clause, leads=after is not None and after.is_bound)
        for clause, after in zip_longest(cut.clauses, cut.clauses[1:])
    ]
    judged = taken_back.with_tails(_with_scope(_with_orders(judged), words), words)
    judged = taken_back.asked_about(judged, words, cut.content_first)
    asking = [one for one in judged if one.is_asking]
    wonders = any(one.mood == "question" and one.clause.first not in cut.quoted for one in judged)
    if not judged or (not wonders and _is_foreign(text, cut, asking)):
        mood: Mood = "reported" if words else "statement"
        return SpeechAct(mood, "quoted" if words else "empty", None, (), cut, ())
    told = _told(text, cut) if not asking or taken_back.is_label(asking, cut, text) else None
    if taken_back.is_for_another(text, cut.content_first):
        return SpeechAct("reported", "of_others", judged[0], (judged[0].clause,), cut, ())
    if not asking and _reports(words, cut):
        return SpeechAct("reported", "reported_speech", judged[0], (judged[0].clause,), cut, ())
    is_order = told is not None and told.is_asking
    if told is not None and is_order and not text.is_thing & set(range(told.clause.first)):
        return SpeechAct("reported", "reported_speech", judged[0], (judged[0].clause,), cut, ())
    kept = [one for one in judged if one.mood != "negated"]
    if asking:
        kept = [one for one in kept if one.reason not in ("reported_speech", "of_others")]
    ask = (asking or _by_weight(kept) or judged)[0]
    if not kept:
        no = [one for one in judged if one.reason == "denied"]
        denied = next((one for one in no if one.verb is not None), no[0] if no else ask)
        return SpeechAct("negated", denied.reason, denied, (), cut, ())
    if _is_taken_back(judged, asking, words) or (asking and _closes(normal, words, cut)):
        return SpeechAct("negated", "cancelled", ask, (), cut, ())
    clauses = tuple(one.clause for one in kept)
    verbs = tuple(one.verb for one in asking if one.verb is not None)
    doubt = "told" if told is not None else doubt_of(text, kept, asking)
    if not doubt and ask.verb is not None and ask.verb.nature == "write":
        doubt = "slash_command" if _SLASH.match(normal.text) else ""
    asks = tuple((one.clause, one.verb) for one in asking)
    families = taken_back.denied_families(judged, verbs, text)
    return SpeechAct(ask.mood, ask.reason, ask, clauses, cut, verbs, asks, doubt, families)


def _reports(words: Sequence[str], cut: Cut) -> bool:
    """Tell the label of what another said: `his exact words were: …`, `translation of it: …`."""
    label = words[: cut.content_first or 0]
    is_anothers = bool(label) and (label[-2:] == ["words", "were"] or label[0] in _OF_ANOTHER)
    return is_anothers or _WRITTEN.fullmatch(" ".join(label)) is not None


def _closes(normal: Normal, words: Sequence[str], cut: Cut) -> bool:
    """Tell whether the last words take everything back: `lol jk`, `/s`."""
    if cut.content_first is not None:
        return False
    is_meant_so = denials.CLOSING.fullmatch(" ".join(words)) is None
    return not is_meant_so or denials.SARCASM.search(normal.text) is not None


def _by_weight(judged: Sequence[Judged]) -> list[Judged]:
    order = ("reported", "question", "hypothetical", "statement")
    return sorted(judged, key=lambda one: order.index(one.mood))


def _is_foreign(text: Text, cut: Cut, asking: Sequence[Judged]) -> bool:
    """Tell whether a text is quoted, wholly or in all that could ask for something."""
    count = len(text.words)
    if asking or len(cut.quoted) < 2:
        return len(cut.quoted) == count
    first = min(cut.quoted)
    orders = text.lexicon.at(text.words, first)
    return 2 * len(cut.quoted) > count or (orders is not None and orders.form == "base")


def _told(text: Text, cut: Cut) -> Judged | None:
    """Judge what a label or an introduction stands before, as in `Ben: close it`.

    None: nothing is told, or a thing is, or a question, as in `weather: tomorrow in Rome`.
    """
    place = cut.content_first
    if place is None or not cut.clauses:
        return None
    told = judge(text, Clause(place, len(text.words), is_bound=False, joint="", is_asked=False))
    return None if told.reason == "statement" or told.mood == "question" else told


def _with_orders(judged: Sequence[Judged]) -> list[Judged]:
    """Read `cancel it` as an order where nothing was asked before that it could take back."""
    result: list[Judged] = []
    is_first = True
    for one in judged:
        is_order = one.reason == "cancel" and one.verb is not None
        if is_order and is_first and one.clause.end - one.clause.first > 1:
            result.append(replace(one, mood="command", reason="imperative"))
        else:
            result.append(one)
        is_first = is_first and not result[-1].is_asking
    return result


def _with_scope(judged: Sequence[Judged], words: Sequence[str]) -> list[Judged]:
    """Carry denial, telling and supposing over to the clauses that hang on them."""
    result: list[Judged] = []
    for one in judged:
        before = result[-1] if result else None
        if before is None or not (one.clause.is_bound or _announces(before, words)):
            result.append(one)
            continue
        if before.is_asking and signs.TAG.fullmatch(" ".join(_own(one, words))):
            result[-1] = before = _asked_back(before, words)
        is_condition = one.clause.joint == "if" and one.mood == "hypothetical"
        orders = before.is_asking or (
            before.reason == "how_to" and words[before.clause.first] not in _WHAT
        )
        if is_condition and orders:
            result[-1] = replace(before, mood="hypothetical", reason="supposed")
        result.append(_hung(one, before, words))
    return result


def _announces(one: Judged, words: Sequence[str]) -> bool:
    """Tell whether a told order follows on the next line: `this is what he wrote`."""
    return one.reason == "reported_speech" and words[one.clause.end - 1] in _TELLING_ENDS


def _asked_back(one: Judged, words: Sequence[str]) -> Judged:
    """Turn `you can close it`, tagged with `right?`, into the question it is."""
    starts = words[one.clause.first : one.clause.first + 3]
    return replace(one, mood="question", reason="asked_back") if "you" in starts else one


def _hung(one: Judged, before: Judged, words: Sequence[str]) -> Judged:
    """Judge a clause again in the light of the one it is bound to."""
    opening = set(words[one.clause.first : one.clause.first + 3])
    goes_on = one.clause.joint in ("and", "or") and not {"instead", "just"} & opening
    is_parallel = not _denies_gerund(before, words) or one.verb is None or one.verb.form != "base"
    is_rest = one.reason == "statement" and not one.clause.joint  # of the same sentence
    if (
        before.mood == "negated"
        and before.reason == "denied"
        and (is_rest or (goes_on and is_parallel))
    ):
        return replace(one, mood="negated", reason="denied")
    if before.mood == "reported" and before.reason in ("reported_speech", "of_others"):
        is_own = one.clause.joint == "but" and one.is_asking
        return one if is_own else replace(one, mood="reported", reason=before.reason)
    if before.mood == "request" and one.reason == "asked_back" and one.clause.joint:
        return replace(one, mood="request", reason="request")  # `could you close it and sign it?`
    is_plain = one.mood in ("command", "request", "statement") or (
        one.reason == "how_to" and words[one.clause.first] not in _WHAT
    )
    if before.mood == "hypothetical" and is_plain and one.reason != "polite":
        return replace(one, mood="hypothetical", reason="supposed")
    return one


def _denies_gerund(one: Judged, words: Sequence[str]) -> bool:
    """Tell `hold off on closing it` (and open the other), whose denial ends at `and`."""
    return denials.UNDOING.match(" ".join(_own(one, words))) is not None


def _is_taken_back(
    judged: Sequence[Judged], asking: Sequence[Judged], words: Sequence[str]
) -> bool:
    """Tell whether a later clause takes the request back: `no`, or the same denied again."""
    asked = asking or [one for one in judged[:1] if one.mood in ("statement", "question")]
    if not asked:
        return False
    end = asked[-1].clause.end
    said = set(words[asked[0].clause.first : end])
    for one in judged:
        if one.mood != "negated" or one.clause.first < end:
            continue
        named = set(_own(one, words)) - said - signs.PRONOUNS - denials.DENYING
        named -= denials.DOING
        if one.reason == "cancel" or (one.reason == "denied" and not named):
            return True
    return False


def _own(one: Judged, words: Sequence[str]) -> Sequence[str]:
    return words[one.clause.first : one.clause.end]
