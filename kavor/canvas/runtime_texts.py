"""The sentences of the runtime and of the rules that the canvas can show, as they are worded there, with a
gap in braces wherever something is put in. :mod:`kavor.canvas.runtime_words` finds them and says them in the
person's language; one that is missing here is shown as it came.

Gaps that are translated themselves: ``kind`` (a kind of Node), ``state`` (of an attempt), ``field`` (of a
cron expression, with what was written there), and ``why`` (another sentence of this list). What stands in the
others is a name, a number or what a person typed.
"""

from __future__ import annotations

from kavor.canvas.qt import QT_TRANSLATE_NOOP

REASONS = (
    QT_TRANSLATE_NOOP("Runtime", "no target is connected"),
    QT_TRANSLATE_NOOP("Runtime", "its session is closed"),
    QT_TRANSLATE_NOOP("Runtime", "the Workspace's directory is not there"),
    QT_TRANSLATE_NOOP("Runtime", "runtime stopped"),
    QT_TRANSLATE_NOOP("Runtime", "withdrawn"),
    QT_TRANSLATE_NOOP("Runtime", "its one time is used up"),
    QT_TRANSLATE_NOOP("Runtime", "its target {name} was disconnected"),
    QT_TRANSLATE_NOOP("Runtime", "its target {name} was deleted"),
    QT_TRANSLATE_NOOP("Runtime", "waited longer than {limit} s"),
    QT_TRANSLATE_NOOP("Runtime", "attempt {number} holds the target's slot"),
    QT_TRANSLATE_NOOP("Runtime", "attempt {number}, a newer one of this Schedule, took the slot"),
    QT_TRANSLATE_NOOP("Runtime", "caught up: it was missed, and this Schedule asks for the latest"),
    QT_TRANSLATE_NOOP("Runtime", "the runtime could not claim it in time: {time} late"),
    QT_TRANSLATE_NOOP("Runtime", "the runtime stopped during the delivery, and nobody observed its end"),
    QT_TRANSLATE_NOOP("Runtime", "the process that held the session died during the delivery"),
    QT_TRANSLATE_NOOP("Runtime", "the process that held the sessions is gone"),
    QT_TRANSLATE_NOOP("Runtime", "{why}; still running: {programs}"),
)
"""Why an attempt ended as it did, or why a Schedule is Paused: what the runtime records."""

OBSERVATIONS = (
    QT_TRANSLATE_NOOP("Runtime", "the shell could not parse the command, or found none in it; nothing ran"),
    QT_TRANSLATE_NOOP(
        "Runtime",
        "the command is incomplete: the shell asked for more, and the line was cleared; a part of it ran",
    ),
    QT_TRANSLATE_NOOP(
        "Runtime",
        "the command is incomplete: the shell asked for more, and the line was cleared; nothing ran",
    ),
    QT_TRANSLATE_NOOP(
        "Runtime",
        "the command is incomplete: the shell asked for more, and the line could not be cleared; "
        "a part of it ran",
    ),
    QT_TRANSLATE_NOOP(
        "Runtime",
        "the command is incomplete: the shell asked for more, and the line could not be cleared; nothing ran",
    ),
    QT_TRANSLATE_NOOP("Runtime", "the command was stopped (Ctrl-Z) and has not finished"),
    QT_TRANSLATE_NOOP("Runtime", "Ctrl-C ended one line of the command; the shell went on with the next"),
    QT_TRANSLATE_NOOP("Runtime", "the session was closed while the command ran"),
    QT_TRANSLATE_NOOP(
        "Runtime", "the shell ended after it took the command; whether it started is not known"
    ),
    QT_TRANSLATE_NOOP("Runtime", "the shell was killed by signal {signal} while the command ran"),
    QT_TRANSLATE_NOOP(
        "Runtime", "the shell ended while the command ran; whether it was replaced is not known"
    ),
    QT_TRANSLATE_NOOP("Runtime", "the shell was replaced by {program} (exec), which ended with {code}"),
    QT_TRANSLATE_NOOP("Runtime", "the shell was replaced by {program} (exec); its end cannot be observed"),
    QT_TRANSLATE_NOOP("Runtime", "the command ended the shell"),
    QT_TRANSLATE_NOOP(
        "Runtime", "this shell reports no start of a command; at its next prompt $? was {code}"
    ),
    QT_TRANSLATE_NOOP("Runtime", "the shell could not take the command; it did not run"),
    QT_TRANSLATE_NOOP("Runtime", "the shell took the command; whether it started is not known"),
    QT_TRANSLATE_NOOP("Runtime", "the shell reads a line again, but has reported no end of the command"),
    QT_TRANSLATE_NOOP(
        "Runtime",
        "the shell waits for input and has reported no end: it asks for something, or its hooks are gone",
    ),
    QT_TRANSLATE_NOOP("Runtime", "the prompt came back without an exit code: the shell's hooks are gone"),
    QT_TRANSLATE_NOOP("Runtime", "the session was closed"),
    QT_TRANSLATE_NOOP("Runtime", "the shell was killed by signal {signal}"),
    QT_TRANSLATE_NOOP("Runtime", "the shell ended with exit code {code}"),
    QT_TRANSLATE_NOOP("Runtime", "nothing can be delivered to this shell: {reason}"),
    QT_TRANSLATE_NOOP(
        "Runtime",
        "this shell has no line editor that Kavor can speak to: a command is typed in at an empty prompt, "
        "and its end is recorded as Fired, since nothing tells whether all of it ran",
    ),
)
"""What was seen of a shell and of a command in it."""

