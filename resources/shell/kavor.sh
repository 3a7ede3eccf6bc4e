# Kavor's part of an interactive login sh that has no line editor Kavor can speak to: dash, busybox's ash.
#
# The shell reads this file through ENV, after the user's profile. It has no hooks, but it expands its prompts
# each time: that gives the end of a line with its $?, the prompt, and the wish for more. Nothing marks the
# start of a command.

if [ -n "${KAVOR_USER_ENV+set}" ]; then ENV=$KAVOR_USER_ENV; export ENV; else unset ENV; fi
case $- in *a*) set +a; __kavor_allexport=1 ;; *) unset __kavor_allexport ;; esac
unset __kavor_nonce __kavor_number __kavor_folder __kavor_begin __kavor_end
__kavor_folder=$KAVOR_SHELL_FOLDER
{ IFS= read -r __kavor_nonce; IFS=' ' read -r __kavor_begin __kavor_end; } <"$__kavor_folder/startup"
unset KAVOR_SHELL_FOLDER KAVOR_SHELL_INIT KAVOR_USER_ENV

__kavor_user_env=${ENV-}
if [ -n "$__kavor_user_env" ]; then eval "__kavor_user_env=\"$__kavor_user_env\""; fi
if [ -n "$__kavor_user_env" ] && [ -r "$__kavor_user_env" ]; then . "$__kavor_user_env"; fi
unset __kavor_user_env

# What stands around a mark, in a shell that must be told what in a prompt takes no room.
__kavor_begin="$__kavor_begin$(printf '\033]133')"
__kavor_end=";n=$__kavor_nonce$(printf '\007')$__kavor_end"
# The number tells a new prompt from one that the line editor only draws again.
__kavor_number=0
PS1='${__kavor_begin};D;$?;$((__kavor_number=__kavor_number+1))${__kavor_end}'"${PS1-\$ }"'${__kavor_begin};B${__kavor_end}'
PS2='${__kavor_begin};P${__kavor_end}'"${PS2-> }"
if [ -n "${__kavor_allexport-}" ]; then unset __kavor_allexport; set -a; fi
