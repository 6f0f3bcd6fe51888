"""Entity recognition and reference: names, aliases, typos, roles and pronouns."""
