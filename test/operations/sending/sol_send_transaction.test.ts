import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base58, base64 } from '@scure/base';
import { Keypair, PublicKey, SystemProgram, VersionedTransaction } from '@solana/web3.js';
import { verifyEd25519 } from '../../../src/core/crypto/verify.ts';
import { startTestService, type TestService, testKey } from '../../support/harness.ts';
import { assertRefused, assertViolation, checkActivity } from '../checks.ts';
import { addPlainUser } from '../other_callers.ts';
import {
  blockhash,
  describedSolanaSend,
  hexOf,
  makeSolanaAccounts,
  payee,
  pays,
  solanaChain,
  solanaType,
  startSolanaSend,
  transactionOf,
  unsettledOfSolana,
} from './solana_requests.ts';

const operation = 'sol_send_transaction';
const olderType = 'ACTIVITY_TYPE_SOL_SEND_TRANSACTION';

async function started(count = 1) {
  const service = await startTestService();
  const addresses = await makeSolanaAccounts(service, { count });
  return { service, addresses, keys: addresses.map((address) => new PublicKey(address)) };
}

async function onlyUnsettled(service: TestService) {
  const [send, ...more] = await unsettledOfSolana(service);
  assert(send !== undefined);
  assert.equal(more.length, 0);
  const signed = VersionedTransaction.deserialize(base64.decode(send.signedTransaction));
  return { send, signed };
}

function assertSigned({ message, signatures }: VersionedTransaction): void {
  for (const [i, signature] of signatures.entries()) {
    const key = message.staticAccountKeys[i]?.toBytes() ?? new Uint8Array();
    assert(verifyEd25519(key, signature, message.serialize()), `signature ${i}`);
  }
}

test('sol_send_transaction: signs the message unchanged, and stores it for sending', async (t) => {
  const { service, addresses } = await started();
  t.after(() => service.close());
  const parameters = describedSolanaSend(addresses);
  const bytes = Buffer.from(parameters.unsignedTransaction, 'hex');
  const unsigned = (changed: string) => ({ ...parameters, unsignedTransaction: changed });
  const result = await checkActivity(service, {
    operation,
    type: solanaType,
    intent: 'solSendTransactionIntentV2',
    result: 'solSendTransactionResultV2',
    parameters,
    malformed: [
      { field: 'parameters.caip2', parameters: { ...parameters, caip2: 'eip155:1' } },
      { field: 'parameters.caip2', parameters: { ...parameters, caip2: 'solana:devnet' } },
      { field: 'parameters.signWiths', parameters: { ...parameters, signWiths: [] } },
      {
        field: 'parameters.signWiths',
        parameters: { ...parameters, signWiths: Array(17).fill(addresses[0]) },
      },
      {
        field: 'parameters.signWiths.1',
        parameters: { ...parameters, signWiths: [addresses[0], addresses[0]] },
      },
      {
        field: 'parameters.signWiths.0',
        parameters: { ...parameters, signWiths: [service.root.organizationId] },
      },
      {
        field: 'parameters.recentBlockhash',
        parameters: { ...parameters, recentBlockhash: payee.toBase58() },
      },
      { field: 'parameters.unsignedTransaction', parameters: unsigned('') },
      { field: 'parameters.unsignedTransaction', parameters: unsigned('zz') },
      { field: 'parameters.unsignedTransaction', parameters: unsigned(base64.encode(bytes)) },
      {
        field: 'parameters.unsignedTransaction',
        parameters: unsigned(`${bytes.toString('hex')}00`),
      },
    ],
  });
  const { send, signed } = await onlyUnsettled(service);
  assert.equal(send.sendId, result.sendTransactionStatusId);
  assert.deepEqual(Buffer.from(signed.message.serialize()), bytes.subarray(65));
  assertSigned(signed);
  assert.equal(send.transactionHash, base58.encode(signed.signatures[0] ?? new Uint8Array()));
  assert.deepEqual(send.solana, {
    hash: blockhash,
    lastBlockHeight: 1_200,
    nonceAccount: undefined,
    sinceSlot: 1_000,
    isPaidByOthers: false,
  });
});

test('sol_send_transaction: the older type has one signer, and took base64', async (t) => {
  const { service, addresses } = await started(2);
  t.after(() => service.close());
  const [signWith = ''] = addresses;
  const { unsignedTransaction } = describedSolanaSend([signWith]);
  const bytes = Buffer.from(unsignedTransaction, 'hex');
  const common = { signWith, caip2: 'solana:mainnet', recentBlockhash: blockhash };
  const signatures = new Set<string>();
  for (const text of [unsignedTransaction, `0x${unsignedTransaction}`, base64.encode(bytes)]) {
    const parameters = { ...common, unsignedTransaction: text };
    const { status, body } = await service.submit(operation, olderType, parameters);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(Object.keys(body.activity.result), ['solSendTransactionResult']);
    assert.equal(body.activity.intent.solSendTransactionIntent.unsignedTransaction, text);
  }
  for (const { transactionHash } of await unsettledOfSolana(service)) {
    signatures.add(transactionHash);
  }
  assert.equal(signatures.size, 1, 'a message has one signature, however often it is signed');
  for (const text of ['!', describedSolanaSend(addresses).unsignedTransaction]) {
    const parameters = { ...common, unsignedTransaction: text };
    const refused = await service.submit(operation, olderType, parameters);
    assertViolation(refused, 'parameters.unsignedTransaction');
  }
});

