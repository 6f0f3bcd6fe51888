"""Make a request about the assistant's own talking of what the reader labels.

requests.py knows fixed phrases; this is for other people's words.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from state.attention import QuietHours
from state.personality import TraitName
from state.talk import TalkKind, TalkRequest
from tools.nlu.control.goals_and_reminders import UNTIMED, WHICH_REMINDER, timed_reminder
from tools.nlu.control.occasions import OPEN_ENDED, on_event, split_cue
from tools.nlu.control.requests import LONGEST_SECONDS, PLAIN_STEPS, UNCLEAR
from tools.nlu.lexicon.closed_classes import CARDINALS, ORDINAL_WORDS, read_lexicon
from tools.nlu.lexicon.normalization import Normal, word_set, words_of
from tools.nlu.reader.reading import Reading
from tools.nlu.values.engine import ANY_DAY, extract, extract_kinds
from tools.nlu.values.model import PARTS_OF_DAY, Amount, Kind, Recurrence, Time, Value
from tools.platform.clock import DAY_SECONDS

LANGUAGES = ("en", "de")
_WEEK_SECONDS = 7 * DAY_SECONDS
_LONGEST_GOAL = 365 * DAY_SECONDS
"""Beyond it a goal is kept without its end."""
_SECONDS = {
    "second": 1.0,
    "minute": 60.0,
    "hour": 3600.0,
    "day": DAY_SECONDS,
    "week": _WEEK_SECONDS,
}
_MORNING, _END_OF_DAY = "08:00", "23:59"
_PLAIN: Mapping[str, TalkKind] = {
    "talk": "talk", "more": "more", "less": "less", "goal_ask": "goals", "missed": "prompt",
    "style_reset": "as_usual",
}  # fmt: skip
_OF_TOPIC: Mapping[str, TalkKind] = {
    "topic_off": "suppress", "topic_on": "forget", "watch": "watch", "unwatch": "forget",
    "goal": "goal", "goal_done": "goal_reached", "goal_progress": "goal_progress",
    "goal_drop": "no_goal", "reminder_cancel": "no_reminder",
}  # fmt: skip
_GOAL = re.compile(r"\bgoals?\b", re.IGNORECASE)
_NAMED_AS: Mapping[TalkKind, re.Pattern[str]] = {
    "goal_reached": _GOAL, "goal_progress": _GOAL, "no_goal": _GOAL,
    "no_reminder": re.compile(r"\breminders?\b", re.IGNORECASE),
}  # fmt: skip
"""What stands in a topic and names none: `the furnace reminder`."""
POINTERS = word_set("it that this them those these one")
"""Words that stand for a thing and name none."""
_ORDERED = word_set("next last latest newest oldest old new recent previous other same few")
_ORDERED |= {*ORDINAL_WORDS, *CARDINALS, *map(str, range(1, 100))}
"""Words that tell reminders apart by their order or age."""
_MOMENTS = frozenset({Kind.DURATION, Kind.CLOCK, Kind.INSTANT})
"""Times at which something is done, and not by which it is reached."""
_EDGE = re.compile(
    r"^(?:(?:to|of|about|that|for|re|on|with|when|if|as soon as|the second|once|whenever|any|every"
    r"|the|a|an|my|our|all) )+|[\s,.;:!?-]+$|^[\s,.;:!?-]+",
    re.IGNORECASE,
)


@cache
def _words() -> Mapping[str, frozenset[str]]:
    read = read_lexicon("en", "control")
    return {name: frozenset(read[name]) for name in ("ends", "reminds")}


@cache
def turned_words() -> Mapping[str, frozenset[str]]:
    """Give, by label that a denial may stand for, the words with which it means the opposite."""
    read = read_lexicon("en", "control")["turned"]
    return {label: frozenset(words) for label, words in read.items()}


class Said(NamedTuple):
    """A message that is about the assistant's own talking."""

    normal: Normal
    reading: Reading
    now: datetime

    def text_of(self, letters: str) -> str:
        """Give the words with one of these tags, as they were written."""
        tokens = self.normal.tokens
        runs = (
            self.normal.written(tokens[first].start, tokens[end - 1].end)
            for _tag, first, end in self.reading.spans(letters)
            if not POINTERS.issuperset(self.normal.words[first:end])
        )
        return " ".join(runs)

    def topic(self) -> str | None:
        """Name what it is about: the thing, else the value, else the condition that is told."""
        if pointed := self._pointed():
            return pointed
        found = (_trimmed(self.text_of(each)) for each in ("oa", "c", "x", "t", "-q", "-vq"))
        return next(filter(None, found), None)

    def _pointed(self) -> str | None:
        """Give the word that stands for all that the request is about: `that`."""
        things = [self.normal.words[first:end] for _tag, first, end in self.reading.spans("oa")]
        is_all = bool(things) and all(POINTERS.issuperset(words) for words in things)
        return things[0][0] if is_all else None

    @property
    def values(self) -> tuple[Value, ...]:
        """List the values of the text."""
        return extract(self.normal.text, self.now, LANGUAGES)

    def times(self) -> Iterator[Value]:
        """Give the values of time outside what is to be said or told."""
        inside = [
            (self.normal.tokens[first].start, self.normal.tokens[end - 1].end)
            for _tag, first, end in self.reading.spans("a")
        ]
        of_time = (Kind.DURATION, Kind.CLOCK, Kind.DATE, Kind.INSTANT, Kind.PERIOD, Kind.RECURRENCE)
        own = [one for one in self.values if one.kind in of_time]
        free = [one for one in own if not any(a <= one.start < b for a, b in inside)]
        yield from free or own


