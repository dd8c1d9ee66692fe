import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createChoice } from '../simulation/choice.ts';
import { casesOf } from '../support/bounds.ts';
import { createLedger, limitOf } from './ledger.ts';
import { race, reproduction } from './races.ts';

const cases = casesOf({ usual: 40, soak: 100 });

/** Outcomes that must occur in all races together. */
const wanted = [
  'COMPLETED',
  'CONSENSUS_NEEDED',
  'FAILED',
  'acknowledged',
  'killed',
  'not_permitted',
  'of amounts',
  'of payloads',
  'overtaken',
  'store_unavailable',
];

test(`${cases} races of signatures under a limit, over nodes that are killed`, async () => {
  const counts = new Map<string, number>();
  for (let number = 1; number <= cases; number += 1) {
    const seed = `suite-${number}`;
    const result = await race(seed);
    assert.deepEqual(result.complaints, [], reproduction(seed));
    for (const [what, count] of result.counts) counts.set(what, (counts.get(what) ?? 0) + count);
  }
  assert.deepEqual(
    wanted.filter((what) => !counts.has(what)),
    [],
  );
});

test('the same seed makes the same race', async () => {
  for (const seed of ['same-1', 'same-2']) {
    const first = await race(seed);
    assert.deepEqual((await race(seed)).log, first.log);
  }
});

test('the ledger complains about one too many, and about one too few', () => {
  const limit = { ...limitOf(createChoice('ledger')), threshold: 2, isByUser: true };
  const ledger = createLedger(limit);
  const entry = { userId: 'alice', amount: 2, isDone: true, atMs: 1_000_000 };
  assert.deepEqual(ledger.judge(entry), []);
  assert.equal(ledger.left('alice', 1_000_000), 0);
  assert.deepEqual(ledger.judge({ ...entry, amount: 1 }).length, 1);
  assert.deepEqual(ledger.judge({ ...entry, userId: 'bob', isDone: false }).length, 1);
});