TURNS = (
    QT_TRANSLATE_NOOP("Runtime", "the model's answer was cut off: it reached its limit of tokens"),
    QT_TRANSLATE_NOOP("Runtime", "the turn was cut off: it reached its limit of requests to the model"),
    QT_TRANSLATE_NOOP("Runtime", "the agent refused to go on"),
    QT_TRANSLATE_NOOP("Runtime", "the agent stopped its turn"),
    QT_TRANSLATE_NOOP("Runtime", "the agent answered with an error: {error}"),
    QT_TRANSLATE_NOOP("Runtime", "the turn ended for a reason that is not known: {reason}"),
    QT_TRANSLATE_NOOP("Runtime", "the model failed"),
    QT_TRANSLATE_NOOP("Runtime", "the agent closed its output"),
    QT_TRANSLATE_NOOP("Runtime", "the agent closed its output: {words}"),
    QT_TRANSLATE_NOOP("Runtime", "the agent's process was killed by signal {signal}"),
    QT_TRANSLATE_NOOP("Runtime", "the agent's process was killed by signal {signal}: {words}"),
    QT_TRANSLATE_NOOP("Runtime", "the agent's process ended with exit code {code}"),
    QT_TRANSLATE_NOOP("Runtime", "the agent's process ended with exit code {code}: {words}"),
    QT_TRANSLATE_NOOP("Runtime", "its session was closed during the turn"),
    QT_TRANSLATE_NOOP("Runtime", "it was stopped by a person"),
    QT_TRANSLATE_NOOP("Runtime", "it was stopped: it took longer than {limit}"),
    QT_TRANSLATE_NOOP("Runtime", "it could not be started: {error}"),
    QT_TRANSLATE_NOOP("Runtime", "its turn could not be stopped within {seconds} s, so the agent was ended"),
    QT_TRANSLATE_NOOP("Runtime", "its end could not be observed: {error}"),
    QT_TRANSLATE_NOOP(
        "Runtime", "its end was not observed: its session is idle again, and told of no outcome"
    ),
    QT_TRANSLATE_NOOP(
        "Runtime",
        "suspect: the turn ended with nothing said and no tool called, as it does with some agents when "
        "their model failed",
    ),
    QT_TRANSLATE_NOOP("Runtime", "its way in was hung up on"),
    QT_TRANSLATE_NOOP("Runtime", "the way in ended without an answer"),
    QT_TRANSLATE_NOOP("Runtime", "the way in answered with something else than an answer"),
)
"""Why an agent's turn ended as it did, or its session: what is observed of agents."""

