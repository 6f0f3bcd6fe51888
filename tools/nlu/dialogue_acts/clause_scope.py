"""Scope across clauses: how far negation, reporting and supposition reach into the next clause."""

import re
from collections.abc import Sequence

from tools.nlu.dialogue_acts import negation as denials
from tools.nlu.dialogue_acts.clauses import ClauseContext, ClauseMood
from tools.nlu.dialogue_acts.negated_orders import is_order_to_leave
from tools.nlu.lexicon import cue_phrases as signs
from tools.nlu.lexicon.closed_classes import CONDITION_WORDS
from tools.nlu.lexicon.normalization import word_set

_PLANS = re.compile(
    r"(?:(?:so|and|but|ok|okay) )*(?:i'll|we'll|(?:i|we) will|(?:i'm|i am|we're|we are) going to)\b"
)


def is_look_meanwhile(one: ClauseMood, before: ClauseMood, words: Sequence[str]) -> bool:
    """Tell `I'll add mine later, for now show it` from `I'd be glad, close it`.

    Only a look: what changes something may be one more thing that he will do.
    """
    reads = one.is_asking and one.verb is not None and one.verb.nature == "read"
    is_plan = _PLANS.match(" ".join(before.own(words))) is not None
    return is_plan and reads and not one.clause.joint


_TELLING_ENDS = frozenset({"said", "wrote", "says", "writes", "told", "me", "got", "sent"})
_SAYS = word_set(
    "said says told tells mentioned wrote writes suggested suggests claims claimed thought thinks "
    "texted emailed insists insisted announced shouted shouts typed reads states noticed"
)
_WISHES = word_set(
    "asked asks asking wants wanted want demands demanded recommends recommended urged advised "
    "proposed expects requested requests reminded ordered instructed"
)
_WHY = word_set("because since as before")
_HEARER = word_set("me us him her them you")
_FRAMES = word_set("to for in on at by over from with this that following yesterday today last")
"""Behind `said` these say to whom, where or when, and not yet what."""
_SAID_OF_ALL = word_set(
    "is are was were has have had isn't aren't wasn't it's there's he's she's they're we're what "
    "who whom where when why how which if whether will would can could should must may might "
    "wants needs need no not don't doesn't can't won't i'm everything's"
)
"""A verb or a question behind the word of telling: it was told what is so."""
_LEAST_TOLD = 3
_I_SAID = frozenset({("i", "said"), ("i", "asked"), ("i", "told"), ("i", "wrote")})
"""`I said expel him but I was wrong, scrap that` takes back what the grammar may not know."""
_LIGHT = word_set("and but so then well ok okay just please hey also or")
_CONDITIONS = CONDITION_WORDS | word_set(
    "as suppose supposing should were was had in imagine until the pretend let let's say "
    "hypothetically theoretically maybe perhaps possibly whether what who only next depending "
    "subject pending one"
)
_SUPPOSES = re.compile(
    r"(?:so |and |but |ok |okay |hey )*(?:(?:let's|let us|just) )?"
    r"(?:(?:say|suppose|supposing|imagine|assume|assuming|pretend)(?: that)?"
    r" (?:i|we|he|she|they|somebody|someone|you|nobody)\b"
    r"|if (?:i|we|he|she|they) (?:were|was|had)\b)"
)
"""Whoever goes on from there asks what would be: `suppose I shared it, could she see my notes?`"""
_EXCEPTING = (["but", "leave", "out"], ["but", "leave", "off"], ["but", "leave", "aside"])
_DO_IT = re.compile(
    r"(?:(?:please|pls|and|then|so|just|now|can you|could you|would you|will you|kindly) )*"
    r"(?:do|handle|arrange) (?:it|that|this|so)(?: for (?:me|us|her|him|them))?"
    r"(?: (?:please|pls|now|then|right now|right away|thanks|thank you|at once))*"
)
"""Behind `how do I close it?` this makes the question the request it was meant to be."""


