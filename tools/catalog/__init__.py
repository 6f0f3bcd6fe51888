"""Packs and their actions: schema, reading, checks, Python code and stores."""
