"""The types a checkpoint may hold. Renaming one is a data migration: threads store its path."""

from state.agent_call import AgentCall
from state.approval import Duplicate, LedgerAction
from state.arrival import Arrival
from state.attention import Goal, OpenCause, QuietHours, ThresholdShift
from state.classification import BrokenLookup, Classification
from state.event import Event, EventEntity
from state.held import Beside
from state.initiative import Initiative, OpenProposal, Proactive, Tally
from state.journal import DecisionStatus
from state.judgement import Relevance, Timing
from state.memory import Learnt, Listed, PackMemory, Searched, StageChange
from state.model_use import ModelUse
from state.note import DetectedDecision, NotedDecision
from state.offer import Chip, Offer
from state.outcome import ActionOutcome
from state.personality import Activation, Mood, Profile, Traits, TraitShift
from state.policy import (
    Candidate,
    EntityMention,
    PolicyDecision,
    Routing,
    SearchPolicy,
    StageTransition,
    Suggestion,
    Uncovered,
)
from state.preview import Change, Fact, Preview
from state.record import DecisionRecord
from state.response import Delivery, Response
from state.result import DecisionPath, DecisionResult
from state.salience import Salience, SalienceVector
from state.session import (
    Familiarity,
    OpenOffer,
    OpenQuestion,
    PassedOver,
    Session,
    Shown,
    Spoken,
    ThreatTold,
    TopicRule,
)
from state.talk import Aside, Repeat, TalkRequest

CHECKPOINTED = tuple(
    (noun.__module__, noun.__name__)
    for noun in (
        ActionOutcome,
        Activation,
        AgentCall,
        Arrival,
        Aside,
        Beside,
        Candidate,
        Change,
        Chip,
        BrokenLookup,
        Classification,
        DecisionPath,
        DecisionRecord,
        DecisionResult,
        DecisionStatus,
        Duplicate,
        Delivery,
        DetectedDecision,
        EntityMention,
        Event,
        EventEntity,
        Fact,
        Familiarity,
        Learnt,
        Goal,
        Initiative,
        LedgerAction,
        Listed,
        ModelUse,
        Mood,
        NotedDecision,
        Offer,
        OpenCause,
        OpenOffer,
        OpenProposal,
        OpenQuestion,
        PackMemory,
        PassedOver,
        PolicyDecision,
        Preview,
        Profile,
        Proactive,
        QuietHours,
        Repeat,
        Relevance,
        Response,
        Routing,
        Salience,
        SalienceVector,
        SearchPolicy,
        Searched,
        Session,
        Shown,
        Spoken,
        StageChange,
        StageTransition,
        Suggestion,
        TalkRequest,
        Tally,
        ThreatTold,
        ThresholdShift,
        Timing,
        TopicRule,
        TraitShift,
        Traits,
        Uncovered,
    )
)
