// Limits over time count some activities and skip others.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePolicy } from '../operations/policies/policy_requests.ts';
import {
  aggregationOf,
  makeControl,
  method,
} from '../operations/velocity_controls/velocity_control_requests.ts';
import { stampOf, type TestService, testKey } from '../support/harness.ts';
import {
  allow,
  by,
  etherTransfer,
  hour,
  isDone,
  payloadOf,
  sign,
  signTransaction,
  startLimited,
} from './limited.ts';

const twoAnHour = "activity.action == 'SIGN' && controls.hourly";

test('a refusal, a dry run and a request that fails count nothing', async (t) => {
  const { service, address } = await startLimited();
  t.after(() => service.close());
  await makeControl(service, { aggregation: aggregationOf('2') });
  await allow(service, twoAnHour);
  await makePolicy(service, 'Never this one', {
    effect: 'EFFECT_DENY',
    condition: "activity.params.encoding == 'PAYLOAD_ENCODING_HEXADECIMAL'",
    consensus: 'true',
  });
  const parameters = { signWith: address, ...payloadOf('payload') };
  const type = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2';
  for (let i = 0; i < 5; i += 1) {
    const changed = { ...parameters, encoding: 'PAYLOAD_ENCODING_HEXADECIMAL', payload: '0xab' };
    assert.equal(
      isDone(await service.submit('sign_raw_payload', type, changed, by('alice'))),
      false,
    );
    const unknown = { ...parameters, signWith: `0x${'1'.repeat(40)}` };
    const absent = await service.submit('sign_raw_payload', type, unknown, by('alice'));
    assert.equal(absent.status, 404);
    const dry = await dryRun(service, address);
    assert.equal(dry.body.dryRun.status, 'ACTIVITY_STATUS_COMPLETED');
  }
  assert.deepEqual(
    [await sign(service, address, by('alice')), await sign(service, address, by('alice'))],
    [true, true],
  );
  assert.equal(await sign(service, address, by('alice')), false);
  const dry = await dryRun(service, address);
  assert.equal(dry.body.dryRun.outcome, 'REFUSE', JSON.stringify(dry.body));
});

test('the same request sent again counts once', async (t) => {
  const { service, address } = await startLimited();
  t.after(() => service.close());
  await makeControl(service, { aggregation: aggregationOf('2') });
  await allow(service, twoAnHour);
  const body = bodyOf(service, { signWith: address, ...payloadOf('once') });
  for (let i = 0; i < 5; i += 1) {
    const stamp = stampOf(body, testKey('alice'));
    assert.equal((await service.send('submit', 'sign_raw_payload', body, [stamp])).status, 200);
  }
  assert.equal(await sign(service, address, by('alice')), true);
  assert.equal(await sign(service, address, by('alice')), false);
});

