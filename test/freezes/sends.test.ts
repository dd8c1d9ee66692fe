// A freeze of transactions that were not sent yet: no node of the service releases their bytes any more.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Transaction } from 'ethers';
import type { Send } from '../../src/core/organization/records/sends.ts';
import { codecOf } from '../enclave/hostile_world.ts';
import { assertFrozen, lift, makeFreeze } from '../operations/freezes/freeze_requests.ts';
import { addChild, changeOrganization } from '../operations/other_callers.ts';
import { makePolicy } from '../operations/policies/policy_requests.ts';
import { startSecondNode } from '../operations/second_node.ts';
import {
  describedSend,
  foreignTransaction,
  makeSender,
  sendChain,
  sendType,
  startSend,
  tell,
  unsettled,
} from '../operations/sending/send_requests.ts';
import {
  describedSolanaSend,
  makeSolanaAccounts,
  solanaChain,
  startSolanaSend,
} from '../operations/sending/solana_requests.ts';
import { makeUser } from '../operations/users/user_requests.ts';
import { startTestService, type TestService, testKey } from '../support/harness.ts';

/** Returns true if both the list and the query release the only open transaction to the gateway. */
async function isReleased(
  service: TestService,
  organizationId = service.root.organizationId,
  caip2 = sendChain,
): Promise<boolean> {
  const second = await startSecondNode(service, `node ${service.now()}`);
  const answers = await Promise.all(
    [service.enclave, second].map(async (enclave) => {
      const [send] = await enclave.unsettledSends({ caip2 });
      assert(send !== undefined);
      const { sendId, isFrozen, signedTransaction } = send;
      assert.equal(isFrozen, signedTransaction === '');
      assert.equal(await enclave.maySend({ organizationId, sendId }), !isFrozen);
      return !isFrozen;
    }),
  );
  assert.equal(answers[0], answers[1]);
  return answers[0] ?? assert.fail();
}

async function walletsOf(service: TestService): Promise<string[]> {
  const { wallets } = (await service.query('list_wallets')).body;
  return wallets.map(({ walletId }: { readonly walletId: string }) => walletId);
}

const walletOf = async (service: TestService): Promise<string> =>
  (await walletsOf(service))[0] ?? assert.fail();

test('a transaction under way is released to no node while a freeze stops it', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const trader = { key: testKey('Trader') };
  const userId = await makeUser(service, 'Trader');
  await makePolicy(service, 'Trades', {
    condition: "activity.action == 'SIGN'",
    consensus: 'true',
  });
  const from = await makeSender(service);
  const id = await startSend(service, from, trader);
  assert.equal(await isReleased(service), true);
  const subjects = [
    ['ORGANIZATION', undefined],
    ['DEPLOYMENT', undefined],
    ['WALLET', await walletOf(service)],
    ['USER', userId],
  ] as const;
  for (const [type, resourceId] of subjects) {
    const freezeId = await makeFreeze(service, type, resourceId);
    assert.equal(await isReleased(service), false, type);
    // The transaction is not replaced either.
    const fees = { nonce: '0', maxFeePerGas: '10000000000', maxPriorityFeePerGas: '1000000000' };
    assertFrozen(
      await service.submit('eth_send_transaction', sendType, describedSend(from, fees), trader),
      /./,
    );
    await lift(service, freezeId);
    assert.equal(await isReleased(service), true, type);
  }
  // Nodes that have the transaction may include it, and the inclusion is recorded.
  await makeFreeze(service);
  await tell(service, id, { newest: 7, inclusion: { number: 7, hash: `0x${'77'.repeat(32)}` } });
  const { body } = await service.query('get_send_transaction_status', {
    sendTransactionStatusId: id,
  });
  assert.equal(body.txStatus, 'INCLUDED');
});

