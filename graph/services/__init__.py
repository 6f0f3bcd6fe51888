"""What callers ask of the Executive beside a decision: approvals, recall, session state, backup."""
