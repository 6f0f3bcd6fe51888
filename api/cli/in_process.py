"""The API of an Executive that this process opens, called without a network. Loads the graph."""

import asyncio
import secrets
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx
from fastapi import FastAPI

from api.app import DRAIN_SECONDS, create_app
from api.cli.data_folder import has_database
from api.cli.service import NothingYet
from api.cli.terminal import print_note, training_notice
from api.http.local_access import EVERY_ROLE, LocalAccess
from graph.executive import Executive
from graph.settings import Settings
from graph.wiring.composition import open_executive
from state.principal import Principal

T = TypeVar("T")


def local_app(executive: Executive) -> tuple[FastAPI, LocalAccess]:
    """Serve an Executive to callers of this process alone."""
    app, access = create_app(executive, has_console=False), LocalAccess(secrets.token_bytes(32))
    app.state.local_access, app.state.is_in_process = access, True
    return app, access


class InProcess(httpx.BaseTransport):
    """A transport to the API of an Executive, which is open until the transport is closed.

    The event loop runs during a request only, so that Ctrl-C at a prompt ends the command.
    """

    access: LocalAccess

    def __init__(self, settings: Settings, *, makes_folder: bool, is_reading: bool = False) -> None:
        """Raises NothingYet where the folder holds no database and none may be made.

        Args:
            makes_folder: make what is missing.
            is_reading: leave unfinished what an earlier process left.
        """
        if not makes_folder and not has_database(settings):
            raise NothingYet(settings.data_dir)
        self._settings = settings
        self._is_reading = is_reading
        self._runner = asyncio.Runner()
        self._stack = AsyncExitStack()

    def __enter__(self) -> Self:
        """Open the Executive.

        Raises:
            Busy: another process has the folder.
            PackFaults: a pack cannot be loaded.
        """
        try:
            self._runner.run(self._open())
        except BaseException:
            self._runner.run(self._stack.aclose())
            self._runner.close()
            raise
        return self

    async def _open(self) -> None:
        with training_notice(self._settings.cache_folder):
            opening = open_executive(self._settings, decides=not self._is_reading)
            self.executive = await self._stack.enter_async_context(opening)
        if not self._is_reading:
            await self.executive.approvals.settle_answered()
            await self.executive.resume_unfinished()
        self._app, self.access = local_app(self.executive)
        self._transport = httpx.ASGITransport(self._app)

    def __exit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        trace: TracebackType | None = None,
    ) -> None:
        """Finish what the requests began, and close the Executive."""
        try:
            self._runner.run(self._close())
        finally:
            self._runner.close()

    async def _close(self) -> None:
        async with self._stack:
            await self._app.state.work.drain(DRAIN_SECONDS)
            if not self._is_reading:  # what a change released, such as a digest
                await self.executive.resume_unfinished()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run what no route of the API does."""
        return self._runner.run(work)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Answer a request."""
        return self._runner.run(self._answered(request))

    async def _answered(self, request: httpx.Request) -> httpx.Response:
        given = httpx.ByteStream(request.read())
        sent = httpx.Request(request.method, request.url, headers=request.headers, stream=given)
        answer = await self._transport.handle_async_request(sent)
        body = await answer.aread()
        return httpx.Response(answer.status_code, headers=answer.headers, content=body)

    def note_unknown_roles(self, caller: Principal) -> None:
        """Note roles that no pack knows: a typing mistake in one looks like a missing right."""
        known = self.executive.catalogue.roles
        strange = sorted(set(caller.roles) - known - {EVERY_ROLE})
        if strange and known:
            knows = f"no pack here knows the role {', '.join(strange)}"
            print_note(f"{knows}; known are: {', '.join(sorted(known))}")