def with_orders(judged: Sequence[ClauseMood], words: Sequence[str]) -> list[ClauseMood]:
    """Read `cancel it` as an order where nothing was asked before that it could take back."""
    result: list[ClauseMood] = []
    is_first = True
    for one in judged:
        is_order = one.reason == "cancel" and one.verb is not None
        is_order = is_order and words[one.clause.first] != "forget"  # `forget it` asks nothing
        is_order = is_order and tuple(words[:2]) not in _I_SAID
        if is_order and is_first and one.clause.end - one.clause.first > 1:
            result.append(one._replace(mood="command", reason="imperative"))
        else:
            result.append(one)
        is_first = is_first and not result[-1].is_asking
    return result


def with_done_for_me(judged: Sequence[ClauseMood], text: ClauseContext) -> list[ClauseMood]:
    """Read `how do I close it? Do it for me, please` as the request to close it."""
    result = list(judged)
    asks_how = None
    for place, one in enumerate(judged):
        if one.reason == "how_to" and one.mood == "question":
            asks_how = place
        is_it = _DO_IT.fullmatch(" ".join(one.own(text.words))) is not None
        if asks_how is not None and is_it and one.mood not in ("negated", "hypothetical"):
            how = judged[asks_how]
            found = text.verbs_in(range(how.clause.first + 2, how.clause.end))
            verb = next((verb for verb in found if verb.form == "base"), None)
            verb = verb if verb is not None and verb.end <= how.clause.end else None
            result[asks_how] = how._replace(mood="request", reason="done_for_me", verb=verb)
            result[place] = one._replace(mood="statement", reason="polite")
            return result
        if one.is_asking and not is_it:
            return result
    return result


def with_scope(judged: Sequence[ClauseMood], words: Sequence[str]) -> list[ClauseMood]:
    """Carry denial, telling and supposing over to the clauses that hang on them."""
    concludes = any(one.clause.joint == "so" and one.is_asking for one in judged)
    result: list[ClauseMood] = []
    for one in judged:
        before = result[-1] if result else None
        if before is None or not (one.clause.is_bound or _announces(before, words)):
            result.append(one)
            continue
        is_tag = signs.TAG.fullmatch(" ".join(one.own(words))) is not None
        if before.is_asking and is_tag:
            result[-1] = before = _asked_back(before, words)
        if is_tag and before.mood == "negated" and concludes:
            # `it isn't really done, is it, so open it again`
            result.append(one._replace(mood="statement", reason="polite"))
            continue
        is_condition = one.clause.joint == "if" and one.mood == "hypothetical"
        if is_condition and (before.is_asking or _orders_by_how(before, words)):
            result[-1] = before._replace(mood="hypothetical", reason="supposed")
        result.append(_hung(one, before, words, is_condition=_hangs_on_condition(result, words)))
    return result


def _announces(one: ClauseMood, words: Sequence[str]) -> bool:
    """Tell whether a told order follows on the next line: `this is what he wrote`."""
    return one.reason == "reported_speech" and words[one.clause.end - 1] in _TELLING_ENDS


def _asked_back(one: ClauseMood, words: Sequence[str]) -> ClauseMood:
    """Turn `you can close it`, tagged with `right?`, into the question it is."""
    starts = words[one.clause.first : one.clause.first + 3]
    return one._replace(mood="question", reason="asked_back") if "you" in starts else one


def _hung(
    one: ClauseMood, before: ClauseMood, words: Sequence[str], *, is_condition: bool
) -> ClauseMood:
    """Judge a clause again in the light of the one it is bound to."""
    if _excepts(one, before, words):
        return one._replace(mood=before.mood, reason=before.reason, verb=None)
    is_rest = one.reason == "statement" and not one.clause.joint  # of the same sentence
    is_other = _ends_at_and(before, words) and one.verb is not None and one.verb.form == "base"
    if (
        before.mood == "negated"
        and before.reason == "denied"
        and (is_rest or (_goes_on(one, words) and not is_other))
    ):
        return one._replace(mood="negated", reason="denied")
    if before.mood == "reported" and before.reason in ("reported_speech", "of_others"):
        is_own = one.is_asking and _is_own_behind_told(one, before, words)
        return one if is_own else one._replace(mood="reported", reason=before.reason)
    if before.mood == "request" and one.reason == "asked_back" and one.clause.joint:
        return one._replace(mood="request", reason="request")  # `could you close it and sign it?`
    is_polite = "you" in _opening(one, words) or not signs.POLITE_WORDS.isdisjoint(one.own(words))
    is_put_to_us = one.mood == "request" and is_polite and not is_condition
    is_own = is_put_to_us or one.clause.joint == "so" or one.reason == "polite"
    is_own = is_own or is_look_meanwhile(one, before, words)
    is_plain = one.mood in ("command", "request", "statement") or _orders_by_how(one, words)
    if one.mood == "question" and _SUPPOSES.match(" ".join(before.own(words))):
        return one._replace(mood="hypothetical", reason="supposed")
    if before.mood == "hypothetical" and is_plain and not is_own:
        return one._replace(mood="hypothetical", reason="supposed")
    return one


