"""Which providers of coding agents there are."""

from __future__ import annotations


def provider_names() -> tuple[str, ...]:
    return ("claude-code", "codex", "gemini", "opencode", "qwen", "kimi", "custom")
