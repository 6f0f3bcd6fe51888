"""Identify alarms, read the status their sender gives, and decide whether one is due again.

Status fields are those of the usual bodies (Alertmanager, Grafana and similar). A repeated alarm is
announced on a schedule, a different one at once. Source: executive.md §1.3, step 2.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any, Literal

from state.event import Event
from state.session import Session, ThreatTold
from state.stages import Gathered, Weighed
from state.tuning import RelevanceTuning
from tools.attention.lexicon import reports_all_clear
from tools.attention.news import moved, said_words
from tools.attention.polarity import is_denied
from tools.platform.texts import t

SenderStatus = Literal["over", "test", "info", "urgent"]

_DEEP = 4
_MANY = 400
"""Fields of a payload that are read."""
_STATUS = re.compile(
    r"(?:(?:alert|alarm|incident|event|issue|problem|current|new|to)_?)?"
    r"(?:status|state|state_?value|status_?text)|(?:event_?)?(?:action|type)"
)
_SEVERITY = re.compile(r"(?:(?:alert|alarm|event)_?)?(?:severity|level|priority|urgency)")
_TEST = re.compile(r"(?:is_?)?(?:test|drill|exercise|simulat(?:ed|ion)|dry_?run)(?:_?mode)?")
_BEFORE = re.compile(r"old|prev|former|last|from")
"""Fields about what was before."""
_OVER = re.compile(
    r"(?:.*[._ ])?(?:resolved?|recover(?:ed|y)|cleared?|back_to_normal|fixed|solved)"
)
_WELL = re.compile(r"ok|okay|normal")
_OF_ALERT_ALONE = re.compile(
    r"ok|okay|normal|good|healthy|up|green|closed?"
    r"|(?:.*[._ ])?(?:cancell?ed|ended|inactive|dismissed|expired)"
)
"""Elsewhere these are states of a host, a valve or a door; an inactive pump may be the alarm."""
_LASTS = re.compile(
    r"(?:.*[._ ])?(?:firing|alerting|alarm|trigger(?:ed)?|open(?:ed)?|active|problem|down|critical"
    r"|on|fail(?:ed|ing)|error|warning|unresolved|pending|acknowledged?|reopened|red)"
)
_SEEN = re.compile(r"(?:.*[._ ])?ack(?:nowledged?|ed)?")
_MINOR = re.compile(
    r"info(?:rmational|rmation)?|debug|notice|none|test|trace|verbose|lowest|p5|sev_?5"
)
_URGENT = re.compile(
    r"crit(?:ical)?|fatal|emerg(?:ency)?|panic|disaster|page|urgent|highest|blocker|very[_ ]?high"
    r"|p[01]|sev(?:erity)?[_ ]?[01]"
)
_OF_ALERTS = re.compile(
    r"severity|labels|alert.*|rule.*|fingerprint|incident.*|dedup_?key|monitor|starts_?at|ends_?at"
    r"|priority|urgency|newstatevalue|trigger.*|eval_?matches|check.*"
)
_ABOUT_ALERT = re.compile(r"(?:alert|alarm|incident|problem|issue)[. ]")
"""How a field's name or value begins that is about the alert, whatever else is in the body."""
_OFF = ("off", "false", "0", "no", "dry", "clear", "closed", "idle", "not_detected")


def sender_status(payload: Mapping[str, Any]) -> SenderStatus | None:
    """Read what a payload says of its alert; None: it goes on, or nothing is said.

    What lasts counts before what is over: of several alerts in one body each is heard. `ok` may
    be a sensor's own health; it ends an alert where the body is one of an alert, or its `state`.
    """
    fields = list(_fields(payload, _DEEP))[:_MANY]
    if any(_TEST.fullmatch(name) and value in ("true", "1", "yes") for name, value in fields):
        return "test"
    said = [(name, value) for name, value in fields if _STATUS.fullmatch(name)]
    if not any(_LASTS.fullmatch(value) for _name, value in said) and _ends(said, payload):
        return "over"
    severities = [value for name, value in fields if _SEVERITY.fullmatch(name)]
    if severities and all(_MINOR.fullmatch(value) for value in severities):
        return "info"
    is_seen = bool(said) and all(_SEEN.fullmatch(value) for _name, value in said)
    is_urgent = any(_URGENT.fullmatch(value) for value in severities) and not is_seen
    return "urgent" if is_urgent else None


