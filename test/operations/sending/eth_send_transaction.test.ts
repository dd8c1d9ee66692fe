import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Transaction } from 'ethers';
import { type Sender, startTestService, testKey } from '../../support/harness.ts';
import { assertRefused, assertViolation, checkActivity } from '../checks.ts';
import { addChild, addPlainUser } from '../other_callers.ts';
import { logIn, makeProfile, resultOf } from '../sessions/session_requests.ts';
import {
  describedSend,
  makeSender,
  recipient,
  sendChain,
  sendType,
  startSend,
  tell,
  unsettled,
} from './send_requests.ts';

const operation = 'eth_send_transaction';

async function started() {
  const service = await startTestService();
  return { service, from: await makeSender(service) };
}

test('eth_send_transaction: signs the completed transaction, and stores it for sending', async (t) => {
  const { service, from } = await started();
  t.after(() => service.close());
  const parameters = describedSend(from);
  const calls = (call: object) => ({ ...parameters, calls: [call] });
  const result = await checkActivity(service, {
    operation,
    type: sendType,
    intent: 'ethSendTransactionIntentV2',
    result: 'ethSendTransactionResultV2',
    parameters,
    malformed: [
      { field: 'parameters.caip2', parameters: { ...parameters, caip2: 'eip155:5' } },
      { field: 'parameters.calls', parameters: { ...parameters, calls: [] } },
      {
        field: 'parameters.calls',
        parameters: { ...parameters, calls: [...parameters.calls, ...parameters.calls] },
      },
      { field: 'parameters.calls.0.to', parameters: calls({ to: '0x1' }) },
      { field: 'parameters.calls.0.value', parameters: calls({ to: recipient, value: '-1' }) },
      { field: 'parameters.calls.0.value', parameters: calls({ to: recipient, value: '1.5' }) },
      { field: 'parameters.calls.0.data', parameters: calls({ to: recipient, data: '0x1' }) },
      { field: 'parameters.calls.0.data', parameters: calls({ to: recipient, data: 'ff' }) },
      { field: 'parameters.deadline', parameters: { ...parameters, deadline: '1' } },
      { field: 'parameters.gasStationNonce', parameters: { ...parameters, gasStationNonce: '1' } },
      { field: 'parameters.nonce', parameters: { ...parameters, nonce: 'first' } },
      {
        field: 'parameters.maxPriorityFeePerGas',
        parameters: { ...parameters, maxFeePerGas: '1', maxPriorityFeePerGas: '2' },
      },
    ],
  });
  const [send, ...more] = await unsettled(service);
  assert(send !== undefined);
  assert.equal(more.length, 0);
  assert.equal(send.sendId, result.sendTransactionStatusId);
  const signed = Transaction.from(send.signedTransaction);
  assert.equal(signed.hash, send.transactionHash);
  assert.equal(signed.from, from);
  assert.equal(signed.to, recipient);
  assert.deepEqual(
    [signed.type, signed.chainId, signed.nonce, signed.value, signed.gasLimit],
    [2, 1n, 0, 1n, 21_000n],
  );
  assert.deepEqual(
    [signed.maxFeePerGas, signed.maxPriorityFeePerGas],
    [2_100_000_000n, 100_000_000n],
  );
});

test('eth_send_transaction: takes the older type, and fields that the request names', async (t) => {
  const { service, from } = await started();
  t.after(() => service.close());
  const terms = { gasLimit: '50000', maxFeePerGas: '0x10', maxPriorityFeePerGas: '3', nonce: '7' };
  const { status, body } = await service.submit(operation, 'ACTIVITY_TYPE_ETH_SEND_TRANSACTION', {
    from,
    caip2: sendChain,
    to: recipient,
    data: '0xabcd',
    ...terms,
  });
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(Object.keys(body.activity.result), ['ethSendTransactionResult']);
  const [send] = await unsettled(service);
  const signed = Transaction.from(send?.signedTransaction ?? '');
  assert.deepEqual(
    [signed.nonce, signed.gasLimit, signed.maxFeePerGas, signed.maxPriorityFeePerGas],
    [7, 50_000n, 16n, 3n],
  );
  assert.deepEqual([signed.data, signed.value], ['0xabcd', 0n]);
});

test('eth_send_transaction: takes the lowest free nonce, and never a used one', async (t) => {
  const { service, from } = await started();
  t.after(() => service.close());
  const nonces = async () =>
    (await unsettled(service)).map(({ nonce }) => Number(nonce)).sort((a, b) => a - b);
  const [, second = ''] = [await startSend(service, from), await startSend(service, from)];
  await startSend(service, from, {}, { nonce: '3' });
  await startSend(service, from);
  assert.deepEqual(await nonces(), [0, 1, 2, 3]);
  // Another transaction used nonce 1, so this one can never land.
  await tell(service, second, { usedAtFinal: '2' });
  service.outside.amounts.set(`${sendChain}/${from.toLowerCase()}`, new Map([['nonce', '2']]));
  await startSend(service, from);
  assert.deepEqual(await nonces(), [0, 2, 3, 4]);
  const parameters = describedSend(from, { nonce: '1' });
  assertViolation(await service.submit(operation, sendType, parameters), 'parameters.nonce');
});

