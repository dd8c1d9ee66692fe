import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hex, utf8 } from '../../../src/core/base/bytes.ts';
import { seal } from '../../../src/core/crypto/aead.ts';
import { createRootKeys, keyBytes, type RootKeys } from '../../../src/enclave/keys/root_keys.ts';
import { createSealing, type RecordAddress, sealMark } from '../../../src/enclave/keys/sealing.ts';
import { seededRandom } from '../../support/harness.ts';

const keysOf = (name: string): RootKeys => createRootKeys(seededRandom(name)(keyBytes));
const keys = keysOf('root');
const sealing = createSealing('seal', keys, seededRandom('nonces'));
const place: RecordAddress = {
  organizationId: 'organization',
  kind: 'wallet',
  id: 'id',
  version: 3,
};
const name = fc.string({ unit: 'binary', maxLength: 6 }).map((text) => text.replaceAll('\0', ''));
const places: fc.Arbitrary<RecordAddress> = fc.record({
  organizationId: name,
  kind: name,
  id: name,
  version: fc.nat(20),
});
const bodies = fc.uint8Array({ maxLength: 80 });

test('a record opens at the place that it was sealed for', () => {
  fc.assert(
    fc.property(places, bodies, (somewhere, body) => {
      const sealed = sealing.seal(somewhere, body);
      assert.equal(sealed.length, body.length + 5 + 12 + 16);
      assert.deepEqual(sealing.open(somewhere, sealed), body);
    }),
  );
});

test('a text is sealed as its UTF-8 bytes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 2_000 }), (text) => {
      const sealed = sealing.seal(place, text);
      assert.deepEqual(sealing.open(place, sealed), utf8(text));
    }),
  );
});

test('an empty record opens too', () => {
  const none = new Uint8Array(0);
  assert.deepEqual(sealing.open(place, sealing.seal(place, none)), none);
});

test('a record opens at no other place', () => {
  fc.assert(
    fc.property(places, places, bodies, (somewhere, elsewhere, body) => {
      const same = Object.entries(somewhere).every(
        ([member, value]) => Object.entries(elsewhere).find(([m]) => m === member)?.[1] === value,
      );
      const opened = sealing.open(elsewhere, sealing.seal(somewhere, body));
      assert.equal(opened !== undefined, same);
    }),
  );
  const sealed = sealing.seal(place, Uint8Array.of(1, 2, 3));
  const others: readonly Partial<RecordAddress>[] = [
    { organizationId: 'organizatio' },
    { organizationId: '' },
    { kind: 'private_key' },
    { id: 'ID' },
    { version: 4 },
    { version: 2 },
    { version: 3.5 },
    // Places whose members concatenate to the same text are different.
    { organizationId: 'organization\0wallet', kind: 'id', id: '3' },
    { kind: 'wallet\0id', id: '' },
    { kind: '', id: 'wallet\0id' },
  ];
  for (const other of others) assert.equal(sealing.open({ ...place, ...other }, sealed), undefined);
  assert.deepEqual(sealing.open(place, sealed), Uint8Array.of(1, 2, 3));
});

test('a record with a flipped bit or a missing piece does not open', () => {
  const sealed = sealing.seal(place, Uint8Array.of(1, 2, 3, 4));
  for (let bit = 0; bit < sealed.length * 8; bit += 1) {
    const flipped = sealed.slice();
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    assert.equal(sealing.open(place, flipped), undefined);
  }
  for (let length = 0; length < sealed.length; length += 1) {
    assert.equal(sealing.open(place, sealed.slice(0, length)), undefined);
    assert.equal(sealing.open(place, sealed.slice(sealed.length - length)), undefined);
  }
  assert.equal(sealing.open(place, Uint8Array.of(...sealed, 0)), undefined);
  assert.deepEqual(sealing.open(place, sealed), Uint8Array.of(1, 2, 3, 4));
});

test('arbitrary bytes neither open nor throw another error', () => {
  fc.assert(
    fc.property(places, fc.uint8Array({ maxLength: 100 }), (somewhere, bytes) => {
      assert.equal(sealing.open(somewhere, bytes), undefined);
    }),
  );
});

