"""Settings of a deployment, read from the EXECUTIVE_* variables; thresholds stand in policy.toml.

`apply_langsmith_switch` turns LangSmith tracing off for this process when the setting says so.
"""

import re
from datetime import UTC, tzinfo
from pathlib import Path
from typing import Annotated, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import (
    BaseSettings,
    DotEnvSettingsSource,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from state.execution import ReleasePhase
from state.paper import PaperProvider
from state.strategy import StrategyName
from tools.adapters.papers import openalex, semantic_scholar
from tools.platform.egress_policy import is_plain_host, read_entry

_BASE_URL = r"^https?://[^/?#@\s]+(?:/[^?#\s]*)?$"
ROOT = Path(__file__).resolve().parent.parent


class Settings(BaseSettings):
    """Deployment settings, from the environment or `.env`."""

    model_config = SettingsConfigDict(
        env_prefix="EXECUTIVE_", env_file=".env", extra="ignore", frozen=True
    )

    data_dir: Path = Field(default=Path("data"), description="everything on disk")
    cache_dir: Path | None = Field(
        default=None, description="what is learnt from packs; default: cache in the data folder"
    )
    reports_dir: Path = Field(
        default=Path("reports"), description="where `make evals` left what it came to"
    )
    packs: Annotated[tuple[str, ...], NoDecode] = Field(
        default=("vessel",), description="names or folders, comma between them"
    )
    policy_file: Path = Field(default=ROOT / "policy.toml", description="the thresholds")
    database_url: str | None = Field(default=None, description="default: SQLite in the data folder")
    langsmith: bool = Field(
        default=True, description="false: nothing goes there, whatever LANGSMITH_* says"
    )
    model: str | None = Field(default=None, description="chat model; none: everything by code")
    model_base_url: str | None = Field(default=None, description="an OpenAI-compatible server")
    strong_model: str | None = Field(
        default=None, description="for requests that somebody waits for; default: EXECUTIVE_MODEL"
    )
    strong_model_base_url: str | None = Field(
        default=None, description="of that one; default: EXECUTIVE_MODEL_BASE_URL"
    )
    model_phrases: bool = Field(
        default=False, description="it words what is said unasked too: a call for each utterance"
    )
    openai_api_key: SecretStr | None = Field(default=None, validation_alias="OPENAI_API_KEY")
    embedder: Literal["minilm", "openai", "none"] = Field(
        default="minilm", description="what turns sentences into vectors"
    )
    embedding_model: str = Field(
        default="text-embedding-3-small", min_length=1, description="for openai"
    )
    embedding_base_url: str | None = Field(
        default=None, description="for openai; default: EXECUTIVE_MODEL_BASE_URL"
    )
    embedding_dimensions: int | None = Field(
        default=None, ge=1, description="for openai; default: the model's own"
    )
    decision_strategy: StrategyName | None = Field(
        default=None, description="for all; default: the shares in policy.toml"
    )
    heuristic_threshold: float | None = Field(
        default=None, ge=0, le=1, description="instead of policy.toml's"
    )
    policy_first: bool = Field(
        default=True,
        description="false: no intents, search fields or follow-ups; a text is its search's query",
    )
    release_phase: ReleasePhase | None = Field(
        default=None, description="shadow, canary or general; the most careful one counts"
    )
    timezone: str = Field(
        default="UTC",
        description="of the clock on the wall, for quiet hours and what is today: Europe/Athens",
    )
    ledger_key: SecretStr | None = Field(
        default=None, description="hex; seals the ledger; default: ledger.key in the data folder"
    )
    allowed_hosts: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(), description="hosts that actions may call, as host or host:port; none: nothing"
    )
    allowed_private_hosts: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(), description="those of them inside our own network"
    )
    paper_providers: Annotated[tuple[PaperProvider, ...], NoDecode] = Field(
        default=("semantic_scholar", "openalex"),
        description="where packs search scholarly papers; empty: nowhere",
    )
    semantic_scholar_url: str = Field(default=semantic_scholar.HOST, pattern=_BASE_URL)
    semantic_scholar_key: SecretStr | None = Field(
        default=None, description="without one it is shared with everybody, and often busy"
    )
    openalex_url: str = Field(default=openalex.HOST, pattern=_BASE_URL)
    openalex_key: SecretStr | None = Field(
        default=None, description="free; without one a few searches a day are answered"
    )
    ca_file: Path | None = Field(
        default=None, description="authorities in PEM that those hosts may use beside the public"
    )
    webhooks_file: Path | None = Field(
        default=None, description="endpoints that are told of events, in TOML; none: nobody"
    )
    channels_file: Path | None = Field(
        default=None,
        description="where people are told of approvals, in TOML;"
        " default: channels.toml beside the policy, if it is there",
    )
    ingest_dir: Path | None = Field(
        default=None,
        description="mapping files KIND.yaml for bodies posted to /v1/ingest/KIND;"
        " default: ingest in the data folder, if it is there",
    )
    oidc_file: Path | None = Field(
        default=None, description="issuers whose signed tokens let callers in, in TOML; none: keys"
    )
    metrics_redis_url: SecretStr | None = Field(
        default=None, description="a Redis server that the counters are told to as well"
    )
    otlp_endpoint: str | None = Field(
        default=None,
        pattern=_BASE_URL,
        description="collector that is sent a span a node, OTLP over HTTP; none: nothing is",
    )
    otlp_content: bool = Field(
        default=False,
        description="spans of tool calls hold arguments, results and reasons too; secrets covered",
    )
    speech: Literal["off", "auto", "piper", "espeak-ng"] = Field(
        default="off", description="what speaks, when it is installed; only a service speaks"
    )
    speech_voice: str | None = Field(
        default=None, description="piper's file of a voice (.onnx), or espeak-ng's name of one"
    )
    full_runs: bool | None = Field(
        default=None,
        description="each event is a run of the graph with a checkpoint a stage, as Studio shows;"
        " default: under `langgraph dev` only",
    )
    visitors: bool = Field(
        default=False,
        description="a LangGraph server lets this machine look and ask without a key, as nobody",
    )
    trusted_origins: Annotated[tuple[str, ...], NoDecode] = Field(
        default=("https://smith.langchain.com",),
        description="sites whose pages may call a LangGraph server's routes: Studio's",
    )
    trusted_hosts: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(), description="names we answer to beside loopback and the address listened on"
    )
    host: str = "127.0.0.1"
    port: int = Field(default=8765, ge=0, le=65_535)
    public_url: str | None = Field(
        default=None,
        pattern=_BASE_URL,
        description="where people reach the service, for links; default: host and port",
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Ask `.env` only where it says anything: to look there for 39 fields takes a ms."""
        says = isinstance(dotenv_settings, DotEnvSettingsSource) and dotenv_settings.env_vars
        return (init_settings, env_settings, *((dotenv_settings,) if says else ()))

    @field_validator(
        *("packs", "allowed_hosts", "allowed_private_hosts", "paper_providers"),
        *("trusted_origins", "trusted_hosts"),
        mode="before",
    )
    @classmethod
    def _split(cls, given: object) -> object:
        if isinstance(given, str):
            return tuple(part.strip() for part in given.split(",") if part.strip())
        return given

    @field_validator("allowed_hosts", "allowed_private_hosts")
    @classmethod
    def _are_hosts(cls, entries: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(read_entry(entry) for entry in entries)

    @field_validator("trusted_hosts")
    @classmethod
    def _are_names(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        plain = tuple(name.lower().removeprefix("[").removesuffix("]") for name in names)
        for name in plain:
            if not is_plain_host(name):
                raise ValueError(f"{name!r} is no name of a host; leave the port out")
        return plain

    @field_validator("trusted_origins")
    @classmethod
    def _are_origins(cls, origins: tuple[str, ...]) -> tuple[str, ...]:
        plain = tuple(origin.lower().removesuffix("/") for origin in origins)
        for origin in plain:
            if re.fullmatch(r"https?://[^/?#@*\s]+", origin) is None:
                raise ValueError(f"{origin!r} is no origin; write it as https://studio.example")
        return plain

    @field_validator("timezone")
    @classmethod
    def _is_a_zone(cls, name: str) -> str:
        try:
            zone_of(name)
        except (ZoneInfoNotFoundError, ValueError, OSError) as error:
            raise ValueError(f"no time zone {name!r}; write it as Europe/Athens") from error
        return name

    @field_validator("database_url")
    @classmethod
    def _sqlite_only(cls, url: str | None) -> str | None:
        if url is not None and not url.startswith("sqlite:///"):
            raise ValueError("only SQLite is served yet: sqlite:///PATH")
        return url

    @property
    def channels_path(self) -> Path | None:
        """The file of the channels; None: there is none."""
        beside = self.policy_file.with_name("channels.toml")
        return self.channels_file or (beside if beside.is_file() else None)

    @property
    def ingest_folder(self) -> Path:
        """The folder of an operator's own mapping files."""
        return self.ingest_dir or self.data_dir / "ingest"

    @property
    def zone(self) -> tzinfo:
        """The clock on the wall."""
        return zone_of(self.timezone)

    @property
    def cache_folder(self) -> Path:
        """The folder of what can be made again."""
        return self.cache_dir or self.data_dir / "cache"

    @property
    def database(self) -> str:
        """The URL of our tables."""
        return self.database_url or f"sqlite:///{self.data_dir.resolve() / 'prefrontal.sqlite'}"

    @property
    def database_folder(self) -> Path:
        """The folder of our tables; one process works on it, wherever the others are."""
        return Path(self.database.removeprefix("sqlite:///")).parent


def zone_of(name: str) -> tzinfo:
    """Find a time zone; UTC is there on a machine without any list of zones too.

    Raises:
        ZoneInfoNotFoundError, ValueError, OSError: there is none of that name.
    """
    return UTC if name == "UTC" else ZoneInfo(name)


def apply_langsmith_switch(settings: Settings) -> None:
    """Turn tracing off for this process where the setting says so; else leave it as it is."""
    if not settings.langsmith:
        from langsmith import configure  # a third of a second, and most commands trace nothing

        configure(enabled=False)
