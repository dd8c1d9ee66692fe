import assert from 'node:assert/strict';
import { test } from 'node:test';
import { casesOf } from '../support/bounds.ts';
import { race } from './races.ts';

const cases = casesOf({ usual: 60, soak: 3_000 });

/** Outcomes that must occur in all races together. */
const wanted = [
  'SEAL_ORGANIZATION COMPLETED',
  'UNSEAL_ORGANIZATION COMPLETED',
  'SIGN_RAW_PAYLOAD_V2 COMPLETED',
  'EXPORT_PRIVATE_KEY COMPLETED',
  'organization_sealed',
  'holder_secret_unreadable',
  'killed',
  'overtaken',
  'store_unavailable',
];

test(`${cases} races of signatures and seals on killed nodes: no signature is committed after a seal`, async () => {
  const counts = new Map<string, number>();
  for (let number = 1; number <= cases; number += 1) {
    const seed = `suite-${number}`;
    const result = await race(seed);
    assert.deepEqual(result.complaints, [], seed);
    for (const [what, count] of result.counts) counts.set(what, (counts.get(what) ?? 0) + count);
  }
  assert.deepEqual(
    wanted.filter((what) => !counts.has(what)),
    [],
  );
});
