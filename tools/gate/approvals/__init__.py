"""Approvals by people: who may answer, what they are shown, how an answer is read and applied."""
