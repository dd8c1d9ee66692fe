import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createIdSource } from '../../../src/core/base/ids.ts';
import { isUuid } from '../../../src/core/schema/formats.ts';
import { seededRandom } from '../../support/harness.ts';

/** The last moment that fits into 48 bits, less the time that a run may be ahead. */
const lastMs = 2 ** 48 - 1 - 1_000_000;

const clocks = {
  stuck: (ms: number) => () => ms,
  forward: (ms: number) => {
    let now = ms;
    return () => now++;
  },
  backward: (ms: number) => {
    let now = ms;
    return () => Math.max(0, now--);
  },
} as const;

test('an id is a version 7 UUID of the RFC 9562 variant, which begins with its time', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: lastMs }),
      fc.uint8Array({ minLength: 10, maxLength: 10 }),
      (ms, random) => {
        const id = createIdSource({ clock: () => ms, random: () => random })();
        assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        assert.ok(isUuid(id));
        assert.equal(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16), ms);
      },
    ),
  );
});

// RFC 9562 appendix A.6: the time of the example.
test('the time of the example in the standard', () => {
  const id = createIdSource({ clock: () => 0x017f22e279b0, random: seededRandom('example') })();
  assert.ok(id.startsWith('017f22e2-79b0-7'));
});

test('ids ascend for any clock and randomness', () => {
  const jumps = fc.array(fc.oneof(fc.integer({ min: 0, max: lastMs }), fc.nat(5)), {
    minLength: 2,
    maxLength: 200,
  });
  const randomness = fc.constantFrom(
    (length: number) => new Uint8Array(length),
    (length: number) => new Uint8Array(length).fill(255),
    seededRandom('ids that ascend'),
  );
  fc.assert(
    fc.property(jumps, randomness, (times, random) => {
      const left = [...times];
      const newId = createIdSource({ clock: () => left.shift() ?? 0, random });
      const ids = times.map(() => newId());
      for (const [i, id] of ids.entries()) assert.ok(i === 0 || id > (ids[i - 1] ?? ''), id);
    }),
  );
});

for (const [name, clockFrom] of Object.entries(clocks)) {
  test(`100,000 ids of a ${name} clock ascend, so none repeats`, () => {
    const random = (length: number) => new Uint8Array(length);
    const newId = createIdSource({ clock: clockFrom(1_700_000_000_000), random });
    let last = '';
    for (let i = 0; i < 100_000; i += 1) {
      const id = newId();
      if (id <= last) assert.fail(`${id} after ${last}`);
      last = id;
    }
    const ranAheadMs =
      Number.parseInt(last.replaceAll('-', '').slice(0, 12), 16) - 1_700_000_000_000;
    // A millisecond has room for 4096 ids.
    assert.ok(ranAheadMs >= 0 && ranAheadMs <= 100_000);
    if (name === 'stuck') assert.ok(ranAheadMs <= 25);
  });
}

test('two sources at the same moment differ by their randomness', () => {
  const ids = Array.from({ length: 1000 }, (_, i) =>
    createIdSource({ clock: () => 1, random: seededRandom(`source ${i}`) })(),
  );
  const tails = ids.map((id) => id.slice(19));
  assert.equal(new Set(tails).size, ids.length);
});

test('62 bits of an id are random', () => {
  const at = (byte: number) => (length: number) => new Uint8Array(length).fill(byte);
  const tailOf = (byte: number) => createIdSource({ clock: () => 1, random: at(byte) })().slice(19);
  assert.equal(tailOf(0), '8000-000000000000');
  assert.equal(tailOf(255), 'bfff-ffffffffffff');
});
