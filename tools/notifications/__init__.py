"""Webhooks: a transactional outbox and signed delivery with retries."""
