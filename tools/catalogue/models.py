"""What each file of a pack may hold; an unknown key is a fault, an absent file means none of it."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator

from state.noun import CleanText, Name, Noun, Score
from state.personality import Circumstance, Traits, TraitShift
from state.response import OutputChannel, ResponseType
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
