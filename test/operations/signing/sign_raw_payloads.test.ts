import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { ethereumAccount, makeWallet } from '../wallets/wallet_requests.ts';
import { signRawPayload, storeKeys } from './signing_keys.ts';

const wire = {
  operation: 'sign_raw_payloads',
  type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS',
  intent: 'signRawPayloadsIntent',
  result: 'signRawPayloadsResult',
};
const sha256 = {
  encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
  hashFunction: 'HASH_FUNCTION_SHA256',
};

test('sign_raw_payloads: returns one signature for each payload, in order', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await storeKeys(service, signRawPayload);
  // The largest group of vectors with the same key and form.
  const groups = Map.groupBy(
    signRawPayload.filter(({ compare }) => compare === 'exact'),
    ({ address, encoding, hashFunction }) => `${address} ${encoding} ${hashFunction}`,
  );
  const [largest = []] = [...groups.values()].sort((a, b) => b.length - a.length);
  assert.ok(largest.length > 2);
  const [{ address: signWith, encoding, hashFunction } = assert.fail()] = largest;
  const parameters = {
    signWith,
    payloads: largest.map(({ payload }) => payload),
    encoding,
    hashFunction,
  };
  const result = await checkActivity(service, {
    ...wire,
    parameters,
    malformed: [
      { field: 'parameters.payloads', parameters: { ...parameters, payloads: [] } },
      {
        field: 'parameters.payloads',
        parameters: { ...parameters, payloads: Array(251).fill('00') },
      },
      { field: 'parameters.encoding', parameters: { ...parameters, encoding: '' } },
      { field: 'parameters.hashFunction', parameters: { ...parameters, hashFunction: '' } },
      // An invalid payload refuses the whole request.
      {
        field: 'parameters.payloads.1',
        parameters: {
          ...parameters,
          payloads: ['00', 'not hex'],
          encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
          hashFunction: 'HASH_FUNCTION_SHA256',
        },
      },
    ],
  });
  assert.deepEqual(result, { signatures: largest.map(({ r, s, v }) => ({ r, s, v })) });
});

test('sign_raw_payloads: signs like sign_raw_payload, at most 250 payloads', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const [signWith] = (await makeWallet(service, [ethereumAccount()])).addresses;
  const payloads = Array.from({ length: 250 }, (_, i) => `payload ${i}`);
  const parameters = { signWith, payloads, ...sha256 };
  const { status, body } = await service.submit(wire.operation, wire.type, parameters);
  assert.equal(status, 200);
  const { signatures } = body.activity.result[wire.result];
  assert.equal(signatures.length, 250);
  for (const i of [0, 249]) {
    const one = await service.submit('sign_raw_payload', 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
      signWith,
      payload: payloads[i],
      ...sha256,
    });
    assert.deepEqual(one.body.activity.result.signRawPayloadResult, signatures[i]);
  }
});

test('sign_raw_payloads: bounds the typed data of all payloads together', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const [signWith] = (await makeWallet(service, [ethereumAccount()])).addresses;
  const payload = JSON.stringify({
    types: { Values: [{ name: 'values', type: 'bool[]' }], EIP712Domain: [] },
    domain: {},
    primaryType: 'Values',
    message: { values: new Array(6000).fill(true) },
  });
  const parameters = {
    signWith,
    payloads: [payload, payload, payload],
    encoding: 'PAYLOAD_ENCODING_EIP712',
    hashFunction: 'HASH_FUNCTION_NO_OP',
  };
  const text = /at most 16384 values/;
  await checkRefused(service, { ...wire, parameters }, { status: 400, code: 3, text });
});

test('sign_raw_payloads: signs only with keys of the organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const [signWith] = (await makeWallet(service, [ethereumAccount()], await addChild(service)))
    .addresses;
  const text = /^Could not find any resource to sign with/;
  const parameters = { signWith, payloads: ['hello'], ...sha256 };
  await checkRefused(service, { ...wire, parameters }, { status: 404, code: 5, text });
});
