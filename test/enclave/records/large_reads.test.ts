// Slots for requests that read large rows: one per organization and two in all, in turns.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ServiceError } from '../../../src/core/errors/errors.ts';
import {
  createLargeReads,
  type LargeReads,
  maximumLargeReads,
} from '../../../src/enclave/records/large_reads.ts';

const noCheck = (): void => undefined;

/** Waits until all pending promises have settled. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Starts a request that enters a slot, reports this, and stays until it is released. */
function startRequest(large: LargeReads, organizationId: string, seen: string[], check = noCheck) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const done = large.run(check, async () => {
    await large.enter(organizationId);
    seen.push(organizationId);
    await released;
  });
  return { release, done };
}

test('a request enters once, and needs no slot outside of a request', async () => {
  const large = createLargeReads();
  assert.equal(large.mustEnter(), false);
  await large.enter('outside');
  await large.run(noCheck, async () => {
    assert.equal(large.mustEnter(), true);
    await Promise.all([large.enter('a'), large.enter('a')]);
    assert.equal(large.mustEnter(), false);
    await large.enter('a');
  });
  assert.equal(large.waiting(), 0);
});

test('one request of an organization reads at a time, and two in all', async () => {
  const large = createLargeReads();
  const seen: string[] = [];
  const requests = ['a', 'a', 'b', 'c'].map((id) => startRequest(large, id, seen));
  await settle();
  assert.deepEqual(seen, ['a', 'b']);
  assert.equal(large.waiting(), 2);
  for (const { release } of requests) release();
  await Promise.all(requests.map(({ done }) => done));
  assert.equal(large.waiting(), 0);
});

test('organizations take turns, despite many waiting requests of one', async () => {
  const large = createLargeReads();
  const seen: string[] = [];
  const busy = Array.from({ length: 6 }, () => startRequest(large, 'busy', seen));
  const other = startRequest(large, 'other', seen);
  const third = startRequest(large, 'third', seen);
  await settle();
  assert.deepEqual(seen, ['busy', 'other']);
  for (const request of busy.slice(0, 2)) {
    request.release();
    await settle();
  }
  // The second request of the busy organization has waited longer; its third goes last.
  assert.deepEqual(seen, ['busy', 'other', 'busy', 'third']);
  for (const { release } of [...busy, other, third]) release();
  await Promise.all([...busy, other, third].map(({ done }) => done));
  assert.equal(seen.filter((id) => id === 'busy').length, busy.length);
});

test('a failed or cancelled request leaves its slot', async () => {
  const large = createLargeReads();
  const refused = large.run(noCheck, async () => {
    await large.enter('a');
    throw new ServiceError('overloaded');
  });
  await assert.rejects(refused, { code: 'overloaded' });
  const seen: string[] = [];
  const gone = (): void => {
    throw new ServiceError('not_begun');
  };
  const left = startRequest(large, 'a', seen, gone);
  await assert.rejects(left.done, { code: 'not_begun' });
  const next = startRequest(large, 'a', seen);
  next.release();
  await next.done;
  assert.deepEqual(seen, ['a']);
});

test('a request that ends while it waits passes on its slot', async () => {
  const large = createLargeReads();
  const seen: string[] = [];
  const first = startRequest(large, 'a', seen);
  const impatient = large.run(noCheck, async () => {
    void large.enter('a');
  });
  const last = startRequest(large, 'a', seen);
  for (const { release } of [first, last]) release();
  await Promise.all([first.done, impatient, last.done]);
  assert.deepEqual(seen, ['a', 'a']);
  assert.equal(large.waiting(), 0);
});

test('no order of requests exceeds a bound, and each gets a slot', async () => {
  const request = fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd'), waits: fc.nat(3) });
  await fc.assert(
    fc.asyncProperty(fc.array(request, { maxLength: 20 }), async (requests) => {
      const large = createLargeReads();
      const inside: string[] = [];
      let ended = 0;
      const read = async ({ id, waits }: { readonly id: string; readonly waits: number }) => {
        await large.enter(id);
        assert.ok(!inside.includes(id), 'two of one organization');
        inside.push(id);
        assert.ok(inside.length <= maximumLargeReads);
        for (let i = 0; i < waits; i += 1) await Promise.resolve();
        inside.splice(inside.indexOf(id), 1);
        ended += 1;
      };
      await Promise.all(requests.map((each) => large.run(noCheck, () => read(each))));
      assert.equal(ended, requests.length);
      assert.equal(large.waiting(), 0);
    }),
  );
});
