"""Read the dialogue act of a text from its clauses, before any intent is scored."""

import re
from collections.abc import Mapping, Sequence, Set
from itertools import zip_longest
from typing import NamedTuple

from state.policy import Mood
from tools.nlu.dialogue_acts import clause_scope as scope
from tools.nlu.dialogue_acts import negated_orders as taken_back
from tools.nlu.dialogue_acts import negation as denials
from tools.nlu.dialogue_acts.clause_rules import judge
from tools.nlu.dialogue_acts.clauses import (
    MAY_BE,
    Clause,
    ClauseContext,
    ClauseMood,
    Cut,
    cut_clauses,
    is_entered,
)
from tools.nlu.dialogue_acts.hedges import hedge_of, is_refused_before
from tools.nlu.lexicon import cue_phrases as signs
from tools.nlu.lexicon.normalization import Normal, word_set
from tools.nlu.lexicon.politeness import ASKED_ONCE_MORE
from tools.nlu.lexicon.verbs import Form, Verb, VerbLexicon

_SAID_OR_DENIED = frozenset({"reported", "negated"})


def with_courtesies(judged: Sequence[ClauseMood], words: Sequence[str]) -> list[ClauseMood]:
    """Read as politeness what announces a request, and what asks once more for what was ordered."""
    last = max((place for place, one in enumerate(judged) if one.is_asking), default=0)
    result: list[ClauseMood] = []
    for place, one in enumerate(judged):
        before = judged[place - 1] if place else None
        if (place < last and _announces(one, words)) or _asks_again(one, before, words):
            result.append(one._replace(mood="statement", reason="polite", verb=None))
        else:
            result.append(one)
    return result


def _announces(one: ClauseMood, words: Sequence[str]) -> bool:
    is_bare = one.mood == "request" and one.verb is None
    return is_bare and signs.DO_THIS.issuperset(one.own(words))


def _asks_again(one: ClauseMood, before: ClauseMood | None, words: Sequence[str]) -> bool:
    """Tell `close it, would you?` from `you can close it, can you?` and `two lines, would you?`."""
    if before is None or not (before.is_asking or before.mood in _SAID_OR_DENIED):
        return False
    is_told = "you" in before.own(words)[:3]
    return not is_told and ASKED_ONCE_MORE.match(" ".join(one.own(words))) is not None


_OF_ANOTHER = frozenset({"quote", "translation", "excerpt", "transcript", "headline", "template"})
_WRITTEN = re.compile(
    r"(?:the |this )?(?:text|wording|body|contents?|words) of .+"
    r"|.+ (?:contains|says|reads|states|holds) (?:this|the|the following)"
    r" (?:line|text|words|sentence|message|passage|instruction)s?"
)
"""The label of what stands written somewhere: `the document contains this line: …`."""
_BESIDE = frozenset({"reported_speech", "of_others", "purpose"})
"""What is told beside a request, and what it is for, is no part of it."""
_LEAST_ASKED = 4
"""Words of a question; `is that ok?` asks of what was told before it."""
_DICTATES = word_set("write type print say shout read spell repeat translate please just out the")
_ENTERS = word_set("to as into be say says read reads saying")
"""Before a quotation these say that it is to be written down."""
_SLASH = re.compile(r"\s*/[a-z]")
"""What a chat program takes for a command of its own, or of another bot."""


class DialogueAct(NamedTuple):
    """What kind of utterance a text is, and which of its words count."""

    mood: Mood
    reason: str
    ask: ClauseMood | None
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
    denies: tuple[Clause, ...] = ()
    """Every clause that denies a doing, or what is so."""
    forbids: tuple[Clause, ...] = ()
    """Those of them that deny a doing by its verb: `don't discard the report`."""


def is_beside_denial(act: DialogueAct) -> bool:
    """Tell whether something is denied where nothing is asked: it counts, and is left undone."""
    return bool(act.denies) and act.mood in ("statement", "reported", "negated")


