"""The ledger: propose, decide, execute; the only door to anything that has an effect."""
