"""Sessions of CodingAgents: which programs they are, how each is spoken to, and what became of a prompt."""
