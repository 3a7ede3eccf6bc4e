"""What an agent may see and do through Kavor's tools: only what it reaches, and within its Guardrails."""
