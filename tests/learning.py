"""Learn a pack as a service would, so that nobody has to who needs less of it."""

from pathlib import Path

from graph.settings import Settings
from graph.wiring.composition import build_toolbox


def learn(pack: str, data_dir: Path, learnt: Path) -> None:
    """Learn a pack with the encoder, unless another worker has or does: that one is waited for.

    What its words alone are worth is learnt on the way: 18 s of processor time for the vessel's.
    """
    box = build_toolbox(Settings(data_dir=data_dir, packs=(pack,), cache_dir=learnt))
    if box.encoder:
        box.encoder.close()
