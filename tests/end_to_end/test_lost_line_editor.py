"""A Terminal whose line editor is switched off: the attempt that waits for it says why, and goes in later."""

from __future__ import annotations

import pytest
from kavor_command import Kavor


@pytest.mark.contract("K61")
def test_an_attempt_that_waits_in_vain_says_what_to_do(kavor: Kavor) -> None:
    kavor.json("schedule", "add", "--name", "s", "--payload", "echo S", "--target", "shell")
    kavor.json("session", "type", "shell", "set +o emacs; set +o vi", "--enter")

    def says_why() -> str:
        (session,) = kavor.json("session", "list")["sessions"]
        return str(session["diagnostic"])

    kavor.until(lambda: "switched off" in says_why())
    number = str(kavor.json("schedule", "run", "s")["id"])
    attempt = kavor.json("attempt", "show", number)
    assert (attempt["state"], attempt["waiting_for"]) == ("Pending", "busy")
    assert "restart this Terminal" in attempt["diagnostic"]
    kavor.json("session", "type", "shell", "set -o emacs", "--enter")
    kavor.until(lambda: kavor.json("attempt", "show", number)["state"] == "Completed")
    assert kavor.json("attempt", "show", number)["diagnostic"] == ""
