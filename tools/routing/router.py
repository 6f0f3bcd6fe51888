"""Text to action: read it, score it two ways, join the scores, and hold back where it must."""

from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np

from state.action import Action
from state.policy import Candidate, EntityMention, Routing
from tools.catalogue.catalogue import Catalogue
from tools.routing.features import Floats
from tools.routing.free_text import Spoken
from tools.routing.lexical import LexicalPass
from tools.routing.reading import Reader, Reading
from tools.routing.restraint import Restraint, effects_of, restrain
from tools.routing.slots import Filled, Read, fill_slots
from tools.routing.training import trained_model
from tools.routing.verbs import family_of

MOST_ALTERNATIVES = 4
_NONE_BELOW = 0.2
"""Below this confidence no action is named; the candidates are listed all the same."""
_LEAST_ALTERNATIVE = 0.02
_ALSO_OFFERED = 0.3
"""What a second request of the same text, or an equal fit, is worth: enough to be offered."""
_SEVERAL_FIT = 0.75
"""Below what lets a read run by itself. Source: action execution contract §4, disambiguation."""
_FITS, _EQUALLY = 0.6, 0.08
"""Lexical scores from which, and within which, actions fit a text equally well."""
_MOST_TWINS = 3
_SURE = 0.7
"""A statement names a state-changing action only if it would have been as sure as this."""


@dataclass(frozen=True)
class _Ranked:
    """The best actions in order, and how sure to be of the first."""

    order: tuple[int, ...]
    shares: Floats
    confidence: float
    twins: frozenset[int]
    """Others that fit the verb, the objects and the things as well as the first."""


class Router:
    """Routes texts to the actions of one catalogue. Pure: the same text gives the same answer."""

    def __init__(self, catalogue: Catalogue, *, cache: Path | None = None) -> None:
        """Train on the catalogue's examples; `cache` keeps what was learnt for the next start."""
        self._actions: list[Action] = list(catalogue.actions.values())
        self._reader = Reader(catalogue)
        self._lexical = LexicalPass(self._actions)
        self._effects = effects_of(self._actions, self._reader.lexicon)
        self._trained = trained_model(self._actions, self._reader, self._lexical, cache)

    def route(
        self, text: str, *, data_dir: Path | None = None, today: date | None = None
    ) -> Routing:
        """Read what a text asks for; `data_dir` is where the packs' lookups find their store."""
        reading = self._reader.read(text, data_dir)
        says_something = any(token.text[0].isalpha() for token in reading.normal.tokens)
        if not self._actions or not says_something:
            return self._empty(reading)
        restraint = restrain(reading, self._effects)
        ranked = self._rank(reading, restraint)
        best = self._actions[ranked.order[0]]
        confidence, alternatives = self._held_back(ranked, restraint)
        is_barred = restraint.is_barred[ranked.order[0]] or (
            reading.act.mood == "statement" and best.effect != "read" and ranked.confidence < _SURE
        )
        names_action = confidence >= _NONE_BELOW and not is_barred
        return self._routing(
            reading,
            best if names_action else None,
            confidence,
            alternatives,
            restraint,
            today,
        )

    def _rank(self, reading: Reading, restraint: Restraint) -> _Ranked:
        trained = self._trained
        scores = trained.resemblance.scores(trained.vocabulary.rows([reading.model_words]))[0]
        lexical = self._lexical.scores(reading.evidence)
        shares = trained.judge.joined(
            scores + np.append(restraint.handicap, 0.0), np.append(lexical, 0.0)
        )
        order = tuple(np.argsort(-shares[:-1], kind="stable")[: MOST_ALTERNATIVES + 1].tolist())
        known = trained.vocabulary.known(reading.evidence.words)
        signs = trained.judge.signs(order[0], shares, scores, lexical, known)
        twins = _twins(reading, order, lexical, restraint)
        return _Ranked(order, shares, trained.judge.confidence(signs), twins)

    def _held_back(
        self, ranked: _Ranked, restraint: Restraint
    ) -> tuple[float, tuple[Candidate, ...]]:
        """Cap what must not be sure; alternatives share what the best leaves over, and less."""
        best = ranked.order[0]
        confidence = round(min(ranked.confidence, float(restraint.caps[best])), 4)
        rest = max(1e-6, 1.0 - float(ranked.shares[best]))
        offered = restraint.also_asked | ranked.twins
        if ranked.twins:
            confidence = min(confidence, _SEVERAL_FIT)
        candidates = []
        for place in (*ranked.order, *sorted(offered - set(ranked.order))):
            share = float(ranked.shares[place])
            left_over = share / rest * (1.0 - ranked.confidence)
            in_line = share / float(ranked.shares[best]) * ranked.confidence
            value = confidence if place == best else min(left_over, in_line, confidence)
            if place in offered:
                value = max(value, min(_ALSO_OFFERED, confidence))
            value = round(min(value, float(restraint.caps[place])), 4)
            if value >= _LEAST_ALTERNATIVE:
                candidates.append(Candidate(action=self._actions[place].name, confidence=value))
        candidates.sort(key=lambda candidate: -candidate.confidence)
        return confidence, tuple(candidates)

    def _routing(
        self,
        reading: Reading,
        action: Action | None,
        confidence: float,
        candidates: tuple[Candidate, ...],
        restraint: Restraint,
        today: date | None,
    ) -> Routing:
        filled = fill_slots(action, _read(reading, today)) if action is not None else Filled({})
        name = action.name if action is not None else None
        others = [one for one in candidates if one.action != name][:MOST_ALTERNATIVES]
        return Routing(
            text=reading.normal.original,
            normalized=reading.normal.text,
            tokens=tuple(token.text for token in reading.normal.tokens),
            action=name,
            confidence=confidence,
            alternatives=tuple(others),
            mood=reading.act.mood,
            verb_family=_family(reading, action),
            target_object=_target(reading, action),
            target_container=_container(reading, action),
            slots=filled.values,
            missing_slots=tuple(
                slot
                for slot, described in (action.slots.items() if action is not None else ())
                if described.required and slot not in filled.values
            ),
            entities=_entities(reading),
            reasons=(*restraint.reasons, *filled.reasons, *reading.names.failed),
        )

    def _empty(self, reading: Reading) -> Routing:
        return Routing(
            text=reading.normal.original,
            normalized=reading.normal.text,
            tokens=tuple(token.text for token in reading.normal.tokens),
            action=None,
            confidence=0.0,
            mood=reading.act.mood,
            entities=_entities(reading),
            reasons=("no_words" if not reading.normal.tokens else "no_actions",),
        )


