"""A vessel-like pack with the actions that the action execution contract names."""

from collections.abc import Callable
from pathlib import Path

import pytest

from state.policy import Routing
from tests.tools.nlu.filling import Filling, filling_of
from tools.adapters.embedding.minilm import AdaptedMiniLM
from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import load_pack
from tools.nlu.intents.router import Router

Routed = Callable[[str], Routing]

PACKS = Path(__file__).parents[3] / "packs"
TABLE = Path(__file__).with_name("vessel_like.txt")
ENTITIES = r"""
entities:
  work_order: {patterns: ["WO-\\d{3,5}"], words: [job], lookup: "lookups:work_orders"}
  task: {patterns: ["TSK-\\d{3}"]}
  purchase_order: {patterns: ["PO-\\d{4}"]}
  fault_code: {patterns: ["F-\\d{3}"]}
  equipment:
    list:
      port generator: []
      starboard generator: []
      generators: []
      watermaker: [water maker, reverse osmosis plant]
      bow thruster: []
      port main engine: []
      bilge pump: []
  part: {list: [oil filter, fuel filter, zinc anode, impeller, coolant, membrane]}
  crew: {list: {Tom Becker: [Tom], Ana Costa: [Ana]}}
  document: {patterns: ["DOC-\\d{3}"], list: [watermaker manual, old watermaker manual, fire plan]}
  certificate: {list: [class certificate, liferaft certificate]}
"""
LOOKUPS = """
import json

def work_orders(data_dir):
    return json.loads((data_dir / "orders.json").read_text())
"""
ORDERS = '{"WO-1042": ["filter replacement"], "WO-1038": ["seal change"], "WO-1040": []}'


def write_vessel_like(folder: Path) -> Path:
    """Write the pack."""
    folder.mkdir(parents=True)
    entries, functions = ["actions:"], []
    for line in TABLE.read_text().splitlines()[1:]:
        name, verb, words, thing, container, slots, effect, examples = line.split("|")
        given = [slot.strip() for slot in slots.split(",") if slot.strip()]
        entries += [
            f"  {name}:",
            f"    summary: {name.replace('_', ' ')}",
            f"    verb: {verb}",
            f"    words: [{words}]",
            f"    object: {thing}",
            *([f"    container: {container}"] if container else []),
            "    slots:",
            *[
                f"      {slot.split(':')[0]}: {{type: {slot.split(':')[1].rstrip('!')}, "
                f"required: {str(slot.endswith('!')).lower()}}}"
                for slot in given
            ],
            f"    effect: {effect}",
            f'    handler: "handlers:{name}"',
            "    examples:",
            *[f'      - "{example.strip()}"' for example in examples.split(";")],
        ]
        parameters = "".join(f", {slot.split(':')[0]}=None" for slot in given)
        functions.append(f"def {name}(context{', *' if given else ''}{parameters}): ...")
    (folder / "actions.yaml").write_text("\n".join(entries))
    (folder / "entities.yaml").write_text(ENTITIES)
    (folder / "lookups.py").write_text(LOOKUPS)
    (folder / "handlers.py").write_text("\n".join(functions))
    return folder


@pytest.fixture(scope="session")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> Catalogue:
    folder = tmp_path_factory.mktemp("packs") / "boat"
    return Catalogue.of([load_pack(write_vessel_like(folder))])


@pytest.fixture(scope="session")
def router(catalogue: Catalogue, learnt_once: Path) -> Router:
    return Router(catalogue, cache=learnt_once)


@pytest.fixture(scope="session")
def encoder() -> AdaptedMiniLM:
    return AdaptedMiniLM()


@pytest.fixture(scope="session")
def hearing(catalogue: Catalogue, encoder: AdaptedMiniLM, learnt_once: Path) -> Router:
    """The same router with an encoder beside the words."""
    return Router(catalogue, cache=learnt_once, embedder=encoder)


@pytest.fixture
def route(router: Router, data_dir: Path) -> Routed:
    """Route with a store that holds three work orders."""
    (data_dir / "orders.json").write_text(ORDERS)
    return lambda text: router.route(text, data_dir=data_dir)


@pytest.fixture(scope="session")
def write_vessel() -> Callable[[Path], Path]:
    return write_vessel_like


@pytest.fixture(scope="session")
def both(learnt_once: Path) -> Router:
    """Both packs at once: more verbs, and so more ways to misread a word."""
    packs = [load_pack(PACKS / name) for name in ("vessel", "research")]
    return Router(Catalogue.of(packs), cache=learnt_once)


@pytest.fixture(scope="session")
def fill(learnt_once: Path) -> Filling:
    """Fill slots of the small pack, on a Sunday, without learning it."""
    return filling_of(learnt_once)
