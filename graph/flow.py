"""The whole graph on one page: every stage, every way on.

The routes are pure functions; Studio draws what their types name.
"""

from collections.abc import Callable, Mapping
from functools import partial, update_wrapper
from typing import TYPE_CHECKING, Any, Literal, get_args, get_type_hints
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.runnables import Runnable, RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.errors import GraphBubbleUp
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from graph.presenters.explanation import short_explanation
from graph.presenters.status import quiet_words
from graph.telemetry import Tracing, attributes_of
from graph.toolbox import Toolbox, build_delivery
from nodes.act import Act
from nodes.advance_stage import AdvanceStage
from nodes.answer_question import AnswerQuestion, is_question_of_ours
from nodes.apply_policy import ApplyPolicy
from nodes.assess_relevance import AssessRelevance
from nodes.choose_timing import ChooseTiming
from nodes.classify_action import ClassifyAction
from nodes.compose import Compose
from nodes.confirm import Confirm
from nodes.decide_by_heuristic import DecideByHeuristic
from nodes.decide_by_model import DecideByModel
from nodes.decide_policy import DecidePolicy
from nodes.decline import Decline
from nodes.filter_salience import FilterSalience
from nodes.note_decisions import NoteDecisions
from nodes.offer_choices import OfferChoices
from nodes.receive import Receive
from nodes.take_answer import TakeAnswer
from nodes.write_record import WriteRecord
from state.channels import Input, State
from state.record import DecisionRecord
from state.result import DecisionPath
from state.stages import Assessed, Classified, Decided, Received, Settled, Timed, Weighed
from tools.attention import AttentionStatus, LlmTiebreak, TimingPolicy
from tools.dialogue import Conversation, OfferReplies
from tools.gate import Redactor
from tools.gate.ledger.queries import PendingApprovals
from tools.memory import SessionUpdate
from tools.memory.answers import AgendaAnswers, RecallAnswers, WhyAnswers
from tools.memory.facts import SqlFacts, SqlPastEvents
from tools.response import StrategyAssignment, context_of

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer

Stages = StateGraph[State, None, Input, State]
Flow = CompiledStateGraph[State, None, Input, State]


def build_flow(box: Toolbox, checkpointer: BaseCheckpointSaver[Any] | None = None) -> Flow:
    """Wire the stages to their tools, and each to the next."""
    flow = StateGraph(State, input_schema=Input)
    _add_judging(flow, box)
    _add_doing(flow, box)
    _add_telling(flow, box)
    _add_ways(flow, box)
    compiled = flow.compile(checkpointer=checkpointer, name="prefrontal")
    if box.tracing.tracer is None:
        return compiled
    return compiled.with_config({"callbacks": [NodeSpans(box.tracing, box.tracing.tracer)]})


def _add_judging(flow: Stages, box: Toolbox) -> None:
    """Add the stages from an event to what is decided about it."""
    strategies = box.strategies
    flow.add_node("receive", build_receive(box))
    flow.add_node("filter_salience", build_filter_salience(box))
    flow.add_node("assess_relevance", build_assess_relevance(box))
    timing = TimingPolicy.of(box.weighing, box.gates, box.tuning, box.context)
    flow.add_node("choose_timing", ChooseTiming(timing, box.holds))
    answers, waiting = OfferReplies(box.database), PendingApprovals(box.database)
    flow.add_node(
        "decide_policy",
        DecidePolicy(
            Conversation(
                box.messages,
                box.heuristics,
                box.offers,
                box.undoing,
                answers,
                waiting,
                box.ledger,
                box.settings.public_url,
                SqlFacts(
                    box.database,
                    box.encoder,
                    box.clock,
                    box.tuning.policy.question_seconds,
                    box.settings.zone,
                ),
                SqlPastEvents(box.database, box.clock, box.settings.zone),
            )
        ),
    )
    flow.add_node("apply_policy", ApplyPolicy(strategies, box.tuning.relevance))
    flow.add_node("answer_question", _answering(box))
    flow.add_node("decide_by_heuristic", DecideByHeuristic(strategies))
    flow.add_node(
        "decide_by_model",
        DecideByModel(
            strategies, box.models, box.catalogue, box.messages, box.bus, box.settings.zone
        ),
    )
    flow.add_node("decline", Decline(strategies, bool(box.models), box.catalogue))


