"""What a person reads when an agent asks: which tool, and what with, as far as the agent tells."""

from __future__ import annotations

import pytest

from kavor.sessions.agent.acp_reading import question_text


@pytest.mark.parametrize(
    ("asked", "title_before", "text"),
    [
        ({"title": "touch a.txt"}, None, "touch a.txt"),
        ({"title": "Bash", "rawInput": {"command": "touch a.txt"}}, "Bash", "Bash: touch a.txt"),
        ({"title": "Shell", "rawInput": {"cmd": ["ls", "-l"]}}, None, "Shell: ls -l"),
        ({"title": '{"note": "plan"}'}, "read_sticky_note", 'read_sticky_note: {"note": "plan"}'),
        ({"title": "touch a.txt"}, "bash: touch a.txt", "bash: touch a.txt"),
        ({}, None, "it wants to use a tool, and does not say which"),
    ],
)
def test_a_question_says_which_tool_and_what_with(
    asked: dict[str, object], title_before: str | None, text: str
) -> None:
    assert question_text(asked, title_before) == text
