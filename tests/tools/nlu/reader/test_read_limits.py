"""What the reader adds to the grammar: limits that no slot took, and orders that are not meant."""

from pathlib import Path

import pytest

from state.errors import EncoderUnavailable
from state.policy import Routing
from tools.adapters.embedding.minilm import AdaptedMiniLM
from tools.adapters.embedding.reader import MiniLMReader
from tools.catalog.action_catalog import Catalogue
from tools.nlu.intents.router import Router
from tools.nlu.lexicon.normalization import normalise
from tools.nlu.reader.reading import Reader

pytestmark = pytest.mark.xdist_group("hearing")  # one worker learns the pack, once

NARROWED = (
    ("cancel WO-1042 in a fortnight", "fortnight"),
    ("approve PO-2201 without telling Ana", "without telling"),
    ("assign WO-1040 to Tom for the next two days", "two days"),
    ("approve a third of PO-2201", "third"),
    ("approve PO-2201 provided Ana agrees", "Ana agrees"),
    ("approve PO-2201 for no more than 400 euros", "400"),
)
NOT_MEANT = (
    "under no circumstances bin DOC-019",
    "nobody is to sign off PO-2201",
    "suppose we binned DOC-019, who would mind",
    "yeah right, sign off PO-2201, what could possibly go wrong",
    "I binned DOC-019 myself this morning",
)


@pytest.fixture(scope="module")
def read(catalogue: Catalogue, encoder: AdaptedMiniLM, learnt_once: Path) -> Router:
    labels = Reader(MiniLMReader(learnt_once))
    return Router(catalogue, cache=learnt_once, embedder=encoder, labels=labels)


def offered(routing: Routing, catalogue: Catalogue) -> set[str]:
    names = {routing.action, *(one.action for one in routing.alternatives)} - {None}
    return {name for name in names if name and catalogue.actions[name].effect != "read"}


@pytest.mark.parametrize(("text", "limit"), NARROWED)
def test_what_limits_an_order_is_told(read: Router, text: str, limit: str):
    routing = read.route(text)

    assert routing.action is not None
    assert limit in " ".join(one.text for one in routing.uncovered)


@pytest.mark.parametrize("text", NOT_MEANT)
def test_a_change_that_is_not_meant_runs_and_asks_nothing(
    read: Router, catalogue: Catalogue, text: str
):
    routing = read.route(text)
    changes = offered(routing, catalogue)

    assert not changes or routing.held is not None or routing.confidence < 0.5


@pytest.mark.parametrize(
    "text", ["close WO-1042", "please approve PO-2201", "archive DOC-019", "order 3 oil filters"]
)
def test_a_plain_order_is_as_the_grammar_reads_it(read: Router, hearing: Router, text: str):
    with_labels, without = read.route(text), hearing.route(text)

    assert with_labels == without
    assert with_labels.held is None
    assert not with_labels.uncovered


def test_without_its_model_the_grammar_alone_decides(
    catalogue: Catalogue, encoder: AdaptedMiniLM, learnt_once: Path, hearing: Router
):
    class Missing:
        name = "missing"

        def label(self, text: str):
            raise EncoderUnavailable("no weights")

    router = Router(catalogue, cache=learnt_once, embedder=encoder, labels=Reader(Missing()))

    assert router.route("close WO-1042") == hearing.route("close WO-1042")


def test_a_message_is_read_the_same_each_time(learnt_once: Path):
    text = normalise("move WO-1042 to friday, but only if Ana agrees")
    first, second = (Reader(MiniLMReader(learnt_once)).read(text) for _ in range(2))

    assert first == second
    assert len(first.tags) == len(text.tokens)
    assert abs(sum(first.wants.values()) - 1) < 1e-5