def _add_doing(flow: Stages, box: Toolbox) -> None:
    """Add the stages from a decision to an action that was done, offered or asked about."""
    execution = box.tuning.execution
    flow.add_node(
        "classify_action",
        ClassifyAction(box.classifier, box.ledger, box.decisions, box.bus, box.clock),
    )
    flow.add_node(
        "offer_choices",
        OfferChoices(box.catalogue, box.ledger, box.offers, box.queries, execution),
    )
    flow.add_node("confirm", Confirm(box.governed, execution))
    flow.add_node("take_answer", TakeAnswer(box.ledger, box.governed))
    flow.add_node("act", Act(box.ledger))
    flow.add_node("advance_stage", AdvanceStage(box.catalogue))


def _add_telling(flow: Stages, box: Toolbox) -> None:
    """Add the stages that put it into words, say it and keep it."""
    compose = Compose(box.skills, box.phraser, box.wording_check, box.settings.zone)
    flow.add_node("compose", compose)
    flow.add_node("deliver", build_delivery(box))
    flow.add_node("note_decisions", NoteDecisions(box.notes))
    flow.add_node("write_record", build_write_record(box))


class _Route(Runnable[Any, str]):
    """A choice of the next stage, as LangGraph runs it.

    It would send a plain function to a thread, and trace a coroutine as if it were a stage.
    """

    def __init__(self, choose: Callable[[Any], str]) -> None:
        update_wrapper(self, choose)  # its types say what is read, and where it may lead
        self.name, self._choose = choose.__name__, choose

    def __call__(self, state: Any) -> str:
        return self._choose(state)

    def invoke(self, input: Any, config: RunnableConfig | None = None, **_: Any) -> str:  # noqa: A002 - its name
        """Choose the next stage."""
        return self._choose(input)

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **_: Any) -> str:  # noqa: A002 - its name
        """Choose at once: there is nothing to wait for."""
        return self._choose(input)


def _add_route(flow: Stages, stage: str, choose: Callable[[Any], str]) -> None:
    leads_to = get_args(get_type_hints(choose)["return"])
    flow.add_conditional_edges(stage, _Route(choose), list(leads_to))


def _add_ways(flow: Stages, box: Toolbox) -> None:
    """Say which stage follows which."""
    flow.add_edge(START, "receive")
    _add_route(flow, "receive", after_receive)
    _add_route(flow, "filter_salience", after_salience)
    _add_route(flow, "assess_relevance", after_relevance)
    _add_route(flow, "choose_timing", after_timing)
    _add_route(flow, "decide_policy", after_policy(box.strategies, has_model=bool(box.models)))
    for node in get_args(StrategyRoute):
        flow.add_edge(node, "classify_action")
    _add_route(flow, "classify_action", after_class)
    flow.add_edge("offer_choices", "compose")
    flow.add_edge("confirm", "take_answer")
    flow.add_edge("take_answer", "act")
    _add_route(flow, "act", after_act)
    flow.add_edge("advance_stage", "compose")
    flow.add_edge("compose", "deliver")
    flow.add_edge("deliver", "note_decisions")
    flow.add_edge("note_decisions", "write_record")
    flow.add_edge("write_record", END)


def build_filter_salience(box: Toolbox) -> FilterSalience:
    """Build the stage that weighs it."""
    return FilterSalience(box.weighing, box.character)


def build_write_record(box: Toolbox) -> WriteRecord:
    """Build the stage that writes its record."""
    update = SessionUpdate.of(
        box.catalogue, box.character, box.skills, box.weighing.causes, box.tuning, box.settings.zone
    )
    return WriteRecord(
        box.decisions,
        box.bus,
        box.clock,
        update,
        Redactor(box.governed),
        box.inbox,
        AttentionStatus(box.tuning, box.context, box.settings.zone),
    )


def build_assess_relevance(box: Toolbox) -> AssessRelevance:
    """Build the stage that judges it; where a model words answers it may tip the scales."""
    band = LlmTiebreak(box.models.wording, box.tuning.relevance) if box.models.wording else None
    return AssessRelevance(box.gates, band)


def _answering(box: Toolbox) -> AnswerQuestion:
    clock, zone = box.clock, box.settings.zone
    status = AttentionStatus(box.tuning, box.context, zone)
    return AnswerQuestion(
        box.strategies,
        box.notes,
        WhyAnswers(
            box.decisions,
            box.records,
            box.holds,
            status,
            clock,
            short_explanation,
            partial(quiet_words, brief=True),
        ),
        AgendaAnswers(box.decisions, clock, zone, box.tuning.proactive),
        RecallAnswers(box.recall, box.decisions, box.readers, box.character, clock, zone),
        box.tuning.relevance,
    )


def build_receive(box: Toolbox) -> Receive:
    """Build the stage that takes an event in."""
    return Receive(
        box.decisions, box.clock, box.character, box.catalogue, box.skills, box.inbox, box.readers
    )


