import type { Suggestion } from './expectWord.js';

/** A shell: how it asks for completions, and how it wants them answered. */
interface Shell {
  /** The text that `huddle completion <shell>` prints. It asks with the words up to the cursor; nothing of them is run. */
  readonly script: string;
  readonly format: (suggestion: Suggestion) => string;
}

/** Answers that the shell looks up itself; no word begins with a colon. */
export const FILES = ':files';
export const FOLDERS = ':folders';

/** bash 3.2 and newer, without any package. `=` and `:` are words of their own there. */
const bash = `# huddle completion for bash
_huddle() {
  local word="\${COMP_WORDS[COMP_CWORD]}" answer IFS=$'\\n'
  answer="$(huddle completion bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)"
  [ "$word" = '=' ] && word=''
  case "$answer" in
    ${FILES}) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$word")) ;;
    ${FOLDERS}) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$word")) ;;
    *) compopt -o nosort 2>/dev/null; COMPREPLY=($answer) ;;
  esac
}
complete -F _huddle huddle
`;

const zsh = `#compdef huddle
# huddle completion for zsh
_huddle() {
  local -a answer
  answer=("\${(@f)$(huddle completion zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  [[ $PREFIX == --*=* ]] && compset -P '*='
  case $answer[1] in
    ${FILES}) _files ;;
    ${FOLDERS}) _files -/ ;;
    ?*) _describe -V -t words huddle answer ;;
  esac
}
if [ "$funcstack[1]" = _huddle ]; then _huddle "$@"; else compdef _huddle huddle; fi
`;

const fish = `# huddle completion for fish
function __huddle_complete
  set -l word (commandline -ct)
  set -l words (commandline -opc) "$word"
  set -l answer (huddle completion fish -- $words[2..-1] 2>/dev/null)
  set -l flag (string match -r -- '^--[^=]*=' "$word")
  set -l value (string replace -r -- '^--[^=]*=' '' "$word")
  switch "$answer[1]"
    case ${FILES}
      set answer (__fish_complete_path "$value")
    case ${FOLDERS}
      set answer (__fish_complete_directories "$value")
  end
  for line in $answer
    echo -- "$flag$line"
  end
end
complete -c huddle -f -a '(__huddle_complete)'
`;

const powershell = `# huddle completion for PowerShell
Register-ArgumentCompleter -Native -CommandName huddle -ScriptBlock {
  param($word, $line, $cursor)
  $before = @($line.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursor -or $word -eq '' } | ForEach-Object { "$_" })
  $answer = @(huddle completion powershell '--' @before "$word" 2>$null)
  if ($answer[0] -in '${FILES}', '${FOLDERS}') { return }
  $answer | ForEach-Object {
    $value, $description = $_ -split "\`t", 2
    if ($value -like "$word*") {
      if (-not $description) { $description = $value }
      [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $description)
    }
  }
}
`;

const withTab = ({ value, description }: Suggestion): string =>
  description === '' ? value : `${value}\t${description}`;

export const SHELLS = {
  bash: { script: bash, format: ({ value }) => value },
  zsh: {
    script: zsh,
    format: ({ value, description }) =>
      [value.replaceAll(':', '\\:'), ...(description === '' ? [] : [description])].join(':'),
  },
  fish: { script: fish, format: withTab },
  powershell: { script: powershell, format: withTab },
} as const satisfies Readonly<Record<string, Shell>>;

export type ShellName = keyof typeof SHELLS;

export const SHELL_NAMES = Object.keys(SHELLS) as ShellName[];
