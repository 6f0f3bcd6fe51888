"""What policy settles before any model is near: intents, search fields, references, stages."""
