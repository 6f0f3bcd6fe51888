"""Words that lean on the conversation: yes and no, corrections, declarations, list places."""
