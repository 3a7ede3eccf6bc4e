"""What the runtime and the rules advise, as they word it, like the sentences of
:mod:`kavor.canvas.runtime_texts`; and what the canvas says in place of a command."""

from __future__ import annotations

from kavor.canvas.qt import QT_TRANSLATE_NOOP

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
    QT_TRANSLATE_NOOP(
        "Runtime",
        "to install it: {command} (it needs {needs}); if it is there, restart the runtime, which has the "
        "PATH that it was started with: kavor runtime stop, kavor runtime start",
    ),
    QT_TRANSLATE_NOOP(
        "Runtime",
        "to install it: {command}; if it is there, restart the runtime, which has the PATH that it was "
        "started with: kavor runtime stop, kavor runtime start",
    ),
    QT_TRANSLATE_NOOP("Runtime", "give the whole path of the directory"),
    QT_TRANSLATE_NOOP("Runtime", "make it, or change the Terminal's directory"),
    QT_TRANSLATE_NOOP("Runtime", "name one that is installed, such as /bin/bash"),
    QT_TRANSLATE_NOOP("Runtime", "give this Terminal one of: {names}"),
    QT_TRANSLATE_NOOP("Runtime", "check the shell and the directory"),
    QT_TRANSLATE_NOOP("Runtime", "make it so: chmod +x {path}"),
    QT_TRANSLATE_NOOP("Runtime", "wait, or end that program"),
    QT_TRANSLATE_NOOP("Runtime", "open it first"),
    QT_TRANSLATE_NOOP("Runtime", "open it again"),
    QT_TRANSLATE_NOOP("Runtime", "look at it again"),
    QT_TRANSLATE_NOOP("Runtime", "try again when its file system answers"),
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
    QT_TRANSLATE_NOOP("Runtime", "open it once the runtime runs again"),
    QT_TRANSLATE_NOOP("Runtime", "look into {path}; what was asked may still be done"),
    QT_TRANSLATE_NOOP("Runtime", "free some space, then try again"),
    QT_TRANSLATE_NOOP("Runtime", "there is nothing to stop"),
    QT_TRANSLATE_NOOP("Runtime", "put it into a script"),
    QT_TRANSLATE_NOOP("Runtime", "give 1 minute to 24 hours; 2 hours is the default"),
    QT_TRANSLATE_NOOP("Runtime", "only a person can take a Guardrail away"),
    QT_TRANSLATE_NOOP("Runtime", "only a CodingAgent is talked to"),
    QT_TRANSLATE_NOOP("Runtime", "only a message that waits can be withdrawn"),
    QT_TRANSLATE_NOOP("Runtime", "leave the command out"),
    QT_TRANSLATE_NOOP("Runtime", "shorten it, or put it into a File"),
    QT_TRANSLATE_NOOP("Runtime", "remove that character"),
    QT_TRANSLATE_NOOP("Runtime", "remove it"),
    QT_TRANSLATE_NOOP("Runtime", "leave that out"),
    QT_TRANSLATE_NOOP("Runtime", "it was moved or removed"),
    QT_TRANSLATE_NOOP("Runtime", "read it again, then write what you want to keep"),
    QT_TRANSLATE_NOOP("Runtime", "look at parts of it in a Terminal"),
    QT_TRANSLATE_NOOP("Runtime", "look at it in a Terminal"),
    QT_TRANSLATE_NOOP("Runtime", "look at its permissions"),
    QT_TRANSLATE_NOOP("Runtime", "look at it, then try again"),
    QT_TRANSLATE_NOOP("Runtime", "name a Terminal or a CodingAgent"),
    QT_TRANSLATE_NOOP("Runtime", "name a Sticky Note, a File or a Specification"),
    QT_TRANSLATE_NOOP("Runtime", "only a File or a Specification has"),
    QT_TRANSLATE_NOOP("Runtime", "leave the text out to take it as it is, or give another path"),
    QT_TRANSLATE_NOOP("Runtime", "write it, or leave it out"),
    QT_TRANSLATE_NOOP("Runtime", "a Guardrail binds a CodingAgent and one of its resources"),
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
    QT_TRANSLATE_NOOP("Runtime", "write {numbers}"),
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
    "kavor session list shows what agents wait for": QT_TRANSLATE_NOOP(
        "Runtime", "its card shows what it asks, when it does"
    ),
    "kavor message list NODE shows them": QT_TRANSLATE_NOOP("Runtime", "its card lists those that wait"),
    "kavor turn list NODE shows them": QT_TRANSLATE_NOOP("Runtime", "its card lists those that there are"),
    "wait until it has read some, or withdraw some: kavor message list {id}": QT_TRANSLATE_NOOP(
        "Runtime", "wait until it has read some, or take some back on its card"
    ),
    "give one with --provider; GET /api/providers names them": QT_TRANSLATE_NOOP(
        "Runtime", "choose one in its settings"
    ),
    "give the {words} with --command": QT_TRANSLATE_NOOP("Runtime", "write it in its settings"),
    "remove them first, or give --nodes to remove them with it": QT_TRANSLATE_NOOP(
        "Runtime", "delete them first"
    ),
}
"""What to do, where the runtime names a command and the canvas has a button."""
