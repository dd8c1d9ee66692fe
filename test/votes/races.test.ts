import assert from 'node:assert/strict';
import { test } from 'node:test';
import { casesOf } from '../support/bounds.ts';
import { race, reproduction } from './races.ts';

const cases = casesOf({ usual: 200, soak: 500 });

/** Seeds of races with rare outcomes: a key that is created at once, and a rejected root quorum. */
const rare = [407, 409];

const numbers = Array.from({ length: cases }, (_, i) => i + 1);
numbers.push(...rare.filter((number) => number > cases));

/** Outcomes that must occur in all races together. */
const wanted = [
  ...[
    'UPDATE_ORGANIZATION_NAME',
    'UPDATE_ROOT_QUORUM',
    'CREATE_USER_TAG',
    'SIGN_RAW_PAYLOAD_V2',
  ].flatMap((type) => [
    `${type} CONSENSUS_NEEDED at once`,
    `${type} CONSENSUS_NEEDED by votes`,
    `${type} COMPLETED by votes`,
    `${type} REJECTED by votes`,
    `${type} FAILED at once`,
  ]),
  'CREATE_USER_TAG FAILED by votes',
  'DELETE_USERS COMPLETED at once',
  'DELETE_API_KEYS COMPLETED at once',
  'CREATE_API_KEYS_V2 COMPLETED at once',
  'UPDATE_POLICY_V2 COMPLETED at once',
  'DELETE_POLICY COMPLETED at once',
  'activity_decided',
  'activity_without_submitter',
  'not_permitted',
  'overtaken',
  'store_unavailable',
];

test(`${numbers.length} races of votes with all other changes`, async () => {
  const counts = new Map<string, number>();
  for (const number of numbers) {
    const seed = `races-${number}`;
    const result = await race(seed);
    assert.deepEqual(result.complaints, [], reproduction(seed));
    for (const [what, count] of result.counts) counts.set(what, (counts.get(what) ?? 0) + count);
  }
  assert.deepEqual(
    wanted.filter((what) => !counts.has(what)),
    [],
  );
});

test('one seed always gives the same race', async () => {
  for (const seed of ['same-1', 'same-2', 'same-3']) {
    const first = await race(seed);
    assert.deepEqual((await race(seed)).log, first.log);
  }
});
