import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { base64url, utf8 } from '../../src/core/base/bytes.ts';
import {
  createKnownKeys,
  knownForMs,
  manyRefusalsOfKey,
  maximumKnownKeys,
} from '../../src/gateway/admission/known_keys.ts';

const encoded = (value: object) => base64url(utf8(JSON.stringify(value)));
const keyOf = (i: number) => `02${i.toString(16).padStart(64, '0')}`;
const stamped = (publicKey: string, signature = '30') => [
  {
    name: 'x-stamp',
    value: encoded({ publicKey, scheme: 'SIGNATURE_SCHEME_TK_API_P256', signature }),
  },
];
const byPasskey = (credentialId: string) => [
  {
    name: 'x-stamp-webauthn',
    value: encoded({
      credentialId,
      authenticatorData: 'AA',
      clientDataJson: 'AA',
      signature: 'AA',
    }),
  },
];

/** Creates a memory of keys with a stopped clock. */
function startKeys() {
  let now = 0;
  const keys = createKnownKeys(() => now);
  return {
    keys,
    advance: (ms: number) => {
      now += ms;
    },
  };
}

describe('a key is known', () => {
  test('once a request was authenticated by it, whatever the signature, from the same source', () => {
    const { keys } = startKeys();
    assert.ok(!keys.has('a', stamped(keyOf(1))));
    keys.note('a', 'credential', stamped(keyOf(1)));
    assert.ok(keys.has('a', stamped(keyOf(1).toUpperCase(), '3045')));
    assert.ok(!keys.has('a', stamped(keyOf(2))));
    assert.ok(!keys.has('another source', stamped(keyOf(1))));
  });

  test('also for a passkey and a session', () => {
    const { keys } = startKeys();
    const session = [{ name: 'x-session', value: 'token' }];
    keys.note('a', 'passkey', byPasskey('Y3JlZA'));
    keys.note('a', 'session', session);
    assert.ok(keys.has('a', byPasskey('Y3JlZA')));
    assert.ok(!keys.has('a', byPasskey('b3RoZXI')));
    assert.ok(keys.has('a', session));
    assert.ok(!keys.has('a', [{ name: 'x-session', value: 'other' }]));
  });

  test('for a day after its last use', () => {
    const { keys, advance } = startKeys();
    keys.note('a', 'credential', stamped(keyOf(1)));
    advance(knownForMs / 2);
    keys.note('a', 'credential', stamped(keyOf(1)));
    advance(knownForMs - 1);
    assert.ok(keys.has('a', stamped(keyOf(1))));
    advance(1);
    assert.ok(!keys.has('a', stamped(keyOf(1))));
  });
});

test('headers without exactly one well-formed stamp name no key', () => {
  const { keys } = startKeys();
  const [stamp] = stamped(keyOf(1));
  assert.ok(stamp !== undefined);
  for (const headers of [[], [stamp, stamp], [{ name: 'x-stamp', value: 'x' }]]) {
    keys.note('a', `credential ${headers.length}`, headers);
    assert.ok(!keys.has('a', headers));
  }
});

test('a source with many keys evicts only its own', () => {
  const { keys } = startKeys();
  keys.note('a', 'credential', stamped(keyOf(1)));
  for (let i = 0; i < maximumKnownKeys + 10; i += 1)
    keys.note('b', `credential ${i}`, stamped(keyOf(i)));
  assert.ok(keys.has('a', stamped(keyOf(1))));
  assert.ok(!keys.has('b', stamped(keyOf(0))));
  assert.ok(keys.has('b', stamped(keyOf(maximumKnownKeys))));
});

describe('a key is trusted', () => {
  test('while it is known and has few recent refusals', () => {
    const { keys, advance } = startKeys();
    assert.ok(!keys.isTrusted('a', stamped(keyOf(1))));
    keys.note('a', 'credential', stamped(keyOf(1)));
    assert.ok(keys.isTrusted('a', stamped(keyOf(1))));
    for (let i = 0; i < manyRefusalsOfKey; i += 1) keys.noteRefusal('a', stamped(keyOf(1)));
    assert.ok(!keys.isTrusted('a', stamped(keyOf(1))));
    assert.ok(keys.has('a', stamped(keyOf(1))));
    advance(2_000);
    assert.ok(keys.isTrusted('a', stamped(keyOf(1))));
  });

  test('despite refusals of other keys and sources', () => {
    const { keys } = startKeys();
    keys.note('a', 'credential', stamped(keyOf(1)));
    for (let i = 0; i < 1_000; i += 1) {
      keys.noteRefusal('a', stamped(keyOf(2)));
      keys.noteRefusal('b', stamped(keyOf(1)));
      keys.noteRefusal('a', [{ name: 'x-stamp', value: 'unreadable' }]);
    }
    assert.ok(keys.isTrusted('a', stamped(keyOf(1))));
  });
});
