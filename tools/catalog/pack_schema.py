"""The schema of every file of a pack. An unknown key is a fault, an absent file means defaults.

Covers actions, entities, examples, heuristics, policy, personality, outputs, attention.yaml,
proactive.yaml, mcp.yaml and skills/*.yaml (Source: Executive decision loop §7).
"""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from state.action import Approvers, Effect
from state.noun import CleanText, Name, Noun, Score
from state.personality import Circumstance, TraitName, Traits, TraitShift
from state.response import OutputChannel, ResponseType
from state.salience import SalienceVector
from state.skill import SkillType
from state.tuning import Context

FunctionReference = str
"""module:function inside the pack."""
_FUNCTION = r"^[A-Za-z_]\w*:[A-Za-z_]\w*$"


class EntityType(Noun):
    """A kind of thing that texts name: by a list, by patterns, by asking the pack's own store."""

    patterns: tuple[str, ...] = Field(
        default=(), description="Python regex, whole words, case does not matter"
    )
    names: Mapping[Name, tuple[Name, ...]] = Field(
        default_factory=dict, alias="list", description="canonical name → other names"
    )
    lookup: FunctionReference | None = Field(
        default=None, pattern=_FUNCTION, description="gives canonical id → names people use"
    )
    words: tuple[Name, ...] = Field(
        default=(), description="what people call the kind itself, beside its name: `job`, `WO`"
    )

    @field_validator("names", mode="before")
    @classmethod
    def _plain_list(cls, value: object) -> object:
        if isinstance(value, list):
            for name in value:
                if not isinstance(name, str):
                    raise ValueError(f'must hold texts; write it in quotes: "{name}"')
            return dict.fromkeys(value, ())
        if isinstance(value, dict):
            return {key: () if names is None else names for key, names in value.items()}
        return value


class EntitiesFile(Noun):
    """All of entities.yaml."""

    entities: Mapping[Name, EntityType] = Field(default_factory=dict)


class ExamplesFile(Noun):
    """examples.yaml: texts that ask for an action, beside those in its own entry."""

    examples: Mapping[Name, tuple[CleanText, ...]] = Field(default_factory=dict)


class Heuristic(Noun):
    """A condition the pack ships with, and what to say when an event meets it."""

    id: Name
    condition: str = Field(min_length=1, max_length=500, description="words an event must hold")
    source: Name | None = Field(default=None, description="only events of this source")
    say: str = Field(min_length=1, max_length=2_000, description="may hold {text} and {source}")
    confidence: Score
    locked: bool = Field(default=False, description="feedback does not move it")
    floor: Score = 0.05
    ceiling: Score = 0.95


class HeuristicsFile(Noun):
    """All of heuristics.yaml."""

    heuristics: tuple[Heuristic, ...] = ()


class IntentRule(Noun):
    """An intent of the pack: which words or actions mean it, and the read it must lead to."""

    words: tuple[Name, ...] = ()
    patterns: tuple[str, ...] = Field(default=(), description="Python regex, any case")
    actions: tuple[Name, ...] = Field(default=(), description="who asks for one means this")
    force_tool: Name | None = Field(default=None, description="a read that must be called")


class StageRule(Noun):
    """A step of the pack's own state machine, taken by code when an action succeeds."""

    on_action: Name
    to_stage: Name
    from_stages: tuple[Name, ...] = Field(default=(), description="empty: from any")
    reason: str = ""


class MemoryRule(Noun):
    """Something the session remembers by name from what people say; `value` is a named group."""

    patterns: tuple[str, ...] = Field(default=(), description="Python regex with (?P<value>…)")
    from_search: bool = Field(default=False, description="else what was searched for")
    is_topic: bool = Field(default=False, description="what a search without words is about")
    set_by: Name | None = Field(
        default=None, description="the action that sets it: who may not ask for it teaches nothing"
    )


class SearchDefaults(Noun):
    """Search fields a text does not give. Source: policy-first plan, phase C."""

    limit: int = Field(default=10, ge=1, le=100)
    recent_years: int = Field(default=5, ge=1, le=50, description="what `recent` means")
    open_access_only: bool | None = None


class PolicyFile(Noun):
    """All of policy.yaml."""

    context: Context = "default"
    broad_search: Name | None = Field(
        default=None, description="the read action that runs underneath an offer"
    )
    internal_domains: tuple[Name, ...] = Field(
        default=(), description="e-mail domains of our own people; others are outside"
    )
    read_only_roles: tuple[Name, ...] = Field(
        default=(), description="who has none but these, or none at all, reads and changes nothing"
    )
    intents: Mapping[Name, IntentRule] = Field(
        default_factory=dict, description="the first that a text means counts"
    )
    first_stage: Name | None = Field(default=None, description="where a session begins")
    remembers: Mapping[Name, MemoryRule] = Field(default_factory=dict)
    stage_transitions: tuple[StageRule, ...] = ()
    stages_seen_by: tuple[Name, ...] = Field(
        default=(), description="reads that are told the stage of every session of the tenant"
    )
    defaults: SearchDefaults = SearchDefaults()


