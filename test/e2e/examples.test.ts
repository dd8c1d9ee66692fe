// The examples, run with a service as a reader runs them.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { apiKey, connect } from '../../src/client/index.ts';
import { startAnvil } from './anvil.ts';
import { startService, temporaryDirectory, until } from './service.ts';
import { createSolanaChain } from './solana_chain.ts';
import { startSolanaNode } from './solana_node.ts';

const projectDirectory = join(import.meta.dirname, '..', '..');
const anvil = await startAnvil({ mines: true });
const chain = createSolanaChain();
chain.finalize();
const node = await startSolanaNode(chain, { mines: true });
const coin = { symbol: 'ETH', name: 'Ether', decimals: 18, slip44: 60 };
const service = await startService({
  dataDirectory: temporaryDirectory(),
  environment: {
    KEYWRIGHT_ALLOW_PRIVATE_TARGETS: 'true',
    KEYWRIGHT_CHAINS: JSON.stringify({
      'eip155:31337': { rpcUrl: anvil.url, confirmations: 1, pollMs: 20, coin },
      [chain.caip2]: { rpcUrl: node.url, confirmations: 1, pollMs: 20 },
    }),
  },
});
after(async () => {
  // The service queries the chains until it stops.
  await service.stop();
  await node.stop();
  anvil.stop();
});
const { organizationId, baseUrl: url } = service.credentials;
const root = connect({ url, organizationId, stamp: await apiKey(service.credentials) });

/** Returns the output of an example by its first words. */
async function printedBy(
  example: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Readonly<Record<string, string>>> {
  const { stdout } = await promisify(execFile)(process.execPath, [`examples/${example}`], {
    cwd: projectDirectory,
    env: { ...process.env, KEYWRIGHT_DATA_DIR: service.dataDirectory, ...environment },
  });
  return Object.fromEntries(
    stdout.split('\n').map((line) => [line.split(' ')[0], line.replace(/^\S+ +/, '')]),
  );
}

test('a request without a client library is signed and verified', async () => {
  assert.equal((await printedBy('plain_request.ts'))['verified'], 'true');
});

test('an approval lets the treasurer sign', async () => {
  const printed = await printedBy('approval.ts');
  assert.equal(printed['payload'], 'Pay the rent');
  assert.equal(printed['approved'], 'done');
  assert.match(printed['signature'] ?? '', /^0x[0-9a-f]{130}$/);
  const { activity } = await root.query('get_activity', { activityId: printed['waits'] ?? '' });
  assert.equal(activity.status, 'ACTIVITY_STATUS_COMPLETED');
  assert.equal(activity.votes.length, 2);
});

test('a transfer on a development chain of Ethereum lands in a block', async () => {
  const printed = await printedBy('send_ethereum.ts', { CHAIN_URL: anvil.url });
  assert.equal(printed['status'], 'INCLUDED');
  const { value, from } = await anvil.call('eth_getTransactionByHash', printed['hash']);
  assert.equal(BigInt(value), 250_000_000_000_000_000n);
  assert.equal(from, printed['address']?.toLowerCase());
  assert.match(printed['balance'] ?? '', /^0\.7499/);
});

test('a transfer on a development chain of Solana lands in a block', async () => {
  const printed = await printedBy('send_solana.ts', { CHAIN_URL: node.url });
  assert.equal(printed['status'], 'INCLUDED');
  assert.equal(printed['received'], '250000000');
  const signatures = chain.blocks().flatMap(({ landed }) => landed.map((each) => each.signature));
  assert(signatures.includes(printed['signature'] ?? ''));
});

test('a webhook receiver accepts only deliveries that the service signed', async () => {
  const receiver = spawn(process.execPath, ['examples/webhook_receiver.ts'], {
    cwd: projectDirectory,
    env: { ...process.env, KEYWRIGHT_URL: url, PORT: '0' },
  });
  after(() => receiver.kill());
  let output = '';
  for (const stream of [receiver.stdout, receiver.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  await until('the receiver listens', () => output.includes('listening'));
  const target = `http://127.0.0.1:${/"port":(\d+)/.exec(output)?.[1]}/`;
  const refused = await fetch(target, { method: 'POST', body: '{"type":"ACTIVITY_TYPE_MADE_UP"}' });
  assert.equal(refused.status, 403);
  await root.submit('create_webhook_endpoint', {
    url: target,
    name: 'Receiver',
    subscriptions: [{ eventType: 'ACTIVITY_UPDATES', filtersJson: '' }],
  });
  await until('the event has arrived', () =>
    output.includes('ACTIVITY_TYPE_CREATE_WEBHOOK_ENDPOINT ACTIVITY_STATUS_COMPLETED'),
  );
  assert(!output.includes('MADE_UP'));
});
