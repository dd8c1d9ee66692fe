import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { stampOf, startTestService, type TestService } from '../support/harness.ts';
import {
  activityCount,
  bytesOf,
  organizationName,
  renameEnvelope,
  sendRename,
  violatedFields,
} from './requests.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

const hourMs = 3_600_000;
const fiveMinutesMs = 300_000;

// REQ-03, AUTH-15
test('a request is younger than one hour and at most five minutes ahead', async () => {
  const aged = (ageMs: number) =>
    sendRename(service, renameEnvelope(service, { timestampMs: String(service.now() - ageMs) }));

  for (const ageMs of [hourMs - 1, 0, -fiveMinutesMs]) {
    assert.equal((await aged(ageMs)).status, 200, String(ageMs));
  }
  const before = await activityCount(service);
  const refused: [number, RegExp][] = [
    [hourMs, /^invalid request body: `timestampMs`: 3600000 ms old, expected less than 3600000 ms/],
    [hourMs + 1, /3600001 ms old/],
    [service.now(), /ms old/],
    [-fiveMinutesMs - 1, /^invalid request body: `timestampMs`: 300001 ms ahead/],
    [service.now() - 8_640_000_000_000_000, /ms ahead/],
  ];
  for (const [ageMs, message] of refused) {
    const answer = await aged(ageMs);
    assert.equal(answer.status, 400);
    assert.equal(answer.body.code, 3);
    assert.match(answer.body.message, message);
    assert.deepEqual(violatedFields(answer), ['timestampMs']);
  }
  assert.equal(await activityCount(service), before);
});

test('a prepared signature has the same age limits', async () => {
  const made = await service.submit('create_private_keys', 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
    privateKeys: [
      ...[{ privateKeyName: 'K', curve: 'CURVE_P256', privateKeyTags: [], addressFormats: [] }],
    ],
  });
  const [{ privateKeyId }] = made.body.activity.result.createPrivateKeysResultV2.privateKeys;
  /** A prepared request returns an addition; a refused request and one that needs the store do not. */
  const aged = async (ageMs: number) => {
    const body = bytesOf({
      ...renameEnvelope(service, { timestampMs: String(service.now() - ageMs) }),
      type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
      parameters: {
        signWith: privateKeyId,
        payload: `${ageMs}`,
        encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
        hashFunction: 'HASH_FUNCTION_SHA256',
      },
    });
    const headers = [stampOf(body, service.root.key)];
    const { addition } = await service.enclave.prepare({
      requestId: 'aged',
      kind: 'submit',
      operation: 'sign_raw_payload',
      headers,
      body,
      timestampObjects: false,
      remoteAddress: '127.0.0.1',
    });
    const { status } = await service.send('submit', 'sign_raw_payload', body, headers);
    return { isPrepared: addition !== undefined, status };
  };
  for (const ageMs of [hourMs - 1, 0, -fiveMinutesMs]) {
    assert.deepEqual(await aged(ageMs), { isPrepared: true, status: 200 }, String(ageMs));
  }
  for (const ageMs of [hourMs, hourMs + 1, service.now(), -fiveMinutesMs - 1]) {
    assert.deepEqual(await aged(ageMs), { isPrepared: false, status: 400 }, String(ageMs));
  }
});

test('an old body of an existing activity returns the activity', async () => {
  const body = bytesOf(renameEnvelope(service, { parameters: { organizationName: 'Once' } }));
  const first = await sendRename(service, body);
  assert.equal(first.status, 200);
  service.advance(1);
  await sendRename(service, renameEnvelope(service, { parameters: { organizationName: 'Later' } }));
  for (const ms of [1, hourMs, 30 * 24 * hourMs]) {
    service.advance(ms);
    assert.deepEqual(await sendRename(service, body), first);
  }
  assert.equal(await organizationName(service), 'Later');
});

test('two concurrent copies of a body give one activity and one effect', async () => {
  const eightTimes = async (operation: string, type: string, parameters: object) => {
    service.advance(1);
    const body = bytesOf({ ...renameEnvelope(service), type, parameters });
    const copies = Array.from({ length: 8 }, () =>
      service.send('submit', operation, body, [stampOf(body, service.root.key)]),
    );
    const answers = await Promise.all(copies);
    for (const answer of answers) assert.deepEqual(answer, answers[0]);
    assert.equal(answers[0]?.status, 200);
    return answers[0]?.body.activity;
  };
  const before = await activityCount(service);
  const account = {
    curve: 'CURVE_SECP256K1',
    pathFormat: 'PATH_FORMAT_BIP32',
    path: "m/44'/60'/0'/0/0",
    addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
  };
  const made = await eightTimes('create_wallet', 'ACTIVITY_TYPE_CREATE_WALLET', {
    walletName: 'Copies',
    accounts: [account],
  });
  assert.equal(await activityCount(service), before + 1);
  const { wallets } = (await service.query('list_wallets')).body;
  assert.equal(wallets.length, 1);

  // Operations that run in parallel find their duplicate in the store.
  const signed = await eightTimes('sign_raw_payload', 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
    signWith: made.result.createWalletResult.addresses[0],
    payload: 'text',
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_SHA256',
  });
  assert.equal(signed.status, 'ACTIVITY_STATUS_COMPLETED');
  assert.equal(await activityCount(service), before + 2);
});

test('a body that differs in white space is another activity', async () => {
  service.advance(1);
  const text = JSON.stringify(renameEnvelope(service));
  const first = await sendRename(service, text);
  const second = await sendRename(service, `${text} `);
  assert.equal(first.status, 200);
  assert.equal(second.status, 200);
  assert.notEqual(first.body.activity.id, second.body.activity.id);
  assert.notEqual(first.body.activity.fingerprint, second.body.activity.fingerprint);
});
