import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { lifetimeOfMost } from '../../../src/core/sends/solana_fill.ts';
import {
  agreedSolana,
  type SolanaSeen,
  solanaLevels,
  solanaProgressAfter,
} from '../../../src/core/sends/solana_progress.ts';

type Send = Parameters<typeof solanaProgressAfter>[0];

const byBlockhash = { lifetime: { hash: 'H', lastBlockHeight: 500 }, sinceSlot: 300 };
const byNonce = { lifetime: { hash: 'N', nonceAccount: 'A' }, sinceSlot: 300 };
const sent = (changes: Partial<Send> = {}): Send => ({
  status: 'BROADCASTING',
  givenUp: undefined,
  ...byBlockhash,
  ...changes,
});
const seen = (changes: Partial<SolanaSeen> = {}): SolanaSeen => ({
  slot: 1_000,
  isTaken: false,
  inclusion: undefined,
  end: undefined,
  ...changes,
});
const end = { slot: 990, firstSlot: 0, height: 501, nonce: undefined };
const statusOf = (send: Send, shown: SolanaSeen) => solanaProgressAfter(send, shown)?.status;

test('a transaction is included once most of the stake voted for its block, and settled once that is final', () => {
  const at = (level: (typeof solanaLevels)[number]) => seen({ inclusion: { slot: 900, level } });
  assert.equal(statusOf(sent(), at('processed')), undefined);
  assert.equal(statusOf(sent({ status: 'INITIALIZED' }), at('processed')), 'BROADCASTING');
  const included = solanaProgressAfter(sent(), at('confirmed'));
  assert.deepEqual(included, { status: 'INCLUDED', block: { number: 900 } });
  const known = sent({ ...included });
  assert.equal(solanaProgressAfter(known, at('confirmed')), undefined);
  assert.deepEqual(solanaProgressAfter(known, at('finalized')), { ...included, isSettled: true });
});

test('a transaction is sent again after a fork, but not because of a lagging node', () => {
  const included = sent({ status: 'INCLUDED', block: { number: 900 } });
  for (const shown of [
    seen({ slot: 899 }),
    seen({ slot: 900 }),
    seen({ inclusion: { slot: 900, level: 'processed' } }),
    seen({ slot: 899, end: { ...end, slot: 890 } }),
  ]) {
    assert.equal(solanaProgressAfter(included, shown), undefined);
  }
  assert.deepEqual(solanaProgressAfter(included, seen()), { status: 'BROADCASTING' });
  const elsewhere = seen({ inclusion: { slot: 905, level: 'processed' } });
  assert.deepEqual(solanaProgressAfter(included, elsewhere), { status: 'BROADCASTING' });
});

test('a transaction failed only on evidence of a node that searched everywhere, later', () => {
  assert.equal(statusOf(sent(), seen({ end })), 'FAILED');
  for (const weaker of [
    seen({ end: { ...end, height: 500 } }),
    seen({ end: { ...end, height: undefined } }),
    seen({ end: { ...end, firstSlot: 301 } }),
    seen({ end: { ...end, slot: 299 } }),
    seen({ slot: 989, end }),
    seen({ end, inclusion: { slot: 900, level: 'processed' } }),
    seen({ end: { ...end, height: undefined, nonce: 'X' } }),
  ]) {
    assert.equal(statusOf(sent(), weaker), undefined, JSON.stringify(weaker));
  }
  const nonce = (text: string) => seen({ end: { ...end, height: undefined, nonce: text } });
  assert.equal(statusOf(sent(byNonce), nonce('X')), 'FAILED');
  assert.equal(statusOf(sent(byNonce), nonce('')), 'FAILED', 'the account is gone');
  assert.equal(statusOf(sent(byNonce), nonce('N')), undefined);
  assert.equal(statusOf(sent(byNonce), seen({ end })), undefined, 'heights do not matter');
});

const someSeen = fc.record({
  slot: fc.integer({ min: 0, max: 20 }),
  isTaken: fc.boolean(),
  inclusion: fc.option(
    fc.record({
      slot: fc.integer({ min: 0, max: 20 }),
      level: fc.constantFrom(...solanaLevels),
    }),
    { nil: undefined },
  ),
  end: fc.option(
    fc.record({
      slot: fc.integer({ min: 0, max: 20 }),
      firstSlot: fc.integer({ min: 0, max: 20 }),
      height: fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined }),
      nonce: fc.option(fc.constantFrom('N', 'X', ''), { nil: undefined }),
    }),
    { nil: undefined },
  ),
});
const someGivenUp = fc.constantFrom(undefined, 'given up');
const someLifespan = fc.constantFrom(
  { lifetime: { hash: 'H', lastBlockHeight: 10 }, sinceSlot: 5 },
  { lifetime: { hash: 'N', nonceAccount: 'A' }, sinceSlot: 5 },
);