test('a record sealed with another key does not open', () => {
  const sealed = sealing.seal(place, Uint8Array.of(1));
  const random = seededRandom('others');
  const others = [
    createSealing('wrap', keys, random),
    createSealing('completeness', keys, random),
    createSealing('seal', keysOf('another root'), random),
  ];
  for (const other of others) assert.equal(other.open(place, sealed), undefined);
  assert.deepEqual(
    createSealing('seal', keysOf('root'), random).open(place, sealed),
    Uint8Array.of(1),
  );
});

test('every sealing uses its own nonce, 12 bytes from the source of randomness', () => {
  const asked: number[] = [];
  const random = seededRandom('asked');
  const asking = createSealing('seal', keys, (length) => {
    asked.push(length);
    return random(length);
  });
  const body = new Uint8Array(8);
  const sealed = Array.from({ length: 1000 }, () => asking.seal(place, body));
  assert.deepEqual(new Set(asked), new Set([12]));
  assert.equal(asked.length, 1000);
  assert.equal(new Set(sealed.map((bytes) => hex(bytes.subarray(5, 17)))).size, 1000);
  assert.equal(new Set(sealed.map(sealMark)).size, 1000);
  // The same text under other nonces gives completely different bytes.
  assert.equal(new Set(sealed.map((bytes) => hex(bytes.subarray(17, 25)))).size, 1000);
});

const dayMs = 86_400_000;

test('each day has its own key, which the body names', () => {
  let now = 20_000 * dayMs;
  const seen: string[] = [];
  const watched: RootKeys = {
    ...keys,
    key: (purpose, owner) => {
      seen.push(`${purpose}/${owner}`);
      return keys.key(purpose, owner);
    },
  };
  const daily = createSealing('seal', watched, seededRandom('daily'), () => now);
  const bodies = [0, dayMs - 1, dayMs, 400 * dayMs].map((laterMs) => {
    now = 20_000 * dayMs + laterMs;
    return daily.seal(place, Uint8Array.of(1));
  });
  const periods = bodies.map((body) => Buffer.from(body).readUInt32BE(1));
  assert.deepEqual(periods, [20_000, 20_000, 20_001, 20_400]);
  assert.deepEqual(
    seen,
    periods.map((period) => `seal/organization/${period}`),
  );
  // An enclave whose clock was set back opens all bodies.
  now = 0;
  for (const body of bodies) assert.deepEqual(daily.open(place, body), Uint8Array.of(1));
  // The key of one day does not open bodies of another.
  const moved = bodies[0]?.slice() ?? assert.fail();
  new DataView(moved.buffer).setUint32(1, 20_001);
  assert.equal(daily.open(place, moved), undefined);
});

test('a body in the earlier format opens with the key of its organization', () => {
  const random = seededRandom('form before');
  const body = utf8('written before');
  const associated = utf8(['organization', 'wallet', 'id', '3'].join('\0'));
  // A nonce whose first byte equals the mark of the new format, and other nonces.
  for (const first of [1, 0, 255]) {
    const nonce = random(12);
    nonce[0] = first;
    const sealed = seal(keys.key('seal', 'organization'), nonce, body, associated);
    const before = Uint8Array.of(...nonce, ...sealed);
    assert.deepEqual(sealing.open(place, before), body);
    assert.equal(sealing.open({ ...place, version: 4 }, before), undefined);
    before[20] = (before[20] ?? 0) ^ 1;
    assert.equal(sealing.open(place, before), undefined);
  }
});

test('the mark of a sealed body consists of bytes of its nonce, and its tag', () => {
  const sealed = sealing.seal(place, new Uint8Array(5));
  assert.equal(sealMark(sealed), hex(sealed.subarray(0, 12)) + hex(sealed.subarray(22)));
  assert.equal(sealMark(sealed).length, 56);
});

test('sealing does not change the plaintext, nor opening the sealed body', () => {
  const body = Uint8Array.of(1, 2, 3);
  const sealed = sealing.seal(place, body);
  const copy = sealed.slice();
  const opened = sealing.open(place, sealed);
  opened?.fill(0);
  assert.deepEqual([body, sealed], [Uint8Array.of(1, 2, 3), copy]);
});
