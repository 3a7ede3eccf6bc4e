"""CodingAgents on the canvas: what they say as they say it, what they ask, and what is said to them."""
