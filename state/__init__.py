"""The nouns: what an event, a judgement, an action, an approval and a record are made of."""
