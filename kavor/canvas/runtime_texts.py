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
    QT_TRANSLATE_NOOP("Runtime", "the process that held the shell died during the delivery"),
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
    QT_TRANSLATE_NOOP("Runtime", "the runtime does not answer"),
    QT_TRANSLATE_NOOP("Runtime", "the disk is full: {path} cannot be written"),
    QT_TRANSLATE_NOOP("Runtime", "{path} cannot be used: {error}"),
    QT_TRANSLATE_NOOP("Runtime", "something went wrong that has no name yet"),
)
"""Why the runtime says no."""

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

HINTS = (
    QT_TRANSLATE_NOOP("Runtime", "name two different Nodes"),
    QT_TRANSLATE_NOOP(
        "Runtime", "connect it to one CodingAgent or one Terminal; that target reaches the rest"
    ),
    QT_TRANSLATE_NOOP("Runtime", "connect both to a CodingAgent, or a Terminal to a File or a Specification"),
    QT_TRANSLATE_NOOP("Runtime", "connect Nodes of one Workspace"),
    QT_TRANSLATE_NOOP("Runtime", "a Schedule has one direct target; disconnect that one first"),
    QT_TRANSLATE_NOOP("Runtime", "edit the Schedule and choose a time in the future"),
    QT_TRANSLATE_NOOP("Runtime", "choose a time in the future, or pause the Schedule first"),
    QT_TRANSLATE_NOOP("Runtime", "only an attempt that waits in a slot can be withdrawn"),
    QT_TRANSLATE_NOOP("Runtime", "only a Missed attempt is dismissed"),
    QT_TRANSLATE_NOOP("Runtime", "look at the present text and save again"),
    QT_TRANSLATE_NOOP("Runtime", "give a name of at least one character"),
    QT_TRANSLATE_NOOP("Runtime", "shorten it"),
    QT_TRANSLATE_NOOP("Runtime", "use letters, digits and signs"),
    QT_TRANSLATE_NOOP("Runtime", "use letters, digits and _"),
    QT_TRANSLATE_NOOP("Runtime", "choose another name"),
    QT_TRANSLATE_NOOP("Runtime", "only a Terminal's Connection to a File or a Specification has one"),
    QT_TRANSLATE_NOOP("Runtime", "only a Terminal has"),
    QT_TRANSLATE_NOOP("Runtime", "name a Terminal"),
    QT_TRANSLATE_NOOP("Runtime", "name a file"),
    QT_TRANSLATE_NOOP("Runtime", "give the whole path"),
    QT_TRANSLATE_NOOP("Runtime", "give the whole path of the directory"),
    QT_TRANSLATE_NOOP("Runtime", "make it, or change the Terminal's directory"),
    QT_TRANSLATE_NOOP("Runtime", "name one that is installed, such as /bin/bash"),
    QT_TRANSLATE_NOOP("Runtime", "give this Terminal one of: {names}"),
    QT_TRANSLATE_NOOP("Runtime", "check the shell and the directory"),
    QT_TRANSLATE_NOOP("Runtime", "wait, or end that program"),
    QT_TRANSLATE_NOOP("Runtime", "open it first"),
    QT_TRANSLATE_NOOP("Runtime", "open it again"),
    QT_TRANSLATE_NOOP("Runtime", "look at it again"),
    QT_TRANSLATE_NOOP("Runtime", "see {path}"),
    QT_TRANSLATE_NOOP("Runtime", "its log says more"),
    QT_TRANSLATE_NOOP("Runtime", "write the command or prompt to deliver"),
    QT_TRANSLATE_NOOP("Runtime", "put the text in a file and let the payload name it"),
    QT_TRANSLATE_NOOP("Runtime", "remove that character; Kavor delivers exactly what is written, or nothing"),
    QT_TRANSLATE_NOOP("Runtime", "give 0 s to 24 h; 60 s is the default"),
    QT_TRANSLATE_NOOP("Runtime", "give 1 s to 366 days, or none"),
    QT_TRANSLATE_NOOP("Runtime", "did you mean {names}?"),
    QT_TRANSLATE_NOOP("Runtime", "use an IANA name such as Europe/Berlin, America/New_York or UTC"),
    QT_TRANSLATE_NOOP("Runtime", "look whether it was done before you ask again"),
    QT_TRANSLATE_NOOP("Runtime", "look into {path}; what was asked may still be done"),
    QT_TRANSLATE_NOOP("Runtime", "free some space, then try again"),
    # recurrences
    QT_TRANSLATE_NOOP("Runtime", "write five fields: minute hour day-of-month month day-of-week"),
    QT_TRANSLATE_NOOP("Runtime", "write minute hour day-of-month month day-of-week, such as 0 9 * * 1-5"),
    QT_TRANSLATE_NOOP(
        "Runtime",
        "write minute hour day-of-month month day-of-week, such as 0 9 * * 1-5; Kavor plans to the minute, "
        "so there is no field for seconds or years",
    ),
    QT_TRANSLATE_NOOP("Runtime", "say when: five fields such as 0 9 * * *, or @daily"),
    QT_TRANSLATE_NOOP("Runtime", "name a day that the month has"),
    QT_TRANSLATE_NOOP("Runtime", "write values between the commas"),
    QT_TRANSLATE_NOOP("Runtime", "hours run from 0 to 23; midnight is 0, and the whole day is 0-23 or *"),
    QT_TRANSLATE_NOOP("Runtime", "minutes run from 0 to 59; the full hour is 0"),
    QT_TRANSLATE_NOOP("Runtime", "a step is a whole number from 1, as */15"),
    QT_TRANSLATE_NOOP("Runtime", "write * for any day"),
    QT_TRANSLATE_NOOP("Runtime", "write the number itself"),
    QT_TRANSLATE_NOOP(
        "Runtime", "crontab has no word for the last day; name a day that every month has, such as 28"
    ),
    QT_TRANSLATE_NOOP(
        "Runtime", "crontab has no word for the nearest weekday; name the days, or use day-of-week 1-5"
    ),
    QT_TRANSLATE_NOOP(
        "Runtime",
        "crontab has no word for the nth weekday; */N day fields, or every 2w from a date, may serve",
    ),
    QT_TRANSLATE_NOOP(
        "Runtime", "{field} takes {low}-{high}, or {first} to {last}; lists 1,2, ranges 1-5 and steps */2"
    ),
    QT_TRANSLATE_NOOP("Runtime", "{field} takes {low}-{high}; lists 1,2, ranges 1-5 and steps */2"),
    QT_TRANSLATE_NOOP("Runtime", "write a count and a unit: 2w, 3d, 36h or 90m"),
    QT_TRANSLATE_NOOP("Runtime", "the shortest interval is 1m"),
    QT_TRANSLATE_NOOP("Runtime", "the longest interval is 36500d"),
    QT_TRANSLATE_NOOP("Runtime", "write it like 2026-11-05T08:00:00Z"),
    QT_TRANSLATE_NOOP("Runtime", "write it like 2026-08-01T02:17"),
    QT_TRANSLATE_NOOP("Runtime", "write it like 2026-08-01T02:17; the zone of the Schedule says the rest"),
    QT_TRANSLATE_NOOP("Runtime", "a time is given to the minute: 2026-08-01T02:17"),
    QT_TRANSLATE_NOOP("Runtime", "use {low} to {high}"),
    QT_TRANSLATE_NOOP("Runtime", "use one of: {names}"),
    QT_TRANSLATE_NOOP("Runtime", "it may say: {names}"),
    QT_TRANSLATE_NOOP("Runtime", "use {names}"),
    QT_TRANSLATE_NOOP("Runtime", "write a whole number from {low} to {high}"),
    QT_TRANSLATE_NOOP("Runtime", "write it like 09:00, from 00:00 to 23:59"),
    QT_TRANSLATE_NOOP("Runtime", "write it like mon or mon,thu"),
    QT_TRANSLATE_NOOP(
        "Runtime", "write it like: daily 09:00, hourly 20, weekly mon,thu 09:00, monthly 31 09:00"
    ),
    QT_TRANSLATE_NOOP("Runtime", "write {better}"),
)
"""What to do about it, where the canvas says the same as every other face."""

