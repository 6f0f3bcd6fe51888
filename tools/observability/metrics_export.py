"""Export metrics and backlog: Prometheus text format, and counters pushed to Redis.

Redis keys are `prefrontal:metrics:TENANT:PACK`, a field a counter.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, Self

import structlog
from pydantic import SecretStr
from sqlalchemy import Connection, func, select

from state.errors import BadInput, Unreachable
from state.quality import QualityCounts, QualityMetrics, Regrets, SourceRegrets
from state.query import Metrics, Rate
from tools.gate.ledger.operator_controls import open_freezes
from tools.observability.policy_quality import SqlQuality
from tools.storage import Database
from tools.storage.tables.decisions import decision
from tools.storage.tables.ledger import ledger_action

_STANDINGS = ("accepted", "released", "held", "waiting")
_STATES = ("pending", "proposed", "approved", "started", "unknown")


@dataclass(frozen=True)
class Backlog:
    """One look at the tables of a tenant."""

    decisions: dict[str, int]
    actions: dict[str, int]
    oldest_question_seconds: float
    is_frozen: bool


async def backlog(database: Database, tenant_id: str) -> Backlog:
    """Count what waits; by indexes alone, however much is recorded."""

    def work(connection: Connection) -> Backlog:
        standing = select(decision.c.standing, func.count()).where(
            decision.c.standing.in_(_STANDINGS), decision.c.tenant_id == tenant_id
        )
        state = select(ledger_action.c.state, func.count()).where(
            ledger_action.c.tenant_id == tenant_id, ledger_action.c.state.in_(_STATES)
        )
        oldest = select(database.now() - func.min(ledger_action.c.asked_at)).where(
            ledger_action.c.tenant_id == tenant_id, ledger_action.c.state == "pending"
        )
        by_standing = standing.group_by(decision.c.standing)
        decisions = {str(row[0]): int(row[1]) for row in connection.execute(by_standing)}
        by_state = state.group_by(ledger_action.c.state)
        actions = {str(row[0]): int(row[1]) for row in connection.execute(by_state)}
        return Backlog(
            {name: decisions.get(name, 0) for name in _STANDINGS},
            {name: actions.get(name, 0) for name in _STATES},
            float(connection.execute(oldest).scalar() or 0.0),
            bool(open_freezes(connection)),
        )

    return await database.read(work)


MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_PREFIX = "prefrontal_"
Labels = Mapping[str, str]
Family = tuple[str, str, list[tuple[Labels, float | None]]]
"""Name, help, and samples."""


def exposition(
    metrics: Metrics,
    tenant_id: str,
    quality: Sequence[QualityMetrics] = (),
    regrets: Regrets | None = None,
) -> str:
    """Write every figure as a gauge: they are counted over the rows that are kept."""
    families = [*_families(metrics), *_of_packs(quality), *_of_regrets(regrets)]
    return "".join(_lines(families, tenant_id))


async def backlog_exposition(database: Database, tenant_id: str) -> str:
    """Write what waits."""
    waiting = await backlog(database, tenant_id)
    return "".join(_lines(list(_waiting(waiting)), tenant_id))


def _waiting(waiting: Backlog) -> Iterator[Family]:
    yield (
        "decisions_open",
        "Decisions not recorded yet, by where they stand.",
        _counts("standing", waiting.decisions),
    )
    yield (
        "actions_open",
        "Actions that somebody or something is waited for.",
        _counts("state", waiting.actions),
    )
    yield (
        "oldest_question_seconds",
        "How long the oldest open question has waited.",
        [({}, waiting.oldest_question_seconds)],
    )
    yield "ledger_frozen", "1: nothing but reads is started.", [({}, float(waiting.is_frozen))]


def _lines(families: Sequence[Family], tenant_id: str) -> Iterator[str]:
    for name, help_text, samples in families:
        kept = [(labels, value) for labels, value in samples if value is not None]
        if not kept:
            continue
        yield f"# HELP {_PREFIX}{name} {help_text}\n# TYPE {_PREFIX}{name} gauge\n"
        for labels, value in kept:
            yield f"{_PREFIX}{name}{{{_labels({'tenant': tenant_id, **labels})}}} {value:g}\n"


def _families(metrics: Metrics) -> Iterator[Family]:
    yield (
        "hard_false_positives",
        "Started without intent; must be 0.",
        [({}, metrics.hard_false_positives)],
    )
    yield "queries", "Messages by what followed.", _counts("class", metrics.by_class)
    yield "offers", "Messages answered with chips.", [({}, metrics.offers)]
    yield "chip_chosen_ratio", "Offers on which a chip was taken.", [({}, metrics.chosen.value)]
    yield (
        "primary_chosen_ratio",
        "Taken chips that were the primary.",
        [({}, metrics.primary_chosen.value)],
    )
    yield (
        "time_to_action_milliseconds",
        "From the query to the start of its action.",
        [({"quantile": quantile}, value) for quantile, value in metrics.time_to_action_ms.items()],
    )
    yield "executions", "Actions executed, by method.", _counts("method", metrics.executions)
    yield "undone_ratio", "Executions that were taken back.", _rates("action", metrics.undone)
    yield "accepted_ratio", "Answered questions with a yes.", _rates("action", metrics.accepted)
    yield "collisions", "Predictions with a close rival.", _counts("kind", metrics.collisions)
    yield (
        "collisions_observed",
        "Predictions compared with what people did.",
        _counts("kind", metrics.collisions_observed),
    )
    yield (
        "ordering_primary_chosen_ratio",
        "Taken chips that were the primary, by ordering.",
        (_rates("ordering", metrics.orderings)),
    )


_QUALITY: Mapping[str, tuple[str, Callable[[QualityMetrics], Rate]]] = {
    "direct_search_tool_call": (
        "Turns that force a read, and called it.",
        lambda found: found.direct_search_tool_call_rate,
    ),
    "clarification_first": (
        "Turns that force a read, and were answered with a question; should be 0.",
        lambda found: found.clarification_first_rate,
    ),
    "recency_filter_compliance": (
        "Searches limited in time, and run with exactly those dates.",
        lambda found: found.recency_filter_compliance_rate,
    ),
    "stage_transition_success": (
        "Successes that a step follows, and made it.",
        lambda found: found.stage_transition_success_rate,
    ),
}


def _of_packs(quality: Sequence[QualityMetrics]) -> Iterator[Family]:
    if not quality:
        return
    yield "turns", "Messages and choices.", [({"pack": one.pack}, one.turns) for one in quality]
    for name, (help_text, rate_in) in _QUALITY.items():
        rates = [({"pack": one.pack}, rate_in(one)) for one in quality]
        yield f"{name}_ratio", help_text, [(labels, rate.value) for labels, rate in rates]
        yield f"{name}_of", f"Of how many: {help_text}", [(at, rate.n) for at, rate in rates]


_REGRETS: Mapping[str, tuple[str, Callable[[SourceRegrets], int]]] = {
    "events": ("Events that nobody addressed to Prefrontal.", lambda one: one.events),
    "events_spoken": ("Events that were spoken about.", lambda one: one.spoken),
    "regretted_utterances": ("Events spoken about, and regretted.", lambda one: one.utterances),
    "regretted_silences": ("Events not spoken about, and regretted.", lambda one: one.silences),
}


def _of_regrets(regrets: Regrets | None) -> Iterator[Family]:
    if regrets is None:
        return
    for name, (help_text, count_in) in _REGRETS.items():
        counts: list[tuple[Labels, float | None]] = [
            ({"source": one.source}, float(count_in(one))) for one in regrets.sources
        ]
        yield name, f"{help_text} By source.", counts
    total = regrets.total
    yield (
        "regrets_per_100_events",
        "Regretted utterances and silences of 100 events.",
        [
            ({"kind": "utterance"}, total.utterances_per_100),
            ({"kind": "silence"}, total.silences_per_100),
        ],
    )


def _counts(label: str, counts: Mapping[str, int]) -> list[tuple[Labels, float | None]]:
    return [({label: key}, float(count)) for key, count in counts.items()]


def _rates(label: str, rates: Mapping[str, Rate]) -> list[tuple[Labels, float | None]]:
    return [({label: key}, rate.value) for key, rate in rates.items()]


def _labels(labels: Labels) -> str:
    return ",".join(f'{name}="{_escaped(value)}"' for name, value in labels.items())


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


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


log = structlog.get_logger()


class MetricsSink(Protocol):
    """A store of counters outside. See tools/observability/metrics_export.py."""

    async def put(self, tenant_id: str, pack: str, counts: QualityCounts) -> None:
        """Write the counters of a pack as they stand.

        Raises:
            Unreachable: they could not be written; send them again.
        """
        ...

    async def close(self) -> None:
        """Hang up."""
        ...


@dataclass
class MetricsExporter:
    """Sends what has changed, absolute and never a difference: a lost one heals with the next."""

    quality: SqlQuality
    sink: MetricsSink
    problem: str = ""
    """Why the last attempt failed; empty: it did not."""
    _has_begun: bool = False

    async def export(self) -> int:
        """Send the counters of every pack that moved, and tell how many; failures are kept."""
        if not self._has_begun:
            self.quality.changed.update(await self.quality.known())
            self._has_begun = True
        moved = sorted(self.quality.changed)
        for done, (tenant_id, pack) in enumerate(moved):
            self.quality.changed.discard((tenant_id, pack))
            try:
                counts = await self.quality.counts(tenant_id, pack)
                await self.sink.put(tenant_id, pack, counts)
            except Unreachable as error:
                self.quality.changed.update(moved[done:])
                if not self.problem:  # once, and not every second
                    log.warning("metrics_sink_down", reason=str(error))
                self.problem = str(error)
                return done
        if moved:
            self.problem = ""
        return len(moved)

    async def close(self) -> None:
        """Hang up."""
        await self.sink.close()
