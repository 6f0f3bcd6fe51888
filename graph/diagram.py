"""Draw the graph: `python -m graph.diagram` writes graph/diagram.mmd, and a test compares it."""

import tempfile
from pathlib import Path

from graph.flow import build_flow
from graph.settings import Settings
from graph.wiring.composition import build_toolbox

FILE = Path(__file__).with_name("diagram.mmd")
_EMPTY_PACK = "actions: {}\n"


def mermaid_diagram() -> str:
    """Return the graph in Mermaid's words; packs and settings have no part in it."""
    with tempfile.TemporaryDirectory() as folder:
        pack = Path(folder) / "nothing"
        pack.mkdir()
        (pack / "actions.yaml").write_text(_EMPTY_PACK, encoding="utf-8")
        settings = Settings(data_dir=Path(folder) / "data", packs=(str(pack),))
        return build_flow(build_toolbox(settings)).get_graph().draw_mermaid()


if __name__ == "__main__":
    FILE.write_text(mermaid_diagram(), encoding="utf-8")
