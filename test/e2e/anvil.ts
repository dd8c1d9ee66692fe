// A development chain (anvil) on loopback for the tests of one file. It mines blocks on request.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { until } from './service.ts';

export type Anvil = Awaited<ReturnType<typeof startAnvil>>;

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Starts a chain with coins in the accounts of `eth_accounts`. With `mines`, each transaction makes a
 * block; `port` 0 is any free port.
 */
export async function startAnvil({ port = 0, mines = false } = {}) {
  const manifest = createRequire(import.meta.url).resolve(
    '@foundry-rs/anvil-linux-amd64/package.json',
  );
  const words = ['--host', '127.0.0.1', '--port', `${port}`, '--accounts', '2'];
  if (!mines) words.push('--no-mining');
  const child = spawn(join(dirname(manifest), 'bin/anvil'), words, {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const portFrom = () => /Listening on 127\.0\.0\.1:(\d+)/.exec(output)?.[1];
  await until('anvil listens', () => portFrom() !== undefined);
  const url = `http://127.0.0.1:${portFrom()}`;

  // biome-ignore lint/suspicious/noExplicitAny: tests read answers by path
  async function call(method: string, ...params: readonly unknown[]): Promise<any> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(url, { method: 'POST', headers, body });
    const { result, error } = (await answer.json()) as { result?: unknown; error?: unknown };
    assert.equal(error, undefined, JSON.stringify(error));
    return result;
  }

  /** Returns the hash of a transaction that waits for the next block. */
  function send(transaction: { from: string; to?: string; value?: bigint; data?: string }) {
    const { value, ...rest } = transaction;
    const quantity = value === undefined ? {} : { value: `0x${value.toString(16)}` };
    return call('eth_sendTransaction', { ...rest, ...quantity, gas: '0x30d40' });
  }

  return {
    url,
    call,
    send,
    mine: (blocks = 1) => call('anvil_mine', `0x${blocks.toString(16)}`),
    /** Allows transactions of any account without its key. */
    openAccount: async (address: string) => {
      await call('anvil_impersonateAccount', address);
    },
    stop: () => {
      running.delete(child);
      child.kill('SIGKILL');
    },
  };
}
