"""What the runtime and an engine process say to each other, over a socket that each engine has of its own.

The engine's first word is the number of its process.
The runtime's word is one MessagePack document behind its length. The engine's are a header, with the
number of the onlooker it is for and whether it takes a credit, and what the runtime passes on unread.
"""

from __future__ import annotations

import struct
from asyncio import StreamReader

import msgspec

LONGEST = 16 * 1024 * 1024

_LENGTH = struct.Struct(">I")  # or the number of a process
_HEADER = struct.Struct(">IIB")


class Begin(msgspec.Struct, tag="begin", frozen=True):
    """The first word: with which engine to draw which session, and the PTY host's socket."""

    engine: str
    socket: str
    session: str


class Attach(msgspec.Struct, tag="attach", frozen=True):
    """Somebody looks. The number is the runtime's; ``credit`` is what they have left."""

    onlooker: int
    credit: int


class Detach(msgspec.Struct, tag="detach", frozen=True):
    onlooker: int


class Grant(msgspec.Struct, tag="grant", frozen=True):
    onlooker: int
    frames: int


class Read(msgspec.Struct, tag="read", frozen=True):
    """Rows of the scrollback, for a `kavor.terminal_frames.ReadScrollback`."""

    onlooker: int
    request: int
    first: int
    count: int


FromRuntime = Begin | Attach | Detach | Grant | Read

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(FromRuntime).decode


def started(process: int) -> bytes:
    return _LENGTH.pack(process)


async def read_started(reader: StreamReader) -> int:
    """The number of the engine's process. Raises IncompleteReadError when it has died before."""
    (process,) = _LENGTH.unpack(await reader.readexactly(_LENGTH.size))
    return int(process)


def to_engine(message: FromRuntime) -> bytes:
    data = _encode(message)
    return _LENGTH.pack(len(data)) + data


async def read_from_runtime(reader: StreamReader) -> FromRuntime:
    """Raises IncompleteReadError when the runtime is gone."""
    (length,) = _LENGTH.unpack(await reader.readexactly(_LENGTH.size))
    return _decode(await reader.readexactly(length))


def to_onlooker(number: int, message: bytes, *, takes_credit: bool) -> bytes:
    return _HEADER.pack(len(message), number, takes_credit) + message


async def read_from_engine(reader: StreamReader) -> tuple[int, bool, bytes]:
    """Whom it is for, whether it takes a credit, and the message. Raises IncompleteReadError at the end."""
    length, number, takes_credit = _HEADER.unpack(await reader.readexactly(_HEADER.size))
    if length > LONGEST:
        raise ValueError(f"an engine sends no {length} bytes at once")
    return number, bool(takes_credit), await reader.readexactly(length)