def _ends(said: list[tuple[str, str]], payload: Mapping[str, Any]) -> bool:
    is_of_alert = any(_OF_ALERTS.fullmatch(_named(name)) for name in payload)
    is_sensor = str(payload.get("entity_id", "")).startswith("binary_sensor.")
    return any(
        _OVER.fullmatch(value)
        or (_WELL.fullmatch(value) and "state" in name)
        or (_OF_ALERT_ALONE.fullmatch(value) and (is_of_alert or _is_about_alert(name, value)))
        or (value in _OFF and is_sensor)
        for name, value in said
    )


def _is_about_alert(name: str, value: str) -> bool:
    return any(_ABOUT_ALERT.match(one.replace("_", " ")) for one in (name, value))


def _fields(value: object, deep: int, name: str = "") -> Iterator[tuple[str, str]]:
    """List the plain fields of a body by name, whatever they are inside of."""
    if deep and isinstance(value, Mapping):
        for key, inner in value.items():
            called = _named(key)
            if not _BEFORE.match(called):
                yield from _fields(inner, deep - 1, called)
    elif deep and isinstance(value, (list, tuple)):
        for inner in value:
            yield from _fields(inner, deep - 1, name)
    elif isinstance(value, (str, bool, int, float)):
        yield name, str(value).strip().casefold().replace("-", "_")


def _named(key: str) -> str:
    """Write a field's name in one way: `NewStateValue` and `new-state-value` alike."""
    parted = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", key)
    return re.sub(r"[\s.-]+", "_", parted).casefold()


NAMED_WORDS = 12
_SENT = "\x1f"
"""Stands behind a sender in the name of what it told; no identifier holds one."""


def threat_key(pattern: str, text: str) -> str:
    """Name an alarm by its pattern and its words; with another measure in it, it is the same one.

    Habituation leaves the words out; here that would keep silent about a fire in the engine room
    because one in the galley was told a moment ago. "Cabin 4" and "P-102" are words like those.
    What is doubtful is another alarm: one too many is told, and many at once are one (`is_burst`).
    """
    words = list(said_words(text.lower()))
    named = " ".join(words[:NAMED_WORDS])
    if rest := " ".join(words[NAMED_WORDS:]):
        named += f" {hashlib.blake2b(rest.encode(), digest_size=6).hexdigest()}"
    return f"{pattern}|{named}"


def announced_key(sender: str | None, pattern: str, text: str) -> str:
    """Name what was told of an alarm: a source is only what its sender calls itself.

    Another's words under the same name must not silence whoever is there.
    """
    return f"{_told_by(sender)}{threat_key(pattern, text)}"


def _told_by(sender: str | None) -> str:
    return f"{sender}{_SENT}" if sender else ""


def last_announcement(
    threats: Mapping[str, ThreatTold], sender: str | None, pattern: str, text: str, now: float
) -> ThreatTold | None:
    """Find what was told of an alarm; its sender may have told it again elsewhere since.

    The first of each source is told: where it comes from may be all that tells two fires apart.
    """
    own = threats.get(announced_key(sender, pattern, text))
    if own is None or own.at > now:
        return own
    words = threat_key(pattern, text).removeprefix(pattern)
    alike = [
        told
        for other, told in threats.items()
        if _sender_of(other) == (sender or "") and other.endswith(words) and told.at <= now
    ]
    newest = max(told.at for told in alike)
    times = max(told.times for told in alike)
    return own.model_copy(update={"at": newest, "times": times})


def _sender_of(key: str) -> str:
    return key.rpartition(_SENT)[0]


def is_burst(
    threats: Mapping[str, ThreatTold],
    sender: str | None,
    pattern: str,
    now: float,
    tuning: RelevanceTuning,
) -> bool:
    """Tell whether a sender told so many alarms of a pattern just now that it is one big alarm.

    A further one says nothing new.
    """
    begins = f"{_told_by(sender)}{pattern}|"
    lately = sum(
        1
        for key, told in threats.items()
        if key.startswith(begins) and 0 <= now - told.at < tuning.burst_seconds
    )
    return lately >= tuning.burst_alarms


def is_all_clear(event: Event) -> bool:
    """Tell whether an event says of an alarm that it is over, or that the danger is not there."""
    if event.is_addressed:
        return False
    return sender_status(event.payload) == "over" or reports_all_clear(event.text)


def is_over(event: Event, judged: str | None) -> bool:
    """Tell whether an event says that something is well again."""
    return is_all_clear(event) or "resolved" in (judged or "").split(", ")


