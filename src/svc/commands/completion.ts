import { Argument, type Command } from 'commander'
import { describeCommand } from '../../command-line/program.ts'
import type { SvcIo } from '../svc-io.ts'

/** What may follow each command, by its path: `webhooks register`; the program's own is empty. */
type Words = ReadonlyMap<string, readonly string[]>

const SHELLS = { bash: printBash, zsh: printZsh, fish: printFish } as const
const NAMES = Object.keys(SHELLS) as (keyof typeof SHELLS)[]

export function addCompletionCommand(program: Command, io: SvcIo): void {
  describeCommand(
    program.command('completion'),
    'print what completes commands and options in a shell',
    ['completion bash > ~/.local/share/bash-completion/completions/svc'],
  )
    .addHelpText(
      'after',
      '\nzsh: eval "$(svc completion zsh)". fish: svc completion fish | source.',
    )
    .addArgument(new Argument('<shell>').choices(NAMES))
    .action((shell: keyof typeof SHELLS) => io.writeOut(SHELLS[shell](listWords(program))))
}

function listWords(command: Command, path: readonly string[] = []): Words {
  const commands = command.commands.flatMap((inner) =>
    [inner.name(), ...inner.aliases()].map((name) => [name, inner] as const),
  )
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices)
  const options = command.createHelp().visibleOptions(command)
  const names = commands.map(([name]) => name)
  const words = [...names, ...choices, ...options.flatMap(({ long }) => long ?? [])]
  return new Map([
    [path.join(' '), words],
    ...commands.flatMap(([name, inner]) => [...listWords(inner, [...path, name])]),
  ])
}

const quote = (text: string) => `'${text}'`
const pathsOf = (words: Words) => [...words.keys()].filter((path) => path !== '').map(quote)
const wordsOf = (words: Words, print: (path: string, following: string) => string) =>
  [...words].map(([path, following]) => print(quote(path), following.join(' '))).join('\n')

/** Both shells walk to the command that the words before the cursor name. */
const walk = (words: Words, before: string) => `  local at='' word
  for word in ${before}; do
    case "\${at:+$at }$word" in
      ${pathsOf(words).join('|')}) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at" in`

// Where no word fits, bash completes files.
function printBash(words: Words): string {
  return `_svc() {
${walk(words, `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`)}
${wordsOf(words, (path, following) => `    ${path}) COMPREPLY=($(compgen -W '${following}' -- "$2")) ;;`)}
  esac
}
complete -o default -F _svc svc
`
}

function printZsh(words: Words): string {
  return `#compdef svc
_svc() {
${walk(words, `"\${(@)words[2,CURRENT-1]}"`)}
${wordsOf(words, (path, following) => `    ${path}) compadd -- ${following} || _files ;;`)}
  esac
}
compdef _svc svc
`
}

function printFish(words: Words): string {
  return `function __svc_at
  set -l at
  for word in (commandline -opc)[2..]
    switch "$at $word"
      case ${[...words.keys()]
        .filter((path) => path !== '')
        .map((path) => quote(path.includes(' ') ? path : ` ${path}`))
        .join(' ')}
        set at (string trim "$at $word")
    end
  end
  echo "$at"
end
${wordsOf(words, (path, following) => `complete -c svc -n "test \\"\\$(__svc_at)\\" = ${path}" -a '${following}'`)}
`
}
