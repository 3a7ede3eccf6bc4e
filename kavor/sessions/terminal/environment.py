"""The environment a shell is started with: the user's own, without what another terminal left in it."""

from __future__ import annotations

import os
import pwd
import re
from collections.abc import Mapping

from kavor.domain.environment import check_variable
from kavor.domain.errors import BadInput

_OTHER_TERMINALS = re.compile(
    r"(TMUX|TMUX_PANE|STY|WINDOW|WINDOWID|TERM_PROGRAM_VERSION|TERM_SESSION_ID|VTE_VERSION|LC_TERMINAL.*"
    r"|(KITTY|ITERM|WEZTERM|GHOSTTY|ALACRITTY|VSCODE|KONSOLE|TERMINATOR|WT)_.*"
    r"|COLUMNS|LINES|SHLVL|PWD|OLDPWD|_|PS[0-4]|PROMPT_COMMAND|NOTIFY_SOCKET|KAVOR_.*)"
)


def shell_environment(
    inherited: Mapping[str, str], session_id: str, mark: str, shell: str, additions: Mapping[str, str]
) -> dict[str, str]:
    """What a session's shell starts with. Every process of the session can be told by KAVOR_SESSION, the
    id, and those of this very start of it by KAVOR_SESSION_MARK.

    Raises BadInput for an addition that is reserved or is no environment variable.
    """
    environment = {name: value for name, value in inherited.items() if not _OTHER_TERMINALS.fullmatch(name)}
    if "KAVOR_HOME" in inherited:
        environment["KAVOR_HOME"] = inherited["KAVOR_HOME"]
    user = pwd.getpwuid(os.getuid())
    environment.setdefault("HOME", user.pw_dir)
    environment.setdefault("USER", user.pw_name)
    environment.setdefault("LOGNAME", user.pw_name)
    environment.setdefault("PATH", os.defpath)
    if not any(environment.get(name) for name in ("LC_ALL", "LC_CTYPE", "LANG")):
        environment["LANG"] = "C.UTF-8"
    for name, value in additions.items():
        _check_addition(name, value)
        environment[name] = value
    environment |= {
        "SHELL": shell,
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "TERM_PROGRAM": "kavor",
        "KAVOR_SESSION": session_id,
        "KAVOR_SESSION_MARK": mark,
    }
    return environment


def _check_addition(name: str, value: str) -> None:
    check_variable(name)
    if "\0" in value:
        raise BadInput(f"the value of {name} has a NUL character", "remove it")
