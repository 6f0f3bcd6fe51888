"""The words of a text: in one form, slips put right, phrases, verbs and their families."""
