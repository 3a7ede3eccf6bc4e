"""What is said between people and one CodingAgent, as far as it was looked at. Knows no widget."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from kavor.canvas.things import Document
from kavor.domain.messages import MessageState


@dataclass(frozen=True)
class Entry:
    """One thing in a transcript; ``kind`` is prompt, text, thought, tool, plan, question or notice."""

    number: int
    kind: str
    text: str
    data: Mapping[str, Any]

    @classmethod
    def read(cls, document: Document) -> Entry:
        return cls(document["number"], document["kind"], document["text"], document["data"])

    @property
    def is_open_question(self) -> bool:
        """Whether it is asked elsewhere, with buttons to answer it by."""
        return self.kind == "question" and "answer" not in self.data


@dataclass(frozen=True)
class Message:
    """One to an agent; ``sender`` is empty where a person sent it."""

    id: int
    agent: str
    sender: str
    text: str
    state: str

    @classmethod
    def read(cls, document: Document) -> Message:
        return cls(
            id=document["id"],
            agent=document["agent"],
            sender=document["sender"]["name"] if document["sender"]["kind"] == "agent" else "",
            text=document["text"],
            state=document["state"],
        )

    @property
    def waits(self) -> bool:
        return self.state == MessageState.QUEUED


@dataclass
class Conversation:
    """Of one agent's session: its transcript's entries, and the messages that wait, by number."""

    entries: dict[int, Entry] = field(default_factory=dict)
    version: int = 0
    """Of the transcript: what is newer was not read yet."""
    inbox: dict[int, Message] = field(default_factory=dict)
    _told: set[int] = field(default_factory=set)
    """Messages that were heard of since a list of them was asked for."""

    def take(self, entries: Iterable[Entry], version: int) -> None:
        """What was told of the transcript after ``version``."""
        for entry in entries:
            self.entries[entry.number] = entry
        self.version = version

    def begin_anew(self) -> None:
        """Another runtime keeps another transcript."""
        self.entries.clear()
        self.version = 0

    def hear(self, message: Message) -> None:
        """It was sent, or went on."""
        self._told.add(message.id)
        if message.waits:
            self.inbox[message.id] = message
        else:
            self.inbox.pop(message.id, None)

    def expect_list(self) -> None:
        """The messages are asked for now; what is heard from here on is newer than what the answer says."""
        self._told.clear()

    def take_list(self, messages: Iterable[Message]) -> None:
        newer = {number: message for number, message in self.inbox.items() if number in self._told}
        listed = {each.id: each for each in messages if each.waits and each.id not in self._told}
        self.inbox = listed | newer

    def ordered(self) -> list[Entry]:
        """From the oldest on, without what is asked now."""
        entries = [self.entries[number] for number in sorted(self.entries)]
        return [entry for entry in entries if not entry.is_open_question]

    def waiting(self) -> list[Message]:
        """In the order in which they will be delivered."""
        return [self.inbox[number] for number in sorted(self.inbox)]
