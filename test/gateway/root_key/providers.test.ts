// One suite for every provider of the root key: its key, its refusals and its waits.

import assert from 'node:assert/strict';
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { commandSourceWith } from '../../../src/gateway/root_key/command.ts';
import { createCustody } from '../../../src/gateway/root_key/custody.ts';
import { providers } from '../../../src/gateway/root_key/providers.ts';
import type { RootKeySource } from '../../../src/gateway/root_key/source.ts';
import { readSettings } from '../../../src/settings/settings.ts';
import { UnusableDataError } from '../../../src/store/unusable_data_error.ts';
import { withTemporaryDirectory } from '../../store/temporary_directory.ts';
import { sealCheaply } from '../../support/cheap_sealing.ts';

const key = Uint8Array.from({ length: 32 }, (_, i) => i * 7 + 1);
const passphrase = Buffer.from('correct horse battery staple');
const noRandom = () => assert.fail('no key is made');

type World = { readonly folder: string; readonly opened: number[] };

/** Makes each provider return given bytes, fail, or wait. */
type Row = {
  /** Returns the flags with which the provider returns these bytes as the root key. */
  readonly gives: (
    bytes: Uint8Array,
    world: World,
  ) => readonly string[] | Promise<readonly string[]>;
  readonly isAbsent: (world: World) => readonly string[];
  readonly absence: RegExp;
  /** The source of the key cannot be read. */
  readonly isUnreadable: (world: World) => readonly string[];
  readonly unreadable: RegExp;
  /** The provider returns nothing and does not end; absent if it never waits. */
  readonly hangs?: (world: World) => readonly string[];
};

const write = (
  { folder }: World,
  name: string,
  bytes: Uint8Array | string,
  mode = 0o600,
): string => {
  const path = join(folder, name);
  writeFileSync(path, bytes, { mode });
  return path;
};
const descriptorOf = (world: World, bytes: Uint8Array): number => {
  const descriptor = openSync(write(world, 'inherited', bytes), 'r');
  world.opened.push(descriptor);
  return descriptor;
};
const script = (body: string): string => JSON.stringify([process.execPath, '-e', body]);
const prints = (bytes: Uint8Array): string =>
  script(`process.stdout.write(Buffer.from('${Buffer.from(bytes).toString('hex')}', 'hex'))`);

/** The enclave collects shares itself, so this process never has the key. */
type KeyProvider = Exclude<keyof typeof providers, 'shares'>;

const rows: Readonly<Record<KeyProvider, Row>> = {
  file: {
    gives: (bytes, world) => ['--root-key-file', write(world, 'key', bytes)],
    isAbsent: ({ folder }) => ['--root-key-file', join(folder, 'nothing')],
    absence: /^the database was made with a root key that is not at /,
    isUnreadable: (world) => ['--root-key-file', write(world, 'key', key, 0o644)],
    unreadable: /is open to other users \(mode 0644\), close it with: chmod 600 /,
  },
  descriptor: {
    gives: (bytes, world) => ['--root-key-descriptor', String(descriptorOf(world, bytes))],
    isAbsent: () => ['--root-key-descriptor', '1000'],
    absence: /^descriptor 1000 is not open: start node itself with 1000<FILE/,
    isUnreadable: (world) => {
      const folder = openSync(world.folder, 'r');
      world.opened.push(folder);
      return ['--root-key-descriptor', String(folder)];
    },
    unreadable: /^descriptor \d+ is not a file, pipe or socket$/,
  },
  passphrase: {
    gives: async (bytes, world) => [
      '--root-key-file',
      write(world, 'sealed', await sealCheaply(bytes, passphrase)),
      '--root-key-passphrase-file',
      write(world, 'passphrase', `${passphrase}\n`),
    ],
    isAbsent: (world) => [
      ...['--data-dir', world.folder],
      ...['--root-key-passphrase-file', write(world, 'passphrase', passphrase)],
    ],
    absence:
      /^there is no sealed root key at \S+root\.key\.sealed: create one with keywright root-key/,
    isUnreadable: (world) => [
      ...['--root-key-file', write(world, 'sealed', 'of another form')],
      ...['--root-key-passphrase-file', write(world, 'passphrase', passphrase)],
    ],
    unreadable: /is not a sealed root key of version 1: put a copy of it back$/,
    hangs: ({ folder }) => {
      writeFileSync(join(folder, 'root.key.sealed'), sealedOnce, { mode: 0o600 });
      return ['--data-dir', folder];
    },
  },
  command: {
    gives: (bytes) => ['--root-key-command', prints(bytes)],
    isAbsent: ({ folder }) => ['--root-key-command', JSON.stringify([join(folder, 'nothing')])],
    absence: /^the command \S+nothing cannot be started: .*ENOENT/,
    isUnreadable: () => [
      '--root-key-command',
      script(
        "console.log('on the standard output'); console.error('no such key'); process.exit(3)",
      ),
    ],
    unreadable: /^the command \S+ ended with exit code 3: no such key$/,
    hangs: () => ['--root-key-command', script('setTimeout(() => {}, 1e6)')],
  },
};
const sealedOnce = await sealCheaply(key, passphrase);

