import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { filesBelow, root, textOf } from './sources.ts';

type Ban = {
  readonly what: string;
  readonly pattern: RegExp;
  /** Prefixes of files that may use it. */
  readonly allowedIn: readonly string[];
  readonly instead: string;
};

const bans: readonly Ban[] = [
  {
    what: 'the ambient clock',
    pattern: /\bDate\.now\b|\bnew Date\(\)|performance\.now|process\.hrtime/,
    allowedIn: [
      'src/enclave/main.ts',
      'src/gateway/',
      'src/client/connect.ts',
      'src/client/sessions.ts',
      'src/client/webhooks.ts',
      'src/cli/terminal/node_terminal.ts',
      'src/dev/dev.ts',
      'src/archive/command.ts',
      'src/archive/offline_data.ts',
    ],
    instead: 'take the clock as a parameter',
  },
  {
    what: 'ambient randomness',
    pattern: /\brandomUUID\b|Math\.random|openKernelRandom/,
    // Names of requests, and values passed as parameters.
    allowedIn: [
      'src/enclave/main.ts',
      'src/gateway/',
      'src/system/kernel_random.ts',
      'src/client/transport.ts',
      'src/dev/dev.ts',
      'src/cli/keys/sealed_key.ts',
      'src/archive/offline_data.ts',
      'src/rotation/command.ts',
    ],
    instead: 'take random bytes as a parameter',
  },
  {
    what: 'randomness that a clone of the process repeats',
    pattern: /\brandom(Bytes|Fill|FillSync|Int)\b|getRandomValues|\bgenerateKey/,
    // Temporary names of files, and keys and secrets that people create on their machines.
    allowedIn: [
      'src/store/data_directory/data_directory.ts',
      'src/client/',
      'src/cli/service/new_key.ts',
      'src/gateway/dashboard/serve_apart.ts',
      'src/holder_page/',
    ],
    instead: 'take random bytes of the kernel (src/system/kernel_random.ts)',
  },
  {
    what: 'the environment',
    pattern: /process\.(env|argv)\b/,
    allowedIn: [
      'src/main.ts',
      'src/cli/terminal/node_terminal.ts',
      'src/gateway/enclave/process.ts',
      // The path of the program, for the command that starts it with another Node.
      'src/cli/words/failures.ts',
      // A flag that the parent process passes.
      'src/enclave/main.ts',
    ],
    instead: 'add a row to the table of settings',
  },
  {
    what: 'writing to the terminal',
    pattern: /\bconsole\.|process\.std(out|err)\.write/,
    allowedIn: ['src/main.ts', 'src/cli/terminal/node_terminal.ts', 'src/gateway/serve.ts'],
    instead: 'use the log that was handed in',
  },
  {
    what: 'a name that says nothing',
    pattern: /from '[^']*\/(utils?|helpers?|common|misc)\.ts'/,
    allowedIn: [],
    instead: 'name the file after what lives in it',
  },
  {
    what: 'something left for later',
    pattern: new RegExp(
      `\\b(${['TO', 'DO'].join('')}|FIXME|XXX|HACK)\\b|@ts-(ignore|expect-error|nocheck)`,
    ),
    allowedIn: [],
    instead: 'do it, or say it in the issue',
  },
];

for (const ban of bans) {
  test(`${ban.what} stays out of the sources`, () => {
    const found = filesBelow('src')
      .filter((file) => !ban.allowedIn.some((prefix) => file.startsWith(prefix)))
      .flatMap((file) =>
        textOf(file)
          .split('\n')
          .flatMap((line, i) => (ban.pattern.test(code(line)) ? [`${file}:${i + 1}`] : [])),
      );
    assert.deepEqual(found, [], ban.instead);
  });
}

test('the API family is named only where compatibility is meant', () => {
  const found = filesBelow('src').filter((file) => /turnkey/i.test(textOf(file)));
  assert.deepEqual(found, [
    'src/cli/migration/differences.ts',
    'src/client/bundles.ts',
    'src/client/generated/operations.ts',
    'src/client/outcome.ts',
    'src/core/base/compatibility.ts',
    'src/core/views/render_error.ts',
    'src/frame_pages/channel.ts',
    'src/operations/transaction_history/chain_history.ts',
    'src/operations/vocabulary/chain_history.ts',
  ]);
});

test('a file can be read in one go', () => {
  const long = filesBelow('src').filter(
    // Generated files are not read as a whole.
    (file) => !file.includes('/generated/') && textOf(file).split('\n').length > 420,
  );
  assert.deepEqual(long, []);
});

test('no printed command fetches a program of this name from a registry', () => {
  // Outside its folder, npx would fetch a package of that name and run it beside the root credentials.
  const pages = globSync(['*.md', 'docs/**/*.md', '.ci/*'], { cwd: root });
  assert.ok(pages.length > 20);
  assert.deepEqual(
    pages.filter((page) => /npx (?!--no )[^\n`]*keywright/.test(textOf(page))),
    [],
  );
  const programs = globSync(['src/**/*.ts', 'packaging/bin/*'], { cwd: root });
  assert.deepEqual(
    programs.filter((program) => /-p keywright|'npx keywright/.test(textOf(program))),
    [],
  );
});

test('files are named in snake case', () => {
  const names = execFileSync('git', ['ls-files', 'src', 'test', 'bench', 'tools'], {
    cwd: root,
    encoding: 'utf8',
  });
  const odd = names
    .split('\n')
    .filter(
      (file) =>
        file.endsWith('.ts') && !/^([a-z0-9_]+\/)*[a-z0-9_]+(\.(test|case))?\.ts$/.test(file),
    );
  assert.deepEqual(odd, []);
});

/** Returns a line without its comment. */
function code(line: string): string {
  return line.replace(/^\s*(\*|\/\*|\/\/).*$/, '').replace(/\s\/\/ .*$/, '');
}