def forget_source(
    threats: Mapping[str, ThreatTold], source: str, *, keeping: str | None = None
) -> dict[str, ThreatTold]:
    """Forget what was told of a source: after its all-clear the same words are another alarm."""
    return {
        key: told
        for key, told in threats.items()
        if key == keeping or not key.rpartition(_SENT)[2].startswith(f"{source}|")
    }


LONGEST_ABOUT = 400
"""Characters: a session is read and written whole with every event."""
_DIGEST = 16
"""Hex digits, 64 bits: no two events of a session meet by chance."""


def remembered_text(text: str) -> str:
    """Give the words that are remembered of an event; of a long one the rest is told by a digest.

    Cut without it, the same long event would not be known again, and two that begin alike would
    be taken for one.
    """
    if len(text) <= LONGEST_ABOUT:
        return text
    digest = sha256(text.encode()).hexdigest()[:_DIGEST]
    return f"{text[: LONGEST_ABOUT - _DIGEST - 1]} {digest}"


def alarm_repeat_reason(state: Weighed, now: float, tuning: RelevanceTuning) -> str | None:
    """Say in what way a threat was told already; None: it has to be told now."""
    threats, pattern = state.session.threats, state.salience.pattern
    sender = state.event.sender
    told = last_announcement(threats, sender, pattern, state.event.text, now)
    if told is None:
        burst = is_burst(threats, sender, pattern, now, tuning)
        return t("attention.instead.burst") if burst else None
    known = state.session.familiar.get(pattern)
    is_fast = known is not None and known.pace >= tuning.burst_pace
    threat = state.salience.vector.threat
    if is_repeat_due(told, threat, now, tuning, is_fast=is_fast):
        return None
    is_less = told.level - threat >= tuning.threat_rise
    if not (is_less or is_fast) and moved(state.event.text, told.figures) >= tuning.threat_moved:
        return None
    return t("attention.instead.threat_told", times=told.times)


def duplicate_reason(state: Weighed, now: float, tuning: RelevanceTuning) -> str | None:
    """Say when the very same may be said again; None: at once, it is news, or somebody watches it.

    P leaves .4 of relevance, enough for who wants to hear much; but doubling an event adds nothing,
    however much it matters (executive.md §2). What waited is judged with its group, not here.
    """
    event, salience = state.event, state.salience
    if state.arrival.released_by is not None or salience.watched is not None or not event.text:
        return None
    about = remembered_text(event.text)
    known = state.session.familiar.get(salience.pattern)
    if known is not None and salience.vector.threat - known.seen.threat >= tuning.threat_rise:
        return None
    said = [
        one.at
        for one in state.session.spoken
        if one.about == about
        and one.pattern.partition("|")[2] == salience.pattern
        and one.at <= now
    ]
    left = max(said, default=now - tuning.burst_seconds) + tuning.burst_seconds - now
    return t("attention.instead.just_said", left=left) if left > 0 else None


def is_repeat_due(
    told: ThreatTold, threat: float, now: float, tuning: RelevanceTuning, *, is_fast: bool = False
) -> bool:
    """Tell whether a threat that was told is due again: it rose, or its next turn has come.

    Args:
        is_fast: it comes many times a second; then the first wait is passed over.

    Told at a time that is still to come means that the clock was set back: then it is due once.
    """
    waits = tuning.threat_again_seconds
    due = not 0 <= now - told.at < waits[min(told.times + is_fast, len(waits)) - 1]
    return due or threat - told.level >= tuning.threat_rise - 1e-9


def forget_cleared(
    session: Session, gathered: Gathered, tuning: RelevanceTuning
) -> dict[str, Any]:  # fields of Session
    """Forget what was told of a source that gives the all-clear: the next alarm is another.

    Whoever gives it: a forged one makes an alarm be told once more and silences nothing.
    """
    event, relevance = gathered.event, gathered.relevance
    is_new = gathered.arrival.released_by is None
    is_alarm = relevance is not None and relevance.threat >= tuning.threat
    if is_alarm and event.salience is None:  # by a pack's words; a bridge may give all the same
        return {}
    if not session.threats or not is_new or not is_all_clear(event):
        return {}
    pattern = gathered.salience.pattern if gathered.salience else ""
    # An all-clear that was told as a threat is not told at each repetition.
    is_told = reports_all_clear(event.text)
    own = announced_key(event.sender, pattern, event.text) if is_told else None
    return {"threats": forget_source(session.threats, event.source, keeping=own)}


def denies(event: Event, condition: str) -> bool:
    """Tell whether an event denies a condition, in its text or by what its sender says of it."""
    return is_denied(condition, event.text, sender_status(event.payload))
