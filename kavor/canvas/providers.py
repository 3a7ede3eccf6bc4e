"""What is said of a provider of agents, above all of one whose program the runtime does not find."""

from __future__ import annotations

import os
import shutil

from kavor.api.client import Document
from kavor.canvas.qt import translate


def needs_setting_up(provider: Document) -> bool:
    """Whether each agent of it must be told something before it can be made."""
    return bool(provider["takes_command"]) or provider["transport"] == "socket"


def missing_note(provider: Document) -> str:
    """In a line or two, under its name."""
    if _here_alone(provider) is not None:
        return translate("Providers", "Not on the runtime's PATH")
    return translate("Providers", "Not installed: {command}").format(command=_install(provider))


def missing_words(provider: Document) -> str:
    """Why it cannot be chosen, and what to do."""
    found = _here_alone(provider)
    if found is not None:
        return translate(
            "Providers",
            "{label} is at {path}, which is not on the PATH that the runtime was started with. Restart the "
            "runtime: kavor runtime stop, then kavor runtime start. Open shells live on.",
        ).format(label=provider["label"], path=found)
    return translate(
        "Providers", "{label} is not installed. Install it, then choose it again: {command}"
    ).format(label=provider["label"], command=_install(provider))


def setup_note(provider: Document | None) -> str:
    """What an agent of it needs before it can be opened: what to install, or how to sign in."""
    if provider is None:
        return ""
    if provider["installed"]:
        return str(provider["sign_in"])
    return missing_note(provider) if _here_alone(provider) is None else missing_words(provider)


def _install(provider: Document) -> str:
    if not provider["needs"]:
        return str(provider["install"])
    return translate("Providers", "{command} (needs {needs})").format(
        command=provider["install"], needs=provider["needs"]
    )


def _here_alone(provider: Document) -> str | None:
    """Where its program is for a program that is started here now; None where it is not there either."""
    program = provider["program"]
    found = shutil.which(program) if program and os.sep not in program else None
    return found if found and not provider["installed"] else None
