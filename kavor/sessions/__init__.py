"""Live targets: shells and coding agents, and what could be observed of them."""
