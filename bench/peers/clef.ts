// Drives clef, the signer of go-ethereum, through its JSON-RPC over HTTP. A rule approves each request, and
// its audit log is on. It has no users, stamps or durable records, and opens its key file for each
// signature.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expectAllAnswered, make } from '../compare.ts';
import { httpRequest, load } from '../load.ts';
import { cpuSecondsOf, freePort } from '../service.ts';
import type { Peer } from './peer.ts';

const password = 'bench-password';
const rules = `function OnSignerStartup() {}
function ApproveSignData() { return 'Approve' }
`;
const readyTimeoutMs = 30_000;
/** clef derives a key from its password for each signature, so a time limit ends a load. */
const maximumLoadMs = 5_000;

/** Starts clef with a new key. Returns a sentence with the reason if clef is not installed. */
export async function openClef(): Promise<Peer | string> {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const program = folders.map((folder) => join(folder, 'clef')).find((path) => existsSync(path));
  if (program === undefined) {
    return 'clef is left out: it is not on PATH (go install github.com/ethereum/go-ethereum/cmd/clef@v1.16.7)';
  }
  const directory = mkdtempSync(join(tmpdir(), 'keywright-clef-'));
  const common = [
    ...['--configdir', join(directory, 'config'), '--keystore', join(directory, 'keys')],
    ...['--lightkdf', '--suppress-bootwarn'],
  ];
  const run = (passwords: number, ...words: readonly string[]): string =>
    execFileSync(program, [...common, ...words], {
      input: `${password}\n`.repeat(passwords),
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'ignore'],
    });
  const rulesFile = join(directory, 'rules.js');
  writeFileSync(rulesFile, rules);
  run(2, 'init');
  run(1, 'attest', createHash('sha256').update(rules).digest('hex'));
  const address = /0x[0-9a-fA-F]{40}/.exec(run(2, 'newaccount'))?.[0] ?? '';
  run(3, 'setpw', address);
  const port = await freePort();
  const served = `--http --http.port ${port} --http.vhosts bench --chainid 1`.split(' ');
  const logged = ['--rules', rulesFile, '--auditlog', join(directory, 'audit.log')];
  const clef = spawn(program, [...common, ...served, ...logged], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  clef.stdin.write(`${password}\n`);
  const body = requestBody(address);
  await untilItSigns(clef, port, body);
  return {
    name: 'clef',
    sign: async (callers, signatures) => {
      const request = httpRequest('/', [], Buffer.from(body));
      const before = cpuSecondsOf(clef.pid ?? 0);
      const overAt = performance.now() + maximumLoadMs;
      const requests = make(signatures, () => request);
      const result = await load(port, callers, requests, () => performance.now() > overAt);
      expectAllAnswered(result);
      const { perSecond, p50Ms } = result;
      const cpu = ((cpuSecondsOf(clef.pid ?? 0) - before) * 1e6) / result.requests;
      return { perSecond, p50Ms, cpu };
    },
    remove: async () => {
      const exited = once(clef, 'exit');
      clef.kill('SIGKILL');
      await exited;
      rmSync(directory, { recursive: true });
    },
  };
}

function requestBody(address: string): string {
  const params = ['text/plain', address, `0x${'11'.repeat(32)}`];
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'account_signData', params });
}

async function untilItSigns(clef: ChildProcess, port: number, body: string): Promise<void> {
  const deadline = performance.now() + readyTimeoutMs;
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
      .then((response) => response.text())
      .catch(String);
    if (answer.includes('"result":"0x')) return;
    if (clef.exitCode !== null || performance.now() > deadline) {
      clef.kill('SIGKILL');
      throw new Error(`clef does not sign: ${answer}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
