import assert from 'node:assert/strict';
import { test } from 'node:test';
import { casesOf } from '../support/bounds.ts';
import { mfaRace } from './mfa_races.ts';

const cases = casesOf({ usual: 60, soak: 200 });

/** Outcomes that must occur in all races together. */
const wanted = [
  'UPDATE_ORGANIZATION_NAME AUTHENTICATORS_NEEDED at once',
  'UPDATE_ORGANIZATION_NAME AUTHENTICATORS_NEEDED by votes',
  'UPDATE_ORGANIZATION_NAME CONSENSUS_NEEDED by votes',
  'UPDATE_ORGANIZATION_NAME COMPLETED by votes',
  'DELETE_API_KEYS COMPLETED at once',
  'DELETE_MFA_POLICY COMPLETED at once',
  'overtaken',
  'store_unavailable',
  'enough, done',
  'too little, not done',
];

test(`${cases} races of users who must show two keys, on two nodes`, async () => {
  const counts = new Map<string, number>();
  for (let number = 1; number <= cases; number += 1) {
    const { complaints, log, counts: own } = await mfaRace(`suite-${number}`);
    assert.deepEqual(complaints, [], `suite-${number}\n${log.slice(-60).join('\n')}`);
    for (const [what, count] of own) counts.set(what, (counts.get(what) ?? 0) + count);
  }
  assert.deepEqual(
    wanted.filter((what) => !counts.has(what)),
    [],
  );
});
