# Kavor's part of an interactive login zsh.
#
# While zsh starts, ZDOTDIR names the session's private folder, where a one-line .zshenv reads this file. It
# gives ZDOTDIR back at once, so zsh itself goes on to read the user's own files, from where they are. The
# hooks follow when those are done, at the first prompt, and so stand around what the user's files set up.
#
# Marks are OSC 133 and OSC 7707 sequences that carry a nonce. The nonce is never exported: what a child
# process prints cannot pass for a mark.

if [[ -n ${KAVOR_USER_ZDOTDIR+set} ]]; then
  builtin export ZDOTDIR=$KAVOR_USER_ZDOTDIR
else
  builtin unset ZDOTDIR
fi

# The functions come before the user's files, so that no alias of theirs gets into them.

__kavor_say() {
  builtin emulate -L zsh
  { builtin printf '\e]%s;n=%s\a' "$1" "$__kavor_nonce" >/dev/tty } 2>/dev/null || builtin true
}

# The processes of stopped jobs.
__kavor_stopped_jobs() {
  builtin emulate -L zsh
  reply=(${(M)${(s.:.)${(j.:.)jobstates}}:#*=suspended*})
}

# The last function before a command is run.
__kavor_preexec() {
  builtin local kavor_status=$?
  builtin emulate -L zsh
  builtin local -a reply
  (( __kavor_number += 1 ))
  __kavor_stopped_jobs
  __kavor_stopped=("${reply[@]}")
  __kavor_say "133;C;$kavor_status"
}

# The first function before a prompt, where $? is still the command's.
__kavor_precmd() {
  builtin local kavor_status=$?
  __kavor_as_before
  __kavor_report_end $kavor_status
  __kavor_hook
  builtin return $kavor_status
}

# What a delivery changed for its own line. Outside `emulate -L`, which would undo it.
__kavor_as_before() {
  if [[ -n $__kavor_histchars ]]; then
    histchars=$__kavor_histchars
    __kavor_histchars=
  fi
  if [[ $__kavor_options == *:correct:* ]]; then builtin setopt correct; fi
  if [[ $__kavor_options == *:correctall:* ]]; then builtin setopt correctall; fi
  __kavor_options=
}

__kavor_report_end() {
  builtin emulate -L zsh
  builtin local kavor_status=$1 kavor_notes=
  builtin local -a reply newly
  __kavor_stopped_jobs
  newly=(${reply:|__kavor_stopped})
  # The command is stopped if a job is that was not before, or if it has the status of one: `fg`, say.
  if (( $#newly )) || [[ -n $reply && $__kavor_stops == *" $kavor_status "* ]]; then
    kavor_notes+=';stopped'
  fi
  [[ $(builtin bindkey -lL main) != *vi* ]] || kavor_notes+=';vi'
  __kavor_say "133;D;$kavor_status;$__kavor_number$kavor_notes"
}

# Our hooks stay outermost, also around hooks that were added later.
__kavor_hook() {
  builtin emulate -L zsh
  if [[ ${precmd_functions[1]-} != __kavor_precmd ]]; then
    precmd_functions=(__kavor_precmd ${precmd_functions:#__kavor_precmd})
  fi
  if [[ ${preexec_functions[-1]-} != __kavor_preexec ]]; then
    preexec_functions=(${preexec_functions:#__kavor_preexec} __kavor_preexec)
  fi
  if [[ ${widgets[zle-line-init]-} != user:azhw:zle-line-init ]]; then
    add-zle-hook-widget line-init __kavor_line_begins
  fi
  # `bindkey -d` takes all bindings away, and `main` may be a keymap of the user's own.
  builtin local keymap
  for keymap in main emacs viins vicmd; do
    builtin bindkey -M $keymap '\e[7707~' __kavor_deliver_plainly
    builtin bindkey -M $keymap '\e[7708~' __kavor_report_line
  done
}

# The editor begins to read a line, or one more line of an unfinished command.
__kavor_line_begins() {
  builtin emulate -L zsh
  case $CONTEXT in
    start) __kavor_say '133;B' ;;
    cont) __kavor_say '133;P' ;;
  esac
}

# A delivery is one key: the look at the line and its acceptance are one widget, and nothing a person types
# can get between them.
__kavor_deliver() {
  builtin emulate -L zsh
  builtin local token= text= option=
  { IFS= builtin read -r token && IFS= builtin read -r -d '' text } 2>/dev/null <"$__kavor_folder/handover" ||
    { __kavor_say '7707;absent'; builtin return 0 }
  if [[ -n $BUFFER || -n $PREBUFFER || $CONTEXT != start ]]; then
    __kavor_say "7707;unfinished;$token"
    builtin return 0
  fi
  # Whoever creates the claim decides: zsh that it runs the text, or the host that it never will.
  builtin setopt noclobber
  if ! { : >"$__kavor_folder/claim.$token" } 2>/dev/null; then
    __kavor_say "7707;late;$token"
    builtin return 0
  fi
  BUFFER=$text
  CURSOR=0
  __kavor_plain=1
  __kavor_say "7707;accepted;$token"
  zle .accept-line
}

# '!' in a delivered command means itself, and nothing asks whether another spelling was meant. The next prompt
# puts both back.
__kavor_deliver_plainly() {
  __kavor_deliver
  if [[ -n $__kavor_plain ]]; then
    __kavor_plain=
    __kavor_histchars=$histchars
    histchars=$'\x01\x02'${histchars[3]:-#}
    __kavor_options=
    if [[ -o correct ]]; then __kavor_options+=:correct:; fi
    if [[ -o correctall ]]; then __kavor_options+=:correctall:; fi
    builtin unsetopt correct correctall
  fi
}

__kavor_report_line() {
  builtin emulate -L zsh
  builtin local continued=0
  [[ $CONTEXT == start && -z $PREBUFFER ]] || continued=1
  __kavor_say "7707;line;${#BUFFER};$continued"
}

__kavor_install() {
  builtin emulate -L zsh
  precmd_functions=(${precmd_functions:#__kavor_install})
  [[ -z $__kavor_installed ]] || builtin return 0
  __kavor_installed=1
  if [[ ! -o zle ]]; then
    __kavor_say '7707;unable;line editing is switched off in this zsh'
    builtin return 0
  elif ! { builtin zmodload zsh/parameter zsh/zleparameter && builtin autoload -Uz +X add-zle-hook-widget } 2>/dev/null
  then
    __kavor_say "7707;unable;zsh $ZSH_VERSION has no add-zle-hook-widget; 5.3 or newer is needed"
    builtin return 0
  fi
  builtin zle -N __kavor_deliver_plainly
  builtin zle -N __kavor_report_line
  builtin zle -N __kavor_line_begins
  __kavor_hook
  __kavor_report_end 0
}

builtin typeset -g __kavor_nonce= __kavor_stops= __kavor_folder=$KAVOR_SHELL_FOLDER __kavor_installed=
builtin typeset -g __kavor_plain= __kavor_options= __kavor_histchars=
builtin typeset -g +x __kavor_nonce __kavor_stops __kavor_folder __kavor_installed
builtin typeset -gi __kavor_number=0
builtin typeset -ga __kavor_stopped
{ IFS= builtin read -r __kavor_nonce && IFS= builtin read -r __kavor_stops } <"$__kavor_folder/startup"
builtin unset KAVOR_SHELL_FOLDER KAVOR_SHELL_INIT KAVOR_USER_ZDOTDIR

# A .zshrc may set precmd_functions anew; what is scheduled for now comes at the first prompt all the same.
builtin typeset -ga precmd_functions
precmd_functions+=(__kavor_install)
if builtin zmodload zsh/sched 2>/dev/null; then builtin sched +0 __kavor_install; fi

if [[ -r ${ZDOTDIR-$HOME}/.zshenv ]]; then builtin source "${ZDOTDIR-$HOME}/.zshenv"; fi
