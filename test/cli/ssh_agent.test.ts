// `keywright ssh-agent` with a service, tested by the programs of OpenSSH and by git.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after } from 'node:test';
import { agentAnswer, maximumMessageBytes } from '../../src/cli/ssh/agent.ts';
import type { Identity } from '../../src/cli/ssh/identities.ts';
import { positiveMpint, uint32, wireReader, wireString } from '../../src/cli/ssh/wire.ts';
import { until } from '../e2e/service.ts';
import { testsThatNeed } from '../support/tests_that_need.ts';
import { commandsOfThisFile } from './running_service.ts';

const programs = ['ssh-add', 'ssh-keygen', 'git'].map((program) => spawnSync(program, ['-h']));
const { test } = testsThatNeed(
  programs.some(({ error }) => error !== undefined)
    ? 'needs ssh-add, ssh-keygen and git'
    : undefined,
);

const { service, run, json } = await commandsOfThisFile();
const folder = service.dataDirectory;
const socket = join(folder, 'agent.sock');
await json('key create deploy --curve ed25519');
await json('key create release --curve p256');
await json('key create chain --curve secp256k1');

const ended = new AbortController();
let notes = '';
const ran = run(['ssh-agent', 'deploy', 'release', '--socket', socket], {
  signal: ended.signal,
  err: (text) => {
    notes += text;
  },
});
await until('it listens', () => existsSync(socket));
after(async () => {
  ended.abort();
  assert.equal((await ran).code, 0);
  assert(!existsSync(socket), 'the socket is removed');
});

/** Runs a program with this agent, and returns its output. The service runs in another process. */
async function printed(words: readonly string[], input = ''): Promise<string> {
  const [program = '', ...rest] = words;
  const child = spawn(program, rest, {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, SSH_AUTH_SOCK: socket },
  });
  let out = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      out += chunk;
    });
  }
  // A program may end without reading its input.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  assert.equal(code, 0, out);
  return out;
}

const publicKeys = (await printed(['ssh-add', '-L'])).trimEnd().split('\n');
for (const [index, line] of publicKeys.entries()) writeFileSync(join(folder, `${index}.pub`), line);
const [first = '', second = ''] = publicKeys;

test('ssh-add lists the keys by their names', () => {
  assert.match(first, /^ssh-ed25519 \S+ deploy$/);
  assert.match(second, /^ecdsa-sha2-nistp256 \S+ release$/);
  assert.equal(publicKeys.length, 2);
});

for (const [index, line] of publicKeys.entries()) {
  test(`ssh-keygen signs and verifies with ${line.split(' ')[0]}`, async () => {
    const [kind, key] = line.split(' ');
    writeFileSync(join(folder, 'signers'), `me@example.com ${kind} ${key}\n`);
    // The lengths of ECDSA numbers differ between messages.
    for (let number = 0; number < 8; number += 1) {
      const message = `message ${number}`;
      writeFileSync(join(folder, 'message'), message);
      rmSync(join(folder, 'message.sig'), { force: true });
      await printed(['ssh-keygen', '-Y', 'sign', '-n', 'file', '-f', `${index}.pub`, 'message']);
      const words = '-Y verify -n file -I me@example.com -f signers -s message.sig'.split(' ');
      assert.match(await printed(['ssh-keygen', ...words], message), /^Good "file" signature/);
    }
  });
}

