import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  createDraft,
  newOrganizationState,
  stateAfter,
} from '../../../src/core/organization/state.ts';
import {
  keyKeptMs,
  keyLeadMs,
  keyTimesAt,
  rotateKey,
} from '../../../src/core/webhooks/signing_keys.ts';

const start = Date.UTC(2026, 0, 1);

/** Creates a model of the rotations of one organization over time. */
function createRotations() {
  const head = {
    name: 'O',
    rootQuorum: { threshold: 1, userIds: [] },
    features: [],
    createdAtMs: start,
    updatedAtMs: start,
  };
  let state = newOrganizationState('o', undefined, head);
  let ids = 0;
  return {
    rotate: (now: number, immediately = false) => {
      const draft = createDraft(state);
      ids += 1;
      const id = String(ids).padStart(6, '0');
      const made = rotateKey(draft, { now, newId: () => id }, immediately);
      state = stateAfter(state, draft.changes(), state.version + 1);
      return made;
    },
    at: (now: number) => keyTimesAt(state.records.webhook_key.values(), now),
    count: () => state.records.webhook_key.size,
  };
}

test('without a rotation there is one key', () => {
  assert.deepEqual(createRotations().at(start), { signing: 1, published: [1] });
});

test('the next key is published at once, signs after a day, and the last one is removed a week later', () => {
  const { rotate, at } = createRotations();
  rotate(start);
  const signs = start + keyLeadMs;
  assert.deepEqual(at(start), { signing: 1, published: [1, 2] });
  assert.deepEqual(at(signs - 1), { signing: 1, published: [1, 2] });
  assert.deepEqual(at(signs), { signing: 2, published: [1, 2] });
  assert.deepEqual(at(signs + keyKeptMs - 1), { signing: 2, published: [1, 2] });
  assert.deepEqual(at(signs + keyKeptMs), { signing: 2, published: [2] });
});

test('a compromised key is removed at once, and so are planned keys', () => {
  const { rotate, at } = createRotations();
  rotate(start);
  rotate(start + 1000, true);
  assert.deepEqual(at(start + 1000), { signing: 3, published: [3] });
});

test('no epoch repeats, and expired rows are removed', () => {
  const { rotate, at, count } = createRotations();
  for (let n = 1; n <= 50; n += 1) {
    const now = start + n * (keyLeadMs + keyKeptMs);
    assert.equal(rotate(now).epoch, n + 1);
    assert.deepEqual(at(now).published, [n, n + 1]);
    assert.ok(count() <= 3, `${count()} rows`);
  }
});

test('at most eight keys are published', () => {
  const { rotate, at } = createRotations();
  for (let n = 0; n < 7; n += 1) rotate(start + n);
  assert.equal(at(start + 7).published.length, 8);
  assert.throws(() => rotate(start + 8), { code: 'limit_exceeded' });
  assert.equal(rotate(start + 9, true).epoch, 9);
});

test('in any sequence of rotations, the signing key is published, and was published long enough before', () => {
  const step = fc.record({
    afterMs: fc.integer({ min: 0, max: 3 * keyLeadMs }),
    immediately: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const { rotate, at } = createRotations();
      let now = start;
      let last = 1;
      for (const { afterMs, immediately } of steps) {
        now += afterMs;
        if (immediately || at(now).published.length < 8) rotate(now, immediately);
        const { signing, published } = at(now);
        assert.ok(published.includes(signing));
        assert.ok(signing >= last, 'no earlier key signs again');
        // The key that signs in a day is already published, unless an immediate rotation follows.
        assert.ok(published.includes(at(now + keyLeadMs - 1).signing));
        last = signing;
      }
    }),
  );
});
