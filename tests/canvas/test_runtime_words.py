"""What the rules and the runtime say is said in the person's language, and with the window's own buttons."""

from __future__ import annotations

import ast
import contextlib
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import kavor
from kavor.canvas.conversation import Entry
from kavor.canvas.language import speak
from kavor.canvas.qt import QApplication, QFont, QLocale, QTextCursor, QTextDocument
from kavor.canvas.runtime_hints import HINTS, HINTS_OF_THE_CANVAS
from kavor.canvas.runtime_texts import MESSAGES, NOTICES, OBSERVATIONS, REASONS, TURNS
from kavor.canvas.runtime_words import hint_words, message_words, spoken
from kavor.canvas.theme import load_theme
from kavor.canvas.transcript_text import TranscriptWriter
from kavor.domain.attempts import AttemptState
from kavor.domain.errors import BadInput, KavorError, Refused
from kavor.domain.forms import parse_recurrence
from kavor.domain.graph import NodeKind, check_pair
from kavor.domain.payload import MAX_PAYLOAD_BYTES, check_payload
from kavor.domain.zones import load_zone
from kavor.home import Home
from kavor.runtime import agents_at_work, arbiter, dispatcher, planning, supervisor, targets, transcripts
from kavor.runtime.file_access import NotAnswering
from kavor.sessions.agent import agent_session, turn
from kavor.sessions.agent.providers import Providers, program_path

ROOT = Path(kavor.__file__).parent
ERRORS = {"BadInput", "Conflict", "KavorError", "NotFound", "Refused", "StorageFailed", "Unreachable"}
RULES = (
    "agents",
    "cron",
    "environment",
    "forms",
    "graph",
    "guardrails",
    "instant",
    "kinds",
    "payload",
    "presets",
    "schedule",
    "specification",
    "sticky_note",
    "zones",
)
"""The modules of the domain that refuse what can be done on the canvas."""

ANSWERS = (
    "api/client",
    "api/connection",
    "runtime/arbiter",
    "runtime/attempt_service",
    "runtime/connections",
    "runtime/conversation_service",
    "runtime/find",
    "runtime/inbox",
    "runtime/node_kinds",
    "runtime/paths",
    "runtime/providers",
    "runtime/schedule_service",
    "runtime/session_service",
    "runtime/text_files",
    "runtime/text_service",
    "runtime/workspace_service",
)
"""Modules that refuse what the canvas asks for."""


@pytest.fixture
def japanese(qapp: QApplication) -> Iterator[None]:
    before = QLocale()
    translators = speak(qapp, QLocale("ja_JP"))
    yield
    for translator in translators:
        qapp.removeTranslator(translator)
    QLocale.setDefault(before)


def in_japanese(text: str) -> bool:
    return any("\u3040" <= letter <= "\u9fff" for letter in text)


def written(node: ast.expr, module: object) -> str | None:
    """A sentence as the source has it, with something in each gap; None where it is worded elsewhere."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(p.value if isinstance(p, ast.Constant) else filled(p, module) for p in parts)
        case ast.BinOp(left=left, op=ast.Add()):
            start = written(left, module)
            return None if start is None else start + "this, that"
        case ast.Name(id=name) if isinstance(getattr(module, name, None), str):
            return str(getattr(module, name))
    return None


def filled(part: ast.expr, module: object) -> str:
    """What may stand in a gap: a kind of Node, a state, a fault, a plural's ending, or something else."""
    assert isinstance(part, ast.FormattedValue)
    source = ast.unparse(part.value)
    if "label" in source:
        return "File"
    if "state" in source:
        return "Pending"
    if source.isupper():
        return str(getattr(module, source))
    if source == "fault":
        return "the control character"
    return "s" if source.startswith("'s' *") else "12"


