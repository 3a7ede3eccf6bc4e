# Kavor's part of an interactive login bash.
#
# The PTY host starts `-bash --posix -i` with ENV naming this file: in posix mode bash reads ENV instead of
# its own start-up files, so this file leaves posix mode, reads the user's files exactly as a login bash
# would, and then adds its marks. None of the user's files is changed, and the shell is a real login shell.
#
# Marks are OSC 133 and OSC 7707 sequences that carry a nonce. The nonce is never exported: what a child
# process prints cannot pass for a mark.

builtin set +o posix
builtin shopt -u inherit_errexit 2>/dev/null
# SHELLOPTS may come with allexport, which would hand the nonce to every child.
__kavor_allexport=
if [[ -o allexport ]]; then
  builtin set +a
  __kavor_allexport=1
fi
[[ ${HISTFILE-} == ~/.sh_history ]] && HISTFILE=~/.bash_history
builtin unset ENV __kavor_nonce __kavor_stops __kavor_folder
if [[ -n ${KAVOR_USER_ENV+set} ]]; then builtin export ENV=$KAVOR_USER_ENV; fi

# The functions come before the user's files, so that no alias of theirs gets into them.

__kavor_say() { { builtin printf '\e]7707;%s;n=%s\a' "$1" "$__kavor_nonce" >/dev/tty; } 2>/dev/null || :; }

# First in PROMPT_COMMAND, where $? is still the command's. The command number tells whether anything ran:
# it stands still for an empty line, a syntax error and a line given up with Ctrl-C.
__kavor_before_prompt() {
  local status=$? number='\#' notes=
  __kavor_continued=0
  if [[ -n ${__kavor_histexpand-} ]]; then
    builtin unset __kavor_histexpand
    builtin set -H
  fi
  if [[ $__kavor_stops == *" $status "* && -n $(builtin jobs -sp 2>/dev/null) ]]; then notes+=';stopped'; fi
  if [[ -o vi ]]; then notes+=';vi'; fi
  {
    builtin printf '\e]133;D;%s;%s%s;n=%s\a' "$status" "${number@P}" "$notes" "$__kavor_nonce" >/dev/tty
  } 2>/dev/null || :
  # From 5.1 on, each element of PROMPT_COMMAND finds the command's own $?.
  if (( __kavor_array )); then return 0; else return "$status"; fi
}

# Last in PROMPT_COMMAND: the user's own hooks may have built the prompts anew.
__kavor_after_prompt() {
  local status=$?
  # Each line of a command of several lines is started by itself; $? is how the line before it ended.
  if [[ ${PS0-} != *'133;C;'* ]]; then PS0='\e]133;C;$?;n=${__kavor_nonce-}\a'${PS0-}; fi
  if [[ ${PS1-} != *'133;B;'* ]]; then PS1=${PS1-}'\[\e]133;B;n=${__kavor_nonce-}\a\]'; fi
  if [[ ${PS2-} != *'133;P;'* ]]; then
    PS2='\[\e]133;P;n=${__kavor_nonce-}\a\]${__kavor_nonce:+${__kavor_void:$((__kavor_continued=1,0)):0}}'${PS2-}
  fi
  __kavor_hook
  __kavor_bind
  if (( __kavor_array )); then return 0; else return "$status"; fi
}

