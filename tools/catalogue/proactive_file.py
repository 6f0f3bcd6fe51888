"""proactive.yaml of a pack: what it says unasked, what it counts, and when that is worth a word."""

from typing import Annotated

from pydantic import Field

from state.noun import CleanText, Name, Noun

Line = Annotated[CleanText, Field(min_length=1, max_length=300)]


class CheckIn(Noun):
    """Asking how things go; one of the lines, in turn with chance."""

    say: tuple[Line, ...] = Field(min_length=1)


class Remark(Noun):
    """A pattern worth a remark when it has happened often enough lately."""

    id: Name
    when: str = Field(min_length=1, max_length=500, description="words an event must hold")
    say: tuple[Line, ...] = ()
    goal: Line | None = Field(
        default=None, description="what somebody who does this is after: it is asked, never assumed"
    )


class Achievement(Noun):
    """Something that is counted over a session, and worth a word at some numbers."""

    id: Name
    when: str = Field(min_length=1, max_length=500, description="words an event must hold")
    at: tuple[Annotated[int, Field(ge=1)], ...] = Field(min_length=1, description="milestones")
    say: Line = Field(description="{count} is the milestone")


class MoodLines(Noun):
    """What is said of a mood that lasts."""

    low: tuple[Line, ...] = ()
    high: tuple[Line, ...] = ()


class ProactiveFile(Noun):
    """All of proactive.yaml; without it a pack reminds, and says nothing else unasked."""

    check_in: CheckIn | None = None
    observations: tuple[Remark, ...] = ()
    achievements: tuple[Achievement, ...] = ()
    mood: MoodLines = MoodLines()