Outcome = Annotated[float, Field(ge=-1, le=1)]
"""A score as a key of YAML, where 1 may stand for 1.0."""


class PersonalityFile(Noun):
    """All of personality.yaml."""

    traits: Traits = Traits()
    template: Name | None = Field(default=None, description="the one of `templates` to start with")
    templates: Mapping[Name, Traits] = Field(default_factory=dict)
    context_modifiers: Mapping[Circumstance, TraitShift] = Field(default_factory=dict)
    outcomes: Mapping[Outcome, tuple[Name, ...]] = Field(
        default_factory=dict, description="-1 (very bad for the person) to 1 → words of an event"
    )


class OutputPreference(Noun):
    """Where one kind of response goes. Source: executive decision loop §11.2."""

    primary: OutputChannel
    fallback: OutputChannel = "text"
    urgent: bool = Field(default=False, description="may interrupt")
    condition: Literal["user_not_busy"] | None = None
    suppress_if: Literal["recently_quipped"] | None = None


class Interruption(Noun):
    """When new speech may cut off the current one. Source: executive decision loop §11.3."""

    allow_self_interrupt: bool = True
    min_speech_before_cut: float = Field(default=1.0, ge=0, le=60, description="seconds")


class Speech(Noun):
    """How speech sounds. Source: executive decision loop §11.3."""

    engine: Literal["piper", "espeak-ng"] = Field(
        default="piper", description="which speaks where both are installed"
    )
    voice: Name = Field(
        default="personality_bound",
        description="espeak-ng's name of a voice, unless EXECUTIVE_SPEECH_VOICE names one",
    )
    speed_modifiers: Mapping[Name, float] = Field(default_factory=dict)
    interruption: Interruption = Interruption()


class OutputsFile(Noun):
    """All of outputs.yaml."""

    output_preferences: Mapping[ResponseType, OutputPreference] = Field(default_factory=dict)
    tts: Speech = Speech()


class ActionsFile(Noun):
    """actions.yaml; each entry is an Action without its name and pack."""

    actions: Mapping[Name, Mapping[str, Any]] = Field(default_factory=dict)  # read one by one


Dimension = Literal[
    "threat", "opportunity", "goal_relevance", "actionability", "novelty", "social", "humor"
]
Level = Annotated[float, Field(ge=0, le=1)]
"""A score as a key of YAML, where 1 may stand for 1.0."""


class Inhibition(Noun):
    """A cause that explains what follows: told once, it hides that until it is over."""

    id: Name
    cause: str = Field(min_length=1, max_length=500, description="words the cause must hold")
    source: Name | None = Field(default=None, description="a cause comes from this source only")
    hides: tuple[str, ...] = Field(min_length=1, description="words of what follows from it")
    equal: tuple[Literal["source", "entity"], ...] = Field(
        default=(), description="what both must have in common; empty: the session alone"
    )
    ends: str | None = Field(default=None, description="words that tell of its end")
    minutes: float = Field(default=30.0, gt=0, le=1_440, description="its longest life")


