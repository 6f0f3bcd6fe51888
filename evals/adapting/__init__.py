"""Learn the adapters that ship with the encoder."""
