"""What the routes read from requests in common: the services, the face's zone, the revision of an edit."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Header, Query, Request

from kavor.domain.attempts import AttemptState
from kavor.domain.errors import BadInput
from kavor.domain.instant import Instant, parse_instant
from kavor.domain.zones import load_zone
from kavor.host_zone import host_zone_name
from kavor.runtime.services import Services

DEFAULT_LIMIT = 100
_MAX_LIMIT = 10_000
_MOST_DIGITS = 18
"""Of a revision: as many as the database can count."""


class RevisionMissing(BadInput):
    """An edit that does not say what it was based on."""

    status = 428
    kind = "revision-missing"


# Asynchronous although nothing is awaited: the framework sends others to a thread, for every request.


async def services(request: Request) -> Services:
    found: Services = request.app.state.services
    return found


async def viewer_zone(kavor_zone: Annotated[str | None, Header()] = None) -> str:
    """The zone of the machine the asking face runs on; the runtime's own where it does not say."""
    return load_zone(kavor_zone or host_zone_name()).key


async def version(if_match: Annotated[str | None, Header()] = None) -> str | None:
    """What a save of a text is based on."""
    return None if if_match is None else if_match.strip().removeprefix("W/").strip('"')


async def idempotency_key(idempotency_key: Annotated[str | None, Header()] = None) -> str | None:
    """What tells a request that is sent again from another one."""
    return None if idempotency_key is None else idempotency_key.strip().removeprefix('"').removesuffix('"')


async def revision(if_match: Annotated[str | None, Header()] = None) -> int | None:
    """What an edit is based on."""
    text = await version(if_match)
    if text is None:
        return None
    if not text.isdecimal() or len(text) > _MOST_DIGITS:
        raise BadInput(f"If-Match {if_match!r} is not a revision", 'send it like If-Match: "7"')
    return int(text)


Ask = Annotated[Services, Depends(services)]
Zone = Annotated[str, Depends(viewer_zone)]
Version = Annotated[str | None, Depends(version)]
Revision = Annotated[int | None, Depends(revision)]
IdempotencyKey = Annotated[str | None, Depends(idempotency_key)]
Limit = Annotated[int, Query(ge=1, le=_MAX_LIMIT)]
States = Annotated[list[str] | None, Query()]


def needed_revision(revision: int | None) -> int:
    """Raises RevisionMissing."""
    if revision is None:
        raise RevisionMissing("an edit needs the revision it is based on", 'send If-Match: "REVISION"')
    return revision


def attempt_states(words: list[str] | None) -> list[AttemptState]:
    """States of attempts, however they are spelt. Raises BadInput."""
    by_word = {state.lower().replace(" ", ""): state for state in AttemptState}
    found = []
    for word in words or []:
        plain = word.lower().replace(" ", "").replace("-", "").replace("_", "")
        if plain not in by_word:
            raise BadInput(f"{word!r} is not a state", "use one of: " + ", ".join(AttemptState))
        found.append(by_word[plain])
    return found


def instant_or_none(text: str | None) -> Instant | None:
    return None if text is None else parse_instant(text)
