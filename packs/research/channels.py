"""Channels: a conversation with a name, a topic and a research question."""

from datetime import UTC, datetime

from pydantic import JsonValue

from prefrontal.pack import ActionResult, BadInput

from .store import Work, changes, reads

FIRST_STAGE = "exploring"
MOST_SHOWN = 30
NONE = "none"
"""As a question, topic or name: there shall be none."""


@reads
def show_research_state(work: Work) -> ActionResult:
    """Tell the stage, the question, the topic and how the channel came here."""
    memory = work.memory
    stage = memory.stage or FIRST_STAGE
    lines = [f"Channel {_name(work)}: {stage.replace('_', ' ')}."]
    for name, title in (("research_question", "Question"), ("research_topic", "Topic")):
        if name in memory.facts:
            lines.append(f"{title}: {memory.facts[name].value}")
    if memory.searched is not None:
        search = memory.searched.search
        lines.append(f"Last search: {search.topic or ' '.join(search.query_terms)}")
    for step in memory.history:
        day = datetime.fromtimestamp(step.at, UTC).date().isoformat()
        before = step.from_stage or "nothing"
        lines.append(f"{day}: {before} → {step.to_stage}, {step.reason}")
    state: dict[str, JsonValue] = {
        "stage": stage,
        "history": [step.model_dump(mode="json") for step in memory.history],
        "facts": {name: fact.value for name, fact in memory.facts.items()},
    }
    return ActionResult(text="\n".join(lines), data={"research_state": state})


@reads
def list_channels(
    work: Work,
    *,
    stage: str | None = None,
    except_stage: str | None = None,
    stages: str | None = None,
) -> ActionResult:
    """List the channels that have a name and the stage of each, the last used first."""
    rows = work.rows("SELECT * FROM channel ORDER BY active_at DESC")
    own = work.memory.stage or FIRST_STAGE
    barred = {_stage_said(except_stage)} | ({own} if stages else set())
    lines = []
    for row in rows:
        standing = work.context.stages.get(row["session_id"], FIRST_STAGE)
        if standing not in barred and stage in (None, standing.replace("_", " ")):
            since = row["active_at"][:10]
            lines.append(f"{row['name']}: {standing.replace('_', ' ')} (since {since})")
    if rows and not lines:
        return ActionResult(text=f"None of the {len(rows)} channels with a name is.")
    if len(lines) > MOST_SHOWN:
        lines = [*lines[:MOST_SHOWN], f"… and {len(lines) - MOST_SHOWN} more, not used as lately."]
    return ActionResult(text="\n".join(lines) or "No channel has a name yet.")


def _stage_said(stage: str | None) -> str:
    return (stage or "").replace(" ", "_")


@changes
def name_channel(work: Work, *, name: str) -> ActionResult:
    """Give this conversation a name."""
    words = " ".join(name.split())
    if not 0 < len(words) <= 80:
        raise BadInput("a channel's name has 1 to 80 characters")
    session = work.context.session_id
    if words.casefold() == NONE:
        words = session
    row = work.row("SELECT name FROM channel WHERE session_id = ?", session)
    before = row["name"] if row is not None else None
    work.run(
        "INSERT INTO channel VALUES (?, ?, ?) ON CONFLICT (session_id)"
        " DO UPDATE SET name = excluded.name, active_at = excluded.active_at",
        session,
        words,
        work.now,
    )
    work.change("channel", "name", before, words)
    undo: dict[str, JsonValue] = {"name": before or NONE}
    return ActionResult(text=f"This channel is called {words}.", undo=undo)


@changes
def set_research_question(work: Work, *, question: str) -> ActionResult:
    """Set what the channel wants to find out."""
    return _remembered(work, "research_question", "Research question", question)


@changes
def set_research_topic(work: Work, *, topic: str) -> ActionResult:
    """Set what the channel is about."""
    return _remembered(work, "research_topic", "Research topic", topic)


def _remembered(work: Work, name: str, title: str, value: str) -> ActionResult:
    """Hand a fact to the conversation's memory, which alone keeps it."""
    words = " ".join(value.split()).strip(" \"'“”")
    slot = name.removeprefix("research_")
    if words.casefold() == NONE:
        work.change("channel", title.lower(), "as it was", None)
        return ActionResult(text=f"{title}: none", data={"remembered": {name: ""}})
    if not 2 < len(words) <= 500:
        raise BadInput(f"a {title.lower()} has 3 to 500 characters")
    known = work.memory.facts.get(name)
    before = known.value if known is not None else None
    work.change("channel", title.lower(), before, words)
    undo: dict[str, JsonValue] = {slot: before or NONE}
    return ActionResult(text=f"{title}: {words}", data={"remembered": {name: words}}, undo=undo)


def _name(work: Work) -> str:
    session = work.context.session_id
    row = work.row("SELECT name FROM channel WHERE session_id = ?", session)
    return row["name"] if row is not None else session