def refusals(modules: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Where, and each message and hint that is written out there."""
    for name in modules:
        path = ROOT / f"{name}.py"
        module = importlib.import_module(f"kavor.{name.replace('/', '.')}")
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ERRORS:
                for argument in node.args[:2]:
                    text = written(argument, module)
                    if text:
                        yield f"{name}:{argument.lineno}", text


DOMAIN = list(refusals(tuple(f"domain/{name}" for name in RULES)))


def test_the_rules_are_found() -> None:
    assert len(DOMAIN) > 60


@pytest.mark.usefixtures("japanese")
@pytest.mark.parametrize(("place", "text"), DOMAIN)
def test_every_refusal_of_the_rules_has_a_japanese_one(place: str, text: str) -> None:
    if text != "12 12 the control character":  # a cron field's: what is wrong with it is below
        assert in_japanese(spoken(text)), place


def refused(expression: str) -> BadInput:
    with pytest.raises(BadInput) as error:
        parse_recurrence({"cron": expression})
    return error.value


@pytest.mark.usefixtures("japanese")
@pytest.mark.parametrize(
    "text",
    ["1,,2", "x", "99", "*/0", "5-1", "9-1/2", "L", "15W", "1#2", "?", "H", "R", "~"],
)
@pytest.mark.parametrize("place", range(5))
def test_what_is_wrong_with_a_cron_field_is_said_in_japanese(text: str, place: int) -> None:
    fields = ["*"] * 5
    fields[place] = text
    error = refused(" ".join(fields))
    assert in_japanese(message_words(error)), error.message
    assert in_japanese(hint_words(error)), error.hint
    assert message_words(error).startswith(("分 ", "時 ", "日 ", "月 ", "曜日 ")[place])


@pytest.mark.usefixtures("japanese")
@pytest.mark.parametrize("expression", ["", "* * *", "* * * * * *", "0 24 * * *", "60 * * * *", "0 0 30 2 *"])
def test_what_is_wrong_with_an_expression_is_said_in_japanese(expression: str) -> None:
    error = refused(expression)
    assert in_japanese(message_words(error)), error.message
    assert in_japanese(hint_words(error)), error.hint


@pytest.mark.usefixtures("japanese")
@pytest.mark.parametrize("payload", ["", "\x1b[2J", "a\u202eb", "\ud800", "x" * (MAX_PAYLOAD_BYTES + 1)])
def test_what_is_wrong_with_a_payload_is_said_in_japanese(payload: str) -> None:
    with pytest.raises(BadInput) as error:
        check_payload(payload)
    assert in_japanese(message_words(error.value)), error.value.message


@pytest.mark.usefixtures("japanese")
@pytest.mark.parametrize("zone", ["Mars/Olympus", "Europe/Berln"])
def test_an_unknown_zone_is_told_of_in_japanese(zone: str) -> None:
    with pytest.raises(BadInput) as error:
        load_zone(zone)
    assert in_japanese(message_words(error.value))
    assert in_japanese(hint_words(error.value))


@pytest.mark.usefixtures("japanese")
def test_pairs_are_refused_with_the_names_of_their_kinds() -> None:
    said = set()
    for one in NodeKind:
        for other in NodeKind:
            with contextlib.suppress(KavorError):
                check_pair("a", one, "b", other)
                continue
            with pytest.raises(KavorError) as error:
                check_pair("a", one, "b", other)
            said |= {message_words(error.value), hint_words(error.value)}
    assert "スケジュールをファイルに接続することはできません" in said
    assert all(in_japanese(words) and "cannot" not in words for words in said)


@pytest.mark.usefixtures("japanese")
@pytest.mark.parametrize(
    "reason",
    [
        arbiter.RUNTIME_STOPPED,
        dispatcher.NO_TARGET,
        planning.USED_UP,
        supervisor.HOLDER_DIED,
        supervisor.UNOBSERVED,
        agents_at_work.END_NOT_OBSERVED,
        turn.SUSPECT,
        agent_session.CLOSED,
        agent_session.CLOSED_MEANWHILE,
        agent_session.STOPPED,
        targets.CLOSED.closed_because,
        targets.WORKSPACE_GONE,
        transcripts.NOT_KEPT,
    ],
)
def test_reasons_that_are_recorded_are_said_in_japanese(reason: str) -> None:
    assert in_japanese(spoken(reason)), reason


@pytest.mark.usefixtures("japanese")
def test_what_a_transcript_tells_of_its_agent_is_in_japanese() -> None:
    told = [
        text
        for path in sorted((ROOT / "sessions" / "agent").glob("*.py"))
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "noticed"
        if (text := written(node.args[0], None))
    ]
    assert len(told) == 4
    for text in told:
        document = QTextDocument()
        TranscriptWriter(load_theme("light"), QFont(), folds=False).write(
            QTextCursor(document), Entry(1, "notice", text, {})
        )
        assert in_japanese(document.toPlainText()), text


@pytest.mark.usefixtures("japanese")
@pytest.mark.parametrize("sentence", [*REASONS, *OBSERVATIONS, *TURNS, *NOTICES])
def test_a_diagnostic_keeps_what_stands_in_it(sentence: str) -> None:
    gaps = {name: f"‹{name}›" for name in re.findall(r"\{(\w+)\}", sentence)}
    words = spoken(sentence.format(**gaps))
    assert in_japanese(words)
    assert all(value in words for value in gaps.values())


@pytest.mark.usefixtures("japanese")
@pytest.mark.parametrize("is_begun", [False, True])
def test_a_file_system_that_does_not_answer_is_told_of_in_japanese(is_begun: bool) -> None:
    error = NotAnswering("/net/lab/notes.md", is_begun=is_begun)
    assert in_japanese(message_words(error))
    assert "/net/lab/notes.md" in message_words(error)
    assert in_japanese(hint_words(error))


@pytest.mark.usefixtures("japanese")
@pytest.mark.parametrize("provider", ["claude", "opencode"])  # one needs something, the other nothing
def test_an_agent_that_is_not_installed_is_told_of_in_japanese(provider: str, home: Home) -> None:
    missing = Providers(home).find(provider)
    with pytest.raises(Refused) as error:
        program_path(missing, "its-program", "/nowhere", "/nowhere")
    assert in_japanese(message_words(error.value))
    assert "its-program" in message_words(error.value)
    assert in_japanese(hint_words(error.value))
    assert missing.install in hint_words(error.value)
    assert missing.needs in hint_words(error.value)


@pytest.mark.usefixtures("japanese")
def test_a_sentence_within_a_sentence_is_said_in_japanese_too() -> None:
    assert spoken("'a' cannot run: the payload is empty") == "'a' は実行できません: 送信する内容が空です"
    assert spoken(f"{supervisor.HOLDER_DIED}; still running: sleep (pid 7)") == (
        "送信中に、セッションを保持するプロセスが終了しました。まだ実行中: sleep (pid 7)"
    )
    assert spoken("attempt 3 is Missed") == "実行 3 は「未実行」です"


@pytest.mark.usefixtures("japanese")
def test_what_is_not_known_stays_as_it_came() -> None:
    assert spoken("May I run `rm -rf build`?") == "May I run `rm -rf build`?"
    assert spoken("a Dragon cannot be connected to a File") == "a Dragon cannot be connected to a File"


@pytest.mark.parametrize("sentence", [str(each) for each in (*MESSAGES, *HINTS)])
def test_in_english_a_sentence_stays_as_it_is(sentence: str) -> None:
    """A shorter form takes nothing from a longer one."""
    gaps = dict.fromkeys(re.findall(r"\{(\w+)\}", sentence), "12")
    gaps |= {name: "Terminal" for name in gaps if name.startswith("kind")}
    said = sentence.format(**gaps)
    assert spoken(said) == said


COMMAND = re.compile(r"\bkavor [a-z]+|(^| )--[a-z]|\b(NODE|SCHEDULE|TARGET|DIR)\b")


@pytest.mark.parametrize(("place", "text"), list(refusals(ANSWERS)))
def test_no_hint_on_the_canvas_names_a_command(place: str, text: str) -> None:
    if text == "there are several Workspaces" or "--workspace" in text:
        return  # the canvas always says which
    assert not COMMAND.search(spoken(text)), place


def test_every_hint_of_the_canvas_stands_for_one_that_names_a_command() -> None:
    assert [said for said in HINTS_OF_THE_CANVAS if not COMMAND.search(said)] == []


def test_the_button_is_named() -> None:
    error = KavorError("'shell' is not open", "open it: kavor session open 4f2a")
    assert hint_words(error) == "Press Open on its card"
    waits = KavorError("it waits", "wait for it, or withdraw it: kavor attempt withdraw 4")
    assert hint_words(waits) == "Wait for it, or withdraw it: its history has a button for that"


def test_states_in_a_sentence_are_the_words_of_the_cards() -> None:
    assert {spoken(f"attempt 1 is {state}") for state in AttemptState} == {
        f"attempt 1 is {state}" for state in AttemptState
    }