test('sol_send_transaction: several accounts sign, each in its slot', async (t) => {
  const { service, addresses } = await started(3);
  t.after(() => service.close());
  const parameters = describedSolanaSend(addresses);
  await startSolanaSend(service, { ...parameters, signWiths: addresses.toReversed() });
  assertSigned((await onlyUnsettled(service)).signed);
  const missing = { ...parameters, signWiths: addresses.slice(1) };
  const refused = await service.submit(operation, solanaType, missing);
  assertViolation(refused, 'parameters.unsignedTransaction');
  assert.match(refused.body.message, /expected a valid signature of/);
});

test('sol_send_transaction: signs only if all other signatures are present and valid', async (t) => {
  const { service, addresses, keys } = await started();
  t.after(() => service.close());
  const [own] = keys;
  assert(own !== undefined);
  const payer = Keypair.generate();
  const send = (unsigned: VersionedTransaction) =>
    service.submit(operation, solanaType, {
      unsignedTransaction: hexOf(unsigned),
      signWiths: addresses,
      caip2: solanaChain,
    });
  const transaction = transactionOf(payer.publicKey, [pays(own)]);
  assertViolation(await send(transaction), 'parameters.unsignedTransaction');
  // A signature of another message.
  const other = transactionOf(payer.publicKey, [pays(own, 2)]);
  other.sign([payer]);
  transaction.signatures = other.signatures;
  assertViolation(await send(transaction), 'parameters.unsignedTransaction');
  assert.deepEqual(await unsettledOfSolana(service), []);
  transaction.signatures = [new Uint8Array(64), new Uint8Array(64)];
  transaction.sign([payer]);
  const [theirs] = transaction.signatures;
  assert.equal((await send(transaction)).status, 200);
  const { signed, send: kept } = await onlyUnsettled(service);
  assertSigned(signed);
  assert.deepEqual(signed.signatures[0], theirs);
  assert.equal(kept.solana?.isPaidByOthers, true);
  assert.equal(kept.transactionHash, base58.encode(theirs ?? new Uint8Array()));
});

test('sol_send_transaction: refuses an expired blockhash, and accepts a durable nonce', async (t) => {
  const { service, addresses, keys } = await started();
  t.after(() => service.close());
  const [own = payee] = keys;
  service.outside.oldHashes.add(blockhash);
  const old = await service.submit(operation, solanaType, describedSolanaSend(addresses));
  assertViolation(old, 'parameters.unsignedTransaction');
  assert.match(old.body.message, /expected a recent blockhash/);
  const noncePubkey = new PublicKey(new Uint8Array(32).fill(3));
  const advance = SystemProgram.nonceAdvance({ noncePubkey, authorizedPubkey: own });
  const durable = (...instructions: Parameters<typeof transactionOf>[1]) => ({
    unsignedTransaction: hexOf(transactionOf(own, instructions)),
    signWiths: addresses,
    caip2: solanaChain,
  });
  const moved = await service.submit(operation, solanaType, durable(advance, pays(own)));
  assertViolation(moved, 'parameters.unsignedTransaction');
  service.outside.nonces.set(noncePubkey.toBase58(), blockhash);
  // The network reads only the first instruction as a nonce advance.
  const second = await service.submit(operation, solanaType, durable(pays(own), advance));
  assertViolation(second, 'parameters.unsignedTransaction');
  await startSolanaSend(service, durable(advance, pays(own)));
  assert.deepEqual((await onlyUnsettled(service)).send.solana, {
    hash: blockhash,
    lastBlockHeight: undefined,
    nonceAccount: noncePubkey.toBase58(),
    sinceSlot: 1_000,
    isPaidByOthers: false,
  });
});

test('sol_send_transaction: refuses unreachable chains and transactions that would fail', async (t) => {
  const { service, addresses } = await started();
  t.after(() => service.close());
  service.outside.reverts.set(blockhash, 'instruction 0 failed: {Custom:1}');
  const fails = await service.submit(operation, solanaType, describedSolanaSend(addresses));
  assertRefused(fails, 400, 3);
  assert.equal(fails.body.turnkeyErrorCode, 'INVALID_TRANSACTION');
  assert.match(fails.body.message, /it would fail: instruction 0 failed: \{Custom:1\}$/);
  service.outside.chainsDown.add(solanaChain);
  const down = await service.submit(operation, solanaType, describedSolanaSend(addresses));
  assertRefused(down, 503, 14);
  assert.deepEqual(await unsettledOfSolana(service), []);
});

