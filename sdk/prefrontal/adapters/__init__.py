"""Gates for agent frameworks, a module each; each needs its framework, an extra of this package."""
