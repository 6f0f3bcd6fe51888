"""Learn the adapter that ships with the encoder."""