async function addPolicy(service: TestService, condition: string, consensus?: string) {
  const { status, body } = await service.submit('create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: condition.slice(0, 40),
    effect: 'EFFECT_ALLOW',
    condition,
    ...(consensus === undefined ? {} : { consensus }),
    notes: '',
  });
  assert.equal(status, 200, JSON.stringify(body));
}

test('sol_send_transaction: policies read the signed transaction', async (t) => {
  const { service, addresses } = await started();
  t.after(() => service.close());
  const as = await addPlainUser(service);
  const parameters = describedSolanaSend(addresses);
  await addPolicy(service, 'solana.tx.transfers.any(t, t.amount > 1)');
  assertRefused(await service.submit(operation, solanaType, parameters, as), 403, 7);
  await addPolicy(
    service,
    `activity.kind == 'SOL_SEND_TRANSACTION' && solana.tx.transfers.count() == 1 && solana.tx.transfers.all(t, t.to == '${payee.toBase58()}' && t.amount == 1) && wallet_account.address == '${addresses[0]}'`,
  );
  await startSolanaSend(service, parameters, as);
});

test('sol_send_transaction: a policy must allow each of several signers', async (t) => {
  const { service, addresses } = await started(2);
  t.after(() => service.close());
  const as = await addPlainUser(service);
  const parameters = describedSolanaSend(addresses);
  await addPolicy(service, `wallet_account.address == '${addresses[0]}'`);
  assertRefused(await service.submit(operation, solanaType, parameters, as), 403, 7);
  await addPolicy(service, `wallet_account.address == '${addresses[1]}'`);
  assertRefused(await service.submit(operation, solanaType, parameters, as), 403, 7);
  await addPolicy(service, `wallet_account.address in ['${addresses.join("', '")}']`);
  await startSolanaSend(service, parameters, as);
  const denied = `wallet_account.address == '${addresses[1]}'`;
  const deny = { policyName: 'No', effect: 'EFFECT_DENY', condition: denied, notes: '' };
  await service.submit('create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', deny);
  assertRefused(await service.submit(operation, solanaType, parameters, as), 403, 7);
});

test('sol_send_transaction: the deciding vote checks the lifetime again', async (t) => {
  const { service, addresses } = await started();
  t.after(() => service.close());
  const as = await addPlainUser(service);
  await addPolicy(service, 'solana.tx.transfers.count() == 1', 'approvers.count() >= 2');
  const wait = async (changes: object) => {
    const parameters = describedSolanaSend(addresses, changes);
    const { body } = await service.submit(operation, solanaType, parameters, as);
    assert.equal(body.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
    return body.activity.fingerprint;
  };
  const vote = async (fingerprint: string) => {
    const type = 'ACTIVITY_TYPE_APPROVE_ACTIVITY';
    const voted = await service.submit('approve_activity', type, { fingerprint });
    return voted.body.activity?.status ?? voted.body.message;
  };
  const [late, inTime] = [await wait({}), await wait({ recentBlockhash: blockhash })];
  assert.deepEqual(await unsettledOfSolana(service), []);
  assert.equal(await vote(inTime), 'ACTIVITY_STATUS_COMPLETED');
  service.outside.oldHashes.add(blockhash);
  assert.match(await vote(late), /FAILED|expected a recent blockhash/);
  await onlyUnsettled(service);
});

test('sol_send_transaction: the explanation and the limits are those of all signers', async (t) => {
  const { service, addresses, keys } = await started(2);
  t.after(() => service.close());
  const [first, second] = keys;
  assert(first !== undefined && second !== undefined);
  const nonce = { noncePubkey: payee, authorizedPubkey: second, newAuthorizedPubkey: first };
  const parameters = {
    unsignedTransaction: hexOf(transactionOf(first, [SystemProgram.nonceAuthorize(nonce)])),
    signWiths: addresses,
    caip2: solanaChain,
  };
  const dry = { key: testKey('root'), dryRun: true };
  const { body } = await service.submit(operation, solanaType, parameters, dry);
  assert.deepEqual(
    body.dryRun.explanation.warnings.map(({ code }: { code: string }) => code),
    ['NEW_AUTHORITY'],
  );
});

test('sol_send_transaction: a dry run signs nothing', async (t) => {
  const { service, addresses } = await started();
  t.after(() => service.close());
  const dry = { key: testKey('root'), dryRun: true };
  const parameters = describedSolanaSend(addresses);
  const { status, body } = await service.submit(operation, solanaType, parameters, dry);
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.dryRun.status, 'ACTIVITY_STATUS_COMPLETED');
  assert.match(JSON.stringify(body.dryRun.explanation), new RegExp(payee.toBase58()));
  assert.deepEqual(await unsettledOfSolana(service), []);
});