test('git signs a commit and verifies it', async () => {
  const tree = join(folder, 'tree');
  mkdirSync(tree);
  writeFileSync(join(folder, 'allowed'), `me@example.com ${first}\n`);
  const settings = {
    'gpg.format': 'ssh',
    'gpg.ssh.allowedSignersFile': join(folder, 'allowed'),
    'user.signingKey': join(folder, '0.pub'),
    'user.name': 'Me',
    'user.email': 'me@example.com',
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const git = (...words: readonly string[]) => printed(['git', '-C', tree, ...flags, ...words]);
  await git('init', '--quiet');
  await git('commit', '--quiet', '--allow-empty', '-S', '-m', 'signed');
  assert.match(await git('verify-commit', 'HEAD'), /Good "git" signature for me@example.com/);
});

/** Returns the agent's answer to a request for a signature. */
async function answerOf(blob: Uint8Array, data: Uint8Array): Promise<Buffer> {
  const client = connect(socket);
  const body = [Buffer.of(13), wireString(blob), wireString(data), uint32(0)];
  client.write(wireString(Buffer.concat(body)));
  const [chunk] = (await once(client, 'data')) as [Buffer];
  client.destroy();
  return chunk.subarray(4);
}

test('a forwarded agent signs logins by its key, and no transaction', async () => {
  const blob = Buffer.from(first.split(' ')[1] ?? '', 'base64');
  const session = Buffer.alloc(32, 7);
  const login = (changes: { session?: Uint8Array; service?: string; key?: Uint8Array } = {}) =>
    Buffer.concat([
      wireString(changes.session ?? session),
      Buffer.of(50),
      wireString('git'),
      wireString(changes.service ?? 'ssh-connection'),
      wireString('publickey'),
      Buffer.of(1),
      wireString('ssh-ed25519'),
      wireString(changes.key ?? blob),
    ]);
  assert.equal((await answerOf(blob, login()))[0], 14);
  // A legacy message of Solana with one signer: a transfer of all coins of the account.
  const key = blob.subarray(-32);
  const solana = Buffer.concat([
    Buffer.of(1, 0, 1, 3),
    key,
    Buffer.alloc(32, 9),
    Buffer.alloc(32),
    Buffer.alloc(32, 5),
    Buffer.of(1, 2, 2, 0, 1, 12, 2, 0, 0, 0, 0, 202, 154, 59, 0, 0, 0, 0),
  ]);
  const file = (namespace: string, hash: string, length: number) =>
    Buffer.concat([
      Buffer.from('SSHSIG'),
      ...[namespace, '', hash, Buffer.alloc(length)].map(wireString),
    ]);
  assert.equal((await answerOf(blob, file('git', 'sha512', 64)))[0], 14);
  for (const data of [
    solana,
    Buffer.from('data'),
    login({ session: Buffer.alloc(8) }),
    login({ service: 'other' }),
    login({ key: Buffer.from('other') }),
    login().subarray(0, -1),
    file('', 'sha512', 64),
    file('git', 'none', 64),
    Buffer.concat([file('git', 'sha512', 64), Buffer.of(0)]),
  ]) {
    assert.deepEqual([...(await answerOf(blob, data))], [5]);
  }
  assert.match(notes, /^deploy: the data is neither a login nor a signature of SSH/m);
});

test('a key of another curve is refused at the start', async () => {
  const { code, err } = await run(['ssh-agent', 'chain']);
  assert.equal(code, 2);
  assert.match(err, /chain has no account that is a key of SSH/);
});

test('an existing path is not changed', async () => {
  const file = join(folder, 'mine');
  writeFileSync(file, 'mine');
  const { code, err } = await run(['ssh-agent', 'deploy', '--socket', file]);
  assert.equal(code, 2);
  assert.match(err, /mine exists already/);
  assert(existsSync(file));
});

test('a refusal of the service fails the request and prints the reason', async () => {
  await json('api create_freeze --type FREEZE_TYPE_ORGANIZATION --reason drill');
  await assert.rejects(printed(['ssh-keygen', '-Y', 'sign', '-n', 'file', '-f', '0.pub'], 'm'));
  assert.match(notes, /^deploy: .*freeze/im);
});

test('a length above the bound ends the connection', async () => {
  const client = connect(socket);
  client.on('error', () => {});
  client.write(uint32(maximumMessageBytes + 1));
  await once(client, 'close');
  assert.equal(client.bytesRead, 0);
});

test('cut and altered messages fail and sign nothing', async () => {
  const identity: Identity = {
    signer: {
      signWith: '',
      address: undefined,
      addressFormat: '',
      curve: '',
      publicKey: '',
      typed: '',
    },
    blob: Buffer.from('key'),
    hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE',
    signature: () => new Uint8Array(0),
  };
  let signed = 0;
  const parts = {
    identities: [identity],
    sign: async () => {
      signed += 1;
      return undefined;
    },
  };
  const body = [wireString('key'), wireString('data'), uint32(0)];
  const message = Buffer.concat([Buffer.of(13), ...body]);
  for (let length = 0; length < message.length; length += 1) {
    assert.deepEqual([...(await agentAnswer(message.subarray(0, length), parts))], [5]);
  }
  assert.equal(signed, 0);
  await agentAnswer(message, parts);
  assert.equal(signed, 1);
});

test('numbers are written in the shortest form (RFC 4251)', () => {
  for (const [given, written] of [
    ['00', '00000000'],
    ['09a378f9b2e332a7', '0000000809a378f9b2e332a7'],
    ['0080', '000000020080'],
  ] as const) {
    assert.equal(Buffer.from(positiveMpint(Buffer.from(given, 'hex'))).toString('hex'), written);
  }
  assert.equal(wireReader(Buffer.of(0, 0, 0, 2, 1)).string(), undefined);
});
