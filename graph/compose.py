"""From settings to tools to a running Executive; the one place where they meet."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial

from graph.assembly import data_folder
from graph.assembly.attention import build_weighing, lexicon_of
from graph.assembly.elsewhere import Loaded, load_packs
from graph.assembly.encoding import adapted_of, build_encoder, build_hearing
from graph.assembly.indexing import build_indexing
from graph.assembly.issuers import build_tokens
from graph.assembly.journal import build_journal
from graph.assembly.learning import build_learning, learning_notes
from graph.assembly.modelling import build_models, build_strategies
from graph.assembly.speaking import build_phraser, build_voice
from graph.assembly.thresholds import settled_tuning
from graph.assembly.toolbox import Toolbox
from graph.assembly.webhooks import build_outbox, build_sending
from graph.checkpoints import open_saver
from graph.flow import build_flow
from graph.runner import Executive
from graph.running.keeping import Keeping, exporting_of
from graph.running.passing_over import passing_over
from graph.running.threads import Resumes, Threads
from graph.settings import Settings
from graph.watching.tracing import build_tracing
from tools.approvals.covering import Covering
from tools.catalogue.catalogue import Catalogue
from tools.classification.classifier import Classifier
from tools.classification.taint import Taint
from tools.clock import Clock, SystemClock
from tools.heuristics.changing import heed, own_pack
from tools.heuristics.repertoire import Repertoire
from tools.journal.keeping.notes import SqlNotes
from tools.journal.remembered import JournalNotes
from tools.ledger.assembling import build_executing, build_ledger
from tools.ledger.executing import Step
from tools.ledger.journalling import ActionNotes
from tools.ledger.telling import ApprovalNews
from tools.ledger.tool_pins import SqlToolPins
from tools.ledger.undoing import Undoing
from tools.looks_in import Here
from tools.memory.heuristics import PackHeuristics
from tools.memory.noting import MemoryNotes
from tools.models.chat import OpenAIChat
from tools.models.slots import Models
from tools.outputs.bus import Bus
from tools.personality.character import Character
from tools.policy.dialogue_acts import DialogueActs
from tools.policy.messages import MessageReader
from tools.proactive.noting import ReminderNotes
from tools.proactive.proposals import Proposals
from tools.quality.log import SqlQuality
from tools.quality.noting import QualityNotes
from tools.queries.log import SqlQueries
from tools.queries.noting import QueryNotes
from tools.queries.row import QueryReading
from tools.relevance.gates import Gates
from tools.routing.router import Router
from tools.skills.loading import Skills
from tools.storage.decisions import SqlDecisions
from tools.storage.holds import SqlHolds
from tools.storage.keys import SqlKeys
from tools.storage.offers import SqlOffers
from tools.storage.records import SqlRecords
from tools.timing.inbox import Inbox


@dataclass(frozen=True)
class Served:
    """What a LangGraph server runs the graph with."""

    box: Toolbox
    threads: Resumes


@asynccontextmanager
async def open_executive(
    settings: Settings,
    *,
    clock: Clock | None = None,
    step: Step | None = None,
    served: Served | None = None,
    models: Models | None = None,
) -> AsyncIterator[Executive]:
    """Open the data folder for this process alone, and an Executive on it.

    Args:
        step: told each step of an execution as it is reached.
        served: the tools and threads of a LangGraph server, when this process is one.
        models: instead of those that the settings name.

    Raises:
        Busy: another process has the folder.
        PackFaults: a pack cannot be loaded.
    """
    async with AsyncExitStack() as stack:
        for folder in {settings.data_dir.resolve(), settings.database_folder.resolve()}:
            stack.enter_context(data_folder.hold_folder(folder))
        if served:
            box = served.box
        else:  # its servers are asked on a thread: this loop may have others to serve
            loaded = await asyncio.to_thread(load_packs, settings)
            box = build_toolbox(settings, clock=clock, step=step, loaded=loaded, models=models)
        for close in box.closers:
            stack.push_async_callback(close)
        for model in box.models.every:
            if isinstance(model, OpenAIChat):
                await asyncio.to_thread(model.warm_up)
        saver = None
        if served:
            threads: Resumes = served.threads
        else:
            saver = await stack.enter_async_context(open_saver(settings.data_dir))
            flow, is_full = build_flow(box, saver), bool(settings.full_runs)
            threads = Threads(flow, passing_over(box), box.tracing, is_full=is_full)
        exporting = exporting_of(box.quality, settings.metrics_redis_url)
        if exporting is not None:
            stack.push_async_callback(exporting.close)
        keeping = Keeping(
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
        await box.ledger.executing.settle_after_crash()
        await box.learned.load()
        yield executive


def build_toolbox(
    settings: Settings,
    *,
    clock: Clock | None = None,
    step: Step | None = None,
    loaded: Loaded | None = None,
    models: Models | None = None,
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
    tuning = settled_tuning(settings.policy_file, settings.release_phase, catalogue)
    database = data_folder.open_database(settings)
    tool_pins = SqlToolPins(database)
    loaded.elsewhere.watch_with(tool_pins)
    here = Here(settings.data_dir.resolve() / "packs", settings.zone)
    data_folder.private_folder(settings.data_dir)  # what is kept in it is for its owner only
    encoder = build_encoder(settings, tuning.encoder)
    folders = [pack.folder for pack in loaded.packs]
    hearing = build_hearing(encoder, adapted_of(settings), folders)
    router = Router(catalogue, cache=settings.cache_folder, embedder=hearing.encoder)
    learned = build_learning(database, catalogue, tuning, encoder)
    governed = catalogue.with_own(own_pack(learned, tuning.changes))
    executing = build_executing(database, governed, tuning.execution, clock, here.data_dir)
    executing = replace(executing, elsewhere=loaded.elsewhere, heed=partial(heed, learned))
    heuristics = Repertoire(PackHeuristics(catalogue.packs), learned.learned)
    reading = QueryReading(catalogue, tuning.execution, tuning.policy.observed_seconds)
    quality = SqlQuality(database, catalogue)
    covering = Covering(governed)
    models, bus = models or build_models(settings, tuning), Bus()
    outbox = build_outbox(settings, database, tuning.sessions)
    database.on_entry = ApprovalNews(outbox)
    journal = build_journal(
        database,
        encoder,
        tuning,
        clock,
        model=models.wording,
        telling=bus,
        outbox=outbox,
        indexing=build_indexing(settings, database),
    )
    return Toolbox(
        settings=settings,
        tuning=tuning,
        clock=clock,
        database=database,
        decisions=SqlDecisions(
            database,
            covering,
            (
                QueryNotes(reading),
                QualityNotes(quality),
                ReminderNotes(catalogue, tuning.proactive, settings.zone),
                ActionNotes(journal.store, covering, journal.events),
                MemoryNotes(covering, tuning.personality.answers_within_seconds),
                learning_notes(learned, covering, tuning),
            ),
        ),
        records=SqlRecords(database),
        holds=SqlHolds(database),
        offers=SqlOffers(database),
        journal=journal,
        webhooks=build_sending(settings, outbox, tuning.webhooks),
        notes=JournalNotes(journal, SqlNotes(database)),
        keys=SqlKeys(database, build_tokens(settings)),
        queries=SqlQueries(database, catalogue, reading),
        quality=quality,
        classifier=Classifier(governed, Taint(router, here), tuning.execution),
        ledger=build_ledger(replace(executing, step=step) if step else executing, tuning.execution),
        watching=data_folder.watching(settings, database),
        undoing=Undoing(database, governed),
        tool_pins=tool_pins,
        catalogue=catalogue,
        governed=governed,
        elsewhere=loaded.elsewhere,
        degraded=loaded.degraded,
        encoder=encoder,
        hearing=hearing,
        router=router,
        messages=MessageReader(
            catalogue,
            router,
            tuning.execution,
            tuning.policy,
            tuning.journal.detection_threshold,
            clock,
            here,
            policy_first=settings.policy_first,
            proposals=Proposals(catalogue, tuning.proactive),
            acts=DialogueActs(hearing.encoder or encoder),
        ),
        heuristics=heuristics,
        learned=learned,
        weighing=build_weighing(catalogue, heuristics, tuning, encoder),
        inbox=Inbox(tuning.salience, tuning.relevance, lexicon_of(catalogue)),
        gates=Gates(tuning.salience, tuning.relevance, catalogue.context, settings.zone),
        models=models,
        strategies=build_strategies(settings, tuning, catalogue, database),
        bus=bus,
        tracing=build_tracing(settings),
        voice=build_voice(settings, catalogue),
        character=Character.of(catalogue.packs, tuning.personality),
        skills=Skills.of(catalogue.packs),
        phraser=build_phraser(settings, tuning, models),
        context=catalogue.context,
        pack_data_dir=here.data_dir,
    )
