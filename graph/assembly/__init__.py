"""The parts of a deployment, each put together from settings, thresholds and packs."""