def read_dialogue_act(
    normal: Normal,
    lexicon: VerbLexicon,
    is_thing: frozenset[int],
    known: Set[str] | None = None,
    openings: Mapping[str, Form] | None = None,
) -> DialogueAct:
    """Judge every clause, then the whole.

    Args:
        is_thing: words that name an object, never a verb.
        known: every word that the catalogue uses; None: nothing is unknown.
        openings: verbs that only its examples show, in each form.
    """
    cut = cut_clauses(normal, lexicon, openings or {})
    words = normal.words
    text = ClauseContext(words, lexicon, is_thing | cut.quoted, known, openings or {})
    judged = [
        judge(text, clause, leads=after is not None and after.is_bound)
        for clause, after in zip_longest(cut.clauses, cut.clauses[1:])
    ]
    judged = scope.with_done_for_me(with_courtesies(judged, words), text)
    judged = taken_back.with_tails(scope.with_scope(scope.with_orders(judged, words), words), words)
    judged = taken_back.asked_about(judged, words, cut.content_first)
    asking = [one for one in judged if one.is_asking]
    wonders = any(one.mood == "question" and one.clause.first not in cut.quoted for one in judged)
    if not judged or (not wonders and _is_foreign(normal, text, cut, judged)):
        mood: Mood = "reported" if words else "statement"
        return DialogueAct(mood, "quoted" if words else "empty", None, (), cut, ())
    told = _told(text, cut) if not asking or taken_back.is_label(asking, cut, text) else None
    if taken_back.is_for_another(text, cut.content_first):
        return DialogueAct("reported", "of_others", judged[0], (judged[0].clause,), cut, ())
    if not asking and _reports(words, cut):
        return DialogueAct("reported", "reported_speech", judged[0], (judged[0].clause,), cut, ())
    is_order = told is not None and told.is_asking
    if told is not None and is_order and not text.is_thing & set(range(told.clause.first)):
        return DialogueAct("reported", "reported_speech", judged[0], (judged[0].clause,), cut, ())
    denies = tuple(one.clause for one in judged if one.reason == "denied")
    kept = [one for one in judged if one.mood != "negated"]
    if asking:
        kept = [one for one in kept if one.reason not in _BESIDE]
    ask = (asking or _by_weight(kept) or judged)[0]
    if not kept:
        no = [one for one in judged if one.reason == "denied"]
        denied = next((one for one in no if one.verb is not None), no[0] if no else ask)
        return DialogueAct("negated", denied.reason, denied, (), cut, (), denies=denies)
    names = all(one.reason == "statement" for one in kept)
    if _is_taken_back(judged, asking, words) or ((asking or names) and _closes(normal, words, cut)):
        return DialogueAct("negated", "cancelled", ask, (), cut, (), denies=denies)
    # What is not so tells what is wanted as much as what is: `it should not be on there any more`.
    tells = not asking and ask.mood in ("statement", "reported")
    told_so = [one for one in judged if one.mood != "negated" or one.reason == "denied"]
    clauses = tuple(one.clause for one in (told_so if tells else kept))
    verbs = tuple(one.verb for one in asking if one.verb is not None)
    is_told = told is not None or scope.is_behind_told(judged, words)
    doubt = "told" if is_told else hedge_of(text, kept, asking)
    if not doubt and is_refused_before(judged, text):
        doubt = "refused_before"
    if not doubt and ask.verb is not None and ask.verb.nature == "write":
        doubt = "slash_command" if _SLASH.match(normal.text) else ""
    asks = tuple((one.clause, one.verb) for one in asking)
    families = taken_back.denied_families(judged, verbs, text)
    forbids = tuple(one for one in denies if _names_doing(text, one))
    return DialogueAct(
        ask.mood, ask.reason, ask, clauses, cut, verbs, asks, doubt, families, denies, forbids
    )


