"""Add what a character has to say of an event: its meaning, the next step, a light or a dry word.

What may be said follows from what is at stake (`stake_of`); traits and the decision's id choose
among the lines of tools/platform/texts/en/character.toml. Alerts stay plain. No number, name or
negation of the event is touched: lines only stand before and behind its words.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from state.event import Event
from state.response import Intent
from state.salience import Salience
from state.talk import TalkRequest
from tools.platform.text_comparison import shorten
from tools.platform.texts import section, t, texts

TERSE, WORDY = 0.3, 0.7
"""Verbosity from which a remark is added at all, and from which there are two."""
CASUAL, FORMAL = 0.3, 0.7
LIVELY, DRY, FUNNY, FORTHCOMING = 0.75, 0.5, 0.4, 0.8
"""Levels from which enthusiasm, sarcasm, humor and offers are heard, as often as they are high."""
ALARMING, STANDS_OUT = 0.5, 0.5
HURRIED = 0.8
"""Chance that a word is wanted at once, or urgency, from which one sentence has to do."""
REMIND_MINUTES = 20
_AREA = "character"
RECENT = 8
"""Utterances in which no line comes twice."""
GRAVE = frozenset({"life", "health"})
SERIOUS = frozenset({"grave", "security", "money", "play"})
"""Where nobody wants a joke, dryness or cheer; `play` outside a game is often misjudged."""
LIGHT = frozenset({"game", "comfort", "light", "good", "chance"})
_WELL = ("resolved", "improving")


def stake_of(salience: Salience, context: str | None = None) -> str:
    """Name what is at stake: a class of character.toml, or `other` where nothing is known of it.

    Light classes need a threat below .5, whatever the judge of events says.

    Args:
        context: of the session, such as `gaming.minecraft`.
    """
    vector = salience.vector
    is_calm = vector.threat < ALARMING
    is_chance = vector.opportunity >= max(STANDS_OUT, vector.goal_relevance) and is_calm
    if salience.judged is None:
        is_funny = is_calm and vector.humor >= STANDS_OUT
        return "light" if is_funny else "chance" if is_chance else "other"
    harm, state, reality = salience.judged.split(", ")
    if reality != "real":
        return "other"
    if state in _WELL:
        return "good" if is_calm else "other"
    if state == "steady" and harm != "none":
        return "other"
    if harm in GRAVE:
        return "grave"
    if harm == "play" and is_calm and (context or "").partition(".")[0] == "gaming":
        return "game"
    if is_chance:
        return "chance"
    if harm == "none":
        return "light" if is_calm else "other"
    return harm


def is_calm(salience: Salience, urgency: float) -> bool:
    """Tell whether there is time for more than the words themselves: no threat, and no hurry."""
    hurry = max(urgency, salience.wanted or 0.0)
    return salience.vector.threat < ALARMING and hurry < HURRIED


def proposed_in(text: str, event: Event) -> TalkRequest | None:
    """Return what a yes to a remark about an event asks for; None: the remark asks nothing."""
    asks = (*section("character.ask").values(), *section("character.formal.ask").values())
    if not text.endswith(tuple(ask.format(minutes=REMIND_MINUTES) for ask in asks)):
        return None
    return TalkRequest(kind="remind", topic=shorten(event.text, 120), seconds=REMIND_MINUTES * 60)


def drawn(seed: str, what: str) -> int:
    """Draw a number from a decision's id and the name of what is drawn, the same one each time."""
    return int.from_bytes(hashlib.sha256(f"{seed} {what}".encode()).digest()[:8])


@dataclass(frozen=True)
class _Lines:
    """The catalogue as one utterance sees it."""

    intent: Intent
    register: Callable[[str], str]
    """Words a line as formally as the rest."""

    def of(self, *keys: str, text: str = "") -> str | None:
        """Draw a line of the first key that has any; None: there are none, or all were said lately.

        Args:
            text: what a line is put to.
        """
        lines = next((found for key in keys if (found := _numbered(key))), ())
        fresh = [line for line in map(self._in_register, lines) if not self._is_tired(line)]
        if not fresh:
            return None
        return self._said(fresh[drawn(self.intent.seed, keys[0]) % len(fresh)], text)

    def shows(self, trait: str, level: float) -> bool:
        """Tell whether a trait is heard this time: at 1 always, at .8 every other time."""
        return drawn(self.intent.seed, trait) % 1000 < 1000 * level**3

    def _said(self, key: str, text: str) -> str:
        return self.register(t(f"character.{key}", text=text, minutes=REMIND_MINUTES))

    def _in_register(self, key: str) -> str:
        formal = f"formal.{key}"
        is_formal = self.intent.traits.formality >= FORMAL and f"character.{formal}" in texts(_AREA)
        return formal if is_formal else key

    def _is_tired(self, key: str) -> bool:
        bare = self._said(key, "").strip().rstrip(".!?:")
        return any(bare in said for said in self.intent.recent)