test('eth_send_transaction: refuses unreachable chains and calls that would revert', async (t) => {
  const { service, from } = await started();
  t.after(() => service.close());
  service.outside.reverts.set(recipient, 'too late');
  const reverts = await service.submit(operation, sendType, describedSend(from));
  assertRefused(reverts, 400, 3);
  assert.equal(reverts.body.turnkeyErrorCode, 'INVALID_TRANSACTION');
  assert.match(reverts.body.message, /it would fail: too late$/);
  service.outside.chainsDown.add(sendChain);
  assertRefused(await service.submit(operation, sendType, describedSend(from)), 503, 14);
  assert.deepEqual(await unsettled(service), []);
});

test('eth_send_transaction: policies read the completed transaction', async (t) => {
  const { service, from } = await started();
  t.after(() => service.close());
  const as = await addPlainUser(service);
  const policy = async (condition: string) => {
    const { status } = await service.submit('create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
      policyName: condition.slice(0, 40),
      effect: 'EFFECT_ALLOW',
      condition,
      notes: '',
    });
    assert.equal(status, 200);
  };
  await policy("activity.kind == 'ETH_SEND_TRANSACTION' && eth.tx.max_fee_per_gas < 2100000000");
  assertRefused(await service.submit(operation, sendType, describedSend(from), as), 403, 7);
  await policy(
    `eth.tx.to == '${recipient}' && eth.tx.value == 1 && eth.tx.nonce == 0 && eth.tx.gas == 21000 && eth.tx.max_fee_per_gas == 2100000000`,
  );
  await startSend(service, from, as);
  // The next nonce makes another transaction, which the policy does not allow.
  assertRefused(await service.submit(operation, sendType, describedSend(from), as), 403, 7);
});

test('eth_send_transaction: the deciding vote completes a waiting transaction again', async (t) => {
  const { service, from } = await started();
  t.after(() => service.close());
  const as = await addPlainUser(service);
  const created = await service.submit('create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Two',
    effect: 'EFFECT_ALLOW',
    consensus: 'approvers.count() >= 2',
    condition: 'eth.tx.nonce <= 1',
    notes: '',
  });
  assert.equal(created.status, 200);
  const { body } = await service.submit(operation, sendType, describedSend(from), as);
  assert.equal(body.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  assert.deepEqual(await unsettled(service), []);
  await startSend(service, from);
  const { fingerprint } = body.activity;
  const voted = await service.submit('approve_activity', 'ACTIVITY_TYPE_APPROVE_ACTIVITY', {
    fingerprint,
  });
  assert.equal(voted.body.activity.status, 'ACTIVITY_STATUS_COMPLETED', JSON.stringify(voted.body));
  const sends = await unsettled(service);
  assert.deepEqual(sends.map(({ nonce }) => nonce).sort(), ['0', '1']);
});

