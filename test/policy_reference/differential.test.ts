// The policy language against its reference: acceptance, values and failures.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { casesOf } from '../support/bounds.ts';
import { run } from './run.ts';

const cases = casesOf({ usual: 20_000, soak: 50_000 });

test(`${cases} random clauses come to the same in the language and in its reference`, () => {
  const { counts, differences } = run(cases, 20_261_121);
  assert.equal(differences.join('\n\n'), '');
  // A generator whose expressions are all refused would prove nothing.
  for (const outcome of everyOutcome) {
    for (const purpose of ['allow', 'forbid']) {
      const count = counts.get(`${purpose} ${outcome}`) ?? 0;
      assert.ok(count > cases / 2000, `${purpose} ${outcome}: ${count} of ${cases}`);
    }
  }
});

const everyOutcome = [
  'true',
  'false',
  'refused',
  'failure namespace_absent',
  'failure member_missing',
  'failure key_missing',
  'failure index_out_of_range',
  'failure type_mismatch',
  'failure number_out_of_range',
];