const quick = { longestMs: 20_000, firstRetryMs: 1, lastRetryMs: 2 };

function open(
  name: keyof typeof providers,
  flags: readonly string[],
  pauses = quick,
): RootKeySource {
  const settings = readSettings({}, ['--root-key-provider', name, ...flags]);
  const { PATH = '' } = process.env;
  const environment = { PATH, KEYWRIGHT_SECRET: 'of the service' };
  const ports = { random: noRandom, environment, isService: true };
  const opens = name === 'command' ? commandSourceWith(pauses) : providers[name];
  return opens(settings, ports);
}

/** Reads once, and ends at the first failure, even if the provider would retry. */
async function readOf(source: RootKeySource) {
  const ended = new AbortController();
  const reasons: string[] = [];
  const given = await source.read({
    mayCreate: false,
    waiting: (reason) => reasons.push(reason),
    failed: (reason) => ended.abort(new UnusableDataError(reason)),
    signal: ended.signal,
  });
  return { ...given, reasons };
}

/** Returns the log and the probe of a sealed service after the first failure of its command. */
async function readOnceSealed(flags: readonly string[]) {
  const stopped = new AbortController();
  const lines: Readonly<Record<string, unknown>>[] = [];
  const reasons: string[] = [];
  const custody = createCustody({
    source: open('command', flags),
    keeps: false,
    mayCreate: () => false,
    changed: () => undefined,
    log: (_level, _message, fields) => {
      lines.push(fields);
      reasons.push(custody.sealedBecause() ?? '');
      if (lines.length === 2) stopped.abort(new Error('enough'));
    },
  });
  await assert.rejects(
    custody.withRootKey(async () => undefined, stopped.signal),
    /enough/,
  );
  return { reasons, lines };
}

async function inWorld(run: (world: World) => Promise<void>): Promise<void> {
  await withTemporaryDirectory(async (folder) => {
    const world: World = { folder, opened: [] };
    try {
      await run(world);
    } finally {
      for (const descriptor of world.opened) {
        try {
          closeSync(descriptor);
        } catch {
          // The provider must have closed it.
        }
      }
    }
  });
}

