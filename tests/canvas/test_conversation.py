"""What waits for an agent, whether it was heard of as it came or read as a list."""

from __future__ import annotations

from kavor.canvas.conversation import Conversation, Message


def message(number: int, state: str = "queued") -> Message:
    return Message(number, "agent", "", f"message {number}", state)


def test_a_list_that_is_older_than_what_was_heard_brings_nothing_back() -> None:
    conversation = Conversation()
    conversation.hear(message(1))
    conversation.expect_list()
    conversation.hear(message(2, "delivering"))
    conversation.hear(message(4))
    conversation.take_list([message(2), message(3)])
    assert [each.id for each in conversation.waiting()] == [3, 4]
