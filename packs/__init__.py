"""The packs that ship: vessel, research and companion."""
