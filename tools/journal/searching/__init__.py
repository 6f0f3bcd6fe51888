"""A question, its filters, its two legs, and what they find."""