NOTICES = (
    QT_TRANSLATE_NOOP(
        "Runtime", "its former conversation could not be taken up again ({error}); it begins a new one"
    ),
    QT_TRANSLATE_NOOP("Runtime", "this agent cannot take up a conversation again; it begins a new one"),
    QT_TRANSLATE_NOOP("Runtime", "it has not asked for Kavor's tools; it may begin without them"),
    QT_TRANSLATE_NOOP("Runtime", "it prints more than an agent has to tell, so it is read more slowly"),
    QT_TRANSLATE_NOOP(
        "Runtime",
        "the transcript of this turn is not kept any more: the agent has had many turns since",
    ),
    QT_TRANSLATE_NOOP("Runtime", "{count} earlier entries are not kept: together they are too long"),
    QT_TRANSLATE_NOOP("Runtime", "exit code {code}"),
    QT_TRANSLATE_NOOP("Runtime", "exit code {code}: {why}"),
)
"""What a transcript tells of the agent beside what it says itself."""

REFUSALS = (
    # pairs, and what may be done to a Schedule and its attempts
    QT_TRANSLATE_NOOP("Runtime", "a Node cannot be connected to itself"),
    QT_TRANSLATE_NOOP("Runtime", "a {kind1} cannot be connected to a {kind2}"),
    QT_TRANSLATE_NOOP("Runtime", "{name1} and {name2} are in different Workspaces"),
    QT_TRANSLATE_NOOP("Runtime", "{name1} and {name2} are not connected"),
    QT_TRANSLATE_NOOP("Runtime", "{name1} and {name2} are connected already"),
    QT_TRANSLATE_NOOP("Runtime", "{name1} has a target already: {name2}"),
    QT_TRANSLATE_NOOP("Runtime", "{name} has no target to run at"),
    QT_TRANSLATE_NOOP("Runtime", "{name} was to run once at {time}, which has passed"),
    QT_TRANSLATE_NOOP("Runtime", "{name} has no occurrence left"),
    QT_TRANSLATE_NOOP("Runtime", "{name} cannot run: {why}"),
    QT_TRANSLATE_NOOP("Runtime", "that time has passed, and this Schedule is Running"),
    QT_TRANSLATE_NOOP("Runtime", "attempt {number} already waits for {name}"),
    QT_TRANSLATE_NOOP("Runtime", "attempt {number} is {state}, not Pending"),
    QT_TRANSLATE_NOOP("Runtime", "attempt {number} is {state}"),
    QT_TRANSLATE_NOOP("Runtime", "there is no attempt {number}"),
    QT_TRANSLATE_NOOP(
        "Runtime", "{name} was edited meanwhile: it is at revision {revision1}, not {revision2}"
    ),
    # Nodes and Workspaces
    QT_TRANSLATE_NOOP("Runtime", "the name is empty"),
    QT_TRANSLATE_NOOP("Runtime", "the name is longer than {count} characters"),
    QT_TRANSLATE_NOOP("Runtime", "the name has a character that cannot be shown"),
    QT_TRANSLATE_NOOP("Runtime", "there is no {kind} {name}"),
    QT_TRANSLATE_NOOP("Runtime", "there is a Workspace {name} already"),
    QT_TRANSLATE_NOOP("Runtime", "there is no Workspace {name}"),
    QT_TRANSLATE_NOOP("Runtime", "there is no directory {path}"),
    QT_TRANSLATE_NOOP("Runtime", "there is no home for {path}"),
    QT_TRANSLATE_NOOP("Runtime", "{path} is not an absolute path"),
    QT_TRANSLATE_NOOP("Runtime", "there is no file {path}"),
    QT_TRANSLATE_NOOP("Runtime", "{path} is a directory"),
    QT_TRANSLATE_NOOP("Runtime", "a {kind1} has no directory and no shell"),
    QT_TRANSLATE_NOOP("Runtime", "a Connection of a {kind1} and a {kind2} has no environment variable"),
    QT_TRANSLATE_NOOP("Runtime", "{name1} has ${variable} from {name2} already"),
    QT_TRANSLATE_NOOP("Runtime", "the environment variable {variable} is reserved for Kavor"),
    QT_TRANSLATE_NOOP("Runtime", "{variable} is not a name for an environment variable"),
    QT_TRANSLATE_NOOP("Runtime", "{name} is not a kind of Node"),
    # sessions
    QT_TRANSLATE_NOOP("Runtime", "the session of {name} is not open"),
    QT_TRANSLATE_NOOP("Runtime", "a {kind1} has no session"),
    QT_TRANSLATE_NOOP("Runtime", "there is no shell {name}"),
    QT_TRANSLATE_NOOP("Runtime", "Kavor cannot work with the shell {name} yet"),
    QT_TRANSLATE_NOOP("Runtime", "{name} could not be started: {error}"),
    QT_TRANSLATE_NOOP("Runtime", "{path} is not executable"),
    QT_TRANSLATE_NOOP("Runtime", "{name} is not installed: there is no {program}"),
    QT_TRANSLATE_NOOP("Runtime", "the program in this terminal does not read its input"),
    QT_TRANSLATE_NOOP("Runtime", "the PTY host does not answer"),
    QT_TRANSLATE_NOOP("Runtime", "the PTY host did not start in time"),
    QT_TRANSLATE_NOOP("Runtime", "the PTY host failed: {error}"),
    QT_TRANSLATE_NOOP("Runtime", "the screen cannot be shown"),
    QT_TRANSLATE_NOOP("Runtime", "the command cannot be handed over: {error}"),
    QT_TRANSLATE_NOOP("Runtime", "the runtime refused the terminal's stream"),
    QT_TRANSLATE_NOOP("Runtime", "the terminal's stream was closed"),
    # payload
    QT_TRANSLATE_NOOP("Runtime", "the payload is empty"),
    QT_TRANSLATE_NOOP("Runtime", "the payload is {size} bytes long; at most {most} can be delivered"),
    QT_TRANSLATE_NOOP("Runtime", "the payload has the control character {code} at offset {offset}"),
    QT_TRANSLATE_NOOP("Runtime", "the payload has the bidirectional control {code} at offset {offset}"),
    QT_TRANSLATE_NOOP("Runtime", "the payload has the lone surrogate {code} at offset {offset}"),
    # policies and zones
    QT_TRANSLATE_NOOP("Runtime", "a misfire grace of {seconds} s is out of range"),
    QT_TRANSLATE_NOOP("Runtime", "a pending limit of {seconds} s is out of range"),
    QT_TRANSLATE_NOOP("Runtime", "{name} is not a known time zone"),
    # the runtime itself
    QT_TRANSLATE_NOOP("Runtime", "no runtime is running"),
    QT_TRANSLATE_NOOP("Runtime", "the runtime did not answer within {seconds} s"),
    QT_TRANSLATE_NOOP("Runtime", "the runtime went away while it was asked"),
    QT_TRANSLATE_NOOP("Runtime", "the runtime is stopping"),
    QT_TRANSLATE_NOOP("Runtime", "the runtime does not answer"),
    QT_TRANSLATE_NOOP("Runtime", "the disk is full: {path} cannot be written"),
    QT_TRANSLATE_NOOP("Runtime", "{path} cannot be used: {error}"),
    QT_TRANSLATE_NOOP("Runtime", "something went wrong that has no name yet"),
)
"""Why the runtime says no."""

