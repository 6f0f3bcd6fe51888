"""Which strategy is better here? The three of them on the same cases, with intervals."""