for (const [name, row] of Object.entries(rows) as [KeyProvider, Row][]) {
  describe(`the root key from the provider ${name}`, () => {
    test('is 32 bytes owned by the receiver', () =>
      inWorld(async (world) => {
        const source = open(name, await row.gives(key, world));
        const { rootKey, settled } = await readOf(source);
        assert.deepEqual(rootKey, key);
        // It is outside of the heap, so wiping removes the only copy.
        assert.ok(rootKey.buffer.byteLength >= 32);
        settled(undefined);
      }));

    test('has a next key that a running service reads only if it can read the key itself again', () =>
      inWorld(async (world) => {
        const isReadLater = async (flags: readonly string[]) => {
          const parts = { log: () => {}, changed: () => {}, keeps: false, mayCreate: () => false };
          return createCustody({ source: open(name, flags), ...parts }).next?.isReadLater === true;
        };
        const rereads = name === 'file' || name === 'passphrase';
        assert.equal(await isReadLater(await row.gives(key, world)), rereads);
        // A typed passphrase is read once.
        if (name === 'passphrase')
          assert.equal(await isReadLater(['--data-dir', world.folder]), false);
      }));

    test('is wiped by its custody after the enclave has it, for any outcome', () =>
      inWorld(async (world) => {
        for (const failure of [undefined, new Error('no enclave')]) {
          const source = open(name, await row.gives(key, world));
          const seen: Uint8Array[] = [];
          const custody = createCustody({
            source,
            keeps: false,
            mayCreate: () => false,
            log: () => {},
            changed: () => {},
          });
          const using = custody.withRootKey(async (rootKey) => {
            assert.deepEqual(rootKey, key);
            seen.push(rootKey);
            if (failure !== undefined) throw failure;
          }, new AbortController().signal);
          await (failure === undefined ? using : assert.rejects(using, failure));
          assert.deepEqual(seen, [new Uint8Array(32)]);
        }
      }));

    test('with another length is refused, and not shown', () =>
      inWorld(async (world) => {
        for (const length of [0, 1, 31, 33, 64, 5000]) {
          const bytes = new Uint8Array(length).fill(0x51);
          const source = open(name, await row.gives(bytes, world));
          await assert.rejects(readOf(source), (error: Error) => {
            assert.ok(error instanceof UnusableDataError, String(error));
            assert.doesNotMatch(error.message, /QQQ|5151|UVFR/);
            assert.doesNotMatch(error.message, /\n/);
            return true;
          });
        }
      }));

    test('that is missing is refused with the next step', () =>
      inWorld(async (world) => {
        await assert.rejects(readOf(open(name, row.isAbsent(world))), { message: row.absence });
      }));

    test('that cannot be read is refused with the reason', () =>
      inWorld(async (world) => {
        const source = open(name, row.isUnreadable(world));
        await assert.rejects(readOf(source), { message: row.unreadable });
      }));

    const { hangs } = row;
    if (hangs === undefined) return;
    test('is awaited only while the service runs', () =>
      inWorld(async (world) => {
        const source = open(name, hangs(world));
        const stopped = new AbortController();
        const waits = Promise.withResolvers<string>();
        const reading = source.read({
          mayCreate: false,
          waiting: waits.resolve,
          signal: stopped.signal,
        });
        const ended = assert.rejects(reading, { message: 'the service stops' });
        assert.match(await waits.promise, /^waits for /);
        assert.equal(source.mayWait, true);
        stopped.abort(new Error('the service stops'));
        await ended;
      }));
  });
}

test('a descriptor is read once; then the service waits for a restart', () =>
  inWorld(async (world) => {
    const source = open('descriptor', await rows.descriptor.gives(key, world));
    assert.deepEqual((await readOf(source)).rootKey, key);
    const stopped = new AbortController();
    const waits = Promise.withResolvers<string>();
    const again = source.read({ mayCreate: false, waiting: waits.resolve, signal: stopped.signal });
    assert.match(await waits.promise, /was read once and the root key is not stored: restart/);
    stopped.abort(new Error('enough'));
    await assert.rejects(again, { message: 'enough' });
    const [descriptor = -1] = world.opened;
    assert.throws(() => closeSync(descriptor), { code: 'EBADF' });
  }));

test('a custody that keeps the key returns it again without its source', () =>
  inWorld(async (world) => {
    const source = open('descriptor', await rows.descriptor.gives(key, world));
    const changes: boolean[] = [];
    const custody = createCustody({
      source,
      keeps: true,
      mayCreate: () => false,
      log: () => {},
      changed: (isSealed) => changes.push(isSealed),
    });
    const { signal } = new AbortController();
    const use = async (rootKey: Uint8Array) => rootKey.slice();
    assert.deepEqual(await custody.withRootKey(use, signal), key);
    assert.deepEqual(await custody.withRootKey(use, signal), key);
    assert.deepEqual(changes, [true, false]);
    custody.close();
  }));

