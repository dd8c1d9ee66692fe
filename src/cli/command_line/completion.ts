// Writes the completion scripts of bash, zsh and fish.

import type { Command } from './command.ts';
import { commonOptions } from './common_options.ts';

/** The words that can follow, by the words before them. */
type Followers = ReadonlyMap<string, readonly string[]>;

export type Shell = 'bash' | 'zsh' | 'fish';

/** Returns the script with which a shell completes the words of these commands. */
export function completionScript(shell: Shell, commands: readonly Command[]): string {
  const followers = followersOf(commands);
  return shell === 'fish' ? fishScript(followers) : bashScript(followers, shell);
}

function followersOf(commands: readonly Command[]): Followers {
  const followers = new Map<string, string[]>();
  const add = (before: string, word: string) => {
    const present = followers.get(before) ?? [];
    if (!present.includes(word)) followers.set(before, [...present, word]);
  };
  for (const command of commands) {
    for (const [place, word] of command.words.entries()) {
      add(command.words.slice(0, place).join(' '), word);
    }
    for (const name of Object.keys({ ...command.options, ...commonOptions(command) })) {
      add(command.words.join(' '), `--${name}`);
    }
  }
  return followers;
}

/** Sorts the longest words first, because a shell pattern matches every text that begins with it. */
const longestFirst = (followers: Followers): readonly (readonly [string, readonly string[]])[] =>
  [...followers].sort(([a], [b]) => b.length - a.length);

function bashScript(followers: Followers, shell: 'bash' | 'zsh'): string {
  const cases = longestFirst(followers).map(
    ([before, words]) =>
      `    '${before === '' ? '' : `${before} `}'*) words='${words.join(' ')}' ;;`,
  );
  return [
    ...(shell === 'zsh' ? ['autoload -U +X bashcompinit && bashcompinit'] : []),
    '_keywright() {',
    `  local words current="\${COMP_WORDS[COMP_CWORD]}"`,
    `  local before="\${COMP_WORDS[*]:1:COMP_CWORD-1} "`,
    `  before="\${before# }"`,
    '  case "$before" in',
    ...cases,
    '  esac',
    '  local word; COMPREPLY=()',
    '  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$words" -- "$current")',
    '}',
    'complete -o default -F _keywright keywright',
    '',
  ].join('\n');
}

function fishScript(followers: Followers): string {
  const lines = longestFirst(followers).map(
    ([before, words]) =>
      `        case '${before === '' ? '' : `${before} `}*'\n            printf '%s\\n' ${words.join(' ')}`,
  );
  return [
    'function __keywright_words',
    "    set -l typed (string join ' ' -- (commandline -opc)[2..])' '",
    '    switch (string trim --left -- $typed)',
    ...lines,
    '    end',
    'end',
    "complete -c keywright -a '(__keywright_words)'",
    '',
  ].join('\n');
}
