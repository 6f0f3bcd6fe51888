"""The thresholds of policy.toml as typed values; meaning, unit and source stand in that file."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field, field_validator

from state.attention import QuietHours
from state.channel import ChannelTuning
from state.execution import ExecutionTuning
from state.grant import GrantTuning
from state.noun import Name, Noun, Score
from state.paper import PaperProvider
from state.reader import ClosedSessions
from state.retention import RetentionTuning
from state.strategy_tuning import LearningTuning, StrategyTuning
from state.webhook import WebhookTuning

Context = Literal["gaming", "home", "work", "default"]
ByContext = Mapping[Context, float]


_GRAVITY: Mapping[str, float] = {
    "life": 1.0, "health": 0.95, "security": 0.9, "property": 0.9, "money": 0.5, "play": 0.45,
    "service": 0.45, "deadline": 0.4, "waiting": 0.4, "comfort": 0.2, "none": 0.2,
}  # fmt: skip
"""Of policy files that name none."""


_LASTING: Mapping[str, float] = {
    "life": 86_400.0, "health": 86_400.0, "security": 86_400.0, "property": 86_400.0,
    "money": 43_200.0, "service": 7_200.0, "waiting": 3_600.0,
}  # fmt: skip
"""Of policy files that name none."""


class SalienceTuning(Noun):
    """What makes an event stand out."""

    weights: Mapping[str, float]
    dull_below: Score
    watched_boost: float = Field(ge=1, le=2)
    situation_threat: Score
    gravity: Mapping[str, Score] = Field(default_factory=lambda: _GRAVITY)
    now_odds: float = Field(default=1.5, gt=0)
    words_from: Score = 0.3
    urgent_now: Score = 0.7
    digest_from: Score = 0.3
    near_goal: Score
    usually_wanted: float = Field(gt=0, lt=1)
    new_of_known_source: Score
    known_patterns: int = Field(ge=1)

    @field_validator("gravity")
    @classmethod
    def _knows_every_harm(cls, given: Mapping[str, float]) -> Mapping[str, float]:
        if set(given) != set(_GRAVITY):
            raise ValueError(f"gravity needs a value for each of {', '.join(_GRAVITY)}")
        return given


class HabituationTuning(Noun):
    """How fast the same thing becomes boring, and interesting again."""

    fade_seconds: ByContext
    wakes_at_rise: Score
    highest: Score
    bores_by: float = Field(gt=0, le=0.5)
    engaged_share: Score
    bored_from: Score
    ignored_after_seconds: float = Field(gt=0)
    ignored_in_a_row: int = Field(ge=1)
    pace_half_seconds: float = Field(gt=0)
    patterns_kept: int = Field(ge=1)


class RelevanceTuning(Noun):
    """The bar an event has to clear, and what moves it."""

    threshold: ByContext
    lowest_threshold: Score
    highest_threshold: Score
    threat: float = Field(ge=0.3, le=0.95)
    threat_in_text: Score
    quiet_hours: QuietHours | None = None
    focus_weight: Score
    quip_seconds: float = Field(ge=0)
    proactive_weight: Score
    helpfulness_weight: Score
    watch_weight: Score
    quiet_rise: Score
    quiet_half_seconds: float = Field(gt=0)
    quiet_forgotten_below: Score
    talk_step: Score
    talk_most: Score
    bored_by_request: Score
    picky_step: Score
    picky_seconds: float = Field(gt=0)
    load_step: Score
    free_utterances: float = Field(ge=0)
    load_seconds: float = Field(gt=0)
    load_highest: Score
    band: Score
    band_model_share: Score
    band_highest: Score
    band_seconds: float = Field(gt=0)
    annoyance_step: Score
    annoyance_half_seconds: float = Field(gt=0)
    annoyance_highest: Score
    ignored_weight: Score
    repeat_weight: Score
    repeat_half_seconds: float = Field(gt=0)
    threat_rise: Score
    news_from: Score = 0.2
    threat_moved: Score = 0.5
    threat_again_seconds: tuple[float, ...] = Field(min_length=1)
    burst_pace: float = Field(gt=1)
    burst_alarms: int = Field(ge=2)
    burst_seconds: float = Field(gt=0)
    stale_seconds: ByContext
    lasting_seconds: Mapping[str, float] = Field(default_factory=lambda: _LASTING)


class TimingTuning(Noun):
    """Now, or at a better moment."""

    immediate_urgency: Score
    eager_enthusiasm: Score
    eager_relevance: Score
    idle_urgency: Score
    hold_seconds: ByContext
    told_late_urgency: Score
    faded_share: Score
    batch_seconds: ByContext
    breath_seconds: float = Field(default=2.0, ge=0)
    batch_windows: float = Field(ge=1)
    batch_members: int = Field(ge=2)


class PersonalityTuning(Noun):
    """What moves traits, mood and rapport, and how far."""

    moved_at_most: Score
    circumstance_half_seconds: float = Field(gt=0)
    threat_from: Score
    opportunity_from: Score
    struggle_failures: int = Field(ge=1)
    struggle_seconds: float = Field(gt=0)
    struggle_sentiment: float = Field(ge=-1, le=0)
    failure_from: float = Field(ge=-1, le=0)
    mood_step: Score
    mood_half_seconds: float = Field(gt=0)
    mood_rest: Score
    mood_enthusiasm: Score
    mood_sarcasm: Score
    long_sitting_proactive: Score
    long_sitting_hours: float = Field(gt=0)
    sitting_pause_seconds: float = Field(gt=0)
    outcome_done: float = Field(ge=0, le=1)
    outcome_failed: float = Field(ge=-1, le=0)
    outcome_reaction: Score
    answers_within_seconds: float = Field(gt=0)
    rapport_gain: Score
    rapport_loss: Score
    rapport_ignored: Score
    rapport_half_days: float = Field(gt=0)
    rapport_formality: Score
    trait_step: Score
    shares: Mapping[str, float] = Field(
        default_factory=dict, description="templates on trial: which share of people gets each"
    )


class ProactiveTuning(Noun):
    """When we speak unasked, and how often."""

    seed: int
    settling_seconds: float = Field(ge=0)
    present_seconds: float = Field(gt=0)
    check_in_seconds: float = Field(gt=0)
    check_in_probability: Score
    check_in_longest_seconds: float = Field(gt=0)
    hourly: float = Field(ge=0)
    observation_events: int = Field(ge=1)
    observation_window_seconds: float = Field(gt=0)
    observation_novelty: Score
    observation_novelty_half_seconds: float = Field(gt=0)
    observation_seconds: float = Field(ge=0)
    mood_level: Score
    mood_lasting_seconds: float = Field(ge=0)
    mood_seconds: float = Field(ge=0)
    mood_rapport: Score
    kept_seconds: float = Field(gt=0)
    late_seconds: float = Field(ge=0)
    later_seconds: float = Field(gt=0)
    reminder_days: float = Field(gt=0)
    reminders: int = Field(ge=1)
    reminder_least_seconds: float = Field(gt=0)
    proposal_seconds: float = Field(gt=0)


class EncoderTuning(Noun):
    """How long texts may take to become vectors, and how many are kept."""

    query_seconds: float = Field(gt=0)
    batch_seconds: float = Field(gt=0)
    rest_seconds: float = Field(ge=0)
    kept_vectors: int = Field(ge=1)


class JournalTuning(Noun):
    """When words count as a decision."""

    detection_threshold: Score
    similarity_floor: Score
    model_confirmation: bool
    future_days: float = Field(default=1.0, ge=0)


class SearchTuning(Noun):
    """How long scholarly search may take, and when two entries are one paper."""

    seconds: float = Field(gt=0, le=25)
    request_seconds: float = Field(gt=0, le=25)
    attempts: int = Field(ge=1, le=6)
    first_wait_seconds: float = Field(gt=0)
    longest_wait_seconds: float = Field(gt=0)
    pages: int = Field(ge=1, le=20)
    pace_seconds: Mapping[PaperProvider, float]
    same_title: Score


class PolicyTuning(Noun):
    """How policy decides on messages before any model is near."""

    forced_confidence: Score
    follow_up_seconds: float = Field(gt=0)
    question_seconds: float = Field(gt=0)
    # As for ServiceTuning: an older policy does not say it.
    observed_seconds: float = Field(default=600.0, gt=0)


class ServiceTuning(Noun):
    """How much may be asked of the service at once."""

    tenant_events_per_second: float = Field(gt=0)
    tenant_burst: int = Field(ge=1)
    tenant_at_once: int = Field(ge=1)
    at_once: int = Field(ge=1)
    # The policy in an older log, and an operator's own that is older, say none of these.
    idempotency_hours: float = Field(default=24.0, gt=0)
    key_requests_per_minute: int = Field(default=30_000, ge=1)
    decision_attempts: int = Field(default=20, ge=1)


class ChangesTuning(Noun):
    """Who says yes to a change of what weakens alarms or the gate for everybody."""

    # As for ServiceTuning: an older policy does not say them.
    approvers: tuple[Name, ...] = Field(default=("admin",), min_length=1)
    four_eyes: bool = True
    expires_minutes: float = Field(default=1_440.0, gt=0, le=10_080)


class AgentsTuning(Noun):
    """Who answers for the tools that agents declare and keep."""

    approver_roles: tuple[Name, ...] = Field(default=(), description="empty: any person")
    quorum: int = Field(default=1, ge=1, le=10)
    expires_minutes: float = Field(default=60.0, gt=0, le=10_080)


class Tuning(Noun):
    """All of policy.toml."""

    salience: SalienceTuning
    habituation: HabituationTuning
    relevance: RelevanceTuning
    timing: TimingTuning
    personality: PersonalityTuning
    proactive: ProactiveTuning
    strategy: StrategyTuning
    learning: LearningTuning
    policy: PolicyTuning
    execution: ExecutionTuning
    encoder: EncoderTuning
    journal: JournalTuning
    search: SearchTuning
    retention: RetentionTuning
    webhooks: WebhookTuning
    service: ServiceTuning
    changes: ChangesTuning = ChangesTuning()
    agents: AgentsTuning = AgentsTuning()
    grants: GrantTuning = GrantTuning()
    channels: ChannelTuning = ChannelTuning()
    sessions: tuple[ClosedSessions, ...] = ()