describe('a command', () => {
  const readWith = (words: string, ...flags: string[]) =>
    readOf(open('command', ['--root-key-command', words, ...flags]));
  const text = Buffer.from(key);

  test('prints the key raw, in hex or in base64, exactly', async () => {
    const spelled = (encoding: string, output: string) =>
      readWith(
        script(`process.stdout.write(${JSON.stringify(output)})`),
        ...['--root-key-command-encoding', encoding],
      );
    const digits = text.toString('hex');
    const coded = text.toString('base64');
    for (const [encoding, output] of [
      ['hex', digits],
      ['hex', `${digits.toUpperCase()}\n`],
      ['base64', coded],
      ['base64', `${coded}\n`],
    ] as const) {
      assert.deepEqual((await spelled(encoding, output)).rootKey, key, output);
    }
    for (const [encoding, output] of [
      ['hex', ` ${digits}`],
      ['hex', `${digits}\n\n`],
      ['hex', `0x${digits}`],
      ['hex', `${digits.slice(0, -1)}g`],
      ['hex', `${digits.slice(0, -1)}@`],
      ['base64', coded.slice(0, -1)],
      ['base64', `${coded.slice(0, -2)}=\n=`],
      ['base64', `${coded.slice(0, -2)}/=`],
      ['base64', text.toString('base64url').replaceAll('_', '-')],
      ['raw', digits],
    ] as const) {
      const refused = /must print exactly 32 bytes as (raw|hex|base64), and nothing else$/;
      await assert.rejects(spelled(encoding, output), { message: refused }, output);
    }
  });

  test('runs without a shell, with few variables, and without input', async () => {
    const told = `
      const names = Object.keys(process.env).filter((name) => name !== '__CF_USER_TEXT_ENCODING').sort();
      const input = require('node:fs').readFileSync(0);
      console.error(JSON.stringify([process.argv.slice(1), names, input.length, process.cwd()]));
      process.exit(1)`;
    const words = JSON.stringify([process.execPath, '-e', told, '$HOME', '; exit 0', '*']);
    await assert.rejects(readWith(words), {
      message: /: \[\["\$HOME","; exit 0","\*"\],\["PATH"\],0,"\/"\]$/,
    });
  });

  test('receives the variables that the operator names', () => {
    const flags = ['--root-key-command-environment', 'KEYWRIGHT_SECRET'];
    assert.throws(() => readSettings({}, flags), /expected names like/);
    const settings = readSettings({}, ['--root-key-command-environment', 'VAULT_ADDR, AWS_REGION']);
    assert.deepEqual(settings.rootKeyCommandEnvironment, ['VAULT_ADDR', 'AWS_REGION']);
  });

  test('may print long errors, which are bounded', async () => {
    await assert.rejects(
      readWith(script("process.stderr.write('x'.repeat(1e6)); process.exitCode = 1")),
      (error: Error) => error.message.length < 2_300,
    );
    await assert.rejects(readWith(script("process.stdout.write('x'.repeat(1e7))")), {
      message: /and nothing else$/,
    });
  });

  test('that hangs is killed with its child processes', async () => {
    await withTemporaryDirectory(async (folder) => {
      const pids = join(folder, 'pids');
      const body = `
        const { spawn } = require('node:child_process');
        const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 1e6)'], { stdio: 'inherit' });
        require('node:fs').writeFileSync(${JSON.stringify(pids)}, JSON.stringify([process.pid, child.pid]));`;
      const words = ['--root-key-command', script(body)];
      const source = open('command', words, { ...quick, longestMs: 1_500 });
      await assert.rejects(readOf(source), { message: /took longer than 1500 ms$/ });
      for (const pid of JSON.parse(readFileSync(pids, 'utf8'))) {
        const isThere = () => {
          try {
            return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
          } catch {
            return false;
          }
        };
        while (isThere()) await new Promise((resolve) => setImmediate(resolve));
      }
    });
  });

  test('is repeated until it returns a key', async () => {
    await withTemporaryDirectory(async (folder) => {
      const file = join(folder, 'key');
      const body = `process.stdout.write(require('node:fs').readFileSync(${JSON.stringify(file)}))`;
      const source = open('command', ['--root-key-command', script(body)]);
      const reasons: string[] = [];
      const { rootKey } = await source.read({
        mayCreate: false,
        waiting: (reason) => reasons.push(reason),
        failed: () => writeFileSync(file, key),
        signal: new AbortController().signal,
      });
      assert.deepEqual(rootKey, key);
      assert.match(
        reasons.join('\n'),
        /^waits for the command .*\nthe command .* ended with exit code 1/,
      );
      rmSync(file);
    });
  });

  test('is quoted only in the log, not in the reason why the service is not ready', async () => {
    const body = "console.error('denied: arn:of:the:key'); process.exitCode = 1";
    const told = await readOnceSealed(['--root-key-command', script(body)]);
    assert.match(told.reasons.join('\n'), /ended with exit code 1$/);
    assert.doesNotMatch(told.reasons.join('\n'), /arn:of:the:key/);
    assert.deepEqual(told.lines.at(-1)?.['detail'], 'denied: arn:of:the:key');
  });

  test('is a list of texts that starts with an absolute path', () => {
    for (const bad of [
      'age',
      '[]',
      '["age"]',
      '["/bin/age", 1]',
      '{}',
      '"/bin/age"',
      '["/a\\u0000"]',
    ]) {
      assert.throws(
        () => readSettings({}, ['--root-key-command', bad]),
        /^SettingsError: --root-key-command: expected a JSON array of texts/,
        bad,
      );
    }
  });
});
