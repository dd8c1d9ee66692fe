// Two nodes on one PostgreSQL database follow one chain. Each block is reported once, despite dropped forks
// and a killed node.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { PublicKey, SystemProgram } from '@solana/web3.js';
import { canStartPostgres, newDatabase, startPostgresServer } from '../store/postgres_server.ts';
import { accountParameters, createAddress, serverClient } from './clients.ts';
import { startService, until } from './service.ts';
import { createSolanaChain } from './solana_chain.ts';
import { startSolanaNode } from './solana_node.ts';
import { nodeDirectory } from './two_nodes.ts';
import { startReceiver } from './webhook_receiver.ts';

if (canStartPostgres) {
  const server = await startPostgresServer();
  after(() => server.remove());
  const receiver = await startReceiver();
  after(() => receiver.close());
  const chain = createSolanaChain();
  chain.finalize();
  const node = await startSolanaNode(chain);
  after(() => node.stop());
  const environment = {
    KEYWRIGHT_ALLOW_PRIVATE_TARGETS: 'true',
    KEYWRIGHT_DATABASE_URL: await newDatabase(server.url),
    KEYWRIGHT_CHAINS: JSON.stringify({
      [chain.caip2]: { rpcUrl: node.url, confirmations: 2, pollMs: 20 },
    }),
  };
  const rootKey = randomBytes(32);
  const start = () => startService({ dataDirectory: nodeDirectory(rootKey), environment });
  const first = await start();
  after(() => first.stop());
  const second = await start();
  const client = serverClient(first);
  const address = await createAddress(first, 'Solana', accountParameters.solana);
  await client.createWebhookEndpoint({
    url: receiver.url,
    name: 'Balances',
    subscriptions: [
      { eventType: 'BALANCE_CONFIRMED_UPDATES' },
      { eventType: 'BALANCE_FINALIZED_UPDATES' },
    ],
  });

  test('both nodes follow the chain, and each event is reported once despite faults', async () => {
    const toPubkey = new PublicKey(address);
    let paid = 0;
    const pay = () => {
      paid += 1;
      const fromPubkey = chain.payer.publicKey;
      chain.send([SystemProgram.transfer({ fromPubkey, toPubkey, lamports: 1_000_000 + paid })]);
    };
    const reported = () =>
      receiver.received.map(({ headers, body }) => {
        const { type, msg } = JSON.parse(body.toString());
        const { amount } = msg.asset;
        return { id: headers['x-service-event-id'], type, amount, hash: msg.block.hash };
      });
    const isReported = (type: string, hash: string) =>
      reported().some((each) => each.type === `balances:${type}` && each.hash === hash);
    for (let round = 0; round < 12; round += 1) {
      pay();
      const { hash } = chain.produce(1 + (round % 3));
      await until('the event has arrived', () => isReported('confirmed', hash));
      if (round % 4 === 1) chain.drop(1);
      if (round % 3 === 2) chain.finalize(chain.blocks().at(-3)?.slot);
      if (round === 6) await second.kill();
    }
    for (let i = 0; i < 3; i += 1) chain.produce();
    chain.finalize();
    const stays = chain.blocks().filter(({ transactions }) => transactions.length > 0);
    await until('all is final', () => stays.every(({ hash }) => isReported('finalized', hash)));
    const events = new Map(reported().map((each) => [each.id, each]));
    const of = (type: string) => [...events.values()].filter((each) => each.type === type);
    assert.equal(of('balances:confirmed').length, paid);
    assert.deepEqual(
      of('balances:finalized')
        .map(({ hash }) => hash)
        .sort(),
      stays.map(({ hash }) => hash).sort(),
    );
    assert.equal(stays.length, paid - 3);
  });
}
