import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { utf8 } from '../../../src/core/base/bytes.ts';
import {
  deliveryHeaders,
  keyIdOf,
  keySetView,
  signedMessage,
} from '../../../src/core/webhooks/delivery.ts';

const publicKey = Uint8Array.from(
  Buffer.from('11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', 'base64url'),
);

// HOOK-16, VER-08
test('the signed message is six parts joined by dots, the body as it is', () => {
  const words = { keyId: 'key', timestampMs: 1_700_000_000_000, eventId: 'event' };
  const body = Uint8Array.of(0x7b, 0x2e, 0xff, 0x7d);
  const expected = Buffer.concat([
    Buffer.from('v1.ed25519.key.1700000000000.event.'),
    Buffer.from(body),
  ]);
  assert.deepEqual(Buffer.from(signedMessage(words, body)), expected);
});

// RFC 8037 appendix A.3
test('the id of a key is its thumbprint, which contains no dot', () => {
  assert.equal(keyIdOf(publicKey), 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
});

const words = {
  keyId: 'key',
  timestampMs: 1_700_000_000_000,
  eventId: 'event',
  organizationId: 'organization',
  eventType: 'ACTIVITY_UPDATES',
  sequence: 7,
  signature: new Uint8Array(64).fill(0xab),
} as const;

// HOOK-04, HOOK-06 … HOOK-09, HOOK-11 … HOOK-13, LIM-07, VER-09, OPEN-16, OPEN-17
test('the specified headers and the compatible headers have the same values', () => {
  const specified = new Map(deliveryHeaders(words, false).map(({ name, value }) => [name, value]));
  assert.deepEqual(Object.fromEntries(specified), {
    'Content-Type': 'application/json',
    'X-Service-Sequence': '7',
    'X-Service-Organization-Id': 'organization',
    'X-Service-Event-Type': 'ACTIVITY_UPDATES',
    'X-Service-Webhook-Version': '1',
    'X-Service-Event-Id': 'event',
    'X-Service-Timestamp': '1700000000000',
    'X-Service-Signature-Key-Id': 'key',
    'X-Service-Signature-Algorithm': 'ed25519',
    'X-Service-Signature-Version': 'v1',
    'X-Service-Signature': 'ab'.repeat(64),
  });
  const both = new Map(deliveryHeaders(words, true).map(({ name, value }) => [name, value]));
  for (const [name, value] of specified) assert.equal(both.get(name), value);
  for (const [name, value] of specified) {
    if (!name.startsWith('X-Service-') || name === 'X-Service-Sequence') continue;
    assert.equal(both.get(name.replace('Service', 'Turnkey')), value);
  }
  assert.equal(both.size, specified.size + 9);
});

// DISC-03, DISC-04, DISC-06 … DISC-12, VER-10, LIM-06
test('a key of the key set', () => {
  const standard = {
    kid: keyIdOf(publicKey),
    kty: 'OKP',
    crv: 'Ed25519',
    alg: 'EdDSA',
    use: 'sig',
    x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  };
  const service = { service_signature_algorithm: 'ed25519', service_signature_version: 'v1' };
  const compatible = { turnkey_signature_algorithm: 'ed25519', turnkey_signature_version: 'v1' };
  assert.deepEqual(keySetView([publicKey], false), { keys: [{ ...standard, ...service }] });
  const both = { keys: [{ ...standard, ...service, ...compatible }] };
  assert.deepEqual(keySetView([publicKey], true), both);
  assert.deepEqual(keySetView([], true), { keys: [] });
});

test('the thumbprint is over the members in the order of the standard', () => {
  const text = `{"crv":"Ed25519","kty":"OKP","x":"${Buffer.from(publicKey).toString('base64url')}"}`;
  const expected = createHash('sha256').update(utf8(text)).digest('base64url');
  assert.equal(keyIdOf(publicKey), expected);
});