test('eth_send_transaction: a vote decides on the transaction that it signs, not on the shown one', async (t) => {
  for (const rule of [
    { allow: 'eth.tx.nonce == 0', deny: undefined },
    { allow: 'eth.tx.nonce <= 9', deny: 'eth.tx.nonce >= 1' },
  ]) {
    const { service, from } = await started();
    t.after(() => service.close());
    const as = await addPlainUser(service);
    const other = await addPlainUser(service, testKey('second plain user'));
    const two = { effect: 'EFFECT_ALLOW', consensus: 'approvers.count() >= 2' };
    const policies = [
      { policyName: 'Two', ...two, condition: rule.allow, notes: '' },
      { policyName: 'Not', effect: 'EFFECT_DENY', condition: rule.deny ?? 'false', notes: '' },
    ];
    for (const policy of policies) {
      const type = 'ACTIVITY_TYPE_CREATE_POLICY_V3';
      assert.equal((await service.submit('create_policy', type, policy)).status, 200);
    }
    const { body } = await service.submit(operation, sendType, describedSend(from), as);
    const { id: activityId, status, fingerprint } = body.activity;
    assert.equal(status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
    // Voters see the transaction in its current form, with nonce 0.
    const shown = await service.query('get_activity', { activityId }, other);
    assert.equal(shown.body.activity.canApprove, true);
    await startSend(service, from);
    const type = 'ACTIVITY_TYPE_APPROVE_ACTIVITY';
    const voted = await service.submit('approve_activity', type, { fingerprint }, other);
    assert.notEqual(voted.body.activity?.status, 'ACTIVITY_STATUS_COMPLETED');
    assert.deepEqual(
      (await unsettled(service)).map(({ nonce }) => nonce),
      ['0'],
    );
  }
});

test('eth_send_transaction: a vote of a session counts for what its scope allows at the last vote', async (t) => {
  const { service, from } = await started();
  t.after(() => service.close());
  const plain = await addPlainUser(service);
  const other = await addPlainUser(service, testKey('second plain user'));
  const created = await service.submit('create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Two',
    effect: 'EFFECT_ALLOW',
    consensus: 'approvers.count() >= 2',
    condition: 'eth.tx.value == 1',
    notes: '',
  });
  assert.equal(created.status, 200);
  const sessionProfileId = await makeProfile(service, 'First nonce', 'eth.tx.nonce == 0');
  resultOf(await logIn(service, 'session', { sessionProfileId }, plain));
  const session = { key: testKey('session') };
  const ask = () => service.submit(operation, sendType, describedSend(from), session);
  const { body } = await ask();
  assert.equal(body.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  await startSend(service, from);
  const approve = (as: Sender) =>
    service.submit(
      'approve_activity',
      'ACTIVITY_TYPE_APPROVE_ACTIVITY',
      { fingerprint: body.activity.fingerprint },
      as,
    );
  const voted = await approve(other);
  assert.equal(voted.body.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  assert.equal((await unsettled(service)).length, 1);
  assert.equal((await approve(session)).status, 403);
  const byKey = await approve(plain);
  assert.equal(byKey.body.activity.status, 'ACTIVITY_STATUS_COMPLETED', JSON.stringify(byKey.body));
  assert.deepEqual((await unsettled(service)).map(({ nonce }) => nonce).sort(), ['0', '1']);
});

test('eth_send_transaction: a dry run signs nothing and takes no nonce', async (t) => {
  const { service, from } = await started();
  t.after(() => service.close());
  const dry = { key: testKey('root'), dryRun: true };
  const { status, body } = await service.submit(operation, sendType, describedSend(from), dry);
  assert.equal(status, 200);
  assert.equal(body.dryRun.status, 'ACTIVITY_STATUS_COMPLETED');
  assert.match(JSON.stringify(body.dryRun.explanation), /0x12121212/i);
  assert.deepEqual(await unsettled(service), []);
});

test('eth_send_transaction: an address has at most 64 unsettled transactions', async (t) => {
  const { service, from } = await started();
  t.after(() => service.close());
  for (let i = 0; i < 64; i += 1) await startSend(service, from);
  const refused = await service.submit(operation, sendType, describedSend(from));
  assertRefused(refused, 429, 8);
  assert.match(refused.body.message, /already has 64 transactions on chain `eip155:1`/);
  const [first] = await unsettled(service);
  const inclusion = { number: 5, hash: `0x${'ab'.repeat(32)}` };
  await tell(service, first?.sendId ?? '', { inclusion, newest: 8 });
  service.outside.amounts.set(`${sendChain}/${from.toLowerCase()}`, new Map([['nonce', '1']]));
  await startSend(service, from);
});

test('eth_send_transaction: transactions of a sub-organization are deleted with it', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const id = await startSend(service, await makeSender(service, child), child);
  assert.equal((await unsettled(service)).length, 1);
  const type = 'ACTIVITY_TYPE_DELETE_SUB_ORGANIZATION';
  const parameters = { deleteWithoutExport: true };
  const { status } = await service.submit('delete_sub_organization', type, parameters, child);
  assert.equal(status, 200);
  assert.deepEqual(await unsettled(service), []);
  const body = { organizationId: child.organizationId, sendTransactionStatusId: id };
  const asked = await service.query('get_send_transaction_status', body);
  assert.notEqual(asked.status, 200);
});

test('eth_send_transaction: a replacement raises both fees by a tenth', async (t) => {
  const { service, from } = await started();
  t.after(() => service.close());
  const fees = (maxFeePerGas: string, maxPriorityFeePerGas: string) =>
    describedSend(from, { nonce: '0', maxFeePerGas, maxPriorityFeePerGas });
  const submitted = (parameters: object) => service.submit(operation, sendType, parameters);
  await startSend(service, from, {}, { maxFeePerGas: '1001', maxPriorityFeePerGas: '15' });
  for (const [fee, tip] of [
    ['1101', '30'],
    ['1001', '15'],
    ['2000', '16'],
  ] as const) {
    const refused = await submitted(fees(fee, tip));
    assertViolation(refused, 'parameters.maxFeePerGas');
    const wanted = `a fee of 1102 wei and a tip of 17 wei or more, to replace a transaction under way, got ${fee} and ${tip}`;
    assert.ok(JSON.stringify(refused.body).includes(wanted), JSON.stringify(refused.body));
  }
  assert.equal((await unsettled(service)).length, 1);
  assert.equal((await submitted(fees('1102', '17'))).status, 200);
  assert.deepEqual(
    (await unsettled(service)).map(({ nonce }) => nonce),
    ['0', '0'],
  );
});

test('eth_send_transaction: requires an address, not the id of a key', async (t) => {
  const { service } = await started();
  t.after(() => service.close());
  const { body } = await service.submit(
    'create_private_keys',
    'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2',
    {
      privateKeys: [
        {
          privateKeyName: 'Key',
          curve: 'CURVE_SECP256K1',
          privateKeyTags: [],
          addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
        },
      ],
    },
  );
  const [{ privateKeyId, addresses }] = body.activity.result.createPrivateKeysResultV2.privateKeys;
  const byId = await service.submit(operation, sendType, describedSend(privateKeyId));
  assertViolation(byId, 'parameters.from');
  await startSend(service, addresses[0].address);
});

test('eth_send_transaction: each of twelve concurrent requests queries the chain a bounded number of times', async (t) => {
  const { service, from } = await started();
  t.after(() => service.close());
  const before = service.outside.filledFor.length;
  await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      startSend(service, from, {}, { calls: [{ to: recipient, value: String(i + 1) }] }),
    ),
  );
  const nonces = (await unsettled(service)).map(({ nonce }) => Number(nonce));
  assert.deepEqual(
    nonces.toSorted((a, b) => a - b),
    Array.from({ length: 12 }, (_, i) => i),
  );
  assert.equal(service.outside.filledFor.length - before, 12);
});

