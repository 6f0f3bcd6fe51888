"""Counters as hashes of a Redis server: `prefrontal:metrics:TENANT:PACK`, a field a counter."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from pydantic import SecretStr

from state.errors import BadInput, Unreachable
from state.quality import QualityCounts

if TYPE_CHECKING:
    from redis.asyncio import Redis

KEY = "prefrontal:metrics:{tenant}:{pack}"
_SECONDS = 2.0
"""A server that hangs is given up: what it would be told stands in our tables."""


@dataclass(frozen=True)
class RedisSink:
    """One client, which connects when it is first needed and again after every fault."""

    client: "Redis"

    @classmethod
    def at(cls, url: SecretStr) -> Self:
        """Make a sink; nothing is connected yet.

        Raises:
            BadInput: the client library is not installed, or the URL is none of Redis.
        """
        try:
            from redis.asyncio import Redis
        except ImportError as error:
            raise BadInput(
                "EXECUTIVE_METRICS_REDIS_URL needs the redis package: install prefrontal[redis]"
            ) from error
        try:
            client = Redis.from_url(
                url.get_secret_value(),
                socket_timeout=_SECONDS,
                socket_connect_timeout=_SECONDS,
                retry=None,
            )
        except ValueError as error:
            raise BadInput(
                "EXECUTIVE_METRICS_REDIS_URL must be redis://, rediss:// or unix://"
            ) from error
        return cls(client)

    async def put(self, tenant_id: str, pack: str, counts: QualityCounts) -> None:
        """Write the counters of a pack. See MetricsSink."""
        key = KEY.format(tenant=tenant_id, pack=pack)
        fields: Any = counts.model_dump()  # names and numbers; redis types its keys invariantly
        with _told():
            await self.client.hset(key, mapping=fields)

    async def ping(self) -> None:
        """Ask whether it is there.

        Raises:
            Unreachable: it is not, or does not let us in.
        """
        with _told():
            await self.client.ping()

    async def close(self) -> None:
        """Hang up."""
        await self.client.aclose()


@contextmanager
def _told() -> Iterator[None]:
    from redis.exceptions import RedisError

    try:
        yield
    except (RedisError, OSError) as error:
        why = type(error).__name__  # its words may hold the URL
        raise Unreachable(f"Redis does not take the metrics ({why})") from error
