"""The decision journal as a context manager: messages go in, decisions come out.

Source: decision journal spec, ContextManager interface.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from langchain_core.tools import BaseTool, StructuredTool
from pydantic import ValidationError

from graph.settings import Settings
from graph.wiring.data_folder import lock_folder, open_database
from graph.wiring.models import build_encoder, build_journal, build_model
from graph.wiring.thresholds import read_tuning
from state.errors import BadInput
from state.journal import Decision, DecisionChain, DecisionFilters, JournalMessage
from state.journal_config import JournalConfig
from state.principal import Principal
from state.reader import whole
from tools.journal import ConversationReader, Journal, archive_old_entries
from tools.journal.conversation import Read
from tools.journal.extraction.extractor import DISCUSSION_MESSAGES
from tools.platform.clock import Clock, SystemClock


class DecisionJournalContext:
    """Finds, keeps and returns the decisions of a conversation; `open_context` makes one."""

    def __init__(
        self,
        journal: Journal,
        config: JournalConfig,
        tenant_id: str = "default",
        principal: Principal | None = None,
    ) -> None:
        self.journal = journal
        self.config = config
        self._tenant_id = tenant_id
        self._principal = principal
        self._reader = journal.readers.of(principal) if principal else whole(tenant_id)
        self._messages: list[dict[str, Any]] = []  # as they were given
        self._said: list[JournalMessage] = []
        self._conversations = ConversationReader(journal.confirmer, tenant_id)

    async def add_message(self, message: Mapping[str, Any]) -> Read | None:
        """Add a message and keep what it decides; None: nothing is looked for (`auto_detect`).

        Args:
            message: `content`, and if known `role` or `speaker`, `message_id`, `session_id`,
                `timestamp`.

        Raises:
            BadInput: it has no content, something in it has another form, or is dated ahead.
            Forbidden: its session is closed to whose journal this is.
        """
        said = self._read(message)
        if self._principal:
            self.journal.readers.demand(self._principal, [said.session_id])
        self.journal.not_ahead([said])
        self._messages.append(dict(message))
        self._said = [*self._said[-DISCUSSION_MESSAGES:], said]
        if not self.config.auto_detect:
            return None
        beside = [one for one in self._said if one.session_id == said.session_id]
        judged = await self.journal.model.judge_last(beside) if self.journal.model else None
        read = await asyncio.to_thread(self._conversations.read, said, judged)
        if read.decision is not None:
            await self._keep(self.config.trimmed(read.decision))
        return read

    async def get_messages(self) -> list[dict[str, Any]]:
        """List the messages as they were added."""
        return [dict(one) for one in self._messages]

    async def search_decisions(
        self, query: str, filters: DecisionFilters | None = None
    ) -> list[Decision]:
        """Find decisions by a question in plain words, best first."""
        found = await self.journal.ask(query, self._reader, filters=filters)
        return [one.decision for one in found]

    async def get_decision_chain(self, decision_id: str) -> DecisionChain:
        """Follow a decision from the first to the one in force.

        Raises:
            NotFound: no such decision.
        """
        return await self.journal.chain(decision_id, self._reader)

    def as_tools(self) -> Sequence[BaseTool]:
        """Give the two reads as LangChain tools."""

        async def search_decisions(query: str) -> list[dict[str, Any]]:
            """Search decisions people took: what, why, instead of what, by whom, and status."""
            found = await self.search_decisions(query)
            return [one.model_dump(mode="json", exclude={"evidence"}) for one in found]

        async def get_decision_chain(decision_id: str) -> dict[str, Any]:
            """Follow a decision to what replaced it and what it replaced."""
            return (await self.get_decision_chain(decision_id)).model_dump(mode="json")

        return (
            StructuredTool.from_function(coroutine=search_decisions),
            StructuredTool.from_function(coroutine=get_decision_chain),
        )

    async def _keep(self, decision: Decision) -> None:
        if self.config.track_superseded_decisions and self.config.detect_revisited_decisions:
            await self.journal.keep([decision], self._tenant_id)
        else:
            await self.journal.store.put([decision])

    def _read(self, message: Mapping[str, Any]) -> JournalMessage:
        fields = {key: message[key] for key in JournalMessage.model_fields if key in message}
        given = {"message_id": f"message-{len(self._messages) + 1}"} | fields
        given.setdefault("speaker", str(message.get("role", "")))
        try:
            return JournalMessage.model_validate(given)
        except ValidationError as error:
            fault = error.errors()[0]
            raise BadInput(
                f"message: {'.'.join(map(str, fault['loc']))}: {fault['msg']}"
            ) from error


@asynccontextmanager
async def open_context(
    config: JournalConfig | None = None,
    *,
    settings: Settings | None = None,
    clock: Clock | None = None,
    tenant_id: str = "default",
    principal: Principal | None = None,
) -> AsyncIterator[DecisionJournalContext]:
    """Open a journal of its own in `storage_path`, or one that is gone when it is closed.

    Args:
        settings: model and encoder; its data folder is not used.
        principal: who reads, by `[[sessions]]` of policy.toml; None: whoever may open the folder.

    Raises:
        Busy: another process has the folder.
    """
    config = config or JournalConfig()
    async with AsyncExitStack() as stack:
        folder = Path(config.storage_path)
        if not config.is_kept:
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="decision-journal-")))
        own = (settings or Settings()).model_copy(
            update={
                "data_dir": folder,
                "database_url": None,
                "embedding_model": config.embedding_model,
            }
        )
        stack.enter_context(lock_folder(folder.resolve()))
        tuning = read_tuning(own.policy_file)
        journal_tuning = tuning.journal.model_copy(
            update={
                "detection_threshold": config.detection_threshold,
                "model_confirmation": config.llm_confirmation,
            }
        )
        tuning = tuning.model_copy(update={"journal": journal_tuning})
        encoder = build_encoder(own, tuning.encoder) if config.index_embeddings else None
        if encoder is not None:
            stack.push_async_callback(asyncio.to_thread, encoder.close)
        model = build_model(own, tuning)
        if model is not None:
            stack.push_async_callback(model.close)
        database = open_database(own)
        stack.push_async_callback(database.close)
        at = clock or SystemClock()
        journal = build_journal(database, encoder, tuning, at, model=model).in_zone(own.zone)
        await archive_old_entries(journal.store, config.retention_days, folder / "archive")
        whose = principal.tenant_id if principal else tenant_id
        yield DecisionJournalContext(journal, config, whose, principal)