test('an activity that waits for votes counts when it is carried out, and is decided again then', async (t) => {
  const { service, address } = await startLimited(['alice', 'bob']);
  t.after(() => service.close());
  await makeControl(service, { aggregation: aggregationOf('1') });
  await allow(service, twoAnHour, { consensus: 'approvers.count() >= 2' });
  const waiting = [];
  for (const payload of ['first', 'second']) {
    const { status, body } = await service.submit(
      'sign_raw_payload',
      'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
      { signWith: address, ...payloadOf(payload) },
      by('alice'),
    );
    assert.equal(status, 200);
    assert.equal(body.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
    waiting.push(body.activity);
  }
  const approve = ({ fingerprint }: { fingerprint: string }) =>
    service.submit(
      'approve_activity',
      'ACTIVITY_TYPE_APPROVE_ACTIVITY',
      { fingerprint },
      by('bob'),
    );
  const first = await approve(waiting[0]);
  assert.equal(
    first.body.activity?.status,
    'ACTIVITY_STATUS_COMPLETED',
    JSON.stringify(first.body),
  );
  const second = await approve(waiting[1]);
  assert.notEqual(second.body.activity?.status, 'ACTIVITY_STATUS_COMPLETED');
  service.advance(hour + hour / 60);
  const later = await approve(waiting[1]);
  assert.equal(
    later.body.activity?.status,
    'ACTIVITY_STATUS_COMPLETED',
    JSON.stringify(later.body),
  );
});

test('several payloads of one request count each', async (t) => {
  const { service, address } = await startLimited();
  t.after(() => service.close());
  await makeControl(service, { aggregation: aggregationOf('3') });
  await allow(service, twoAnHour);
  const signAll = async (count: number) => {
    const { payload, ...rest } = payloadOf('payload');
    const payloads = Array.from({ length: count }, (_, i) => `${payload} ${i}`);
    return isDone(
      await service.submit(
        'sign_raw_payloads',
        'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS',
        { signWith: address, payloads, ...rest },
        by('alice'),
      ),
    );
  };
  assert.deepEqual([await signAll(4), await signAll(2), await signAll(2)], [false, true, false]);
  assert.deepEqual([await sign(service, address, by('alice')), await signAll(1)], [true, false]);
});

test('requests without a wallet share one limit of a control that counts by wallet', async (t) => {
  const { service } = await startLimited();
  t.after(() => service.close());
  const type = 'ACTIVITY_TYPE_CREATE_USER_TAG';
  const filter = { activity: [{ activityType: type }] };
  await makeControl(service, {
    dataSource: { activityExecution: { filter } },
    aggregation: aggregationOf('1', { groupBy: { wallet: {} } }),
  });
  await allow(service, `activity.type == '${type}' && controls.hourly`);
  const tag = async (userTagName: string, as: string) =>
    isDone(await service.submit('create_user_tag', type, { userTagName, userIds: [] }, by(as)));
  assert.deepEqual([await tag('first', 'alice'), await tag('second', 'bob')], [true, false]);
});

test('a request that moves nothing is nothing of an asset', async (t) => {
  const { service, address } = await startLimited();
  t.after(() => service.close());
  await makeControl(service, {
    dataSource: {
      chainAssetTransfer: { definition: [{ caip19: 'eip155:1/slip44:60', decimals: '18' }] },
    },
    aggregation: aggregationOf('1', { method: `${method}SUM` }),
  });
  await allow(service, twoAnHour);
  for (let i = 0; i < 2; i += 1) assert.equal(await sign(service, address, by('alice')), true);
});

test('an older version of a type is counted with the newest', async (t) => {
  const { service, address } = await startLimited();
  t.after(() => service.close());
  await makeControl(service, { aggregation: aggregationOf('1') });
  await allow(service, twoAnHour);
  assert.equal(await sign(service, address, by('alice')), true);
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
  const [{ privateKeyId }] = body.activity.result.createPrivateKeysResultV2.privateKeys;
  const older = await service.submit(
    'sign_raw_payload',
    'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD',
    { privateKeyId, ...payloadOf('older') },
    by('alice'),
  );
  assert.equal(isDone(older), false);
});

test('a transaction without a chain counts for the coin of every chain', async (t) => {
  const { service, address } = await startLimited();
  t.after(() => service.close());
  for (const chain of ['1', '10']) {
    await makeControl(service, {
      identifier: `chain_${chain}`,
      dataSource: {
        chainAssetTransfer: {
          definition: [{ caip19: `eip155:${chain}/slip44:60`, decimals: '18' }],
        },
      },
      aggregation: aggregationOf('1', { method: `${method}SUM` }),
    });
  }
  await allow(service, "activity.action == 'SIGN' && controls.chain_1 && controls.chain_10");
  const send = (ether: string, chainId: number) =>
    signTransaction(service, address, etherTransfer(ether, chainId), by('alice'));
  assert.equal(await send('0.7', 0), true);
  assert.deepEqual([await send('0.5', 1), await send('0.5', 10)], [false, false]);
  assert.deepEqual([await send('0.3', 1), await send('0.3', 10)], [true, true]);
  assert.equal(await send('0.1', 0), false);
  assert.equal(await send('5', 137), true, 'other chains are not limited');
});

test('an activity of the root quorum counts, and is not limited', async (t) => {
  const { service, address } = await startLimited();
  t.after(() => service.close());
  const aggregation = aggregationOf('2', { groupBy: { organization: {} } });
  await makeControl(service, { aggregation });
  await allow(service, twoAnHour);
  for (let i = 0; i < 3; i += 1) assert.equal(await sign(service, address, {}), true);
  assert.equal(await sign(service, address, by('alice')), false);
});

test('a policy that reads a control decides anew although it just decided the same', async (t) => {
  // The requests differ only in the count, so no result of the first may be reused for the second.
  const { service, address } = await startLimited();
  t.after(() => service.close());
  await makeControl(service, { aggregation: aggregationOf('1') });
  await allow(service, twoAnHour);
  assert.equal(await sign(service, address, by('alice'), 'the same'), true);
  assert.equal(await sign(service, address, by('alice'), 'the same'), false);
  service.advance(hour + hour / 60);
  assert.equal(await sign(service, address, by('alice'), 'the same'), true);
});

test('one request that nothing counts stays an addition to its organization', async (t) => {
  const { service, address } = await startLimited();
  t.after(() => service.close());
  await makeControl(service, { aggregation: aggregationOf('9') });
  await allow(service, "activity.action == 'SIGN'");
  const versionOf = async () => {
    const { organizationId } = service.root;
    const asked = { organizationId, kinds: [], knownVersion: 0, fingerprint: undefined };
    return (await service.store.port.organization(asked)).version;
  };
  await sign(service, address, by('alice'));
  const before = await versionOf();
  assert.equal(await sign(service, address, by('alice')), true);
  assert.equal(await versionOf(), (before ?? 0) + 1, 'a counted signature is a change');
  const { body } = await service.query('list_velocity_controls', {});
  const [{ velocityControlId }] = body.velocityControls;
  await service.submit('delete_velocity_control', 'ACTIVITY_TYPE_DELETE_VELOCITY_CONTROL', {
    velocityControlId,
  });
  await sign(service, address, by('alice'));
  const uncounted = await versionOf();
  assert.equal(await sign(service, address, by('alice')), true);
  assert.equal(await versionOf(), uncounted, 'without a control it is none');
});

async function dryRun(service: TestService, signWith: string) {
  const body = bodyOf(service, { signWith, ...payloadOf('dry') }, { dryRun: true });
  return service.send('submit', 'sign_raw_payload', body, [stampOf(body, testKey('alice'))]);
}

function bodyOf(service: TestService, parameters: object, more: object = {}): Uint8Array {
  service.advance(1);
  return new TextEncoder().encode(
    JSON.stringify({
      type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
      timestampMs: String(service.now()),
      organizationId: service.root.organizationId,
      parameters,
      ...more,
    }),
  );
}
