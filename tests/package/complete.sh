#!/bin/sh
# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
# complete.sh BASH ZSH FISH: the shells that are there complete with these scripts of setka; 77: there is none of them.
set -eu
bash_script=$1 zsh_script=$2 fish_script=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
touch pump.inp pump.frd part.msh A.mtx A.mtx.gz heat.toml
mkdir decks
tried=""

expect() {  # SHELL LINE WANTED FOUND: the same words, in any order
  wanted=$(printf '%s\n' $3 | sort | tr '\n' ' ')
  found=$(printf '%s\n' $4 | sort | tr '\n' ' ')
  [ "$wanted" = "$found" ] || { echo "$1 completes '$2' with '$found', not '$wanted'"; exit 1; }
}
holds() {  # SHELL LINE WORD FOUND
  printf '%s\n' $4 | grep -qx -- "$3" || { echo "$1 completes '$2' without $3: $4"; exit 1; }
}

# Each line is what was typed; its last word, perhaps empty, is to be completed.
check() {  # SHELL FUNCTION
  holds "$1" "setka " run "$($2 'setka ')"
  holds "$1" "setka " ccx "$($2 'setka ')"
  expect "$1" "setka co" "completion convert" "$($2 'setka co')"
  expect "$1" "setka example pu" pump "$($2 'setka example pu')"
  holds "$1" "setka run --p" --preconditioner "$($2 'setka run --p')"
  expect "$1" "setka run --solver ch" cholesky "$($2 'setka run --solver ch')"
  expect "$1" "setka run --backend " "auto cpu cuda" "$($2 'setka run --backend ')"
  holds "$1" "setka run p" pump.inp "$($2 'setka run p')"
  holds "$1" "setka ccx -i p" pump.inp "$($2 'setka ccx -i p')"
  tried="$tried $1"
}

if command -v bash >/dev/null; then
  in_bash() {
    bash --norc --noprofile -c '
      source "$1"
      line=$2
      read -ra COMP_WORDS <<<"$line"
      [[ $line != *" " ]] || COMP_WORDS+=("")
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      _setka
      printf "%s\n" "${COMPREPLY[@]}"' _ "$bash_script" "$1"
  }
  check bash in_bash
  expect bash "setka run " "pump.inp decks" "$(in_bash 'setka run ')"
  expect bash "setka solve " "A.mtx A.mtx.gz decks" "$(in_bash 'setka solve ')"
  expect bash "setka grid " "heat.toml decks" "$(in_bash 'setka grid ')"
  expect bash "setka run --solver = ch" cholesky "$(in_bash 'setka run --solver = ch')"
  expect bash "setka run pump.inp " "" "$(in_bash 'setka run pump.inp ')"
  expect bash "setka run --threads 2 pum" pump.inp "$(in_bash 'setka run --threads 2 pum')"
fi
if command -v fish >/dev/null; then
  in_fish() {
    HOME=$folder fish --no-config -c 'source $argv[1]; complete -C "$argv[2]" | string split -f 1 \t' "$fish_script" "$1"
  }
  check fish in_fish
fi
if command -v zsh >/dev/null && zsh -f -c "zmodload zsh/zpty; zpty z true" 2>/dev/null; then
  # An interactive zsh completes a line by itself; a key prints what it has made of it.
  in_zsh() {
    ZDOTDIR=$folder zsh -f -c '
      zmodload zsh/zpty
      zpty z "TERM=dumb zsh -f -i"
      zpty -w z "PS1=; PROMPT_EOL_MARK="
      zpty -w z "fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -D; bindkey -e"
      zpty -w z "show() { print -r -- \"<\$BUFFER>\"; BUFFER=; }; zle -N show; bindkey \"^X\" show; print ready\!"
      text=""
      repeat 400; do
        zpty -rt z piece && text+=$piece
        [[ $text == *$'"'"'\n'"'"'ready* ]] && break
        sleep 0.05
      done
      zpty -n -w z "$2"$'"'"'\t\x18'"'"'
      text=""
      repeat 400; do
        zpty -rt z piece && text+=$piece
        [[ $text == *"<"*">"* ]] && break
        sleep 0.05
      done
      text=${text##*<}
      print -r -- ${${text%%>*}##* #}
      zpty -d z' _ "$(dirname "$zsh_script")" "$1"
  }
  zsh_makes() {  # LINE WANTED: the line when it is completed
    found=$(in_zsh "$1")
    [ "$found" = "$2" ] || { echo "zsh makes '$found' of '$1', not '$2'"; exit 1; }
  }
  zsh_makes "setka conv" "setka convert "
  zsh_makes "setka example pu" "setka example pump "
  zsh_makes "setka run --solver ch" "setka run --solver cholesky "
  zsh_makes "setka run pump" "setka run pump.inp "
  zsh_makes "setka solve --restart 3 A.mtx" "setka solve --restart 3 A.mtx"
  tried="$tried zsh"
fi
[ -n "$tried" ] || exit 77
echo "completed by$tried"