AGENTS = (
    QT_TRANSLATE_NOOP("Runtime", "{name} asks nothing now"),
    QT_TRANSLATE_NOOP("Runtime", "{name} works on nothing now"),
    QT_TRANSLATE_NOOP("Runtime", "{name} is a {kind1}"),
    QT_TRANSLATE_NOOP("Runtime", "{name} is not a provider of agents"),
    QT_TRANSLATE_NOOP("Runtime", "the provider {name} needs a command"),
    QT_TRANSLATE_NOOP("Runtime", "the provider {name} has a command of its own"),
    QT_TRANSLATE_NOOP("Runtime", "a CodingAgent needs a provider"),
    QT_TRANSLATE_NOOP("Runtime", "the command has more than {count} words"),
    QT_TRANSLATE_NOOP("Runtime", "{name} is empty"),
    QT_TRANSLATE_NOOP("Runtime", "{name} is longer than {count} characters"),
    QT_TRANSLATE_NOOP("Runtime", "{name} has a character that cannot be shown"),
    QT_TRANSLATE_NOOP("Runtime", "a turn limit of {seconds} s is out of range"),
    QT_TRANSLATE_NOOP("Runtime", "{name} is not a Guardrail"),
    QT_TRANSLATE_NOOP("Runtime", "a Connection of a {kind1} and a {kind2} cannot have the Guardrail {name}"),
    QT_TRANSLATE_NOOP("Runtime", "the Guardrail {name1} forbids it: {name2} may be read, and not changed"),
    QT_TRANSLATE_NOOP("Runtime", "{count} messages already wait for {name}"),
    QT_TRANSLATE_NOOP("Runtime", "message {number} is {state}"),
    QT_TRANSLATE_NOOP("Runtime", "there is no message {number}"),
    QT_TRANSLATE_NOOP("Runtime", "there is no turn {number}"),
    # what an agent asks for through Kavor's tools
    QT_TRANSLATE_NOOP("Runtime", "there is no Node {name} that you can reach"),
    QT_TRANSLATE_NOOP("Runtime", "several Nodes are called {name}"),
    QT_TRANSLATE_NOOP("Runtime", "{name} is a {kind1}, not a {kind2}"),
    QT_TRANSLATE_NOOP("Runtime", '"Allow workspace editing" is off for you, so nothing was changed'),
    QT_TRANSLATE_NOOP("Runtime", "{path} is outside the Workspace, or of a Node that you cannot reach"),
    QT_TRANSLATE_NOOP("Runtime", "a message to yourself is not sent"),
    QT_TRANSLATE_NOOP("Runtime", "nothing runs in {name} that could be interrupted"),
    QT_TRANSLATE_NOOP("Runtime", "the run {run} does not run in {name} now"),
    QT_TRANSLATE_NOOP("Runtime", "what ran in {name} has just ended"),
    QT_TRANSLATE_NOOP(
        "Runtime",
        "the limit of hops forbids it: {count} messages have gone from agent to agent since a person or a "
        "Schedule began this",
    ),
    QT_TRANSLATE_NOOP(
        "Runtime", "the idempotency key {key} was that of message {number}, which says something else"
    ),
)
"""Why an agent, a message to it or a Guardrail is refused."""

