import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { assertRefused, assertViolation, checkQuery } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { ethereumAccount, makeWallet, solanaAccount } from '../wallets/wallet_requests.ts';
import { ethereum, sol, solana, transaction, transfer, watchedChain } from './watched_chain.ts';

const operation = 'list_sol_transaction_history';

test('list_sol_transaction_history: lists incoming transfers and paid fees, with the signers', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { addresses } = await makeWallet(service, [solanaAccount()]);
  const [address = ''] = addresses;
  const chain = watchedChain(service, solana);
  await chain.begin();
  const signers = [
    { address, isWritable: true },
    { address: 'Other', isWritable: false },
  ];
  const block = await chain.confirm('b5', {
    // Some slots have no block.
    number: 5,
    transactions: [
      transaction('paid', { from: address, fee: '5000', signers, hasFailed: true }),
      transaction('came', { from: 'Payer', fee: '5001' }),
    ],
    transfers: [transfer('came', { address, ...sol, counterparty: 'Payer' })],
  });
  const answer = await checkQuery(service, {
    operation,
    body: { address, caip2: 'solana:mainnet' },
    malformed: [{ field: 'caip2', parameters: { address, caip2: '' } }],
  });
  const inBlock = {
    block: { number: '5', hash: 'b5', timestamp: '1970-01-01T00:00:01.000Z' },
    status: 'CONFIRMED',
    origin: 'EXTERNAL',
  };
  const { caip19 } = sol;
  assert.deepEqual(answer.transactions, [
    {
      ...inBlock,
      signature: 'came',
      feePayer: 'Payer',
      signers: [],
      fee: { amount: '5001', caip19 },
      transfers: [
        {
          direction: 'IN',
          asset: sol,
          amount: '5',
          counterparty: 'Payer',
          display: { crypto: '0.000000005', usd: '' },
        },
      ],
    },
    {
      ...inBlock,
      signature: 'paid',
      feePayer: address,
      executionFailed: true,
      signers: [
        { address, writable: true },
        { address: 'Other', writable: false },
      ],
      fee: { amount: '5000', caip19 },
      transfers: [],
    },
  ]);
  await chain.confirm('b6');
  await chain.finalize(block);
  const { body } = await service.query(operation, { address, caip2: solana });
  const statuses = body.transactions.map(({ status }: { status: string }) => status);
  assert.deepEqual(statuses, ['FINALIZED', 'FINALIZED']);
});

test('list_sol_transaction_history: takes only accounts of the organization, on chains that have them', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const { addresses } = await makeWallet(service, [solanaAccount(), ethereumAccount()], child);
  const [address = '', other = ''] = addresses;
  const chain = watchedChain(service, solana);
  await chain.begin();
  await chain.confirm('b2', { transactions: [transaction('own', { from: address })] });
  const asked = { address, caip2: solana };
  assertRefused(await service.query(operation, asked), 404, 5);
  const asParent = { organizationId: child.organizationId };
  const { status, body } = await service.query(operation, asked, asParent);
  assert.equal(status, 200);
  assert.equal(body.transactions[0].signature, 'own');
  const mixed = { address: other, caip2: solana };
  assertViolation(await service.query(operation, mixed, asParent), 'address');
  const wrong = { address, caip2: ethereum };
  assertViolation(await service.query(operation, wrong, asParent), 'caip2');
});

test('list_sol_transaction_history: another first block starts another history', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { addresses } = await makeWallet(service, [solanaAccount()]);
  const [address = ''] = addresses;
  const earlier = watchedChain(service, solana, { fromBlock: 2 });
  await earlier.begin();
  await earlier.confirm('b2', { transactions: [transaction('old', { from: address })] });
  const chain = watchedChain(service, solana);
  await chain.begin();
  await chain.confirm('c2', { transactions: [transaction('new', { from: address })] });
  const { body } = await service.query(operation, { address, caip2: solana });
  const signatures = body.transactions.map(({ signature }: { signature: string }) => signature);
  assert.deepEqual(signatures, ['new']);
});
