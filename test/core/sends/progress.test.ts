import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  agreed,
  progressAfter,
  type Seen,
  type SendProgress,
} from '../../../src/core/sends/progress.ts';

const block = (name: string, number = 10) => ({ number, hash: name });
const seen = (changes: Partial<Seen> = {}): Seen => ({
  usedAtFinal: 0n,
  inclusion: undefined,
  newest: 12,
  isTaken: false,
  ...changes,
});

const someSeen = fc.record({
  usedAtFinal: fc.option(fc.bigInt({ min: 0n, max: 9n }), { nil: undefined }),
  inclusion: fc.option(
    fc.record({ number: fc.integer({ min: 0, max: 20 }), hash: fc.constantFrom('a', 'b', 'c') }),
    { nil: undefined },
  ),
  newest: fc.integer({ min: 0, max: 30 }),
  isTaken: fc.boolean(),
});

test('two of three nodes decide; a lying or silent node decides nothing', () => {
  const truth = seen({ inclusion: block('true') });
  const lies = [seen({ usedAtFinal: 99n }), seen({ inclusion: block('false') })];
  for (const lie of lies) {
    assert.deepEqual(agreed([lie, truth, truth], 3)?.inclusion, block('true'));
    assert.equal(agreed([lie, truth], 3), undefined, 'one to one');
  }
  assert.equal(agreed([truth], 3), undefined);
  assert.equal(agreed([], 1), undefined);
});

test('nonces count as used as far as a majority reports', () => {
  const counts = (...all: (bigint | undefined)[]) =>
    agreed(
      all.map((usedAtFinal) => seen({ usedAtFinal })),
      all.length,
    )?.usedAtFinal;
  assert.equal(counts(7n), 7n);
  assert.equal(counts(9n, 5n, 4n), 5n);
  assert.equal(counts(9n, 4n, undefined), 4n);
  assert.equal(counts(9n, undefined, undefined), undefined);
});

test('a minority of nodes cannot change the status of a transaction', () => {
  fc.assert(
    fc.property(someSeen, someSeen, (truth, lie) => {
      const shown = agreed([truth, lie, truth], 3);
      assert(shown !== undefined);
      assert.deepEqual(shown.inclusion, truth.inclusion);
      assert.equal(shown.newest, truth.newest);
      assert.equal(shown.isTaken, truth.isTaken);
      const used = truth.usedAtFinal ?? -1n;
      assert((shown.usedAtFinal ?? -1n) <= used);
    }),
  );
});

test('a settled transaction never changes, and only finality settles', () => {
  fc.assert(
    fc.property(
      fc.array(someSeen, { maxLength: 12 }),
      fc.constantFrom(undefined, 'given up'),
      (steps, givenUp) => {
        let send: SendProgress & { readonly nonce: string } = { status: 'INITIALIZED', nonce: '3' };
        for (const each of steps) {
          const after = progressAfter({ ...send, givenUp }, each, 4);
          if (send.isSettled === true) assert.equal(after, undefined);
          if (after === undefined) continue;
          if (after.isSetAside === true) {
            assert(
              givenUp !== undefined &&
                each.inclusion === undefined &&
                (each.usedAtFinal ?? 0n) <= 3n,
            );
            assert.notEqual(after.status, 'FAILED');
            send = { nonce: send.nonce, ...after };
            continue;
          }
          assert.notEqual(after.status, 'INITIALIZED');
          if (after.status === 'FAILED') {
            assert(each.inclusion === undefined && (each.usedAtFinal ?? 0n) > 3n);
            assert.equal(after.isSettled, true);
          } else if (after.isSettled === true) {
            assert(each.inclusion !== undefined && each.newest - each.inclusion.number >= 4);
          }
          send = { nonce: send.nonce, ...after };
        }
      },
    ),
  );
});