TEXTS = (
    QT_TRANSLATE_NOOP("Runtime", "{name} is not a state of a Specification"),
    QT_TRANSLATE_NOOP("Runtime", "{name} is not a colour of a Sticky Note"),
    QT_TRANSLATE_NOOP("Runtime", "the text is {count} characters long; a Sticky Note holds {most}"),
    QT_TRANSLATE_NOOP("Runtime", "the text has {fault} at offset {offset}"),
    QT_TRANSLATE_NOOP("Runtime", "the text is {size} bytes long; at most {most} are written"),
    QT_TRANSLATE_NOOP("Runtime", "{name} was edited meanwhile"),
    QT_TRANSLATE_NOOP("Runtime", "{path} was changed meanwhile"),
    QT_TRANSLATE_NOOP("Runtime", "{path} is longer than {most} bytes"),
    QT_TRANSLATE_NOOP("Runtime", "{path} is no text in UTF-8"),
    QT_TRANSLATE_NOOP("Runtime", "{path} cannot be read: {error}"),
    QT_TRANSLATE_NOOP("Runtime", "{path} cannot be read: it is a link now, or one of its folders is"),
    QT_TRANSLATE_NOOP("Runtime", "{path} cannot be read just now: it does not answer"),
    QT_TRANSLATE_NOOP("Runtime", "whether {path} was written is not known: it does not answer"),
    QT_TRANSLATE_NOOP("Runtime", "{path} cannot be written: {error}"),
    QT_TRANSLATE_NOOP("Runtime", "{path} cannot be followed: {error}"),
    QT_TRANSLATE_NOOP("Runtime", "{path} is not a file any more"),
    QT_TRANSLATE_NOOP("Runtime", "there is a file {path} already"),
    QT_TRANSLATE_NOOP("Runtime", "a {kind1} has no text"),
    QT_TRANSLATE_NOOP("Runtime", "a {kind1} has no path"),
    QT_TRANSLATE_NOOP("Runtime", "a {kind1} has no {key}"),
    QT_TRANSLATE_NOOP("Runtime", "a File needs a path"),
    QT_TRANSLATE_NOOP("Runtime", "a path cannot have a NUL character"),
    QT_TRANSLATE_NOOP("Runtime", "the Workspace {name} still has {count} Nodes"),
    QT_TRANSLATE_NOOP("Runtime", "a Node was added to the Workspace {name} meanwhile"),
)
"""Why a text, a file or a folder is refused."""

