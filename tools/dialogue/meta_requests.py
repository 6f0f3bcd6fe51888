"""Decide on requests about the assistant: how it talks, why it did something, what was said."""

import re
from collections.abc import Iterable, Sequence

from state.errors import NotFound
from state.policy import PolicyDecision
from state.session import Session, Shown, Spoken
from state.talk import TalkRequest
from tools.access.permissions import may_control
from tools.dialogue.interpreter import Message
from tools.dialogue.proposals import incomplete_reminder
from tools.dialogue.reply_decisions import control, refuse_control, reply
from tools.nlu import control_request
from tools.nlu.control.goals_and_reminders import find_goals
from tools.platform.texts import t
from tools.ports import Catalogue
from tools.response import SkillSelection

_THAT = r"(?:that|this|it|them|those|these)(?: one)?"
_POINTS = re.compile(rf"\b(?P<lead>about|of|with|for) (?P<that>{_THAT})\b", re.IGNORECASE)


def topic_of_that(request: TalkRequest, message: Message) -> str | None:
    """Name what was told or shown last, for `that`; the topic as it is where nothing was."""
    told = _last_meant(message)
    if told is None:
        return request.topic
    return told[1] if request.kind == "remind" else told[0] or request.topic


def _last_meant(message: Message) -> tuple[str, str] | None:
    """Give the topic and the words of what the speaker was told or shown last."""
    session, reader = message.session, message.reader
    if session is None:
        return None
    now, lasting_seconds = reader.clock.now().timestamp(), reader.policy.question_seconds
    last, seen = _last_told(session), _last_shown(session, message.event.user)
    last = last if last is not None and 0 <= now - last.at <= lasting_seconds else None
    seen = seen if seen is not None and 0 <= now - seen.at <= lasting_seconds else None
    if seen is not None and (last is None or last.at < seen.at):
        return seen.thing, seen.thing
    return None if last is None else (_topic_of(last), " ".join(last.text.split())[:200])


def resolved_control_request(message: Message) -> TalkRequest | None:
    """Read a request about the talking, with what was told last in the place of `that`.

    What the speaker was shown last counts as told to them.
    """
    asked, text = message.control, message.text
    if asked is not None and asked.kind not in ("unclear", "remind"):
        return asked
    told = _last_meant(message)
    if told is None:
        return asked
    topic, words = told
    if asked is not None and asked.kind == "remind":
        is_that = re.fullmatch(_THAT, asked.topic or "", re.IGNORECASE)
        return asked.model_copy(update={"topic": words}) if is_that else asked
    pointed = _POINTS.search(text)
    if pointed is None or not topic:
        return asked
    start, end = pointed.span("that")
    said = f"{text[:start]}{topic}{text[end:]}"
    return control_request(said, message.reader.now) or asked


def _last_told(session: Session) -> Spoken | None:
    return session.spoken[-1] if session.spoken else None


def _last_shown(session: Session, user: str | None) -> Shown | None:
    return session.shown.get(user or "")


def _topic_of(told: Spoken) -> str:
    """Name what was told: the thing it was about, else where it came from."""
    # type|source|kind|entity; words that stand for an entity have a plus between them.
    parts = told.pattern.split("|")
    thing = parts[3] if len(parts) > 3 else ""
    return (thing or (parts[1] if len(parts) > 1 else "")).replace("+", " ")


_KINDS = {"template": "personality", "load_skill": "skill", "unload_skill": "skill"}


def with_resolved_name(request: TalkRequest, catalogue: Catalogue) -> TalkRequest:
    """Return a request with the whole name of what it names; `minecraft` may be the only one near.

    Raises:
        NotFound: no personality or skill of the loaded packs is called that.
    """
    kind = _KINDS.get(request.kind)
    if kind is None:
        return request
    said = (request.topic or "").strip().lower().replace(" ", "_")
    known = known_names(kind, catalogue)
    near = [name for name in known if said and said in [*name.split("_"), name]]
    if said in known:
        near = [said]
    if len(near) != 1:
        raise NotFound(kind, said)
    return request.model_copy(update={"topic": near[0]})


def unknown_name_text(refusal: NotFound, catalogue: Catalogue) -> str:
    """Tell somebody that there is nothing of that name, and what there is."""
    known = [name.replace("_", " ") for name in known_names(refusal.kind, catalogue)]
    name = refusal.identifier.replace("_", " ")
    return t("dialogue.unknown_name", kind=refusal.kind, name=name, known=", ".join(known))


def known_names(kind: str, catalogue: Catalogue) -> list[str]:
    """List the personalities, or the skills that may be loaded."""
    if kind == "personality":
        return sorted(set(_templates(catalogue)))
    skills = SkillSelection.of(catalogue.packs)
    return sorted(skill.name for skill in skills.manifests if skills.named(skill.name))


def named_template(words: Sequence[str], catalogue: Catalogue) -> TalkRequest | None:
    """Find a personality whose whole name is among these words: `be the cheerleader`."""
    named = (one for one in known_names("personality", catalogue) if {*one.split("_")} <= {*words})
    name = next(named, None)
    return None if name is None else TalkRequest(kind="template", topic=name)


def _templates(catalogue: Catalogue) -> Iterable[str]:
    for pack in catalogue.packs:
        yield from pack.personality.templates
        yield from (skill.name for skill in pack.skills if skill.traits is not None)


def decide_meta_request(message: Message) -> PolicyDecision | None:
    """Decide on a message that is about us; None: it is about something else, or a pack's own."""
    found = _about_us(message)
    return None if found is None or message.is_packs_own else found


def _about_us(message: Message) -> PolicyDecision | None:
    catalogue, event = message.reader.catalogue, message.event
    if request := resolved_control_request(message):
        if not may_control(request, catalogue, event.roles):
            return refuse_control()
        if request.kind == "no_goal" and not _has_goal(request.topic, message.session, event.user):
            return reply(t("dialogue.no_goal", topic=request.topic), "no_such_goal")
        return _about_talking(request, catalogue)
    if message.self_question is not None:
        return PolicyDecision(intent="explain", confidence=1.0, reasons=("asks_why_of_us",))
    if message.recall_question is not None:
        return PolicyDecision(intent="recall", confidence=1.0, reasons=("asks_what_was_said",))
    return None


def _about_talking(request: TalkRequest, catalogue: Catalogue) -> PolicyDecision:
    try:
        meant = with_resolved_name(request, catalogue)
    except NotFound as unknown:
        return reply(unknown_name_text(unknown, catalogue), "no_such_manner")
    return control(f"talk_request:{meant.kind}", talk=meant, proposes=incomplete_reminder(meant))


def _has_goal(topic: str | None, session: Session | None, user: str | None) -> bool:
    goals = session.goals if session is not None else ()
    return any(goal.is_of(user) for goal in find_goals(goals, topic))
