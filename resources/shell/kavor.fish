# Kavor's part of an interactive login fish, read by `fish --init-command` after the user's own files.
#
# Marks are OSC 133 and OSC 7707 sequences that carry a nonce. The nonce is never exported: what a child
# process prints cannot pass for a mark. fish 4 prints OSC 133 marks of its own; without the nonce they are
# only output.

function __kavor_say
    builtin printf '\e]%s;n=%s\a' $argv[1] $__kavor_nonce >/dev/tty 2>/dev/null
end

# The processes of stopped jobs: `jobs` lists job, group, CPU on some systems, state, command.
function __kavor_stopped_jobs
    builtin jobs 2>/dev/null | builtin string match -r '^\d+\s+\d+\s.*\bstopped\b'
end

function __kavor_preexec --on-event fish_preexec
    set -g __kavor_number (builtin math $__kavor_number + 1)
    # A stopped job that `fg` takes up may be stopped again.
    if builtin string match -qr '\bfg\b' -- $argv[1]
        set -g __kavor_stopped
    else
        set -g __kavor_stopped (__kavor_stopped_jobs)
    end
    __kavor_say '133;C;0'
end

# fish leaves $status as it was when a job is stopped: only the list of jobs tells.
function __kavor_postexec --on-event fish_postexec
    set -l kavor_status $status
    set -l notes ''
    for job in (__kavor_stopped_jobs)
        contains -- $job $__kavor_stopped; or set notes ';stopped'
    end
    __kavor_end $kavor_status $notes
end

function __kavor_end
    test "$fish_key_bindings" = fish_vi_key_bindings; and set argv[2] "$argv[2];vi"
    set -g __kavor_told 1
    __kavor_say "133;D;$argv[1];$__kavor_number$argv[2]"
end

# A prompt that no command has led to: after an empty line, or one given up with Ctrl-C.
function __kavor_before_prompt --on-event fish_prompt
    set -l kavor_status $status
    test $__kavor_told = 1; or __kavor_end $kavor_status ''
    set -g __kavor_told 0
    __kavor_hook
end

# The prompt is the user's own function, with our mark behind it; also one that was set later.
function __kavor_hook
    builtin functions -q fish_prompt; or function fish_prompt
        echo -n '> '
    end
    if not builtin functions fish_prompt | builtin string match -q '*__kavor_user_prompt*'
        builtin functions -e __kavor_user_prompt
        builtin functions -c fish_prompt __kavor_user_prompt
        function fish_prompt
            __kavor_user_prompt
            __kavor_say '133;B'
        end
    end
    __kavor_bind
end

# At each prompt anew: a configuration that is read again may take all bindings away.
function __kavor_bind
    for mode in default insert visual replace_one
        builtin bind -M $mode \e\[7707~ __kavor_deliver
        builtin bind -M $mode \e\[7708~ __kavor_report_line
    end
end

# A delivery is one key: the look at the line and its acceptance are one binding, and nothing a person types
# can get between them.
function __kavor_deliver
    set -l content
    if test -r $__kavor_folder/handover
        builtin read -z content <$__kavor_folder/handover
    end
    set -l token (builtin string match -r '^[0-9a-f]+' -- $content)
    if test -z "$token"
        __kavor_say '7707;absent'
        return
    end
    if not __kavor_line_is_empty
        __kavor_say "7707;unfinished;$token"
        return
    end
    # Whoever creates the claim decides: fish that it runs the text, or the host that it never will.
    set -l claim $__kavor_folder/claim.$token
    if test -e $claim; or not echo -n >?$claim
        __kavor_say "7707;late;$token"
        return
    end
    builtin commandline -r -- (builtin string replace -r '^[0-9a-f]+\n' '' -- $content | builtin string collect -N)
    # fish keeps what it cannot parse in its editor: 1 says that it is wrong, 2 that more must follow.
    builtin commandline --is-valid
    switch $status
        case 1
            builtin commandline -r ''
            __kavor_say "7707;unparsed;$token;wrong"
        case 2
            builtin commandline -r ''
            __kavor_say "7707;unparsed;$token;incomplete"
        case '*'
            __kavor_say "7707;accepted;$token"
            builtin commandline -f execute
    end
end

function __kavor_line_is_empty
    set -l line (builtin commandline)
    test (count $line) -le 1 -a -z "$line[1]"; and not builtin commandline --paging-mode
end

function __kavor_report_line
    if __kavor_line_is_empty
        __kavor_say '7707;line;0;0'
    else
        __kavor_say '7707;line;1;0'
    end
end

set -g __kavor_folder $KAVOR_SHELL_FOLDER
begin
    builtin read -l nonce
    set -g __kavor_nonce $nonce
end <$__kavor_folder/startup
set -e KAVOR_SHELL_FOLDER
set -e KAVOR_SHELL_INIT
set -g __kavor_number 0
set -g __kavor_told 0
set -g __kavor_stopped

if builtin string match -qr '^(2\.|3\.[0-3]\.)' -- $version
    __kavor_say "7707;unable;fish $version cannot check a line before it runs; 3.4 or newer is needed"
else
    __kavor_hook
end
