"""How the command line speaks: help, usage errors, exit codes, and what goes where."""

from __future__ import annotations

import subprocess

import pytest
from kavor_command import Kavor

from kavor import __version__
from kavor.cli.main import cli


def test_the_version(kavor: Kavor) -> None:
    assert kavor("--version").out == f"kavor {__version__}\n"


def test_alone_it_shows_its_help(kavor: Kavor) -> None:
    answer = kavor()
    assert answer.code == 0
    assert "schedule" in answer.out
    assert "canvas" in answer.out


def test_the_help_of_a_command_is_the_one_listed() -> None:
    import click

    context = click.Context(cli)
    for name, (_, _, line) in cli.places.items():  # type: ignore[attr-defined]
        command = cli.get_command(context, name)
        assert command is not None
        assert command.get_short_help_str(limit=100) == line, name
        assert command.name == name


def test_every_command_takes_json() -> None:
    import click

    def leaves(command: click.Command, path: str) -> list[tuple[str, click.Command]]:
        if not isinstance(command, click.Group):
            return [(path, command)]
        context = click.Context(command)
        found = []
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            found += leaves(inner, f"{path} {name}")
        return found

    without = [
        path
        for path, command in leaves(cli, "kavor")
        if not any("--json" in parameter.opts for parameter in command.params)
    ]
    assert without == []


@pytest.mark.parametrize(
    ("arguments", "error", "hint"),
    [
        (["shedule"], "no such command 'shedule'; did you mean schedule?", "see kavor --help"),
        (["schedule", "ad"], "no such command 'ad'", "see kavor schedule --help"),
        (["schedule", "add"], "missing option '--name'", "see kavor schedule add --help"),
        (["schedule", "show"], "missing argument 'S'", "see kavor schedule show --help"),
        (["next", "daily", "--count", "0"], "invalid value for '--count'", "see kavor next --help"),
        (["attempt", "show", "abc"], "'abc' is not the number of an attempt", "kavor attempts lists them"),
        (["attempts", "--state", "Done"], "'Done' is not a state of an attempt", "use one of: Pending"),
        (["attempts", "--since", "soon"], "'soon' is not a time", "write it like"),
        (["node", "add", "rocket", "--name", "x"], "'rocket' is not a kind of Node", "use one of: schedule"),
        (
            ["node", "add", "sticky-note", "--name", "x", "--colour", "red"],
            "invalid value for '--colour'",
            "see kavor node add sticky-note --help",
        ),
        (["node", "edit", "x", "--state", "Perfect"], "'Perfect' is not a state", "use one of: Draft, Ready"),
        (["node", "list", "--kind", "rocket"], "'rocket' is not a kind of Node", "use one of"),
        (["workspace", "add", "/no/such/place"], "/no/such/place is not a directory", "make it first"),
        (["connect", "a", "b", "--guardrail", "all"], "invalid value for '--guardrail'", "see kavor connect"),
    ],
)
def test_bad_usage_is_refused_before_anything_is_started(
    kavor: Kavor, arguments: list[str], error: str, hint: str
) -> None:
    answer = kavor(*arguments)
    assert answer.code == 2
    assert answer.out == ""
    first, second = answer.err.splitlines()
    assert first.startswith(f"error: {error}")
    assert second.startswith("hint: ")
    assert hint in second
    assert not kavor.home.socket.exists()


ADD = ["schedule", "add", "--name", "x"]


