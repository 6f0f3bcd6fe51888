"""A wire between browser and service that a test can cut and mend."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from urllib.parse import urlsplit


@dataclass
class Wire:
    """Passes bytes on, until it is cut; on the service's loop."""

    address: str
    port: int = 0
    _whole: asyncio.Event = field(default_factory=asyncio.Event)
    _open: set[asyncio.StreamWriter] = field(default_factory=set)
    _server: asyncio.Server | None = None

    async def mend(self) -> None:
        """Pass on what comes from now, on the same port as before."""
        self._whole.set()
        if self._server is None:
            self._server = await asyncio.start_server(self._pass, "127.0.0.1", 0)
            self.port = self._server.sockets[0].getsockname()[1]

    async def cut(self) -> None:
        """End every connection, and each that comes from now."""
        # It listens on: asyncio leaves a connection open that is being accepted meanwhile.
        self._whole.clear()
        for writer in tuple(self._open):
            writer.transport.abort()
        while self._open:  # noqa: ASYNC110 - each ends in a turn of the loop
            await asyncio.sleep(0)

    async def end(self) -> None:
        """Listen no more, once nobody calls."""
        await self.cut()
        if self._server is not None:
            self._server.close()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self._whole.is_set():
            writer.transport.abort()
            return
        port = urlsplit(self.address).port
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", port)
        if not self._whole.is_set():  # cut while it reached out
            writer.transport.abort()
            far_writer.transport.abort()
            return
        self._open |= {writer, far_writer}
        with suppress(ConnectionError):
            await asyncio.gather(_copy(reader, far_writer), _copy(far_reader, writer))
        for each in (writer, far_writer):
            each.transport.abort()
            self._open.discard(each)


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65_536):
        writer.write(data)
        await writer.drain()
    writer.close()
