"""Composition root: tools from settings, the graph from tools, the Executive from both."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from graph.execution.maintenance import Maintenance, build_exporter, open_saver
from graph.execution.run_limiter import NoThreads, ThreadRunner
from graph.executive import Executive
from graph.settings import Settings
from graph.telemetry import build_tracing
from graph.toolbox import Toolbox, build_phraser, build_voice
from graph.wiring import data_folder
from graph.wiring.external_services import (
    LoadedPacks,
    build_channels,
    build_egress,
    build_outbox,
    build_sending,
    load_packs,
)
from graph.wiring.models import (
    build_adapted_encoder,
    build_encoder,
    build_indexing,
    build_journal,
    build_judge,
    build_models,
    build_reader,
    build_request_encoding,
    build_strategies,
)
from graph.wiring.thresholds import resolve_tuning
from tools.access import open_keys
from tools.adapters import ChatModels, OpenAIChat
from tools.attention import Inbox, RelevanceFilters, SalienceAssessor
from tools.catalog import Catalogue
from tools.dialogue import MessageInterpreter, Proposals
from tools.gate import (
    Classifier,
    Redactor,
    SqlDeclaredTools,
    SqlToolPins,
    UndoService,
    build_executing,
    build_ledger,
)
from tools.gate.ledger.entry_hooks import ActionJournalHook, ApprovalWebhooks
from tools.gate.ledger.executor import Step
from tools.journal import JournalNotes
from tools.journal.decision_recall import LegacyNotes
from tools.memory import HeuristicRepertoire, UtteranceRecall, build_recorders, open_heuristics
from tools.nlu import Router, Taint
from tools.observability import QualityRecorder, RegretRecorder, SqlQuality, SqlQueryLog
from tools.platform.clock import Clock, SystemClock
from tools.ports import RoutingEnvironment
from tools.response import Character, NoticeBus, SkillSelection, WordingCheck
from tools.storage import SqlDecisions, SqlHolds, SqlOffers, SqlRecords

if TYPE_CHECKING:
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver


@dataclass(frozen=True)
class Served:
    """What a LangGraph server runs the graph with."""

    box: Toolbox
    threads: ThreadRunner


@asynccontextmanager
async def open_executive(
    settings: Settings,
    *,
    clock: Clock | None = None,
    step: Step | None = None,
    served: Served | None = None,
    models: ChatModels | None = None,
    decides: bool = True,
) -> AsyncIterator[Executive]:
    """Open the data folder for this process alone, and an Executive on it.

    Args:
        step: told each step of an execution as it is reached.
        served: the tools and threads of a LangGraph server, when this process is one.
        models: instead of those that the settings name.
        decides: False loads no graph, for whoever only reads; deciding then raises AgentError.

    Raises:
        Busy: another process has the folder.
        PackFaults: a pack cannot be loaded.
    """
    async with AsyncExitStack() as stack:
        for folder in {settings.data_dir.resolve(), settings.database_folder.resolve()}:
            stack.enter_context(data_folder.lock_folder(folder))
        if served:
            box = served.box
        else:  # its servers are asked on a thread: this loop may have others to serve
            loaded = await asyncio.to_thread(load_packs, settings)
            box = build_toolbox(settings, clock=clock, step=step, loaded=loaded, models=models)
        for close in box.closers:
            stack.push_async_callback(close)
        if box.models.every:
            await asyncio.to_thread(box.wording_check.warm_up)
        for model in box.models.every:
            if isinstance(model, OpenAIChat):
                await asyncio.to_thread(model.warm_up)
        saver = None
        if served:
            threads: ThreadRunner = served.threads
        elif decides:
            saver = await stack.enter_async_context(open_saver(settings.data_dir))
            threads = _build_threads(box, saver)
        else:
            threads = NoThreads()
        exporting = build_exporter(box.quality, settings.metrics_redis_url)
        if exporting is not None:
            stack.push_async_callback(exporting.close)
        keeping = Maintenance(
            box.database,
            box.watching,
            box.tuning.retention,
            saver,
            exporting,
            data_folder.archive_folder(settings),
        )
        executive = Executive(box, threads, keeping)
        await box.watching.at_start()
        stack.push_async_callback(box.watching.close)
        stack.push_async_callback(executive.close)
        await box.declared.load()
        await box.ledger.executing.settle_after_crash()
        await box.learned.load()
        yield executive


def _build_threads(box: Toolbox, saver: "AsyncSqliteSaver") -> ThreadRunner:
    from graph.execution.threads import Threads, build_fast_path
    from graph.flow import build_flow

    is_full = bool(box.settings.full_runs)
    return Threads(build_flow(box, saver), build_fast_path(box), box.tracing, is_full=is_full)


def build_toolbox(
    settings: Settings,
    *,
    clock: Clock | None = None,
    step: Step | None = None,
    loaded: LoadedPacks | None = None,
    models: ChatModels | None = None,
) -> Toolbox:
    """Load packs and thresholds and build every tool; nothing is opened yet.

    Args:
        step: told each step of an execution as it is reached.
        loaded: the packs, when they were loaded before.
        models: instead of those that the settings name.

    Raises:
        PackFaults, BadInput: a pack or policy.toml cannot be read.
    """
    clock = clock or SystemClock()
    loaded = loaded or load_packs(settings)
    catalogue = Catalogue.of(loaded.packs, loaded.withheld)
    tuning = resolve_tuning(settings.policy_file, settings.release_phase, catalogue)
    database = data_folder.open_database(settings)
    tool_pins = SqlToolPins(database)
    loaded.elsewhere.watch_with(tool_pins)
    here = RoutingEnvironment(settings.data_dir.resolve() / "packs", settings.zone)
    data_folder.private_folder(settings.data_dir)  # what is kept in it is for its owner only
    encoder = build_encoder(settings, tuning.encoder)
    folders = [pack.folder for pack in loaded.packs]
    hearing = build_request_encoding(encoder, build_adapted_encoder(settings), folders)
    labels = build_reader(settings)
    router = Router(
        catalogue,
        cache=settings.cache_folder,
        embedder=hearing.encoder,
        labels=labels,
    )
    learned = open_heuristics(database, catalogue, tuning, encoder)
    governed = catalogue.with_own(learned.own_pack(tuning.changes))
    executing = build_executing(
        database, governed, tuning.execution, clock, here.data_dir, tuning.grants
    )
    executing = replace(executing, elsewhere=loaded.elsewhere, heed=learned.reload_changed)
    heuristics = HeuristicRepertoire.of(learned.learned)
    queries = SqlQueryLog.of(database, catalogue, tuning)
    quality = SqlQuality(database, catalogue)
    covering = Redactor(governed)
    judge = build_judge(settings)
    check = WordingCheck(judge)
    models, bus = models or build_models(settings, tuning), NoticeBus()
    outbox = build_outbox(settings, database, tuning.sessions)
    database.on_entry = ApprovalWebhooks(outbox)
    journal = build_journal(
        database,
        encoder,
        tuning,
        clock,
        model=models.wording,
        telling=bus,
        outbox=outbox,
        indexing=build_indexing(settings, database),
    ).in_zone(settings.zone)
    recorders = build_recorders(learned, tuning, settings.zone, encoder)
    return Toolbox(
        settings=settings,
        tuning=tuning,
        clock=clock,
        database=database,
        decisions=SqlDecisions(
            database,
            covering,
            (
                queries.recorder,
                QualityRecorder(quality),
                RegretRecorder(catalogue, tuning.personality.answers_within_seconds),
                ActionJournalHook(journal.store, covering, journal.events),
                *recorders,
            ),
            recorders[1].prepare,
        ),
        records=SqlRecords(database),
        holds=SqlHolds(database),
        offers=SqlOffers(database),
        journal=journal,
        webhooks=build_sending(settings, outbox, tuning.webhooks),
        channels=build_channels(settings, database, tuning.channels),
        notes=JournalNotes(journal, LegacyNotes(database)),
        keys=open_keys(database, settings.oidc_file, partial(build_egress, settings)),
        recall=UtteranceRecall(
            database, encoder, tuning.journal.similarity_floor, journal.store.indexing
        ),
        queries=queries,
        quality=quality,
        classifier=Classifier(governed, Taint(router, here), tuning.execution),
        ledger=build_ledger(replace(executing, step=step) if step else executing, tuning.execution),
        watching=data_folder.build_ledger_watch(settings, database),
        undoing=UndoService(database, governed),
        tool_pins=tool_pins,
        declared=SqlDeclaredTools(database, governed, tuning.agents),
        catalogue=catalogue,
        governed=governed,
        elsewhere=loaded.elsewhere,
        degraded=loaded.degraded,
        encoder=encoder,
        hearing=hearing,
        router=router,
        messages=MessageInterpreter(
            catalogue,
            router,
            tuning.execution,
            tuning.policy,
            tuning.journal.detection_threshold,
            clock,
            here,
            policy_first=settings.policy_first,
            proposals=Proposals(catalogue, tuning.proactive),
            labels=labels,
        ),
        heuristics=heuristics,
        learned=learned,
        weighing=SalienceAssessor.of(catalogue, heuristics, tuning, encoder, judge),
        inbox=Inbox.of(catalogue, tuning),
        gates=RelevanceFilters(tuning.salience, tuning.relevance, catalogue.context, settings.zone),
        models=models,
        strategies=build_strategies(settings, tuning, catalogue, database),
        bus=bus,
        tracing=build_tracing(settings),
        voice=build_voice(settings, catalogue),
        character=Character.of(catalogue.packs, tuning.personality),
        skills=SkillSelection.of(catalogue.packs),
        phraser=build_phraser(settings, tuning, models, check),
        wording_check=check,
        context=catalogue.context,
        pack_data_dir=here.data_dir,
    )
