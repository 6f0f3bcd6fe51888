"""Commands in other shapes, frames and domains: what is recognised, and wrongly acted on."""