test('a freeze of the user or the wallet of others leaves a transaction alone', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const other = await makeUser(service, 'Other');
  const from = await makeSender(service);
  await startSend(service, from);
  const { body } = await service.submit('create_wallet', 'ACTIVITY_TYPE_CREATE_WALLET', {
    walletName: 'Other',
    accounts: [],
  });
  await makeFreeze(service, 'USER', other);
  await makeFreeze(service, 'WALLET', body.activity.result.createWalletResult.walletId);
  assert.equal(await isReleased(service), true);
});

test('a parent withholds transactions of its sub-organizations', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const { organizationId } = child;
  await startSend(service, await makeSender(service, child), child);
  for (const [type, id] of [
    ['DEPLOYMENT', undefined],
    ['SUB_ORGANIZATION', organizationId],
  ] as const) {
    assert.equal(await isReleased(service, organizationId), true);
    const freezeId = await makeFreeze(service, type, id);
    assert.equal(await isReleased(service, organizationId), false, type);
    await lift(service, freezeId);
  }
});

test('a freeze is not bypassed by raw bytes that were signed before it', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const from = await makeSender(service);
  const unsigned = Transaction.from(foreignTransaction()).unsignedSerialized.slice(2);
  const signed = await service.submit('sign_transaction', 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', {
    signWith: from,
    unsignedTransaction: unsigned,
    type: 'TRANSACTION_TYPE_ETHEREUM',
  });
  const { signedTransaction } = signed.body.activity.result.signTransactionResult;
  const send = (bytes: string) =>
    service.submit('eth_send_raw_transaction', 'ACTIVITY_TYPE_ETH_SEND_RAW_TRANSACTION', {
      signedTransaction: bytes,
      caip2: sendChain,
    });
  const freezeId = await makeFreeze(service, 'WALLET', await walletOf(service));
  assertFrozen(await send(signedTransaction), /wallet/);
  assert.deepEqual(await unsettled(service), []);
  await lift(service, freezeId);
  assert.equal((await send(signedTransaction)).status, 200);
  assert.equal(await isReleased(service), true);
  await makeFreeze(service, 'WALLET', await walletOf(service));
  assert.equal(await isReleased(service), false);
  // The key of another party does not belong to the wallet.
  assert.equal((await send(foreignTransaction())).status, 200);
});

test('a freeze of one of several signers withholds a transaction of Solana', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const addresses = [
    ...(await makeSolanaAccounts(service)),
    ...(await makeSolanaAccounts(service)),
  ];
  await startSolanaSend(service, describedSolanaSend(addresses));
  const { organizationId } = service.root;
  assert.equal(await isReleased(service, organizationId, solanaChain), true);
  const [, walletId] = await walletsOf(service);
  await makeFreeze(service, 'WALLET', walletId);
  assert.equal(await isReleased(service, organizationId, solanaChain), false);
  const again = await service.submit(
    'sol_send_transaction',
    'ACTIVITY_TYPE_SOL_SEND_TRANSACTION_V2',
    describedSolanaSend(addresses),
  );
  assertFrozen(again, /wallet/);
});

test('a transaction of an earlier release, without an origin, is found by its sender', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await startSend(service, await makeSender(service));
  const [under] = await unsettled(service);
  assert(under !== undefined);
  const { organizationId } = service.root;
  await dropOrigin(service, under.sendId);
  assert.equal(await isReleased(service, organizationId), true);
  await makeFreeze(service, 'WALLET', await walletOf(service));
  assert.equal(await isReleased(service, organizationId), false);
});

/** Rewrites a row in the form of an earlier release. */
async function dropOrigin(service: TestService, sendId: string): Promise<void> {
  const { organizationId } = service.root;
  const rows = await service.store.port.records({ organizationId, kind: 'send', ids: [sendId] });
  const [send] = rows.map((row) => codecOf('sends').openRecord(organizationId, row) as Send);
  assert(send?.origin !== undefined);
  await changeOrganization(service, (draft) => {
    const { origin: _, ...earlier } = send;
    draft.drop('send', send);
    draft.add('send', earlier);
    return undefined;
  });
}