test('eth_send_transaction: reading a waiting activity queries no chain; the deciding vote does', async (t) => {
  const { service, from } = await started();
  t.after(() => service.close());
  const as = await addPlainUser(service);
  const created = await service.submit('create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Two',
    effect: 'EFFECT_ALLOW',
    consensus: 'approvers.count() >= 2',
    condition: 'eth.tx.nonce <= 1',
    notes: '',
  });
  assert.equal(created.status, 200);
  const { body } = await service.submit(operation, sendType, describedSend(from), as);
  const { id: activityId, fingerprint } = body.activity;
  const asked = () => service.outside.filledFor.length;
  const before = asked();
  for (let i = 0; i < 5; i += 1) {
    const { body: shown } = await service.query('get_activity', { activityId });
    assert.equal(shown.activity.canApprove, true);
    await service.query('list_activities', {});
  }
  assert.ok(asked() - before <= 1, `${asked() - before} times`);
  const shown = asked();
  await service.submit('approve_activity', 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint });
  assert.equal(asked() - shown, 1);
  assert.equal((await unsettled(service)).length, 1);
});

test('eth_send_transaction: too little gas for a block is refused, and takes no nonce', async (t) => {
  const { service, from } = await started();
  t.after(() => service.close());
  const calls = [{ to: recipient, data: `0x${'ff'.repeat(1_000)}` }];
  const refused = await service.submit(
    operation,
    sendType,
    describedSend(from, { calls, gasLimit: '60999' }),
  );
  assertViolation(refused, 'parameters.gasLimit');
  assert.match(JSON.stringify(refused.body), /expected 61000 gas or more, .* got 60999/);
  assert.deepEqual(await unsettled(service), []);
  await startSend(service, from, {}, { calls, gasLimit: '61000' });
  assert.deepEqual(
    (await unsettled(service)).map(({ nonce }) => nonce),
    ['0'],
  );
});

test('eth_send_transaction: an organization has 1 MiB of unsettled transactions, and one user leaves room to others', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const from = await makeSender(service);
  const [second, third] = [
    await addPlainUser(service),
    await addPlainUser(service, testKey('third')),
  ];
  const policy = { policyName: 'Sends', effect: 'EFFECT_ALLOW', condition: 'true', notes: '' };
  const made = await service.submit('create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', policy);
  assert.equal(made.status, 200);
  const calls = [{ to: recipient, data: `0x${'ab'.repeat(120_000)}` }];
  const refused = async (as: Sender, pattern: RegExp) => {
    const parameters = describedSend(from, { calls });
    const answer = await service.submit('eth_send_transaction', sendType, parameters, as);
    assertRefused(answer, 429, 8);
    assert.match(answer.body.message, pattern);
  };
  for (let i = 0; i < 6; i += 1) await startSend(service, from, {}, { calls });
  await refused({}, /one user of it, has too many .* \(750, 768 KiB\)/);
  for (let i = 0; i < 2; i += 1) await startSend(service, from, second, { calls });
  // Together they leave the last twentieth to users with few and short transactions.
  await refused(second, /\(950, 972 KiB\)/);
  await startSend(service, from, third);
});