def _trimmed(words: str) -> str:
    while (left := _EDGE.sub("", words)) != words:
        words = left
    return words[:1_000]


def read_request(normal: Normal, reading: Reading, now: datetime) -> TalkRequest | None:
    """Make the request that the reader's control label stands for; None: it is of another kind.

    Args:
        now: in the zone of the clock on the wall.
    """
    said, label = Said(normal, reading, now), reading.control
    if label == "quiet":
        return _quiet(said)
    if label == "quiet_hours":
        return _quiet_hours(said)
    if label in ("more", "less") and (style := _style(said)) is not None:
        return style  # `talk more formally`
    if label == "less" and (seconds := _seconds(said)) is not None:
        return TalkRequest(kind="threshold", seconds=min(seconds, LONGEST_SECONDS))
    if label in _PLAIN:
        return TalkRequest(kind=_PLAIN[label])
    if label.startswith("reminder") and reading.want == "info":
        return TalkRequest(kind="reminders")
    if label in ("reminder", "reminder_move"):
        return _reminder(said)
    if label == "style":
        return _style(said)
    if label in _OF_TOPIC:
        return _about(said, _OF_TOPIC[label])
    return None


def _about(said: Said, kind: TalkKind) -> TalkRequest | None:
    if kind == "goal" and any(one.kind in _MOMENTS for one in said.times()):
        return _reminder(said)  # `I have to check the farm in an hour`
    topic = said.topic() if kind != "goal" else said.text_of("oa").strip(" ,.;:!?") or said.topic()
    if kind in _NAMED_AS:
        topic = _trimmed(_NAMED_AS[kind].sub("", topic or "")) or None
    which = words_of(topic or said.text_of("q")) if kind == "no_reminder" else ()
    if which and _ORDERED.issuperset(which):
        return TalkRequest(kind="unclear", topic=WHICH_REMINDER)
    if topic is None and kind not in ("no_goal", "no_reminder"):
        return None
    seconds = _seconds(said) if kind in ("suppress", "watch") else None
    share = _share(said)
    if kind == "goal_reached" and share is not None and share < 1:
        kind = "goal_progress"  # `the portal is half done`
    if kind == "goal_progress" and share is None:
        return None
    value = min(1.0, share) if share is not None and kind == "goal_progress" else None
    until = _goal_end(said) if kind == "goal" else None
    return TalkRequest(kind=kind, topic=topic, seconds=seconds or until, value=value)


def days_in(text: str) -> list[str]:
    """Give the words that name days of the week, or one day: quiet hours hold on every day."""
    found = extract_kinds(text, ANY_DAY, frozenset({Kind.RECURRENCE, Kind.DATE}))
    return [
        text[one.start : one.end]
        for one in found
        if one.kind is Kind.DATE or getattr(one.payload, "unit", "") == "week"
    ]


def _share(said: Said) -> float | None:
    """Give the share that is told: `80 percent`, `halfway`, `three of five`."""
    found = [float(one.payload.value) for one in said.values if one.kind is Kind.SHARE]
    if found:
        return found[0]
    numbers = [one for one in said.values if one.kind is Kind.NUMBER]
    for part, whole in pairwise(numbers):
        between = said.normal.text[part.end : whole.start].split()
        if between in (["of"], ["out", "of"]) and 0 <= part.payload.value <= whole.payload.value:
            return float(part.payload.value / whole.payload.value)
    return 0.5 if "halfway" in said.normal.words else None