HINTS_OF_THE_CANVAS = {
    "wait for it, or withdraw it: kavor attempt withdraw {number}": QT_TRANSLATE_NOOP(
        "Runtime", "wait for it, or withdraw it: its history has a button for that"
    ),
    "connect it to one CodingAgent or Terminal: kavor connect SCHEDULE TARGET": QT_TRANSLATE_NOOP(
        "Runtime", "draw a wire from one of its handles to a Terminal or a CodingAgent"
    ),
    "open it: kavor session open {name}": QT_TRANSLATE_NOOP("Runtime", "press Open on its card"),
    "kavor attempts lists them": QT_TRANSLATE_NOOP("Runtime", "the history lists those that there are"),
    "kavor node list shows them": QT_TRANSLATE_NOOP("Runtime", "it may have been deleted meanwhile"),
    "kavor node show lists them": QT_TRANSLATE_NOOP("Runtime", "it may have been removed meanwhile"),
    "kavor workspace list shows them": QT_TRANSLATE_NOOP("Runtime", "it may have been removed meanwhile"),
    "kavor workspace add DIR makes one": QT_TRANSLATE_NOOP("Runtime", "open a folder first"),
    "start it with: kavor runtime start": QT_TRANSLATE_NOOP("Runtime", "start it with the button above"),
    "look into {path}, or restart it: kavor runtime stop, kavor runtime start": QT_TRANSLATE_NOOP(
        "Runtime", "look into {path}, or end that program"
    ),
    "choose another with --name": QT_TRANSLATE_NOOP("Runtime", "open another folder, or rename that one"),
    "choose another name with --env": QT_TRANSLATE_NOOP("Runtime", "choose another name for the variable"),
    "give it with --path": QT_TRANSLATE_NOOP("Runtime", "choose a file"),
    "give another --path": QT_TRANSLATE_NOOP("Runtime", "choose another file"),
    "make it first, or give another --path": QT_TRANSLATE_NOOP(
        "Runtime", "make it first, or choose another file"
    ),
    "make it first, or give another --directory": QT_TRANSLATE_NOOP(
        "Runtime", "make it first, or choose another folder"
    ),
    "make it first: mkdir -p DIR": QT_TRANSLATE_NOOP("Runtime", "make it first, or choose another folder"),
    "remove them first, or give --nodes to remove them with it": QT_TRANSLATE_NOOP(
        "Runtime", "delete them first"
    ),
}
"""What to do, where the runtime names a command and the canvas has a button."""

SENTENCES = tuple(map(str, (*REASONS, *OBSERVATIONS, *REFUSALS, *RECURRENCES, *HINTS)))