RECURRENCES = (
    QT_TRANSLATE_NOOP("Runtime", "the cron expression is empty"),
    QT_TRANSLATE_NOOP("Runtime", "{text} has {count} field, not five"),
    QT_TRANSLATE_NOOP("Runtime", "{text} has {count} fields, not five"),
    QT_TRANSLATE_NOOP("Runtime", "{text} is not a known alias"),
    QT_TRANSLATE_NOOP("Runtime", "@reboot is not a time"),
    QT_TRANSLATE_NOOP("Runtime", "{text} never occurs: no month it names has a day {day}"),
    QT_TRANSLATE_NOOP("Runtime", "{field} has an empty place in its list"),
    QT_TRANSLATE_NOOP("Runtime", "{field} is not understood at {text}"),
    QT_TRANSLATE_NOOP("Runtime", "{field} names {number}, outside {low}-{high}"),
    QT_TRANSLATE_NOOP("Runtime", "{field} has {text} as its step"),
    QT_TRANSLATE_NOOP("Runtime", "{field} runs backwards"),
    QT_TRANSLATE_NOOP("Runtime", "{field} uses {mark}, which crontab does not have"),
    QT_TRANSLATE_NOOP("Runtime", "{text} is not an instant"),
    QT_TRANSLATE_NOOP("Runtime", "{text} is not a local time"),
    QT_TRANSLATE_NOOP("Runtime", "{text} names an offset, and a local time has none"),
    QT_TRANSLATE_NOOP("Runtime", "{text} has seconds"),
    QT_TRANSLATE_NOOP("Runtime", "the year {year} is out of reach"),
    QT_TRANSLATE_NOOP("Runtime", "{text} is not an interval"),
    QT_TRANSLATE_NOOP("Runtime", "{text} is shorter than a minute"),
    QT_TRANSLATE_NOOP("Runtime", "{text} is longer than a century"),
    QT_TRANSLATE_NOOP("Runtime", "the recurrence does not say when"),
    QT_TRANSLATE_NOOP("Runtime", "the recurrence lacks {key}"),
    QT_TRANSLATE_NOOP("Runtime", "a recurrence of {text} has no {key}"),
    QT_TRANSLATE_NOOP("Runtime", "{text} says its {key} twice"),
    QT_TRANSLATE_NOOP("Runtime", "{text} is not a {key} of recurrence"),
    QT_TRANSLATE_NOOP("Runtime", "{key} must be text, not {text}"),
    QT_TRANSLATE_NOOP("Runtime", "{text} is not a preset"),
    QT_TRANSLATE_NOOP("Runtime", "weekday {text} is not a day of the week"),
    QT_TRANSLATE_NOOP("Runtime", "time {text} is not a time of day"),
    QT_TRANSLATE_NOOP("Runtime", "{key} {text} is not one of {low}-{high}"),
)
"""What is wrong with a recurrence."""

MESSAGES = tuple(
    map(str, (*REASONS, *OBSERVATIONS, *TURNS, *NOTICES, *REFUSALS, *AGENTS, *TEXTS, *RECURRENCES))
)
