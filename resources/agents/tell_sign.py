"""A hook's program: passes on, as one line of JSON, which event the agent it belongs to has come to.

Called with the path of a FIFO; the event is a JSON object on stdin, as the hooks of Claude Code, Gemini CLI
and Qwen Code have it. Whatever happens, the agent goes on.
"""

import json
import os
import sys

LONGEST = 4000
"""In bytes: so much is written to a pipe at once or not at all, whoever else writes."""


def line_for(event):
    about = " ".join(str(event[name]) for name in ("hook_event_name", "notification_type") if event.get(name))
    text = event.get("message") or event.get("error") or ""
    if not text and event.get("tool_name"):
        text = f"{event['tool_name']}: {json.dumps(event.get('tool_input'), ensure_ascii=False)}"
    told = {"about": about[:200], "text": str(text)[:500]}
    line = _line({**told, "last_message": event.get("last_assistant_message") or ""})
    return line if len(line) <= LONGEST else _line(told)


def _line(told):
    return json.dumps(told).encode() + b"\n"


def main():
    line = line_for(json.load(sys.stdin))
    descriptor = os.open(sys.argv[1], os.O_WRONLY | os.O_NONBLOCK)
    os.write(descriptor, line)


try:
    main()
except (OSError, ValueError, TypeError, AttributeError):
    sys.exit(0)  # nobody listens any more, or this is no event