@pytest.mark.parametrize(
    ("flags", "error"),
    [
        (["--cron", "61 * * * *"], "minute '61'"),
        (["--cron", "0 0 31 2 *"], "'0 0 31 2 *' never occurs"),
        (["--once", "tomorrow"], "'tomorrow'"),
        (["--once", "2099-01-01T09:00", "--cron", "0 9 * * *"], "--once and --cron cannot both say when"),
        (["--every", "2w"], "--every and --at belong together"),
        (["--at", "2099-01-01T09:00"], "--every and --at belong together"),
        (["--every", "10s", "--at", "2099-01-01T09:00"], "'10s'"),
        (["--time", "09:00"], "--time belongs to --preset"),
        (["--cron", "0 9 * * *", "--weekday", "mon"], "--weekday belongs to --preset"),
        (["--preset", "hourly", "--time", "09:00"], "a recurrence of 'hourly' has no 'time'"),
        (["--preset", "daily", "--time", "25:00"], "time '25:00'"),
        (["--preset", "fortnightly"], "invalid value for '--preset'"),
        (["--payload", "  "], "the payload is empty"),
        (["--payload", "echo \x1b[2J"], "the payload has the control character U+001B at offset 5"),
        (["--payload", "a", "--payload-file", "-"], "--payload and --payload-file cannot both be given"),
        (["--payload-file", "/dev/zero"], "the payload file /dev/zero is far too long"),
        (["--payload-file", "/no/such/file"], "the payload file /no/such/file cannot be read"),
        (["--misfire-grace", "soon"], "'soon' is not a duration"),
        (["--pending-limit", "2"], "'2' is not a duration"),
        (["--overlap", "queue"], "invalid value for '--overlap'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_bad_schedule_is_refused_before_anything_is_started(
    kavor: Kavor, flags: list[str], error: str
) -> None:
    answer = kavor(*ADD, *flags)
    assert answer.code == 2
    first, second = answer.err.splitlines()
    assert first.startswith(f"error: {error}")
    assert second.startswith("hint: ")
    assert not kavor.home.socket.exists()


def test_a_payload_from_stdin_must_be_text(kavor: Kavor) -> None:
    answer = kavor(*ADD, "--payload-file", "-", stdin=b"\xff\xfe")
    assert answer.code == 2
    assert answer.err.startswith("error: the payload file - is not UTF-8 text")


def test_an_unknown_zone_is_refused_where_times_matter(kavor: Kavor) -> None:
    for arguments in (["next", "daily"], ["schedule", "list"], [*ADD, "--cron", "0 9 * * *"]):
        answer = kavor(*arguments, TZ="Nowhere/City")
        assert answer.code == 2
        assert answer.err.startswith("error: TZ is 'Nowhere/City', which names no known time zone\nhint: ")
    assert not kavor.home.socket.exists()


@pytest.mark.parametrize("verb", ["status", "stop"])
def test_without_a_runtime_its_status_is_unreachable(kavor: Kavor, verb: str) -> None:
    answer = kavor("runtime", verb)
    assert answer.code == 4
    assert answer.err == "error: no runtime is running\nhint: start it with: kavor runtime start\n"


def test_a_reader_that_stops_reading_is_no_error(kavor: Kavor) -> None:
    many = subprocess.Popen(
        kavor.command("next", "* * * * *", "--count", "1000", "--json"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=kavor.environment,
    )
    assert many.stdout is not None
    assert many.stderr is not None
    many.stdout.read(10)
    many.stdout.close()
    with many.stderr as complaints:
        assert complaints.read() == b""
    assert many.wait(20) == 1


def test_a_terminal_without_unicode_still_gets_its_answer(kavor: Kavor) -> None:
    answer = kavor("doctor", PYTHONIOENCODING="latin-1", PYTHONUTF8="0")
    assert answer.code == 0
    assert "? python" in answer.out


def test_a_defect_is_no_traceback_for_a_person(kavor: Kavor, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = (
        "import kavor.cli.app as a; a.App.home = property(lambda self: 1 / 0); import kavor.cli.main as m;"
    )
    command = [*kavor.command()[:1], "-c", f"{broken} m.main(['doctor'])"]
    done = subprocess.run(command, capture_output=True, text=True, env=kavor.environment, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("error: something went wrong that has no name yet: ZeroDivisionError")
    assert "Traceback" not in done.stderr
    told = subprocess.run(
        command, capture_output=True, text=True, env={**kavor.environment, "KAVOR_DEBUG": "1"}, check=False
    )
    assert "Traceback" in told.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_completion_script(kavor: Kavor, shell: str) -> None:
    assert "_KAVOR_COMPLETE" in kavor("completion", shell).out


def test_completion_offers_commands(kavor: Kavor) -> None:
    offered = kavor(_KAVOR_COMPLETE="bash_complete", COMP_WORDS="kavor schedule re", COMP_CWORD="2")
    assert offered.out.split() == ["plain,resume"]


def test_completion_of_names_asks_a_running_runtime_only(kavor: Kavor) -> None:
    offered = kavor(_KAVOR_COMPLETE="bash_complete", COMP_WORDS="kavor schedule show x", COMP_CWORD="3")
    assert (offered.code, offered.out.strip(), offered.err) == (0, "", "")
    assert not kavor.home.socket.exists()