def _excepts(one: ClauseMood, before: ClauseMood, words: Sequence[str]) -> bool:
    """Tell `they need to show the list but leave out the read ones`: a part of the same doing."""
    leaves_out = list(one.own(words)[:3]) in _EXCEPTING
    return leaves_out and before.reason in ("declared", "unable", "denied")


def _opening(one: ClauseMood, words: Sequence[str]) -> set[str]:
    return set(words[one.clause.first : one.clause.first + 3])


def _goes_on(one: ClauseMood, words: Sequence[str]) -> bool:
    """Tell `and close it` from `and close it instead`, which leaves what stands before it."""
    return one.clause.joint in ("and", "or") and not {"instead", "just"} & _opening(one, words)


def _orders_by_how(one: ClauseMood, words: Sequence[str]) -> bool:
    """Tell `show me how to close it` from `how do I close it`."""
    return one.reason == "how_to" and words[one.clause.first] not in signs.WHAT


def _is_own_behind_told(one: ClauseMood, before: ClauseMood, words: Sequence[str]) -> bool:
    """Tell whether the writer himself asks, behind what another said."""
    if one.clause.joint in ("but", "so"):
        return True
    is_to_us = one.reason != "request" or not {"you", "me"}.isdisjoint(_opening(one, words))
    return not _goes_on(one, words) and is_to_us and _told_wholly(before, words)


def _hangs_on_condition(before: Sequence[ClauseMood], words: Sequence[str]) -> bool:
    """Tell `if it rains, or snows` from `I'm about to leave`, before `please close it`."""
    for one in reversed(before):
        own = [word for word in one.own(words) if word not in _LIGHT]
        if one.mood != "hypothetical":
            return False
        if one.clause.joint == "if" or not own or own[0] in _CONDITIONS:
            return True
    return False


def _told_wholly(one: ClauseMood, words: Sequence[str]) -> bool:
    """Tell `Ben says the pump leaks, close it` from `Ben said yesterday, close it`.

    Who has said all of what another said goes on in his own name, most likely.
    """
    if one.reason != "reported_speech":
        return False
    own = list(one.own(words))
    if own[0] in _WHY and own[-1] not in _SAYS | _WISHES:
        return True
    told = next((place for place, word in enumerate(own) if word in _SAYS | _WISHES), None)
    if told is None:  # it goes on with what was told before
        return len(own) >= _LEAST_TOLD and not _SAID_OF_ALL.isdisjoint(own)
    if told and own[told - 1] in ("was", "were", "been"):  # `I was asked to close it, `
        return False
    behind = own[told + 1 :]
    while behind and behind[0] in _HEARER:
        behind = behind[1:]
    if len(behind) < _LEAST_TOLD or "following" in behind[:2]:
        return False
    is_said = own[told] in _SAYS and behind[0] in _FRAMES
    return not is_said or not _SAID_OF_ALL.isdisjoint(behind)


def is_behind_told(judged: Sequence[ClauseMood], words: Sequence[str]) -> bool:
    """Tell whether it is open who orders: no `so` and no `but` parts an order from what is told."""
    first = next((place for place, one in enumerate(judged) if one.is_asking), 0)
    if not first or not judged[first].clause.is_bound or judged[first].clause.joint:
        return False
    before = judged[first - 1]
    return judged[first].reason != "request" and _told_wholly(before, words)


def _ends_at_and(one: ClauseMood, words: Sequence[str]) -> bool:
    """Tell `leave it open` and `hold off on closing it`, behind which `and` begins an order."""
    own = one.own(words)
    return denials.UNDOING.match(" ".join(own)) is not None or is_order_to_leave(own)
