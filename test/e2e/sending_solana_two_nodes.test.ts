// Two nodes on one PostgreSQL database send on one chain. Each transfer is on the chain once, despite a kill
// of a node between any two steps.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { Keypair, PublicKey, SystemProgram } from '@solana/web3.js';
import { hexOf, transactionOf } from '../operations/sending/solana_requests.ts';
import { canStartPostgres, newDatabase, startPostgresServer } from '../store/postgres_server.ts';
import { accountParameters, createAddress, serverClient } from './clients.ts';
import { startService, until } from './service.ts';
import { createSolanaChain } from './solana_chain.ts';
import { startSolanaNode } from './solana_node.ts';
import { nodeDirectory } from './two_nodes.ts';

if (canStartPostgres) {
  const server = await startPostgresServer();
  after(() => server.remove());
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
  let second = await start();
  after(() => second.stop());
  const client = serverClient(first);
  const address = await createAddress(first, 'Solana', accountParameters.solana);
  const owner = new PublicKey(address);
  const lamports = 10_000_000_000;
  const fromPubkey = chain.payer.publicKey;
  chain.send([SystemProgram.transfer({ fromPubkey, toPubkey: owner, lamports })]);
  chain.produce();
  chain.finalize();

  test('each transfer is on the chain once, whichever node sends it', async () => {
    const caip2 = chain.caip2 as 'solana:mainnet';
    const balanceOf = (key: PublicKey) => chain.accountAt(key)?.lamports() ?? 0n;
    const statusOf = async (sendTransactionStatusId: string) =>
      (await client.getSendTransactionStatus({ sendTransactionStatusId })).txStatus;
    for (let round = 0; round < 6; round += 1) {
      const payees = [0, 1, 2].map(() => Keypair.generate().publicKey);
      if (round === 4) node.swallow('sendTransaction');
      const ids = await Promise.all(
        payees.map(async (toPubkey, i) => {
          const pays = SystemProgram.transfer({ fromPubkey: owner, toPubkey, lamports: 2_000_000 });
          const unsigned = transactionOf(owner, [pays], chain.recentBlockhash());
          // Both nodes get requests with the credentials of one organization.
          const service = i % 2 === 0 ? first : { ...first, baseUrl: second.baseUrl };
          const sent = await serverClient(service).solSendTransaction({
            unsignedTransaction: hexOf(unsigned),
            signWiths: [address],
            caip2,
          });
          return sent.sendTransactionStatusId;
        }),
      );
      if (round % 2 === 1) await second.kill();
      if (round === 4) node.swallow();
      await until('the node has all', () => chain.waiting() === payees.length);
      chain.produce();
      if (round % 2 === 1) second = await start();
      for (const id of ids) {
        await until('it is included', async () => {
          // The waiting bytes may be those of the previous round, sent again.
          if (chain.waiting() > 0) chain.produce();
          return (await statusOf(id)) === 'INCLUDED';
        });
      }
      assert.deepEqual(payees.map(balanceOf), [2_000_000n, 2_000_000n, 2_000_000n]);
      chain.finalize();
    }
    const fees = 18n * 5_000n;
    assert.equal(balanceOf(owner), BigInt(lamports) - 18n * 2_000_000n - fees);
  });
}
