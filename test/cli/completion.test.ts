// Runs the completion script in a shell.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { completionScript } from '../../src/cli/command_line/completion.ts';
import { loadAll } from '../../src/cli/commands.ts';

const script = completionScript('bash', await loadAll());

/** Returns the suggestions of bash for the last word. */
function offered(...words: readonly string[]): readonly string[] {
  const typed = words.map((word) => `'${word}'`).join(' ');
  const ask = `COMP_WORDS=(keywright ${typed}); COMP_CWORD=${words.length}; _keywright; echo "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', `${script}\n${ask}`], { encoding: 'utf8' })
    .trim()
    .split(' ');
}

test('bash completes words of commands, and then their options', () => {
  assert.deepEqual(offered('wal'), ['wallet']);
  assert(offered('wallet', '').includes('list'));
  assert.deepEqual(offered('wallet', 'cr'), ['create']);
  assert.deepEqual(offered('wallet', 'create', 'shop', '--acc'), ['--account']);
  assert.deepEqual(offered('wallet', 'list', '--qu'), ['--quiet']);
  assert.deepEqual(offered('nothing', 'at'), ['']);
});

test('the scripts of other shells name every command', async () => {
  for (const shell of ['zsh', 'fish'] as const) {
    const text = completionScript(shell, await loadAll());
    for (const { words } of await loadAll()) assert(text.includes(words.at(-1) ?? ''), shell);
  }
});