test('a settled transaction never changes, and only finality settles', () => {
  fc.assert(
    fc.property(someLifespan, fc.array(someSeen, { maxLength: 12 }), someGivenUp, (...of) => {
      const [lifespan, steps, givenUp] = of;
      let send: Send = { status: 'INITIALIZED', ...lifespan, givenUp };
      for (const each of steps) {
        const after = solanaProgressAfter(send, each);
        if (send.isSettled === true) assert.equal(after, undefined);
        if (after === undefined) continue;
        if (after.isSetAside === true) {
          assert(givenUp !== undefined && each.inclusion === undefined);
          assert.notEqual(after.status, 'FAILED');
          send = { ...lifespan, ...after, givenUp };
          continue;
        }
        assert.notEqual(after.status, 'INITIALIZED');
        if (after.status === 'FAILED') {
          assert(each.inclusion === undefined && each.end !== undefined);
          assert(each.end.firstSlot <= 5 && each.end.slot >= 5 && each.slot >= each.end.slot);
          assert.equal(after.isSettled, true);
        } else if (after.isSettled === true) {
          assert.equal(each.inclusion?.level, 'finalized');
        }
        send = { ...lifespan, ...after, givenUp };
      }
    }),
    { numRuns: 2_000 },
  );
});

test('a minority of nodes cannot change the status of a transaction', () => {
  fc.assert(
    fc.property(someLifespan, someSeen, someSeen, someGivenUp, (lifespan, truth, lie, givenUp) => {
      const send: Send = { status: 'BROADCASTING', ...lifespan, givenUp };
      const honest = solanaProgressAfter(send, truth);
      const shown = agreedSolana([truth, lie, truth], 3, lifespan);
      assert(shown !== undefined);
      const after = solanaProgressAfter(send, shown);
      assert.deepEqual(after, honest);
      assert.equal(shown.isTaken, truth.isTaken);
      assert.equal(agreedSolana([truth], 3, lifespan), undefined);
    }),
    { numRuns: 2_000 },
  );
});

test('details of a failure are shown as far as most nodes agree', () => {
  const errorWith = (solana: object) => ({
    message: 'failed',
    solana: { source: 'execution', transactionErrorJson: '"E"', ...solana },
  });
  const failed = (solana: object) =>
    seen({ inclusion: { slot: 900, level: 'finalized', error: errorWith(solana) } });
  const truth = failed({ logs: ['true'], unitsConsumed: '5' });
  const lies = [failed({ logs: ['false'], innerInstructionsJson: '[]' }), failed({})];
  for (const lie of lies) {
    const told = (all: readonly SolanaSeen[]) =>
      agreedSolana(all, 3, byBlockhash)?.inclusion?.error;
    assert.deepEqual(told([lie, truth, truth]), errorWith({ logs: ['true'], unitsConsumed: '5' }));
    assert.deepEqual(told([lie, truth]), errorWith({}));
  }
});

test('a minority of nodes cannot shorten a lifetime', () => {
  const filled = (slot: number, height: number) => ({ slot, height, isRecent: true, nonce: 'N' });
  const truth = filled(300_000, 200_000);
  const lag = filled(299_990, 199_990);
  for (const lie of [filled(0, 0), filled(0, 200_000), filled(900_000, 0)]) {
    assert.deepEqual(lifetimeOfMost([lie, truth, lag]), {
      ...truth,
      slot: lie.slot > truth.slot ? truth.slot : lag.slot,
      height: lie.height < lag.height ? lag.height : truth.height,
    });
    assert.equal(lifetimeOfMost([lie, truth]), undefined, 'one to one');
  }
  // The later of two similar lifetimes applies.
  assert.deepEqual(lifetimeOfMost([lag, truth]), truth);
  assert.equal(lifetimeOfMost([truth, { ...truth, nonce: 'X' }]), undefined);
});

test('a node without the blocks around the time of signing is ignored', () => {
  const send = { ...sent(), sinceSlot: 5_000 };
  const since = { ...end, slot: 6_000 };
  const shown = (firstSlot: number) => seen({ slot: 6_000, end: { ...since, firstSlot } });
  assert.equal(statusOf(send, shown(4_000)), 'FAILED');
  assert.equal(statusOf(send, shown(4_001)), undefined);
});