@cache
def _numbered(key: str) -> Sequence[str]:
    """List the keys of the lines under a key."""
    start = f"{_AREA}.{key}"
    return [
        one.removeprefix(f"{_AREA}.") for one in texts(_AREA) if one.rpartition(".")[0] == start
    ]


def with_remarks(
    text: str,
    intent: Intent,
    register: Callable[[str], str],
    *,
    is_styled: bool = False,
    is_explained: bool = False,
) -> str:
    """Return the words with what the character adds to them; alerts and answers get nothing.

    Args:
        register: words a line as formally as the rest.
        is_styled: a pack's style has had its say: it stands for openings and asides.
        is_explained: a pack has said already what it means, or what could be done.
    """
    if not intent.stake or intent.kind in ("alert", "answer", "check_in"):
        return text
    lines, traits = _Lines(intent, register), intent.traits
    if intent.kind == "question":
        return " ".join((ended(text), *_given(lines.of("ask"))))
    if traits.verbosity < TERSE or intent.stake == "other":
        return text
    plain = ended(text, _mark(intent))
    framed = plain if is_styled or not intent.is_calm else _framed(plain, lines)
    added = list(_sentences(lines, is_explained=is_explained))
    if framed == ended(text) and not added:
        return text
    return " ".join((ended(framed), *added))


def _sentences(lines: _Lines, *, is_explained: bool) -> Iterator[str]:
    """Give what it means and what could be done, as many as verbosity allows, then an offer."""
    intent, traits = lines.intent, lines.intent.traits
    wanted: list[str] = []
    if not is_explained:
        wanted += ["step"] if lines.shows("helpfulness", traits.helpfulness) else []
        wanted += ["meaning"] if lines.shows("verbosity", traits.verbosity) else []
    most = 2 if traits.verbosity >= WORDY and intent.is_calm else 1
    for kind in sorted(wanted[:most]):  # what it means stands before what could be done
        yield from _given(lines.of(*_keys(kind, intent.stake)))
    talks = max(traits.verbosity, traits.proactive)
    if talks >= FORTHCOMING and intent.is_calm and lines.shows("offer", talks):
        yield from _given(lines.of("offer"))


def _framed(text: str, lines: _Lines) -> str:
    """Put one light, dry or lively word to a text, or open it as formally as one is."""
    intent, traits = lines.intent, lines.intent.traits
    heard = {"humor": FUNNY, "sarcasm": DRY, "enthusiasm": LIVELY}
    levels: Mapping[str, float] = {
        name: level
        for name, least in heard.items()
        if (level := getattr(traits, name)) >= least and _fits(name, intent)
    }
    for name in sorted(levels, key=lambda name: -levels[name]):
        if lines.shows(name, levels[name]):
            return lines.of(*_keys(name, intent.stake), text=text) or text
    if traits.formality >= FORMAL and lines.shows("formality", traits.formality):
        return lines.of(*_keys("open.formal", intent.stake), text=text) or text
    if traits.formality <= CASUAL and lines.shows("formality", 1 - traits.formality):
        return lines.of(*_keys("open.casual", intent.stake), text=text) or text
    return text


def _fits(trait: str, intent: Intent) -> bool:
    """Tell whether so little is at stake that a joke, a dry word or cheer hurts nobody."""
    if trait == "humor":
        return intent.stake in LIGHT
    is_stiff = trait == "enthusiasm" and intent.traits.formality >= FORMAL
    return intent.stake not in SERIOUS and not is_stiff


def _keys(kind: str, stake: str) -> tuple[str, str]:
    """Name the lines of a class, and of the kind of class it is."""
    if kind in ("meaning", "step"):
        general = "play"
    elif stake in SERIOUS:
        general = "serious"
    else:
        general = "light" if stake in LIGHT - {"game"} else "trouble"
    return f"{kind}.{stake}", f"{kind}.{general}"


def _mark(intent: Intent) -> str:
    is_lively = intent.traits.enthusiasm >= LIVELY and intent.traits.formality < FORMAL
    return "!" if is_lively and intent.is_calm and intent.stake in LIGHT else "."


def ended(text: str, mark: str = ".") -> str:
    """End a sentence that does not end."""
    text = text.rstrip()
    return text if text[-1:] in ".!?…:" else f"{text}{mark}"


def _given(line: str | None) -> Iterable[str]:
    return () if line is None else (line,)