def _names_doing(text: ClauseContext, clause: Clause) -> bool:
    return any(
        verb.form == "base" and not verb.is_light and verb.phrase not in signs.FUNCTION_WORDS
        for verb in text.verbs_in(range(clause.first, clause.end))
    )


def _reports(words: Sequence[str], cut: Cut) -> bool:
    """Tell the label of what another said: `his exact words were: …`, `translation of it: …`."""
    label = words[: cut.content_first or 0]
    is_anothers = bool(label) and (label[-2:] == ["words", "were"] or label[0] in _OF_ANOTHER)
    return is_anothers or _WRITTEN.fullmatch(" ".join(label)) is not None


def _closes(normal: Normal, words: Sequence[str], cut: Cut) -> bool:
    """Tell whether the last words, or the label, take everything back: `lol jk`, `/s`."""
    if denials.LABEL.match(normal.text):
        return True
    if cut.content_first is not None:
        told = " ".join(words[cut.content_first :])
        return (
            denials.VERDICT.fullmatch(told) is not None
            or denials.JEST_TAIL.search(normal.text) is not None
        )
    is_meant_so = denials.CLOSING.fullmatch(" ".join(words)) is None
    return not is_meant_so or denials.UNMEANT.search(normal.text) is not None


def _by_weight(judged: Sequence[ClauseMood]) -> list[ClauseMood]:
    order = ("reported", "question", "hypothetical", "statement")

    def weight(one: ClauseMood) -> int:
        clause = one.clause
        is_whole = one.mood == "question" and clause.end - clause.first >= _LEAST_ASKED
        return -1 if is_whole or one.reason == MAY_BE else order.index(one.mood)

    return sorted(judged, key=weight)


def _is_foreign(
    normal: Normal, text: ClauseContext, cut: Cut, judged: Sequence[ClauseMood]
) -> bool:
    """Tell whether a text is quoted, wholly or in all that could ask for something."""
    count = len(text.words)
    if len(cut.quoted) < 2:
        return len(cut.quoted) == count
    first = min(cut.quoted)
    orders = text.lexicon.at(text.words, first)
    is_order = orders is not None and orders.form == "base"
    if any(one.is_asking for one in judged):
        # `write "close it"` asks for a text, and not for what it says
        is_dictated = first and _DICTATES.issuperset(text.words[:first])
        return len(cut.quoted) == count or bool(is_order and is_dictated)
    is_foreign = is_order or 2 * len(cut.quoted) > count
    changes = orders is not None and is_order and orders.nature != "read"
    if is_foreign and not changes and _is_headed(judged, cut, text.words):
        return False
    return is_foreign and not is_entered(normal, cut.quoted)


def _is_headed(judged: Sequence[ClauseMood], cut: Cut, words: Sequence[str]) -> bool:
    """Tell `sharpen the question to "…"`, by an order of which only the verb is unknown.

    `Criticise the question "…"` enters nothing.
    """
    first = min(cut.quoted)
    is_entered = first > 0 and words[first - 1] in _ENTERS
    return is_entered and any(
        one.reason == "unknown_verb" and one.clause.first not in cut.quoted for one in judged
    )


def _told(text: ClauseContext, cut: Cut) -> ClauseMood | None:
    """Judge what a label or an introduction stands before, as in `Ben: close it`.

    None: nothing is told, or a thing is, or a question, as in `weather: tomorrow in Rome`.
    """
    place = cut.content_first
    if place is None or not cut.clauses:
        return None
    told = judge(text, Clause(place, len(text.words), is_bound=False, joint="", is_asked=False))
    return None if told.reason == "statement" or told.mood == "question" else told


def _is_taken_back(
    judged: Sequence[ClauseMood], asking: Sequence[ClauseMood], words: Sequence[str]
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
        named = set(one.own(words)) - said - signs.PRONOUNS - denials.DENYING
        named -= denials.DOING
        if one.reason == "cancel" or (one.reason == "denied" and not named):
            return True
    return False