def after_receive(state: Received) -> Literal["filter_salience", "write_record", "__end__"]:
    """End for a duplicate; a signal is only noted; everything else is weighed."""
    if state.arrival.standing == "duplicate":
        return "__end__"
    return "write_record" if state.event.kind == "signal" else "filter_salience"


def after_salience(state: Weighed) -> Literal["assess_relevance", "write_record"]:
    """Dull events go straight to the record."""
    return "write_record" if state.salience.dull else "assess_relevance"


def after_relevance(state: Assessed) -> Literal["choose_timing", "write_record"]:
    """Silence ends here, with its reason."""
    verdict = state.relevance.verdict
    return "choose_timing" if verdict in ("alert", "continue", "hold") else "write_record"


def after_timing(state: Timed) -> Literal["decide_policy", "write_record"]:
    """A hold ends the run; the same thread is released later and judged again."""
    return "decide_policy" if state.timing.outcome == "immediate" else "write_record"


StrategyRoute = Literal[
    "apply_policy", "answer_question", "decide_by_heuristic", "decide_by_model", "decline"
]


def after_policy(
    strategies: StrategyAssignment, *, has_model: bool
) -> Callable[[Decided], StrategyRoute]:
    """Ask the strategy of this event; what policy has settled is certain.

    Source: decision strategy interface spec.
    """

    def route(state: Decided) -> StrategyRoute:
        if state.policy.is_settled:
            return "answer_question" if is_question_of_ours(state.policy) else "apply_policy"
        if "no_such_click" in state.policy.reasons:
            return "decline"
        strategy = strategies.for_event(state.event)
        match strategy.choose(context_of(state), has_llm=has_model).path:
            case DecisionPath.HEURISTIC:
                return "decide_by_heuristic"
            case DecisionPath.LLM:
                return "decide_by_model"
            case _:
                return "decline"

    return route


def after_class(
    state: Classified,
) -> Literal["offer_choices", "confirm", "act", "compose", "write_record"]:
    """Offer it, ask a person, do it, or only talk; in shadow only the record tells of it."""
    match state.classification.verdict:
        case "offer":
            return "offer_choices"
        case "confirm":
            return "confirm"
        case "act":
            return "act"
        case "none" | "ask" | "refuse":
            return "compose"
        case "shadow":
            return "write_record"


def after_act(state: Settled) -> Literal["confirm", "advance_stage"]:
    """Whoever resumed a thread without an approval is back at the gate."""
    still_open = state.outcome is not None and state.outcome.state in ("proposed", "pending")
    return "confirm" if still_open else "advance_stage"


class NodeSpans(BaseCallbackHandler):
    """Turns the runs of a graph into spans: the graph's own and one for each node."""

    run_inline = True

    def __init__(self, tracing: Tracing, tracer: "Tracer") -> None:
        self._tracing, self._tracer = tracing, tracer
        self._open: dict[UUID, Span] = {}

    def on_chain_start(
        self,
        serialized: Mapping[str, Any] | None,  # langchain's own interface
        inputs: Any,  # what people said: no span has it
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        metadata: Mapping[str, Any] | None = None,
        **named: Any,
    ) -> None:
        """Begin the span of a run or a node; what else the library starts has none."""
        from opentelemetry.trace import set_span_in_context

        known, name = metadata or {}, named.get("name")
        parent = self._open.get(parent_run_id) if parent_run_id else None
        if parent_run_id is None:
            span = self._tracer.start_span("decide")
            thread_id = str(known.get("thread_id", ""))
            span.set_attribute("prefrontal.thread_id", thread_id)
            self._tracing.began(thread_id, span)
        elif parent is not None and name == known.get("langgraph_node"):
            span = self._tracer.start_span(str(name), context=set_span_in_context(parent))
        else:
            return
        self._open[run_id] = span

    def on_chain_end(self, outputs: Any, *, run_id: UUID, **_named: Any) -> None:
        """End a span; that of the whole run says what came of it."""
        span = self._open.pop(run_id, None)
        if span is None:
            return
        record = outputs.get("record") if isinstance(outputs, Mapping) else None
        if isinstance(record, DecisionRecord):
            span.set_attributes(attributes_of(record))
        span.end()

    def on_chain_error(self, error: BaseException, *, run_id: UUID, **_named: Any) -> None:
        """End a span by what went wrong, by its kind alone; a question to people is no error."""
        from opentelemetry.trace import Status, StatusCode

        span = self._open.pop(run_id, None)
        if span is None:
            return
        if isinstance(error, GraphBubbleUp):
            span.set_attribute("prefrontal.interrupted", True)
        else:
            span.set_status(Status(StatusCode.ERROR, type(error).__name__))
        span.end()
