"""Texts that are given on the command line, or in a file that it names."""

from __future__ import annotations

import sys
from pathlib import Path

from kavor.domain.errors import BadInput

_MOST_READ = 1024 * 1024
"""Bytes of a file: more than any text may have, so that its own rule can say by how much."""


def given_text(option: str, text: str | None, file: str | None) -> str | None:
    """What ``--option`` or ``--option-file`` gave; None where neither was. Raises BadInput."""
    if text is not None and file is not None:
        raise BadInput(f"--{option} and --{option}-file cannot both be given", "give one of them")
    return text if file is None else _read(option, file)


def _read(option: str, file: str) -> str:
    try:
        if file == "-":
            content = sys.stdin.buffer.read(_MOST_READ + 1)
        else:
            with Path(file).open("rb") as source:
                content = source.read(_MOST_READ + 1)
        if len(content) > _MOST_READ:
            raise BadInput(f"the {option} file {file} is far too long", f"let the {option} name it instead")
        return content.decode()
    except OSError as error:
        raise BadInput(
            f"the {option} file {file} cannot be read: {error.strerror}",
            "name a readable file, or - for stdin",
        ) from error
    except UnicodeDecodeError as error:
        raise BadInput(f"the {option} file {file} is not UTF-8 text", "only text can be taken") from error