def _goal_end(said: Said) -> float | None:
    for one in said.times():
        if isinstance(one.payload, Time) and (at := _moment(one.payload, said.now)) is not None:
            end = at if one.payload.clocks else at.replace(hour=23, minute=59)
            seconds = max(60.0, (end - said.now).total_seconds())
            return seconds if seconds <= _LONGEST_GOAL else None
    return None


def _quiet(said: Said) -> TalkRequest:
    hours = _hours(said)
    if hours is not None and any(one.kind is Kind.RECURRENCE for one in said.values):
        return TalkRequest(kind="quiet_hours", hours=hours)
    for one in said.times():
        if isinstance(one.payload, Time) and one.payload.bound in ("until", "before", "by"):
            at = _moment(one.payload, said.now)
            if at is None or at - said.now > timedelta(seconds=2 * LONGEST_SECONDS):
                continue
            left = (at - said.now).total_seconds()
            if left > LONGEST_SECONDS:
                return TalkRequest(kind="mute", seconds=left)
            return TalkRequest(kind="mute", until=f"{at:%H:%M}")
    seconds = _seconds(said)
    if seconds is not None and 0 < seconds <= LONGEST_SECONDS:
        return TalkRequest(kind="mute", seconds=seconds)
    return UNCLEAR if seconds is not None else TalkRequest(kind="quiet")


def _quiet_hours(said: Said) -> TalkRequest | None:
    hours = _hours(said)
    if hours is not None:
        return TalkRequest(kind="quiet_hours", hours=hours)
    once = _quiet(said)
    if once.kind == "mute":
        return once
    is_end = not _words()["ends"].isdisjoint(said.normal.words)
    return TalkRequest(kind="no_quiet_hours") if is_end else UNCLEAR


def _hours(said: Said) -> QuietHours | None:
    for one in said.values:
        if isinstance(one.payload, Time) and one.payload.clocks and one.payload.until:
            starts, ends = one.payload.clocks[-1], one.payload.until[0]
            return QuietHours(starts=f"{starts:%H:%M}", ends=f"{ends:%H:%M}")
        if isinstance(one.payload, Recurrence) and "hours" in one.payload.on:
            starts, ends = one.payload.at
            return QuietHours(starts=f"{starts:%H:%M}", ends=f"{ends:%H:%M}")
        if one.kind is Kind.RANGE:
            first, last = (float(getattr(end, "value", end)) for end in one.payload)
            if 0 <= first < 24 and 0 <= last < 24 and first == int(first) and last == int(last):
                return QuietHours(starts=f"{int(first):02}:00", ends=f"{int(last):02}:00")
    return None


def _seconds(said: Said) -> float | None:
    for one in said.times():
        away = one.payload.away if isinstance(one.payload, Time) else one.payload
        if isinstance(away, Amount) and away.unit in _SECONDS and not away.is_vague:
            seconds = away.value * _SECONDS[away.unit]
            return seconds if seconds > 0 else None  # `two hours ago` is no end
    return None


def _moment(time: Time, now: datetime) -> datetime | None:
    """Give the next moment that a time may mean; None: it tells none ahead."""
    if time.away is not None and time.away.unit in _SECONDS:
        ahead = time.away.value * _SECONDS[time.away.unit]
        return now + timedelta(seconds=ahead) if ahead > 0 else None
    days = [one.first or one.last for one in time.options]
    hour = PARTS_OF_DAY.get(time.grain)
    clocks = [(one.hour, one.minute) for one in time.clocks] or ([(hour, 0)] if hour else [])
    plain = [(8, 0)] if days and not clocks else clocks
    found = [
        now.replace(
            year=day.year, month=day.month, day=day.day, hour=h, minute=m, second=0, microsecond=0
        )
        for day in [one for one in days if one] or [now.date(), now.date() + timedelta(days=1)]
        for h, m in plain
    ]
    return min((one for one in found if one > now), default=None)


