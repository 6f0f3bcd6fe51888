"""What is kept of the person who asks, in words: manner, rapport, goals, topics, reminders."""

from collections.abc import Iterable, Iterator

from graph.asked.recounting import goal_line
from state.initiative import Reminder
from state.personality import TRAITS, Personality
from state.session import Session

NOBODY = "You gave no name: I keep nothing of you but what is said in this session."


def profile_lines(
    session: Session, standing: Personality, reminders: Iterable[Reminder], now: float
) -> Iterator[str]:
    """Say what holds for `standing.user`; what is only said is found by asking about it."""
    user = standing.user
    rapport = standing.rapport
    yield f"You are {user}; we get on {_rapport(rapport)} (rapport {rapport:.2f})."
    overrides = standing.user_overrides
    moved = [f"{name} {shift:+.2f}" for name in TRAITS if (shift := getattr(overrides, name))]
    manner = f"as {standing.template}" if standing.template else "as the pack has it"
    yield f"I talk to you {manner}{', with ' + ', '.join(moved) if moved else ''}."
    for goal in session.goals:
        if goal.standing == "open" and goal.is_of(user):
            yield f"Goal: {goal_line(goal)}"
    for rule in session.topics:
        if rule.until is None or rule.until > now:
            what = "Here I watch for" if rule.kind == "watch" else "Here I leave alone"
            yield f"{what} {rule.topic}."
    for one in reminders:
        if one.is_of(user):
            yield f"Reminder: {one.text}"
    yield 'Your words are kept too: "what did I say about …?" finds them.'


def _rapport(level: float) -> str:
    if level < 0.2:
        return "badly"
    return "well" if level >= 0.4 else "as people do who met lately"