# Our hooks stay outermost, also around hooks that were added later.
__kavor_hook() {
  local hook
  local -a users=()
  if (( __kavor_array )); then
    if [[ ${PROMPT_COMMAND[0]-} == __kavor_before_prompt &&
          ${PROMPT_COMMAND[${#PROMPT_COMMAND[@]}-1]} == __kavor_after_prompt ]]; then return 0; fi
    for hook in "${PROMPT_COMMAND[@]}"; do
      case $hook in ''|__kavor_before_prompt|__kavor_after_prompt) ;; *) users+=("$hook") ;; esac
    done
    PROMPT_COMMAND=(__kavor_before_prompt "${users[@]}" __kavor_after_prompt)
  elif [[ ${PROMPT_COMMAND-} != __kavor_before_prompt*__kavor_after_prompt ]]; then
    PROMPT_COMMAND="__kavor_before_prompt"$'\n'"${PROMPT_COMMAND:-:}"$'\n'"__kavor_after_prompt"
  fi
}

# A delivery is one private key that expands to two: the first calls the function below, the second is
# bound by it to accept-line, or left as a harmless redraw. Both come from readline's own macro, so nothing
# a person types can get between the look at the line and its acceptance.
__kavor_then() {
  local keymap
  for keymap in emacs-standard vi-insert vi-command; do
    builtin bind -m "$keymap" "\"\\e[7707;2~\": $1"
  done
}

__kavor_deliver() {
  local - token= text=
  builtin set +euC
  { IFS= builtin read -r token && IFS= builtin read -r -d '' text; } 2>/dev/null <"$__kavor_folder/handover" ||
    { __kavor_say absent; return 0; }
  if [[ -n $READLINE_LINE || ${__kavor_continued-} != 0 ]]; then
    __kavor_say "unfinished;$token"
    return 0
  fi
  # Whoever creates the claim decides: bash that it runs the text, or the host that it never will.
  builtin set -C
  if ! { : >"$__kavor_folder/claim.$token"; } 2>/dev/null; then
    __kavor_say "late;$token"
    return 0
  fi
  builtin set +C
  __kavor_accept=1
  READLINE_LINE=$text
  READLINE_POINT=0
  __kavor_then accept-line
  __kavor_say "accepted;$token"
}

# Out of reach of `local -`: '!' in a delivered command means itself; the next prompt switches it on again.
__kavor_quiet_history() {
  if [[ -n ${__kavor_accept-} ]]; then
    builtin unset __kavor_accept
    if [[ -o histexpand ]]; then
      __kavor_histexpand=1
      builtin set +H
    fi
  fi
}

__kavor_report_line() { __kavor_say "line;${#READLINE_LINE};${__kavor_continued-}"; }

# At each prompt anew: a start-up file that is read again may take all bindings away.
__kavor_bind() {
  local keymap
  if [[ ! -o emacs && ! -o vi ]]; then return 0; fi
  for keymap in emacs-standard vi-insert vi-command; do
    builtin bind -m "$keymap" -x '"\e[7707;1~": __kavor_then redraw-current-line; __kavor_deliver; __kavor_quiet_history'
    builtin bind -m "$keymap" -x '"\e[7708~": __kavor_report_line'
    builtin bind -m "$keymap" '"\e[7707;2~": redraw-current-line'
    builtin bind -m "$keymap" '"\e[7707~": "\e[7707;1~\e[7707;2~"'
  done
}

__kavor_install() {
  local name
  if (( BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 404 )); then
    __kavor_say "unable;bash $BASH_VERSION has no line editor commands; 4.4 or newer is needed"
    return 0
  elif [[ ! -o emacs && ! -o vi ]]; then
    __kavor_say 'unable;line editing is switched off in this bash'
    return 0
  elif ! builtin shopt -q promptvars; then
    __kavor_say 'unable;the option promptvars is switched off in this bash'
    return 0
  elif [[ $- == *r* ]]; then
    # It may redirect nothing, not even to /dev/tty.
    builtin printf '\e]7707;%s;n=%s\a' 'unable;this bash is restricted' "$__kavor_nonce"
    return 0
  fi
  for name in PROMPT_COMMAND PS0 PS1 PS2; do
    if [[ $(builtin declare -p "$name" 2>/dev/null) =~ ^declare\ -[a-zA-Z]*r ]]; then
      __kavor_say "unable;$name is readonly in this bash, and holds the marks of its prompt"
      return 0
    fi
  done
  __kavor_continued=0 __kavor_void= __kavor_array=0
  if (( BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501 )); then __kavor_array=1; fi
  __kavor_bind
  __kavor_hook
}

__kavor_folder=$KAVOR_SHELL_FOLDER
{ IFS= builtin read -r __kavor_nonce && IFS= builtin read -r __kavor_stops; } <"$__kavor_folder/startup"
builtin unset KAVOR_SHELL_FOLDER KAVOR_SHELL_INIT KAVOR_USER_ENV
if [[ -n $__kavor_allexport ]]; then builtin set -a; fi
builtin unset __kavor_allexport

if [[ -r /etc/profile ]]; then . /etc/profile; fi
if [[ -r ~/.bash_profile ]]; then . ~/.bash_profile
elif [[ -r ~/.bash_login ]]; then . ~/.bash_login
elif [[ -r ~/.profile ]]; then . ~/.profile
fi

__kavor_install