def _reminder(said: Said) -> TalkRequest:
    """Read when and of what: the time is what the reader tags so, and the matter all else."""
    tokens, reading = said.normal.tokens, said.reading
    of_time = [
        (tokens[first].start, tokens[end - 1].end) for _tag, first, end in reading.spans("t")
    ]
    times = [one for one in said.times() if not of_time or _is_inside(one, of_time)]
    moments = _MOMENTS | {Kind.RECURRENCE}
    value = next((one for one in times if of_time or one.kind in moments), None)
    if value is None and (waiting := _on_event(said)) is not None:
        return waiting
    topic = _MATTER.sub("", _matter(said, value)) or None
    if value is None:
        return UNTIMED if of_time or not topic else TalkRequest(kind="remind", topic=topic)
    if value.kind is Kind.DURATION and (seconds := _seconds(said)):
        return TalkRequest(kind="remind", topic=topic, seconds=seconds)
    return timed_reminder(value, topic or "", said.now, said.normal.text[value.end :])


def _on_event(said: Said) -> TalkRequest | None:
    """Read a reminder that waits for what is tagged as a condition or an unread time."""
    tokens = said.normal.tokens
    for _tag, first, end in said.reading.spans("ct"):
        place = tokens[first].start, tokens[end - 1].end
        found = split_cue(said.normal.written(*place))
        if found is None or found[0].endswith(OPEN_ENDED):
            continue
        topic = _MATTER.sub("", _matter(said, Value(Kind.PERIOD, *place, None, "event")))
        return on_event(topic or found[0], found[0], is_each=found[1])
    return None


def _is_inside(value: Value, places: Iterable[tuple[int, int]]) -> bool:
    return any(start < value.end and value.start < end for start, end in places)


def _matter(said: Said, when: Value | None) -> str:
    """Give what is to be remembered: the words that are no time, courtesy or verb of reminding.

    `I need to call mum`: the verb behind `to` belongs to it.
    """
    words, tags = said.normal.words, list(said.reading.tags)
    for _tag, first, end in said.reading.spans("v"):
        to = next((at for at in range(first, end) if words[at] in ("to", "zu")), end)
        if not _words()["reminds"].isdisjoint(words[first:end]):
            continue
        tags[to:end] = ["a"] * (end - to)
    kept = [
        at
        for at, (tag, token) in enumerate(zip(tags, said.normal.tokens, strict=True))
        if tag not in "vtp" and (when is None or not when.start <= token.start < when.end)
    ]
    runs: list[list[int]] = []
    for at in kept:
        if runs and runs[-1][-1] == at - 1:
            runs[-1].append(at)
        else:
            runs.append([at])
    tokens = said.normal.tokens
    written = (said.normal.written(tokens[run[0]].start, tokens[run[-1]].end) for run in runs)
    return " ".join(written).strip(" ,.;!")


_MATTER = re.compile(
    r"^[\s,:]*(?:(?:to|of|about|for|dass?|an|zu) |(?:the fact )?that )?", re.IGNORECASE
)


_NEAR = 3
"""Words before the one for a trait that may turn it round or weigh it."""


class _Style(NamedTuple):
    traits: Mapping[str, tuple[TraitName, int]]
    less: frozenset[str]
    much: frozenset[str]
    little: frozenset[str]


@cache
def _style_words() -> _Style:
    read = read_lexicon("en", "style")
    traits: dict[str, tuple[TraitName, int]] = {}
    for side, sign in (("up", 1), ("down", -1)):
        for trait, words in read[side].items():
            traits |= dict.fromkeys(words, (trait, sign))
    return _Style(
        traits, frozenset(read["less"]), frozenset(read["much"]), frozenset(read["little"])
    )


def _style(said: Said) -> TalkRequest | None:
    """Find the trait that is named, and how much more or less of it is wanted."""
    known = _style_words()
    words = words_of(said.normal.text)
    for place, word in enumerate(words):
        found = next((known.traits[form] for form in _forms(word) if form in known.traits), None)
        if found is None:
            continue
        trait, sign = found
        before = words[max(0, place - _NEAR) : place]
        sign = -sign if not known.less.isdisjoint(before) else sign
        is_step = "more" in before or not known.less.isdisjoint(before) or word.endswith("er")
        steps = 1.0 if is_step else PLAIN_STEPS
        if not known.much.isdisjoint(before):
            steps = PLAIN_STEPS
        if not known.little.isdisjoint(before):
            steps = 0.5
        return TalkRequest(kind="trait", trait=trait, steps=sign * steps)
    return None


def _forms(word: str) -> Iterator[str]:
    yield word
    for ending, instead in (("ier", "y"), ("ly", ""), ("er", ""), ("er", "e"), ("ness", "")):
        if word.endswith(ending):
            yield word.removesuffix(ending) + instead