def _twins(
    reading: Reading, order: tuple[int, ...], lexical: Floats, restraint: Restraint
) -> frozenset[int]:
    """Find actions that fit as well where no object is named: `add it to the work order`."""
    best = order[0]
    if lexical[best] < _FITS or reading.things.targets or not reading.things.containers:
        return frozenset()
    equal = [
        place
        for place in order[1:]
        if lexical[place] >= lexical[best] - _EQUALLY and not restraint.is_barred[place]
    ]
    return frozenset(equal[:_MOST_TWINS])


def _read(reading: Reading, today: date | None) -> Read:
    verb = reading.verb
    spoken = Spoken(
        normal=reading.normal,
        things=reading.things,
        asked=reading.asked,
        kept=reading.kept,
        verb_words=frozenset(range(verb.first, verb.end) if verb is not None else ()),
        content_first=reading.act.cut.content_first,
    )
    return Read(spoken, reading.mentions, reading.names, today)


def _family(reading: Reading, action: Action | None) -> str | None:
    """Name the family of the verb that was said, else of the action that was meant."""
    own = family_of(action.verb) if action is not None else None
    if reading.verb is None:
        return own or reading.evidence.implied_family
    families = reading.verb.families
    is_meant = action is not None and action.name in reading.verb.actions
    return own if own in families or is_meant else families[0]


def _target(reading: Reading, action: Action | None) -> str | None:
    things = reading.things
    if action is not None and any(thing.name == action.object for thing in things.all):
        return action.object
    if things.targets:
        return max(things.targets, key=lambda thing: (thing.strength, -thing.first)).name
    return action.object if action is not None else None


def _container(reading: Reading, action: Action | None) -> str | None:
    if action is not None and action.container is not None:
        return action.container
    named = [thing.name for thing in reading.things.containers]
    return named[0] if named else None


def _entities(reading: Reading) -> tuple[EntityMention, ...]:
    tokens = reading.normal.tokens
    return tuple(
        EntityMention(
            type=mention.kind.type,
            value=mention.value,
            confidence=round(mention.confidence, 4),
            span=reading.normal.span(tokens[mention.first].start, tokens[mention.end - 1].end),
        )
        for mention in reading.mentions
    )
