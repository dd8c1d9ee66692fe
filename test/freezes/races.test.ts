import assert from 'node:assert/strict';
import { test } from 'node:test';
import { casesOf } from '../support/bounds.ts';
import { race, reproduction } from './races.ts';

const cases = casesOf({ usual: 60, soak: 300 });

/** Outcomes that must occur in all races together. */
const wanted = [
  'CREATE_FREEZE COMPLETED',
  'DELETE_FREEZE COMPLETED',
  'SIGN_RAW_PAYLOAD_V2 COMPLETED',
  'SIGN_RAW_PAYLOAD_V2 CONSENSUS_NEEDED',
  'SIGN_RAW_PAYLOADS COMPLETED',
  'EXPORT_PRIVATE_KEY COMPLETED',
  'ETH_SEND_TRANSACTION_V2 COMPLETED',
  'frozen',
  'killed',
  'overtaken',
  'released',
  'store_unavailable',
  'withheld',
];

test(`${cases} races beside freezes, over nodes that are killed: nothing is released while frozen`, async () => {
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
  const first = await race('same-1');
  assert.deepEqual((await race('same-1')).log, first.log);
});
