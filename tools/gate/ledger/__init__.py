"""The ledger of proposed, approved and executed actions, sealed as a hash chain."""