class WantedKind(Noun):
    """Situations in which a word from us helps."""

    adds: SalienceVector = Field(description="what makes such an event matter, in proportion")
    examples: tuple[CleanText, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _adds_something(self) -> Self:
        if not any(value for name, value in self.adds if name != "threat"):
            raise ValueError("adds: name a dimension beside threat; a threat alone is never talk")
        return self


class UnwantedKind(Noun):
    """Situations in which we had better be silent."""

    examples: tuple[CleanText, ...] = Field(min_length=1)


class SituationKinds(Noun):
    """Situations in plain words, by kind; events without a vector are compared with them."""

    wanted: Mapping[Name, WantedKind] = Field(default_factory=dict)
    unwanted: Mapping[Name, UnwantedKind] = Field(default_factory=dict)


class AttentionFile(Noun):
    """All of attention.yaml."""

    sources: Mapping[Name, SalienceVector] = Field(
        default_factory=dict, description="what an event of a source matters at least"
    )
    words: Mapping[Dimension, Mapping[Level, tuple[Name, ...]]] = Field(
        default_factory=dict, description="dimension → score → words and phrases"
    )
    patterns: Mapping[Dimension, Mapping[Level, tuple[str, ...]]] = Field(
        default_factory=dict, description="dimension → score → Python regex, any case"
    )
    situations: SituationKinds = SituationKinds()
    inhibits: tuple[Inhibition, ...] = ()


_SERVER = re.compile(r"[a-z][a-z0-9_]{0,39}")


class McpToolRule(Noun):
    """What we say about one tool beyond what its server says."""

    leave_out: bool = False
    effect: Effect | None = Field(
        default=None, description="raises the class; lowers it only beside `lowers: true`"
    )
    lowers: bool = Field(
        default=False,
        description="the effect stands as it is written here: you have read what the tool does",
    )
    words: tuple[Name, ...] = Field(default=(), description="verbs and phrases that ask for it")
    examples: tuple[str, ...] = ()
    roles: tuple[Name, ...] = Field(default=(), description="instead of the server's")
    summary: str | None = Field(default=None, min_length=1, description="template over the slots")


class McpServer(Noun):
    """One server: how to reach it, and who may use what it offers."""

    transport: Literal["stdio", "streamable_http", "sse"]
    command: str | None = Field(default=None, min_length=1, description="of stdio; no shell")
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = Field(
        default_factory=dict, description="values may name a secret of the deployment: ${NAME}"
    )
    cwd: str | None = Field(default=None, description="default: the pack's folder")
    url: str | None = Field(default=None, min_length=1, description="of the other transports")
    headers: Mapping[str, str] = Field(
        default_factory=dict, description="values may name a secret of the deployment: ${NAME}"
    )
    seconds: float = Field(default=20.0, gt=0, le=600, description="for a call, its start included")
    roles: tuple[Name, ...] = Field(default=(), description="who may ask; empty: anyone")
    approvers: Approvers = Approvers()
    trusted: bool = Field(
        default=False,
        description="what the server says of its own tools may lower their class, to A as well",
    )
    reads_run: bool = Field(
        default=False,
        description="a tool that says it only reads, and whose name says so too, runs at once "
        "(class A); the rest of what the server says is not trusted",
    )
    tools: Mapping[Name, McpToolRule] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _fits_its_transport(self) -> Self:
        if self.transport == "stdio":
            if self.command is None or self.url is not None or self.headers:
                raise ValueError("stdio takes command, args, env and cwd, and no url or headers")
        elif self.url is None or self.command is not None or self.args or self.env or self.cwd:
            raise ValueError(f"{self.transport} takes url and headers, and no command")
        return self


class McpFile(Noun):
    """All of mcp.yaml."""

    servers: Mapping[Name, McpServer] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _names_are_prefixes(self) -> Self:
        for name in self.servers:
            if not _SERVER.fullmatch(name):
                raise ValueError(f"server {name!r}: use small letters, digits and _ (at most 40)")
        return self


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


SkillName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,59}$")]
"""Small letters, digits and `_`: people say it with spaces (`load the dry wit skill`)."""
ContextName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*(\.[a-z0-9_]+){0,4}$")]
"""`gaming` holds in `gaming.minecraft` too."""


class SkillLine(Noun):
    """Words around what is to be said: `{text}` stands for that."""

    when: CleanText | None = Field(default=None, description="words an event must hold, all")
    types: tuple[ResponseType, ...] = Field(default=(), description="only of these; empty: any")
    say: CleanText = Field(
        min_length=1, max_length=500, description="{text}, and of a domain {field} of the payload"
    )


class Skill(Noun):
    """A manifest: what it is for, when it is loaded, and what it says."""

    name: SkillName
    type: SkillType
    summary: CleanText = Field(min_length=1, max_length=200)
    context_binding: ContextName | None = Field(
        default=None, description="of a domain: loaded while the session is in this context"
    )
    sources: tuple[Name, ...] = Field(
        default=(), description="of a domain: an event of these brings its context"
    )
    trait: TraitName | None = Field(default=None, description="of a style: the trait it shows")
    at_least: Score = Field(default=0.5, description="loaded from this level of the trait on")
    capabilities: tuple[Name, ...] = ()
    traits: Traits | None = Field(default=None, description="of a personality template")
    says: tuple[SkillLine, ...] = ()

    @model_validator(mode="after")
    def _holds_what_its_type_needs(self) -> Self:
        wants = {
            "domain_skill": ("context_binding", "says"),
            "style_modifier": ("trait", "says"),
            "personality_template": ("traits",),
            "capability_extension": ("says",),
        }[self.type]
        for name in wants:
            if not getattr(self, name):
                raise ValueError(f"a {self.type} needs {name}")
        foreign = {"context_binding", "sources", "trait", "traits", "says"} - set(wants)
        for name in sorted(foreign - ({"sources"} if self.type == "domain_skill" else set())):
            if getattr(self, name):
                raise ValueError(f"a {self.type} has no {name}")
        return self
