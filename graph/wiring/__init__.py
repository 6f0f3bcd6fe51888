"""Build the tools and services of a deployment from its settings, thresholds and packs."""
