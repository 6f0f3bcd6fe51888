"""A store on loopback that speaks the Redis protocol: HELLO, AUTH, CLIENT, PING, HSET, HGETALL."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass
class RespServer:
    """One store; `fault` is said instead of any answer."""

    password: str | None = None
    port: int = 0
    hashes: dict[str, dict[str, str]] = field(default_factory=dict)
    asked: list[list[str]] = field(default_factory=list)
    fault: bytes | None = None
    silent: bool = False
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    told: asyncio.Event = field(default_factory=asyncio.Event)
    """Set with the first hash that is written."""
    writers: list[asyncio.StreamWriter] = field(default_factory=list)

    @property
    def url(self) -> str:
        """Return what a client takes."""
        user = f":{self.password}@" if self.password else ""
        return f"redis://{user}127.0.0.1:{self.port}/0"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take one connection."""
        self.writers.append(writer)
        is_known = self.password is None
        try:
            while command := await _command(reader):
                self.asked.append(command)
                if self.silent:
                    await self.ended.wait()
                name, *arguments = command
                if name.upper() == "AUTH":
                    is_known = arguments[-1] == self.password
                if name.upper() == "HELLO" and "AUTH" in [word.upper() for word in arguments]:
                    is_known = arguments[arguments.index("AUTH") + 2] == self.password
                if not is_known:
                    writer.write(b"-NOAUTH Authentication required.\r\n")
                else:
                    writer.write(self.fault or self._answer(name.upper(), arguments))
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    def _answer(self, name: str, arguments: list[str]) -> bytes:
        match name:
            case "HELLO":
                return b"%2\r\n+server\r\n+redis\r\n+proto\r\n:3\r\n"
            case "AUTH" | "CLIENT" | "SELECT":
                return b"+OK\r\n"
            case "PING":
                return b"+PONG\r\n"
            case "HSET":
                pairs = dict(zip(arguments[1::2], arguments[2::2], strict=True))
                known = self.hashes.setdefault(arguments[0], {})
                new = len(set(pairs) - set(known))
                known.update(pairs)
                self.told.set()
                return f":{new}\r\n".encode()
        return f"-ERR unknown command '{name}'\r\n".encode()


async def _command(reader: asyncio.StreamReader) -> list[str]:
    head = await reader.readline()
    if not head:
        return []
    assert head[:1] == b"*", head
    words = []
    for _ in range(int(head[1:])):
        size = int((await reader.readline())[1:])
        words.append((await reader.readexactly(size + 2))[:-2].decode())
    return words


@asynccontextmanager
async def running(server: RespServer) -> AsyncIterator[RespServer]:
    """Run a store until the block ends; a second time at the same port."""
    listener = await asyncio.start_server(server.serve, "127.0.0.1", server.port)
    server.port = listener.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        server.ended.set()
        listener.close()
        for writer in server.writers:
            writer.close()
        await listener.wait_closed()
