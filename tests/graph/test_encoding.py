"""The encoder of a deployment: chosen by setting, and never a reason not to start."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from graph.settings import Settings
from graph.toolbox import RequestEncoding
from graph.wiring.composition import build_toolbox
from graph.wiring.models import build_encoder, build_request_encoding
from graph.wiring.thresholds import read_tuning
from state.errors import EncoderUnavailable
from tests.graph.conftest import OpenHarbour
from tests.openai_server import OpenAIServer, Rule
from tools.adapters.embedding.embedder import Vectors
from tools.adapters.embedding.encoder import Encoder
from tools.adapters.embedding.minilm import AdaptedMiniLM, MiniLM

QUARRY = Path(__file__).parents[1] / "quarry"


def settings_of(folder: Path, **given: Any) -> Settings:
    return Settings(
        _env_file=None,  # type: ignore[call-arg]  # of pydantic-settings, unknown to mypy
        data_dir=folder,
        cache_dir=folder / "cache",
        **given,
    )


def build(settings: Settings) -> Encoder | None:
    return build_encoder(settings, read_tuning(settings.policy_file).encoder)


def test_nothing_is_written_before_the_first_text(data_dir: Path) -> None:
    encoder = build(settings_of(data_dir))
    assert list(data_dir.iterdir()) == []
    assert encoder is not None
    encoder.embed(["now"])
    encoder.close()
    assert {path.name for path in (data_dir / "cache").iterdir()} >= {"encoder", "vectors-1.sqlite"}


def test_the_server_of_the_model_embeds_when_no_other_is_named(
    data_dir: Path, openai_server: OpenAIServer
) -> None:
    encoder = build(settings_of(data_dir, embedder="openai", model_base_url=openai_server.base_url))
    assert encoder is not None
    assert encoder.name.startswith("text-embedding-3-small@127.0.0.1")
    assert encoder.embed(["now"]).shape == (1, 64)
    encoder.close()


def test_none_is_none(data_dir: Path) -> None:
    assert build(settings_of(data_dir, embedder="none")) is None


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"embedder": "none"}, ["no encoder (EXECUTIVE_EMBEDDER=none)"]),
        ({"embedder": "minilm"}, []),
    ],
)
async def test_what_is_missing_is_told(open_harbour: OpenHarbour, given, told) -> None:
    async with open_harbour(**given) as harbour:
        lines = [line for line in harbour.executive.degraded if "encoder" in line]
    assert [line.partition(": texts are compared by their words")[0] for line in lines] == told


class Unreadable(AdaptedMiniLM):
    """What a broken installation has for telling requests apart."""

    @property
    def name(self) -> str:
        raise EncoderUnavailable("meaning.npz cannot be read")


class Deaf(MiniLM):
    def embed(self, texts: Sequence[str]) -> Vectors:
        raise EncoderUnavailable("manner.npz fits nothing")


def test_how_a_text_is_said_may_be_all_that_is_not_heard(tmp_path: Path) -> None:
    encoder = build(settings_of(tmp_path))
    assert encoder is not None
    manner = encoder.beside(Deaf(), keeps=False)
    hearing = RequestEncoding(encoder.beside(AdaptedMiniLM(), manner=manner))
    assert hearing.problem is None
    manner.warm_up()
    assert hearing.problem == "manner.npz fits nothing"


async def test_without_what_was_learnt_for_requests_it_is_told_and_texts_go_by_their_words(
    data_dir: Path, learnt_once: Path
) -> None:
    box = build_toolbox(Settings(data_dir=data_dir, packs=(str(QUARRY),), cache_dir=learnt_once))
    lost = replace(box, hearing=build_request_encoding(box.encoder, Unreadable()))
    told, usual = lost.lessened, box.lessened
    await box.database.close()
    assert (lost.hearing.encoder, box.hearing.encoder is None) == (None, False)
    assert [line for line in told if line not in usual] == [
        "the encoder cannot be used (meaning.npz cannot be read): texts are compared by their words"
    ]


async def test_a_server_that_fails_is_told_and_decisions_go_on(
    open_harbour: OpenHarbour, openai_server: OpenAIServer
) -> None:
    openai_server.rules.append(Rule(fault="server_error"))
    address = openai_server.base_url
    async with open_harbour(embedder="openai", embedding_base_url=address) as harbour:
        harbour.executive.encoders[0].warm_up()
        record = await harbour.says("how is the tide?")
        degraded = harbour.executive.degraded
    assert record.outcome != "failed"
    assert any("InternalServerError): texts are compared" in line for line in degraded)
